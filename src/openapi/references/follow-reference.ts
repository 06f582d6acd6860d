import { isObject, type JsonObject, listOf, type Place, pointerChild, readOwn } from '../../text/json/json-values.ts'
import { limitBounds } from '../../text/plain/limits.ts'
import { decodePercent, isUrl, joinPath, parentPath } from '../../text/plain/paths.ts'
import { listTypes, mergeKeywords } from '../schema/json-schema.ts'

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
  /** The value at the end of the chain, for a value in a file. */
  value(file: string, value: unknown): unknown
}

/** The most references that are read one by one. Real descriptions have at most 4 in a row. */
export const maxChain = 50

/** Creates `FollowReference` from a function that finds the target of one reference. */
export function toFollowReference(find: (file: string, reference: string) => Place | undefined): FollowReference {
  /** The ends of references, so that long chains are followed once. */
  const ends = new WeakMap<object, Place>()
  const follow: FollowReference = {
    chain(place) {
      const places = [place]
      if (!isReference(place.value)) return places
      const seen = new Set<string>()
      for (let current = place; isReference(current.value); ) {
        seen.add(toPlaceKey(current))
        const next = find(current.file, current.value['$ref'])
        if (!next || seen.has(toPlaceKey(next))) break
        current = places.length < maxChain ? next : follow.end(next)
        places.push(current)
        if (places.length > maxChain) break
      }
      return places
    },
    end(place) {
      const passed = new Set<object>()
      let current = place
      // A cycle ends where it began.
      while (isReference(current.value) && !passed.has(current.value)) {
        const known = ends.get(current.value)
        passed.add(current.value)
        const next = known ?? find(current.file, current.value['$ref'])
        if (!next) break
        current = next
      }
      for (const reference of passed) ends.set(reference, current)
      return current
    },
    next: ({ file, value }) => (isReference(value) ? find(file, value['$ref']) : undefined),
    value: (file, value) => (isReference(value) ? follow.end({ file, pointer: '', value }).value : value),
  }
  return follow
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
 * Source: JSON Schema 2020-12, core, section 8.2.
 */
export function listIdentifiers(value: unknown): Map<string, string> {
  const index = new Map<string, string>()
  collectIdentifiers(value, '', '', index, 0)
  return index
}

/** Keys with data as their values. An `$id` inside them identifies nothing. */
const dataKeys = new Set(['example', 'examples', 'default', 'enum', 'const', 'value', 'dataValue'])

function collectIdentifiers(value: unknown, pointer: string, base: string, index: Map<string, string>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > limitBounds.nesting.most) return
  if (Array.isArray(value)) {
    value.forEach((entry: unknown, position) => {
      collectIdentifiers(entry, pointerChild(pointer, position), base, index, depth + 1)
    })
    return
  }
  if (!isObject(value)) return
  const id = value['$id']
  const own = typeof id === 'string' ? resolveId(base === '' ? undefined : base, id) : base
  if (typeof id === 'string') setOnce(index, own.replace(/#$/, ''), pointer)
  for (const key of ['$anchor', '$dynamicAnchor']) {
    const anchor = value[key]
    if (typeof anchor !== 'string') continue
    setOnce(index, `${own}#${anchor}`, pointer)
    setOnce(index, `#${anchor}`, pointer)
  }
  for (const key of Object.keys(value)) {
    if (!dataKeys.has(key) && !key.startsWith('x-'))
      collectIdentifiers(value[key], pointerChild(pointer, key), own, index, depth + 1)
  }
}

function setOnce(index: Map<string, string>, identifier: string, pointer: string): void {
  if (!index.has(identifier)) index.set(identifier, pointer)
}

/** The location of a field. Its value is `undefined` if the object lacks the field. */
export function childPlace(parent: Place, key: string | number): Place {
  const pointer = pointerChild(parent.pointer, key)
  if (typeof key === 'number')
    return { file: parent.file, pointer, value: Array.isArray(parent.value) ? parent.value[key] : undefined }
  const value = isObject(parent.value) && Object.hasOwn(parent.value, key) ? parent.value[key] : undefined
  return { file: parent.file, pointer, value }
}

/** A field of any type. */
export function readField(value: unknown, key: string): unknown {
  return isObject(value) ? readOwn(value, key) : undefined
}

/** The places of the items of a list; empty if the field is not a list. */
export function listPlaces(parent: Place, key: string): Place[] {
  if (!hasField(parent, key)) return []
  const list = childPlace(parent, key)
  return Array.isArray(list.value) ? list.value.map((_, index) => childPlace(list, index)) : []
}

/** The keys and places of the values of a mapping: of a field, or of the place itself if `key` is `undefined`. */
export function mapPlaces(
  parent: Place,
  key: string | undefined,
  extensions: 'kept' | 'left-out' = 'kept',
): { name: string; place: Place }[] {
  if (key !== undefined && !hasField(parent, key)) return []
  const map = key === undefined ? parent : childPlace(parent, key)
  if (!isObject(map.value)) return []
  const names = (writtenOrders.get(map.value) ?? Object.keys(map.value)).filter(
    (name) => extensions === 'kept' || !name.startsWith('x-'),
  )
  return names.map((name) => ({ name, place: childPlace(map, name) }))
}

/** The properties of a schema. Tools also read them behind a reference, where OpenAPI allows none. */
export function listProperties(schema: Place, follow: Pick<FollowReference, 'end'>): { name: string; place: Place }[] {
  return hasField(schema, 'properties') ? mapPlaces(follow.end(childPlace(schema, 'properties')), undefined) : []
}

/** The names of properties in the order of the file, where some are numbers. */
const writtenOrders = new WeakMap<object, readonly string[]>()

/** Makes the keys of a mapping keep an order. */
export function keepOrder(mapping: JsonObject, names: readonly string[]): void {
  writtenOrders.set(mapping, names)
}

/** Checked first: most fields are absent, and creating a place is slow. */
function hasField({ value }: Place, key: string): boolean {
  return isObject(value) && Object.hasOwn(value, key)
}

/** Schemas that apply to the same value, with their `$ref` and `allOf`. */
export interface MergedSchema<Name = unknown> {
  /** Own keywords override inherited ones, of which the first counts. For limits, the narrowest counts. */
  readonly keywords: JsonObject
  /** The merged schemas, nearest first, for the places of nested schemas. */
  readonly parts: readonly Place[]
  /** Those of `parts` without a name: the schema itself and everything that only it has. */
  readonly own: readonly Place[]
  /** A property can be in several of the schemas. Those of `own` come first. */
  readonly properties: ReadonlyMap<string, readonly Place[]>
  /** The named schema of `allOf` that each inherited property comes from. */
  readonly origins: ReadonlyMap<string, Name>
  /** The named schemas that it refers to, and those of its `allOf`. */
  readonly bases: readonly Name[]
  readonly required: ReadonlySet<string>
}

/** What reads schemas step by step. */
export type SchemaReferences = Pick<FollowReference, 'chain' | 'end'>

interface MergeOptions<Name> {
  readonly nameOf?: (place: Place) => Name | undefined
  /** Whether the only option of `oneOf` or `anyOf` besides null applies too. */
  readonly withOnlyOption?: boolean
}

/**
 * Merges everything that applies to a value: the schemas themselves, the targets of their `$ref`, and the schemas in `allOf`, at any depth. Pages
 * and generated values read schemas with it.
 *
 * Keywords next to a `$ref` are defined since 3.1. In older documents, they are used too because authors expect it.
 */
export function mergeSchema<Name>(
  schemas: readonly Place[],
  follow: SchemaReferences,
  { nameOf = () => undefined, withOnlyOption = false }: MergeOptions<Name> = {},
): MergedSchema<Name> {
  const keywords: { [key: string]: unknown } = {}
  const parts: Place[] = []
  const own: Place[] = []
  const properties = new Map<string, Place[]>()
  const origins = new Map<string, Name>()
  const bases = new Set<Name>()
  const required = new Set<string>()
  const seen = new Set<unknown>()
  const waiting = schemas.map((schema) => ({ schema, origin: undefined as Name | undefined })).toReversed()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const places = follow.chain(next.schema)
    const names = places.map(nameOf)
    const name = names.findLast((one) => one !== undefined)
    if (name !== undefined && next.origin === undefined) bases.add(name)
    let from = next.origin
    const members: typeof waiting = []
    for (const [index, part] of places.entries()) {
      if (names[index] !== undefined) from ??= name
      if (!isObject(part.value) || seen.has(part.value)) continue
      seen.add(part.value)
      parts.push(part)
      if (from === undefined) own.push(part)
      mergeKeywords(keywords, part.value)
      for (const one of listOf(part.value['required'])) if (typeof one === 'string') required.add(one)
      for (const { name: key, place } of listProperties(part, follow)) {
        const known = properties.get(key)
        if (known && from === undefined && origins.delete(key)) known.unshift(place)
        else if (known) known.push(place)
        else {
          properties.set(key, [place])
          if (from !== undefined) origins.set(key, from)
        }
      }
      for (const schema of listMembers(part, follow, withOnlyOption)) members.push({ schema, origin: from })
    }
    waiting.push(...members.toReversed())
  }
  return { keywords, parts, own, properties, origins, bases: [...bases], required }
}

function listMembers(part: Place, follow: SchemaReferences, withOnlyOption: boolean): Place[] {
  const members = listPlaces(part, 'allOf')
  if (!withOnlyOption) return members
  const choices = [listPlaces(part, 'oneOf'), listPlaces(part, 'anyOf')]
  const open = choices.map((options) => options.filter((option) => !isNull(follow.end(option))))
  return [...members, ...open.filter((options) => options.length === 1).flat()]
}

/** The types of a schema; without `type`, the one that its other keywords describe. Empty if that is any type. */
export function typesOf({ keywords, parts }: Pick<MergedSchema, 'keywords' | 'parts'>): readonly string[] {
  const types = listTypes(keywords['type'])
  if (types.length > 0) return types
  const describes = (names: RegExp) =>
    parts.some(({ value }) => isObject(value) && Object.keys(value).some((key) => names.test(key)))
  return inferredTypes
    .filter(([, names]) => describes(names))
    .map(([type]) => type)
    .slice(0, 1)
}

/** Whether a schema allows text. */
export function allowsText(schema: Place, follow: SchemaReferences): boolean {
  return typesOf(mergeSchema([schema], follow, { withOnlyOption: true })).includes('string')
}

/** Keywords that tell the type of a schema without `type`. */
const inferredTypes = [
  ['object', /^(?:properties|additionalProperties|required|patternProperties|m(?:in|ax)Properties)$/],
  ['array', /^(?:items|prefixItems|m(?:in|ax)Items|uniqueItems)$/],
  ['string', /^(?:m(?:in|ax)Length|pattern|format)$/],
  ['number', /^(?:minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf)$/],
] as const

/** Whether a schema allows only `null`. */
export function isNull({ value }: Pick<Place, 'value'>): boolean {
  if (!isObject(value) || Object.keys(value).some((key) => !/^(?:type|const|enum|nullable)$/.test(key))) return false
  const values = value['enum']
  const isListed = Array.isArray(values) && values.every((one) => one === null)
  return isListed || value['type'] === 'null' || value['const'] === null
}

/** Lists every `$ref` in values, such as those of extensions, which the walk skips but tools may follow. */
export function listReferences(values: readonly unknown[]): Set<string> {
  const references = new Set<string>()
  const waiting = [...values]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) {
      for (const entry of value) if (typeof entry === 'object' && entry !== null) waiting.push(entry)
    } else if (isObject(value)) {
      for (const key in value) {
        const entry = value[key]
        if (typeof entry === 'object' && entry !== null) waiting.push(entry)
        else if (key === '$ref' && typeof entry === 'string') references.add(entry)
      }
    }
  }
  return references
}

