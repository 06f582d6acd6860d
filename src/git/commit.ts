import { GitError } from '../errors.ts'
import type { FileChange } from '../source/file-change.ts'
import { createFindIgnored, type Git, toGitError } from './git.ts'
import { readHead } from './refs.ts'

/** A file of the work tree that is committed with its present content, such as a document that an earlier step regenerated. */
export interface AddedFile {
  /** Relative to the work tree. */
  readonly path: string
  /** Undefined: the commit deletes it. */
  readonly bytes: Uint8Array | undefined
}

/** A commit that exists in the work tree only. */
export interface LocalCommit {
  readonly sha: string
  /** Its parent: the commit that its changes were made on. */
  readonly baseSha: string
  readonly message: string
}

/** Author and committer of a commit. */
export interface Committer {
  readonly name: string
  readonly email: string
}

/**
 * Writes changes, commits them and publishes the commit. When `publish` gives undefined or throws, the files are restored.
 *
 * The commit is made locally even when it is published through GitHub's API, so that git applies filters, line endings, ignore rules
 * and modes.
 *
 * @throws {GitError} when git refuses the commit. Errors of `write` and `publish` are passed on.
 */
export async function commitLocally(
  git: Git,
  options: {
    readonly changes: readonly FileChange[]
    readonly added: readonly AddedFile[]
    readonly message: string
    readonly committer: Committer
    readonly write: (changes: readonly FileChange[]) => Promise<void>
    /** Restores added files that a move to another commit has replaced. */
    readonly restore: (files: readonly AddedFile[]) => Promise<void>
    readonly publish: (commit: LocalCommit) => Promise<string | undefined>
  },
): Promise<string | undefined> {
  const { changes, added, message, committer, write, restore, publish } = options
  const baseSha = await readHead(git)
  const paths = [...new Set([...changes, ...added].map(({ path }) => path))]
  await write(changes)
  try {
    await commitPaths(git, { paths, message, committer })
  } catch (error) {
    await unstagePaths(git, paths)
    await write(changes.map(invertChange))
    throw error
  }
  let sha: string | undefined
  try {
    sha = await publish({ sha: await readHead(git), baseSha, message })
    return sha
  } finally {
    if (sha === undefined) {
      await git.run(['reset', '--keep', baseSha])
      await restore(added)
    }
  }
}

function invertChange(change: FileChange): FileChange {
  if (change.kind === 'add') return { kind: 'delete', path: change.path, before: change.content }
  if (change.kind === 'delete') return { kind: 'add', path: change.path, content: change.before }
  return { kind: 'modify', path: change.path, before: change.content, content: change.before }
}

/**
 * Commits exactly the files at these paths (relative to the work tree) with their content on the disk. Other staged or changed files
 * are untouched.
 *
 * @throws {GitError} when git refuses it.
 */
async function commitPaths(
  git: Git,
  options: { readonly paths: readonly string[]; readonly message: string; readonly committer: Committer },
): Promise<void> {
  const { name, email } = options.committer
  const identity = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email }
  const input = toPathspecs(options.paths)
  const added = await git.run(['add', '--all', ...fromInput], { input, environment: literalPaths })
  if (added.code !== 0) {
    const [ignored] = await createFindIgnored(git)(options.paths)
    if (ignored === undefined) throw toGitError('stage the pages', added)
    throw new GitError(`Cannot commit \`${ignored}\`: \`.gitignore\` covers it`, {
      hint: 'take the folder of the pages out of `.gitignore`, or keep the division virtual with `materialise: false`',
    })
  }
  // `whitespace` keeps lines that begin with `#`, which the default clean-up removes as comments.
  const commitArgs = ['commit', '--quiet', '--only', '--cleanup=whitespace', `--message=${options.message}`, ...fromInput]
  const committed = await git.run(commitArgs, { input, environment: { ...identity, ...literalPaths } })
  if (committed.code !== 0) throw toGitError('commit the pages', committed)
}

/** Unstages paths without changing their files. */
async function unstagePaths(git: Git, paths: readonly string[]): Promise<void> {
  await git.run(['reset', '--quiet', ...fromInput], { input: toPathspecs(paths), environment: literalPaths })
}

/** Makes git read the paths of `toPathspecs` from its standard input. */
export const fromInput = ['--pathspec-from-file=-', '--pathspec-file-nul']

/** Makes git read paths literally: `*` and `:` are no patterns. */
export const literalPaths = { GIT_LITERAL_PATHSPECS: '1' }

export function toPathspecs(paths: readonly string[]): string {
  return paths.map((path) => `${path}\0`).join('')
}

/**
 * Checks that committing these changes, which are not written yet, would commit nothing else besides the added files.
 *
 * @throws {GitError} when one of the files has uncommitted changes.
 */
export async function checkCommitted(
  git: Git,
  { changes, added }: { readonly changes: readonly FileChange[]; readonly added: readonly AddedFile[] },
): Promise<void> {
  const changed = await git.run(['diff', '--name-only', '--no-renames', '-z', 'HEAD'])
  if (changed.code !== 0) throw toGitError('read the changes of the work tree', changed)
  const committed = await git.run(['ls-tree', '-r', '--name-only', '--full-tree', '-z', 'HEAD'])
  if (committed.code !== 0) throw toGitError('read the files of the commit', committed)
  const dirty = new Set(changed.stdout.split('\0'))
  const known = new Set(committed.stdout.split('\0'))
  const wanted = new Set(added.map(({ path }) => path))
  const first = changes.find(
    (change) => !wanted.has(change.path) && (dirty.has(change.path) || (change.kind !== 'add' && !known.has(change.path))),
  )
  if (!first) return
  throw new GitError(`Cannot commit \`${first.path}\`: it has changes that are not committed`, {
    hint: 'commit or drop the changes of the steps before this one; only what openapi-pages writes may be in its commit',
  })
}
