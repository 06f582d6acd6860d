import type { JsonEdit } from '../docs/edit-json.ts'
import { groupBy } from '../text/group-by.ts'
import { parentPointer } from '../text/json-pointer.ts'
import { isWithin } from './declare-divisions.ts'
import { type DivisionState, type Listing, removeEntries, toEntry } from './list-entries.ts'
import type { PlannedGroup, PlannedPage } from './types.ts'

/**
 * Takes the entries of pages whose operation has got another group out of the group that they were put into; `toList` has the pages, which
 * are then listed like new ones.
 *
 * Where all pages of a group go to one that is not there yet, the group gets its label instead. An entry that somebody has moved, or whose
 * group somebody has given another label, stays.
 */
export function regroupEntries(
  state: DivisionState,
  groups: readonly PlannedGroup[],
): { readonly edits: readonly JsonEdit[]; readonly toList: readonly string[] } {
  const pages = groups.flatMap((group) => group.pages)
  if (!pages.some(isRegrouped)) return { edits: [], toList: [] }
  const { entries, byPointer, division } = state
  const placed = pages.flatMap((page): PlacedPage[] => {
    const listings = entries.listings.get(toEntry(page.path)) ?? []
    return listings.filter(({ array }) => isWithin(array, division.pointer)).map((listing) => ({ page, listing }))
  })
  const byArray = groupBy(placed, ({ listing }) => listing.array)
  const labelOf = (array: string) => {
    const owner = byPointer.get(parentPointer(array))
    return owner?.kind === 'group' ? owner.label : undefined
  }
  const isLeaving = ({ page, listing }: PlacedPage) => isRegrouped(page) && page.formerGroup === labelOf(listing.array)
  const inUse = new Set(placed.filter((entry) => !isLeaving(entry)).map(({ page }) => page.traits.group))
  const edits: JsonEdit[] = []
  const toList: string[] = []
  for (const [array, members] of byArray) {
    const leaving = members.filter(isLeaving)
    const label = leaving[0]?.page.traits.group
    if (label === undefined) continue
    const isWhole = leaving.length === members.length && leaving.every(({ page }) => page.traits.group === label)
    if (isWhole && !inUse.has(label)) {
      edits.push({ kind: 'set', object: parentPointer(array), key: 'group', value: label })
      inUse.add(label)
      continue
    }
    for (const { page, listing } of leaving) {
      removeEntries(entries, toEntry(page.path), (candidate) => candidate === listing)
      toList.push(page.path)
    }
  }
  return { edits, toList }
}

interface PlacedPage {
  readonly page: PlannedPage
  readonly listing: Listing
}

function isRegrouped({ kind, traits, formerGroup }: PlannedPage): boolean {
  return kind === 'generated' && formerGroup !== undefined && formerGroup !== traits.group
}
