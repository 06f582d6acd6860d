import { isWithin, parentPointer } from '../../text/json/json-values.ts'
import { countShared, groupBy } from '../../text/plain/lists.ts'
import type { Division, DocsConfig } from '../navigation/docs-config.ts'
import type { JsonEdit } from '../navigation/edit-json.ts'
import { withoutPageExtension } from '../pages/generated-page.ts'
import {
  collectEntries,
  type DivisionState,
  type Entries,
  findListing,
  type GroupTarget,
  insertBeside,
  insertEntry,
  type Listing,
  lengthOf,
  listInMirrors,
  moveEntries,
  regroupEntries,
  removeEntries,
} from '../pages/navigation-entries.ts'
import type { PagePlan, PlannedDivision, PlannedGroup } from '../pages/subjects.ts'
import { toGroupKey } from '../pages/wanted-subjects.ts'
import type { PageOutcome } from './plan-file-changes.ts'

export interface NavigationPlan {
  readonly edits: readonly JsonEdit[]
  readonly added: number
  readonly removed: number
  /** Pointers of lists in a custom order, which the `order` setting does not change. */
  readonly manuallyOrdered: readonly string[]
}

/**
 * Plans the changes to page entries in `docs.json`.
 *
 * A new page is inserted after its predecessor in the plan, even if that entry was moved manually. A group without listed pages
 * is new. It is inserted after the preceding group, or else at the end of the division: into `pages` of a group, or into `groups`
 * of any other division. Existing entries keep their place, unless their page moved, their operation has another group (see
 * `regroupEntries`), or the order setting changed (see `reorderEntries`).
 */
export function planNavigation(
  docsConfig: DocsConfig | undefined,
  divisions: readonly PlannedDivision[],
  outcomes: readonly PageOutcome[],
): NavigationPlan {
  if (!docsConfig) return { edits: [], added: 0, removed: 0, manuallyOrdered: [] }
  const entries = collectEntries(docsConfig)
  const toList = new Set<string>()
  let removed = 0
  for (const { entry, path, leftFrom } of outcomes) {
    if (entry === 'add') toList.add(path)
    if (leftFrom !== undefined) removed += removeEntries(entries, withoutPageExtension(leftFrom), () => true)
    if (entry === 'remove') removed += removeEntries(entries, withoutPageExtension(path), () => true)
  }
  for (const { movedFrom, path, edit } of outcomes) {
    if (movedFrom === undefined) continue
    const from = withoutPageExtension(movedFrom)
    const to = withoutPageExtension(path)
    // A person who moved a page may have listed it at its new place already.
    if (edit?.kind !== 'move' && entries.listings.has(to)) removed += removeEntries(entries, from, () => true)
    else moveEntries(entries, from, to)
  }
  const byId = new Map(docsConfig.divisions.map((division) => [division.id, division]))
  const byPointer = new Map(docsConfig.divisions.map((division) => [division.pointer, division]))
  const edits: JsonEdit[] = []
  const orderedByHand: string[] = []
  let added = 0
  for (const planned of divisions) {
    const division = byId.get(planned.id)
    if (!division) continue
    const state = { docsConfig, byPointer, entries, division, home: findGroupTarget(division) }
    const regrouped = regroupEntries(state, planned.groups)
    edits.push(...regrouped.edits)
    removed += regrouped.toList.length
    for (const path of regrouped.toList) toList.add(path)
    const places = planned.groups.map((group) => findGroup(state, group))
    const ordered = reorderEntries(state, planned, places)
    edits.push(...ordered.edits)
    orderedByHand.push(...ordered.manuallyOrdered)
    const listed = listNewPages(state, planned.groups, toList, ordered.places)
    edits.push(...listed.edits)
    added += listed.added
  }
  const pointers = new Set(divisions.flatMap(({ id }) => byId.get(id)?.pointer ?? []))
  edits.push(...entries.edits)
  edits.push(...toRemovals(docsConfig, entries, pointers, edits))
  return { edits, added, removed, manuallyOrdered: orderedByHand }
}

