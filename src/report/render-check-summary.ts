import { bySeverity } from '../diagnostic/by-severity.ts'
import { countFindings, type FindingCounts, formatCount } from '../diagnostic/count-findings.ts'
import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { isUrl } from '../text/relative-path.ts'
import type { Feedback, ReportedPage } from './feedback.ts'
import { fitSections, type Section } from './fit-sections.ts'
import { escapeMarkdown, renderCode, renderLink, renderMessage, renderWordLink, toBlobUrl } from './markdown.ts'

/** GitHub REST, "Create a check run": `output.summary` holds at most 65,535 characters. */
const summaryLimit = 65_535

/** Findings in the summary; all of them are annotations, and on the record's page. */
const findingRows = 20

/** One line of text, without Markdown: `2 errors in 1 of 3 documents`. */
export function renderCheckTitle({ documents, diagnostics, pages }: Feedback): string {
  const counts = countFindings(diagnostics)
  const found = describeWorst(counts)
  const changed = changedPages(pages).length
  const drift = changed === 0 ? '' : `, ${formatCount(changed, 'page')} would change`
  if (counts.errors + counts.warnings + counts.infos === 0) {
    return documents.length === 0 ? `Nothing to check${drift}` : `${formatCount(documents.length, 'document')} valid${drift}`
  }
  const touched = documents.filter((document) =>
    counts.errors > 0 ? document.errorCount > 0 : document.warningCount + document.infoCount > 0,
  ).length
  return touched === 0 ? `${found}${drift}` : `${found} in ${touched} of ${formatCount(documents.length, 'document')}${drift}`
}

/** The summary of a check as Markdown: documents, the first findings, the pages that would change. Always within GitHub's limit. */
export function renderCheckSummary(feedback: Feedback): string {
  const sections = [documentSection(feedback), findingSection(feedback), pageSection(feedback), noteSection(feedback)]
  return fitSections(
    sections.filter((section) => section !== undefined),
    summaryLimit,
  )
}

function documentSection(feedback: Feedback): Section | undefined {
  const { documents, pages } = feedback
  if (documents.length === 0) return undefined
  const pagesByDocument = new Map<string, ReportedPage[]>()
  for (const page of pages) {
    const known = pagesByDocument.get(page.document)
    if (known) known.push(page)
    else pagesByDocument.set(page.document, [page])
  }
  return {
    head: [
      `### API pages: ${escapeMarkdown(renderCheckTitle(feedback))}`,
      '',
      '| | document | findings | pages |',
      '|---|---|---|---|',
    ],
    rows: documents.map((document) => {
      const { errorCount, warningCount, infoCount } = document
      const found = [
        ...(errorCount > 0 ? [formatCount(errorCount, 'error')] : []),
        ...(warningCount > 0 ? [formatCount(warningCount, 'warning')] : []),
        ...(infoCount > 0 ? [formatCount(infoCount, 'info')] : []),
      ]
      const mark = errorCount > 0 ? '✖' : '✔'
      const version = document.version === undefined ? '' : ` ${escapeMarkdown(document.version)}`
      const drift = errorCount > 0 ? 'not updated' : describePages(pagesByDocument.get(document.path) ?? [])
      return `| ${mark} | ${renderCode(document.path)}${version} | ${found.join(', ') || '–'} | ${drift} |`
    }),
    tail: [],
    rest: (hidden) => `| | … and ${formatCount(hidden, 'more document')} | | |`,
    rowLimit: 200,
  }
}

function describePages(pages: readonly ReportedPage[]): string {
  if (pages.length === 0) return '–'
  const kinds = [
    ['added', 'added'],
    ['modified', 'changed'],
    ['removed', 'removed'],
    ['kept', 'kept'],
  ] as const
  const parts = kinds.flatMap(([kind, word]) => {
    const number = pages.filter((page) => page.kind === kind).length
    return number === 0 ? [] : [`${number.toLocaleString('en-US')} ${word}`]
  })
  return parts.join(', ') || 'up to date'
}

function findingSection(feedback: Feedback): Section | undefined {
  if (feedback.diagnostics.length === 0) return undefined
  return {
    head: [],
    rows: bySeverity(feedback.diagnostics).map((diagnostic) => `- ${describeFinding(diagnostic, feedback)}`),
    tail: [],
    rest: (hidden) => `- … and ${formatCount(hidden, 'more finding')}: ${renderWordLink('all of them', feedback.detailsUrl)}`,
    rowLimit: findingRows,
  }
}

function describeFinding(diagnostic: Diagnostic, feedback: Feedback): string {
  const { line, column } = diagnostic.range.start
  const place = `${diagnostic.file}:${line}:${column}`
  const link = isUrl(diagnostic.file)
    ? renderCode(place)
    : renderLink(place, toBlobUrl(feedback.webUrl, feedback.headSha, diagnostic.file, line))
  const hint =
    diagnostic.hint === undefined ? '' : `. ${renderMessage(diagnostic.hint.charAt(0).toUpperCase() + diagnostic.hint.slice(1))}`
  return `**${link}** ${diagnostic.severity} ${diagnostic.code}: ${renderMessage(diagnostic.message)}${hint}`
}

function pageSection({ pages }: Feedback): Section | undefined {
  const changed = changedPages(pages)
  if (changed.length === 0) return undefined
  const signs = { added: '+', modified: '~', removed: '−', kept: '=', unchanged: '' }
  return {
    head: [`<details><summary>Pages that would change (${changed.length.toLocaleString('en-US')})</summary>`, ''],
    rows: changed.map(({ kind, path, operation, detail }) => {
      const why = detail === undefined ? '' : `: ${escapeMarkdown(detail)}`
      return `- ${signs[kind]} ${renderCode(path)} ${escapeMarkdown(operation)}${why}`
    }),
    tail: ['', '</details>'],
    rest: (hidden) => `- … and ${formatCount(hidden, 'more page')}`,
    rowLimit: 1_000,
  }
}

function noteSection({ notes }: Feedback): Section | undefined {
  if (notes.length === 0) return undefined
  return {
    head: [],
    rows: notes.map((note) => `- ${renderMessage(note)}`),
    tail: [],
    rest: (hidden) => `- … and ${formatCount(hidden, 'more note')}`,
    rowLimit: 50,
  }
}

/** The severest kind that there is, in numbers: `2 errors`, `1 warning`, `no findings`. */
function describeWorst({ errors, warnings, infos }: FindingCounts): string {
  if (errors > 0) return formatCount(errors, 'error')
  if (warnings > 0) return formatCount(warnings, 'warning')
  return infos > 0 ? formatCount(infos, 'info') : 'no findings'
}

function changedPages(pages: readonly ReportedPage[]): readonly ReportedPage[] {
  return pages.filter(({ kind }) => kind === 'added' || kind === 'modified' || kind === 'removed')
}
