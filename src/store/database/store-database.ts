import type { Kysely } from 'kysely'
import type { NamedLocks } from './holds.ts'
import type { ReadVersion, Write } from './table-versions.ts'
import type { Tables } from './tables.ts'

/** An open database. Queries are the same for SQLite and PostgreSQL; the differences are in here. */
export interface StoreDatabase {
  /** Runs writes, and the reads that belong to them, in a transaction: one after another in all processes. */
  readonly write: Write
  /** For other reads. Sees only committed rows. */
  readonly reader: Kysely<Tables>
  readonly readVersion: ReadVersion
  /** Call it after a commit that every process must obey before its caller goes on. With PostgreSQL, it takes a second. */
  readonly untilNoticed: () => Promise<void>
  /**
   * The clock of leases and of unused contents, which is the same for all processes: that of the database server, with SQLite the one of the
   * machine.
   *
   * @param database The transaction that needs it. Another connection might not be free.
   */
  readonly leaseNow: (database: Kysely<Tables>) => Promise<number>
}

/** Where the values of new records come from. */
export interface RecordSources {
  /** The clock of this process. Milliseconds since 1970. */
  readonly now: () => number
  readonly newId: () => string
  readonly randomBytes: (count: number) => Uint8Array
}

/** What opening a database for a store results in. Its schema is migrated. */
export interface OpenedDatabase {
  readonly database: StoreDatabase
  readonly locks: NamedLocks
  /** `Store.limits`. */
  readonly limits: LimitStore | undefined
  /** `Store.connections`. */
  readonly connections?: () => {
    /** Open connections. */
    readonly total: number
    /** Open connections without a query. */
    readonly idle: number
    /** Queries that wait for a connection. */
    readonly waiting: number
    /** The limit of `total`. */
    readonly max: number
  }
  /** Runs work whose statements may take minutes. */
  readonly runLong: <Value>(work: () => Promise<Value>) => Promise<Value>
  /** `Store.backup`. */
  backup(path: string): Promise<void>
  /** Waits for pending calls. Idempotent. */
  close(): Promise<void>
}

const hour = 3_600_000

/** The default limits of the queue and of retention. */
export const defaultStoreLimits = {
  /** Maximum waiting updates of one (project, ref). Beyond it, the oldest end as superseded. */
  maxWaitingPerBranch: 50,
  /** Maximum waiting updates of one installation. Beyond it, the oldest end without a run. */
  maxWaitingPerInstallation: 1_000,
  /** Attempts that ended their worker, after which a run is given up. */
  maxRunErrors: 5,
  /** Time after which the check of a run that waits for the server or GitHub is neutral. */
  maxPendingMs: 24 * hour,
  /** Maximum age of an attempt. Older leases are not extended. */
  maxRunMs: hour / 4,
  /** The first back-off. Each further one is four times as long, and one and a half times for jobs that are kept. */
  backOffMs: 5_000,
  maxBackOffMs: hour / 6,
  /** The longest back-off of the first 20 tries of what is kept. They outlast most incidents, after which nothing waits for long. */
  maxEarlyBackOffMs: 45_000,
  /** The longest time between two tries of what GitHub refuses. */
  maxRefusedMs: hour,
  /** Longer than GitHub redelivers: 3 days, on an Enterprise Server 7. */
  keepDeliveriesMs: 9 * 24 * hour,
  keepIdempotencyKeysMs: 24 * hour,
  keepAuditMs: 400 * 24 * hour,
  /** How long updates are kept, with their reports and API changes. */
  keepRecordsMs: 730 * 24 * hour,
  /** How long a deleted project can be restored. */
  keepDeletedMs: 30 * 24 * hour,
  /** Maximum number of previews of a project. Beyond it, the oldest are deleted. */
  maxPreviews: 20,
  /** Age at which previews are deleted. */
  keepPreviewsMs: 30 * 24 * hour,
  /** How long unused contents and unfinished builds are kept: longer than a run may take. */
  keepUnusedMs: hour,
}
export type StoreLimits = Readonly<typeof defaultStoreLimits>

/** Formats a time as in records. */
export function toTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

export function chunk<Value>(values: readonly Value[], size: number): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size))
}

/** The tables of texts by name: small facts about the store itself, and secrets. */
type TextTable = 'facts' | 'secrets'

/** Reads a fact, or a secret. */
export async function readFact(database: Kysely<Tables>, name: string, table: TextTable = 'facts'): Promise<string | undefined> {
  return (await database.selectFrom(table).select('value').where('name', '=', name).executeTakeFirst())?.value
}

/** Adds or replaces a fact. `undefined` removes it. */
export async function writeFact(
  database: Kysely<Tables>,
  name: string,
  value: string | undefined,
  table: TextTable = 'facts',
): Promise<void> {
  if (value === undefined) {
    await database.deleteFrom(table).where('name', '=', name).execute()
    return
  }
  await database
    .insertInto(table)
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Adds a fact if there is none. Returns the stored one, which may be that of another process. */
export async function keepFact(
  transaction: Kysely<Tables>,
  name: string,
  value: string,
  table: TextTable = 'facts',
): Promise<string> {
  const known = await readFact(transaction, name, table)
  if (known === undefined) await writeFact(transaction, name, value, table)
  return known ?? value
}

/** The state of GitHub's limits, which all processes with one database share. Its times come from the clock of the database server. */
export interface LimitStore {
  /** The request budgets of installations. Their state is a text whose meaning only the caller knows. */
  readonly budgets: {
    read(installationId: number): Promise<BudgetRead>
    /**
     * Replaces a state in one step.
     *
     * @param plan Returns the new state, or `undefined` to change nothing. Called again if another process changed the state meanwhile.
     */
    change(installationId: number, plan: (state: string | undefined, now: number) => string | undefined): Promise<BudgetRead>
  }
  /** Deletes budgets that were not used for a day. */
  prune(): Promise<void>
}

interface BudgetRead {
  /** `undefined` before the first change. */
  readonly state: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}
