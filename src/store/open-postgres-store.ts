import { randomBytes as systemRandomBytes } from 'node:crypto'
import { nextUpdateId, updateIdRandomBytes } from '../status/update-record.ts'
import { createStore } from './create-store.ts'
import { migrate } from './migrations.ts'
import { openPostgresDatabase, sortTextByBytes } from './postgres-database.ts'
import { defaultStoreLimits, StoreError, type StoreLimits, toTime } from './store-context.ts'
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
}

/** The lock of migrations. Any number that no other program uses. */
const migrationLock = 7_340_021

/**
 * Opens the store in a PostgreSQL database and migrates its schema. Several processes on several machines may open it.
 *
 * @throws {StoreError} when the database cannot be used or was written by a newer version.
 */
export async function openPostgresStore(options: OpenPostgresOptions): Promise<Store> {
  const { url, now = Date.now, randomBytes = systemRandomBytes, limits, connections } = options
  const { database, write, writeAlone, versions, alone, close } = openPostgresDatabase(url, connections)
  try {
    await alone(migrationLock, () => migrate(database.withPlugin(sortTextByBytes), toTime(now())))
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
    async backup() {
      throw new StoreError('Cannot back up a store in PostgreSQL with this command', {
        hint: 'Use pg_dump or pg_basebackup: see docs/scaling.md',
      })
    },
    close,
  }
}
