import type { JsonEdit } from '../docs/edit-json.ts'
import type { Division, DocsConfig } from '../docs/types.ts'
import { parentPointer, valueAtPointer } from '../text/json-pointer.ts'
import { isWithin } from './declare-divisions.ts'
import type { PageOutcome } from './plan-file-changes.ts'
import type { PlannedDivision, PlannedGroup } from './types.ts'

export interface NavigationPlan {
  readonly edits: readonly JsonEdit[]
  readonly added: number
  readonly removed: number
}

/** Where an entry stands. */
interface Listing {
  /** Pointer of the list. */
  readonly array: string
  readonly index: number
}

/**
 * Plans the entries of pages in `docs.json`.
 *
 * A new page is listed beside its siblings: after the one that comes before it in the plan, wherever somebody has moved that one. A group of
 * which nothing is listed is new; it goes after the group that comes before it, else to the end of its division: into `pages` of a group,
 * into `groups` of every other division. Entries that are there stay where they are.
 */
export function planNavigation(
  docsConfig: DocsConfig | undefined,
  divisions: readonly PlannedDivision[],
  outcomes: readonly PageOutcome[],
): NavigationPlan {
  if (!docsConfig) return { edits: [], added: 0, removed: 0 }
  const pathsWith = (entry: PageOutcome['entry']) =>
    new Set(outcomes.filter((page) => page.entry === entry).map(({ path }) => withoutExtension(path)))
  const toRemove = pathsWith('remove')
  const toList = pathsWith('add')
  const listings = listEntries(docsConfig)
  const staying = new Map([...listings].filter(([path]) => !toRemove.has(path)))
  const removals = [...listings].filter(([path]) => toRemove.has(path)).flatMap(([, places]) => places)
  const insertions: Insertions = { edits: [], arrays: new Set(), added: 0 }
  const byId = new Map(docsConfig.divisions.map((division) => [division.id, division]))
  for (const planned of divisions) {
    const division = byId.get(planned.id)
    if (division) listDivision({ docsConfig, toList, listings: staying }, division, planned.groups, insertions)
  }
  const edits = [...insertions.edits, ...toRemovals(docsConfig, removals, insertions.arrays)]
  return { edits, added: insertions.added, removed: removals.length }
}

interface Insertions {
  readonly edits: JsonEdit[]
  /** Lists that get new elements. */
  readonly arrays: Set<string>
  added: number
}

/** By page path without extension. */
type Listings = ReadonlyMap<string, readonly Listing[]>

function listEntries(docsConfig: DocsConfig): Map<string, Listing[]> {
  const listings = new Map<string, Listing[]>()
  for (const { entries } of docsConfig.divisions) {
    for (const entry of entries) {
      if (entry.kind !== 'page') continue
      const listing = {
        array: parentPointer(entry.pointer),
        index: Number(entry.pointer.slice(entry.pointer.lastIndexOf('/') + 1)),
      }
      listings.set(entry.path, [...(listings.get(entry.path) ?? []), listing])
    }
  }
  return listings
}

interface NavigationState {
  readonly docsConfig: DocsConfig
  /** Paths with extension. */
  readonly toList: ReadonlySet<string>
  /** Of the entries that stay. */
  readonly listings: Listings
}

function listDivision(
  { docsConfig, toList, listings }: NavigationState,
  division: Division,
  groups: readonly PlannedGroup[],
  insertions: Insertions,
): void {
  const home = toHome(division)
  const newGroups: { readonly group: NewGroup; readonly index: number | undefined }[] = []
  const homes = groups.map((group) => findGroup(docsConfig, division, home, group, listings))
  groups.forEach((group, position) => {
    const paths = group.pages.map(({ path }) => withoutExtension(path))
    const newPaths = paths.filter((path) => toList.has(path) && !listings.has(path))
    if (newPaths.length === 0) return
    insertions.added += newPaths.length
    const places = newPaths.flatMap((path) => placeAmongSiblings(paths, path, division, listings) ?? [])
    places.forEach((place, index) => {
      insertEntry(insertions, place, newPaths[index] ?? '')
    })
    if (places.length > 0) return
    const near = findNear({ docsConfig, toList, listings }, division, groups, position)
    if (near?.kind === 'entry') {
      for (const path of newPaths) insertEntry(insertions, near, path)
      return
    }
    const before = homes.slice(0, position).findLast((index) => index !== undefined)
    const after = homes.slice(position + 1).find((index) => index !== undefined)
    const newGroup = { group: group.label, pages: newPaths }
    const isElsewhere = before === undefined && after === undefined && near !== undefined
    if (isElsewhere) insertEntry(insertions, near, newGroup)
    else newGroups.push({ group: newGroup, index: before === undefined ? after : before + 1 })
  })
  if (newGroups.length === 0) return
  if (!home.exists) {
    insertions.edits.push({ kind: 'set', object: division.pointer, key: home.key, value: newGroups.map(({ group }) => group) })
    return
  }
  const array = `${division.pointer}/${home.key}`
  insertions.arrays.add(array)
  const length = lengthOf(docsConfig, array)
  for (const { group, index } of newGroups)
    insertions.edits.push({ kind: 'insert', array, index: index ?? length, values: [group] })
}

