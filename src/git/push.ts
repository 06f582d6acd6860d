import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { GitError } from '../text/errors.ts'
import type { FileChange } from '../text/plain/source-file.ts'
import {
  type AddedFile,
  type Committer,
  checkCommitted,
  commitLocally,
  fetchRef,
  findRemote,
  fromInput,
  type LocalCommit,
  literalPaths,
  type Remote,
  readCommittedPaths,
  readHead,
  readTips,
  toPathspecs,
} from './commit.ts'
import { type FailedGit, findGit, type Git, gitMessages, readGit, toGitError, toPaths } from './git.ts'

export interface CommitAndPushOptions {
  /** The branch of the remote, without `refs/heads/`. */
  readonly branch: string
  /** Whether to create a branch that the remote lacks. Otherwise a missing branch is an error. */
  readonly mayCreateBranch: boolean
  /** A commit that the remote is known to have: the one of the event. */
  readonly knownSha: string | undefined
  readonly committer: Committer
  /** Replaces the credentials of the checkout. */
  readonly token: string | undefined
  /**
   * Plans the changes from the work tree. Called again after the work tree has moved to a newer commit. `outdated` has the added
   * files of the last plan that this commit has replaced with other content.
   */
  readonly plan: (outdated: readonly AddedFile[]) => Promise<PlannedCommit>
  /** Writes the planned changes to the work tree. */
  readonly write: (changes: readonly FileChange[]) => Promise<void>
  /** Restores added files that were replaced when the work tree moved to another commit. */
  readonly restore: (files: readonly AddedFile[]) => Promise<void>
  /** Publishes the commit to the branch. Default: a push. */
  readonly publish?: PublishCommit
  /** Called when the branch has moved, before everything is repeated on its newest commit. */
  readonly onStale?: (attempt: number) => void
  /** Called after the work tree has moved to the newest commit. True if another run will update that commit. */
  readonly isSuperseded?: () => Promise<boolean>
}

/** Changes, with paths relative to the work tree, and the message for their commit. */
export interface PlannedCommit {
  readonly changes: readonly FileChange[]
  /** Files of the work tree that go into the same commit. */
  readonly added: readonly AddedFile[]
  readonly message: string
}

/** Publishes a commit to a branch. Resolves with its SHA there, or with undefined if the branch has moved. */
export type PublishCommit = (git: Git, commit: LocalCommit, target: CommitTarget) => Promise<string | undefined>

/** Whether there is nothing to commit. */
function isEmptyCommit({ changes, added }: Pick<PlannedCommit, 'changes' | 'added'>): boolean {
  return changes.length === 0 && added.length === 0
}

type CommitResult =
  | { readonly kind: 'pushed'; readonly sha: string }
  | { readonly kind: 'unchanged' }
  /** The branch has moved, and another run will update it. */
  | { readonly kind: 'superseded' }

/**
 * Commits planned changes on the newest commit of a branch and pushes them.
 *
 * If the branch moves meanwhile, plans again from its new commit and pushes again, at most five times. Generated files are never
 * merged or rebased, and nothing is force-pushed. After an error the files are restored, on the commit of the last attempt.
 *
 * @throws {GitError} when git or the server refuses a step. Errors of `plan` and `write` are passed on.
 */
export async function commitAndPush(git: Git, options: CommitAndPushOptions): Promise<CommitResult> {
  const { branch } = options
  let planned = await options.plan([])
  if (isEmptyCommit(planned)) return { kind: 'unchanged' }
  const remote = await findRemote(git, options.token)
  const tip = (await readTips(git, remote, [branch])).get(branch)
  if (tip === undefined && !options.mayCreateBranch) throw missingBranch(branch)
  // Also true on a pull request: its checkout is a merge commit that must not be pushed to the branch.
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
    // A new branch begins at the commit of the work tree.
    const target = { remote, branch, expectedSha: tip === undefined && attempt === 1 ? undefined : await readHead(git) }
    const publishThere = (commit: LocalCommit) => publish(git, commit, target)
    const sha = await commitLocally(git, { ...planned, committer, write, restore, publish: publishThere })
    if (sha !== undefined) return { kind: 'pushed', sha }
    isStale = true
    if (attempt < maxAttempts) await waitForOthers(attempt)
  }
  throw movedTooOften(branch)
}

