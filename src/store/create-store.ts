import { randomBytes as systemRandomBytes } from 'node:crypto'
import { nextUpdateId, updateIdRandomBytes } from '../status/update-record.ts'
import { fenceWrites } from './database/fenced-writes.ts'
import type { Migration } from './database/migrations.ts'
import { defaultStoreLimits, type StoreContext, type StoreLimits, toTime, writeFact } from './database/store-context.ts'
import { createLinkStore, createPassStore, createSessionStore, revokeAll } from './people/session-store.ts'
import { createTokenStore } from './people/token-store.ts'
import { pruneStore } from './prune-store.ts'
import { createAccept, findKey } from './queue/accept-work.ts'
import { createUpdateQueue } from './queue/update-queue.ts'
import { createApiChangesStore } from './records/api-changes-store.ts'
import { createProjectStore } from './records/project-store.ts'
import { createOverviewStore, createStatusStore } from './records/status-store.ts'
import { createAuditStore, createDeliveryStore, createNoteStore, createSecretStore } from './records/store-journal.ts'
import { createUsageStore } from './records/usage-store.ts'
import { createDomainStore } from './sites/domain-store.ts'
import { createSiteStore } from './sites/site-store.ts'
import type { SiteBucket } from './sites/stored-sites.ts'
import type { Store } from './types.ts'

/** The options of every database. */
export interface StoreOptions {
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number
  /** Default: the system's random number generator. */
  readonly randomBytes?: (count: number) => Uint8Array
  readonly limits?: Partial<StoreLimits>
  /** For the contents of sites. Closed with the store. Default: the database. */
  readonly bucket?: SiteBucket | undefined
  /** The steps of the schema. Tests add those of a future version. */
  readonly steps?: readonly Migration[]
}

/** The parts of the context that do not depend on the database. */
export function toContextParts({ now = Date.now, randomBytes = systemRandomBytes, limits, bucket }: StoreOptions) {
  let lastId: string | undefined
  const newId = () => {
    lastId = nextUpdateId(lastId, now(), randomBytes(updateIdRandomBytes))
    return lastId
  }
  return { now, randomBytes, newId, limits: { ...defaultStoreLimits, ...limits }, bucket }
}

/** The parts of a store that are the same for every database. */
export function createStore(unfenced: StoreContext): Omit<Store, 'limits' | 'locks' | 'backup' | 'close'> {
  const { writeFor, reader, now, newId } = unfenced
  const context = { ...unfenced, ...fenceWrites(unfenced) }
  return {
    statuses: createStatusStore(context),
    projects: createProjectStore(context),
    tokens: createTokenStore(context),
    // Checks the lease itself.
    queue: createUpdateQueue(unfenced),
    sites: createSiteStore(context),
    deliveries: createDeliveryStore(context),
    audit: createAuditStore(context),
    sessions: createSessionStore(context),
    passes: createPassStore(context),
    links: createLinkStore(context),
    domains: createDomainStore(context),
    apiChanges: createApiChangesStore(context),
    overviews: createOverviewStore(context),
    notes: createNoteStore(context),
    secrets: createSecretStore(context),
    // A lost attempt has used its CPU time too.
    usage: createUsageStore(unfenced),
    newId,
    accept: createAccept(context),
    findRepeated: (key) => findKey(reader, context, key),
    prune: () => pruneStore(context),
    revokeAll: (actor) => revokeAll(context, actor),
    async ping() {
      // Writes a row, because reading would succeed on a full disk.
      await writeFor(0, (transaction) => writeFact(transaction, 'probe', toTime(now())))
    },
  }
}
