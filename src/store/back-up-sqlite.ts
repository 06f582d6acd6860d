import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { connectSqlite, sqlite, toErrorCode } from './node-sqlite.ts'
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
    const source = connectSqlite(path, { readOnly: true, busyTimeoutMs: 5_000 })
    try {
      // An open read transaction pins the moment: without it the copy starts over with every commit of another process.
      source.exec('begin')
      source.prepare('select 1 from schema_version').get()
      await sqlite.backup(source, resolve(temporary), { rate: pagesAtOnce })
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
    const code = toErrorCode(error)
    throw new StoreError(`Cannot back up the store to ${target}: ${code === 'EEXIST' ? 'the file exists' : error.message}`, {
      cause: error,
      ...(code === undefined ? {} : { code }),
      ...(code === 'EEXIST' ? { hint: 'name a file that does not exist yet' } : {}),
    })
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${temporary}${suffix}`, { force: true })
  }
}

function checkCopy(temporary: string, target: string): void {
  const copy = connectSqlite(temporary, { readOnly: false, busyTimeoutMs: 0 })
  try {
    // One file, with no log beside it; the store sets its mode again when it opens it.
    copy.exec('pragma journal_mode = DELETE')
    const result = copy.prepare('pragma quick_check').get()?.['quick_check']
    if (result !== 'ok') throw new StoreError(`Cannot back up the store to ${target}: the copy is damaged: ${String(result)}`)
    // The server that starts on it knows by this that the copy may lack what came later.
    copy.prepare(`insert or replace into facts (name, value) values ('backup-of', ?)`).run(new Date().toISOString())
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
