import { type ExactKeywords, keywordIn, readExact } from '../../model/schema.ts'
import {
  childPlace,
  commonTypes,
  countIn,
  isNull,
  isReference,
  itemsOf,
  listPlaces,
  mapPlaces,
  typesIn,
  valueIn,
} from '../../openapi/references/follow-reference.ts'
import { typeOfValue } from '../../openapi/schema/json-schema.ts'
import type { Place } from '../../text/json/json-values.ts'
import type { Side } from '../differences/comparison.ts'
import { hasOnly, hasOwnMeaning, listedIn, listKeywords, placeOf, skipReference, toContent, unwrap } from './keywords.ts'

/** A schema with everything that applies to the same value: the targets of references and the branches of `allOf`. */
export interface ComparedSchema {
  /** The schema itself first. */
  readonly parts: readonly SchemaPart[]
  readonly side: Side
  /** `false`: no value is valid. */
  readonly isNever: boolean
  /** It has a reference that cannot be resolved, so its meaning is unknown. */
  readonly isUnresolved: boolean
  /** `null` is added by `nullable` around an `allOf`. */
  readonly isNullable: boolean
  /** `null` is added to some parts by a `oneOf` or `anyOf` with two branches. */
  readonly addsNull: boolean
  /** Alternatives that only list types or add `null` are compared one by one. Otherwise they count as types. */
  readonly comparesBranches: boolean
}

/** Keywords with alternatives. */
export const alternativeKeywords = ['oneOf', 'anyOf'] as const

type AlternativeKeyword = (typeof alternativeKeywords)[number]

/** Which alternatives are merged into a compared schema: all with one schema, also those that add `null`; only the former; or none. */
type MergedAlternatives = 'nullable' | 'single' | 'none'

/** One Schema Object of a compared schema. */
export interface SchemaPart {
  readonly place: Place
  readonly value: ExactKeywords
  /** Each `oneOf` or `anyOf` whose only schema is a part too, because it applies like one of `allOf`. */
  readonly merged: readonly AlternativeKeyword[]
  /** `null` matches in place of this part. */
  readonly allowsNull: boolean
  /** It was reached by a reference, so its contents are part of several compared schemas. */
  readonly isShared: boolean
  /** How many parts it consists of: itself and those after it that it contains or refers to. */
  readonly size: number
  /** The alternatives that `foldValues` replaced by the enum, and the places of its values. */
  readonly folded?: { readonly place: Place; readonly values: readonly Place[] }
}

/** Maximum number of parts, so that repeated references cost little time. */
const maxParts = 500

/**
 * Collects everything that applies to the value that schemas at some places describe.
 *
 * `mergeSchema` has one value for each keyword, the first or the narrowest. A comparison needs each schema with its keywords: it reports the place
 * of each, counts `null` of the alternatives around it, and reads keywords beside a `$ref` only if the version of OpenAPI defines them.
 *
 * @param merges Without `nullable`, alternatives are compared one by one, even those that only list types.
 */
export function toComparedSchema(places: readonly Place[], side: Side, merges: MergedAlternatives = 'nullable'): ComparedSchema {
  const parts: SchemaPart[] = []
  const state = { isNever: false, isUnresolved: false, isNullable: false, addsNull: false }
  const seen = new Set<unknown>()
  const add = (place: Place, isShared: boolean, allowsNull: boolean): void => {
    if (place.value === false) state.isNever = true
    const value = seen.has(place.value) || parts.length >= maxParts ? undefined : readExact(place)
    if (!value) return
    seen.add(place.value)
    const target = side.follow.next(place)
    // OpenAPI allows no reference for all properties, but the check only warns about one that can be resolved.
    const isUnknown = isReference(value['properties']) && isReference(side.follow.end(childPlace(place, 'properties')).value)
    if ((!target && value['$ref'] !== undefined) || isUnknown) state.isUnresolved = true
    const onlyRefers = target !== undefined && (!side.follow.counts(place) || !hasOwnMeaning(place))
    const index = parts.length
    let own: { size: number } | undefined
    if (!onlyRefers) {
      const wraps = merges === 'none' ? [] : findWraps(place, side, merges === 'nullable')
      const merged = wraps.map(({ keyword }) => keyword)
      own = { size: 1 }
      const exact = value === place.value ? place : { ...place, value }
      parts.push(Object.assign(own, { place: exact, value, merged, allowsNull, isShared }))
      for (const wrap of wraps) {
        state.addsNull ||= wrap.addsNull
        add(wrap.only, isShared, allowsNull || wrap.addsNull)
      }
      const branches = listPlaces(place, 'allOf')
      if (side.release === '3.0' && branches.length > 0 && value['nullable'] === true) state.isNullable = true
      for (const branch of branches) add(branch, isShared, allowsNull)
    }
    if (target) add(target, true, allowsNull)
    if (own) own.size = parts.length - index
  }
  for (const place of places) add(place, false, false)
  return { parts, side, ...state, comparesBranches: merges !== 'nullable' }
}

