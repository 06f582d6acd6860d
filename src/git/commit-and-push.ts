import { GitError } from '../errors.ts'
import type { FileChange } from '../text/file-change.ts'
import { checkCommitted } from './check-committed.ts'
import { checkPushed } from './check-pushed.ts'
import { type AddedFile, commitLocally, type LocalCommit } from './commit-locally.ts'
import type { Committer } from './commit-paths.ts'
import { findRemote } from './find-remote.ts'
import type { Git } from './git.ts'
import { moveToTip } from './move-to-tip.ts'
import { type PublishCommit, pushCommit } from './push-commit.ts'
import { readHead } from './read-head.ts'
import { readTip } from './read-tip.ts'
import { maxAttempts, movedTooOften, waitForOthers } from './wait-for-others.ts'

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
  /**
   * Plans the changes from the work tree. Called again after the work tree has moved to a newer commit, with the added files of the last
   * plan that have another content in that commit: these are replaced by it.
   */
  readonly plan: (outdated: readonly AddedFile[]) => Promise<PlannedCommit>
  /** Writes the planned changes to the work tree. */
  readonly write: (changes: readonly FileChange[]) => Promise<void>
  /** Writes added files back where a move to another commit replaced them. */
  readonly restore: (files: readonly AddedFile[]) => Promise<void>
  /** How the commit gets to the branch; a push unless given. */
  readonly publish?: PublishCommit
  /** Told when the branch has moved and all is done again from its newest commit. */
  readonly onStale?: (attempt: number) => void
  /** Asked when the work tree has moved there: whether that is left to somebody else. */
  readonly isSuperseded?: () => Promise<boolean>
}

/** Changes, with paths relative to the work tree, and the message for their commit. */
export interface PlannedCommit {
  readonly changes: readonly FileChange[]
  /** Files of the work tree that go into the same commit. */
  readonly added: readonly AddedFile[]
  readonly message: string
}

/** Whether there is nothing to commit. */
export function isEmptyCommit({ changes, added }: Pick<PlannedCommit, 'changes' | 'added'>): boolean {
  return changes.length === 0 && added.length === 0
}

export type CommitResult =
  | { readonly kind: 'pushed'; readonly sha: string }
  | { readonly kind: 'unchanged' }
  /** The branch has moved, and somebody else brings it up to date. */
  | { readonly kind: 'superseded' }

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
  let planned = await options.plan([])
  if (isEmptyCommit(planned)) return { kind: 'unchanged' }
  const remote = await findRemote(git, options.token)
  const tip = await readTip(git, remote, branch)
  if (tip === undefined && !options.mayCreateBranch) throw missingBranch(branch)
  // Also true on a pull request: what is checked out there is a merge that must not get into the branch.
  let isStale = tip !== undefined && tip !== (await readHead(git))
  if (isStale) await checkPushed(git, options.knownSha)
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    if (isStale) {
      options.onStale?.(attempt)
      const outdated = await moveToTip(git, remote, branch, planned.added)
      if (await options.isSuperseded?.()) return { kind: 'superseded' }
      planned = await options.plan(outdated)
      if (isEmptyCommit(planned)) return { kind: 'unchanged' }
    }
    await checkCommitted(git, planned)
    const { committer, write, restore, publish = pushCommit } = options
    // Where there is no such branch yet, it begins at the commit of the work tree.
    const target = { remote, branch, expectedSha: tip === undefined && attempt === 1 ? undefined : await readHead(git) }
    const publishThere = (commit: LocalCommit) => publish(git, commit, target)
    const sha = await commitLocally(git, { ...planned, committer, write, restore, publish: publishThere })
    if (sha !== undefined) return { kind: 'pushed', sha }
    isStale = true
    if (attempt < maxAttempts) await waitForOthers(attempt)
  }
  throw movedTooOften(branch)
}

/** What to say where a branch that has to be there is not. */
export function missingBranch(branch: string): GitError {
  return new GitError(`Cannot push to \`${branch}\`: the remote has no such branch`, {
    hint: 'it may have been deleted while this ran; another branch can be named with the input `branch`',
  })
}
