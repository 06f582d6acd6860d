import { createApiChangesStore } from './api-changes-store.ts'
import { fenceWrites } from './fenced-writes.ts'
import { createProjectStore } from './project-store.ts'
import { pruneStore } from './prune-store.ts'
import { createAccept, findKey } from './queue/accept-work.ts'
import { createUpdateQueue } from './queue/update-queue.ts'
import { createLinkStore, createPassStore, createSessionStore, revokeAll } from './session-store.ts'
import { createDomainStore } from './sites/domain-store.ts'
import { createSiteStore } from './sites/site-store.ts'
import { createOverviewStore, createStatusStore } from './status-store.ts'
import { type StoreContext, toTime } from './store-context.ts'
import { createAuditStore, createDeliveryStore, createNoteStore, createSecretStore } from './store-journal.ts'
import { createTokenStore } from './token-store.ts'
import type { Store } from './types.ts'
import { createUsageStore } from './usage-store.ts'

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
      const row = { name: 'probe', value: toTime(now()) }
      await writeFor(0, (transaction) =>
        transaction
          .insertInto('facts')
          .values(row)
          .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
          .execute(),
      )
    },
  }
}
