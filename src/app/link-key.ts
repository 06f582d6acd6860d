import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FilesError } from '../errors.ts'

export const linkKeyFileName = 'link.key'

/**
 * The key that signs links to pages, made on first need and kept in the data folder for the owner alone (mode 0600).
 *
 * Without the file every link on GitHub is dead, so it belongs into the backup.
 *
 * @throws {FilesError} when the file cannot be read or written, or is not a key.
 */
export function readLinkKey(dataDir: string): Buffer {
  const path = join(dataDir, linkKeyFileName)
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    try {
      writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      // A full disk leaves an empty file behind, which the next start would take for a damaged key.
      if (code === 'ENOSPC') rmSync(path, { force: true })
      if (code !== 'EEXIST') throw error
    }
    const text = readFileSync(path, 'utf8').trim()
    if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, 'hex')
  } catch (cause) {
    if (statSync(dataDir, { throwIfNoEntry: false })?.isFile())
      throw new FilesError(`Cannot use ${dataDir} as the data folder: it is a file`, {
        path: dataDir,
        hint: 'set DATA_DIR to a folder, or to one that can be made',
        cause,
      })
    throw new FilesError(`Cannot use ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      path,
      hint:
        cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC'
          ? 'free space on the disk'
          : 'let the user of the process own the data folder',
      cause,
    })
  }
  throw new FilesError(`Cannot read ${path}: expected 64 hexadecimal digits`, {
    path,
    hint: 'restore it from a backup, or remove it: links of earlier checks stop to work',
  })
}
