import { type BranchCommitInfo, listCommitsSince } from '../../github/commits.ts'
import type { GitHubClient, RepositoryName } from '../../github/types.ts'
import { partTrailer, readTrailers, sourceTrailer } from './source-trailer.ts'

const prefix = 'openapi-pages/'

/** Prefix of branches that exist only while a large commit is created in parts. Runs on them are skipped. */
export const temporaryPrefix = 'openapi-pages-temporary/'

/** Returns the head branch of the pull request for a base branch. There is exactly one per base. */
export function toHeadBranch(base: string): string {
  return `${prefix}${base}`
}

/** Whether a branch is the head branch of a generated pull request. */
export function isHeadBranch(branch: string): boolean {
  return branch.startsWith(prefix)
}

/** Whether a branch exists only while a run creates a commit. */
export function isTemporaryBranch(branch: string): boolean {
  return branch.startsWith(temporaryPrefix)
}

/** The head branch of the Action's pull request, and its position. */
interface HeadBranch {
  readonly baseSha: string
  readonly headSha: string
  /** The head commit recorded in the marker of the pull request. */
  readonly markedSha: string | undefined
}

/**
 * Returns the first commit of a head branch that the Action did not create, or undefined. Returns the head of a branch with too many commits
 * to list.
 *
 * @throws {GitHubError}
 */
export async function findForeignCommit(
  client: GitHubClient,
  repository: RepositoryName,
  { baseSha, headSha, markedSha }: HeadBranch,
): Promise<Pick<BranchCommitInfo, 'sha' | 'authorName'> | undefined> {
  if (markedSha === headSha) return undefined
  const commits = await listCommitsSince(client, repository, baseSha, headSha)
  return commits === undefined ? { sha: headSha, authorName: '' } : commits.find((commit) => !isGenerated(commit))
}

/**
 * Whether the Action created the commit and it was not amended since. An amended commit has a different committer. Commits created by the API
 * have GitHub as committer (`noreply@…`), also on GitHub Enterprise Server.
 */
function isGenerated({ message, parentCount, authorEmail, committerEmail }: BranchCommitInfo): boolean {
  const hasTrailer = readTrailers(message).some(([name]) => name === sourceTrailer || name === partTrailer)
  const isUntouched = committerEmail === authorEmail || committerEmail.startsWith('noreply@')
  return hasTrailer && isUntouched && parentCount === 1
}