/** Replaces the entries of operations, such as `GET /pets`, by the pages that a site has for them. */
export function listEntryEdits({ divisions }: PagePlan): JsonEdit[] {
  return divisions.flatMap(({ groups }) =>
    groups.flatMap(({ pages }) =>
      pages.flatMap(({ path, entries = [] }) =>
        entries.map((pointer): JsonEdit => {
          const index = Number(pointer.slice(pointer.lastIndexOf('/') + 1))
          return { kind: 'replace', array: parentPointer(pointer), index, value: withoutPageExtension(path) }
        }),
      ),
    ),
  )
}

function findGroupTarget({ kind, keys, pointer }: Division): GroupTarget {
  const intoPages = kind === 'group' || (kind === 'navigation' && keys.includes('pages') && !keys.includes('groups'))
  const key = intoPages ? 'pages' : 'groups'
  return { array: `${pointer}/${key}`, key, exists: keys.includes(key) }
}

/** Finds the index of the navigation group that lists the pages of a planned group, or that contains this group. */
function findGroup({ entries, byPointer, home }: DivisionState, { pages, parents }: PlannedGroup): number | undefined {
  for (const { path } of pages) {
    for (const { array } of entries.listings.get(withoutPageExtension(path)) ?? []) {
      const owner = parentPointer(array)
      if (byPointer.get(owner)?.kind !== 'group') continue
      if (parentPointer(owner) === home.array) return Number(owner.slice(home.array.length + 1))
      if (parents.length > 0 && isWithin(owner, home.array)) return Number(owner.slice(home.array.length + 1).split('/')[0])
    }
  }
  return undefined
}

/** Inserts the entries of new pages. `places` has the index of the navigation group for each planned group. */
function listNewPages(
  state: DivisionState,
  groups: readonly PlannedGroup[],
  toList: ReadonlySet<string>,
  places: readonly (number | undefined)[],
): { edits: JsonEdit[]; added: number } {
  const { docsConfig, division, entries, home } = state
  const newGroups: { readonly group: NewGroup; readonly index: number | undefined }[] = []
  const elsewhere: JsonEdit[] = []
  let added = 0
  const isNew = (path: string) => toList.has(path) && !entries.listings.has(withoutPageExtension(path))
  // A group with the groups inside it.
  const units = groupBy(groups.entries(), ([, { source, parents, label }]) => `${source} ${parents[0] ?? label}`)
  for (const unit of units.values()) {
    const members = unit.map(([, group]) => group)
    const missing = members.flatMap((group): PlannedGroup[] => {
      const pages = group.pages.filter(({ path }) => isNew(path))
      const listed = pages.length === 0 ? 0 : listAmongSiblings(state, group, isNew)
      added += listed
      return pages.length === 0 || listed > 0 ? [] : [{ ...group, pages }]
    })
    const newPages = missing.flatMap(({ pages }) => pages)
    if (newPages.length === 0) continue
    const nested = listInsideUnit(state, members, missing)
    if (nested) {
      added += newPages.length
      elsewhere.push(...nested)
      continue
    }
    const [position = 0] = unit.map(([index]) => index)
    const near = findNear(state, groups, position)
    // If no adopted page is listed, new pages next to them are not listed either.
    if (!near && newPages.every(({ adopted }) => adopted !== undefined)) continue
    added += newPages.length
    if (near?.kind === 'entry') {
      for (const { path } of newPages) insertEntry(entries, near, withoutPageExtension(path))
      continue
    }
    const before = places.slice(0, position).findLast((index) => index !== undefined)
    const after = places.slice(position + 1).find((index) => index !== undefined)
    for (const group of toNewGroups(missing)) {
      if (before === undefined && after === undefined && near) {
        elsewhere.push({ kind: 'insert', array: near.array, index: near.index, values: [group] })
      } else newGroups.push({ group, index: before === undefined ? after : before + 1 })
    }
  }
  if (newGroups.length === 0) return { edits: elsewhere, added }
  if (!home.exists) {
    return {
      edits: [...elsewhere, { kind: 'set', object: division.pointer, key: home.key, value: newGroups.map(({ group }) => group) }],
      added,
    }
  }
  const length = lengthOf(docsConfig, home.array)
  const edits = newGroups.map(({ group, index = length }): JsonEdit => {
    return { kind: 'insert', array: home.array, index, values: [group] }
  })
  return { edits: [...elsewhere, ...edits], added }
}

