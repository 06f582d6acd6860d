import { isWithin, listOf, parentPointer, valueAtPointer } from '../../text/json/json-values.ts'
import { addTo, groupBy } from '../../text/plain/lists.ts'
import { type Config, settingOf } from '../config/project-config.ts'
import type { Division, DocsConfig } from '../navigation/docs-config.ts'
import type { JsonEdit } from '../navigation/edit-json.ts'
import { divisionLists } from '../navigation/read-divisions.ts'
import { separateBranches } from './branch-folders.ts'
import { withoutPageExtension } from './generated-page.ts'
import type { LockedDivision, LockedSource, LockFile } from './lock-file.ts'
import type { DeclaredDivision, DeclaredSource, PlannedGroup, PlannedPage } from './subjects.ts'
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
  /** Indexes of removed entries, by the pointer of their list. */
  readonly removed: Map<string, number[]>
  /** New entries, and those with a new path. */
  readonly edits: JsonEdit[]
}

/** Collects the page entries of all divisions. */
export function collectEntries({ divisions }: DocsConfig): Entries {
  const listings = new Map<string, Listing[]>()
  for (const { entries } of divisions) {
    for (const entry of entries) {
      if (entry.kind !== 'page') continue
      const index = Number(entry.pointer.slice(entry.pointer.lastIndexOf('/') + 1))
      const listing = { array: parentPointer(entry.pointer), index }
      addTo(listings, entry.path, listing)
    }
  }
  return { listings, removed: new Map(), edits: [] }
}

/** Removes entries of a page and returns their number. */
export function removeEntries({ listings, removed }: Entries, path: string, isMeant: (listing: Listing) => boolean): number {
  const found = listings.get(path) ?? []
  const going = found.filter(isMeant)
  for (const { array, index } of going) addTo(removed, array, index)
  const staying = found.filter((listing) => !going.includes(listing))
  if (staying.length > 0) listings.set(path, staying)
  else listings.delete(path)
  return going.length
}

/** Changes the path in all entries of a page. */
export function moveEntries({ listings, edits }: Entries, from: string, to: string): void {
  const found = listings.get(from)
  if (!found) return
  listings.delete(from)
  listings.set(to, [...(listings.get(to) ?? []), ...found])
  for (const { array, index } of found) edits.push({ kind: 'replace', array, index, value: to })
}

/** Inserts an entry before the given position. */
export function insertEntry({ edits }: Entries, { array, index }: Listing, path: string): void {
  edits.push({ kind: 'insert', array, index, values: [path] })
}

