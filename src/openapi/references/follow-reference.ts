import {
  findOwn,
  isContainer,
  isObject,
  type JsonObject,
  listTexts,
  type Place,
  pointerChild,
  readStep,
  valueAtPointer,
} from '../../text/json/json-values.ts'
import { decodePercent, encodeUrl, isUrl, joinPath, parentPath } from '../../text/plain/paths.ts'
import type { SchemaKeyword } from '../schema/json-schema.ts'

/** Follows `$ref` over the documents that are loaded. */
export interface FollowReference {
  /**
   * The location itself, then the target of its `$ref`, and so on. Ends at an unresolved reference or a cycle. Of more than `maxChain` locations, it
   * has the first ones and the end: every reference of a long chain is read, so that all of them would need the square of its length.
   */
  chain(place: Place): Place[]
  /** The last location of `chain`. */
  end(place: Place): Place
  /** The target of its `$ref`. Absent without a reference or if it is unresolved. */
  next(place: Place): Place | undefined
  /** The target of a reference in a file. Absent if it is unresolved. In a schema with an `$id`, it depends on the object that has the `$ref`. */
  find(file: string, reference: string, holder?: JsonObject): Place | undefined
  /** Whether the keywords of a schema count: not beside a `$ref` in 3.0. */
  counts(schema: Place): boolean
}

/** The most references that are read one by one. Real descriptions have at most 4 in a row. */
export const maxChain = 50

/**
 * Whether keywords beside the `$ref` of a schema count. `version` can be a release.
 *
 * Source: OpenAPI 3.0.4, "Reference Object": they are ignored; OpenAPI 3.1.1, "Schema Object".
 */
export function readsBesideReference(version: string | undefined): boolean {
  return !version?.startsWith('3.0')
}

/** Creates `FollowReference` from a function that finds the target of one reference, and the version of the description. */
export function toFollowReference(find: FollowReference['find'], version?: string): FollowReference {
  /** The ends of references, so that long chains are followed once. */
  const ends = new WeakMap<object, Place>()
  const follow: FollowReference = {
    find,
    chain(place) {
      const places = [place]
      for (let next = follow.next(place); next && places.length <= maxChain; next = follow.next(next)) {
        const { value } = next
        if (places.some((one) => one.value === value)) break
        if (places.length === maxChain) next = follow.end(next)
        places.push(next)
      }
      return places
    },
    end(place) {
      if (!isReference(place.value)) return place
      const passed = new Set<object>()
      let current = place
      // A cycle ends where it began.
      while (isReference(current.value) && !passed.has(current.value)) {
        passed.add(current.value)
        const next = ends.get(current.value) ?? follow.next(current)
        if (!next) break
        current = next
      }
      for (const reference of passed) ends.set(reference, current)
      return current
    },
    next: ({ file, value }) => (isReference(value) ? find(file, value['$ref'], value) : undefined),
    counts: ({ value }) => readsBesideReference(version) || !isReference(value),
  }
  return follow
}

/** The target of a schema that says nothing but its reference, else the schema itself. */
export function followOnly(schema: Place, follow: Pick<FollowReference, 'end' | 'counts'>): Place {
  const saysNothing = isReference(schema.value) && (Object.keys(schema.value).length === 1 || !follow.counts(schema))
  return saysNothing ? follow.end(schema) : schema
}

/** After `end`, this is a reference that cannot be resolved, or a cycle. */
export function isReference(value: unknown): value is JsonObject & { readonly $ref: string } {
  return isObject(value) && typeof value['$ref'] === 'string'
}

/** Returns the map key of a location. */
export function toPlaceKey({ file, pointer }: Pick<Place, 'file' | 'pointer'>): string {
  return `${file}\n${pointer}`
}

/** The target of a reference before it is looked up. */
type ReferenceTarget =
  /** A remote URL, which is not read. */
  | { readonly kind: 'remote' }
  /** A file (the referring file if `path` is equal) or its `file:` URL, and a decoded fragment, `''` for the whole file. */
  | { readonly kind: 'file'; readonly path: string; readonly fragment: string }

