import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { FilesError } from '../text/errors.ts'

/** Do not follow a link, and do not wait for a pipe. Windows has neither flag. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Reads a file in a directory to which another user or program may have added links. Returns `undefined` if it does not exist.
 *
 * @throws {FilesError} if it is a link or not a regular file. @throws {NodeJS.ErrnoException} if it cannot be read.
 */
export function readRealFile(path: string): Buffer | undefined {
  if (!isRealFile(path)) return undefined
  const file = openSync(path, flags)
  try {
    if (!fstatSync(file).isFile()) throw toKindError(path, 'not a regular file')
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Whether a file exists.
 *
 * @throws {FilesError} if it is a link, also one without a target.
 */
export function isRealFile(path: string): boolean {
  const stats = lookAt(path)
  if (stats?.isSymbolicLink()) throw toKindError(path, 'a symbolic link')
  return stats !== undefined
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // Nothing exists below a file.
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined
    throw error
  }
}

function toKindError(path: string, kind: string): FilesError {
  return new FilesError(`Cannot use ${path}: it is ${kind}`, { path, hint: 'Replace it with a regular file' })
}
