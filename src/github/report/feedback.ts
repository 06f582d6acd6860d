import { createHash } from 'node:crypto'
import {
  type Change,
  type ChangeThresholds,
  countChanges,
  type DocumentComparison,
  type LocatedPlace,
  meetsThreshold,
} from '../../changes/change.ts'
import { toChangeAnnotation } from '../../changes/show/changes-formats.ts'
import { formatLevels, summarizeClients } from '../../changes/show/changes-text.ts'
import { countFindings, type Diagnostic, formatCount, formatCounts } from '../../diagnostics/diagnostic.ts'
import type { Annotation } from '../../diagnostics/format-text.ts'
import { formatNumber, groupBy } from '../../text/plain/lists.ts'
import { isUrl, joinPath } from '../../text/plain/paths.ts'
import {
  changeSections,
  escapeMarkdown,
  fitSections,
  problemSections,
  renderCode,
  renderLink,
  renderMessage,
  renderScreenshot,
  renderTextLink,
  renderTrustedLink,
  type Section,
  toBlobUrl,
  toRows,
  toSection,
} from './markdown.ts'

/** A document in a check or comment. Compatible with `DocumentReport` of `docs/types.ts`. */
export interface ReportedDocument {
  /** Path relative to the repository, or a URL. */
  readonly path: string
  readonly version: string | undefined
  /** Whether its pages can be updated, also with errors that rules of a ruleset report. Default: whether it has no errors. */
  readonly valid?: boolean
  /** The operations whose pages errors stop. */
  readonly stopped?: { readonly operations: readonly string[] }
  readonly errorCount: number
  readonly warningCount: number
  readonly infoCount: number
}

/** A page that `update` would write, keep or remove. Compatible with `PageReport` of `docs/pages/subjects.ts`. */
export interface ReportedPage {
  readonly kind: 'added' | 'modified' | 'removed' | 'kept' | 'unchanged'
  /** Relative to the docs directory. */
  readonly path: string
  readonly document: string
  readonly operation: string
  /** The former path of a moved page. */
  readonly movedFrom?: string | undefined
  /** The former name of the operation. */
  readonly renamedFrom?: string | undefined
  readonly detail?: string | undefined
}

/** The site of the head commit, for a check or comment. */
export interface ReportedSite {
  /** URL of the preview of the commit. */
  readonly url: string
  /** Screenshots of the most relevant page; absent if none were taken. */
  readonly screenshots?: { readonly light: string; readonly dark: string; readonly pageUrl: string }
  /** The first of `changedCount`. `url` is absent for a removed page. */
  readonly changedPages: readonly {
    readonly kind: 'added' | 'modified' | 'removed'
    readonly title: string
    readonly url?: string
  }[]
  readonly changedCount: number
  /** An additional note: one trusted sentence of Markdown. */
  readonly note?: string
}

/** The changes of all documents of a docs directory. */
export interface ReportedApiChanges {
  /** The commit that the head commit was compared with. */
  readonly baseSha: string
  /** The setting `changes.failOn`. */
  readonly failOn: ChangeThresholds
  /** The setting `changes.comment`. */
  readonly comment: 'breaking' | 'any' | 'never'
  /** Documents with changes, and those that cannot be compared. */
  readonly documents: readonly DocumentComparison[]
}

/** The result of a run, for a check or comment. */
export interface Feedback {
  /** 40 hexadecimal digits. */
  readonly headSha: string
  /** Web URL of the repository that contains the head, for links to lines: `https://github.com/acme/api`. */
  readonly webUrl: string
  /** The head has older documents than the run, which copied newer ones from another repository and committed nothing. */
  readonly hasOlderDocuments?: true
  /** The commit before `headSha`, for links to removed pages. */
  readonly baseSha?: string
  /** The docs directory that `pages` are relative to, relative to the repository; absent for the repository itself. */
  readonly root?: string
  /**
   * `written`: the pages are committed to the branch. `proposed`: they are in a pull request. `planned`: an update would write
   * them.
   */
  readonly pagesAre: 'planned' | 'proposed' | 'written'
  /** The web page of the record or of the workflow run. */
  readonly detailsUrl: string
  /** Absent if none was built. */
  readonly site?: ReportedSite
  /** The page with the changes before and after, as words that link to it. It belongs to the head commit. */
  readonly review?: { readonly words: string; readonly url: string }
  /** The head is in a fork, and its preview has not been approved yet. */
  readonly isAwaitingApproval?: true
  readonly documents: readonly ReportedDocument[]
  readonly pages: readonly ReportedPage[]
  /** In display order within each severity. */
  readonly diagnostics: readonly Diagnostic[]
  /** Absent if the documents were not compared. */
  readonly apiChanges?: ReportedApiChanges
  /** Trusted sentences about the run, for example that a list of files is incomplete. */
  readonly notes: readonly string[]
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
    rest: (hidden) => `| | … and ${formatCount(hidden, 'more document')} | | |`,
  }
}

function toMark({ errorCount, warningCount }: ReportedDocument): string {
  return errorCount > 0 ? '✖' : warningCount > 0 ? '⚠' : '✔'
}

