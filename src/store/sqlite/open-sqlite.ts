import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import { type OwnPath, toOwnPath } from '../../files/boundary.ts'
import { isRealFile, readRealFile } from '../../files/disk-files.ts'
import { replaceFile } from '../../files/disk-writes.ts'
import { StoreError } from '../../text/errors.ts'
import { createProcessLocks } from '../database/holds.ts'
import { type Migration, migrate } from '../database/migrations.ts'
import { keepFact, type OpenedDatabase, type RecordSources, toTime } from '../database/store-database.ts'
import type { Tables } from '../database/tables.ts'
import { backUpSqlite, connectAlone, openSqliteDatabase } from './sqlite-database.ts'

export interface SqliteOptions {
  /** The database file. It and its folder are created if missing. */
  readonly path: string
  /** How long a call waits for a writer in another process. Default: 5,000. */
  readonly busyTimeoutMs?: number
  /** Refuses to open a store that another server has open. */
  readonly isServer?: boolean
  /** The steps of the schema. Tests add those of a future version. */
  readonly steps?: readonly Migration[]
}

/**
 * Opens an SQLite file for a store and migrates its schema.
 *
 * @throws {StoreError} when the file cannot be used, is not a store, was written by a newer version, is a different store than
 * before, or another server uses it.
 */
export async function openSqlite({
  path,
  busyTimeoutMs,
  isServer = false,
  steps,
  now,
}: SqliteOptions & Pick<RecordSources, 'now'>): Promise<OpenedDatabase> {
  rejectLostStore(path)
  let lock: DatabaseSync | undefined
  const { writer, write, reader, versions, close } = openSqliteDatabase(path, busyTimeoutMs)
  try {
    if (isServer) lock = connectAlone(`${path}.server`)
    await migrate(writer, toTime(now()), steps && { steps })
    await verifyIdentity(writer, path, randomBytes(16).toString('hex'))
  } catch (error) {
    await close()
    lock?.close()
    throw error
  }
  return {
    database: {
      write,
      reader,
      readVersion: versions.read,
      untilNoticed: versions.untilNoticed,
      leaseNow: async () => now(),
    },
    limits: undefined,
    locks: createProcessLocks(),
    runLong: (work) => work(),
    backup: (target) => backUpSqlite(path, target),
    close: () => close().finally(() => lock?.close()),
  }
}

/** The file next to a store that contains its identity. */
function toIdentityPath(path: string): OwnPath {
  return toOwnPath(`${path}.id`)
}

/**
 * Refuses to create a store in place of a removed or emptied one, which would hide the data loss.
 *
 * @throws {StoreError}
 */
function rejectLostStore(path: string): void {
  const identity = toIdentityPath(path)
  const isMissing = !isRealFile(path)
  const isLost = isMissing || statSync(path).size === 0
  if (!isLost || !isRealFile(identity)) return
  throw new StoreError(
    `Cannot open the store ${path}: the file is ${isMissing ? 'missing' : 'empty'}, but a store existed here`,
    {
      hint: `Restore a backup to ${path}. To start with an empty store instead, remove ${identity}`,
    },
  )
}

/**
 * Writes the identity of a new store into the store and into the file next to it. Compares both for an existing store. A backup
 * has the identity of its store.
 *
 * @throws {StoreError} when the file contains a different store, or the store a damaged identity.
 * @throws {FilesError} when the file is a link.
 */
async function verifyIdentity(database: Kysely<Tables>, path: string, newId: string): Promise<void> {
  const ofStore = await database.transaction().execute((transaction) => keepFact(transaction, 'identity', newId))
  // Nothing else from the database may reach a file.
  if (!/^[0-9a-f]{32}$/.test(ofStore))
    throw new StoreError(`Cannot open the store ${path}: its identity is damaged`, { hint: 'Restore a backup' })
  const file = toIdentityPath(path)
  const ofFile = readRealFile(file)?.toString().trim()
  // In one step, because another process may open the same new store.
  if (!ofFile) return replaceFile(file, `${ofStore}\n`, { mode: 0o600, flush: true })
  if (ofFile !== ofStore) {
    throw new StoreError(`Cannot open the store ${path}: the file was replaced with another store`, {
      hint: `Restore the original file or a backup of it. To use the new store, remove ${file}`,
    })
  }
}
