import type { Kysely } from 'kysely'
import type { SiteBucket } from '../sites/stored-sites.ts'
import type { Write } from './group-commit.ts'
import type { ReadVersion } from './table-versions.ts'
import type { Tables } from './tables.ts'

/** The objects that the parts of a store share. Queries are the same for every database; the differences are in here. */
export interface StoreContext {
  /** Runs writes, and the reads that belong to them, in a transaction: one after another in all processes. */
  readonly write: Write
  /**
   * Like `write`, but PostgreSQL runs writes for other installations at the same time. For frequent writes that depend only on data of these
   * installations, or on single rows.
   */
  readonly writeFor: WriteFor
  /** For other reads. Sees only committed rows. */
  readonly reader: Kysely<Tables>
  readonly readVersion: ReadVersion
  /** Call it after a commit that every process must obey before its caller goes on. With PostgreSQL, it takes a second. */
  readonly untilNoticed: () => Promise<void>
  /** The clock of this process, for records. Milliseconds since 1970. */
  readonly now: () => number
  /**
   * The clock of leases and of unused contents, which is the same for all processes: that of the database server, with SQLite the one of the
   * machine.
   *
   * @param database The transaction that needs it. Another connection might not be free.
   */
  readonly leaseNow: (database: Kysely<Tables>) => Promise<number>
  readonly newId: () => string
  readonly randomBytes: (count: number) => Uint8Array
  readonly limits: StoreLimits
  /** Where the contents of sites are stored. Default: in the database. */
  readonly bucket?: SiteBucket | undefined
  /** Those of the names that no process has locked with `Store.locks`. Only for PostgreSQL. */
  readonly findUnlocked?: (names: readonly string[]) => Promise<string[]>
}

export type WriteFor = <Value>(
  installations: number | readonly number[],
  work: (transaction: Kysely<Tables>) => Promise<Value>,
) => Promise<Value>

/** Limits of the queue and of retention. The defaults are in `defaultStoreLimits`. */
export interface StoreLimits {
  /** Maximum waiting updates of one (project, ref). Beyond it, the oldest end as superseded. */
  readonly maxWaitingPerBranch: number
  /** Maximum waiting updates of one installation. Beyond it, the oldest end without a run. */
  readonly maxWaitingPerInstallation: number
  /** Failed attempts after which a run is given up. */
  readonly maxRunErrors: number
  /** The same for reports to GitHub and tasks, which may have to outlast an outage. */
  readonly maxReportErrors: number
  /** Lost attempts after which a run is given up, because it may crash its worker. */
  readonly maxRunLosses: number
  /** Maximum age of an attempt. Older leases are not extended. */
  readonly maxRunMs: number
  /** The first back-off. Each further one is four times as long. */
  readonly backOffMs: number
  readonly maxBackOffMs: number
  /** Longer than GitHub redelivers: 3 days, on an Enterprise Server 7. */
  readonly keepDeliveriesMs: number
  readonly keepIdempotencyKeysMs: number
  readonly keepAuditMs: number
  /** How long a deleted project can be restored. */
  readonly keepDeletedMs: number
  /** Maximum number of previews of a project. Beyond it, the oldest are deleted. */
  readonly maxPreviews: number
  /** Age at which previews are deleted. */
  readonly keepPreviewsMs: number
  /** How long unused contents and unfinished builds are kept: longer than a run may take. */
  readonly keepUnusedMs: number
}

const hour = 3_600_000

export const defaultStoreLimits: StoreLimits = {
  maxWaitingPerBranch: 50,
  maxWaitingPerInstallation: 1_000,
  maxRunErrors: 5,
  maxReportErrors: 30,
  maxRunLosses: 5,
  maxRunMs: hour / 4,
  backOffMs: 5_000,
  maxBackOffMs: hour / 6,
  keepDeliveriesMs: 9 * 24 * hour,
  keepIdempotencyKeysMs: 24 * hour,
  keepAuditMs: 400 * 24 * hour,
  keepDeletedMs: 30 * 24 * hour,
  maxPreviews: 20,
  keepPreviewsMs: 30 * 24 * hour,
  keepUnusedMs: hour,
}

/** Formats a time as in records. */
export function toTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

/** The store cannot be opened, read or written. The message names the file and the failed operation. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  /** The database's error code, such as `SQLITE_FULL`. */
  readonly code: string | undefined
  readonly hint: string | undefined
  constructor(message: string, options: { code?: string; hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = options.code
    this.hint = options.hint
  }
}

/**
 * Caches the results of `read` until a commit by any process changes one of the tables.
 *
 * Reads the version before the value, so that a value is never older than its version. Does not cache misses, so that
 * guessed keys cannot fill the cache. A full cache is emptied.
 *
 * @param isKept Which values to cache. Default: all.
 */
export function createReadCache<Value>(
  { readVersion, tables, maxEntries, maxSize = Number.POSITIVE_INFINITY, sizeOf = () => 0 }: CacheOptions<Value>,
  read: (key: string) => Promise<Value | undefined>,
  isKept: (value: Value) => boolean = () => true,
): (key: string) => Promise<Value | undefined> {
  let entries = new Map<string, Value>()
  let size = 0
  let version: number | undefined
  return async (key) => {
    const current = readVersion(tables)
    if (current !== version || entries.size >= maxEntries || size >= maxSize) {
      entries = new Map()
      size = 0
      version = current
    }
    const cached = entries.get(key)
    if (cached !== undefined) return cached
    const target = entries
    const value = await read(key)
    if (value !== undefined && isKept(value) && target === entries) {
      entries.set(key, value)
      size += sizeOf(value)
    }
    return value
  }
}

interface CacheOptions<Value> {
  readonly readVersion: ReadVersion
  /** The tables that `read` uses. */
  readonly tables: readonly (keyof Tables)[]
  readonly maxEntries: number
  /** The maximum sum of `sizeOf`. A single value may exceed it. Default: unlimited. */
  readonly maxSize?: number
  readonly sizeOf?: (value: Value) => number
}

export function chunk<Value>(values: readonly Value[], size: number): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size))
}

/** Reads a small fact about the store itself. */
export async function readFact(database: Kysely<Tables>, name: string): Promise<string | undefined> {
  return (await database.selectFrom('facts').select('value').where('name', '=', name).executeTakeFirst())?.value
}

/** Adds or replaces a fact. */
export async function writeFact(database: Kysely<Tables>, name: string, value: string): Promise<void> {
  await database
    .insertInto('facts')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
