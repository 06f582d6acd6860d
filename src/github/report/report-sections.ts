import {
  bySeverity,
  type Diagnostic,
  diagnosticCodes,
  formatCount,
  formatCounts,
  formatNumber,
  ruleNameOf,
  ruleUrlOf,
  type Severity,
} from '../../diagnostics/diagnostic.ts'
import { groupBy } from '../../text/plain/lists.ts'
import { joinPath } from '../../text/plain/paths.ts'
import type { Feedback, ReportedDocument, ReportedPage, ReportedSite } from './feedback.ts'
import {
  escapeMarkdown,
  renderCode,
  renderLink,
  renderLocation,
  renderProblem,
  renderScreenshot,
  renderTextLink,
  renderTrustedLink,
  toBlobUrl,
} from './markdown.ts'

/** A part of a Markdown text that can be shortened by omitting rows. */
export interface Section {
  /** Lines before the rows. Kept if the section is shown at all. */
  readonly head: readonly string[]
  readonly rows: readonly string[]
  /** Number of additional rows that are never shown. */
  readonly moreRows: number
  /** Lines after the rows. */
  readonly tail: readonly string[]
  /** The line that counts the hidden rows. */
  readonly rest: (hiddenCount: number) => string
}

/** Renders the rows of a section, at most `limit` of them. */
export function toRows<Value>(
  values: readonly Value[],
  limit: number,
  render: (value: Value) => string,
): Pick<Section, 'rows' | 'moreRows'> {
  return { rows: values.slice(0, limit).map(render), moreRows: Math.max(0, values.length - limit) }
}

/** A section without rows, shown completely or not at all. */
export function toSection(...lines: readonly string[]): Section {
  return { head: lines, rows: [], moreRows: 0, tail: [], rest: () => '' }
}

/**
 * Joins sections so that the result stays within a number of UTF-8 bytes.
 *
 * Omits rows, beginning with the last sections, and adds a line with their number. If even the heads are too large, omits
 * sections from the end. Counting bytes also satisfies limits that GitHub states in characters.
 */
export function fitSections(sections: readonly Section[], limitBytes: number): string {
  const fixed = sections.map(sizeOfFixed)
  let left = limitBytes - fixed.reduce((sum, size) => sum + size, 0)
  let shownCount = sections.length
  if (left < 0) left -= sizeOf([describeOmittedSections(sections.length)]) + 1
  for (; left < 0 && shownCount > 0; shownCount--) left += fixed[shownCount - 1] ?? 0
  const parts = sections.slice(0, shownCount).map((section) => {
    const shown: string[] = []
    for (const row of section.rows) {
      const size = sizeOf([row])
      if (size > left) break
      left -= size
      shown.push(row)
    }
    const hidden = section.rows.length + section.moreRows - shown.length
    return [...section.head, ...shown, ...(hidden > 0 ? [section.rest(hidden)] : []), ...section.tail].join('\n')
  })
  if (shownCount < sections.length) parts.push(describeOmittedSections(sections.length - shownCount))
  return parts.join('\n\n')
}

/** The size of a section without its rows, with the blank line after it. */
function sizeOfFixed({ head, tail, rows, moreRows, rest }: Section): number {
  const rowCount = rows.length + moreRows
  return sizeOf(head) + sizeOf(tail) + (rowCount === 0 ? 0 : sizeOf([rest(rowCount)])) + 1
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
}

function describeOmittedSections(count: number): string {
  return `… and ${formatCount(count, 'more section')}, omitted because of GitHub’s size limit`
}

