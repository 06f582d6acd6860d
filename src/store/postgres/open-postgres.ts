import { type Kysely, sql } from 'kysely'
import { StoreError } from '../../text/errors.ts'
import { type Migration, migrate } from '../database/migrations.ts'
import { type OpenedDatabase, type RecordSources, toTime } from '../database/store-database.ts'
import type { Tables } from '../database/tables.ts'
import { createServerClock, rejectSharedConnections } from './inspect-postgres.ts'
import { createLimitStore } from './limit-store.ts'
import { type ConnectionOptions, openPostgresDatabase, sortTextByBytes } from './postgres-database.ts'
import { withTimeFor } from './postgres-pool.ts'

export interface PostgresOptions extends ConnectionOptions {
  /** As for `psql`. */
  readonly url: string
  /** The clock of leases. Milliseconds since 1970. Default: the server's clock. */
  readonly leaseNow?: () => number
  /** The steps of the schema. Tests add those of a future version. */
  readonly steps?: readonly Migration[]
}

/**
 * Opens a PostgreSQL database for a store and migrates its schema.
 *
 * @throws {StoreError} when the database cannot be used or was written by a newer version.
 */
export async function openPostgres(options: PostgresOptions & Pick<RecordSources, 'now'>): Promise<OpenedDatabase> {
  const { url, leaseNow, steps, now } = options
  const opened = openPostgresDatabase(url, options)
  const { database, write, versions, locks, place, close } = opened
  try {
    await rejectSharedConnections(database, place)
    await migratePostgres(database, toTime(now()), steps)
  } catch (error) {
    await close()
    throw error
  }
  return {
    database: {
      write,
      reader: database,
      readVersion: versions.read,
      untilNoticed: versions.untilNoticed,
      leaseNow: leaseNow ? async () => leaseNow() : createServerClock(),
    },
    limits: createLimitStore(database),
    locks,
    connections: opened.connections,
    runLong: (work) => withTimeFor(longMs, work),
    async backup() {
      throw new StoreError('Cannot back up a store in PostgreSQL with this command', {
        hint: 'Use pg_dump or pg_basebackup: see docs/operate.md',
      })
    },
    close,
  }
}

/** The lock of migrations. Any number that no other program uses. */
const migrationLock = 7_340_021

/** A new index on a large table takes minutes. */
const migrationMs = 3_600_000

/** Deleting the data of a large project, or all data that expired during a long downtime. */
const longMs = 120_000

/** Failed tries of a migration. */
const maxTries = 5

/**
 * Migrates in one process at a time. Other processes use the store meanwhile, also those of the version before, and PostgreSQL may end
 * the migration because of a deadlock with one of their transactions.
 */
export async function migratePostgres(database: Kysely<Tables>, appliedAt: string, steps?: readonly Migration[]): Promise<void> {
  const begin = async (transaction: Kysely<Tables>) => {
    await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(transaction)
  }
  for (let tries = 1; ; tries++) {
    try {
      return await withTimeFor(migrationMs, async () => {
        await migrate(database.withPlugin(sortTextByBytes), appliedAt, { begin, ...(steps && { steps }) })
        await storeUncompressed(database)
      })
    } catch (error) {
      const isDeadlock = error instanceof StoreError && error.code === '40P01'
      if (!isDeadlock || tries === maxTries) throw error
    }
  }
}

/**
 * Turns off PostgreSQL's compression of the contents of sites, which are compressed already. Does nothing if it is off.
 *
 * Source: https://www.postgresql.org/docs/current/storage-toast.html.
 */
async function storeUncompressed(database: Kysely<Tables>): Promise<void> {
  const { rows } = await sql`
    select from pg_attribute
    where attrelid = 'site_parts'::regclass and attname = 'bytes' and attstorage <> 'e'`.execute(database)
  if (rows.length > 0) await sql`alter table site_parts alter column bytes set storage external`.execute(database)
}
