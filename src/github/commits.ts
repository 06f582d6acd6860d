import { GitHubError } from '../errors.ts'
import { callGitHub, nameRepository } from './call-github.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

/** A commit as a record needs it. */
export interface CommitInfo {
  readonly sha: string
  readonly message: string
  /** The login where GitHub knows one, else the name in the commit. */
  readonly author: string
  readonly parents: readonly string[]
}

/**
 * Looks up a commit by its id or by a ref such as `refs/heads/main`; `undefined` where there is none.
 *
 * @throws {GitHubError}
 */
export async function findCommit(client: GitHubClient, repository: RepositoryName, ref: string): Promise<CommitInfo | undefined> {
  const about = {
    operation: 'read commit',
    on: `${nameRepository(repository)} \`${ref.slice(0, 200)}\``,
    permission: 'contents: read',
  }
  try {
    const { data } = await callGitHub(about, () =>
      client.rest.repos.getCommit({ ...repository, ref: ref.replace(/^refs\//, ''), per_page: 1 }),
    )
    return {
      sha: data.sha,
      message: data.commit.message,
      author: data.author?.login ?? data.commit.author?.name ?? '',
      parents: data.parents.map(({ sha }) => sha),
    }
  } catch (error) {
    // GitHub answers 422 for a text that could be a commit id and is none, 404 for the rest.
    if (error instanceof GitHubError && (error.failure === 'not-found' || error.status === 422)) return undefined
    throw error
  }
}

/** A pull request as check and comment need it. */
export interface PullRequestInfo {
  readonly number: number
  /** Where people see it. */
  readonly url: string
  /** `''` where it has none. */
  readonly body: string
  readonly headSha: string
  readonly headRef: string
  /** False for a fork, whose branch the app cannot write. */
  readonly isSameRepository: boolean
  readonly baseRef: string
}

/** The open pull requests whose head is a branch of this repository. @throws {GitHubError} */
export async function listPullRequestsOfBranch(
  client: GitHubClient,
  repository: RepositoryName,
  branch: string,
): Promise<readonly PullRequestInfo[]> {
  const about = { operation: 'list pull requests', on: nameRepository(repository), permission: 'pull_requests: read' }
  const pulls = await callGitHub(about, () =>
    client.paginate(client.rest.pulls.list, {
      ...repository,
      state: 'open',
      head: `${repository.owner}:${branch}`,
      per_page: 100,
    }),
  )
  return pulls.map((pull) => ({
    number: pull.number,
    url: pull.html_url,
    body: pull.body ?? '',
    headSha: pull.head.sha,
    headRef: pull.head.ref,
    isSameRepository: pull.head.repo?.id === pull.base.repo.id,
    baseRef: pull.base.ref,
  }))
}
