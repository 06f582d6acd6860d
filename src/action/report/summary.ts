import { countChanges } from '../../changes/change.ts'
import { countFindings, type Diagnostic, formatCount } from '../../diagnostics/diagnostic.ts'
import type { DocumentReport, Update } from '../../docs/types.ts'
import { findEditedConfig } from '../../docs/update/run-update.ts'
import { describeStopped } from '../../docs/update/update-results.ts'
import type { OwnedPath } from '../../files/boundary.ts'
import {
  addedSection,
  apiChangeSections,
  documentSection,
  type Feedback,
  listChanges,
  pageSections,
  type ReportedApiChanges,
  storedSections,
} from '../../github/report/feedback.ts'
import {
  fitSections,
  problemSections,
  renderCode,
  renderLink,
  renderMessage,
  renderTrustedLink,
  type Section,
  toRows,
  toSection,
} from '../../github/report/markdown.ts'
import { ConfigError, FilesError, GitError, GitHubError } from '../../text/errors.ts'
import { toOneLine } from '../../text/plain/escape-text.ts'
import { formatNumber, groupBy, listFirst } from '../../text/plain/lists.ts'
import { baseName, joinPath } from '../../text/plain/paths.ts'
import { countPages, type Delivery, operationLabels } from '../delivery/commit-message.ts'
import { describeGrant, type FilesChangedReport, type NeededAccess, unknownAccess } from '../inputs/github-access.ts'
import type { Mode } from '../inputs/inputs.ts'
import type { RunLinks } from '../inputs/workflow-event.ts'

/** GitHub silently drops a summary of more than 1 MiB. */
const limitBytes = 1024 * 1024 - 1024
const shownDivisions = 20
/** Browsers get slow with more rows in a collapsed section. */
const foldedDiagnostics = 1_000

/**
 * Renders the job summary as Markdown of less than 1 MiB. Text from documents is escaped.
 *
 * @param usedBytes the current size of the summary file.
 */
export function renderSummary(report: ActionReport, usedBytes = 0): string {
  const { update, failures, note, mode, commitSha, source } = report
  const lines = [
    `### ${update && hasNoPages(update) ? 'API documents' : 'API pages'}: ${toHeadline(report)}`,
    note === undefined ? '' : renderMessage(note),
    ...failures.map((failure) => renderFailure(failure, report)),
    mode === 'check' && !source && update && update.changes.length > 0
      ? `To update them, run the Action in mode \`commit\` (the default on a push), or run \`openapi-pages update\`${describeOutdated(report)}.`
      : '',
    report.app === undefined ? '' : renderAppResult(report.app),
    ...(report.delivery ? renderDelivery(report.delivery) : []),
    ...report.troubles.map((trouble) => renderMessage(`${trouble}.`)),
    commitSha === undefined ? '' : `Committed ${renderCommit(report, commitSha)} to ${renderCode(report.branch ?? '')}.`,
  ]
  const sections = lines.filter((line) => line !== '').map((line) => toSection(line))
  const ofUpdate = update ? toSections(report, update) : []
  const found = source ? docsRunSections(report, source, ofUpdate) : ofUpdate
  return `${fitSections([...sections, ...found], Math.max(0, limitBytes - usedBytes))}\n`
}

function toSections(report: ActionReport, update: Update): readonly Section[] {
  const parts = report.updates.length > 1 ? report.updates : [update]
  const lead = report.commitSha === undefined ? 'Other files to commit' : 'Other committed files'
  return [
    ...storedSections(update.stored ?? []),
    ...parts.flatMap((part) => [
      ...(parts.length > 1 ? [toSection(`#### ${renderCode(part.root || '.')}: ${describeCounts(part, report)}`)] : []),
      ...updateSections(report, part),
    ]),
    ...addedSection(report.addedFiles, lead),
    ...changedSections(report, update),
  ]
}

/** Names the docs directories with changes. Without a name, the command uses the only one. */
function describeOutdated({ updates }: ActionReport): string {
  if (updates.length < 2) return ''
  const roots = updates.filter(({ changes }) => changes.length > 0).map(({ root }) => renderCode(root || '.'))
  return ` in ${new Intl.ListFormat('en').format(roots)}`
}

