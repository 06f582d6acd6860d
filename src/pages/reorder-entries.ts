import type { JsonEdit } from '../docs/edit-json.ts'
import { groupBy } from '../text/group-by.ts'
import { type DivisionState, findListing, lengthOf, setAt, toEntry } from './list-entries.ts'
import type { PlannedDivision, PlannedGroup } from './types.ts'

export interface Reordering {
  readonly edits: readonly JsonEdit[]
  /** Where each planned group stands afterwards. */
  readonly places: readonly (number | undefined)[]
  /** Pointers of lists that somebody has put in an order of his own; they stay in it. */
  readonly orderedByHand: readonly string[]
}

/**
 * Puts the groups of a division, and the entries in each, into the order of its setting where that has changed. Entries of others keep
 * their places among them.
 *
 * Only a list that is in the order of the setting before is reordered: any other order is somebody's own.
 *
 * @param places where each planned group stands in the list of groups.
 */
export function reorderEntries(
  state: DivisionState,
  { groups, formerGroups }: PlannedDivision,
  places: readonly (number | undefined)[],
): Reordering {
  if (!formerGroups) return { edits: [], places, orderedByHand: [] }
  const orderedByHand = reorderPages(state, groups, formerGroups)
  const { array } = state.home
  const toId = ({ label, source }: PlannedGroup) => `${source} ${label}`
  const placeOf = new Map(groups.map((group, index) => [toId(group), places[index]]))
  const listPlaces = (ordered: readonly PlannedGroup[]) => ordered.flatMap((group) => placeOf.get(toId(group)) ?? [])
  const wanted = listPlaces(groups)
  const slots = wanted.toSorted((a, b) => a - b)
  if (isSame(slots, wanted)) return { edits: [], places, orderedByHand }
  if (!isSame(slots, listPlaces(formerGroups))) return { edits: [], places, orderedByHand: [...orderedByHand, array] }
  const order = Array.from({ length: lengthOf(state.docsConfig, array) }, (_, index) => index)
  slots.forEach((slot, index) => {
    order[slot] = wanted[index] ?? slot
  })
  const moved = new Map(order.map((from, to) => [from, to]))
  return {
    edits: [{ kind: 'reorder', array, order }],
    places: places.map((place) => (place === undefined ? undefined : moved.get(place))),
    orderedByHand,
  }
}

function reorderPages(state: DivisionState, groups: readonly PlannedGroup[], formerGroups: readonly PlannedGroup[]): string[] {
  const orderedByHand: string[] = []
  const former = new Map(formerGroups.flatMap(({ pages }) => pages).map(({ path }, index) => [path, index]))
  for (const { pages } of groups) {
    const placed = pages.flatMap(({ path }) => {
      const listing = findListing(state, path)
      return listing ? { path, listing } : []
    })
    for (const [array, wanted] of groupBy(placed, ({ listing }) => listing.array)) {
      const now = wanted.toSorted((a, b) => a.listing.index - b.listing.index)
      const before = wanted.toSorted((a, b) => (former.get(a.path) ?? 0) - (former.get(b.path) ?? 0))
      if (isSame(now, wanted)) continue
      if (!isSame(now, before)) {
        orderedByHand.push(array)
        continue
      }
      const slots = now.map(({ listing }) => listing)
      wanted.forEach(({ path, listing }, index) => {
        const slot = slots[index]
        if (!slot || slot === listing) return
        setAt(state.entries.replaced, array, slot.index, toEntry(path))
        const others = (state.entries.listings.get(toEntry(path)) ?? []).filter((other) => other !== listing)
        state.entries.listings.set(toEntry(path), [slot, ...others])
      })
    }
  }
  return orderedByHand
}

function isSame<Value>(a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}