/** Finds each `oneOf` and `anyOf` of one schema, or of one and `null`. */
function findWraps(place: Place, side: Side, includesNullable: boolean) {
  return alternativeKeywords.flatMap((keyword) => {
    const count = countIn(place, keyword)
    const addsNull = count === 2 && includesNullable
    const branches = count === 1 || addsNull ? listPlaces(place, keyword) : []
    const [only, ...others] = addsNull ? branches.filter((one) => !isNullSchema(toContent(one, side))) : branches
    return only && others.length === 0 ? [{ keyword, only, addsNull }] : []
  })
}

/** One `oneOf` or `anyOf` of a schema. */
export interface Alternatives {
  readonly keyword: AlternativeKeyword
  readonly place: Place
  /** The alternatives, with those of nested unions in place of these. */
  readonly branches: readonly Place[]
  /** The alternatives as they are written. */
  readonly written: readonly Place[]
  /** The alternatives of each nested union. */
  readonly unions: ReadonlyMap<Place, readonly Place[]>
  /** Those and the unions inside, which come after them. */
  readonly nested: readonly NestedUnion[]
  /** The schema with the keyword. */
  readonly schema: Place
  readonly isShared: boolean
}

/** An alternative that is nothing but alternatives. */
interface NestedUnion {
  readonly keyword: AlternativeKeyword
  /** Those of unions inside too. */
  readonly leaves: Place[]
}

/** Lists each `oneOf` and `anyOf` that is merged into a schema, or is not. */
export function listAlternatives({ parts, side }: ComparedSchema, isMerged = false): Alternatives[] {
  return parts.flatMap(({ place, merged, isShared }) =>
    alternativeKeywords.flatMap((keyword): Alternatives[] => {
      if (merged.includes(keyword) !== isMerged || !Array.isArray(valueIn(place, keyword))) return []
      const list = childPlace(place, keyword)
      return [{ keyword, place: list, ...flattenUnions(list, side), schema: place, isShared }]
    }),
  )
}

/** After this many alternatives, nested unions stay as they are. */
const maxFlat = 100

type FlatUnion = Pick<Alternatives, 'written' | 'branches' | 'unions' | 'nested'>

/** Those of each list, because long lists are read for many questions. */
const flatUnions = new WeakMap<object, FlatUnion>()

/** Replaces nested unions, also those that are components, by their alternatives. Two of the same component are one. */
function flattenUnions(list: Place, side: Side): FlatUnion {
  const known = flatUnions.get(Object(list.value))
  if (known) return known
  const [written, unions] = [itemsOf(list).map(unwrap), new Map<Place, readonly Place[]>()]
  const seen = new Set<unknown>([list.value])
  const nested: NestedUnion[] = []
  let left = maxFlat
  const flatten = (place: Place, around: readonly NestedUnion[]): void => {
    const union = left-- > 0 ? findUnion(place, side) : undefined
    const value = union?.list.value ?? side.follow.end(place).value
    if (seen.has(value)) return
    seen.add(value)
    if (union) {
      const own = { keyword: union.keyword, leaves: [] }
      nested.push(own)
      for (const each of itemsOf(union.list)) flatten(unwrap(each), [...around, own])
    } else for (const { leaves } of around) leaves.push(place)
  }
  for (const branch of written) {
    if (!findUnion(branch, side)) continue
    const top = nested.length
    flatten(branch, [])
    unions.set(branch, nested[top]?.leaves ?? [])
  }
  const isLeaf = (branch: Place) => unions.size > 0 && seen.has(side.follow.end(branch).value)
  const branches = written.flatMap((branch) => unions.get(branch) ?? (isLeaf(branch) ? [] : [branch]))
  const flat = { written, branches, unions, nested }
  flatUnions.set(Object(list.value), flat)
  return flat
}

