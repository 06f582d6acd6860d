import { GitHubError } from '../../errors.ts'
import { compareCommits, findCommit } from '../../github/commits.ts'
import type { GitHubClient } from '../../github/types.ts'
import type { Project, RunningUpdate } from '../../status/types.ts'
import type { UpdateDetails } from '../../store/types.ts'
import { toName } from './run-context.ts'

/**
 * Fills in what the webhook did not say of a commit: its message and author where it came with a pull request, and the files that
 * changed where the lists of the push were cut or missing. What could not be found out is said in `logs`.
 *
 * @throws {GitHubError} for what may pass.
 */
export async function completeCommit(
  client: GitHubClient,
  project: Project,
  update: RunningUpdate,
  details: UpdateDetails,
): Promise<{ readonly update: RunningUpdate; readonly logs: readonly string[] }> {
  const { commit } = update
  const repository = toName(project)
  let completed = update
  if (details.trigger === 'pull_request' || details.trigger === 'catch-up') {
    const found = await findCommit(client, repository, commit.sha)
    if (found) completed = { ...update, author: found.author || update.author, commit: { ...commit, message: found.message } }
  }
  const { before } = details
  if (!details.filesTruncated || before === undefined || /^0+$/.test(before)) return { update: completed, logs: [] }
  try {
    const { filesChanged, truncated } = await compareCommits(client, repository, before, commit.sha)
    return {
      update: { ...completed, commit: { ...completed.commit, filesChanged } },
      logs: truncated === undefined ? [] : [`The list of changed files is not complete: ${truncated}`],
    }
  } catch (error) {
    if (!(error instanceof GitHubError) || (error.failure !== 'not-found' && error.failure !== 'invalid')) throw error
    return { update: completed, logs: [`The list of changed files may not be complete: ${before.slice(0, 7)} is gone`] }
  }
}
