import { bySeverity } from '../diagnostic/by-severity.ts'
import { diagnosticUrl } from '../diagnostic/codes.ts'
import { formatCount, formatNumber } from '../diagnostic/count-findings.ts'
import type { Diagnostic, Severity } from '../diagnostic/diagnostic.ts'
import { groupBy } from '../text/group-by.ts'
import type { Feedback } from './feedback.ts'
import type { Section } from './fit-sections.ts'
import { renderLink } from './markdown.ts'
import { renderPlace, renderProblem } from './render-problem.ts'

/** Findings that are read without a click. */
const shownFindings = 20
/** Findings behind the click; a browser takes its time for more. */
const foldedFindings = 1_000

const marks: { readonly [severity in Severity]: string } = { error: '✖', warning: '⚠', info: 'ℹ' }
const tableHead = ['| | place | problem | rule |', '|---|---|---|---|']

/**
 * The findings, most severe first: twenty in a table, the others folded away; above them, where there are that many, how many there are
 * of each rule, since thousands of findings are mostly a few mistakes.
 *
 * @param whereAll says in Markdown where those are that even the folded table does not show.
 */
export function findingSections(
  feedback: Pick<Feedback, 'diagnostics' | 'webUrl' | 'headSha'>,
  whereAll: string,
): readonly Section[] {
  const sorted = bySeverity(feedback.diagnostics)
  if (sorted.length === 0) return []
  const rows = sorted.map((diagnostic) => toRow(diagnostic, feedback))
  const rest = (hidden: number) => `| | | … and ${formatCount(hidden, 'more finding')}: ${whereAll} | |`
  const first: Section = { head: tableHead, rows: rows.slice(0, shownFindings), tail: [], rest, rowLimit: shownFindings }
  if (rows.length <= shownFindings) return [first]
  const folded: Section = {
    head: [`<details><summary>${formatCount(rows.length - shownFindings, 'more finding')}</summary>`, '', ...tableHead],
    rows: rows.slice(shownFindings),
    tail: ['', '</details>'],
    rest,
    rowLimit: foldedFindings,
  }
  return [toRuleSection(sorted, feedback), first, folded]
}

function toRow(diagnostic: Diagnostic, feedback: Pick<Feedback, 'webUrl' | 'headSha'>): string {
  const { severity, code } = diagnostic
  return `| ${marks[severity]} | ${renderPlace(diagnostic, feedback)} | ${renderProblem(diagnostic)} | ${renderLink(code, diagnosticUrl(code))} |`
}

function toRuleSection(sorted: readonly Diagnostic[], feedback: Pick<Feedback, 'webUrl' | 'headSha'>): Section {
  const groups = [...groupBy(sorted, ({ severity, code }) => `${severity} ${code}`).values()]
  return {
    head: ['| | rule | findings | first |', '|---|---|---|---|'],
    rows: groups
      .toSorted((a, b) => b.length - a.length)
      .flatMap((group) => {
        const [first] = group
        if (!first) return []
        const { severity, code } = first
        const rule = renderLink(code, diagnosticUrl(code))
        return [`| ${marks[severity]} | ${rule} | ${formatNumber(group.length)} | ${renderPlace(first, feedback)} |`]
      }),
    tail: [],
    rest: (hidden) => `| | … and ${formatCount(hidden, 'more rule')} | | |`,
    rowLimit: 30,
  }
}
