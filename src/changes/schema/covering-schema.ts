import { childPlace, includesType } from '../../openapi/references/follow-reference.ts'
import { equalJson, keywordsFor, typeOfValue } from '../../openapi/schema/json-schema.ts'
import { isDeeperThan, isObject, type JsonObject, type Place, readOwn } from '../../text/json/json-values.ts'
import { spendNodes } from '../../text/plain/limits.ts'
import type { ComparisonState, Side } from '../differences/comparison.ts'
import { allowsAll, allowsAnyText, hasOwnMeaning, listKeywords } from './keywords.ts'
import { maxShapeDepth, toShape } from './match-alternatives.ts'

/** A schema in one of the two descriptions. */
interface SidePlace {
  readonly place: Place
  readonly side: Side
}

/** Largest number of schemas that are compared for one answer. */
const maxSchemas = 200
/** Largest number of schemas that are compared by one function. */
const maxInAll = 20_000
/** What a pair costs, because all of its keywords are compared. */
const costOfPair = 4

/**
 * Creates a function that tells whether a schema allows every value of another one, because each of its keywords is the same or looser.
 * Properties that only the first schema has do not count, because clients do not send them. `false` also means that it is unknown.
 *
 * @param isAlone Otherwise, schemas around or beside both describe further properties that clients can send.
 */
export function toCovers(state: ComparisonState, isAlone: boolean): (outer: SidePlace, inner: SidePlace) => boolean {
  let left = maxInAll
  return (outer, inner) => {
    const end = Math.max(0, left - maxSchemas)
    const covers = (one: SidePlace, other: SidePlace): boolean => {
      if (--left <= end || !spendNodes(state.budget, costOfPair)) return false
      const [from, to] = [resolve(one), resolve(other)]
      const [value, innerValue] = [from.place.value, to.place.value]
      if (allowsAll(value)) return true
      if (!isObject(value) || !isObject(innerValue) || !hasSameUse(value, innerValue)) return false
      return listKeywords(value).every((key) => {
        if (ignored.has(key)) return true
        const [own, innerOwn] = [readOwn(value, key), readOwn(innerValue, key)]
        if (key === 'properties') return coversProperties(from, to, covers, isAlone)
        if (key === 'additionalProperties') return own === true || (coversOthers(value, innerValue) && isEqual(own, innerOwn))
        if (key === 'items' && innerOwn !== undefined && ![value, innerValue].some(({ prefixItems }) => prefixItems)) {
          return covers(child(from, key), child(to, key))
        }
        if (dependent.has(key)) return false
        return (
          readOwn(looser, key)?.(own, innerOwn, innerValue) === true || isEqual(own, innerOwn) || saysSame(state, from, to, key)
        )
      })
    }
    return covers(outer, inner)
  }
}

/** Keywords that do not decide which values are valid. */
const ignored = new Set(['default', 'deprecated', 'nullable', 'readOnly', 'writeOnly', 'discriminator'])

/** Keywords whose effect depends on those beside them. */
const dependent = new Set([
  '$ref',
  'unevaluatedProperties',
  'unevaluatedItems',
  'items',
  'prefixItems',
  'then',
  'else',
  'maxContains',
])

/** Whether a keyword allows at least what the inner schema allows. */
type IsLooser = (own: unknown, inner: unknown, schema: JsonObject) => boolean

const isHigher: IsLooser = (own, inner) => typeof own === 'number' && typeof inner === 'number' && own >= inner
const isLower: IsLooser = (own, inner) => typeof own === 'number' && typeof inner === 'number' && own <= inner

const looser: { readonly [keyword: string]: IsLooser } = {
  type: (own, inner, schema) => {
    const types = inner === undefined ? listValues(schema)?.map(typeOfValue) : [inner].flat()
    return types?.every((type) => includesType([own].flat(), type)) === true
  },
  enum: (own, _inner, schema) => Array.isArray(own) && listsOnly(schema, own),
  const: (own, _inner, schema) => listsOnly(schema, [own]),
  required: (own, inner) => Array.isArray(own) && own.every((name) => Array.isArray(inner) && inner.includes(name)),
  pattern: allowsAnyText,
  uniqueItems: (own) => own === false,
  maximum: isHigher,
  exclusiveMaximum: isHigher,
  maxLength: isHigher,
  maxItems: isHigher,
  maxProperties: isHigher,
  minimum: isLower,
  exclusiveMinimum: isLower,
  minLength: isLower,
  minItems: isLower,
  minProperties: isLower,
}

