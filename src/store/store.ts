import { randomBytes as systemRandomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { nextUpdateId, toFirstId, updateIdRandomBytes } from '../status/update-record.ts'
import { fenceWrites } from './database/holds.ts'
import { migrations } from './database/migrations.ts'
import {
  defaultStoreLimits,
  type OpenedDatabase,
  type RecordSources,
  type StoreDatabase,
  type StoreLimits,
  toTime,
  writeFact,
} from './database/store-database.ts'
import type { Tables } from './database/tables.ts'
import { createPassStore, createSessionStore, createTokenStore, revokeAll } from './people/people-store.ts'
import type { PostgresState } from './postgres/inspect-postgres.ts'
import type { PostgresOptions } from './postgres/open-postgres.ts'
import { createAccept } from './queue/accept-work.ts'
import { createUpdateQueue } from './queue/update-queue.ts'
import { createProjectStore } from './records/project-store.ts'
import { createApiChangesStore, createOverviewStore, createStatusStore } from './records/status-store.ts'
import { createAuditStore, createDeliveryStore, createNoteStore, createSecretStore } from './records/store-journal.ts'
import { deleteOldUpdates } from './records/update-rows.ts'
import { cpuWindowMs, createUsageStore } from './records/usage-store.ts'
import { createDomainStore } from './sites/domain-store.ts'
import type { BucketPlace } from './sites/s3-bucket.ts'
import { deleteSites } from './sites/site-builds.ts'
import { createSiteStore } from './sites/site-store.ts'
import type { SiteBucket } from './sites/stored-sites.ts'
import { openSqlite, type SqliteOptions } from './sqlite/open-sqlite.ts'

/**
 * All data of the app, behind one set of interfaces for SQLite and PostgreSQL, with one contract suite for both.
 *
 * Several processes may use one store. When a promise resolves, the data is on disk and survives a crash of the process or
 * machine. All times are ISO 8601 in UTC with milliseconds, from the clock given at opening. Every method throws `StoreError` if
 * the store is unreachable or full. A failed call changes nothing.
 */
export type Store = ReturnType<typeof createStore>

/** The options of every database. */
interface StoreOptions {
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number
  /** Default: the system's random number generator. */
  readonly randomBytes?: (count: number) => Uint8Array
  readonly limits?: Partial<StoreLimits>
  /** For the contents of sites. Closed with the store. Default: the database. */
  readonly bucket?: SiteBucket | undefined
}

/**
 * Opens the store in an SQLite file and migrates its schema. Several processes may open it.
 *
 * @throws {StoreError} when the file cannot be used, is not a store, was written by a newer version, or is a different store than
 * before.
 */
export async function openSqliteStore(options: StoreOptions & SqliteOptions): Promise<Store> {
  const { now = Date.now } = options
  return createStore(await openSqlite({ ...options, now }), options)
}

/**
 * Opens the store in a PostgreSQL database and migrates its schema. Several processes on several machines may open it.
 *
 * @throws {StoreError} when the database cannot be used or was written by a newer version.
 */
export async function openPostgresStore(options: StoreOptions & PostgresOptions): Promise<Store> {
  // A server without PostgreSQL does not load its driver.
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  const { now = Date.now } = options
  return createStore(await openPostgres({ ...options, now }), options)
}

/** Reads the state of a PostgreSQL server without changing anything. As `inspectPostgres` of its folder. */
export async function readPostgresState(url: string): Promise<PostgresState> {
  const { inspectPostgres } = await import('./postgres/inspect-postgres.ts')
  return await inspectPostgres(url)
}

/** Opens a bucket for the contents of sites. Sends no request. */
export async function openSitesBucket(options: BucketPlace): Promise<SiteBucket> {
  // A server without a bucket does not load the AWS SDK.
  const { openS3Bucket } = await import('./sites/s3-bucket.ts')
  return openS3Bucket(options)
}

/** The version of the schema that this program uses. */
export const schemaVersion = migrations.length

/** Creates the store on an open database. */
export function createStore(opened: OpenedDatabase, options: StoreOptions) {
  const { database: unfenced, locks, connections, runLong, backup } = opened
  const { now = Date.now, randomBytes = systemRandomBytes, bucket } = options
  const limits = { ...defaultStoreLimits, ...options.limits }
  let lastId: string | undefined
  const newId = () => {
    lastId = nextUpdateId(lastId, now(), randomBytes(updateIdRandomBytes))
    return lastId
  }
  const sources = { now, randomBytes, newId }
  const database = { ...unfenced, write: fenceWrites(unfenced.write) }
  const sites = createSiteStore(database, sources, { limits, bucket })
  let closed: Promise<void> | undefined
  return {
    statuses: createStatusStore(database),
    projects: createProjectStore(database, sources),
    tokens: createTokenStore(database, sources),
    // Checks the lease itself.
    queue: createUpdateQueue(unfenced, { sources, limits }),
    sites: { ...sites, collect: () => runLong(sites.collect) },
    deliveries: createDeliveryStore(database),
    audit: createAuditStore(database, sources),
    sessions: createSessionStore(database, sources),
    passes: createPassStore(database, now),
    domains: createDomainStore(database, sources),
    apiChanges: createApiChangesStore(database),
    overviews: createOverviewStore(database),
    notes: createNoteStore(database),
    secrets: createSecretStore(database),
    // A lost attempt has used its CPU time too.
    usage: createUsageStore(unfenced),
    /** Limits that hold across processes; `undefined` for SQLite, which one server process uses. */
    limits: opened.limits,
    locks,
    /** The use of the connections of this process. Only for PostgreSQL. */
    connections,
    /** A new UUIDv7, greater than all earlier ones of this object. */
    newId: sources.newId,
    ...createAccept(database, sources, limits),
    /**
     * Deletes delivery IDs and push keys after 9 days, idempotency keys after 24 hours, audit lines after 400 days, updates after two years, and
     * expired sessions. Purges projects 30 days after their deletion, with all their data. Returns the number of rows.
     */
    async prune() {
      await opened.limits?.prune()
      return await runLong(() => pruneStore(database, now, limits))
    },
    /**
     * Revokes all tokens and sessions, because an old copy of the store does not know which ones were revoked since. Writes an
     * audit line. Resolves when no process accepts them any more.
     */
    revokeAll: (actor: string) => revokeAll(database, sources, actor),
    /** Checks that the store is writable by writing a row. For `/readyz`. */
    async ping() {
      // Writes a row, because reading would succeed on a full disk.
      await database.write((transaction) => writeFact(transaction, 'probe', toTime(now())))
    },
    /**
     * Copies a snapshot of the store in use into a new file. The copy is checked before it gets its name. Only for SQLite.
     *
     * @throws {StoreError} when the file already exists or the copy is damaged.
     */
    backup,
    /** Waits for pending calls, then closes. Idempotent. */
    close() {
      closed ??= opened.close().finally(() => bucket?.close())
      return closed
    },
  }
}

/** `Store.prune`: deletes expired data. */
async function pruneStore(
  { write, reader, leaseNow }: StoreDatabase,
  now: RecordSources['now'],
  limits: StoreLimits,
): Promise<number> {
  const before = (ageMs: number) => toTime(now() - ageMs)
  const deleted = await reader
    .selectFrom('projects')
    .select('id')
    .where('deleted_at', '<', before(limits.keepDeletedMs))
    .execute()
  let purged = 0
  for (const { id } of deleted) {
    purged += await write(async (transaction) => {
      const project = await transaction
        .selectFrom('projects')
        .select('id')
        .where('id', '=', id)
        // It may have been restored meanwhile.
        .where('deleted_at', '<', before(limits.keepDeletedMs))
        .executeTakeFirst()
      if (project) await purgeProject(transaction, id)
      return project ? 1 : 0
    })
  }
  const oldestId = toFirstId(now() - limits.keepRecordsMs)
  for (let count = 1; count > 0; purged += count) count = await write((transaction) => deleteOldUpdates(transaction, oldestId))
  const countedSince = toTime((await leaseNow(reader)) - 2 * cpuWindowMs)
  /** The rows of each table up to a time. */
  const expired = [
    ['deliveries', 'received_at', before(limits.keepDeliveriesMs)],
    ['push_keys', 'received_at', before(limits.keepDeliveriesMs)],
    ['idempotency_keys', 'created_at', before(limits.keepIdempotencyKeysMs)],
    ['cpu_slots', 'slot', countedSince],
    ['site_passes', 'expires_at', before(0)],
    ['tokens', 'expires_at', before(limits.keepAuditMs)],
    ['sessions', 'expires_at', before(0)],
    ['audit_lines', 'at', before(limits.keepAuditMs)],
  ] as const
  const rows = await write(async (transaction) => {
    let count = 0
    for (const [table, column, time] of expired) {
      const { numDeletedRows } = await transaction.deleteFrom(table).where(column, '<=', time).executeTakeFirst()
      count += Number(numDeletedRows)
    }
    return count
  })
  return purged + rows
}

/** Permanently deletes a project and all its data. */
async function purgeProject(transaction: Kysely<Tables>, id: string): Promise<void> {
  await transaction
    .deleteFrom('reports')
    .where('update_id', 'in', (query) => query.selectFrom('updates').select('id').where('project_id', '=', id))
    .execute()
  for (const table of [
    'jobs',
    'updates',
    'api_changes',
    'push_keys',
    'idempotency_keys',
    'tokens',
    'site_passes',
    'site_domains',
    'site_sizes',
  ] as const) {
    await transaction.deleteFrom(table).where('project_id', '=', id).execute()
  }
  await deleteSites(transaction, id)
  await transaction.deleteFrom('projects').where('id', '=', id).execute()
}