/**
 * Returns a function that lists the names of the schemas that extend named schemas through `allOf`, at every depth, the nearest first.
 * A discriminator without a mapping selects between them. Source: OpenAPI 3.1.1, "Discriminator Object".
 *
 * @param schemas `components.schemas`.
 */
export function createSubtypeIndex(schemas: Place, follow: FollowReference): (...bases: readonly string[]) => readonly string[] {
  const names = isObject(schemas.value) ? Object.keys(schemas.value) : []
  const nameOf = new Map(names.map((name) => [toPlaceKey(childPlace(schemas, name)), name]))
  const extenders = new Map<string, Set<string>>()
  for (const name of names) {
    const parts = childPlace(follow.end(childPlace(schemas, name)), 'allOf')
    for (const index of Array.isArray(parts.value) ? parts.value.keys() : []) {
      for (const place of follow.chain(childPlace(parts, index))) {
        const base = nameOf.get(toPlaceKey(place))
        if (base !== undefined && base !== name) extenders.set(base, (extenders.get(base) ?? new Set()).add(name))
      }
    }
  }
  return (...bases) => {
    const found = new Set(bases)
    // Iterating a set includes values that are added meanwhile.
    for (const name of found) for (const subtype of extenders.get(name) ?? []) found.add(subtype)
    return [...found].filter((name) => !bases.includes(name))
  }
}