/** Splits a reference in the file `from`. Source: RFC 3986, section 4.1; RFC 6901, section 6. */
export function splitReference(reference: string, from: string): ReferenceTarget {
  const hash = reference.indexOf('#')
  const address = hash === -1 ? reference : reference.slice(0, hash)
  const fragment = hash === -1 ? '' : decodePercent(reference.slice(hash + 1))
  if (address === '') return { kind: 'file', path: from, fragment }
  if (isUrl(from)) return { kind: 'remote' }
  // Fast path: most references are paths.
  if (address.includes(':') || address.startsWith('//')) {
    if (/^file:/i.test(address)) return { kind: 'file', path: address, fragment }
    if (/^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(address)) return { kind: 'remote' }
  }
  const path = decodePercent(address)
  return { kind: 'file', path: path.startsWith('/') ? joinPath('', path) : joinPath(parentPath(from), path), fragment }
}

/** Resolves an `$id` against the enclosing one. Returns it unchanged if neither is a URL. */
export function resolveId(base: string | undefined, id: string): string {
  return URL.parse(id, base)?.href ?? id
}

/**
 * The pointers of the schemas with an `$id` (by a URI without fragment), `$anchor` or `$dynamicAnchor` (by `<id>#<name>`, and `#<name>`).
 * Of several with the same one, the first counts. Source: JSON Schema 2020-12, core, section 8.2.
 */
