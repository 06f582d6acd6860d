import { acceptWork, findKey } from './accept-work.ts'
import { createApiChangesStore } from './api-changes-store.ts'
import { createDomainStore } from './domain-store.ts'
import { createProjectStore } from './project-store.ts'
import { pruneStore } from './prune-store.ts'
import { createLinkStore, createPassStore, createSessionStore } from './session-store.ts'
import { createSiteStore } from './site-store.ts'
import { createOverviewStore, createStatusStore } from './status-store.ts'
import { type StoreContext, toTime } from './store-context.ts'
import { createAuditStore, createDeliveryStore, createNoteStore, createSecretStore } from './store-journal.ts'
import { createTokenStore } from './token-store.ts'
import type { Store } from './types.ts'
import { createUpdateQueue } from './update-queue.ts'
import { createUsageStore } from './usage-store.ts'

/** The parts of a store that are the same for every database. */
export function createStore(context: StoreContext): Omit<Store, 'limits' | 'backup' | 'close'> {
  const { write, reader, now, newId } = context
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
    domains: createDomainStore(context),
    apiChanges: createApiChangesStore(context),
    overviews: createOverviewStore(context),
    notes: createNoteStore(context),
    secrets: createSecretStore(context),
    usage: createUsageStore(context),
    newId,
    accept: (input) => acceptWork(context, input),
    findRepeated: (key) => findKey(reader, context, key),
    prune: () => pruneStore(context),
    async ping() {
      // Writes a row, because reading would succeed on a full disk.
      const row = { name: 'probe', value: toTime(now()) }
      await write((transaction) =>
        transaction
          .insertInto('facts')
          .values(row)
          .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
          .execute(),
      )
    },
  }
}