/**
 * Inserts new pages next to listed pages of their group. Returns the number of entries, or none if no page of the group is
 * listed.
 */
function listAmongSiblings(state: DivisionState, { pages }: PlannedGroup, isNew: (path: string) => boolean): number {
  const listings = pages.map(({ path }) => (isNew(path) ? undefined : findListing(state, path)))
  const count = insertBeside(state, listings, pages, ({ path }) => isNew(path))
  return count === 0 ? 0 : count + listInMirrors(state, pages, isNew)
}

/**
 * Finds where to insert a new group: next to the pages that precede it in the plan, or else those that follow. In a list with
 * pages of several groups that is next to their entries, otherwise next to their group.
 */
function findNear(
  { byPointer, division, entries }: DivisionState,
  groups: readonly PlannedGroup[],
  position: number,
): (Listing & { readonly kind: 'entry' | 'group' }) | undefined {
  const labelsOf = new Map<string, Set<string>>()
  const places = groups.map(({ label, pages }) =>
    pages.flatMap(({ path }) => {
      const found = entries.listings.get(withoutPageExtension(path))?.find(({ array }) => isWithin(array, division.pointer))
      if (found) labelsOf.set(found.array, (labelsOf.get(found.array) ?? new Set()).add(label))
      return found ?? []
    }),
  )
  const before = places.slice(0, position).flat().at(-1)
  const near = before ?? places.slice(position + 1).flat()[0]
  if (!near) return undefined
  const step = before ? 1 : 0
  const owner = parentPointer(near.array)
  const isShared = (labelsOf.get(near.array)?.size ?? 0) > 1
  if (byPointer.get(owner)?.kind !== 'group' || isShared) return { kind: 'entry', array: near.array, index: near.index + step }
  return { kind: 'group', array: parentPointer(owner), index: Number(owner.slice(owner.lastIndexOf('/') + 1)) + step }
}

/** Removes entries. An emptied group is removed too if it has nothing but a label, and so is a group that contains only such groups. */
function toRemovals(
  docsConfig: DocsConfig,
  { removed }: Entries,
  divisions: ReadonlySet<string>,
  edits: readonly JsonEdit[],
): JsonEdit[] {
  const filled = new Set(edits.flatMap((edit) => (edit.kind === 'insert' ? edit.array : [])))
  const emptied = new Set<string>()
  const innerCounts = new Map<string, number>()
  // Inner groups come after the group that contains them.
  for (const { pointer, kind, keys } of docsConfig.divisions.toReversed()) {
    const array = `${pointer}/pages`
    const entryCount = removed.get(array)?.length ?? 0
    const groupCount = innerCounts.get(array) ?? 0
    const isPlain = kind === 'group' && keys.every((key) => key === 'group' || key === 'pages')
    const isEmptied = entryCount + groupCount > 0 && lengthOf(docsConfig, array) === entryCount + groupCount
    // A division keeps its place for new groups.
    const isKept = groupCount > 0 && divisions.has(pointer)
    if (!isPlain || !isEmptied || isKept || filled.has(array)) continue
    emptied.add(pointer)
    innerCounts.set(parentPointer(pointer), (innerCounts.get(parentPointer(pointer)) ?? 0) + 1)
  }
  const isInEmptied = (pointer: string) => emptied.has(parentPointer(parentPointer(pointer)))
  const pointers = [...removed].flatMap(([array, indexes]) =>
    emptied.has(parentPointer(array)) ? [] : indexes.map((index) => `${array}/${index}`),
  )
  return [...[...emptied].filter((pointer) => !isInEmptied(pointer)).reverse(), ...pointers].map((pointer) => ({
    kind: 'remove',
    pointer,
  }))
}

