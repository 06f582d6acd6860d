import { copyFileSync, linkSync, mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { FilesError } from '../text/errors.ts'
import type { OwnedPath, OwnPath } from './boundary.ts'
import { lookAt } from './disk-files.ts'
import { removeTemporary } from './disk-writes.ts'

/** Moves files, and keeps what they replace. */
interface Moves {
  /** Moves a staged file to a path, and creates the folders above it. A file that it replaces exists at every moment. */
  put(staged: string, target: string): void
  /** Removes a file, and the folders above it that are then empty. */
  remove(target: string): void
}

/**
 * Makes moves, and then removes the staging folder. If one fails, it undoes all and throws.
 *
 * @param root A folder that is never removed. @param staging The folder of the staged files, on the same disk.
 * @param explain Makes the error.
 */
export function moveFiles(
  root: OwnedPath,
  staging: OwnPath,
  explain: (error: unknown) => FilesError,
  move: (moves: Moves) => void,
): void {
  const undo: (() => void)[] = []
  /** Folders that are there, so that each is made once. */
  const made = new Set<string>()
  const toBackup = () => join(staging, `${undo.length}.old`)
  try {
    move({
      put(staged, target) {
        const isReplaced = lookAt(target)?.isFile() === true
        const backup = toBackup()
        if (isReplaced) copyFile(target, backup)
        else if (!made.has(dirname(target))) makeFolder(dirname(target), undo)
        made.add(dirname(target))
        renameSync(staged, target)
        undo.push(() => (isReplaced ? renameSync(backup, target) : renameSync(target, staged)))
      },
      remove(target) {
        const backup = toBackup()
        renameSync(target, backup)
        undo.push(() => {
          mkdirSync(dirname(target), { recursive: true })
          renameSync(backup, target)
        })
        removeEmptyFolders(root, dirname(target))
        made.clear()
      },
    })
  } catch (error) {
    const failure = explain(error)
    try {
      for (const step of undo.toReversed()) step()
    } catch (cause) {
      const { path, code } = failure
      const hint = `Restore the previous contents from \`${staging}\``
      throw new FilesError(`${failure.message}. Files that were already written could not be restored`, {
        path,
        code,
        hint,
        cause,
      })
    }
    removeTemporary(staging)
    throw withoutChanges(failure)
  }
  removeTemporary(staging)
}

function copyFile(path: string, copy: string): void {
  try {
    linkSync(path, copy)
  } catch {
    copyFileSync(path, copy)
  }
}

/** Does work before the first change, so that its errors can say that nothing has changed. */
export function beforeChanges<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw error instanceof FilesError ? withoutChanges(error) : error
  }
}

/** Says in an error that nothing has changed. */
export function withoutChanges({ message, path, code, hint, cause }: FilesError): FilesError {
  return new FilesError(message, { path, code, hint: `${hint === undefined ? '' : `${hint}. `}No files were changed`, cause })
}

function makeFolder(folder: string, undo: (() => void)[]): void {
  const firstMade = mkdirSync(folder, { recursive: true })
  if (firstMade === undefined) return
  undo.push(() => {
    for (let current = folder; ; current = dirname(current)) {
      rmdirSync(current)
      if (current === firstMade) return
    }
  })
}

/** Removes a folder and its parents while they are empty, but never the root. */
function removeEmptyFolders(root: string, folder: string): void {
  for (let current = folder; current.startsWith(root + sep); current = dirname(current)) {
    try {
      rmdirSync(current)
    } catch {
      return
    }
  }
}
