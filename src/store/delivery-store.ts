import { chunk } from './site-contents.ts'
import { type StoreContext, toTime } from './store-context.ts'
import type { DeliveryStore } from './types.ts'

/** Well below the number of parameters that a statement may have. */
const idsAtOnce = 500

export function createDeliveryStore({ reader, write, now }: StoreContext): DeliveryStore {
  async function findKnown(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const known = new Set<string>()
    for (let start = 0; start < ids.length; start += idsAtOnce) {
      const rows = await reader
        .selectFrom('deliveries')
        .select('id')
        .where('id', 'in', ids.slice(start, start + idsAtOnce))
        .execute()
      for (const { id } of rows) known.add(id)
    }
    return known
  }
  return {
    async has(deliveryId) {
      return (await findKnown([deliveryId])).has(deliveryId)
    },
    async findMissing(deliveryIds) {
      const known = await findKnown(deliveryIds)
      return deliveryIds.filter((id) => !known.has(id))
    },
    async await(deliveryIds) {
      const askedAt = toTime(now())
      await write(async (transaction) => {
        for (const some of chunk(deliveryIds, idsAtOnce)) {
          await transaction
            .insertInto('awaited_deliveries')
            .values(some.map((id) => ({ id, asked_at: askedAt })))
            .onConflict((conflict) => conflict.column('id').doUpdateSet({ asked_at: askedAt }))
            .execute()
        }
      })
    },
  }
}