/** Counts the page changes of one docs directory. */
function describeCounts(update: Update, report: ActionReport): string {
  const { documents, pages, diagnostics } = update
  const counts = countPages(pages)
  const isPlanned = toFeedback(report, update).pagesAre === 'planned'
  const labels = isPlanned
    ? { added: 'to add', modified: 'to change', removed: 'to remove', kept: 'kept' }
    : { added: 'added', modified: 'changed', removed: 'removed', kept: 'kept' }
  const parts = (['added', 'modified', 'removed', 'kept'] as const).flatMap((kind) => {
    return counts[kind] === 0 ? [] : `${formatCount(counts[kind], 'page')} ${labels[kind]}`
  })
  const { errors } = countFindings(diagnostics)
  return [...(errors > 0 ? [formatCount(errors, 'error')] : []), ...parts].join(', ') || toUpToDate(documents)
}

function updateSections(report: ActionReport, update: Update): readonly Section[] {
  const feedback = toFeedback(report, update)
  const documents = documentSection(feedback)
  return [
    ...(documents ? [documents] : []),
    ...stoppedSections(update),
    ...(report.failures.length === 0 ? materializedSections(update, feedback.pagesAre, report) : []),
    ...problemSections(feedback, {
      folded: foldedDiagnostics,
      whereAll: `the log of ${renderTrustedLink('this run', report.links.runUrl)} has all of them`,
    }),
    ...apiChangeSections(feedback),
    ...navigationSections(update, feedback.pagesAre),
    ...pageSections(feedback),
  ]
}

/** The next step for operations without a current page. */
function stoppedSections({ documents }: Update): readonly Section[] {
  const stopped = describeStopped(documents)
  return stopped ? [toSection(renderMessage(`${stopped.text}.`))] : []
}

function toHeadline(report: ActionReport): string {
  const { update, failures, mode, commitSha, delivery } = report
  if (failures.length > 0) return 'the run failed'
  if (report.delivery?.operation === 'superseded') return 'superseded by a newer run'
  if (report.source) return describeDocsRun(report, report.source)
  if (!update) return delivery ? 'up to date' : 'nothing to do'
  const { errors, warnings } = countFindings(update.diagnostics)
  if (errors > 0) return formatCount(errors, 'error') + describeErrorLocations(update)
  const warned = warnings > 0 ? `, ${formatCount(warnings, 'warning')}` : ''
  const changeCount = update.changes.length + report.addedFiles.length
  if (changeCount === 0) return `${hasNoPages(update) ? 'no errors' : toUpToDate(update.documents)}${warned}`
  const count = formatCount(changeCount, 'file')
  if (delivery?.pullRequest) return `${count} to change in pull request #${delivery.pullRequest.number}${warned}`
  if (commitSha !== undefined) return `${count} changed${warned}`
  return `${count} out of date${mode === 'dry-run' ? ' (dry run)' : ''}${warned}`
}

function toUpToDate(documents: Update['documents']): string {
  return describeStopped(documents)?.what ?? 'up to date'
}

/** Names the documents with errors. Errors in other files, such as the configuration file, are counted per file. */
function describeErrorLocations({ documents, documentFiles, diagnostics }: Update): string {
  const invalid = documents.filter((document) => !document.valid)
  const [first] = invalid
  const read = new Set([...documents, ...documentFiles].map(({ path }) => path))
  const others = groupBy(
    diagnostics.filter(({ severity, file }) => severity === 'error' && !read.has(file)),
    ({ file }) => file,
  )
  if (first && others.size > 0) {
    const counts = [
      ...invalid.map(({ path, errorCount }) => [path, errorCount] as const),
      ...[...others].map(([file, found]) => [file, found.length] as const),
    ]
    if (counts.length > 3) return ` in ${formatNumber(counts.length)} files`
    return `: ${counts.map(([file, count]) => `${formatNumber(count)} in ${renderCode(file)}`).join(', ')}`
  }
  if (!first) return ''
  return documents.length === 1
    ? ` in ${renderCode(first.path)}`
    : ` in ${invalid.length === documents.length ? '' : `${formatNumber(invalid.length)} of `}${formatCount(documents.length, 'document')}`
}