interface Reordering {
  readonly edits: readonly JsonEdit[]
  /** The index of each planned group after the changes. */
  readonly places: readonly (number | undefined)[]
  /** Pointers of lists in a custom order, which is preserved. */
  readonly manuallyOrdered: readonly string[]
}

/**
 * Reorders the groups of a division and their entries if the `order` setting has changed. Other entries keep their positions.
 *
 * Only lists in the order of the previous setting are changed. Any other order is intentional.
 *
 * @param places the index of each planned group in the list of groups.
 */
function reorderEntries(
  state: DivisionState,
  { groups, formerGroups }: PlannedDivision,
  places: readonly (number | undefined)[],
): Reordering {
  if (!formerGroups) return { edits: [], places, manuallyOrdered: [] }
  const orderedByHand = reorderPages(state, groups, formerGroups)
  // The order of nested groups is not changed.
  if (groups.some(({ parents }) => parents.length > 0)) return { edits: [], places, manuallyOrdered: orderedByHand }
  const { array } = state.home
  const toId = ({ label, source }: PlannedGroup) => `${source} ${label}`
  const placeOf = new Map(groups.map((group, index) => [toId(group), places[index]]))
  const listPlaces = (ordered: readonly PlannedGroup[]) => ordered.flatMap((group) => placeOf.get(toId(group)) ?? [])
  const wanted = listPlaces(groups)
  const slots = wanted.toSorted((a, b) => a - b)
  if (isSame(slots, wanted)) return { edits: [], places, manuallyOrdered: orderedByHand }
  // Entries of two groups can be in one group.
  const isShared = new Set(slots).size < slots.length
  if (isShared || !isSame(slots, listPlaces(formerGroups)))
    return { edits: [], places, manuallyOrdered: [...orderedByHand, array] }
  const order = Array.from({ length: lengthOf(state.docsConfig, array) }, (_, index) => index)
  slots.forEach((slot, index) => {
    order[slot] = wanted[index] ?? slot
  })
  const moved = new Map(order.map((from, to) => [from, to]))
  return {
    edits: [{ kind: 'reorder', array, order }],
    places: places.map((place) => (place === undefined ? undefined : moved.get(place))),
    manuallyOrdered: orderedByHand,
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
        state.entries.edits.push({ kind: 'replace', array, index: slot.index, value: withoutPageExtension(path) })
        const others = (state.entries.listings.get(withoutPageExtension(path)) ?? []).filter((other) => other !== listing)
        state.entries.listings.set(withoutPageExtension(path), [slot, ...others])
      })
    }
  }
  return orderedByHand
}

function isSame<Value>(a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}

/** A group of `docs.json`. */
interface NewGroup {
  readonly group: string
  readonly pages: readonly (string | NewGroup)[]
}

/** Nests new groups. A group comes before the groups inside it. */
function toNewGroups(groups: readonly Pick<PlannedGroup, 'label' | 'parents' | 'pages'>[]): NewGroup[] {
  const tops = groupBy(groups, ({ label, parents }) => parents[0] ?? label)
  return Array.from(tops, ([group, members]) => {
    const own = members.filter(({ parents }) => parents.length === 0)
    const inner = members.flatMap((member) =>
      member.parents.length === 0 ? [] : [{ ...member, parents: member.parents.slice(1) }],
    )
    return {
      group,
      pages: [...own.flatMap(({ pages }) => pages.map(({ path }) => withoutPageExtension(path))), ...toNewGroups(inner)],
    }
  })
}