function describePages(
  { errorCount, valid = false, stopped }: ReportedDocument,
  pages: readonly ReportedPage[],
  pagesAre: Feedback['pagesAre'],
): string {
  if (errorCount > 0 && !valid) return 'not updated'
  if (pages.length === 0) return stopped ? 'not updated' : '–'
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
  if (stopped) parts.push(`${formatNumber(stopped.operations.length)} not updated`)
  return parts.join(', ') || 'up to date'
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
    rest: (hidden) => `| … and ${formatCount(hidden, 'more operation')} | | | |`,
  }
}

function renderPage(page: ReportedPage, feedback: Parameters<typeof toPageUrl>[1]): string {
  const url = toPageUrl(page, feedback)
  return url === undefined ? renderCode(page.path) : renderLink(page.path, url)
}

/** The URL of a page at the commit that contains it: the previous commit for a removed page. Undefined for a planned page. */
function toPageUrl(
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

/** The changes of all documents. */
export function listChanges({ documents }: Pick<ReportedApiChanges, 'documents'>): readonly Change[] {
  return documents.flatMap(({ comparison }) => comparison?.changes ?? [])
}

/** The changes that meet the setting `changes.failOn`. */
export function listFailingChanges(apiChanges: ReportedApiChanges | undefined): readonly Change[] {
  return apiChanges ? listChanges(apiChanges).filter((change) => meetsThreshold(change, apiChanges.failOn)) : []
}

/** The lines about a comparison in the logs of a record, as plain text. */
export function toChangeLogs(apiChanges: ReportedApiChanges): readonly string[] {
  const { baseSha, documents, failOn } = apiChanges
  const changes = listChanges(apiChanges)
  const unread = documents.filter(({ comparison }) => !comparison).map(({ document }) => document)
  const isFailing = listFailingChanges(apiChanges).length > 0
  return [
    `API changes since ${baseSha.slice(0, 7)}: ${changes.length === 0 ? 'none' : formatLevels(countChanges(changes))}`,
    ...unread.slice(0, 10).map((document) => `${document} was not compared: it cannot be read as OpenAPI in both versions`),
    // The status of the record is that of the update, which succeeded.
    ...(isFailing ? [`The check fails because of \`changes.failOn: ${[failOn].flat().join(', ')}\``] : []),
  ]
}

/** Whether the changes are worth a comment; see the setting `changes.comment`. */
function deservesComment(apiChanges: ReportedApiChanges): boolean {
  const changes = listChanges(apiChanges)
  return changes.some((change) => apiChanges.comment === 'any' || meetsThreshold(change, apiChanges.comment))
}

/** `2 breaking API changes`: the number of the most severe changes, as plain text. Undefined without changes. */
export function describeApiChanges(changes: readonly Pick<Change, 'level' | 'accepted' | 'clients'>[]): string | undefined {
  const { breaking, risky, compatible, accepted } = countChanges(changes)
  const clients = summarizeClients(changes)
  const touched = clients === undefined ? '' : `: ${clients}`
  if (breaking > 0) return `${formatCount(breaking, 'breaking API change')}${touched}`
  if (risky > 0) return `${formatCount(risky, 'risky API change')}${touched}`
  if (compatible > 0) return formatCount(compatible, 'compatible API change')
  return accepted > 0 ? formatCount(accepted, 'accepted API change') : undefined
}

/**
 * The section about API changes of a summary or comment. Empty without changes and without documents that cannot be compared.
 *
 * @param options.isShort Whether only the first ten breaking changes are listed.
 */
export function apiChangeSections(feedback: Feedback, { isShort = false } = {}): readonly Section[] {
  const { apiChanges, webUrl, headSha, hasOlderDocuments, review } = feedback
  if (!apiChanges || apiChanges.documents.length === 0) return []
  const links = { webUrl, headSha: hasOlderDocuments ? undefined : headSha, baseSha: apiChanges.baseSha }
  return [
    ...changeSections(apiChanges.documents, { links, ...(isShort && { all: 'breaking' }) }),
    ...(review === undefined ? [] : [toSection(`**Before and after:** ${renderTrustedLink(review.words, review.url)}`)]),
  ]
}

/** A change on a line of the head commit. */
interface AnnotatedChange {
  readonly change: Change
  readonly place: LocatedPlace
  readonly annotation: Annotation
}

/**
 * The annotations for changes. Changes that meet the setting `changes.failOn` are errors, other breaking and risky changes are warnings.
 * Other compatible changes have no annotation, because each added operation is one. Neither have accepted changes, and changes in documents
 * that were removed.
 */
export function annotateChanges(apiChanges: ReportedApiChanges | undefined): readonly AnnotatedChange[] {
  if (!apiChanges) return []
  return listChanges(apiChanges).flatMap((change) => {
    const isFailing = meetsThreshold(change, apiChanges.failOn)
    const place = change.revision ?? change.surrounding
    if (!place || isUrl(place.file) || change.accepted || (change.level === 'compatible' && !isFailing)) return []
    return [{ change, place, annotation: toChangeAnnotation(change, isFailing ? 'error' : 'warning') }]
  })
}

/** GitHub REST, "Create a check run": `output.summary` is limited to 65,535 characters. */
const summaryLimit = 65_535

/** The title of a check as plain text: `2 errors in 1 of 3 documents`. */
export function renderCheckTitle(feedback: Feedback): string {
  const { apiChanges, isAwaitingApproval } = feedback
  const changes = apiChanges && describeApiChanges(listChanges(apiChanges))
  const parts = [
    describeProblems(feedback),
    ...(changes ? [changes] : []),
    ...(isAwaitingApproval ? ['preview awaiting approval'] : []),
  ]
  return parts.join(', ')
}

function describeProblems({ documents, diagnostics, pages }: Feedback): string {
  const counts = countFindings(diagnostics)
  const found = formatCounts(counts)
  const changed = changedPages(pages).length
  const drift = changed === 0 ? '' : `, ${formatCount(changed, 'page')} would change`
  if (counts.errors + counts.warnings + counts.infos === 0) {
    return documents.length === 0 ? `Nothing to check${drift}` : `${formatCount(documents.length, 'document')} valid${drift}`
  }
  const touched = documents.filter(({ errorCount, warningCount, infoCount }) => errorCount + warningCount + infoCount > 0).length
  return touched === 0 ? `${found}${drift}` : `${found} in ${touched} of ${formatCount(documents.length, 'document')}${drift}`
}

/**
 * The summary of a check as Markdown: documents, preview, the first problems, API changes and the changed pages. Always within GitHub's limit.
 */
export function renderCheckSummary(feedback: Feedback): string {
  const documents = documentSection(feedback)
  return fitSections(
    [
      ...(documents ? [toSection(`### API pages: ${escapeMarkdown(describeProblems(feedback))}`), documents] : []),
      ...siteSections(feedback.site),
      ...(feedback.isAwaitingApproval ? [toSection(approvalText)] : []),
      ...problemSections(feedback, { folded: 0, whereAll: renderTrustedLink('view all', feedback.detailsUrl) }),
      ...apiChangeSections(feedback),
      ...pageSections(feedback),
      ...noteSections(feedback),
    ],
    summaryLimit,
  )
}

const approvalText =
  '**Preview:** awaiting approval. This commit is from a fork, and its author has not contributed to this repository before. ' +
  'After reviewing the commit, a user with write access can select **Approve preview** here or in the dashboard. Each later commit needs its own approval.'

function noteSections({ notes }: Feedback): readonly Section[] {
  if (notes.length === 0) return []
  const rest = (hidden: number) => `- … and ${formatCount(hidden, 'more note')}`
  return [{ head: [], ...toRows(notes, 50, (note) => `- ${renderMessage(note)}`), rest }]
}

function changedPages(pages: readonly ReportedPage[]): readonly ReportedPage[] {
  return pages.filter(({ kind }) => kind === 'added' || kind === 'modified' || kind === 'removed')
}

/**
 * The key of a project in the marker of its comment. The Action and the app derive the same key from a docs directory, so that
 * each recognizes the other's comment.
 *
 * @param root The docs directory relative to the repository, `''` for the repository itself.
 */
export function toCommentKey(root: string): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 12)
}