function renderFailure(failure: unknown, { access }: ActionReport): string {
  const { message, hint } = explainFailure(failure, access)
  const lines = hint === undefined ? '' : `<br>${renderMessage(toOneLine(hint))}`
  return `> ${renderMessage(message)}${lines}`
}

function renderCommit({ links }: ActionReport, sha: string): string {
  return renderLink(sha.slice(0, 7), `${links.webUrl}/commit/${sha}`)
}

/** Explains that pages are generated as files for the first time, and how to opt out. */
function materializedSections(
  { materialized, hasDocsConfig, configPath }: Update,
  pagesAre: Feedback['pagesAre'],
  { commitSha = '' }: ActionReport,
): readonly Section[] {
  if (materialized.length === 0) return []
  const [become, undo] = {
    written: ['are now files in this repository', ` To undo this commit, run \`git revert ${commitSha.slice(0, 12)}\`.`],
    proposed: ['become files in this repository with the pull request', ''],
    planned: ['would become files in this repository', ''],
  }[pagesAre]
  // Divisions of several versions or languages can have the same label.
  const same = groupBy(materialized, ({ label, source, directory }) => [label, source, directory].join('\0'))
  const divisions = [...same.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const pageCount = others.reduce((sum, other) => sum + other.pageCount, first.pageCount)
    return [{ ...first, pageCount, count: 1 + others.length }]
  })
  const where = hasDocsConfig ? 'next to `docs.json`' : 'in the working directory'
  return [
    {
      head: [`**API pages ${become}.** You can edit, review and link to each page:`, ''],
      ...toRows(divisions, shownDivisions, ({ label, source, directory, pageCount, count }) => {
        const pages = `${formatCount(pageCount, 'page')} in ${renderCode(`${directory || '.'}/`)}`
        if (!hasDocsConfig) return `- ${renderCode(source)}: ${pages}`
        const times = count === 1 ? '' : `, ${formatNumber(count)} times in the navigation`
        return `- ${label === '' ? 'the navigation' : renderCode(label)} (${renderCode(source)})${times}: ${pages}`
      }),
      tail: [
        '',
        `To let the docs host generate them instead, set \`materialize: false\` in ${renderCode(baseName(configPath))} ${where}.${undo}`,
      ],
      rest: (hidden) => `- … and ${formatNumber(hidden)} more`,
    },
  ]
}

/** Lists the changed files, only for events that change files. A schedule does not. */
function changedSections({ filesChanged, eventName }: ActionReport, update: Update): readonly Section[] {
  const isChange = eventName === 'push' || eventName === 'merge_group' || eventName.startsWith('pull_request')
  return filesChanged && isChange ? [toSection(renderFilesChanged(filesChanged, update, eventName))] : []
}

function navigationSections(update: Update, pagesAre: Feedback['pagesAre']): readonly Section[] {
  const { added, removed } = update.navigation
  const isDone = pagesAre === 'written'
  const parts = [
    added > 0 ? `${formatCount(added, 'page')} ${isDone ? 'added' : 'to add'}` : '',
    removed > 0 ? `${formatCount(removed, 'page')} ${isDone ? 'removed' : 'to remove'}` : '',
  ].filter((part) => part !== '')
  if (parts.length === 0) return []
  const file = renderCode(findEditedConfig(update) ?? joinPath(update.root, 'docs.json'))
  return [toSection(`Navigation in ${file}: ${parts.join(', ')}.`)]
}

/** Renders a link to each record in the app, and the problem if reporting failed. */
function renderAppResult({ records, trouble }: AppResult): string {
  const links = records.map(({ root, statusId, detailsUrl }) => {
    const name = `Update \`${statusId.replace(/[^\w-]/g, '')}\`${root === '' ? '' : ` of ${renderCode(root)}`}`
    return detailsUrl === undefined ? name : renderTrustedLink(name, detailsUrl)
  })
  return [...links, ...(trouble === undefined ? [] : [renderMessage(trouble)])].join('<br>')
}

/** Renders the result of the delivery as Markdown paragraphs. */
function renderDelivery({ operation, pullRequest, notes, warnings }: Delivery): readonly string[] {
  const lines = [...notes, ...warnings.map((warned) => `${warned}.`)].map((line) => renderMessage(line))
  if (!pullRequest) return lines
  const link = renderTrustedLink(`pull request #${pullRequest.number}`, pullRequest.url)
  return [`${operationLabels[operation]} ${link}.`.trim(), ...lines]
}

