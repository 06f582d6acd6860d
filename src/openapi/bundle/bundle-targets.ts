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
  /** Where objects are first that are inlined instead of moved to `components`, by file and pointer. */
  readonly inlined: Map<string, BundleTarget>
  /** The names that no more components can have, after their group. */
  readonly taken: Set<string>
}

/** The pointer and kind of an object in the bundle. */
interface BundleTarget {
  readonly tableKey: string
  readonly pointer: string
}

/** An object of another file that is a component of the bundle. */
interface Part extends BundleTarget {
  readonly place: Place
  readonly group: string
  readonly name: string
}

/** Makes an object a component with this name. Returns its pointer. */
export function addPart({ parts, byPlace }: BundleTargets, named: Omit<Part, 'pointer'>): string {
  const part = { ...named, pointer: pointerChild(`/components/${named.group}`, named.name) }
  parts.push(part)
  byPlace.set(toPlaceKey(part.place), part)
  return part.pointer
}

/** The reference in the bundle to an object whose kind has a group of components. */
export function toBundleReference(targets: BundleTargets, place: Place, tableKey: string): string {
  const { documents, entryPath, groups, taken, byPlace } = targets
  if (staysInEntryDocument(targets, place)) return toFragment(place.pointer)
  const known = targetPointerOf(targets, place, byPlace, tableKey)
  if (known !== undefined) return toFragment(known)
  const group = groups.get(tableKey) ?? ''
  const components = readOwn(readOwn(documents.get(entryPath)?.parsed.value, 'components'), group)
  const isTaken = (each: string) => taken.has(`${group} ${each}`) || readOwn(components, each) !== undefined
  const name = nameComponent(place, isTaken)
  taken.add(`${group} ${name}`)
  return toFragment(addPart(targets, { place, tableKey, group, name }))
}

/** Takes the names that several objects of other files could have, so that none depends on which is used first. */
export function takeSharedNames(targets: BundleTargets): void {
  const { documents, entryPath, groups, byPlace, taken } = targets
  const listed = new Map<string, BundleTarget & { readonly place: Place; readonly group: string }>()
  for (const { target, followedAs } of [...documents.values()].flatMap(({ references }) => [...references.values()])) {
    const tableKey = followedAs?.key ?? ''
    const group = groups.get(tableKey)
    if (!target || group === undefined || target.file === entryPath || byPlace.has(toPlaceKey(target))) continue
    listed.set(toPlaceKey(target), { place: target, tableKey, group, pointer: target.pointer })
  }
  const keys = [...listed.values()].flatMap(({ place, group }) => {
    const around = { file: place.file, pointer: parentPointer(place.pointer) }
    const isInside = place.pointer !== '' && targetPointerOf(targets, around, listed) !== undefined
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
  { release }: Pick<BundleTargets, 'release'>,
  { file, pointer }: Pick<Place, 'file' | 'pointer'>,
  targets: ReadonlyMap<string, BundleTarget>,
  tableKey?: string,
): string | undefined {
  for (let around = pointer; ; around = parentPointer(around)) {
    const target = targets.get(toPlaceKey({ file, pointer: around }))
    const rest = pointer.slice(around.length)
    const isMeant = (one: BundleTarget) =>
      rest === '' ? tableKey === undefined || one.tableKey === tableKey : isKnown(release, one.tableKey, rest)
    if (target && isMeant(target)) return target.pointer + rest
    if (around === '') return undefined
  }
}