/** Whether there are errors, or API changes that deserve a comment. */
export function hasReport(feedback: Pick<Feedback, 'diagnostics' | 'apiChanges'>): boolean {
  return countFindings(feedback.diagnostics).errors > 0 || toReportedChanges(feedback).length > 0
}

export function toReportedChanges({ apiChanges }: Pick<Feedback, 'apiChanges'>): readonly Change[] {
  return apiChanges && deservesComment(apiChanges) ? listChanges(apiChanges) : []
}

/** A document of another repository, at a commit. */
interface ReportedOrigin {
  readonly path: string
  readonly origin: { readonly repository: string; readonly webUrl: string; readonly sha: string; readonly path: string }
}

/** Lists the documents of other repositories with their commits. */
export function storedSections(stored: readonly ReportedOrigin[]): readonly Section[] {
  if (stored.length === 0) return []
  const rows = toRows(stored, 20, ({ path, origin }) => {
    const { repository, webUrl, sha } = origin
    const commit = renderLink(`${repository}@${sha.slice(0, 7)}`, `${webUrl}/commit/${sha}`)
    return `- ${renderCode(path)} is ${renderLink(origin.path, toBlobUrl(webUrl, sha, origin.path))} of ${commit}`
  })
  return [{ head: [], ...rows, rest: (hidden) => `- … and ${formatCount(hidden, 'more document')}` }]
}

/** Lists the added files under the heading `lead`. */
export function addedSection(paths: readonly string[], lead: string): readonly Section[] {
  if (paths.length === 0) return []
  const rows = toRows(paths, 20, (path) => `- ${renderCode(path)}`)
  const rest = (hidden: number) => `- … and ${formatCount(hidden, 'more file')}`
  return [{ head: [`${lead}, written by an earlier step:`, ''], ...rows, rest }]
}