/** Renders how many documents and other files the event changed, and the source of this information. */
function renderFilesChanged(found: FilesChangedReport, { documents }: Update, eventName: string): string {
  if (found.way === 'all') return `<sub>All files are treated as changed: ${renderMessage(found.reason)}.</sub>`
  const { added, modified, removed } = found.filesChanged
  const changed = new Set([...added, ...modified, ...removed])
  const documentCount = documents.filter(({ path }) => changed.has(path)).length
  const others = changed.size - documentCount
  const by = eventName === 'push' ? 'this push' : eventName === 'merge_group' ? 'this merge group' : 'this pull request'
  const source = found.way === 'git' ? 'Git' : "GitHub's compare API"
  const ofDocuments = `${formatNumber(documentCount)} of ${formatCount(documents.length, 'OpenAPI document')}`
  const rest = others === 0 ? 'no other files' : formatCount(others, 'other file')
  const caveat = found.truncated === undefined ? '' : ` ${renderMessage(found.truncated)}.`
  return `<sub>Changed by ${by} (according to ${source}): ${ofDocuments}, ${rest}.${caveat}</sub>`
}

/** The codes of links that an update breaks. */
const linkCodes: readonly string[] = ['link-to-removed-page', 'redirect-unresolved']

/** The headline of a run that did not fail, about the docs repository. */
function describeDocsRun(report: ActionReport, { docsRepository, diagnostics, documents }: SourceReport): string {
  const { update, delivery } = report
  const { errors, warnings } = countFindings(diagnostics)
  const name = renderCode(docsRepository)
  if (errors > 0) {
    const invalid = documents.filter(({ valid }) => !valid)
    const where = listFirst(invalid, 3, ({ path }) => renderCode(path))
    return `${formatCount(errors, 'error')} in ${where}, so nothing changes in ${name}`
  }
  const warned = warnings > 0 ? `, ${formatCount(warnings, 'warning')}` : ''
  if (!update) return `${formatCount(documents.length, 'valid document')}${warned}`
  const consequences = listConsequences(report)
  if (consequences.length === 0) return `${name} is up to date${warned}`
  const where = delivery?.pullRequest ? `pull request #${delivery.pullRequest.number} in ${name}` : name
  return `${where}: ${consequences.join(', ')}${warned}`
}

/** What a run changes in the docs repository, in words: `2 pages change`, `1 link breaks`, `1 breaking change`. */
function listConsequences({ update, apiChanges }: ActionReport): readonly string[] {
  if (!update) return []
  const { added, modified, removed } = countPages(update.pages)
  const pages = added + modified + removed
  const links = update.diagnostics.filter(({ code }) => linkCodes.includes(code)).length
  const unbound = update.diagnostics.filter(({ code }) => code === 'binding-unresolved').length
  const { breaking, risky } = countChanges([...(apiChanges?.values() ?? [])].flatMap(listChanges))
  const errors = countFindings(update.diagnostics).errors
  const stored = update.stored?.length ?? 0
  return [
    ...(pages > 0 ? [`${formatCount(pages, 'page')} ${pages === 1 ? 'changes' : 'change'}`] : []),
    ...(pages === 0 && stored > 0 ? [`${formatCount(stored, 'document')} ${stored === 1 ? 'changes' : 'change'}`] : []),
    ...(unbound > 0 ? [`${formatCount(unbound, 'page')} ${unbound === 1 ? 'loses its' : 'lose their'} operation`] : []),
    ...(links > 0 ? [`${formatCount(links, 'link')} ${links === 1 ? 'breaks' : 'break'}`] : []),
    ...(breaking > 0 ? [formatCount(breaking, 'breaking change')] : []),
    ...(breaking === 0 && risky > 0 ? [formatCount(risky, 'risky change')] : []),
    ...(errors > 0 ? [formatCount(errors, 'error')] : []),
  ]
}

/**
 * The summary of a run: what happens next, the docs repository, and the problems of the documents at their places in this repository.
 *
 * @param docsSections about the docs repository.
 */
