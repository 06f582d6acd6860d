import { type BranchCommitInfo, findCommit, listCommitsSince } from '../../github/repositories/commits.ts'
import type { GitHubClient, RepositoryName } from '../../github/requests/github-client.ts'
import { defaultHeadBranch, type PullRequestInputs } from '../inputs/inputs.ts'
import { partTrailer, readTrailers, sourceTrailer } from './commit-message.ts'

/** Prefix of branches that exist only while a large commit is created in parts. Runs on them are skipped. */
export const temporaryPrefix = 'openapi-pages-temporary/'

/** Prefix of head branches in a docs repository, before the name of the repository with the documents. */
export const sourcePrefix = 'openapi-pages/from/'

const placeholder = '<branch>'

/** Returns the head branch of the pull request for a base branch, as the input `pull-request-branch` names it. */
export function toHeadBranch(base: string, { headBranch }: Pick<PullRequestInputs, 'headBranch'>): string {
  return headBranch.replace(placeholder, () => base)
}

/** Whether a branch is the head branch of a generated pull request. */
export function isHeadBranch(branch: string, { headBranch }: Pick<PullRequestInputs, 'headBranch'>): boolean {
  const [before = '', after] = headBranch.split(placeholder)
  if (after === undefined) return branch === headBranch
  return branch.length > before.length + after.length && branch.startsWith(before) && branch.endsWith(after)
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
  /**
   * Whether its name is reserved for the Action (`isReservedName`). A branch with another name belongs to the Action only if the Action
   * created its last commit.
   */
  readonly isReserved: boolean
}

/** Whether all head branches with such a name belong to the Action. */
export function isReservedName({ headBranch }: Pick<PullRequestInputs, 'headBranch'>): boolean {
  return headBranch === defaultHeadBranch || headBranch.startsWith(sourcePrefix)
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
  { baseSha, headSha, markedSha, isReserved }: HeadBranch,
): Promise<Pick<BranchCommitInfo, 'sha' | 'authorName'> | undefined> {
  if (markedSha === headSha) return undefined
  const commits = await listCommitsSince(client, repository, baseSha, headSha)
  if (commits?.length === 0 && !isReserved) {
    const last = await findCommit(client, repository, headSha)
    return last && isGeneratedMessage(last.message) ? undefined : { sha: headSha, authorName: last?.by.author ?? '' }
  }
  return commits === undefined ? { sha: headSha, authorName: '' } : commits.find((commit) => !isGenerated(commit))
}

/**
 * Whether the Action created the commit and it was not amended since. An amended commit has a different committer. Commits created by the API
 * have GitHub as committer (`noreply@…`), also on GitHub Enterprise Server.
 */
function isGenerated({ message, parentCount, authorEmail, committerEmail }: BranchCommitInfo): boolean {
  const isUntouched = committerEmail === authorEmail || committerEmail.startsWith('noreply@')
  return isGeneratedMessage(message) && isUntouched && parentCount === 1
}

function isGeneratedMessage(message: string): boolean {
  return readTrailers(message).some(([name]) => name === sourceTrailer || name === partTrailer)
}
