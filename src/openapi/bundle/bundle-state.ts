import { toWellFormed } from '../../source/escape-text.ts'
import { isObject, type JsonObject } from '../../source/is-object.ts'
import { parsePointer, pointerChild } from '../../source/json-pointer.ts'
import type { WalkedDocument } from '../document-set.ts'
import type { Place } from '../follow-reference.ts'
import { objectTable, tableAtPointer } from '../tables/object-tables.ts'
import type { OpenApiRelease } from '../types.ts'
import { type ComponentGroups, nameComponent } from './component-names.ts'
import type { Budget, Embed } from './embed-values.ts'

/** What is known while a plan is made. */
export interface BundleState {
  readonly documents: ReadonlyMap<string, WalkedDocument>
  readonly entryPath: string
  readonly groups: ComponentGroups
  readonly release: OpenApiRelease
  /** Where objects of other files go, by file and pointer. */
  readonly targets: Map<string, BundleTarget>
  /** Pointers of the entry document where a part stands instead of what is written there, and the number of the part. */
  readonly partByPointer: Map<string, number>
  readonly parts: Part[]
  /** Components to add: group → name → part. */
  readonly added: Map<string, Map<string, number>>
  /** Objects that are written in place and not under `components`: file and pointer → pointer in the bundle (the first). */
  readonly inlined: Map<string, string>
  /** Those that are being written right now. */
  readonly open: Map<string, string>
  /** Values that can be told only when all is placed. */
  readonly deferred: (() => void)[]
  readonly embeds: Embed[]
  readonly budget: Budget
  /** References that stay as they are. */
  readonly keptReferences: Set<string>
}

/** Where an object will stand in the bundle, and as what kind. */
interface BundleTarget {
  readonly tableKey: string
  readonly pointer: string
}

interface Part extends BundleTarget {
  readonly place: Place
}

/** Gives an object its place in the bundle. */
export function addPart(state: BundleState, place: Place, tableKey: string, pointer: string): number {
  state.targets.set(placeKey(place), { tableKey, pointer })
  return state.parts.push({ place, tableKey, pointer }) - 1
}

/** The reference in the bundle to an object of a kind that has a group of components. */
export function toBundleReference(state: BundleState, place: Place, tableKey: string, group: string): string {
  if (staysInEntryDocument(state, place)) return toFragment(place.pointer)
  const known = targetPointerOf(state, place, tableKey)
  if (known !== undefined) return toFragment(known)
  let names = state.added.get(group)
  if (!names) {
    names = new Map()
    state.added.set(group, names)
  }
  const taken = names
  const components = childOf(childOf(state.documents.get(state.entryPath)?.parsed.value, 'components'), group)
  const name = nameComponent(place, (candidate) => taken.has(candidate) || childOf(components, candidate) !== undefined)
  const pointer = pointerChild(`/components/${group}`, name)
  names.set(name, addPart(state, place, tableKey, pointer))
  return toFragment(pointer)
}

/**
 * Whether an object is in the entry document and as it has to be there. What stands where nothing is known about it, as in an extension, is
 * copied as it is: with a reference to another file in it, it has to become a component.
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

/** Where an object goes, by itself or with the one around it as far as that is known. */
export function targetPointerOf(
  { targets, release }: BundleState,
  { file, pointer }: PlaceName,
  tableKey?: string,
): string | undefined {
  for (let around = pointer; ; around = around.slice(0, around.lastIndexOf('/'))) {
    const target = targets.get(placeKey({ file, pointer: around }))
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

/** What a reference leads to; `undefined` where it leads to an address, or where nothing was looked into. */
export function findReference(state: BundleState, file: string, text: string, resource: string | undefined): Place | undefined {
  const references = state.documents.get(file)?.references
  const known = references?.get(resource === undefined ? text : `${resource}\n${text}`) ?? references?.get(text)
  if (known || !references) return known?.target
  // The walk came to this place from farther above, past a schema with an `$id`.
  for (const [key, reference] of references) if (key.endsWith(`\n${text}`)) return reference.target
  return undefined
}

type PlaceName = Pick<Place, 'file' | 'pointer'>

/** A place as the key of a map. */
export function placeKey({ file, pointer }: PlaceName): string {
  return `${file}\n${pointer}`
}

function childOf(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** Where a part belongs. */
export function toPartReference(part: number): JsonObject {
  return { $ref: `part:${part}` }
}

/** A pointer in the form it has after `#`: what an address cannot hold is percent-encoded. Source: RFC 6901, section 6; RFC 3986, section 3.5. */
export function toFragment(pointer: string): string {
  return `#${encodeURI(toWellFormed(pointer)).replaceAll('#', '%23').replaceAll('[', '%5B').replaceAll(']', '%5D')}`
}