export function listIdentifiers(value: unknown): Map<string, string> {
  const index = new Map<string, string>()
  const add = (identifier: string, pointer: string) => {
    if (!index.has(identifier)) index.set(identifier, pointer)
  }
  const seen = new Set<unknown>()
  const waiting = [{ value, pointer: '', base: '' }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value: one, pointer, base } = next
    // A document whose references are replaced can contain itself.
    if (!isContainer(one) || seen.has(one)) continue
    seen.add(one)
    const { $id: id, $anchor, $dynamicAnchor } = isObject(one) ? one : {}
    const own = typeof id === 'string' ? resolveId(base === '' ? undefined : base, id) : base
    if (typeof id === 'string') add(own.replace(/#$/, ''), pointer)
    for (const anchor of [$anchor, $dynamicAnchor]) {
      if (typeof anchor !== 'string') continue
      add(`${own}#${anchor}`, pointer)
      add(`#${anchor}`, pointer)
    }
    const members = Object.entries(one).flatMap(([key, member]: [string, unknown]) =>
      isObject(one) && (dataKeys.has(key) || key.startsWith('x-'))
        ? []
        : [{ value: member, pointer: pointerChild(pointer, key), base: own }],
    )
    waiting.push(...members.toReversed())
  }
  return index
}

/** Keys with data as their values. An `$id` inside them identifies nothing. */
export const dataKeys: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const', 'value', 'dataValue'])

/** A pointer as a URI fragment, percent-encoded. Source: RFC 6901, section 6; RFC 3986, section 3.5. */
export function toFragment(pointer: string): string {
  return `#${encodeUrl(pointer).replaceAll('#', '%23').replaceAll('[', '%5B').replaceAll(']', '%5D')}`
}

/** `components.schemas` of the entry document. */
export function findSchemas(root: Place, follow: Pick<FollowReference, 'end'>): Place {
  return follow.end(childPlace(follow.end(childPlace(root, 'components')), 'schemas'))
}

/** The texts with which a discriminator names schemas: the values of `mapping`, and `defaultMapping` of 3.2. */
export function listMapped(discriminator: Place): (Place & { readonly value: string })[] {
  const places = [...mapPlaces(discriminator, 'mapping').map(({ place }) => place), childPlace(discriminator, 'defaultMapping')]
  return places.flatMap(({ value, ...place }) => (typeof value === 'string' ? [{ ...place, value }] : []))
}

/**
 * What a value of `mapping` or `defaultMapping` in a file refers to: the schema with that name if there is one, else the target of a reference.
 * Source: OpenAPI 3.2.0, "Discriminator Object": an ambiguous value is a name.
 */
export function toMappedReference(value: string, file: string, schemas: Place): { file: string; reference: string } {
  const component = childPlace(schemas, value)
  if (component.value === undefined) return { file, reference: value }
  return { file: schemas.file, reference: toFragment(component.pointer) }
}

/** The location of a field. Its value is `undefined` if the object lacks the field. */
export function childPlace(parent: Place, key: string | number): Place {
  return { file: parent.file, pointer: pointerChild(parent.pointer, key), value: readStep(parent.value, key) }
}

/** The value of a field, where nothing needs its place: creating one is slow. */
export function valueIn({ value }: Pick<Place, 'value'>, key: string | number): unknown {
  return readStep(value, key)
}

/** Whether a document has a value at a pointer. */
export function hasPlace(root: Place, pointer: string): boolean {
  return valueAtPointer(root.value, pointer) !== undefined
}

/** The places of the items of a list; empty if the field is not a list. */
export function listPlaces(parent: Place, key: string): Place[] {
  return hasField(parent, key) ? itemsOf(childPlace(parent, key)) : []
}

/** The items of a list; none of any other value. */
export function itemsOf(list: Place): Place[] {
  return Array.isArray(list.value) ? list.value.map((_, index) => childPlace(list, index)) : []
}

/** The length of a list, which can be that of all schemas. */
export function countIn(parent: Place, key: string): number {
  const value = valueIn(parent, key)
  return Array.isArray(value) ? value.length : 0
}

/** Whether a field is a mapping with one of some fields. Makes no place: most have none of them. */
export function holdsOneOf(parent: Place, key: string, fields: readonly string[]): boolean {
  const value = valueIn(parent, key)
  return isObject(value) && findOwn(value, fields) !== undefined
}

/** The texts in a list. */
export function textsIn(list: Place | undefined): readonly string[] {
  return listTexts(list?.value)
}

/** Whether there is a mapping, such as a schema that is not a boolean. */
export function isMapping({ value }: Place): boolean {
  return isObject(value)
}

/** The keys of a mapping in the order of the file; none of any other value. */
export function keysOf({ value }: Place): readonly string[] {
  return isObject(value) ? (writtenOrders.get(value) ?? Object.keys(value)) : []
}

/** The keys and places of the values of a mapping: of a field, or of the place itself if `key` is `undefined`. */
export function mapPlaces(
  parent: Place,
  key: string | undefined,
  extensions: 'kept' | 'left-out' = 'kept',
): { name: string; place: Place }[] {
  if (key !== undefined && !hasField(parent, key)) return []
  const map = key === undefined ? parent : childPlace(parent, key)
  const names = extensions === 'kept' ? keysOf(map) : keysOf(map).filter((name) => !name.startsWith('x-'))
  return names.map((name) => ({ name, place: childPlace(map, name) }))
}

/** The schemas in a keyword of a schema: one, a list, or one for each name. */
export function schemasIn(schema: Place, keyword: string, holds: SchemaKeyword['holds'] | undefined): Place[] {
  if (!hasField(schema, keyword)) return []
  if (holds === 'map') return mapPlaces(schema, keyword).map(({ place }) => place)
  const place = childPlace(schema, keyword)
  return Array.isArray(place.value) ? itemsOf(place) : [place]
}

/** The places of a keyword in schemas that apply to the same value, nearest first. */
export function findKeywords(schemas: readonly Place[], keyword: string): Place[] {
  return schemas.flatMap((schema) => (hasField(schema, keyword) ? [childPlace(schema, keyword)] : []))
}

/** The properties of a schema. Tools also read them behind a reference, where OpenAPI allows none. */
export function listProperties(schema: Place, follow: Pick<FollowReference, 'end'>): { name: string; place: Place }[] {
  return hasField(schema, 'properties') ? mapPlaces(follow.end(childPlace(schema, 'properties')), undefined) : []
}

/** The names of properties in the order of the file, where some are numbers. */
const writtenOrders = new WeakMap<object, readonly string[]>()

/** Makes the keys of a mapping keep an order. */
export function keepOrder({ value }: Place, names: readonly string[]): void {
  if (isObject(value)) writtenOrders.set(value, names)
}

/** Checked first: most fields are absent, and creating a place is slow. */
function hasField({ value }: Place, key: string): boolean {
  return isObject(value) && Object.hasOwn(value, key)
}

/** The types that a schema lists itself. */
export function typesIn(schema: Place): string[] {
  return listTypes(valueIn(schema, 'type'))
}

/** The types that the keyword `type` lists. */
export function listTypes(type: unknown): string[] {
  return typeof type === 'string' ? [type] : [...listTexts(type)]
}

/** Whether a list of types allows values of a type. An integer is a number. */
export function includesType(types: readonly unknown[], type: unknown): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'))
}