/** The error for a required branch that the remote lacks. */
function missingBranch(branch: string): GitError {
  return new GitError(`Cannot push to \`${branch}\`: the remote has no such branch`, {
    hint: 'Run again if the branch was just deleted, or name another branch',
  })
}

/** The branch that a commit is published to. */
interface CommitTarget {
  readonly remote: Remote
  /** Without `refs/heads/`. */
  readonly branch: string
  /** The commit that the branch is at; undefined for a new branch. */
  readonly expectedSha: string | undefined
}

/** Pushes a commit, see {@link createPush}. */
export const pushCommit: PublishCommit = (...args) => createPush([])(...args)

/**
 * Returns a function that pushes a commit.
 *
 * Forces only a branch that openapi-pages manages (one that is not at the commit's parent), and only from the expected commit.
 *
 * It throws a `GitError` when the server refuses the push for any reason other than a moved branch.
 *
 * @param pushOptions for the server, as with `git push --push-option`.
 */
export function createPush(pushOptions: readonly string[]): PublishCommit {
  return async (git, commit, { remote, branch, expectedSha }) => {
    const isOwn = expectedSha !== undefined && expectedSha !== commit.baseSha
    const lease = isOwn ? [`--force-with-lease=refs/heads/${branch}:${expectedSha}`] : []
    const forServer = pushOptions.map((option) => `--push-option=${option}`)
    const args = ['push', '--porcelain', ...forServer, ...lease, remote.name, `${commit.sha}:refs/heads/${branch}`]
    const output = await git.run(args, { environment: remote.environment })
    if (output.code === 0) return commit.sha
    if (!gitMessages.branchMoved.test(output.text)) throw toGitError(`push to \`${branch}\``, output)
    return undefined
  }
}

/**
 * Checks that the remote has the commit of the work tree, so that moving the work tree loses no commit.
 *
 * @param knownSha A commit that the remote is known to have, such as the one of the event.
 * @throws {GitError} when an earlier step has committed without pushing.
 */
async function checkPushed(git: Git, knownSha: string | undefined): Promise<void> {
  if ((await readHead(git)) === knownSha) return
  const args = ['rev-list', '--max-count=1', 'HEAD', '--not', '--remotes']
  if ((await readGit(git, 'find unpushed commits', args)).trim() === '') return
  throw new GitError('Cannot commit: the checkout has an unpushed commit', {
    hint: 'Push the commits of earlier steps first, or move this step before them',
  })
}

/**
 * Moves the work tree to the newest commit of a branch. Keeps uncommitted changes. Moves nothing if some of them would be lost.
 *
 * Files in `added` that the branch has changed too are replaced with the branch's version.
 *
 * @returns The replaced files with different content.
 * @throws {GitError} when the branch cannot be fetched, or changes a file that has local changes.
 */
async function moveToTip(git: Git, remote: Remote, branch: string, added: readonly AddedFile[]): Promise<readonly AddedFile[]> {
  await fetchRef(git, remote, branch, `refs/heads/${branch}`)
  const replaced = await resetChangedFiles(git, added)
  const moved = await git.run(['reset', '--keep', 'FETCH_HEAD'], { environment: remote.environment })
  if (moved.code !== 0) throw toMoveError(branch, moved)
  return replaced
}

