import { GitError } from '../text/errors.ts'
import type { FileChange } from '../text/plain/source-file.ts'
import { createFindIgnored, type Git, toGitError } from './git.ts'
import { readHead } from './refs.ts'

/** A file of the work tree that is committed with its current content, such as a document that an earlier step regenerated. */
export interface AddedFile {
  /** Relative to the work tree. */
  readonly path: string
  /** Undefined: the commit deletes the file. */
  readonly bytes: Uint8Array | undefined
}

/** A commit that exists only in the local clone. */
export interface LocalCommit {
  readonly sha: string
  /** Its parent, the commit that the changes were made on. */
  readonly baseSha: string
  readonly message: string
}

/** Author and committer of a commit. */
export interface Committer {
  readonly name: string
  readonly email: string
}

/**
 * Writes changes, commits them and publishes the commit. Restores the files if `publish` resolves with undefined or throws.
 *
 * The commit is made locally even when it is published through GitHub's API, so that git applies filters, line endings, ignore
 * rules and modes.
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
    /** Restores added files that were replaced when the work tree moved to another commit. */
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
 * Commits exactly the files at these paths (relative to the work tree) with their content on disk. Does not touch other staged or
 * changed files.
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
    throw new GitError(`Cannot commit \`${ignored}\`: it is ignored by \`.gitignore\``, {
      hint: 'Remove the directory of the pages from `.gitignore`, or set `materialize: false` for the division',
    })
  }
  // `whitespace` keeps lines that begin with `#`, which the default cleanup removes as comments.
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

/** Makes git read paths literally: `*` and `:` are not patterns. */
export const literalPaths = { GIT_LITERAL_PATHSPECS: '1' }

export function toPathspecs(paths: readonly string[]): string {
  return paths.map((path) => `${path}\0`).join('')
}

/**
 * Checks that committing these changes, which are not written yet, would commit no other local changes except the added files.
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
  throw new GitError(`Cannot commit \`${first.path}\`: it has uncommitted changes`, {
    hint: 'Commit or discard the changes made by earlier steps. This commit may only contain the changes of openapi-pages',
  })
}
