import type { LocalCommit } from './commit-locally.ts'
import type { Remote } from './find-remote.ts'
import type { Git, GitOutput } from './git.ts'
import { toGitError } from './to-git-error.ts'

/** Where a commit goes. */
interface CommitTarget {
  readonly remote: Remote
  /** Without `refs/heads/`. */
  readonly branch: string
  /** Where the branch is; undefined where it is not there. */
  readonly expectedSha: string | undefined
}

/** Brings a commit to a branch and gives the id it has there; undefined where the branch is no longer where it was expected. */
export type PublishCommit = (git: Git, commit: LocalCommit, target: CommitTarget) => Promise<string | undefined>

/**
 * Pushes a commit.
 *
 * Only a branch of our own, that is one which is not at the commit's parent, is forced, and only from where it was expected.
 *
 * @throws {GitError} when the server refuses it for another reason than that the branch has moved.
 */
export const pushCommit: PublishCommit = async (git, commit, { remote, branch, expectedSha }) => {
  const isOwn = expectedSha !== undefined && expectedSha !== commit.baseSha
  const lease = isOwn ? [`--force-with-lease=refs/heads/${branch}:${expectedSha}`] : []
  const args = ['push', '--porcelain', ...lease, remote.name, `${commit.sha}:refs/heads/${branch}`]
  const output = await git.run(args, { environment: remote.environment })
  if (output.code === 0) return commit.sha
  if (!hasMoved(output)) throw toGitError(`push to \`${branch}\``, output)
  return undefined
}

/** The server, or git itself, says that the branch is not where it was. */
function hasMoved({ stdout, stderr }: GitOutput): boolean {
  return /\[rejected\]|but expected \w+|incorrect old value|reference already exists|failed to update ref/.test(stdout + stderr)
}
