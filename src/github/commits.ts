import { GitHubError } from '../errors.ts'
import type { FilesChanged } from '../status/types.ts'
import { foldFilesChanged } from '../status/update-record.ts'
import { callGitHub, nameRepository } from './call-github.ts'
import type { GitHubClient, RepositoryName } from './types.ts'

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

/** What changed between two commits as far as GitHub tells. */
export interface Comparison {
  /** Net of everything between, sorted. */
  readonly filesChanged: FilesChanged
  /** A sentence when GitHub's list of files was cut: then more may have changed. */
  readonly truncated: string | undefined
  /** The whole number, however many GitHub lists. */
  readonly commitCount: number
}

/** A commit as far as its origin matters. */
export interface BranchCommitInfo {
  readonly sha: string
  readonly message: string
  readonly authorName: string
  readonly authorEmail: string
  readonly committerEmail: string
  readonly parentCount: number
}

/** Whether GitHub shows a commit as verified, and its word for why not. */
export interface Verification {
  readonly isVerified: boolean
  /** GitHub's own: `valid`, `unsigned`, `unknown_key` … */
  readonly reason: string
}

/** A commit as a record needs it. */
interface CommitInfo {
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

/** GitHub REST, "Compare two commits": at most 300 files, on the first page only. */
const fileLimit = 300

/**
 * Asks which files differ between the merge base of two commits and the second of them.
 *
 * After a forced push the two may have parted: then what the first alone had is not listed, and `truncated` says so.
 *
 * @throws {GitHubError} `not-found` where a commit is gone, as after a forced push and some time.
 */
export async function compareCommits(
  client: GitHubClient,
  repository: RepositoryName,
  baseSha: string,
  headSha: string,
): Promise<Comparison> {
  const about = { operation: 'compare commits', on: nameRepository(repository, headSha), permission: 'contents: read' }
  const { data } = await callGitHub(about, () =>
    // One commit a page: the list of commits is not used, the files come with the first page whatever its size.
    client.rest.repos.compareCommitsWithBasehead({ ...repository, basehead: `${baseSha}...${headSha}`, per_page: 1 }),
  )
  const files = data.files ?? []
  const isOf = (...wanted: readonly string[]) =>
    files.filter(({ status }) => wanted.includes(status)).map(({ filename }) => filename)
  const left = files.flatMap(({ status, previous_filename: previous }) => (status === 'renamed' && previous ? [previous] : []))
  const filesChanged = foldFilesChanged([
    { added: isOf('added', 'copied', 'renamed'), modified: isOf('modified', 'changed'), removed: [...isOf('removed'), ...left] },
  ])
  return { filesChanged, truncated: sayTruncated(files.length, data.status), commitCount: data.total_commits }
}

function sayTruncated(fileCount: number, status: string): string | undefined {
  if (fileCount >= fileLimit) return `GitHub lists ${fileLimit} changed files at most; more may have changed`
  if (status === 'diverged')
    return 'The branch was moved to another line of commits; files that only the old one had are not listed'
  if (status === 'behind') return 'The branch was moved back; files that the left-out commits changed are not listed'
  return undefined
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

/** Asks whether a commit is verified. @throws {GitHubError} */
export async function readVerification(client: GitHubClient, repository: RepositoryName, sha: string): Promise<Verification> {
  const about = { operation: 'read commit', on: nameRepository(repository, sha), permission: 'contents: read' }
  const { data } = await callGitHub(about, () => client.rest.repos.getCommit({ ...repository, ref: sha, per_page: 1 }))
  const { verification } = data.commit
  return { isVerified: verification?.verified ?? false, reason: verification?.reason ?? 'unsigned' }
}