/** The types that both lists allow. */
export function commonTypes(first: readonly string[], second: readonly string[]): string[] {
  return [...new Set([...first, ...second])].filter((type) => includesType(first, type) && includesType(second, type))
}

/** Whether a schema allows only `null`. `keys` are its keywords that say something. */
export function isNull(value: unknown, keys: readonly string[] = Object.keys(Object(value))): boolean {
  if (!isObject(value) || keys.some((key) => !/^(?:type|const|enum|nullable)$/.test(key))) return false
  const values = value['enum']
  const isListed = Array.isArray(values) && values.every((one) => one === null)
  return isListed || [value['type']].flat().every((one) => one === 'null') || value['const'] === null
}

/** Lists every `$ref` in values, such as those of extensions, which the walk skips but tools may follow. */
export function listReferences(values: readonly unknown[]): Set<string> {
  const references = new Set<string>()
  const waiting = values.filter(isContainer)
  for (let value = waiting.pop(); value; value = waiting.pop()) {
    if (isReference(value)) references.add(value.$ref)
    for (const entry of Object.values(value)) if (isContainer(entry)) waiting.push(entry)
  }
  return references
}

/** Lists every `$ref` and `$dynamicRef` in a value as a location for `follow`. */
export function placeReferences(place: Place): Place[] {
  const found: Place[] = []
  const open = [place]
  for (let next = open.pop(); next; next = open.pop()) {
    const { file, pointer, value } = next
    if (isReference(value)) found.push(next)
    const { $dynamicRef: dynamic } = isObject(value) ? value : {}
    if (typeof dynamic === 'string') found.push({ file, pointer, value: { $ref: dynamic } })
    for (const key of isContainer(value) ? Object.keys(value) : []) open.push(childPlace(next, key))
  }
  return found
}

/**
 * Finds the schemas that extend others, the `bases`, in `components.schemas`. `list` has those of some of them, at every depth, the nearest first. A
 * discriminator without a mapping selects between them. Source: OpenAPI 3.1.1, "Discriminator Object".
 */
export function createSubtypeIndex(schemas: Place, follow: FollowReference) {
  const named = mapPlaces(schemas, undefined)
  const nameOf = new Map(named.map(({ name, place }) => [toPlaceKey(place), name]))
  const extenders = new Map<string, Set<string>>()
  for (const { name, place } of named) {
    for (const part of listPlaces(follow.end(place), 'allOf').flatMap((one) => follow.chain(one))) {
      const base = nameOf.get(toPlaceKey(part))
      if (base !== undefined && base !== name) extenders.set(base, (extenders.get(base) ?? new Set()).add(name))
    }
  }
  const list = (...bases: readonly string[]) => {
    const found = new Set(bases)
    // Iterating a set includes values that are added meanwhile.
    for (const name of found) for (const subtype of extenders.get(name) ?? []) found.add(subtype)
    for (const base of bases) found.delete(base)
    return [...found]
  }
  return { list, bases: [...extenders.keys()] }
}
