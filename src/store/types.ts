import type { NamedLocks } from './database/named-locks.ts'
import type { LinkStore, PassStore, RevokedAccess, SessionStore } from './people/session-store.ts'
import type { TokenStore } from './people/token-store.ts'
import type { LimitStore } from './postgres/limit-store.ts'
import type { AcceptInput, AcceptResult, IdempotencyKey } from './queue/accept-work.ts'
import type { UpdateQueue } from './queue/update-queue.ts'
import type { ApiChangesStore } from './records/api-changes-store.ts'
import type { ProjectStore } from './records/project-store.ts'
import type { OverviewStore, StatusStore } from './records/status-store.ts'
import type { AuditStore, DeliveryStore, NoteStore, SecretStore } from './records/store-journal.ts'
import type { UsageStore } from './records/usage-store.ts'
import type { DomainStore } from './sites/domain-store.ts'
import type { SiteStore } from './sites/stored-sites.ts'

/**
 * All data of the app, behind one set of interfaces for SQLite and PostgreSQL, with one contract suite for both.
 *
 * Several processes may use one store. When a promise resolves, the data is on disk and survives a crash of the process or
 * machine. All times are ISO 8601 in UTC with milliseconds, from the clock given at opening. Every method throws `StoreError` if
 * the store is unreachable or full. A failed call changes nothing.
 */
export interface Store {
  readonly statuses: StatusStore
  readonly projects: ProjectStore
  readonly tokens: TokenStore
  readonly queue: UpdateQueue
  readonly sites: SiteStore
  readonly deliveries: DeliveryStore
  readonly audit: AuditStore
  readonly sessions: SessionStore
  readonly passes: PassStore
  readonly links: LinkStore
  readonly domains: DomainStore
  readonly apiChanges: ApiChangesStore
  readonly overviews: OverviewStore
  readonly notes: NoteStore
  readonly secrets: SecretStore
  readonly usage: UsageStore
  /** Limits that hold across processes; `undefined` for SQLite, which one server process uses. */
  readonly limits: LimitStore | undefined
  readonly locks: NamedLocks
  /** A new UUIDv7, greater than all earlier ones of this object. */
  newId(): string
  /**
   * Accepts new work in one transaction: records the delivery, applies the project changes in order, then writes each record with
   * its job, then each task.
   *
   * A repeated delivery changes nothing (`repeated-delivery`). A repeated idempotency key with the same body returns the updates
   * of the first call (`repeated-key`). With another body nothing changes (`key-conflict`).
   */
  accept(input: AcceptInput): Promise<AcceptResult>
  /** The result of `accept` for a repeated key; `undefined` for a new one. */
  findRepeated(key: IdempotencyKey): Promise<AcceptResult | undefined>
  /**
   * Deletes delivery IDs and push keys after 9 days, idempotency keys after 24 hours, audit lines and counts of rules after 400 days,
   * feedback after 365 days, and expired sessions.
   * Purges projects 30 days after their deletion, with all their data. Returns the number of rows.
   */
  prune(): Promise<number>
  /**
   * Revokes all API tokens, links to sites and sessions, because an old copy of the store does not know which ones were revoked since. Writes an
   * audit line. Resolves when no process accepts them any more.
   */
  revokeAll(actor: string): Promise<RevokedAccess>
  /** The use of the connections of this process. Only for PostgreSQL. */
  readonly connections?: () => ConnectionUse
  /** Checks that the store is writable by writing a row. For `/readyz`. */
  ping(): Promise<void>
  /**
   * Copies a snapshot of the store in use into a new file. The copy is checked before it gets its name. Only for SQLite.
   *
   * @throws {StoreError} when the file already exists or the copy is damaged.
   */
  backup(path: string): Promise<void>
  /** Waits for pending calls, then closes. Idempotent. */
  close(): Promise<void>
}

export interface ConnectionUse {
  /** Open connections. */
  readonly total: number
  /** Open connections without a query. */
  readonly idle: number
  /** Queries that wait for a connection. */
  readonly waiting: number
  /** The limit of `total`. */
  readonly max: number
}
