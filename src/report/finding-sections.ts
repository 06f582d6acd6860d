import { diagnosticCodes, diagnosticUrl } from '../diagnostic/codes.ts'
import type { Diagnostic, Severity } from '../diagnostic/diagnostic.ts'
import { bySeverity, formatCount, formatNumber } from '../diagnostic/diagnostic.ts'
import { groupBy } from '../text/group-by.ts'
import type { Feedback } from './feedback.ts'
import { type Section, toRows } from './fit-sections.ts'
import { renderLink } from './markdown.ts'
import { renderPlace, renderProblem } from './render-problem.ts'

/** Findings that are read without a click. */
const shownFindings = 20
const shownRules = 30
const marks: { readonly [severity in Severity]: string } = { error: '✖', warning: '⚠', info: 'ℹ' }
const tableHead = ['| | place | problem | rule |', '|---|---|---|---|']

/**
 * The findings, most severe first: twenty in a table, others folded away; above them, where there are more, how many there are of each
 * rule, since thousands of findings are mostly a few mistakes.
 */
export function findingSections(
  feedback: Pick<Feedback, 'diagnostics' | 'webUrl' | 'headSha'>,
  options: {
    /** How many are shown behind a click at most; none where they can be read elsewhere. */
    readonly folded: number
    /** Says in Markdown where those are that are not shown. */
    readonly whereAll: string
  },
): readonly Section[] {
  const sorted = bySeverity(feedback.diagnostics)
  if (sorted.length === 0) return []
  const { folded, whereAll } = options
  const left = sorted.slice(shownFindings)
  const toTable = (findings: readonly Diagnostic[], limit: number, moreRows: number) => ({
    rows: findings.slice(0, limit).map((diagnostic) => toRow(diagnostic, feedback)),
    moreRows,
    rest: (hidden: number) => `| | | … and ${formatCount(hidden, 'more finding')}: ${whereAll} | |`,
  })
  const first = { head: tableHead, ...toTable(sorted, shownFindings, folded > 0 ? 0 : left.length), tail: [] }
  if (left.length === 0) return [first]
  const rules = toRuleSections(sorted, feedback)
  if (folded === 0) return [...rules, first]
  const summary = `<details><summary>${formatCount(left.length, 'more finding')}</summary>`
  const moreRows = Math.max(0, left.length - folded)
  return [...rules, first, { head: [summary, '', ...tableHead], ...toTable(left, folded, moreRows), tail: ['', '</details>'] }]
}

function toRow(diagnostic: Diagnostic, feedback: Pick<Feedback, 'webUrl' | 'headSha'>): string {
  const { severity, code } = diagnostic
  return `| ${marks[severity]} | ${renderPlace(diagnostic, feedback)} | ${renderProblem(diagnostic)} | ${renderLink(code, diagnosticUrl(code))} |`
}

function toRuleSections(sorted: readonly Diagnostic[], feedback: Pick<Feedback, 'webUrl' | 'headSha'>): readonly Section[] {
  const groups = [...groupBy(sorted, ({ severity, code }) => `${severity} ${code}`).values()].sort((a, b) => b.length - a.length)
  if (groups.length === 1) return []
  return [
    {
      head: ['| | rule | what it says | findings | first |', '|---|---|---|--:|---|'],
      ...toRows(groups, shownRules, (group) => {
        const [first] = group
        if (!first) return ''
        const { severity, code } = first
        const rule = renderLink(code, diagnosticUrl(code))
        const { title } = diagnosticCodes[code]
        return `| ${marks[severity]} | ${rule} | ${title} | ${formatNumber(group.length)} | ${renderPlace(first, feedback)} |`
      }),
      tail: [],
      rest: (hidden) => `| | … and ${formatCount(hidden, 'more rule')} | | | |`,
    },
  ]
}
