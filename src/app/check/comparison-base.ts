import { type Comparison, compareCommits, findCommit } from '../../github/repositories/commits.ts'
import { listPullRequestsOfBranch, readPullRequestTrust } from '../../github/repositories/pull-requests.ts'
import type { GitHubClient } from '../../github/requests/github-client.ts'
import type { FilesChanged, Project, UpdateStatus } from '../../status/types.ts'
import type { UpdateDetails } from '../../store/records/stored-records.ts'
import { GitHubError } from '../../text/errors.ts'
import { toJobFailure, toName } from '../base/projects.ts'

/** The commit that the API of an update is compared with. */
export type ComparisonBase =
  | {
      readonly kind: 'found'
      readonly sha: string
      /** Paths of all files that differ; `undefined` if GitHub does not list all of them. */
      readonly changed: readonly string[] | undefined
    }
  /** The first commit of a repository. */
  | { readonly kind: 'none' }
  /** `reason` is a clause without a full stop. */
  | { readonly kind: 'unavailable'; readonly reason: string }

/**
 * Finds the base of a commit with GitHub's API: the previous commit on the default branch, and on all other branches the merge base with the
 * branch that their pull request merges into.
 *
 * Without a pull request, that is the default branch. A pull request that is opened later then has the same base as its first check.
 *
 * @throws {GitHubError} for temporary errors.
 */
export async function findComparisonBase(
  client: GitHubClient,
  project: Project,
  { update, details }: { readonly update: UpdateStatus; readonly details: UpdateDetails },
): Promise<ComparisonBase> {
  const repository = toName(project)
  const { sha, ref } = update.commit
  try {
    // An earlier attempt has found the base.
    if (details.apiBase !== undefined)
      return toBase(await compareCommits(client, repository, details.apiBase, sha), details.apiBase)
    if (ref === `refs/heads/${project.defaultBranch}`) {
      const { pullNumber, before } = details
      const isKnown = pullNumber === undefined && before !== undefined && !/^0+$/.test(before)
      const previous = isKnown ? before : (await findCommit(client, repository, sha))?.parents[0]
      if (previous === undefined) return { kind: 'none' }
      return toBase(await compareCommits(client, repository, previous, sha), previous)
    }
    const target = await findTarget(client, project, ref, details)
    const compared = await compareCommits(client, repository, target, sha)
    return toBase(compared, compared.mergeBaseSha)
  } catch (error) {
    const failure = error instanceof GitHubError ? toJobFailure(error) : undefined
    if (!failure || failure.mayPass) throw error
    return { kind: 'unavailable', reason: failure.reason.replace(/^Cannot /, 'cannot ') }
  }
}

/**
 * Whether an ended update was compared with another base than it would be now: a pull request was opened for its commit, or has another
 * target branch.
 *
 * @throws {GitHubError} for temporary errors.
 */
export async function hasOtherBase(
  client: GitHubClient,
  project: Project,
  { update, details }: Parameters<typeof findComparisonBase>[2],
): Promise<boolean> {
  const { apiBase, ...others } = details
  if (apiBase === undefined) return false
  const base = await findComparisonBase(client, project, { update, details: others })
  return base.kind === 'found' && base.sha !== apiBase
}

/** The branch that a commit is to be merged into, or the base of its merge queue. */
async function findTarget(client: GitHubClient, project: Project, ref: string, details: UpdateDetails): Promise<string> {
  const { trigger, before, pullNumber } = details
  if (trigger === 'merge_group' && before !== undefined) return before
  if (pullNumber !== undefined) {
    return (await readPullRequestTrust(client, toName(project), pullNumber))?.baseRef ?? project.defaultBranch
  }
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1]
  const pulls = branch === undefined ? [] : await listPullRequestsOfBranch(client, toName(project), branch)
  const [first] = pulls.filter(({ isSameRepository }) => isSameRepository).sort((a, b) => a.number - b.number)
  return first?.baseRef ?? project.defaultBranch
}

function toBase({ mergeBaseSha, listsAllFiles, filesChanged }: Comparison, sha: string): ComparisonBase {
  // GitHub lists the changes since the merge base. After a force push, that is not the previous commit.
  const changed = listsAllFiles && mergeBaseSha === sha ? listPaths(filesChanged) : undefined
  return { kind: 'found', sha, changed }
}

function listPaths({ added, modified, removed }: FilesChanged): readonly string[] {
  return [...added, ...modified, ...removed]
}