/** The table of documents with their problems and pages; undefined if there are no documents. */
export function documentSection({
  documents,
  pages,
  pagesAre,
}: Pick<Feedback, 'documents' | 'pages' | 'pagesAre'>): Section | undefined {
  if (documents.length === 0) return undefined
  const pagesByDocument = groupBy(pages, (page) => page.document)
  return {
    head: ['| | document | problems | pages |', '|---|---|---|---|'],
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

function describePages(
  { errorCount, valid = false }: ReportedDocument,
  pages: readonly ReportedPage[],
  pagesAre: Feedback['pagesAre'],
): string {
  if (errorCount > 0 && !valid) return 'not updated'
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
  const keptCount = pages.filter(({ kind }) => kind === 'kept').length
  if (keptCount > 0) parts.push(`${formatNumber(keptCount)} kept`)
  return parts.join(', ') || 'up to date'
}

/** Number of problems that are not folded. */
const shownProblems = 20
const shownRules = 30
const marks: { readonly [severity in Severity]: string } = { error: '✖', warning: '⚠', info: 'ℹ' }
const tableHead = ['| | location | problem | rule |', '|---|---|---|---|']

/**
 * The problems, most severe first: twenty in a table, the others folded. If there are more than twenty, a count per rule comes
 * first, because thousands of problems are usually a few repeated mistakes.
 */
export function problemSections(
  feedback: Pick<Feedback, 'diagnostics' | 'webUrl' | 'headSha'>,
  options: {
    /** The maximum number of folded problems; 0 when they can be read elsewhere. */
    readonly folded: number
    /** Markdown that links to the omitted problems. */
    readonly whereAll: string
  },
): readonly Section[] {
  const sorted = bySeverity(feedback.diagnostics)
  if (sorted.length === 0) return []
  const { folded, whereAll } = options
  const left = sorted.slice(shownProblems)
  const toTable = (findings: readonly Diagnostic[], limit: number, moreRows: number) => ({
    rows: findings.slice(0, limit).map((diagnostic) => toRow(diagnostic, feedback)),
    moreRows,
    rest: (hidden: number) => `| | | … and ${formatCount(hidden, 'more problem')} (${whereAll}) | |`,
  })
  const first = { head: tableHead, ...toTable(sorted, shownProblems, folded > 0 ? 0 : left.length), tail: [] }
  if (left.length === 0) return [first]
  const rules = toRuleSections(sorted, feedback)
  if (folded === 0) return [...rules, first]
  const summary = `<details><summary>${formatCount(left.length, 'more problem')}</summary>`
  const moreRows = Math.max(0, left.length - folded)
  return [...rules, first, { head: [summary, '', ...tableHead], ...toTable(left, folded, moreRows), tail: ['', '</details>'] }]
}

function toRow(diagnostic: Diagnostic, feedback: Pick<Feedback, 'webUrl' | 'headSha'>): string {
  const rule = renderLink(ruleNameOf(diagnostic), ruleUrlOf(diagnostic))
  return `| ${marks[diagnostic.severity]} | ${renderLocation(diagnostic, feedback)} | ${renderProblem(diagnostic)} | ${rule} |`
}

function toRuleSections(sorted: readonly Diagnostic[], feedback: Pick<Feedback, 'webUrl' | 'headSha'>): readonly Section[] {
  const toKey = (diagnostic: Diagnostic) => `${diagnostic.severity} ${ruleNameOf(diagnostic)}`
  const groups = [...groupBy(sorted, toKey).values()].sort((a, b) => b.length - a.length)
  if (groups.length === 1) return []
  return [
    {
      head: ['| | rule | description | count | first location |', '|---|---|---|--:|---|'],
      ...toRows(groups, shownRules, (group) => {
        const [first] = group
        if (!first) return ''
        const { severity, code } = first
        const rule = renderLink(ruleNameOf(first), ruleUrlOf(first))
        const { title } = diagnosticCodes[code]
        return `| ${marks[severity]} | ${rule} | ${title} | ${formatNumber(group.length)} | ${renderLocation(first, feedback)} |`
      }),
      tail: [],
      rest: (hidden) => `| | … and ${formatCount(hidden, 'more rule')} | | | |`,
    },
  ]
}

const signs: { readonly [kind in ReportedPage['kind']]: string } = {
  added: '+',
  modified: '~',
  removed: '−',
  kept: '=',
  unchanged: '',
}

/** The maximum number of renamed operations and moved pages. */
const shownMoves = 20

/** Renamed operations and moved pages, then the folded list of changed and kept pages, with links to those in the repository. */
export function pageSections(
  feedback: Pick<Feedback, 'pages' | 'pagesAre' | 'webUrl' | 'headSha' | 'baseSha' | 'root'>,
): readonly Section[] {
  const { pages, pagesAre } = feedback
  const listed = pages.filter(({ kind }) => kind !== 'unchanged')
  if (listed.length === 0) return []
  const moved = listed.filter(({ movedFrom, renamedFrom }) => movedFrom !== undefined || renamedFrom !== undefined)
  const title = pagesAre === 'written' ? 'Pages changed' : 'Pages to change'
  return [
    ...(moved.length === 0 ? [] : [toMoveSection(moved, feedback)]),
    {
      head: [
        `<details><summary>${title} (${formatNumber(listed.length)})</summary>`,
        '',
        '| | page | operation | |',
        '|---|---|---|---|',
      ],
      ...toRows(listed, 1_000, (page) => {
        const why = page.detail === undefined ? '' : escapeMarkdown(page.detail)
        return `| ${signs[page.kind]} | ${renderPage(page, feedback)} | ${renderCode(page.operation)} | ${why} |`
      }),
      tail: ['', '</details>'],
      rest: (hidden) => `| | … and ${formatCount(hidden, 'more page')} | | |`,
    },
  ]
}

function toMoveSection(moved: readonly ReportedPage[], feedback: Parameters<typeof renderPage>[1]): Section {
  const hasMovedPages = moved.some(({ movedFrom }) => movedFrom !== undefined)
  return {
    head: hasMovedPages
      ? ['| operation | previously | page | previously |', '|---|---|---|---|']
      : ['| operation | previously | page |', '|---|---|---|'],
    ...toRows(moved, shownMoves, (page) => {
      const operation = page.renamedFrom === undefined ? '' : renderCode(page.renamedFrom)
      const path = page.movedFrom === undefined ? '' : renderCode(page.movedFrom)
      return `| ${renderCode(page.operation)} | ${operation} | ${renderPage(page, feedback)} |${hasMovedPages ? ` ${path} |` : ''}`
    }),
    tail: [],
    rest: (hidden) => `| … and ${formatCount(hidden, 'more operation')} | | | |`,
  }
}

function renderPage(page: ReportedPage, feedback: Parameters<typeof toPageUrl>[1]): string {
  const url = toPageUrl(page, feedback)
  return url === undefined ? renderCode(page.path) : renderLink(page.path, url)
}

/** The URL of a page at the commit that contains it: the previous commit for a removed page. Undefined for a planned page. */
export function toPageUrl(
  { kind, path, movedFrom }: ReportedPage,
  { pagesAre, webUrl, headSha, baseSha, root }: Pick<Feedback, 'pagesAre' | 'webUrl' | 'headSha' | 'baseSha' | 'root'>,
): string | undefined {
  const written = kind === 'removed' ? baseSha : headSha
  const sha = pagesAre !== 'planned' ? written : kind === 'added' || movedFrom !== undefined ? undefined : headSha
  return sha === undefined ? undefined : toBlobUrl(webUrl, sha, joinPath(root ?? '', path))
}

const changeSigns = { added: '+', modified: '~', removed: '−' } as const

/** Number of changed pages that are named without folding. */
const namedPages = 3

/**
 * The preview of a commit: its URL, a screenshot of the most relevant page, and the pages that differ from the default branch.
 */
export function siteSections(site: ReportedSite | undefined): readonly Section[] {
  if (!site) return []
  const { url, screenshots, changedPages, changedCount, note } = site
  const links = changedPages.map(({ title, url: pageUrl }) => (pageUrl ? renderTextLink(title, pageUrl) : escapeMarkdown(title)))
  const isShort = changedCount <= namedPages
  const shownNames = changedPages.map(({ kind }, index) => `${links[index]}${kind === 'removed' ? ' (removed)' : ''}`)
  const named = isShort ? shownNames.join(', ') : formatCount(changedCount, 'page')
  const changed = changedCount === 0 ? '' : ` · changed: ${named}`
  const head = toSection(`**Preview:** ${renderTrustedLink(new URL(url).host, url)}${changed}`)
  const image = screenshots && renderScreenshot(screenshots, screenshots.pageUrl, 'Screenshot of the page')
  return [
    head,
    ...(note === undefined ? [] : [toSection(note)]),
    ...(image ? [toSection(image)] : []),
    ...(isShort
      ? []
      : [
          {
            head: [
              `<details><summary>Changed in the preview (${formatNumber(changedCount)})</summary>`,
              '',
              '| | page |',
              '|---|---|',
            ],
            ...toRows(
              changedPages,
              changedPages.length,
              (page) => `| ${changeSigns[page.kind]} | ${links[changedPages.indexOf(page)]} |`,
            ),
            moreRows: changedCount - changedPages.length,
            tail: ['', '</details>'],
            rest: (hidden: number) => `| | … and ${formatCount(hidden, 'more page')} |`,
          },
        ]),
  ]
}