/** Returns the length of a list in `docs.json`. */
export function lengthOf({ value }: DocsConfig, array: string): number {
  return listOf(valueAtPointer(value, array)).length
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

/** Finds the entry of a page in the division, or else the first entry anywhere. */
export function findListing({ entries, division }: DivisionState, path: string): Listing | undefined {
  const found = entries.listings.get(withoutPageExtension(path))
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
    const listings = entries.listings.get(withoutPageExtension(page.path)) ?? []
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
      removeEntries(entries, withoutPageExtension(page.path), (candidate) => candidate === listing)
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
  const listed = known.filter(({ path }) => state.entries.listings.has(withoutPageExtension(path))).length
  const counts = new Map<string, number>()
  for (const { path } of known) {
    const arrays = new Set((state.entries.listings.get(withoutPageExtension(path)) ?? []).map(({ array }) => array))
    for (const array of arrays) if (!primary.has(array)) counts.set(array, (counts.get(array) ?? 0) + 1)
  }
  let added = 0
  for (const [array, count] of counts) {
    if (count * 2 < listed) continue
    const find = ({ path }: PlannedPage) => {
      return state.entries.listings.get(withoutPageExtension(path))?.find((listing) => listing.array === array)
    }
    added += insertBeside(state, pages.map(find), pages, ({ path, adopted }) => adopted !== undefined && isNew(path))
  }
  return added
}

/** Inserts new pages next to the listed pages before them, or before the first one. Returns the number of entries. */
export function insertBeside(
  { entries }: DivisionState,
  listings: readonly (Listing | undefined)[],
  pages: readonly PlannedPage[],
  isNew: (page: PlannedPage) => boolean,
): number {
  let place = listings.find((listing) => listing !== undefined)
  let added = 0
  for (const [index, page] of pages.entries()) {
    const listing = listings[index]
    if (listing) place = { array: listing.array, index: listing.index + 1 }
    else if (place && isNew(page)) {
      insertEntry(entries, place, withoutPageExtension(page.path))
      added++
    }
  }
  return added
}

/**
 * Lists the divisions that have or had generated pages, in document order.
 *
 * A division declares its documents in its `openapi` key, or in the lock file once the key has moved there. Putting a key back
 * declares the division again, unless the key was left for documents that could not be moved yet.
 */
export function declareDivisions(docsConfig: DocsConfig, lock: LockFile, config: Config): DeclaredDivision[] {
  const locked = matchLockedDivisions(docsConfig, lock)
  const lockedIds = new Set(lock.divisions.map(({ id }) => id))
  const controlled = findManualDivisions(docsConfig)
  const declared = docsConfig.divisions.flatMap((division): DeclaredDivision | [] => {
    const lockedDivision = locked.get(division.id)
    const hasLists = division.keys.some((key) => key === 'pages' || Object.hasOwn(divisionLists, key))
    const sources = declareSources(division, lockedDivision).map((one) => ({
      ...one,
      isLeftToSites: !hasLists && one.isInKey && one.adopted === 'fixed',
    }))
    if (sources.length === 0) return []
    // The key can be there for some documents only, and its division still has pages of the others.
    const isKeyThere = sources.some(({ isInKey }) => isInKey) && sources.every(({ isInKey, adopted }) => isInKey || adopted)
    // An entry that a person adds to a key left for some documents removes no pages of the others.
    const isListed = isKeyThere && controlled.has(division.pointer)
    const isVirtual = isKeyThere && (!canContainGroups(division) || !settingOf(config.materialize, division))
    return {
      id: division.id,
      // The lock file can have this ID for another division.
      lockedId: lockedDivision?.id ?? (lockedIds.has(division.id) ? `${division.id}#new` : division.id),
      label: division.label,
      branch: division.branch,
      pointer: division.pointer,
      version: division.version,
      mode: isVirtual ? 'virtual' : isListed && settingOf(config.unlisted, division) !== 'add' ? 'listed' : 'automatic',
      keepsKey: isListed,
      schemas: settingOf(config.schemas, division),
      overviews: settingOf(config.overviews, division) === true,
      sources,
      order: settingOf(config.order, division),
      methodOrder: settingOf(config.methodOrder, division),
      lockedSources: lockedDivision?.sources ?? [],
    }
  })
  return separateBranches(docsConfig, declared)
}

/** Hosts show no groups of `navigation` next to lists of other divisions. */
export function canContainGroups({ kind, keys }: Division): boolean {
  return kind !== 'navigation' || keys.every((key) => !siblingDivisionLists.has(key))
}

const siblingDivisionLists = new Set(['products', 'languages', 'versions', 'tabs', 'dropdowns', 'anchors', 'menu'])

function declareSources(division: Division, locked: LockedDivision | undefined): DeclaredSource[] {
  const inKey = new Map<string, DeclaredSource>()
  for (const { source, directory } of division.sources) {
    if (!inKey.has(source)) inKey.set(source, { source, directory, isInKey: true })
  }
  const known = locked?.sources ?? []
  // A key that was left names documents with errors, or other ones that a person wrote in their place. It can name none that moved to the lock file.
  const wasLeft = inKey.size === 0 || known.some(({ pending }) => pending)
  const isLeftOver = wasLeft && !known.some(({ source, pending }) => !pending && inKey.has(source))
  // A key on an adopted division takes over the document it names. The other documents are unchanged.
  const isKept = ({ source, adopted }: LockedSource) => adopted && !inKey.has(source)
  if (!isLeftOver) {
    const kept = known.filter(isKept).map(({ source, directory, adopted }) => ({ source, directory, isInKey: false, adopted }))
    return [...inKey.values(), ...kept]
  }
  // Keep the order from the lock file, which is the order of the key before a part of it was moved. Page names depend on it.
  const declared = known.flatMap(({ source, directory, pending, adopted }): DeclaredSource | [] => {
    if (adopted) return { source, directory, isInKey: inKey.has(source), adopted }
    const entry = pending ? inKey.get(source) : { source, directory, isInKey: false }
    return entry ?? []
  })
  return [...declared, ...[...inKey.values()].filter(({ source }) => !known.some((entry) => entry.source === source))]
}

/**
 * Returns pointers of divisions with an `openapi` key that explicit entries without a file depend on. The user manages these
 * divisions.
 */
function findManualDivisions(docsConfig: DocsConfig): Set<string> {
  const owners = new Set<string>()
  for (const { inherited, entries } of docsConfig.divisions) {
    const relies = entries.some((entry) => entry.kind === 'explicit' && entry.binding.file === undefined)
    if (inherited && relies) owners.add(inherited.owner)
  }
  return owners
}

/**
 * Matches divisions of the lock file by ID. A division with a changed label or location is found by the pages it lists. So are
 * divisions with the same label, whose IDs depend on their order.
 */
function matchLockedDivisions(docsConfig: DocsConfig, lock: LockFile): Map<string, LockedDivision> {
  const matched = new Map<string, LockedDivision>()
  const open = new Set(lock.divisions)
  const match = (division: Division | undefined, locked: LockedDivision) => {
    if (!division || matched.has(division.id)) return
    matched.set(division.id, locked)
    open.delete(locked)
  }
  const matchByPages = (locked: LockedDivision, candidates: readonly Division[]) => {
    const own = lock.pages.filter(({ division }) => division === locked.id)
    const paths = new Set(own.flatMap(({ path, movedFrom = path }) => [path, movedFrom].map((one) => withoutPageExtension(one))))
    const [best] = candidates
      .filter(({ id }) => !matched.has(id))
      .map((division) => ({ division, count: countListed(docsConfig, division, paths) }))
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.count - a.count || Number(b.division.id === locked.id) - Number(a.division.id === locked.id))
    match(best?.division, locked)
  }
  const byName = groupBy(docsConfig.divisions, ({ id }) => toNames(id))
  const byId = new Map(docsConfig.divisions.map((division) => [division.id, division]))
  const byKind = groupBy(docsConfig.divisions, ({ id }) => kindOf(id))
  for (const locked of open) {
    const candidates = byName.get(toNames(locked.id)) ?? []
    if (candidates.length > 1) matchByPages(locked, candidates)
  }
  for (const locked of open) match(byId.get(locked.id), locked)
  for (const locked of open) matchByPages(locked, byKind.get(kindOf(locked.id)) ?? [])
  return matched
}

/** Removes the numbers of divisions with the same label or none from an ID. */
function toNames(id: string): string {
  return id.replace(/#\d+(?=\/|$)/g, '')
}

function kindOf(id: string): string | undefined {
  return id.split('/').at(-2)
}

function countListed(docsConfig: DocsConfig, { pointer }: Division, paths: ReadonlySet<string>): number {
  return docsConfig.divisions
    .filter((division) => isWithin(division.pointer, pointer))
    .flatMap(({ entries }) => entries)
    .filter((entry) => entry.kind === 'page' && paths.has(entry.path)).length
}
