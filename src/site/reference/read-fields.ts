import { childPlace } from '../../openapi/references/follow-reference.ts'
import type { FollowReference, Place } from '../../openapi/types.ts'
import { isObject, type JsonObject, pointerChild, readOwn } from '../../text/json/json-values.ts'
import { locatePointers } from '../../text/parse-source.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import type { ExternalDocsView } from './types.ts'

/** A string field; other types count as absent. */
export function readText(value: unknown, key: string): string | undefined {
  const found = readField(value, key)
  return typeof found === 'string' ? found : undefined
}

/** Whether a field is `true`. */
export function readFlag(value: unknown, key: string): boolean {
  return readField(value, key) === true
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
export function listProperties(schema: Place, { follow }: { readonly follow: FollowReference }) {
  return hasField(schema, 'properties') ? mapPlaces(follow.end(childPlace(schema, 'properties')), undefined) : []
}

/** The names of properties in the order of the file, where some are numbers. */
const writtenOrders = new WeakMap<object, readonly string[]>()

/** Makes the properties of schemas keep the order of their file. What an overlay added comes last. */
export async function keepWrittenOrder(schemas: readonly Place[], source: SourceFile): Promise<void> {
  const maps = schemas.map((schema) => childPlace(schema, 'properties'))
  const names = maps.map((map) => Object.keys(Object(map.value)))
  const pointers = maps.flatMap((map, index) => [
    map.pointer,
    ...(names[index] ?? []).map((name) => pointerChild(map.pointer, name)),
  ])
  const places = await locatePointers(source, pointers)
  for (const [index, map] of maps.entries()) {
    const around = places.get(map.pointer)
    const startOf = (name: string) => {
      const place = places.get(pointerChild(map.pointer, name))
      return place && place !== around ? place.value.start : Number.POSITIVE_INFINITY
    }
    const starts = new Map(names[index]?.map((name) => [name, startOf(name)]))
    const inOrder = [...starts].sort(([, left], [, right]) => (left === right ? 0 : left - right)).map(([name]) => name)
    if (isObject(map.value)) writtenOrders.set(map.value, inOrder)
  }
}

/** Checked first: most fields are absent, and creating a place is slow. */
function hasField({ value }: Place, key: string): boolean {
  return isObject(value) && Object.hasOwn(value, key)
}

/** Whether a schema has or names other schemas. Most have none, such as `{ type: string }`. */
export function hasInnerSchemas(schema: JsonObject): boolean {
  return Object.keys(schema).some((key) => schemaKeywords.has(key))
}

const schemaKeywords = new Set([
  ...['$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'oneOf', 'anyOf', 'not', 'if', 'then', 'else', 'discriminator'],
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'dependentSchemas'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains', 'contentSchema'],
])

/** An External Documentation Object; absent if it has no URL. */
export function toExternalDocs(value: unknown): ExternalDocsView | undefined {
  const url = readText(value, 'url')
  return url === undefined ? undefined : { url, description: readText(value, 'description') }
}
