/** Runs work on each item, on at most `limit` items at a time. Begins no further work after a failure. */
export async function forEachLimited<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  let left = items.values()
  await Promise.all(
    Array.from({ length: Math.min(limit, items.length) }, async () => {
      for (let next = left.next(); !next.done; next = left.next()) {
        await work(next.value).catch((error: unknown) => {
          left = [].values()
          throw error
        })
      }
    }),
  )
}
