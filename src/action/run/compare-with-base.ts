import { type Diagnostic, formatCount } from '../../diagnostics/diagnostic.ts'
import type { DocsAccess, Update } from '../../docs/types.ts'
import { concernsDocuments } from '../../docs/update/update-results.ts'
import type { CompareDocumentsOptions, Versions } from '../../docs/versions/compare-documents.ts'
import { joinOwned, type OwnedPath } from '../../files/boundary.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import { createFile, makeTemporaryFolder } from '../../files/disk-writes.ts'
import { createFetchDocument } from '../../files/fetch-document.ts'
import { findRemote, readChangedPaths, readFirstParent } from '../../git/commit.ts'
import { type Git, openTrustedGit, readGit } from '../../git/git.ts'
import { ensureCommit, type LineRange, openRevision, readChangedLines } from '../../git/revisions.ts'
import type { ReportedApiChanges } from '../../github/report/feedback.ts'
import type { ReviewSiteOptions } from '../../site/make/review-site.ts'
import { ask, GitError } from '../../text/errors.ts'
import { type OpenGitHub, toClause } from '../inputs/github-access.ts'
import { findDocsDirectories, findDocuments } from '../inputs/input-paths.ts'
import type { ActionInputs, ProblemFilter } from '../inputs/inputs.ts'
import type { ActionEvent } from '../inputs/workflow-event.ts'
import type { ActionReport } from '../report/summary.ts'

/** The API changes of a run. */
interface BaseComparison extends Pick<ActionReport, 'apiChanges' | 'review'> {
  /** The commit to compare with, if it exists and the clone has it. */
  readonly baseSha: string | undefined
  /** Why nothing was compared or there is no review, if the event has a base. */
  readonly trouble: string | undefined
}

const nothing: BaseComparison = { apiChanges: undefined, baseSha: undefined, trouble: undefined }

/**
 * Compares the documents of each docs directory with the base: the merge base of a pull request, or the previous commit of a push.
 *
 * Fetches a missing base if possible. Never rejects: the run does not fail without a base.
 */
export async function compareWithBase(
  workspace: OwnedPath,
  { docs, tokens, report: { hasReview } }: Pick<ActionInputs, 'docs' | 'tokens' | 'report'>,
  event: ActionEvent,
  report: ActionReport,
  openGitHub: OpenGitHub,
): Promise<BaseComparison> {
  const { boundary, updates } = report
  if (updates.length === 0 || event.base.kind === 'none') return nothing
  let baseSha: string | undefined
  try {
    const git = openTrustedGit(boundary)
    baseSha = await findBase(git, event, report.plannedAt, openGitHub)
    if (baseSha === undefined) return nothing
    await ensureCommit(git, baseSha, () => findRemote(git, tokens.token))
    const changed = [...(await readChangedPaths(git, baseSha)), ...report.addedFiles]
    const docsDirectories = await findDocsDirectories(workspace, docs)
    const documents = await findDocuments(docs.documents, boundary, docsDirectories.folder)
    const access = toVersions(await openRevision(git, baseSha), openDiskFiles(boundary))
    const apiChanges = new Map<string, ReportedApiChanges>()
    for (const update of updates) {
      const { root } = update
      if (!concernsDocuments(changed, update)) {
        apiChanges.set(root, { baseSha, failOn: 'never', comment: 'never', documents: [] })
        continue
      }
      const compared = await compareWithCommit(baseSha, { root, documents, directory: docs.directory }, access)
      if ('reason' in compared) return { ...nothing, baseSha, trouble: `No API changes listed: ${compared.reason}` }
      apiChanges.set(root, compared)
    }
    const written = hasReview && (await writeReview(updates, access, { baseSha, documents, directory: docs.directory }))
    return { apiChanges, baseSha, trouble: undefined, ...written }
  } catch (error) {
    const hint = error instanceof GitError && error.hint !== undefined ? `. ${error.hint}` : ''
    return { ...nothing, baseSha, trouble: `No API changes listed: ${toClause(error)}${hint}` }
  }
}

/** Writes the reviews of docs directories to a new folder, and returns its path or why there is none; neither if nothing differs. */
async function writeReview(
  updates: readonly Update[],
  access: Versions<DocsAccess>,
  given: Pick<ReviewSiteOptions, 'baseSha' | 'documents' | 'directory'>,
): Promise<{ readonly review?: string; readonly trouble?: string }> {
  try {
    const { reviewSite } = await import('../../site/make/review-site.ts')
    const options = { ...given, today: new Date().toISOString().slice(0, 10) }
    const files = new Map<string, string>()
    for (const [index, { root }] of updates.entries()) {
      const fileName = updates.length === 1 ? 'review.html' : `review-${index + 1}.html`
      for (const [name, html] of await reviewSite(root, access, { ...options, fileName })) files.set(name, html)
    }
    if (files.size === 0) return {}
    const folder = makeTemporaryFolder('openapi-pages-', process.env['RUNNER_TEMP'])
    for (const [name, html] of files) createFile(joinOwned(folder, name), html)
    return { review: folder }
  } catch (error) {
    return { trouble: `No review written: ${toClause(error)}` }
  }
}

