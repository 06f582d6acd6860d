import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { StoreError } from './store-error.ts'

/** 4 MB at a time, so that the process can do other things in between. */
const pagesAtOnce = 1_000

/**
 * Copies an SQLite database, while others write it, into a new file: the state of one moment, checked, synced, for its owner only.
 *
 * @throws {StoreError} when `target` exists, cannot be written, or the copy is damaged; nothing stays behind.
 */
export async function backUpSqlite(path: string, target: string): Promise<void> {
  const temporary = `${target}.${randomUUID()}.tmp`
  try {
    closeSync(openSync(temporary, 'wx', 0o600))
    const source = new Sqlite(path, { readonly: true, fileMustExist: true, timeout: 5_000 })
    try {
      // An open read transaction pins the moment: without it the copy starts over with every commit of another process.
      source.exec('begin')
      source.prepare('select 1 from schema_version').get()
      await source.backup(temporary, { progress: () => pagesAtOnce })
    } finally {
      source.close()
    }
    checkCopy(temporary, target)
    sync(temporary)
    // A link, unlike a rename, never replaces a file.
    linkSync(temporary, target)
    sync(dirname(target))
  } catch (error) {
    if (error instanceof StoreError || !(error instanceof Error)) throw error
    // SQLite and Node both put a text there.
    const { code } = error as { code?: unknown }
    throw new StoreError(`Cannot back up the store to ${target}: ${code === 'EEXIST' ? 'the file exists' : error.message}`, {
      cause: error,
      ...(typeof code === 'string' ? { code } : {}),
      ...(code === 'EEXIST' ? { hint: 'name a file that does not exist yet' } : {}),
    })
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${temporary}${suffix}`, { force: true })
  }
}

function checkCopy(temporary: string, target: string): void {
  const copy = new Sqlite(temporary)
  try {
    // One file, with no log beside it; the store sets its mode again when it opens it.
    copy.pragma('journal_mode = DELETE')
    const result = copy.pragma('quick_check', { simple: true })
    if (result !== 'ok') throw new StoreError(`Cannot back up the store to ${target}: the copy is damaged: ${String(result)}`)
  } finally {
    copy.close()
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
