import type { FileChange } from '../text/file-change.ts'
import { type Committer, commitPaths, unstagePaths } from './commit-paths.ts'
import type { Git } from './git.ts'
import { readHead } from './read-head.ts'

/** A file of the work tree that goes into a commit as it is, such as a document that a step regenerated. */
export interface AddedFile {
  /** Relative to the work tree. */
  readonly path: string
  /** Undefined: the commit deletes it. */
  readonly bytes: Uint8Array | undefined
}

/** A commit that is made in the work tree and is nowhere else yet. */
export interface LocalCommit {
  readonly sha: string
  /** Its parent: the commit that its changes were made on. */
  readonly baseSha: string
  readonly message: string
}

/**
 * Writes changes, commits them and hands the commit on. Where it is not taken (undefined, or an error), the files are as before.
 *
 * The commit is made here also where it goes to a server file by file: then git decides what stands in it, as always (filters,
 * line ends, ignored paths, modes).
 *
 * @throws {GitError} when git refuses the commit. What `write` and `publish` throw goes through.
 */
export async function commitLocally(
  git: Git,
  options: {
    readonly changes: readonly FileChange[]
    readonly added: readonly AddedFile[]
    readonly message: string
    readonly committer: Committer
    readonly write: (changes: readonly FileChange[]) => Promise<void>
    /** Writes added files back where a move to another commit replaced them. */
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