interface NewGroup {
  readonly group: string
  readonly pages: readonly string[]
}

/** The list of a division that takes groups. */
interface Home {
  readonly key: 'groups' | 'pages'
  readonly exists: boolean
}

function toHome({ kind, keys }: Division): Home {
  const intoPages = kind === 'group' || (kind === 'navigation' && keys.includes('pages') && !keys.includes('groups'))
  const key = intoPages ? 'pages' : 'groups'
  return { key, exists: keys.includes(key) }
}

/** The index in the division's list of the group that lists pages of a planned group. */
function findGroup(
  docsConfig: DocsConfig,
  division: Division,
  home: Home,
  group: PlannedGroup,
  listings: Listings,
): number | undefined {
  const array = `${division.pointer}/${home.key}`
  for (const { path } of group.pages) {
    for (const listing of listings.get(withoutExtension(path)) ?? []) {
      const owner = parentPointer(listing.array)
      const isGroup = docsConfig.divisions.some(({ pointer, kind }) => pointer === owner && kind === 'group')
      if (isGroup && parentPointer(owner) === array) return Number(owner.slice(array.length + 1))
    }
  }
  return undefined
}

/** Absent where no sibling is listed; then none is for any page of the group. */
function placeAmongSiblings(paths: readonly string[], path: string, division: Division, listings: Listings): Listing | undefined {
  const position = paths.indexOf(path)
  const find = (sibling: string): Listing | undefined => {
    const found = listings.get(sibling)
    return found?.find(({ array }) => isWithin(array, division.pointer)) ?? found?.[0]
  }
  for (let index = position - 1; index >= 0; index--) {
    const sibling = find(paths[index] ?? '')
    if (sibling) return { array: sibling.array, index: sibling.index + 1 }
  }
  for (let index = position + 1; index < paths.length; index++) {
    const sibling = find(paths[index] ?? '')
    if (sibling) return sibling
  }
  return undefined
}

function insertEntry(insertions: Insertions, { array, index }: Listing, entry: string | NewGroup): void {
  insertions.arrays.add(array)
  insertions.edits.push({ kind: 'insert', array, index, values: [entry] })
}

/**
 * Where a group of which nothing is listed goes, by the pages that come before it in the plan, else after it: among their entries where the list
 * has pages of several groups, else beside the group that lists them.
 */
function findNear(
  { docsConfig, listings }: NavigationState,
  division: Division,
  groups: readonly PlannedGroup[],
  position: number,
): (Listing & { readonly kind: 'entry' | 'group' }) | undefined {
  const labels = new Map<string, Set<number>>()
  const places = groups.map(({ pages }, index) =>
    pages.flatMap(({ path }) => {
      const found = listings.get(withoutExtension(path))?.find(({ array }) => isWithin(array, division.pointer))
      if (found) labels.set(found.array, (labels.get(found.array) ?? new Set()).add(index))
      return found ?? []
    }),
  )
  const before = places.slice(0, position).flat().at(-1)
  const near = before ?? places.slice(position + 1).flat()[0]
  if (!near) return undefined
  const step = before ? 1 : 0
  const owner = parentPointer(near.array)
  const isGroup = docsConfig.divisions.some(({ pointer, kind }) => pointer === owner && kind === 'group')
  const isShared = (labels.get(near.array)?.size ?? 0) > 1
  if (!isGroup || isShared) return { kind: 'entry', array: near.array, index: near.index + step }
  return { kind: 'group', array: parentPointer(owner), index: Number(owner.slice(owner.lastIndexOf('/') + 1)) + step }
}

/** A group that has nothing left in it goes too, when it has nothing but its name. */
function toRemovals(docsConfig: DocsConfig, removals: readonly Listing[], growing: ReadonlySet<string>): JsonEdit[] {
  const counts = new Map<string, number>()
  for (const { array } of removals) counts.set(array, (counts.get(array) ?? 0) + 1)
  const emptied = new Set<string>()
  for (const { pointer, kind, keys } of docsConfig.divisions) {
    const array = `${pointer}/pages`
    const isPlain = kind === 'group' && keys.every((key) => key === 'group' || key === 'pages')
    const length = counts.has(array) ? lengthOf(docsConfig, array) : 0
    if (isPlain && !growing.has(array) && length > 0 && length === counts.get(array)) emptied.add(pointer)
  }
  const entries = removals.filter(({ array }) => !emptied.has(parentPointer(array)))
  return [...emptied, ...entries.map(({ array, index }) => `${array}/${index}`)].map((pointer) => ({ kind: 'remove', pointer }))
}

function lengthOf({ value }: DocsConfig, array: string): number {
  const list = valueAtPointer(value, array)
  return Array.isArray(list) ? list.length : 0
}

function withoutExtension(path: string): string {
  return path.replace(/\.mdx?$/, '')
}
