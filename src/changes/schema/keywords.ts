import {
  childPlace,
  countIn,
  isMapping,
  isReference,
  keysOf,
  listPlaces,
  valueIn,
} from '../../openapi/references/follow-reference.ts'
import type { Place } from '../../text/json/json-values.ts'
import type { Side } from '../differences/comparison.ts'

/** Fields that do not change which values are valid, how a value is used, or how long. */
const annotations = new Set([
  ...['title', 'description', 'summary', 'example', 'examples', 'externalDocs', 'xml', '$comment', '$defs', 'definitions'],
  ...['$id', '$schema', '$anchor', '$dynamicAnchor', '$vocabulary'],
])

/** Values of keywords that say the same as no keyword. */
const defaults: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...['deprecated', 'readOnly', 'writeOnly', 'nullable', 'uniqueItems', 'exclusiveMinimum'].map((key) => [key, false] as const),
  ...['minLength', 'minItems', 'minProperties'].map((key) => [key, 0] as const),
])

/** Whether a keyword is an annotation, or has its default. */
function isIdle(schema: Place, key: string): boolean {
  if (annotations.has(key) || (key.startsWith('x-') && !usedExtensions.has(key))) return true
  return defaults.has(key) && defaults.get(key) === valueIn(schema, key)
}

/** The keywords of a schema that say something about values. */
export function listKeywords(schema: Place): readonly string[] {
  return keysOf(schema).filter((key) => !isIdle(schema, key))
}

/** Extensions with a meaning for clients. */
const usedExtensions = new Set(['x-sunset', 'x-stability-level', 'x-extensible-enum'])

/** Whether a schema with a `$ref` has other keywords that apply. */
export function hasOwnMeaning(schema: Place): boolean {
  return keysOf(schema).some((key) => key !== '$ref' && (!isIdle(schema, key) || key === 'xml'))
}

/** The target of a schema that is only a reference. */
export function skipReference(place: Place, { follow }: Side): Place {
  if (!isReference(place.value) || (follow.counts(place) && hasOwnMeaning(place))) return place
  return follow.end(place)
}

/** Whether a schema allows every value. */
export function allowsAll(schema: Place): boolean {
  return schema.value === true || (isMapping(schema) && listKeywords(schema).length === 0)
}

/** Whether a schema, or the target of its reference, allows every value. */
export function isOpen(place: Place, side: Side): boolean {
  return allowsAll(unwrap(skipReference(unwrap(place), side)))
}

/** Whether a pattern matches every text. */
export function allowsAnyText(pattern: unknown): boolean {
  return typeof pattern === 'string' && /^\^?(?:\.\*|\(\.\*\))?\$?$/.test(pattern)
}

/** The only schema in an `allOf`, `oneOf` or `anyOf` that has nothing beside it. */
export function unwrap(place: Place): Place {
  const [keyword, ...others] = listKeywords(place)
  const isList = keyword !== undefined && others.length === 0 && /^(?:all|one|any)Of$/.test(keyword)
  return isList && countIn(place, keyword) === 1 ? unwrap(childPlace(childPlace(place, keyword), 0)) : place
}

/** Whether a schema has no keywords but some. */
export function hasOnly(schema: Place, ...keywords: readonly string[]): boolean {
  return isMapping(schema) && listKeywords(schema).every((key) => keywords.includes(key))
}

/** The place of a keyword, if a schema has it. */
export function placeOf(schema: Place, keyword: string | number): Place | undefined {
  return valueIn(schema, keyword) === undefined ? undefined : childPlace(schema, keyword)
}

/** The values that a schema lists. */
export function listedIn(schema: Place): readonly Place[] {
  const constant = placeOf(schema, 'const')
  return constant ? [constant] : listPlaces(schema, 'enum')
}

/** The schema itself, behind references and lists that have it only. */
export function toContent(place: Place, side: Side, depth = 0): Place {
  const end = side.follow.end(place)
  const inner = unwrap(end)
  return inner === end || depth === 10 ? end : toContent(inner, side, depth + 1)
}