function docsRunSections(
  { mode, update, links }: ActionReport,
  { docsRepository, diagnostics, documents, webUrl, sha }: SourceReport,
  docsSections: readonly Section[],
): readonly Section[] {
  const feedback: Feedback = {
    headSha: sha,
    webUrl,
    detailsUrl: links.runUrl,
    pagesAre: 'planned',
    documents,
    pages: [],
    diagnostics,
    notes: [],
  }
  const problems = problemSections(feedback, {
    folded: 1_000,
    whereAll: `the log of ${renderTrustedLink('this run', links.runUrl)} has all of them`,
  })
  if (documents.some(({ valid }) => !valid)) {
    const table = documentSection(feedback)
    const nothing = toSection(`Nothing was changed in ${renderCode(docsRepository)}, because a document has errors.`)
    return [nothing, ...(table ? [table] : []), ...problems]
  }
  const isPlanned = (mode === 'check' || mode === 'dry-run') && update !== undefined && update.changes.length > 0
  const docs = renderTrustedLink('the docs repository', links.webUrl)
  const next = `Nothing was pushed. A run on the default branch proposes these changes in ${docs}.`
  const heading =
    problems.length === 0 ? [] : [toSection(`### Problems in the ${documents.length === 1 ? 'document' : 'documents'}`)]
  return [...(isPlanned ? [toSection(next)] : []), ...docsSections, ...heading, ...problems]
}

/** The result of a run. */
export interface ActionReport {
  readonly mode: Mode
  /** GitHub's name of the event, such as `push`. */
  readonly eventName: string
  readonly links: RunLinks
  /** The target branch of commits. Undefined in modes that do not write. */
  readonly branch: string | undefined
  /** Why the run did less than requested. */
  readonly note: string | undefined
  /** Absolute. Paths in `update` are relative to it. */
  readonly boundary: OwnedPath
  /** All docs directories together (`mergeUpdates`). Undefined if the run ended before planning. */
  readonly update: Update | undefined
  /** One per docs directory, sorted by path. */
  readonly updates: readonly Update[]
  /** The commit that `update` was planned at, or `''`. */
  readonly plannedAt: string
  /** Undefined if the run ended earlier. */
  readonly filesChanged: FilesChangedReport | undefined
  /** The commit created on `branch`. */
  readonly commitSha: string | undefined
  /** Sorted paths of other files in the commit, such as documents regenerated by an earlier step. */
  readonly addedFiles: readonly string[]
  /** The result of writing the changes. Undefined if the mode does not write, or the run failed earlier. */
  readonly delivery: Delivery | undefined
  /** Parts of the report that could not be published, such as a comment, as sentences. They do not fail the run. */
  readonly troubles: readonly string[]
  /** What the mode of the run needs. */
  readonly access: NeededAccess
  /** Errors that stopped the run, as thrown. More than one only for several invalid inputs. */
  readonly failures: readonly unknown[]
  /** The API changes by docs directory. Undefined if the documents were not compared. */
  readonly apiChanges: ReadonlyMap<string, ReportedApiChanges> | undefined
  /** The folder with the review, for an artifact. Absent if the run wrote none. */
  readonly review?: string | undefined
  /** The result of the report to the app. Undefined without `app-url`. */
  readonly app: AppResult | undefined
  /** Absent without `docs-repository`. Otherwise, everything else of the report is about the docs repository. */
  readonly source?: SourceReport
}

/** The documents of the repository that a workflow with `docs-repository` runs in. */
interface SourceReport {
  /** `owner/name` of the docs repository. */
  readonly docsRepository: string
  /** Absolute. Paths in `diagnostics` and `documents` are relative to it. */
  readonly boundary: OwnedPath
  /** URL of the repository with the documents, and their commit. */
  readonly webUrl: string
  readonly sha: string
  readonly documents: readonly DocumentReport[]
  readonly diagnostics: readonly Diagnostic[]
}

/** The problems of a run, in this repository and in the docs repository. */
export function listProblems({ update, source }: Pick<ActionReport, 'update' | 'source'>): readonly Diagnostic[] {
  return [...(source?.diagnostics ?? []), ...(update?.diagnostics ?? [])]
}

