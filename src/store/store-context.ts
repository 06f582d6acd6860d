import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'
import type { Write } from './write-together.ts'

/** What the parts of a store share. The queries are the same on every engine; what differs is in here. */
export interface StoreContext {
  /** The one way to write, with the reads that belong to it. */
  readonly write: Write
  /** For reads alone; sees committed rows only. */
  readonly reader: Kysely<Tables>
  /** What was read under the same number still holds; absent where the engine cannot tell, and then nothing is kept in memory. */
  readonly readDataVersion?: () => number
  /** As `readDataVersion`, where it does no harm that a commit of another process counts some milliseconds later. */
  readonly readRecentDataVersion?: () => number
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly newId: () => string
  readonly randomBytes: (count: number) => Uint8Array
  readonly limits: StoreLimits
}

/** Settings of the queue and of what is kept. All have a usual value in `usualStoreLimits`. */
export interface StoreLimits {
  /** Waiting updates of one (project, ref); beyond, the oldest end as superseded. */
  readonly maxWaitingPerBranch: number
  /** Waiting updates of one installation; beyond, the oldest end without a run. */
  readonly maxWaitingPerInstallation: number
  /** Failed attempts of a run after which it is given up. */
  readonly maxRunErrors: number
  /** The same for reports to GitHub and for tasks, which wait for an outage to pass. */
  readonly maxReportErrors: number
  /** Attempts whose worker went away, after which a run is given up: it may be what kills the worker. */
  readonly maxRunLosses: number
  /** A lease is not prolonged beyond this age of its attempt. */
  readonly maxRunMs: number
  /** The first back-off; each further one is four times as long. */
  readonly backOffMs: number
  readonly maxBackOffMs: number
  /** Longer than any redelivery of GitHub: 3 days, on an Enterprise Server 7. */
  readonly keepDeliveriesMs: number
  readonly keepIdempotencyKeysMs: number
  readonly keepAuditMs: number
  /** How long a deleted project can be restored. */
  readonly keepDeletedMs: number
  /** Built sites of a project beside the published one; beyond, the oldest go. */
  readonly maxPreviews: number
  /** Age at which they go in any case. */
  readonly keepPreviewsMs: number
  /** How long contents that no site has, and builds that did not end, are kept: longer than a run may take. */
  readonly keepUnusedMs: number
}

const hour = 3_600_000

export const usualStoreLimits: StoreLimits = {
  maxWaitingPerBranch: 50,
  maxWaitingPerInstallation: 1_000,
  maxRunErrors: 5,
  maxReportErrors: 30,
  maxRunLosses: 2,
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

/** A time of the clock as records have it. */
export function toTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

/** The store cannot be opened, read or written. The message says what was tried on which file, and what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  /** The engine's code, such as `SQLITE_FULL`. */
  readonly code: string | undefined
  readonly hint: string | undefined
  constructor(message: string, options: { code?: string; hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = options.code
    this.hint = options.hint
  }
}

/**
 * Keeps what `read` gave for a key for as long as nobody has committed anything to the store, in this process or another.
 *
 * The number of the store's state is read before the value: a value can be newer than its number, never older. What was not found is
 * not kept, so that guessing fills nothing. When full it is emptied.
 *
 * @param isKept Which of the values may stay in memory; all of them where absent.
 */
export function createReadCache<Value>(
  { readDataVersion }: Pick<StoreContext, 'readDataVersion'>,
  maxEntries: number,
  read: (key: string) => Promise<Value | undefined>,
  isKept: (value: Value) => boolean = () => true,
): (key: string) => Promise<Value | undefined> {
  if (!readDataVersion) return read
  let entries = new Map<string, Value>()
  let version: number | undefined
  return async (key) => {
    const current = readDataVersion()
    if (current !== version || entries.size >= maxEntries) {
      entries = new Map()
      version = current
    }
    const cached = entries.get(key)
    if (cached !== undefined) return cached
    const target = entries
    const value = await read(key)
    if (value !== undefined && isKept(value)) target.set(key, value)
    return value
  }
}

export function chunk<Value>(values: readonly Value[], size: number): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size))
}
