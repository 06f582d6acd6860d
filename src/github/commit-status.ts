import { GitHubError } from '../errors.ts'
import { callGitHub, type GitHubOperation, nameRepository } from './call-github.ts'
import { toShortDescription } from './to-short-description.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

/** What a commit status says. GitHub keeps every one that was written; the newest of a context counts. */
export interface CommitStatus {
  /** 40 hexadecimal digits. */
  readonly sha: string
  /** The name it is shown under. */
  readonly context: string
  readonly state: 'pending' | 'success' | 'failure'
  /** Cut to GitHub's 140 characters. */
  readonly description: string
  readonly targetUrl: string
}

/**
 * Sets the commit status of a context.
 *
 * @param mayExist An earlier attempt may have set it and not lived to remember it: then the newest is read first, and left where it says the same.
 * @throws {GitHubError}
 */
export async function setCommitStatus(
  client: GitHubClient,
  repository: RepositoryName,
  status: CommitStatus,
  mayExist: boolean,
): Promise<void> {
  const { sha, context, state, targetUrl } = status
  const description = toShortDescription(status.description)
  const about: GitHubOperation = {
    operation: 'set commit status',
    on: nameRepository(repository, sha),
    permission: 'statuses: write',
  }
  const isThere = async () => {
    const { data } = await callGitHub({ ...about, operation: 'read commit statuses' }, () =>
      client.rest.repos.listCommitStatusesForRef({ ...repository, ref: sha, per_page: 100 }),
    )
    // Newest first; GitHub ignores case in a context.
    const newest = data.find((one) => one.context.toLowerCase() === context.toLowerCase())
    return newest?.state === state && newest.target_url === targetUrl && newest.description === description
  }
  if (mayExist && (await isThere())) return
  try {
    await callGitHub(about, () =>
      client.rest.repos.createCommitStatus({ ...repository, sha, context, state, description, target_url: targetUrl }),
    )
  } catch (error) {
    const isUncertain = error instanceof GitHubError && (error.failure === 'unreachable' || error.failure === 'unavailable')
    // The request may have been acted on although no answer came.
    if (!isUncertain || !(await isThere())) throw error
  }
}
