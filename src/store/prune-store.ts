import type { Kysely } from 'kysely'
import { type RecordSources, type StoreDatabase, type StoreLimits, toTime } from './database/store-database.ts'
import type { Tables } from './database/tables.ts'
import { cpuWindowMs } from './records/usage-store.ts'
import { deleteSites } from './sites/site-builds.ts'

/** `Store.prune`: deletes expired data. */
export async function pruneStore(
  { write, reader, leaseNow }: StoreDatabase,
  now: RecordSources['now'],
  limits: StoreLimits,
): Promise<number> {
  const before = (ageMs: number) => toTime(now() - ageMs)
  const expired = await reader
    .selectFrom('projects')
    .select('id')
    .where('deleted_at', '<', before(limits.keepDeletedMs))
    .execute()
  let purged = 0
  for (const { id } of expired) {
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
  const countedSince = toTime((await leaseNow(reader)) - 2 * cpuWindowMs)
  const rows = await write(async (transaction) => {
    const deleted = [
      await transaction.deleteFrom('deliveries').where('received_at', '<', before(limits.keepDeliveriesMs)).executeTakeFirst(),
      await transaction
        .deleteFrom('awaited_deliveries')
        .where('asked_at', '<', before(limits.keepDeliveriesMs))
        .executeTakeFirst(),
      await transaction.deleteFrom('push_keys').where('received_at', '<', before(limits.keepDeliveriesMs)).executeTakeFirst(),
      await transaction
        .deleteFrom('idempotency_keys')
        .where('created_at', '<', before(limits.keepIdempotencyKeysMs))
        .executeTakeFirst(),
      await transaction.deleteFrom('cpu_slots').where('slot', '<', countedSince).executeTakeFirst(),
      await transaction.deleteFrom('site_passes').where('expires_at', '<=', toTime(now())).executeTakeFirst(),
      await transaction.deleteFrom('site_links').where('expires_at', '<=', toTime(now())).executeTakeFirst(),
      await transaction.deleteFrom('sessions').where('expires_at', '<=', toTime(now())).executeTakeFirst(),
      await transaction.deleteFrom('audit_lines').where('at', '<', before(limits.keepAuditMs)).executeTakeFirst(),
    ]
    return deleted.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0)
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
    'site_links',
    'site_domains',
  ] as const) {
    await transaction.deleteFrom(table).where('project_id', '=', id).execute()
  }
  await deleteSites(transaction, id)
  await transaction.deleteFrom('projects').where('id', '=', id).execute()
}
