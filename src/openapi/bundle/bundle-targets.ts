import { type Place, parentPointer, parsePointer, pointerChild, readOwn } from '../../text/json/json-values.ts'
import { countBy } from '../../text/plain/lists.ts'
import { listReferences, toFragment, toPlaceKey } from '../references/follow-reference.ts'
import { type ComponentGroups, listNames, nameComponent, objectTable, tableAtPointer } from '../tables/object-tables.ts'
import type { OpenApiRelease } from '../types.ts'
import type { WalkedDocument } from '../walk.ts'

/** What objects of other files become in a bundle. */
export interface BundleTargets {
  readonly documents: ReadonlyMap<string, WalkedDocument>
  readonly entryPath: string
  readonly groups: ComponentGroups
  readonly release: OpenApiRelease
  /** The components that other files have, in the order of their discovery. */
  readonly parts: Part[]
  /** The last part of each object, by file and pointer. */
  readonly byPlace: Map<string, Part>
  /** The names that no more components can have, after their group. */
  readonly taken: Set<string>
}

/** An object of another file that is a component of the bundle. */
interface Part {
  readonly place: Place
  readonly tableKey: string
  readonly group: string
  readonly name: string
}

/** Makes an object a component with this name. */
export function addPart({ parts, byPlace }: BundleTargets, part: Part): void {
  byPlace.set(toPlaceKey(part.place), part)
  parts.push(part)
}

/** The pointer of a component. */
export function toComponentPointer({ group, name }: Pick<Part, 'group' | 'name'>): string {
  return pointerChild(`/components/${group}`, name)
}

/** The reference in the bundle to an object whose kind has a group of components. */
export function toBundleReference(targets: BundleTargets, place: Place, tableKey: string): string {
  const { documents, entryPath, groups, taken } = targets
  if (staysInEntryDocument(targets, place)) return toFragment(place.pointer)
  const known = targetPointerOf(targets, place, tableKey)
  if (known !== undefined) return toFragment(known)
  const group = groups.get(tableKey) ?? ''
  const components = readOwn(readOwn(documents.get(entryPath)?.parsed.value, 'components'), group)
  const isTaken = (each: string) => taken.has(`${group} ${each}`) || readOwn(components, each) !== undefined
  const part = { place, tableKey, group, name: nameComponent(place, isTaken) }
  taken.add(`${group} ${part.name}`)
  addPart(targets, part)
  return toFragment(toComponentPointer(part))
}

/** Takes the names that several objects of other files could have, so that none depends on which is used first. */
export function takeSharedNames({ documents, entryPath, groups, release, byPlace, taken }: BundleTargets): void {
  const listed = new Map<string, Part>()
  for (const { target, followedAs } of [...documents.values()].flatMap(({ references }) => [...references.values()])) {
    const tableKey = followedAs?.key ?? ''
    const group = groups.get(tableKey)
    if (!target || group === undefined || target.file === entryPath || byPlace.has(toPlaceKey(target))) continue
    listed.set(toPlaceKey(target), { place: target, tableKey, group, name: '' })
  }
  const keys = [...listed.values()].flatMap(({ place, group }) => {
    const around = { file: place.file, pointer: parentPointer(place.pointer) }
    const isInside = place.pointer !== '' && targetPointerOf({ byPlace: listed, release }, around) !== undefined
    return isInside ? [] : listNames(place).map((name) => `${group} ${name}`)
  })
  for (const [key, count] of countBy(keys, (each) => each)) if (count > 1) taken.add(key)
}

/**
 * Whether an object can stay in the entry document. An object in an unknown location, such as an extension, is copied unchanged. If it
 * has references to other files, it must become a component.
 */
export function staysInEntryDocument({ entryPath, release }: BundleTargets, { file, pointer, value }: Place): boolean {
  if (file !== entryPath) return false
  return isKnown(release, 'OpenAPI', pointer) || [...listReferences([value])].every((text) => text.startsWith('#'))
}

function isKnown(release: OpenApiRelease, tableKey: string, pointer: string): boolean {
  return tableAtPointer(objectTable(release, tableKey), parsePointer(pointer)) !== undefined
}

/** The pointer of an object in the bundle, directly or through an enclosing object. */
export function targetPointerOf(
  { byPlace, release }: Pick<BundleTargets, 'byPlace' | 'release'>,
  { file, pointer }: Pick<Place, 'file' | 'pointer'>,
  tableKey?: string,
): string | undefined {
  for (let around = pointer; ; around = parentPointer(around)) {
    const part = byPlace.get(toPlaceKey({ file, pointer: around }))
    const rest = pointer.slice(around.length)
    const isMeant =
      rest === '' ? tableKey === undefined || part?.tableKey === tableKey : part && isKnown(release, part.tableKey, rest)
    if (part && isMeant) return toComponentPointer(part) + rest
    if (around === '') return undefined
  }
}
