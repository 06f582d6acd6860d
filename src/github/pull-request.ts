import { GitHubError } from '../errors.ts'
import { callGitHub, isUncertain, nameRepository } from './call-github.ts'
import { listPullRequestsOfBranch, type PullRequestInfo } from './commits.ts'
import { repeatable } from './request-pace.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

/** The facts that decide whether the app trusts the commits of a pull request, and what it compares them with. */
export interface PullRequestTrust {
  readonly headSha: string
  /** The branch that the pull request merges into. */
  readonly baseRef: string
  /** False for a fork, even a deleted one. */
  readonly isSameRepository: boolean
  /** The author's relation to the repository, in GitHub's terms: `MEMBER`, `FIRST_TIME_CONTRIBUTOR`, `NONE`, … */
  readonly authorAssociation: string
}

const permission = 'pull_requests: write'

/** Reads a pull request; `undefined` if there is none. @throws {GitHubError} */
export async function readPullRequestTrust(
  client: GitHubClient,
  repository: RepositoryName,
  pullNumber: number,
): Promise<PullRequestTrust | undefined> {
  const about = {
    operation: 'read pull request',
    on: `${nameRepository(repository)} #${pullNumber}`,
    permission: 'pull_requests: read',
  }
  try {
    const { data } = await callGitHub(about, () => client.rest.pulls.get({ ...repository, pull_number: pullNumber }))
    // GitHub sends `null` for a deleted fork, which its types omit.
    const headRepository: { readonly id: number } | null = data.head.repo
    return {
      headSha: data.head.sha,
      baseRef: data.base.ref,
      isSameRepository: headRepository?.id === data.base.repo.id,
      authorAssociation: data.author_association,
    }
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'not-found') return undefined
    throw error
  }
}

/**
 * Finds the open pull request between two branches of a repository. GitHub allows at most one.
 *
 * @throws {GitHubError}
 */
export async function findPullRequest(
  client: GitHubClient,
  repository: RepositoryName,
  { head, base }: { readonly head: string; readonly base: string },
): Promise<PullRequestInfo | undefined> {
  const pulls = await listPullRequestsOfBranch(client, repository, head)
  return pulls.find((pull) => pull.isSameRepository && pull.baseRef === base)
}

/**
 * Opens a pull request, or returns the existing one.
 *
 * @throws {GitHubError} `forbidden` without `pull_requests: write`, or when Actions may not open pull requests.
 */
export async function createPullRequest(
  client: GitHubClient,
  repository: RepositoryName,
  pull: { readonly head: string; readonly base: string; readonly title: string; readonly body: string },
): Promise<{ readonly pull: PullRequestInfo; readonly isNew: boolean }> {
  const about = { operation: 'open pull request', on: `${nameRepository(repository)} from \`${pull.head}\``, permission }
  try {
    const { data } = await callGitHub(about, () => client.rest.pulls.create({ ...repository, ...pull }))
    const info = {
      number: data.number,
      url: data.html_url,
      body: data.body ?? '',
      headSha: data.head.sha,
      headRef: data.head.ref,
      isSameRepository: true,
      baseRef: data.base.ref,
    }
    return { pull: info, isNew: true }
  } catch (error) {
    const mayBeThere = isUncertain(error) || (error instanceof GitHubError && error.failure === 'invalid')
    const there = mayBeThere ? await findPullRequest(client, repository, pull) : undefined
    if (there) return { pull: there, isNew: false }
    throw error
  }
}

/** Updates the title and body of a pull request. @throws {GitHubError} */
export async function updatePullRequest(
  client: GitHubClient,
  repository: RepositoryName,
  pull: { readonly number: number; readonly body: string },
): Promise<void> {
  const about = { operation: 'update pull request', on: `${nameRepository(repository)} #${pull.number}`, permission }
  await callGitHub(about, () =>
    client.rest.pulls.update({ ...repository, pull_number: pull.number, body: pull.body, request: repeatable }),
  )
}

/** Closes a pull request and comments with the reason. @throws {GitHubError} */
export async function closePullRequest(
  client: GitHubClient,
  repository: RepositoryName,
  { number, reason }: { readonly number: number; readonly reason: string },
): Promise<void> {
  const about = { operation: 'close pull request', on: `${nameRepository(repository)} #${number}`, permission }
  await callGitHub(about, () =>
    client.rest.pulls.update({ ...repository, pull_number: number, state: 'closed', request: repeatable }),
  )
  const comment = { ...repository, issue_number: number, body: reason }
  await callGitHub({ ...about, operation: 'write comment' }, () => client.rest.issues.createComment(comment))
}