/** Two versions of the files. */
export function toVersions(base: DocsAccess['files'], revision: DocsAccess['files']): Versions<DocsAccess> {
  const fetchDocument = createFetchDocument({ proxyVariables: process.env })
  return { base: { files: base, fetchDocument }, revision: { files: revision, fetchDocument } }
}

/** Compares the documents of a docs directory in two versions, the first one of which belongs to a commit. */
export async function compareWithCommit(
  baseSha: string,
  options: Pick<CompareDocumentsOptions, 'root' | 'documents' | 'directory'>,
  access: Versions<DocsAccess>,
): Promise<ReportedApiChanges | { readonly reason: string }> {
  // Most runs compare nothing.
  const { compareDocuments } = await import('../../docs/versions/compare-documents.ts')
  const compared = await compareDocuments({ ...options, today: new Date().toISOString().slice(0, 10) }, access)
  if (compared.kind === 'unreadable') return compared
  const { failOn, comment } = compared.settings
  return { baseSha, failOn, comment, documents: compared.documents }
}

/** The commit to compare with; undefined if the work tree is not that of the event. */
async function findBase(git: Git, event: ActionEvent, head: string, openGitHub: OpenGitHub): Promise<string | undefined> {
  const { base, sha } = event
  if (base.kind === 'none') return undefined
  if (base.kind === 'commit') return base.sha
  // The merge commit of a pull request has the current base as its first parent.
  if (head === sha) {
    const parent = await readFirstParent(git, sha)
    if (parent !== undefined) return parent
  }
  // With `pull_request_target`, the base is checked out by default.
  if (head === base.baseSha || head === '') return undefined
  const found = await ask(() => readGit(git, 'find the merge base', ['merge-base', base.baseSha, head]))
  if (found.kind === 'known') return found.value.trim()
  const github = await openGitHub()
  if (!github) throw new GitError(found.reason, found)
  const { compareCommits } = await import('../../github/repositories/commits.ts')
  return (await compareCommits(github.client, github.repository, base.baseSha, base.headSha)).mergeBaseSha
}

/** As in the diff of a pull request on GitHub. */
const contextLines = 3

/**
 * Removes the problems outside of the changes from a report, as the input `filter` requests. The names are those of reviewdog's
 * `-filter-mode`: `added`, `diff_context`, `file` and `nofilter`.
 *
 * @param baseSha the commit to compare with. Without it, all problems are reported.
 * @throws {GitError} when git cannot compare.
 */
export async function filterProblems(
  report: ActionReport,
  filter: ProblemFilter,
  baseSha: string | undefined,
): Promise<ActionReport> {
  const { update, boundary, updates, troubles } = report
  if (filter === 'none' || !update || update.diagnostics.length === 0) return report
  if (baseSha === undefined) {
    return {
      ...report,
      troubles: [...troubles, `All problems are reported, because there is no commit to compare with for \`filter: ${filter}\``],
    }
  }
  const files = [...new Set(update.diagnostics.map(({ file }) => file))]
  const changed = await readChangedLines(openTrustedGit(boundary), baseSha, files, filter === 'changed' ? contextLines : 0)
  const isReported = (diagnostic: Diagnostic) => isInChange(diagnostic, changed.get(diagnostic.file), filter)
  const select = (part: Update): Update => ({ ...part, diagnostics: part.diagnostics.filter(isReported) })
  const selected = select(update)
  const hiddenCount = update.diagnostics.length - selected.diagnostics.length
  if (hiddenCount === 0) return report
  const where = filter === 'file' ? 'the changed files' : 'the changed lines'
  const trouble = `${formatCount(hiddenCount, 'problem')} outside of ${where} ${hiddenCount === 1 ? 'is' : 'are'} not reported (\`filter: ${filter}\`)`
  return { ...report, update: selected, updates: updates.map(select), troubles: [...troubles, trouble] }
}

function isInChange({ range }: Diagnostic, ranges: readonly LineRange[] | undefined, filter: ProblemFilter): boolean {
  if (!ranges) return false
  return filter === 'file' || ranges.some(({ first, last }) => first <= range.end.line && range.start.line <= last)
}
