import { createHash } from 'node:crypto'
import type { AddedFile } from './commit.ts'
import { checkCommitted } from './commit.ts'
import { type Git, toGitError } from './git.ts'
import {
  checkPushed,
  isEmptyCommit,
  maxAttempts,
  missingBranch,
  movedTooOften,
  moveToTip,
  type PlannedCommit,
  waitForOthers,
} from './push.ts'
import { type Remote, readHead, readTips } from './refs.ts'

/** Changes planned on the newest commit of a branch, to publish on another branch. */
export interface Proposal<Planned> {
  readonly planned: Planned
  /** The newest commit of the base branch, where the work tree is. */
  readonly baseSha: string
  /** The commit of the head branch; undefined if the remote lacks it. */
  readonly headSha: string | undefined
}

export interface ProposeOptions<Planned extends PlannedCommit, Result> {
  readonly remote: Remote
  /** The branch that the changes are for, without `refs/heads/`. */
  readonly base: string
  /** The branch to publish them on. */
  readonly head: string
  /** A commit that the remote is known to have. */
  readonly knownSha: string | undefined
  /** Plans the changes from the work tree, see `CommitAndPushOptions.plan`. */
  readonly plan: (outdated: readonly AddedFile[]) => Promise<Planned>
  /** Called before the work tree moves to the newest commit of the base branch. */
  readonly onStale: () => void
  /** Called after the work tree has moved. True if another run will update that commit. */
  readonly isSuperseded?: () => Promise<boolean>
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
  const shallow = await git.run(['rev-parse', '--is-shallow-repository'])
  const depth = shallow.stdout.trim() === 'true' ? ['--depth=1'] : []
  const fetchArgs = ['fetch', '--no-tags', '--no-recurse-submodules', ...depth, remote.name, `refs/heads/${head}`]
  const fetched = await git.run(fetchArgs, { environment: remote.environment })
  if (fetched.code !== 0) throw toGitError(`fetch \`${head}\``, fetched)
  const { stdout } = await git.run(['cat-file', 'commit', 'FETCH_HEAD'])
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
