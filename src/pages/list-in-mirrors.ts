import { type DivisionState, findListing, insertEntry, type Listing, toEntry } from './list-entries.ts'
import type { PlannedPage } from './types.ts'

/**
 * Lists new pages among adopted ones a second time where the others are listed twice: people show the same reference in several versions or
 * products. Returns how many entries that makes.
 *
 * A list is taken for such a second one when it has at least half of the pages that the first one has, so that a guide that shows one page is none.
 */
export function listInMirrors(state: DivisionState, pages: readonly PlannedPage[], isNew: (path: string) => boolean): number {
  if (!pages.some(({ path, adopted }) => adopted !== undefined && isNew(path))) return 0
  const known = pages.filter(({ path }) => !isNew(path))
  const primary = new Set(known.flatMap(({ path }) => findListing(state, path)?.array ?? []))
  const listed = known.filter(({ path }) => state.entries.listings.has(toEntry(path))).length
  const counts = new Map<string, number>()
  for (const { path } of known) {
    const arrays = new Set((state.entries.listings.get(toEntry(path)) ?? []).map(({ array }) => array))
    for (const array of arrays) if (!primary.has(array)) counts.set(array, (counts.get(array) ?? 0) + 1)
  }
  let added = 0
  for (const [array, count] of counts) {
    if (count * 2 < listed) continue
    const listings = pages.map(({ path }) => findIn(state, path, array))
    let place = listings.find((listing) => listing !== undefined)
    pages.forEach(({ path, adopted }, index) => {
      const listing = listings[index]
      if (listing) place = { array, index: listing.index + 1 }
      else if (place && adopted !== undefined && isNew(path)) {
        insertEntry(state.entries, place, toEntry(path))
        added++
      }
    })
  }
  return added
}

function findIn({ entries }: DivisionState, path: string, array: string): Listing | undefined {
  return entries.listings.get(toEntry(path))?.find((listing) => listing.array === array)
}
