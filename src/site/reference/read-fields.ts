import { childPlace } from '../../openapi/references/follow-reference.ts'
import type { Place } from '../../openapi/types.ts'
import { isObject, type JsonObject, readOwn } from '../../text/json/json-values.ts'
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
  const names = Object.keys(map.value).filter((name) => extensions === 'kept' || !name.startsWith('x-'))
  return names.map((name) => ({ name, place: childPlace(map, name) }))
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