/** Resets the files that differ between the two commits to the current commit, so that the move can replace them. */
async function resetChangedFiles(git: Git, added: readonly AddedFile[]): Promise<readonly AddedFile[]> {
  if (added.length === 0) return []
  const comparing = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', 'HEAD', 'FETCH_HEAD']
  const changedThere = new Set(toPaths(await readGit(git, 'compare the commit of the work tree with the newest one', comparing)))
  const contested = added.filter(({ path }) => changedThere.has(path))
  if (contested.length === 0) return []
  const replaced: AddedFile[] = []
  for (const file of contested) if (!(await hasSameContent(git, file))) replaced.push(file)
  const known = await readCommittedPaths(git)
  const steps: [args: string[], paths: string[]][] = [
    [['reset', '--quiet', 'HEAD'], contested.map(({ path }) => path)],
    [['checkout', '--quiet', 'HEAD'], contested.map(({ path }) => path).filter((path) => known.has(path))],
  ]
  for (const [args, paths] of steps) {
    if (paths.length === 0) continue
    const options = { input: toPathspecs(paths), environment: literalPaths }
    await readGit(git, 'reset the files that the branch has changed', [...args, ...fromInput], options)
  }
  const fresh = contested.map(({ path }) => path).filter((path) => !known.has(path))
  if (fresh.length > 0) await git.run(['clean', '--force', '--quiet', '--', ...fresh], { environment: literalPaths })
  return replaced
}

/** Whether a file has the same content in the fetched commit and in the work tree. */
async function hasSameContent(git: Git, { path, bytes }: AddedFile): Promise<boolean> {
  const there = await findGit(git, 'read the newest commit', ['rev-parse', '--verify', '--quiet', `FETCH_HEAD:${path}`])
  if (there === undefined || bytes === undefined) return there === bytes
  return (await readGit(git, `read \`${path}\``, ['hash-object', '--', path])) === there
}

function toMoveError(branch: string, output: FailedGit): GitError {
  const file = gitMessages.wouldOverwrite.exec(output.text)
  if (!file) return toGitError(`move to the newest commit of \`${branch}\``, output)
  return new GitError(
    `Cannot move to the newest commit of \`${branch}\`: it changes \`${file[1] ?? file[2]}\`, which has local changes`,
    {
      hint: 'Commit or discard the changes made by earlier steps',
    },
  )
}

/** How often to commit again on a branch that keeps moving. */
const maxAttempts = 5

/** Waits longer after each attempt, by a random factor, so that competing runs do not push at the same time again. */
async function waitForOthers(attempt: number): Promise<void> {
  await sleep(200 * 2 ** (attempt - 1) * (0.5 + Math.random()))
}

/** The error after the last attempt. */
function movedTooOften(branch: string): GitError {
  return new GitError(`Cannot push to \`${branch}\`: it moved ${maxAttempts} times while the pages were generated`, {
    hint: 'Run again, or limit this workflow to one run at a time with `concurrency`',
  })
}

/** Changes planned on the newest commit of a branch, to publish on another branch. */
export interface Proposal<Planned> {
  readonly planned: Planned
  /** The newest commit of the base branch, where the work tree is. */
  readonly baseSha: string
  /** The commit of the head branch; undefined if the remote lacks it. */
  readonly headSha: string | undefined
}

export interface ProposeOptions<Planned extends PlannedCommit, Result>
  extends Pick<CommitAndPushOptions, 'knownSha' | 'isSuperseded'> {
  readonly remote: Remote
  /** The branch that the changes are for, without `refs/heads/`. */
  readonly base: string
  /** The branch to publish them on. */
  readonly head: string
  /** Plans the changes from the work tree, see `CommitAndPushOptions.plan`. */
  readonly plan: (outdated: readonly AddedFile[]) => Promise<Planned>
  /** Called before the work tree moves to the newest commit of the base branch. */
  readonly onStale: () => void
  /** Publishes the changes. Returns undefined if the head branch has moved meanwhile. */
  readonly propose: (proposal: Proposal<Planned>) => Promise<Result | undefined>
}

