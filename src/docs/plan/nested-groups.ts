import { isWithin, parentPointer } from '../../text/json/json-values.ts'
import { groupBy } from '../../text/plain/lists.ts'
import type { JsonEdit } from '../navigation/edit-json.ts'
import { type DivisionState, insertEntry, type Listing, lengthOf, toEntry } from '../pages/navigation-entries.ts'
import type { PlannedGroup } from '../pages/subjects.ts'
import { toGroupKey } from '../pages/wanted-subjects.ts'

/** A group of `docs.json`. */
export interface NewGroup {
  readonly group: string
  readonly pages: readonly (string | NewGroup)[]
}

/** Nests new groups. A group comes before the groups inside it. */
export function toNewGroups(groups: readonly Pick<PlannedGroup, 'label' | 'parents' | 'pages'>[]): NewGroup[] {
  const tops = groupBy(groups, ({ label, parents }) => parents[0] ?? label)
  return Array.from(tops, ([group, members]) => {
    const own = members.filter(({ parents }) => parents.length === 0)
    const inner = members.flatMap((member) =>
      member.parents.length === 0 ? [] : [{ ...member, parents: member.parents.slice(1) }],
    )
    return { group, pages: [...own.flatMap(({ pages }) => pages.map(({ path }) => toEntry(path))), ...toNewGroups(inner)] }
  })
}

/**
 * Inserts new groups next to listed groups that are inside the same group, or into a listed group. Returns `undefined` if none of them is listed, or if there is
 * only one.
 *
 * @param members the planned groups inside one group, with this group.
 */
export function listInsideUnit(
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
      for (const { path } of group.pages) insertEntry(state.entries, { array, index }, toEntry(path))
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
  const owners = pages.flatMap(({ path }) => (entries.listings.get(toEntry(path)) ?? []).map(({ array }) => parentPointer(array)))
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

function countShared(path: readonly string[], other: readonly string[]): number {
  const differing = path.findIndex((step, index) => step !== other[index])
  return differing === -1 ? path.length : differing
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
