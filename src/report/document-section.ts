import { formatCount, formatCounts, formatNumber } from '../diagnostic/diagnostic.ts'
import { groupBy } from '../text/group-by.ts'
import type { Feedback, ReportedDocument, ReportedPage } from './feedback.ts'
import { type Section, toRows } from './fit-sections.ts'
import { escapeMarkdown, renderCode } from './markdown.ts'

/** The table of documents with their findings and what becomes of their pages; undefined where there are none. */
export function documentSection({
  documents,
  pages,
  pagesAre,
}: Pick<Feedback, 'documents' | 'pages' | 'pagesAre'>): Section | undefined {
  if (documents.length === 0) return undefined
  const pagesByDocument = groupBy(pages, (page) => page.document)
  return {
    head: ['| | document | findings | pages |', '|---|---|---|---|'],
    ...toRows(documents, 200, (document) => {
      const { path, version, errorCount: errors, warningCount: warnings, infoCount: infos } = document
      const found = errors + warnings + infos === 0 ? '–' : formatCounts({ errors, warnings, infos })
      const name = `${renderCode(path)}${version === undefined ? '' : ` ${escapeMarkdown(version)}`}`
      return `| ${toMark(document)} | ${name} | ${found} | ${describePages(document, pagesByDocument.get(path) ?? [], pagesAre)} |`
    }),
    tail: [],
    rest: (hidden) => `| | … and ${formatCount(hidden, 'more document')} | | |`,
  }
}

function toMark({ errorCount, warningCount }: ReportedDocument): string {
  return errorCount > 0 ? '✖' : warningCount > 0 ? '⚠' : '✔'
}

function describePages({ errorCount }: ReportedDocument, pages: readonly ReportedPage[], pagesAre: Feedback['pagesAre']): string {
  if (errorCount > 0) return 'not updated'
  if (pages.length === 0) return '–'
  const kinds = [
    ['added', 'add'],
    ['modified', 'change'],
    ['removed', 'remove'],
  ] as const
  const parts = kinds.flatMap(([kind, verb]) => {
    const number = pages.filter((page) => page.kind === kind).length
    const done = verb === 'add' ? 'added' : `${verb}d`
    return number === 0 ? [] : [pagesAre === 'written' ? `${formatNumber(number)} ${done}` : `${formatNumber(number)} to ${verb}`]
  })
  const kept = pages.filter(({ kind }) => kind === 'kept').length
  if (kept > 0) parts.push(`${formatNumber(kept)} kept`)
  return parts.join(', ') || 'up to date'
}
