import { copyFileSync, linkSync, mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import { FilesError } from '../text/errors.ts'
import type { OwnedPath, OwnPath } from './boundary.ts'
import { removeTemporary } from './disk-writes.ts'

/** Moves staged files into place, and moves all of them back if one move fails. */
interface Moves {
  /** Moves a staged file or folder to a path where nothing exists. Creates the folders above it. */
  add(staged: string, target: string): void
  /** Replaces a file, which exists at every moment. `backup` gets its old content. */
  replace(staged: string, target: string, backup: string): void
  /** Moves a file to `backup`, and removes the folders above it that are then empty. */
  remove(target: string, backup: string): void
  /** Undoes all moves, removes the staging folder and throws the failure. */
  undo(failure: FilesError): never
}

/** @param root A folder that is never removed. @param staging The folder of the staged files and backups, on the same disk. */
export function startMoves(root: OwnedPath, staging: OwnPath): Moves {
  const undo: (() => void)[] = []
  return {
    add(staged, target) {
      makeFolder(dirname(target), undo)
      renameSync(staged, target)
      undo.push(() => renameSync(target, staged))
    },
    replace(staged, target, backup) {
      try {
        linkSync(target, backup)
      } catch {
        copyFileSync(target, backup)
      }
      renameSync(staged, target)
      undo.push(() => renameSync(backup, target))
    },
    remove(target, backup) {
      renameSync(target, backup)
      undo.push(() => {
        mkdirSync(dirname(target), { recursive: true })
        renameSync(backup, target)
      })
      removeEmptyFolders(root, dirname(target))
    },
    undo(failure) {
      try {
        for (const step of undo.toReversed()) step()
      } catch (error) {
        const { path, code } = failure
        const hint = `Restore the previous contents from \`${staging}\``
        const message = `${failure.message}. Files that were already written could not be restored`
        throw new FilesError(message, { path, code, hint, cause: error })
      }
      removeTemporary(staging)
      throw withoutChanges(failure)
    },
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

function withoutChanges({ message, path, code, hint, cause }: FilesError): FilesError {
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
