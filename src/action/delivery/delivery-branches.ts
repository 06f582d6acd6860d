import { type BranchCommitInfo, listCommitsSince } from '../../github/commits.ts'
import type { GitHubClient, RepositoryName } from '../../github/types.ts'
import { partTrailer, readTrailers, sourceTrailer } from './source-trailer.ts'

const prefix = 'openapi-pages/'

/** Prefix of branches that exist only while the parts of a large commit are made. No run works on them. */
export const temporaryPrefix = 'openapi-pages-temporary/'

/** The branch that changes for a base are proposed from: one for each, always the same. */
export function toHeadBranch(base: string): string {
  return `${prefix}${base}`
}

/** Whether a branch is one that we propose changes from. */
export function isHeadBranch(branch: string): boolean {
  return branch.startsWith(prefix)
}

/** Whether a branch exists only while a run makes its commits. */
export function isTemporaryBranch(branch: string): boolean {
  return branch.startsWith(temporaryPrefix)
}

/** The head branch of the Action's pull request, and its position. */
interface HeadBranch {
  readonly baseSha: string
  readonly headSha: string
  /** Where its pull request says that we have put it. */
  readonly markedSha: string | undefined
}

/**
 * Finds out whose a branch is: undefined where all of it is ours, else the first commit that is not. A branch with too many commits to
 * look at is not ours.
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
 * A commit that somebody has amended keeps its message and its author; but then another one has committed it. What GitHub has made is
 * committed by GitHub (`noreply@…`), also on a server of one's own.
 */
function isGenerated({ message, parentCount, authorEmail, committerEmail }: BranchCommitInfo): boolean {
  const hasTrailer = readTrailers(message).some(([name]) => name === sourceTrailer || name === partTrailer)
  const isUntouched = committerEmail === authorEmail || committerEmail.startsWith('noreply@')
  return hasTrailer && isUntouched && parentCount === 1
}
