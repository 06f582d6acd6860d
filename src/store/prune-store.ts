import { type StoreContext, toTime } from './database/store-context.ts'
import { purgeProject } from './records/project-changes.ts'
import { cpuWindowMs } from './records/usage-store.ts'

/** `Store.prune`: deletes expired data. */
export async function pruneStore({ write, reader, now, leaseNow, limits }: StoreContext): Promise<number> {
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