/** The result of reporting a run to the app. */
export interface AppResult {
  /** The created records, one per docs directory. */
  readonly records: readonly { readonly root: string; readonly statusId: string; readonly detailsUrl: string | undefined }[]
  /** Why a record was not created and what to do, in one line. */
  readonly trouble: string | undefined
  /** Whether the problem is expected for this event and needs only a log line. */
  readonly isExpected: boolean
}

/** Returns the content of the summary and the comment, for one docs directory or all of them. */
export function toFeedback(report: ActionReport, update: Update): Feedback {
  const { links, commitSha, plannedAt, delivery, apiChanges, review } = report
  const { documents, pages, diagnostics, root } = update
  const changes = apiChanges?.get(root)
  return {
    // The pages exist only in the new commit. The documents are the same in both.
    headSha: commitSha ?? plannedAt,
    ...(commitSha === undefined && (update.stored ?? []).length > 0 && { hasOlderDocuments: true as const }),
    baseSha: plannedAt,
    webUrl: links.webUrl,
    detailsUrl: links.runUrl,
    root,
    pagesAre: commitSha === undefined ? 'planned' : delivery?.pullRequest ? 'proposed' : 'written',
    documents,
    pages,
    diagnostics,
    ...(changes ? { apiChanges: changes } : {}),
    // The step after this one uploads it.
    ...(review !== undefined && {
      review: { words: 'artifact openapi-pages-review of this run', url: `${links.runUrl}#artifacts` },
    }),
    notes: [],
  }
}

/** Whether the run only checks documents, because no `docs.json` and no earlier run says where pages are. */
export function hasNoPages({ hasDocsConfig, pages }: Pick<Update, 'hasDocsConfig' | 'pages'>): boolean {
  return !hasDocsConfig && pages.length === 0
}

/** Returns message and hint of an error. An unexpected error includes its stack. */
export function explainFailure(
  failure: unknown,
  access: NeededAccess = unknownAccess,
): { readonly message: string; readonly hint: string | undefined } {
  if (failure instanceof GitError && failure.lacksAccess) {
    const hints = [describeGrant(access, 'contents: write'), failure.hint].filter((hint) => hint !== undefined)
    return { message: failure.message, hint: hints.join('. ') }
  }
  if (failure instanceof ConfigError || failure instanceof FilesError || failure instanceof GitError) {
    return { message: failure.message, hint: failure.hint }
  }
  if (failure instanceof GitHubError) return { message: failure.message, hint: toGitHubHint(failure, access) }
  const stack = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
  return { message: `Bug in openapi-pages: ${stack}`, hint: 'Report it with this message' }
}

/** Returns what a workflow can do about an error from GitHub. The hints in the error itself are for operators of the app. */
function toGitHubHint(
  { failure, permission, message, retryAfterMs, hint }: GitHubError,
  access: NeededAccess,
): string | undefined {
  // The API uses `_` in permission names, workflows use `-`.
  const grant = describeGrant(access, permission?.replaceAll('_', '-'))
  switch (failure) {
    case 'unauthorized':
      return 'Check the input `token`: it may have expired. If it is empty, the token of the job is used'
    case 'forbidden':
      // GitHub identifies this setting only by the message.
      return /not permitted to create or approve pull requests/.test(message)
        ? 'Enable "Allow GitHub Actions to create and approve pull requests" in the repository settings (Actions, General), or set the input `token` to the token of a GitHub App'
        : `${grant}${access.usesToken ? '' : ', or set the input `token` to a token with this access'}. Forks and Dependabot always get a read-only token: use \`mode: check\` for them`
    case 'protected':
      return 'Use `on-protected: pull-request`, or set the input `token` to a token that may bypass the rule, such as that of a GitHub App'
    case 'rate-limited':
      return `Run the job again in ${Math.ceil((retryAfterMs ?? 60_000) / 1000)} s`
    case 'not-found':
      return `${grant}. GitHub also responds with 404 if the token lacks access`
    case 'conflict':
      return 'Run the job again'
    case 'unavailable':
      return 'Run the job again. GitHub may have an incident, see githubstatus.com'
    case 'unreachable':
      return 'Run the job again. If the error persists, check the network and proxy of the runner'
    case 'invalid':
      return 'Report this bug in openapi-pages with this message'
    case 'refused':
      return hint
  }
}
