import type { AcceptInput, AcceptResult, IdempotencyKey } from './accept-work.ts'
import type { ProjectStore } from './project-store.ts'
import type { LinkStore, PassStore, SessionStore } from './session-store.ts'
import type { OverviewStore, StatusStore } from './status-store.ts'
import type { AuditStore, DeliveryStore, NoteStore } from './store-journal.ts'
import type { SiteStore } from './stored-sites.ts'
import type { TokenStore } from './token-store.ts'
import type { UpdateQueue } from './update-queue.ts'
import type { UsageStore } from './usage-store.ts'

/**
 * Everything the app keeps, behind one set of ports: `openSqliteStore` today, PostgreSQL later, the same contract suite for both.
 *
 * All methods may be called from several processes on one store. A promise that resolved is on the disk: a kill of the process
 * or the machine does not undo it. All times are ISO 8601 in UTC with milliseconds and come from the clock given at opening.
 * Every method throws `StoreError` when the store cannot be reached or is full; nothing of a failed call stays.
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
  readonly overviews: OverviewStore
  readonly notes: NoteStore
  readonly usage: UsageStore
  /** A new UUIDv7, greater than every one this store object gave before. */
  newId(): string
  /**
   * The one way in for work: in one transaction records the delivery, applies the changes to projects in order, then writes each
   * record with its job, then each task.
   *
   * A delivery that was seen before changes nothing at all and answers `repeated-delivery`. The same idempotency key with the same
   * body answers the updates of the first call (`repeated-key`); with another body nothing changes (`key-conflict`).
   */
  accept(input: AcceptInput): Promise<AcceptResult>
  /** What `accept` answers to a key that was used before; `undefined` for a new one. */
  findRepeated(key: IdempotencyKey): Promise<AcceptResult | undefined>
  /**
   * Deletes delivery ids and push keys older than 9 days, idempotency keys older than 24 hours, audit lines older than 400 days,
   * sessions that have ended, and projects that were deleted 30 days ago, with all that belongs to them; answers how many rows.
   */
  prune(): Promise<number>
  /** Writes a row, and resolves when it is on the disk; throws `StoreError` otherwise. For `/readyz`. */
  ping(): Promise<void>
  /**
   * Copies the whole store, as of one moment, into a new file while it is in use; the copy is checked before it gets its name.
   *
   * @throws {StoreError} when the file exists already or the copy is damaged.
   */
  backup(path: string): Promise<void>
  /** Waits for calls under way, then closes. A second call does nothing. */
  close(): Promise<void>
}
