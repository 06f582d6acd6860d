import { GitHubError } from '../../text/errors.ts'
import { callGitHub, isUncertain, nameRepository } from '../requests/call-github.ts'
import { repeatable } from '../requests/request-pace.ts'
import type { GitHubClient, RepositoryName } from '../requests/types.ts'
import { listPullRequestsOfBranch, type PullRequestInfo } from './commits.ts'

/** The facts that decide whether the app trusts the commits of a pull request, and what it compares them with. */
interface PullRequestTrust {
  readonly headSha: string
  readonly isOpen: boolean
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
  const operation = {
    operation: 'read pull request',
    on: `${nameRepository(repository)} #${pullNumber}`,
    permission: 'pull_requests: read',
  }
  try {
    const { data } = await callGitHub(operation, () => client.rest.pulls.get({ ...repository, pull_number: pullNumber }))
    // GitHub sends `null` for a deleted fork, which its types omit.
    const headRepository: { readonly id: number } | null = data.head.repo
    return {
      headSha: data.head.sha,
      isOpen: data.state === 'open',
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
  pull: { readonly head: string; readonly base: string; readonly title: string; readonly body: string; readonly draft?: boolean },
): Promise<{ readonly pull: PullRequestInfo; readonly isNew: boolean }> {
  const operation = { operation: 'open pull request', on: `${nameRepository(repository)} from \`${pull.head}\``, permission }
  try {
    const { data } = await callGitHub(operation, () => client.rest.pulls.create({ ...repository, ...pull }))
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

/**
 * Finds the newest closed pull request between two branches of a repository, merged or not.
 *
 * @throws {GitHubError}
 */
export async function findClosedPullRequest(
  client: GitHubClient,
  repository: RepositoryName,
  { head, base }: { readonly head: string; readonly base: string },
): Promise<{ readonly number: number; readonly url: string; readonly body: string; readonly isMerged: boolean } | undefined> {
  const operation = { operation: 'list pull requests', on: nameRepository(repository), permission: 'pull_requests: read' }
  const query = { ...repository, state: 'closed', head: `${repository.owner}:${head}`, base, per_page: 1 } as const
  const { data } = await callGitHub(operation, () => client.rest.pulls.list(query))
  return data.map((pull) => {
    return { number: pull.number, url: pull.html_url, body: pull.body ?? '', isMerged: typeof pull.merged_at === 'string' }
  })[0]
}

/** Adds labels to a pull request. GitHub creates missing labels. @throws {GitHubError} */
export async function addLabels(
  client: GitHubClient,
  repository: RepositoryName,
  { number, labels }: { readonly number: number; readonly labels: readonly string[] },
): Promise<void> {
  const operation = { operation: 'add labels', on: `${nameRepository(repository)} #${number}`, permission }
  const parameters = { ...repository, issue_number: number, labels: [...labels], request: repeatable }
  await callGitHub(operation, () => client.rest.issues.addLabels(parameters))
}

/** Assigns users to a pull request. Returns those that GitHub ignored, because they cannot be assigned. @throws {GitHubError} */
export async function addAssignees(
  client: GitHubClient,
  repository: RepositoryName,
  { number, assignees }: { readonly number: number; readonly assignees: readonly string[] },
): Promise<readonly string[]> {
  const operation = { operation: 'add assignees', on: `${nameRepository(repository)} #${number}`, permission }
  const parameters = { ...repository, issue_number: number, assignees: [...assignees], request: repeatable }
  const { data } = await callGitHub(operation, () => client.rest.issues.addAssignees(parameters))
  const assigned = new Set((data.assignees ?? []).map(({ login }) => login.toLowerCase()))
  return assignees.filter((login) => !assigned.has(login.toLowerCase()))
}

/**
 * Requests reviews of a pull request. GitHub refuses the whole request if one of the names is not a collaborator.
 *
 * @throws {GitHubError} `invalid` if a name cannot review it.
 */
export async function requestReviewers(
  client: GitHubClient,
  repository: RepositoryName,
  request: { readonly number: number; readonly reviewers?: readonly string[]; readonly teamSlugs?: readonly string[] },
): Promise<void> {
  const { number, reviewers = [], teamSlugs = [] } = request
  const operation = { operation: 'request reviewers', on: `${nameRepository(repository)} #${number}`, permission }
  const names = { ...(reviewers.length > 0 ? { reviewers: [...reviewers] } : { team_reviewers: [...teamSlugs] }) }
  await callGitHub(operation, () =>
    client.rest.pulls.requestReviewers({ ...repository, pull_number: number, ...names, request: repeatable }),
  )
}

/** Updates the title and body of a pull request. @throws {GitHubError} */
export async function updatePullRequest(
  client: GitHubClient,
  repository: RepositoryName,
  { number, ...texts }: { readonly number: number; readonly body: string; readonly title?: string },
): Promise<void> {
  const operation = { operation: 'update pull request', on: `${nameRepository(repository)} #${number}`, permission }
  await callGitHub(operation, () =>
    client.rest.pulls.update({ ...repository, pull_number: number, ...texts, request: repeatable }),
  )
}

/** Closes a pull request, replaces its body, and comments with the reason. @throws {GitHubError} */
export async function closePullRequest(
  client: GitHubClient,
  repository: RepositoryName,
  { number, body, reason }: { readonly number: number; readonly body: string; readonly reason: string },
): Promise<void> {
  const operation = { operation: 'close pull request', on: `${nameRepository(repository)} #${number}`, permission }
  await callGitHub(operation, () =>
    client.rest.pulls.update({ ...repository, pull_number: number, state: 'closed', body, request: repeatable }),
  )
  const comment = { ...repository, issue_number: number, body: reason }
  await callGitHub({ ...operation, operation: 'write comment' }, () => client.rest.issues.createComment(comment))
}
