import type { StoreContext } from './store-context.ts'
import type { DeliveryStore } from './types.ts'

/** Well below the number of parameters that a statement may have. */
const idsAtOnce = 500

export function createDeliveryStore({ reader }: StoreContext): DeliveryStore {
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
  }
}
