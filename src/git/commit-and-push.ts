import { GitError } from '../errors.ts'
import type { FileChange } from '../text/file-change.ts'
import { checkCommitted } from './check-committed.ts'
import { checkPushed } from './check-pushed.ts'
import { type Committer, commitPaths, unstagePaths } from './commit-paths.ts'
import { findRemote, type Remote } from './find-remote.ts'
import type { Git, GitOutput } from './git.ts'
import { moveToTip } from './move-to-tip.ts'
import { readHead } from './read-head.ts'
import { readTip } from './read-tip.ts'
import { toGitError } from './to-git-error.ts'

export interface CommitAndPushOptions {
  /** The branch of the remote, without `refs/heads/`. */
  readonly branch: string
  /** Whether the branch is made when the remote does not have it. Else its absence is an error: it was deleted meanwhile. */
  readonly mayCreateBranch: boolean
  /** A commit that the remote is known to have: that of the event. */
  readonly knownSha: string | undefined
  readonly committer: Committer
  /** Used for the remote instead of the credentials of the checkout. */
  readonly token: string | undefined
  /** Plans the changes from the work tree as it stands. Called again after the work tree has moved to a newer commit. */
  readonly plan: () => Promise<PlannedCommit>
  /** Writes the planned changes to the work tree. */
  readonly write: (changes: readonly FileChange[]) => Promise<void>
  /** Told when the branch has moved and all is done again from its newest commit. */
  readonly onStale?: (attempt: number) => void
}

/** Changes, with paths relative to the work tree, and the message for their commit. */
interface PlannedCommit {
  readonly changes: readonly FileChange[]
  readonly message: string
}

export type CommitResult = { readonly kind: 'pushed'; readonly sha: string } | { readonly kind: 'unchanged' }

const maxAttempts = 5

/**
 * Commits planned changes on the newest commit of a branch and pushes them.
 *
 * When the branch moves meanwhile, everything is planned again from its new commit and pushed again, five times at most:
 * generated files are never merged or rebased, and nothing is ever forced. After an error the files are as they were, on the
 * commit that was tried last.
 *
 * @throws {GitError} when git or the server refuses a step. What `plan` and `write` throw goes through.
 */
export async function commitAndPush(git: Git, options: CommitAndPushOptions): Promise<CommitResult> {
  const { branch } = options
  let planned = await options.plan()
  if (planned.changes.length === 0) return { kind: 'unchanged' }
  const remote = await findRemote(git, options.token)
  const tip = await readTip(git, remote, branch)
  if (tip === undefined && !options.mayCreateBranch) throw missingBranch(branch)
  // Also true on a pull request: what is checked out there is a merge that must not get into the branch.
  let isStale = tip !== undefined && tip !== (await readHead(git))
  if (isStale) await checkPushed(git, options.knownSha)
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    if (isStale) {
      options.onStale?.(attempt)
      await moveToTip(git, remote, branch)
      planned = await options.plan()
      if (planned.changes.length === 0) return { kind: 'unchanged' }
    }
    await checkCommitted(git, planned.changes)
    if (await commitAndPushOnce(git, remote, planned, options)) return { kind: 'pushed', sha: await readHead(git) }
    isStale = true
    if (attempt < maxAttempts) await waitALittle(attempt)
  }
  throw new GitError(`Cannot push to \`${branch}\`: it moved ${maxAttempts} times while the pages were generated`, {
    hint: 'run again, or let only one run of this workflow push at a time (`concurrency`)',
  })
}

/** Tells whether the push went through; `false` means that the branch has moved. Where it did not, the tree is as before. */
async function commitAndPushOnce(
  git: Git,
  remote: Remote,
  { changes, message }: PlannedCommit,
  { branch, committer, write }: CommitAndPushOptions,
): Promise<boolean> {
  const base = await readHead(git)
  const paths = changes.map((change) => change.path)
  await write(changes)
  try {
    await commitPaths(git, { paths, message, committer })
  } catch (error) {
    await unstagePaths(git, paths)
    await write(changes.map(invertChange))
    throw error
  }
  const output = await git.run(['push', '--porcelain', remote.name, `HEAD:refs/heads/${branch}`], {
    environment: remote.environment,
  })
  if (output.code === 0) return true
  await git.run(['reset', '--keep', base])
  if (!hasMoved(output)) throw toGitError(`push to \`${branch}\``, output)
  return false
}

function invertChange(change: FileChange): FileChange {
  if (change.kind === 'add') return { kind: 'delete', path: change.path, before: change.content }
  if (change.kind === 'delete') return { kind: 'add', path: change.path, content: change.before }
  return { kind: 'modify', path: change.path, before: change.content, content: change.before }
}

/** The server, or git itself, says that the branch is not where it was. */
function hasMoved({ stdout, stderr }: GitOutput): boolean {
  return /\[rejected\]|but expected \w+|incorrect old value|reference already exists|failed to update ref/.test(stdout + stderr)
}

function missingBranch(branch: string): GitError {
  return new GitError(`Cannot push to \`${branch}\`: the remote has no such branch`, {
    hint: 'it may have been deleted while this ran; another branch can be named with the input `branch`',
  })
}

/** Runs that pushed at the same time should not do so again. */
function waitALittle(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 200 * 2 ** (attempt - 1) * (0.5 + Math.random())))
}
