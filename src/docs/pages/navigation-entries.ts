import { isWithin, parentPointer, valueAtPointer } from '../../text/json/json-values.ts'
import { groupBy } from '../../text/plain/lists.ts'
import type { Division, DocsConfig } from '../navigation/docs-config.ts'
import type { JsonEdit } from '../navigation/edit-json.ts'
import type { PlannedGroup, PlannedPage } from './subjects.ts'
import { toGroupKey } from './wanted-subjects.ts'

/** Location of a page's entry in `docs.json`. */
export interface Listing {
  /** Pointer of the list. */
  readonly array: string
  readonly index: number
}

/** Page entries and the changes to them. */
export interface Entries {
  /** Remaining entries, by page path without extension. */
  readonly listings: Map<string, Listing[]>
  /** Removed entries, by the pointer of their list. */
  readonly removed: Map<string, Set<number>>
  /** Entries with a new path, by the pointer of their list and their index. */
  readonly replaced: Map<string, Map<number, string>>
  /** New entries, by the pointer of their list and the index they are inserted before. */
  readonly inserted: Map<string, Map<number, string[]>>
}

/** Collects the page entries of all divisions. */
export function collectEntries({ divisions }: DocsConfig): Entries {
  const listings = new Map<string, Listing[]>()
  for (const { entries } of divisions) {
    for (const entry of entries) {
      if (entry.kind !== 'page') continue
      const index = Number(entry.pointer.slice(entry.pointer.lastIndexOf('/') + 1))
      const listing = { array: parentPointer(entry.pointer), index }
      const known = listings.get(entry.path)
      if (known) known.push(listing)
      else listings.set(entry.path, [listing])
    }
  }
  return { listings, removed: new Map(), replaced: new Map(), inserted: new Map() }
}

/** Removes entries of a page and returns their number. */
export function removeEntries({ listings, removed }: Entries, path: string, isMeant: (listing: Listing) => boolean): number {
  const found = listings.get(path) ?? []
  const going = found.filter(isMeant)
  for (const { array, index } of going) {
    const indexes = removed.get(array)
    if (indexes) indexes.add(index)
    else removed.set(array, new Set([index]))
  }
  const staying = found.filter((listing) => !going.includes(listing))
  if (staying.length > 0) listings.set(path, staying)
  else listings.delete(path)
  return going.length
}

/** Changes the path in all entries of a page. */
export function moveEntries({ listings, replaced }: Entries, from: string, to: string): void {
  const found = listings.get(from)
  if (!found) return
  listings.delete(from)
  listings.set(to, [...(listings.get(to) ?? []), ...found])
  for (const { array, index } of found) setAt(replaced, array, index, to)
}

/** Inserts an entry before the given position. */
export function insertEntry({ inserted }: Entries, { array, index }: Listing, path: string): void {
  const values = inserted.get(array)?.get(index)
  if (values) values.push(path)
  else setAt(inserted, array, index, [path])
}

/** Sets a value by list and index. */
export function setAt<Value>(map: Map<string, Map<number, Value>>, array: string, index: number, value: Value): void {
  const inArray = map.get(array)
  if (inArray) inArray.set(index, value)
  else map.set(array, new Map([[index, value]]))
}

/** Returns the length of a list in `docs.json`. */
export function lengthOf({ value }: DocsConfig, array: string): number {
  const list = valueAtPointer(value, array)
  return Array.isArray(list) ? list.length : 0
}

/** State for planning the entries of one division. */
export interface DivisionState {
  readonly docsConfig: DocsConfig
  readonly byPointer: ReadonlyMap<string, Division>
  readonly entries: Entries
  readonly division: Division
  readonly home: GroupTarget
}

/** The list of a division that new groups are added to. */
export interface GroupTarget {
  readonly array: string
  readonly key: 'groups' | 'pages'
  readonly exists: boolean
}

/** Returns the path of a page as written in an entry. */
export function toEntry(path: string): string {
  return path.replace(/\.mdx?$/, '')
}

/** Finds the entry of a page in the division, or else the first entry anywhere. */
export function findListing({ entries, division }: DivisionState, path: string): Listing | undefined {
  const found = entries.listings.get(toEntry(path))
  return found?.find(({ array }) => isWithin(array, division.pointer)) ?? found?.[0]
}

/**
 * Removes the entries of pages from their group if their operation now belongs to another group. They are added to `toList` and
 * listed like new pages.
 *
 * If all pages of a group move to a new group, the group is relabeled instead. Entries that were moved manually, and groups that
 * were relabeled manually, are not changed.
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
  const isLeaving = ({ page, listing: { array } }: PlacedPage) => {
    const key = listGroupLabels(array, state).join(' / ')
    // A top-level group that was moved into another one manually is still that group.
    const isFormer = page.formerGroup === labelOf(array) || page.formerGroup === key
    return isRegrouped(page) && isFormer && page.traits.group !== key
  }
  const groupOf = new Map(groups.map((group) => [toGroupKey(group), group]))
  const inUse = new Set(placed.filter((entry) => !isLeaving(entry)).map(({ page }) => page.traits.group))
  const edits: JsonEdit[] = []
  const toList: string[] = []
  for (const [array, members] of byArray) {
    const leaving = members.filter(isLeaving)
    const key = leaving[0]?.page.traits.group
    if (key === undefined) continue
    const { label, parents } = groupOf.get(key) ?? { label: key, parents: [] }
    const isWhole = leaving.length === members.length && leaving.every(({ page }) => page.traits.group === key)
    const isTop = parents.length === 0 && leaving[0]?.page.formerGroup === labelOf(array)
    const isInPlace = isTop || parents.join(' / ') === listGroupLabels(array, state).slice(0, -1).join(' / ')
    if (isWhole && !inUse.has(key) && isInPlace) {
      edits.push({ kind: 'set', object: parentPointer(array), key: 'group', value: label })
      inUse.add(key)
      continue
    }
    for (const { page, listing } of leaving) {
      removeEntries(entries, toEntry(page.path), (candidate) => candidate === listing)
      toList.push(page.path)
    }
  }
  return { edits, toList }
}

/** The labels of the groups of a division that contain a list, outermost first. */
function listGroupLabels(array: string, { byPointer, home }: DivisionState): string[] {
  const labels: string[] = []
  for (let owner = parentPointer(array); owner.startsWith(`${home.array}/`); owner = parentPointer(parentPointer(owner))) {
    const division = byPointer.get(owner)
    if (division?.kind !== 'group') break
    labels.unshift(division.label)
  }
  return labels
}

interface PlacedPage {
  readonly page: PlannedPage
  readonly listing: Listing
}

function isRegrouped({ kind, traits, formerGroup }: PlannedPage): boolean {
  return kind === 'generated' && formerGroup !== undefined && formerGroup !== traits.group
}

/**
 * Adds new pages to mirrored lists of adopted pages, since some sites show the same reference in several versions or products.
 * Returns the number of added entries.
 *
 * A list is a mirror if it contains at least half of the pages of the first list. A single page that is linked from a guide does
 * not count.
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
