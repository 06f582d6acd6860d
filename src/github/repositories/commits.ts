import type { FilesChanged, UpdateAuthor } from '../../status/types.ts'
import { foldFilesChanged } from '../../status/update-record.ts'
import { GitHubError } from '../../text/errors.ts'
import { callGitHub, nameRepository } from '../requests/call-github.ts'
import type { GitHubClient, RepositoryName } from '../requests/types.ts'
import { toUpdateAuthor } from './update-author.ts'

/** The fields of a pull request that checks and comments need. */
export interface PullRequestInfo {
  readonly number: number
  /** URL of the web page. */
  readonly url: string
  /** `''` if it has none. */
  readonly body: string
  readonly headSha: string
  readonly headRef: string
  /** False for a fork, which the app cannot write to. */
  readonly isSameRepository: boolean
  readonly baseRef: string
}

/** The changes between two commits, within GitHub's limits. */
export interface Comparison {
  /** The newest commit that both have. */
  readonly mergeBaseSha: string
  /** Whether GitHub lists all files that changed since the merge base. */
  readonly listsAllFiles: boolean
  /** Net changes, sorted. */
  readonly filesChanged: FilesChanged
  /** A sentence, if GitHub cut the list of files and more may have changed. */
  readonly truncated: string | undefined
}

/** The fields of a commit that identify its origin. */
export interface BranchCommitInfo {
  readonly sha: string
  readonly message: string
  readonly authorName: string
  readonly authorEmail: string
  readonly committerEmail: string
  readonly parentCount: number
}

/** Whether GitHub shows a commit as verified, with its reason. */
export interface Verification {
  readonly isVerified: boolean
  /** GitHub's value: `valid`, `unsigned`, `unknown_key` … */
  readonly reason: string
}

/** The fields of a commit for a record. */
interface CommitInfo {
  readonly sha: string
  readonly message: string
  readonly by: UpdateAuthor
  readonly parents: readonly string[]
}

/**
 * Looks up a commit by its SHA or by a ref such as `refs/heads/main`; `undefined` if there is none.
 *
 * @throws {GitHubError}
 */
export async function findCommit(client: GitHubClient, repository: RepositoryName, ref: string): Promise<CommitInfo | undefined> {
  const operation = {
    operation: 'read commit',
    on: `${nameRepository(repository)} \`${ref.slice(0, 200)}\``,
    permission: 'contents: read',
  }
  try {
    const { data } = await callGitHub(operation, () =>
      client.rest.repos.getCommit({ ...repository, ref: ref.replace(/^refs\//, ''), per_page: 1 }),
    )
    return {
      sha: data.sha,
      message: data.commit.message,
      by: toUpdateAuthor(data.author, data.commit.author?.name),
      parents: data.parents.map(({ sha }) => sha),
    }
  } catch (error) {
    // GitHub responds 422 for an unknown SHA and 404 for other strings.
    if (error instanceof GitHubError && (error.failure === 'not-found' || error.status === 422)) return undefined
    throw error
  }
}

/** The open pull requests that have a branch of this repository as head. @throws {GitHubError} */
export async function listPullRequestsOfBranch(
  client: GitHubClient,
  repository: RepositoryName,
  branch: string,
): Promise<readonly PullRequestInfo[]> {
  const operation = { operation: 'list pull requests', on: nameRepository(repository), permission: 'pull_requests: read' }
  const pulls = await callGitHub(operation, () =>
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
 * Compares the merge base of two commits with the second of them.
 *
 * After a force push the commits may have diverged. Changes that only the first commit has are not listed, and `truncated` is
 * set.
 *
 * @param base A SHA or the name of a branch.
 * @throws {GitHubError} `not-found` when a commit is gone, for example some time after a force push.
 */
export async function compareCommits(
  client: GitHubClient,
  repository: RepositoryName,
  base: string,
  headSha: string,
): Promise<Comparison> {
  const operation = { operation: 'compare commits', on: nameRepository(repository, headSha), permission: 'contents: read' }
  const { data } = await callGitHub(operation, () =>
    // One commit per page, because only the files are used and the first page always has them.
    client.rest.repos.compareCommitsWithBasehead({ ...repository, basehead: `${base}...${headSha}`, per_page: 1 }),
  )
  const files = data.files ?? []
  const isOf = (...wanted: readonly string[]) =>
    files.filter(({ status }) => wanted.includes(status)).map(({ filename }) => filename)
  const left = files.flatMap(({ status, previous_filename: previous }) => (status === 'renamed' && previous ? [previous] : []))
  const filesChanged = foldFilesChanged([
    { added: isOf('added', 'copied', 'renamed'), modified: isOf('modified', 'changed'), removed: [...isOf('removed'), ...left] },
  ])
  return {
    mergeBaseSha: data.merge_base_commit.sha,
    listsAllFiles: files.length < fileLimit,
    filesChanged,
    truncated: describeTruncation(files.length, data.status),
  }
}

function describeTruncation(fileCount: number, status: string): string | undefined {
  if (fileCount >= fileLimit) return `GitHub lists at most ${fileLimit} changed files. More files may have changed`
  if (status === 'diverged') return 'The branch was force-pushed. Files that existed only before the push are not listed'
  if (status === 'behind')
    return 'The branch was reset to an earlier commit. Files that the removed commits changed are not listed'
  return undefined
}

/** Maximum number of commits, one page: branches of openapi-pages have few. */
const limit = 100

/**
 * Lists the commits of a branch that its base lacks, oldest first; undefined if there are too many.
 *
 * @throws {GitHubError}
 */
export async function listCommitsSince(
  client: GitHubClient,
  repository: RepositoryName,
  baseSha: string,
  headSha: string,
): Promise<readonly BranchCommitInfo[] | undefined> {
  const operation = { operation: 'compare commits', on: nameRepository(repository, headSha), permission: 'contents: read' }
  const { data } = await callGitHub(operation, () =>
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

/** Reads whether a commit is verified. @throws {GitHubError} */
export async function readVerification(client: GitHubClient, repository: RepositoryName, sha: string): Promise<Verification> {
  const operation = { operation: 'read commit', on: nameRepository(repository, sha), permission: 'contents: read' }
  const { data } = await callGitHub(operation, () => client.rest.repos.getCommit({ ...repository, ref: sha, per_page: 1 }))
  const { verification } = data.commit
  return { isVerified: verification?.verified ?? false, reason: verification?.reason ?? 'unsigned' }
}
