import { randomBytes as systemRandomBytes } from 'node:crypto'
import { nextUpdateId, updateIdRandomBytes } from '../status/next-update-id.ts'
import { acceptWork, findKey } from './accept-work.ts'
import { createAuditStore } from './audit-store.ts'
import { backUpSqlite } from './back-up-sqlite.ts'
import { createDeliveryStore } from './delivery-store.ts'
import { createLinkStore } from './link-store.ts'
import { migrate } from './migrate.ts'
import { createNoteStore } from './note-store.ts'
import { openSqliteDatabase } from './open-sqlite-database.ts'
import { createOverviewStore } from './overview-store.ts'
import { createPassStore } from './pass-store.ts'
import { createProjectStore } from './project-store.ts'
import { pruneStore } from './prune-store.ts'
import { createSessionStore } from './session-store.ts'
import { createSiteStore } from './site-store.ts'
import { createStatusStore } from './status-store.ts'
import { type StoreContext, type StoreLimits, toTime, usualStoreLimits } from './store-context.ts'
import { refuseLostStore, settleIdentity } from './store-identity.ts'
import { createTokenStore } from './token-store.ts'
import type { Store } from './types.ts'
import { createUpdateQueue } from './update-queue.ts'
import { createUsageStore } from './usage-store.ts'
import { createWriteTogether } from './write-together.ts'

export interface OpenStoreOptions {
  /** The database file; it and its folder are made where they are missing. */
  readonly path: string
  /** Milliseconds since 1970; the system's clock where absent. */
  readonly now?: () => number
  /** The system's generator where absent. */
  readonly randomBytes?: (count: number) => Uint8Array
  readonly limits?: Partial<StoreLimits>
  /** How long a call waits for a writer of another process before it fails; 5,000 where absent. */
  readonly busyTimeoutMs?: number
}

/**
 * Opens the store in an SQLite file and brings its schema up to date. Several processes may have it open.
 *
 * @throws {StoreError} when the file cannot be used, is no store, was written by a newer version, or is not the store that was there before.
 */
export async function openSqliteStore(options: OpenStoreOptions): Promise<Store> {
  const { path, now = Date.now, randomBytes = systemRandomBytes, limits } = options
  refuseLostStore(path)
  const database = openSqliteDatabase(path, options.busyTimeoutMs)
  try {
    await migrate(database.writer, toTime(now()))
    await settleIdentity(database.writer, path, systemRandomBytes(16).toString('hex'))
  } catch (error) {
    await database.close()
    throw error
  }
  let lastId: string | undefined
  const newId = () => {
    lastId = nextUpdateId(lastId, now(), randomBytes(updateIdRandomBytes))
    return lastId
  }
  const { reader, readDataVersion, readRecentDataVersion } = database
  const write = createWriteTogether(database.writer)
  let closed: Promise<void> | undefined
  const context: StoreContext = {
    write,
    reader,
    readDataVersion,
    readRecentDataVersion,
    now,
    newId,
    randomBytes,
    limits: { ...usualStoreLimits, ...limits },
  }
  return {
    statuses: createStatusStore(context),
    projects: createProjectStore(context),
    tokens: createTokenStore(context),
    queue: createUpdateQueue(context),
    sites: createSiteStore(context),
    deliveries: createDeliveryStore(context),
    audit: createAuditStore(context),
    sessions: createSessionStore(context),
    passes: createPassStore(context),
    links: createLinkStore(context),
    overviews: createOverviewStore(context),
    notes: createNoteStore(context),
    usage: createUsageStore(context),
    newId,
    accept: (input) => acceptWork(context, input),
    findRepeated: (key) => findKey(reader, context, key),
    prune: () => pruneStore(context),
    async ping() {
      // A real write: on a full disk a transaction that only reads would succeed.
      const row = { name: 'probe', value: toTime(now()) }
      await write((transaction) =>
        transaction
          .insertInto('facts')
          .values(row)
          .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
          .execute(),
      )
    },
    backup: (target) => backUpSqlite(path, target),
    close() {
      // Behind the writes that wait; a store that cannot be written is closed all the same.
      closed ??= write(async () => {})
        .catch(() => {})
        .then(() => database.close())
      return closed
    },
  }
}
