import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { replaceFile } from '../files/disk-writes.ts'
import { isRealFile, readRealFile } from '../files/real-files.ts'
import { createStore, type StoreOptions, toContextParts } from './create-store.ts'
import { createGroupCommit } from './database/group-commit.ts'
import { migrate } from './database/migrate-schema.ts'
import { createProcessLocks } from './database/named-locks.ts'
import { readFact, type StoreContext, StoreError, toTime } from './database/store-context.ts'
import type { Tables } from './database/tables.ts'
import { backUpSqlite, openSqliteDatabase } from './sqlite/sqlite-database.ts'
import type { Store } from './types.ts'

interface OpenStoreOptions extends StoreOptions {
  /** The database file. It and its folder are created if missing. */
  readonly path: string
  /** How long a call waits for a writer in another process. Default: 5,000. */
  readonly busyTimeoutMs?: number
}

/**
 * Opens the store in an SQLite file and migrates its schema. Several processes may open it.
 *
 * @throws {StoreError} when the file cannot be used, is not a store, was written by a newer version, or is a different store than
 * before.
 */
export async function openSqliteStore(options: OpenStoreOptions): Promise<Store> {
  const { path, steps } = options
  const given = toContextParts(options)
  const { now, bucket } = given
  rejectLostStore(path)
  const database = openSqliteDatabase(path, options.busyTimeoutMs)
  try {
    await migrate(database.writer, toTime(now()), steps && { steps })
    await verifyIdentity(database.writer, path, randomBytes(16).toString('hex'))
  } catch (error) {
    await database.close()
    throw error
  }
  const { reader, versions } = database
  const write = createGroupCommit(database.writer, versions.change)
  let closed: Promise<void> | undefined
  const context: StoreContext = {
    write,
    writeFor: (_installations, work) => write(work),
    reader,
    readVersion: versions.read,
    untilNoticed: versions.untilNoticed,
    leaseNow: async () => now(),
    ...given,
  }
  return {
    ...createStore(context),
    limits: undefined,
    locks: createProcessLocks(),
    backup: (target) => backUpSqlite(path, target),
    close() {
      // Waits for pending writes. Closes even if they fail.
      closed ??= write(async () => {})
        .catch(() => {})
        .then(() => database.close())
        .finally(() => bucket?.close())
      return closed
    },
  }
}

/** The file next to a store that contains its identity. */
function toIdentityPath(path: string): string {
  return `${path}.id`
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
  const ofStore = await database.transaction().execute(async (transaction) => {
    const known = await readFact(transaction, 'identity')
    if (known === undefined) await transaction.insertInto('facts').values({ name: 'identity', value: newId }).execute()
    return known ?? newId
  })
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
