import { callGitHub, nameRepository } from './call-github.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

/** A commit as far as its origin matters. */
export interface BranchCommitInfo {
  readonly sha: string
  readonly message: string
  readonly authorName: string
  readonly authorEmail: string
  readonly committerEmail: string
  readonly parentCount: number
}

/** More commits than this are not looked at: GitHub gives them by the page, and ours are a few. */
const limit = 100

/**
 * Lists the commits that a branch has and its base has not, oldest first; undefined where there are too many to look at.
 *
 * @throws {GitHubError}
 */
export async function listCommitsSince(
  client: GitHubClient,
  repository: RepositoryName,
  baseSha: string,
  headSha: string,
): Promise<readonly BranchCommitInfo[] | undefined> {
  const about = { operation: 'compare commits', on: nameRepository(repository, headSha), permission: 'contents: read' }
  const { data } = await callGitHub(about, () =>
    client.rest.repos.compareCommitsWithBasehead({ ...repository, basehead: `${baseSha}...${headSha}`, per_page: limit }),
  )
  if (data.total_commits > data.commits.length) return undefined
  return data.commits.map(({ sha, commit, parents }) => ({
    sha,
    message: commit.message,
    authorName: commit.author?.name ?? '',
    authorEmail: commit.author?.email ?? '',
    committerEmail: commit.committer?.email ?? '',
    parentCount: parents.length,
  }))
}