/** Whether a schema allows only listed values. */
function listsOnly(schema: JsonObject, listed: readonly unknown[]): boolean {
  return listValues(schema)?.every((value) => listed.some((each) => equalJson(each, value))) === true
}

/** The values that a schema lists. */
export function listValues(schema: unknown): readonly unknown[] | undefined {
  const [constant, values] = [readOwn(schema, 'const'), readOwn(schema, 'enum')]
  if (constant !== undefined) return [constant]
  return Array.isArray(values) ? values : undefined
}

function resolve({ place, side }: SidePlace): SidePlace {
  const isOnlyReference = isObject(place.value) && (!side.follow.counts(place) || !hasOwnMeaning(place.value))
  return isOnlyReference ? { place: side.follow.end(place), side } : { place, side }
}

function child({ place, side }: SidePlace, key: string): SidePlace {
  return { place: childPlace(place, key), side }
}

/** Whether both are sent in the same direction, and the outer one allows `null` if the inner one does. */
function hasSameUse(outer: JsonObject, inner: JsonObject): boolean {
  if (['readOnly', 'writeOnly'].some((key) => (readOwn(outer, key) === true) !== (readOwn(inner, key) === true))) return false
  return inner['nullable'] !== true || outer['nullable'] === true
}

function coversProperties(
  outer: SidePlace,
  inner: SidePlace,
  covers: (one: SidePlace, other: SidePlace) => boolean,
  isAlone: boolean,
): boolean {
  const [properties, innerProperties] = [child(outer, 'properties'), child(inner, 'properties')]
  const own = innerProperties.place.value
  const names = isObject(properties.place.value) ? Object.keys(properties.place.value) : []
  const describesOthers = !isAlone || (isObject(inner.place.value) && hasOtherProperties(inner.place.value))
  return names.every((name) => {
    if (isObject(own) && Object.hasOwn(own, name)) return covers(child(properties, name), child(innerProperties, name))
    return !describesOthers || allowsAll(child(properties, name).place.value)
  })
}

/** Whether a schema describes other properties than its own, so that clients can send them. */
function hasOtherProperties(schema: JsonObject): boolean {
  return describingKeywords.some(
    (key) => readOwn(schema, key) !== undefined && readOwn(schema, key) !== false && !allowsAll(readOwn(schema, key)),
  )
}

const describingKeywords = [
  ...['additionalProperties', 'unevaluatedProperties', 'patternProperties', '$ref'],
  ...keywordsFor('same', 'case'),
]

/** Whether all properties of the inner schema are listed in the outer one too, so that no other schema applies to them. */
function coversOthers(outer: JsonObject, inner: JsonObject): boolean {
  const [properties, own] = [outer['properties'], inner['properties']]
  const names = isObject(own) ? Object.keys(own) : []
  return (
    names.every((name) => isObject(properties) && Object.hasOwn(properties, name)) &&
    isEqual(outer['patternProperties'], inner['patternProperties'])
  )
}

/** Whether the values of a keyword say the same, with their lists in any order. `false` also means that they are too deep to know. */
function saysSame(state: ComparisonState, one: SidePlace, other: SidePlace, key: string): boolean {
  const [from, to] = [child(one, key), child(other, key)]
  if (to.place.value === undefined || [from, to].some(({ place }) => isDeeperThan(place.value, maxShapeDepth))) return false
  if ([from, to].some(({ place }) => hasReference(place.value))) return false
  return toShape(state, from.place, from.side) === toShape(state, to.place, to.side)
}

/** Whether two values are equal and have no references, whose targets could differ. */
function isEqual(one: unknown, other: unknown): boolean {
  return equalJson(one, other) && !hasReference(one)
}

function hasReference(value: unknown): boolean {
  return typeof value === 'object' && JSON.stringify(value).includes('"$ref"')
}