/**
 * Plans changes on the newest commit of a branch, and publishes them on another branch. Repeats this if one of the branches moves
 * meanwhile, at most five times.
 *
 * @throws {GitError} when git refuses a step. Errors of `plan` and `propose` are passed on.
 */
export async function proposeOnTip<Planned extends PlannedCommit, Result>(
  git: Git,
  options: ProposeOptions<Planned, Result>,
): Promise<
  | { readonly kind: 'proposed'; readonly result: Result }
  | { readonly kind: 'unchanged'; readonly planned: Planned }
  | { readonly kind: 'superseded' }
> {
  const { remote, base, head, plan } = options
  let planned: Planned | undefined
  let outdated: readonly AddedFile[] = []
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const tips = await readTips(git, remote, [base, head])
    const [baseSha, headSha] = [tips.get(base), tips.get(head)]
    if (baseSha === undefined) throw missingBranch(base)
    if (baseSha !== (await readHead(git))) {
      await checkPushed(git, options.knownSha)
      options.onStale()
      planned ??= await plan([])
      outdated = await moveToTip(git, remote, base, planned.added)
      if (await options.isSuperseded?.()) return { kind: 'superseded' }
      planned = undefined
      // The branch may have moved again.
      if ((await readHead(git)) !== baseSha) continue
    }
    planned ??= await plan(outdated)
    if (isEmptyCommit(planned)) return { kind: 'unchanged', planned }
    await checkCommitted(git, planned)
    const result = await options.propose({ planned, baseSha, headSha })
    if (result !== undefined) return { kind: 'proposed', result }
    // Another run has moved the head branch. It may have read newer documents of another repository.
    planned = undefined
    if (attempt < maxAttempts) await waitForOthers(attempt)
  }
  throw movedTooOften(head)
}

/** The SHA-256 of a set of changes. */
export function toChangesDigest({ changes, added }: Pick<PlannedCommit, 'changes' | 'added'>): string {
  const hash = createHash('sha256')
  for (const change of changes) {
    const content = change.kind === 'delete' ? '' : change.content
    hash.update(`${change.kind === 'delete' ? '-' : '+'}${change.path}\0${Buffer.byteLength(content)}\0${content}`)
  }
  for (const { path, bytes } of added) hash.update(`=${path}\0${bytes?.length ?? -1}\0`).update(bytes ?? '')
  return hash.digest('hex')
}

/** The trailer of commits on head branches without a pull request to store the digest in. */
const changesTrailer = 'Openapi-Pages-Changes: '

/** The newest commit of a head branch. */
export interface HeadCommit {
  /** Whether openapi-pages created it and it was not amended since. */
  readonly isGenerated: boolean
  /** The digest of its changes. */
  readonly digest: string | undefined
}

/**
 * Fetches the newest commit of a head branch.
 *
 * @throws {GitError} when git refuses it.
 */
export async function readHeadCommit(git: Git, remote: Remote, head: string): Promise<HeadCommit> {
  await fetchRef(git, remote, head, `refs/heads/${head}`)
  const stdout = await readGit(git, `read \`${head}\``, ['cat-file', 'commit', 'FETCH_HEAD'])
  const end = stdout.indexOf('\n\n')
  const emails = [...stdout.slice(0, end).matchAll(/^(?:author|committer) [^<\n]*<([^>\n]*)>/gm)].map(([, email]) => email)
  const trailer = stdout
    .slice(end)
    .split('\n')
    .find((line) => line.startsWith(changesTrailer))
  const digest = /^[0-9a-f]{64}$/.exec(trailer?.slice(changesTrailer.length) ?? '')?.[0]
  const isUntouched = emails.length === 2 && emails[0] === emails[1]
  return { isGenerated: digest !== undefined && isUntouched, digest }
}

/** Adds the digest of the changes to the message of a commit, for {@link readHeadCommit}. */
export function addDigest(planned: PlannedCommit): string {
  return `${planned.message}\n\n${changesTrailer}${toChangesDigest(planned)}`
}
