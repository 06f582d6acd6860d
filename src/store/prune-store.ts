import { type StoreContext, toTime } from './store-context.ts'

/** `Store.prune`: what is kept for a time only. */
export async function pruneStore({ write, now, limits }: StoreContext): Promise<number> {
  const before = (ageMs: number) => toTime(now() - ageMs)
  return await write(async (transaction) => {
    const deleted = [
      await transaction.deleteFrom('deliveries').where('received_at', '<', before(limits.keepDeliveriesMs)).executeTakeFirst(),
      await transaction.deleteFrom('push_keys').where('received_at', '<', before(limits.keepDeliveriesMs)).executeTakeFirst(),
      await transaction
        .deleteFrom('idempotency_keys')
        .where('created_at', '<', before(limits.keepIdempotencyKeysMs))
        .executeTakeFirst(),
      await transaction.deleteFrom('site_passes').where('expires_at', '<=', toTime(now())).executeTakeFirst(),
      await transaction.deleteFrom('site_links').where('expires_at', '<=', toTime(now())).executeTakeFirst(),
      await transaction.deleteFrom('sessions').where('expires_at', '<=', toTime(now())).executeTakeFirst(),
      await transaction.deleteFrom('audit_lines').where('at', '<', before(limits.keepAuditMs)).executeTakeFirst(),
    ]
    return deleted.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0)
  })
}
