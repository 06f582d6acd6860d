import {
  isObject,
  type JsonObject,
  type Place,
  parentPointer,
  parsePointer,
  pointerChild,
  readOwn,
} from '../../text/json/json-values.ts'
import { countBy } from '../../text/plain/lists.ts'
import { toFragment, toPlaceKey } from '../references/follow-reference.ts'
import { type ComponentGroups, listNames, nameComponent, objectTable, tableAtPointer } from '../tables/object-tables.ts'
import type { OpenApiRelease } from '../types.ts'
import type { WalkedDocument } from '../walk.ts'
import type { Budget, Embed } from './embed-values.ts'

/** The state while a bundle is planned. */
export interface BundleState {
  readonly documents: ReadonlyMap<string, WalkedDocument>
  readonly entryPath: string
  readonly groups: ComponentGroups
  readonly release: OpenApiRelease
  /** Targets of objects from other files, by file and pointer. */
  readonly targets: Map<string, BundleTarget>
  /** Pointers of the entry document that a part replaces, with the number of the part. */
  readonly partByPointer: Map<string, number>
  readonly parts: Part[]
  /** The names that no more components can have, after their group. */
  readonly taken: Set<string>
  /** Components to add: group → name → part. */
  readonly added: Map<string, Map<string, number>>
  /** Objects that are inlined instead of moved to `components`: file and pointer → first pointer in the bundle. */
  readonly inlined: Map<string, string>
  /** Objects that are currently being inlined. */
  readonly open: Map<string, string>
  /** Values that depend on the final pointers. */
  readonly deferred: (() => void)[]
  readonly embeds: Embed[]
  readonly budget: Budget
  /** References that stay unchanged. */
  readonly keptReferences: Set<string>
}

/** The pointer and kind of an object in the bundle. */
interface BundleTarget {
  readonly tableKey: string
  readonly pointer: string
}

interface Part extends BundleTarget {
  readonly place: Place
}

/** Assigns a target in the bundle to an object. */
export function addPart(state: BundleState, place: Place, tableKey: string, pointer: string): number {
  state.targets.set(toPlaceKey(place), { tableKey, pointer })
  return state.parts.push({ place, tableKey, pointer }) - 1
}

/** The reference in the bundle to an object whose kind has a group of components. */
export function toBundleReference(state: BundleState, place: Place, tableKey: string, group: string): string {
  if (staysInEntryDocument(state, place)) return toFragment(place.pointer)
  const known = targetPointerOf(state, place, tableKey)
  if (known !== undefined) return toFragment(known)
  const names = state.added.get(group) ?? new Map<string, number>()
  state.added.set(group, names)
  const components = readOwn(readOwn(state.documents.get(state.entryPath)?.parsed.value, 'components'), group)
  const isTaken = (each: string) => state.taken.has(`${group} ${each}`) || readOwn(components, each) !== undefined
  const name = nameComponent(place, isTaken)
  state.taken.add(`${group} ${name}`)
  const pointer = pointerChild(`/components/${group}`, name)
  names.set(name, addPart(state, place, tableKey, pointer))
  return toFragment(pointer)
}

/** Takes the names that several objects of other files could have, so that none depends on which is used first. */
export function takeSharedNames({ documents, entryPath, groups, release, targets, taken }: BundleState): void {
  const listed = new Map<string, Part>()
  for (const { target, followedAs } of [...documents.values()].flatMap(({ references }) => [...references.values()])) {
    const tableKey = followedAs?.key ?? ''
    if (!target || !groups.has(tableKey) || target.file === entryPath || targets.has(toPlaceKey(target))) continue
    listed.set(toPlaceKey(target), { place: target, tableKey, pointer: target.pointer })
  }
  const keys = [...listed.values()].flatMap(({ place, tableKey }) => {
    const around = { file: place.file, pointer: parentPointer(place.pointer) }
    const isInside = place.pointer !== '' && targetPointerOf({ targets: listed, release }, around) !== undefined
    return isInside ? [] : listNames(place).map((name) => `${groups.get(tableKey)} ${name}`)
  })
  for (const [key, count] of countBy(keys, (each) => each)) if (count > 1) taken.add(key)
}

/**
 * Whether an object can stay in the entry document. An object in an unknown location, such as an extension, is copied unchanged. If it
 * has references to other files, it must become a component.
 */
export function staysInEntryDocument({ entryPath, release }: BundleState, { file, pointer, value }: Place): boolean {
  if (file !== entryPath) return false
  return isKnown(release, 'OpenAPI', pointer) || !hasOutsideReference(value)
}

function isKnown(release: OpenApiRelease, tableKey: string, pointer: string): boolean {
  return tableAtPointer(objectTable(release, tableKey), parsePointer(pointer)) !== undefined
}

function hasOutsideReference(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasOutsideReference)
  if (!isObject(value)) return false
  const text = value['$ref']
  return (typeof text === 'string' && !text.startsWith('#')) || Object.values(value).some(hasOutsideReference)
}

/** The pointer of an object in the bundle, directly or through an enclosing object. */
export function targetPointerOf(
  { targets, release }: Pick<BundleState, 'release'> & { readonly targets: ReadonlyMap<string, BundleTarget> },
  { file, pointer }: Pick<Place, 'file' | 'pointer'>,
  tableKey?: string,
): string | undefined {
  for (let around = pointer; ; around = around.slice(0, around.lastIndexOf('/'))) {
    const target = targets.get(toPlaceKey({ file, pointer: around }))
    const rest = pointer.slice(around.length)
    if (
      target &&
      (rest === '' ? tableKey === undefined || target.tableKey === tableKey : isKnown(release, target.tableKey, rest))
    ) {
      return target.pointer + rest
    }
    if (around === '') return undefined
  }
}

/** The target of a reference, or `undefined` for remote URLs and references that were not collected. */
export function findReference(state: BundleState, file: string, text: string, resource: string | undefined): Place | undefined {
  const references = state.documents.get(file)?.references
  const known = references?.get(resource === undefined ? text : `${resource}\n${text}`) ?? references?.get(text)
  if (known || !references) return known?.target
  // The walk reached this location through a schema with an `$id`.
  for (const [key, reference] of references) if (key.endsWith(`\n${text}`)) return reference.target
  return undefined
}

/** A placeholder for a part. */
export function toPartReference(part: number): JsonObject {
  return { $ref: `part:${part}` }
}
