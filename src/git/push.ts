import { setTimeout as sleep } from 'node:timers/promises'
import { GitError } from '../errors.ts'
import type { FileChange } from '../text/file-change.ts'
import {
  type AddedFile,
  type Committer,
  checkCommitted,
  commitLocally,
  fromInput,
  type LocalCommit,
  literalPaths,
  toPathspecs,
} from './commit.ts'
import { type Git, type GitOutput, gitMessages, toGitError } from './git.ts'
import { findRemote, type Remote, readHead, readTips } from './refs.ts'

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

/** Brings a commit to a branch and gives the id it has there; undefined where the branch is no longer where it was expected. */
export type PublishCommit = (git: Git, commit: LocalCommit, target: CommitTarget) => Promise<string | undefined>

/** Whether there is nothing to commit. */
export function isEmptyCommit({ changes, added }: Pick<PlannedCommit, 'changes' | 'added'>): boolean {
  return changes.length === 0 && added.length === 0
}

type CommitResult =
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
  const tip = (await readTips(git, remote, [branch])).get(branch)
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

/** Where a commit goes. */
interface CommitTarget {
  readonly remote: Remote
  /** Without `refs/heads/`. */
  readonly branch: string
  /** Where the branch is; undefined where it is not there. */
  readonly expectedSha: string | undefined
}

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
  if (!gitMessages.branchMoved.test(output.stdout + output.stderr)) throw toGitError(`push to \`${branch}\``, output)
  return undefined
}

/**
 * Makes sure that moving the work tree elsewhere loses no commit: that the remote has the one it is at.
 *
 * @param knownSha a commit that the remote is known to have, such as that of the event.
 * @throws {GitError} when a step before this one has committed without pushing.
 */
export async function checkPushed(git: Git, knownSha: string | undefined): Promise<void> {
  if ((await readHead(git)) === knownSha) return
  const output = await git.run(['rev-list', '--max-count=1', 'HEAD', '--not', '--remotes'])
  if (output.code === 0 && output.stdout.trim() === '') return
  throw new GitError('Cannot commit: the checkout has a commit that is not on the remote', {
    hint: 'push the commits of the steps before this one first, or let this step run before them',
  })
}

/**
 * Moves the work tree to the newest commit of a branch. Changes in the tree that are not committed stay; where they would be
 * lost nothing is moved.
 *
 * Only files in `added` that the branch has changed too are replaced by the branch's version.
 *
 * @returns those of the replaced files whose content was another one.
 * @throws {GitError} when the branch cannot be fetched, or when it changes a file that has changes here.
 */
export async function moveToTip(
  git: Git,
  remote: Remote,
  branch: string,
  added: readonly AddedFile[],
): Promise<readonly AddedFile[]> {
  const shallow = await git.run(['rev-parse', '--is-shallow-repository'])
  // A clone with its whole history must not be cut by a fetch of one commit.
  const depth = shallow.stdout.trim() === 'true' ? ['--depth=1'] : []
  const fetchArgs = ['fetch', '--no-tags', '--no-recurse-submodules', ...depth, remote.name, `refs/heads/${branch}`]
  const fetched = await git.run(fetchArgs, { environment: remote.environment })
  if (fetched.code !== 0) throw toGitError(`fetch \`${branch}\``, fetched)
  const replaced = await setAside(git, added)
  const moved = await git.run(['reset', '--keep', 'FETCH_HEAD'], { environment: remote.environment })
  if (moved.code !== 0) throw toMoveError(branch, moved)
  return replaced
}

/** Brings files that differ between this commit and the fetched one to their state in this commit, so that the move can replace them. */
async function setAside(git: Git, added: readonly AddedFile[]): Promise<readonly AddedFile[]> {
  if (added.length === 0) return []
  const differs = await git.run(['diff-tree', '-r', '-z', '--name-only', '--no-renames', 'HEAD', 'FETCH_HEAD'])
  if (differs.code !== 0) throw toGitError('compare the commit of the work tree with the newest one', differs)
  const changedThere = new Set(differs.stdout.split('\0'))
  const contested = added.filter(({ path }) => changedThere.has(path))
  if (contested.length === 0) return []
  const replaced: AddedFile[] = []
  for (const file of contested) if (!(await isSameThere(git, file))) replaced.push(file)
  const listed = await git.run(['ls-tree', '-r', '-z', '--name-only', '--full-tree', 'HEAD'])
  const known = new Set(listed.stdout.split('\0'))
  const steps: [args: string[], paths: string[]][] = [
    [['reset', '--quiet', 'HEAD'], contested.map(({ path }) => path)],
    [['checkout', '--quiet', 'HEAD'], contested.map(({ path }) => path).filter((path) => known.has(path))],
  ]
  for (const [args, paths] of steps) {
    if (paths.length === 0) continue
    const output = await git.run([...args, ...fromInput], { input: toPathspecs(paths), environment: literalPaths })
    if (output.code !== 0) throw toGitError('set files aside that the branch has changed', output)
  }
  const fresh = contested.map(({ path }) => path).filter((path) => !known.has(path))
  if (fresh.length > 0) await git.run(['clean', '--force', '--quiet', '--', ...fresh], { environment: literalPaths })
  return replaced
}

/** Whether the fetched commit has a file as it is in the work tree. */
async function isSameThere(git: Git, { path, bytes }: AddedFile): Promise<boolean> {
  const there = await git.run(['rev-parse', '--verify', '--quiet', `FETCH_HEAD:${path}`])
  if (bytes === undefined || there.code !== 0) return bytes === undefined && there.code !== 0
  const here = await git.run(['hash-object', '--', path])
  return here.stdout.trim() === there.stdout.trim()
}

function toMoveError(branch: string, output: GitOutput): GitError {
  const file = gitMessages.wouldOverwrite.exec(output.stderr)
  if (!file) return toGitError(`move to the newest commit of \`${branch}\``, output)
  return new GitError(
    `Cannot move to the newest commit of \`${branch}\`: it changes \`${file[1] ?? file[2]}\`, which has changes here`,
    {
      hint: 'commit or drop the changes of the steps before this one',
    },
  )
}

/** How often a commit is made anew on a branch that moved meanwhile. */
export const maxAttempts = 5

/** Waits longer each time, and never as long as the others: runs that pushed at the same time should not do so again. */
export async function waitForOthers(attempt: number): Promise<void> {
  await sleep(200 * 2 ** (attempt - 1) * (0.5 + Math.random()))
}

/** What to say after the last attempt. */
export function movedTooOften(branch: string): GitError {
  return new GitError(`Cannot push to \`${branch}\`: it moved ${maxAttempts} times while the pages were generated`, {
    hint: 'run again, or let only one run of this workflow push at a time (`concurrency`)',
  })
}