/** The list of a schema that is nothing but alternatives. */
function findUnion(place: Place, side: Side, depth = 0): { keyword: AlternativeKeyword; list: Place } | undefined {
  const end = unwrap(skipReference(place, side))
  // A list of one schema can contain a further reference.
  if (end !== place && isReference(end.value) && depth < 10) return findUnion(end, side, depth + 1)
  const keyword = alternativeKeywords.find((each) => hasOnly(end, each) && countIn(end, each) > 0)
  return keyword && { keyword, list: childPlace(end, keyword) }
}

/** Whether a schema allows `null` only. */
export function isNullSchema(schema: Place): boolean {
  return isNull(schema.value, listKeywords(schema))
}

/** The first part that has a keyword. */
export function findKeyword({ parts }: ComparedSchema, keyword: string): SchemaPart | undefined {
  return parts.find(({ value }) => keywordIn(value, keyword) !== undefined)
}

/** The place of a keyword in the first part that has it. */
export function keywordPlace(schema: ComparedSchema, keyword: string): Place | undefined {
  return keywordPlaces(schema, keyword)[0]
}

/** The places of a keyword in all parts that have it. All of them apply to the same value. */
export function keywordPlaces({ parts }: ComparedSchema, keyword: string): Place[] {
  return parts.flatMap(({ place, value }) => (keywordIn(value, keyword) === undefined ? [] : childPlace(place, keyword)))
}

/** The values of a keyword in all parts that have it. */
export function keywordValues({ parts }: ComparedSchema, keyword: string): unknown[] {
  return parts.flatMap(({ value }) => (keywordIn(value, keyword) === undefined ? [] : [keywordIn(value, keyword)]))
}

/** The entries of a keyword with schemas by name, in all parts that have it. */
export function keywordEntries({ parts }: ComparedSchema, keyword: string) {
  return parts.flatMap(({ place }) => mapPlaces(place, keyword))
}

/** The parts that a part contains or refers to. */
export function innerParts({ parts }: ComparedSchema, part: SchemaPart): readonly SchemaPart[] {
  const index = parts.indexOf(part)
  return parts.slice(index + 1, index + part.size)
}

/**
 * The schema that a part has for the properties that it does not describe: `additionalProperties`, or `unevaluatedProperties` unless the
 * parts inside describe all properties.
 */
export function otherPropertiesOf(schema: ComparedSchema, part: SchemaPart): Place | undefined {
  const { place, size } = part
  const own = placeOf(place, 'additionalProperties')
  if (own) return own
  const isEvaluated =
    size > 1 && innerParts(schema, part).some((inner) => othersKeywords.some((key) => inner.value[key] !== undefined))
  return isEvaluated ? undefined : placeOf(place, 'unevaluatedProperties')
}

const othersKeywords = ['additionalProperties', 'unevaluatedProperties'] as const

/** The schemas of properties that are not listed. */
export function otherProperties(schema: ComparedSchema): Place[] {
  return schema.parts.flatMap((part) => otherPropertiesOf(schema, part) ?? [])
}

/** Whether an object can only have the properties that the schema describes. */
export function isClosed(schema: ComparedSchema): boolean {
  return otherProperties(schema).some(({ value }) => value === false)
}

/** The place of a schema itself. */
export function topPlace({ parts }: ComparedSchema): Place | undefined {
  return parts[0]?.place
}

/** The types of a schema. */
export interface SchemaTypes {
  /** Without `null`. Absent if every type is allowed. */
  readonly types: ReadonlySet<string> | undefined
  readonly isNullable: boolean
  readonly place: Place | undefined
  /** The place that allows `null`, if it is `nullable`. */
  readonly nullablePlace: Place | undefined
}

