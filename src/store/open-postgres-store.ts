import { randomBytes as systemRandomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { nextUpdateId, updateIdRandomBytes } from '../status/update-record.ts'
import { rejectMoving } from './change-log.ts'
import { createStore } from './create-store.ts'
import { createLimitStore } from './limit-store.ts'
import { migrate } from './migrate-schema.ts'
import type { Migration } from './migrations.ts'
import { openPostgresDatabase, sortTextByBytes } from './postgres-database.ts'
import { defaultStoreLimits, StoreError, type StoreLimits, toTime } from './store-context.ts'
import type { Tables } from './tables.ts'
import type { Store } from './types.ts'

interface OpenPostgresOptions {
  /** As for `psql`. */
  readonly url: string
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number
  /** Default: the system's random number generator. */
  readonly randomBytes?: (count: number) => Uint8Array
  readonly limits?: Partial<StoreLimits>
  /** The maximum number of connections for queries. Default: 10. */
  readonly connections?: number
  /** The steps of the schema. Tests add those of a future version. */
  readonly steps?: readonly Migration[]
}

/** The lock of migrations. Any number that no other program uses. */
const migrationLock = 7_340_021

/**
 * Opens the store in a PostgreSQL database and migrates its schema. Several processes on several machines may open it.
 *
 * @throws {StoreError} when the database cannot be used or was written by a newer version.
 */
export async function openPostgresStore(options: OpenPostgresOptions): Promise<Store> {
  const { url, now = Date.now, randomBytes = systemRandomBytes, limits, connections, steps } = options
  const { database, write, writeAlone, versions, place, close } = openPostgresDatabase(url, connections)
  try {
    await migratePostgres(database, toTime(now()), steps)
    await rejectMoving(database, place)
  } catch (error) {
    await close()
    throw error
  }
  let lastId: string | undefined
  const newId = () => {
    lastId = nextUpdateId(lastId, now(), randomBytes(updateIdRandomBytes))
    return lastId
  }
  return {
    ...createStore({
      write,
      writeAlone,
      reader: database,
      readAccessVersion: versions.read,
      readRecentVersion: versions.read,
      now,
      newId,
      randomBytes,
      limits: { ...defaultStoreLimits, ...limits },
    }),
    limits: createLimitStore(database),
    async backup() {
      throw new StoreError('Cannot back up a store in PostgreSQL with this command', {
        hint: 'Use pg_dump or pg_basebackup: see docs/postgres.md',
      })
    },
    close,
  }
}

/** Failed tries of a migration. */
const maxTries = 5

/**
 * Migrates in one process at a time. Other processes use the store meanwhile, also those of the version before, and PostgreSQL may end
 * the migration because of a deadlock with one of their transactions.
 */
export async function migratePostgres(database: Kysely<Tables>, appliedAt: string, steps?: readonly Migration[]): Promise<void> {
  const begin = async (transaction: Kysely<Tables>) => {
    // A new index on a large table takes minutes.
    await sql`set local statement_timeout = 0`.execute(transaction)
    await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(transaction)
  }
  for (let tries = 1; ; tries++) {
    try {
      await migrate(database.withPlugin(sortTextByBytes), appliedAt, { begin, ...(steps && { steps }) })
      return
    } catch (error) {
      const isDeadlock = error instanceof StoreError && error.code === '40P01'
      if (!isDeadlock || tries === maxTries) throw error
    }
  }
}
