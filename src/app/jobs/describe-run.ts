import { countFindings, formatCount } from '../../diagnostics/diagnostic.ts'
import { describeStopped, listFindings, toRecordTexts, toUpdateLogs } from '../../docs/update/update-results.ts'
import { compareCommits, findCommit } from '../../github/repositories/commits.ts'
import type { GitHubClient } from '../../github/requests/github-client.ts'
import {
  type FilesChanged,
  foldFilesChanged,
  type Project,
  type RunningUpdate,
  toFailedSummary,
  toValidSummary,
} from '../../status/update-record.ts'
import type { UpdateDetails } from '../../store/records/stored-records.ts'
import type { Store } from '../../store/store.ts'
import { GitHubError } from '../../text/errors.ts'
import { toName } from '../base/projects.ts'
import type { CheckedRepository } from '../check/check-archive.ts'

/**
 * Adds data that the webhook lacks: message and author for commits of pull requests, and the changed files if the lists of the push
 * are truncated or missing. `logs` names data that is not available.
 *
 * @throws {GitHubError} for temporary errors.
 */
export async function completeCommit(
  client: GitHubClient,
  project: Project,
  update: RunningUpdate,
  details: UpdateDetails,
): Promise<{
  readonly update: RunningUpdate
  readonly logs: readonly string[]
  readonly details: Pick<UpdateDetails, 'filesTruncated'>
}> {
  const { commit } = update
  const repository = toName(project)
  let completed = update
  if (details.trigger === 'pull_request' || details.trigger === 'catch-up') {
    const found = await findCommit(client, repository, commit.sha)
    if (found) completed = { ...update, ...(found.by.author !== '' && found.by), commit: { ...commit, message: found.message } }
  }
  const { before } = details
  if (!details.filesTruncated || before === undefined || /^0+$/.test(before)) return { update: completed, logs: [], details: {} }
  try {
    const { filesChanged: compared, truncated } = await compareCommits(client, repository, before, commit.sha)
    // GitHub compares at most 300 files, and a push lists up to 3,000 of each commit.
    const filesChanged = truncated === undefined ? compared : foldFilesChanged([commit.filesChanged, compared])
    return {
      update: { ...completed, commit: { ...completed.commit, filesChanged } },
      details: { filesTruncated: truncated !== undefined },
      logs: truncated === undefined ? [] : [`The list of changed files is incomplete: ${truncated}`],
    }
  } catch (error) {
    if (!(error instanceof GitHubError) || (error.failure !== 'not-found' && error.failure !== 'invalid')) throw error
    return {
      update: completed,
      details: {},
      logs: [`The list of changed files may be incomplete: commit ${before.slice(0, 7)} no longer exists`],
    }
  }
}

/** Describes the changes since the last successful update of the branch, which include the changes of failed updates. */
export async function describeBase(
  store: Store,
  client: GitHubClient,
  project: Project,
  { projectId, commit }: RunningUpdate,
  { before }: UpdateDetails,
): Promise<string | undefined> {
  const base = await store.statuses.findNewest(projectId, { ref: commit.ref, status: 'success' })
  if (!base) return 'No earlier update of this branch succeeded'
  const { sha } = base.update.commit
  const last = `${sha.slice(0, 7)}, the last successful update of this branch`
  if (sha === commit.sha) return `Same commit as ${last}`
  if (sha === before) return `Since ${last}: ${describe(commit.filesChanged)}`
  try {
    const { filesChanged, truncated } = await compareCommits(client, toName(project), sha, commit.sha)
    return `Since ${last}: ${truncated === undefined ? '' : 'at least '}${describe(filesChanged)}${truncated === undefined ? '' : `. ${truncated}`}`
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    return `Cannot list the changes since ${last}: ${error.message.replace(/^Cannot /, 'cannot ')}`
  }
}

function describe({ added, modified, removed }: FilesChanged): string {
  return `${formatCount(added.length, 'file')} added, ${modified.length} modified, ${removed.length} removed`
}

/** The end of a record after its check. */
interface CheckVerdict {
  readonly status: 'success' | 'failure'
  readonly summary: string
  readonly logs: readonly string[]
  readonly details: Pick<UpdateDetails, 'checkConclusion' | 'commentOff' | 'changeCount' | 'commitStatus' | 'deployment'>
}

/** Summarizes a check and decides how the record and the check on GitHub end. */
export function describeCheck(checked: CheckedRepository, root: string): CheckVerdict {
  const { kind, github, changeCount } = checked
  const shown = toRecordTexts(checked, checked.site.audiences !== undefined)
  const { diagnostics } = shown
  const errors = countFindings(diagnostics).errors
  const wanted = {
    ...(github.comment === 'off' ? { commentOff: true } : {}),
    ...(github['commit-status'] ? { commitStatus: true } : {}),
    ...(github.deployment ? { deployment: true } : {}),
  }
  if (kind === 'checked' || errors > 0) {
    const blocks = errors > 0 && github.check === 'failure'
    const advice = `${formatCount(changeCount, 'file')} would change. Run \`openapi-pages update\``
    return {
      status: errors > 0 ? 'failure' : 'success',
      summary: errors > 0 ? toFailedSummary(diagnostics) : toSuccess(checked),
      logs: [...toUpdateLogs(shown), ...(changeCount > 0 ? [advice] : [])],
      details: { changeCount, ...wanted, ...(errors > 0 && !blocks ? { checkConclusion: 'neutral' as const } : {}) },
    }
  }
  const place = root === '' ? 'this repository' : `\`${root}/\``
  const summary =
    kind === 'off'
      ? 'Nothing checked: `github.check` is `off` in the configuration file.'
      : `Nothing to check: ${place} has no \`docs.json\` and no OpenAPI document at this commit.`
  const details = { changeCount: 0, checkConclusion: 'skipped' as const, ...wanted }
  return { status: 'success', summary, logs: listFindings(diagnostics), details }
}

function toSuccess({ documents, pages, diagnostics, hasPages }: CheckedRepository): string {
  const changed = pages.filter(({ kind }) => kind !== 'kept').length
  return toValidSummary({
    documents: documents.length,
    operations: documents.reduce((sum, { operationCount }) => sum + operationCount, 0),
    problems: countFindings(diagnostics),
    stopped: describeStopped(documents)?.what,
    ...(hasPages ? { pages: changed } : {}),
  })
}