/**
 * Inserts new groups next to listed groups that are inside the same group, or into a listed group. Returns `undefined` if none of them is listed, or if there is
 * only one.
 *
 * @param members the planned groups inside one group, with this group.
 */
function listInsideUnit(
  state: DivisionState,
  members: readonly PlannedGroup[],
  missing: readonly PlannedGroup[],
): JsonEdit[] | undefined {
  const listed = members.flatMap((member, at): Anchor[] => {
    const owner = findOwner(state, member)
    return owner === undefined ? [] : [{ path: toPath(member), at, owner }]
  })
  if (members.length < 2 || listed.length === 0) return undefined
  const insertions = missing.map((group) => {
    const at = members.findIndex((member) => toGroupKey(member) === toGroupKey(group))
    const path = toPath(group)
    // The group with the most groups in common, preferably before the new one.
    const byNearness = [...listed.filter((one) => one.at < at).reverse(), ...listed.filter((one) => one.at > at)]
    const most = Math.max(...byNearness.map((one) => countShared(one.path, path)))
    const anchor = byNearness.find((one) => countShared(one.path, path) === most)
    return { group, ...placeNextTo(state, path, anchor ?? { path: [], at, owner: state.division.pointer }, at) }
  })
  return [...groupBy(insertions, ({ array, index }) => `${array} ${index}`).values()].flatMap((same): JsonEdit[] => {
    const entries = same.filter(({ isEntry }) => isEntry)
    for (const { group, array, index } of entries)
      for (const { path } of group.pages) insertEntry(state.entries, { array, index }, withoutPageExtension(path))
    const [first] = same
    const groups = same
      .filter(({ isEntry }) => !isEntry)
      .map(({ group, shared }) => ({ ...group, parents: group.parents.slice(shared) }))
    return first && groups.length > 0
      ? [{ kind: 'insert', array: first.array, index: first.index, values: toNewGroups(groups) }]
      : []
  })
}

/** The pointer of the navigation group that lists the pages of a planned group. */
function findOwner({ entries, byPointer, division }: DivisionState, { pages }: PlannedGroup): string | undefined {
  const owners = pages.flatMap(({ path }) =>
    (entries.listings.get(withoutPageExtension(path)) ?? []).map(({ array }) => parentPointer(array)),
  )
  return owners.find((owner) => byPointer.get(owner)?.kind === 'group' && isWithin(owner, division.pointer))
}

/** A listed group. */
interface Anchor {
  readonly path: readonly string[]
  /** Its index in the plan. */
  readonly at: number
  /** The pointer of the group in `docs.json`. */
  readonly owner: string
}

function toPath({ parents, label }: PlannedGroup): readonly string[] {
  return [...parents, label]
}

/** Where to insert a new group, relative to a listed one. `shared` is the number of groups around it that exist. */
function placeNextTo(
  { docsConfig, byPointer }: DivisionState,
  path: readonly string[],
  anchor: Anchor,
  at: number,
): Listing & { readonly shared: number; readonly isEntry: boolean } {
  const shared = countShared(anchor.path, path)
  const inside = `${anchor.owner}/pages`
  // The listed group contains the new one.
  if (shared === anchor.path.length) return { array: inside, index: lengthOf(docsConfig, inside), shared, isEntry: false }
  const isAround = shared === path.length
  let outer = anchor.owner
  for (let depth = anchor.path.length; depth > (isAround ? shared : shared + 1); depth--) {
    const next = parentPointer(parentPointer(outer))
    if (byPointer.get(next)?.kind !== 'group') break
    outer = next
  }
  // The new group contains the listed one, so it exists without pages.
  if (isAround) return { array: `${outer}/pages`, index: 0, shared, isEntry: true }
  const array = parentPointer(outer)
  return { array, index: Number(outer.slice(array.length + 1)) + (anchor.at < at ? 1 : 0), shared, isEntry: false }
}