/** Reads `type` and `nullable`, and alternatives that are only types. */
export function readTypes(schema: ComparedSchema): SchemaTypes {
  const { parts, side } = schema
  const isMarked = ({ value }: SchemaPart) => side.release === '3.0' && value['nullable'] === true
  let types: ReadonlySet<string> | undefined
  let isNullable: boolean | undefined
  let place: Place | undefined
  for (const part of parts) {
    const listed = listTypesOf(part, schema)
    if (!listed) continue
    place ??= listed.place
    const own = new Set(listed.types.filter((type) => type !== 'null'))
    isNullable = (isNullable ?? true) && (part.allowsNull || listed.types.includes('null') || isMarked(part))
    types = types ? new Set(commonTypes([...types], [...own])) : own
  }
  // A multiple of an integer is an integer.
  if (types?.has('number') && keywordValues(schema, 'multipleOf').some((value) => Number.isInteger(value) && value !== 0)) {
    types = new Set([...types].map((type) => (type === 'number' ? 'integer' : type)))
  }
  const listed = types ? undefined : listValueTypes(schema)
  if (listed) {
    types = new Set(listed.types.filter((type) => type !== 'null'))
    isNullable = schema.addsNull || listed.types.includes('null')
    place = listed.place
  }
  const marked = parts.find(isMarked)
  const nullablePlace = marked && childPlace(marked.place, 'nullable')
  const isNullableTop = schema.isNullable || (marked !== undefined && marked === parts[0])
  return { types, isNullable: isNullableTop || (isNullable ?? schema.addsNull), place, nullablePlace }
}

/** The types of the listed values, if a schema without a type lists its values. Those of several branches of `allOf` apply together. */
function listValueTypes({ parts }: ComparedSchema): { types: readonly string[]; place: Place } | undefined {
  let found: { types: readonly string[]; place: Place } | undefined
  for (const { place } of parts) {
    const types = listedIn(place).map(({ value }) => typeOfValue(value))
    const list = placeOf(place, 'const') ?? placeOf(place, 'enum')
    if (!list) continue
    found = found ? { ...found, types: found.types.filter((type) => types.includes(type)) } : { types, place: list }
  }
  return found
}

function listTypesOf(
  { place, value, merged, folded }: SchemaPart,
  { comparesBranches, side }: ComparedSchema,
): { types: readonly string[]; place: Place } | undefined {
  const types = typesIn(place)
  if (types.length > 0) return { types, place: (Array.isArray(value['type']) && folded?.place) || childPlace(place, 'type') }
  for (const keyword of comparesBranches ? [] : alternativeKeywords) {
    if (merged.includes(keyword) || value[keyword] === undefined) continue
    const list = childPlace(place, keyword)
    const types = listTypeBranches(flattenUnions(list, side).branches)
    if (types) return { types, place: list }
  }
  return undefined
}

/** The types of alternatives that are only types, such as `oneOf: [{type: string}, {type: integer}]`. */
export function listTypeBranches(branches: readonly Place[]): readonly string[] | undefined {
  const types = branches.map((branch) => (hasOnly(branch, 'type') ? typesIn(branch) : []))
  const areScalars = (listed: readonly string[]) => listed.length > 0 && !listed.some((type) => /^(?:object|array)$/.test(type))
  return types.length > 0 && types.every(areScalars) ? types.flat() : undefined
}

/** Replaces alternatives of enums and constants by one enum with all their values, as in `oneOf: [{const: a}, {const: b}]`. */
export function foldValues(schema: ComparedSchema): ComparedSchema {
  const parts = schema.parts.map((part): SchemaPart => {
    const { place, value, merged: known } = part
    for (const keyword of alternativeKeywords) {
      if (known.includes(keyword) || value[keyword] === undefined) continue
      const list = childPlace(place, keyword)
      const folded = foldBranches(flattenUnions(list, schema.side).branches)
      if (!folded) continue
      const merged = { ...value, [keyword]: undefined, ...folded.schema }
      return { ...part, place: { ...place, value: merged }, value: merged, folded: { place: list, values: folded.values } }
    }
    return part
  })
  return { ...schema, parts }
}

function foldBranches(branches: readonly Place[]) {
  const listed = branches.map((branch) => (hasOnly(branch, 'type', 'enum', 'const') ? listedIn(branch) : []))
  if (branches.length === 0 || listed.some(({ length }) => length === 0)) return undefined
  const [values, types] = [listed.flat(), branches.map(typesIn)]
  const type = types.some(({ length }) => length === 0) ? {} : { type: [...new Set(types.flat())] }
  return { schema: { ...type, enum: values.map(({ value }) => value) }, values }
}
