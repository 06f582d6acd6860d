import { childPlace, commonTypes, isNull, isReference } from '../../openapi/references/follow-reference.ts'
import { typeOfValue } from '../../openapi/schema/json-schema.ts'
import {
  isContainer,
  isObject,
  type JsonObject,
  type Place,
  readOwn,
  readWritten,
  toExactNumber,
} from '../../text/json/json-values.ts'
import type { Side } from '../differences/comparison.ts'
import { hasOwnMeaning, listKeywords, skipReference, toContent, unwrap } from './keywords.ts'

/** A schema with everything that applies to the same value: the targets of references and the branches of `allOf`. */
export interface ComparedSchema {
  /** The schema itself first. */
  readonly parts: readonly SchemaPart[]
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
export type MergedAlternatives = 'nullable' | 'single' | 'none'

/** One Schema Object of a compared schema. */
export interface SchemaPart {
  readonly place: Place
  readonly value: JsonObject
  /** The target of a reference in place of all properties. */
  readonly properties?: Place
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
    const { value } = place
    if (value === false) state.isNever = true
    if (!isObject(value) || seen.has(value) || parts.length >= maxParts) return
    seen.add(value)
    const target = side.follow.next(place)
    if (!target && typeof value['$ref'] === 'string') state.isUnresolved = true
    // OpenAPI allows no reference for all properties, but the check only warns about one that can be resolved.
    const properties = isReference(value['properties']) ? side.follow.end(childPlace(place, 'properties')) : undefined
    if (isReference(properties?.value)) state.isUnresolved = true
    const onlyRefers = target !== undefined && (!side.follow.counts(place) || !hasOwnMeaning(value))
    const index = parts.length
    let own: { size: number } | undefined
    if (!onlyRefers) {
      const wraps = merges === 'none' ? [] : findWraps(place, value, side, merges === 'nullable')
      const normal = toNormalForm(value)
      const part = {
        place: normal === value ? place : { ...place, value: normal },
        value: properties ? { ...normal, properties: properties.value } : normal,
        ...(properties && { properties }),
        merged: wraps.map(({ keyword }) => keyword),
        allowsNull,
        isShared,
        size: 1,
      }
      parts.push(part)
      own = part
      for (const wrap of wraps) {
        state.addsNull ||= wrap.addsNull
        add(childPlace(childPlace(place, wrap.keyword), wrap.index), isShared, allowsNull || wrap.addsNull)
      }
      const branches = value['allOf']
      if (Array.isArray(branches)) {
        const list = childPlace(place, 'allOf')
        if (side.release === '3.0' && (value['nullable'] === true || branches.some(addsNullOnly))) state.isNullable = true
        for (const index of branches.keys()) add(childPlace(list, index), isShared, allowsNull)
      }
    }
    if (target) add(target, true, allowsNull)
    if (own) own.size = parts.length - index
  }
  for (const place of places) add(place, false, false)
  return { parts, ...state, comparesBranches: merges !== 'nullable' }
}

/** Whether a branch of `allOf` in 3.0 says no more than `nullable` around all of them. */
function addsNullOnly(branch: unknown): boolean {
  return isObject(branch) && branch['nullable'] === true && listKeywords(branch).every((key) => /^(?:type|nullable)$/.test(key))
}

/** A schema with numbers that are not rounded, and with what 3.1 has for the formats of files in 3.0. */
function toNormalForm(schema: JsonObject): JsonObject {
  const { format, contentEncoding } = schema
  let normal = schema
  if (format === 'byte') {
    const { format: _, ...others } = schema
    normal = { contentEncoding: 'base64', ...others }
  } else if (format === 'binary' || (format === undefined && contentEncoding === 'binary')) {
    const { format: _, contentEncoding: __, ...others } = schema
    normal = { contentMediaType: anyBytes, ...others }
  }
  for (const key in schema) {
    if (isContainer(schema[key]) && !valueKeywords.has(key)) continue
    const written = readWritten(schema, key)
    if (written !== schema[key]) normal = { ...normal, [key]: toExact(written) }
  }
  return normal
}

/** The media type of `format: binary`, which says no more. */
export const anyBytes = 'application/octet-stream'

const valueKeywords = new Set(['enum', 'const', 'default', 'x-extensible-enum'])

function toExact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toExact)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toExact(one)]))
  return toExactNumber(value) ?? value
}

interface Wrap {
  readonly keyword: AlternativeKeyword
  readonly index: number
  readonly addsNull: boolean
}

/** Finds each `oneOf` and `anyOf` of one schema, or of one and `null`. */
function findWraps(place: Place, value: JsonObject, side: Side, includesNullable: boolean): readonly Wrap[] {
  return alternativeKeywords.flatMap((keyword): Wrap[] => {
    const branches: unknown = value[keyword]
    if (!Array.isArray(branches)) return []
    if (branches.length === 1) return [{ keyword, index: 0, addsNull: false }]
    if (branches.length !== 2 || !includesNullable) return []
    const list = childPlace(place, keyword)
    const isNull = branches.map((_branch, index) => isNullSchema(toContent(childPlace(list, index), side).value))
    return isNull[0] === isNull[1] ? [] : [{ keyword, index: isNull[0] ? 1 : 0, addsNull: true }]
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
  readonly value: JsonObject
  readonly isShared: boolean
}

/** An alternative that is nothing but alternatives. */
interface NestedUnion {
  readonly keyword: AlternativeKeyword
  /** Those of unions inside too. */
  readonly leaves: Place[]
}

/** Lists each `oneOf` and `anyOf` that is merged into a schema, or is not. */
export function listAlternatives({ parts }: ComparedSchema, side: Side, isMerged = false): Alternatives[] {
  return parts.flatMap(({ place, value, merged, isShared }) =>
    alternativeKeywords.flatMap((keyword): Alternatives[] => {
      const list: unknown = merged.includes(keyword) === isMerged ? value[keyword] : undefined
      if (!Array.isArray(list)) return []
      const at = childPlace(place, keyword)
      return [{ keyword, place: at, ...flattenUnions(at, side), value, isShared }]
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
  const key = isContainer(list.value) ? list.value : list
  const known = flatUnions.get(key)
  if (known) return known
  const [written, unions] = [listBranches(list).map(unwrap), new Map<Place, readonly Place[]>()]
  const seen = new Set<unknown>([list.value])
  const isNew = (value: unknown) => !seen.has(value) && seen.add(value)
  const nested: NestedUnion[] = []
  let left = maxFlat
  for (const branch of written) {
    if (!findUnion(branch, side)) continue
    const top = nested.length
    // A list, because unions can contain each other in a long chain.
    const waiting: { readonly place: Place; readonly around: readonly NestedUnion[] }[] = [{ place: branch, around: [] }]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { place, around } = next
      const union = left-- > 0 ? findUnion(place, side) : undefined
      if (!isNew(union?.list.value ?? side.follow.end(place).value)) continue
      if (union) {
        const inside = [...around, { keyword: union.keyword, leaves: [] }]
        nested.push(...inside.slice(-1))
        waiting.push(
          ...listBranches(union.list)
            .map((each) => ({ place: unwrap(each), around: inside }))
            .toReversed(),
        )
      } else for (const { leaves } of around) leaves.push(place)
    }
    unions.set(branch, nested[top]?.leaves ?? [])
  }
  const isLeaf = (branch: Place) => unions.size > 0 && seen.has(side.follow.end(branch).value)
  const branches = written.flatMap((branch) => unions.get(branch) ?? (isLeaf(branch) ? [] : [branch]))
  const flat = { written, branches, unions, nested }
  flatUnions.set(key, flat)
  return flat
}

function listBranches(list: Place): readonly Place[] {
  return Array.isArray(list.value) ? list.value.map((_branch, index) => childPlace(list, index)) : []
}

/** The list of a schema that is nothing but alternatives. */
function findUnion(place: Place, side: Side, depth = 0): { keyword: AlternativeKeyword; list: Place } | undefined {
  const end = unwrap(skipReference(place, side))
  // A list of one schema can contain a further reference.
  if (end !== place && isReference(end.value) && depth < 10) return findUnion(end, side, depth + 1)
  const [only, ...others] = isObject(end.value) ? listKeywords(end.value) : []
  const keyword = alternativeKeywords.find((each) => each === only)
  if (others.length > 0 || !keyword) return undefined
  const list = childPlace(end, keyword)
  return Array.isArray(list.value) && list.value.length > 0 ? { keyword, list } : undefined
}

/** Whether a schema allows `null` only. */
export function isNullSchema(value: unknown): boolean {
  return isObject(value) && isNull(value, listKeywords(value))
}

/** The first part that has a keyword. */
export function findKeyword({ parts }: ComparedSchema, keyword: string): SchemaPart | undefined {
  return parts.find(({ value }) => readOwn(value, keyword) !== undefined)
}

/** The place of a keyword in the first part that has it. */
export function keywordPlace(schema: ComparedSchema, keyword: string): Place | undefined {
  const part = findKeyword(schema, keyword)
  return part && childPlace(part.place, keyword)
}

/** The places of a keyword in all parts that have it. All of them apply to the same value. */
export function keywordPlaces({ parts }: ComparedSchema, keyword: string): Place[] {
  const places: Place[] = []
  for (const { place, value } of parts) if (readOwn(value, keyword) !== undefined) places.push(childPlace(place, keyword))
  return places
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
  const { place, value } = part
  if (value['additionalProperties'] !== undefined) return childPlace(place, 'additionalProperties')
  if (value['unevaluatedProperties'] === undefined) return undefined
  const isEvaluated =
    part.size > 1 && innerParts(schema, part).some((inner) => othersKeywords.some((key) => inner.value[key] !== undefined))
  return isEvaluated ? undefined : childPlace(place, 'unevaluatedProperties')
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
export function readTypes(schema: ComparedSchema, side: Side): SchemaTypes {
  const { release } = side
  let types: ReadonlySet<string> | undefined
  let isNullable: boolean | undefined
  let place: Place | undefined
  for (const part of schema.parts) {
    const listed = listTypes(part, schema, side)
    if (!listed) continue
    place ??= listed.place
    const own = new Set(listed.types.filter((type) => type !== 'null'))
    const hasNull = part.allowsNull || listed.types.includes('null') || (release === '3.0' && part.value['nullable'] === true)
    isNullable = isNullable === undefined ? hasNull : isNullable && hasNull
    types = types ? new Set(commonTypes([...types], [...own])) : own
  }
  // A multiple of an integer is an integer.
  if (types?.has('number') && schema.parts.some(({ value }) => isWhole(value['multipleOf']))) {
    types = new Set([...types].map((type) => (type === 'number' ? 'integer' : type)))
  }
  const listed = types ? undefined : listValueTypes(schema)
  if (listed) {
    types = new Set(listed.types.filter((type) => type !== 'null'))
    isNullable = schema.addsNull || listed.types.includes('null')
    place = listed.place
  }
  const isMarked = release === '3.0' && schema.parts[0]?.value['nullable'] === true
  const marked = release === '3.0' ? schema.parts.find(({ value }) => value['nullable'] === true) : undefined
  const nullablePlace = marked && childPlace(marked.place, 'nullable')
  return { types, isNullable: schema.isNullable || isMarked || (isNullable ?? schema.addsNull), place, nullablePlace }
}

function isWhole(value: unknown): boolean {
  return Number.isInteger(value) && value !== 0
}

/** The types of the listed values, if a schema without a type lists its values. */
function listValueTypes(schema: ComparedSchema): { types: string[]; place: Place } | undefined {
  const place = keywordPlace(schema, 'const') ?? keywordPlace(schema, 'enum')
  if (!place) return undefined
  const values: unknown[] = schema.parts.some(({ value }) => value['const'] !== undefined) ? [place.value] : [place.value].flat()
  return { types: values.map(typeOfValue), place }
}

function listTypes(
  { place, value, merged, folded }: SchemaPart,
  { comparesBranches }: ComparedSchema,
  side: Side,
): { types: string[]; place: Place } | undefined {
  const { type } = value
  if (typeof type === 'string') return { types: [type], place: childPlace(place, 'type') }
  if (Array.isArray(type)) {
    const types = type.filter((one): one is string => typeof one === 'string')
    return { types, place: folded?.place ?? childPlace(place, 'type') }
  }
  for (const keyword of alternativeKeywords) {
    if (comparesBranches || merged.includes(keyword) || value[keyword] === undefined) continue
    const list = childPlace(place, keyword)
    const types = listTypeBranches(flattenUnions(list, side).branches)
    if (types) return { types, place: list }
  }
  return undefined
}

/** The types of alternatives that are only types, such as `oneOf: [{type: string}, {type: integer}]`. */
export function listTypeBranches(branches: readonly Place[]): string[] | undefined {
  const types: string[] = []
  for (const { value: branch } of branches) {
    if (!isObject(branch) || !listKeywords(branch).every((key) => key === 'type')) return undefined
    const listed = [branch['type']].flat().filter((type) => typeof type === 'string')
    if (listed.length === 0 || listed.includes('object') || listed.includes('array')) return undefined
    types.push(...listed)
  }
  return types.length === 0 ? undefined : types
}

/** Replaces alternatives of enums and constants by one enum with all their values, as in `oneOf: [{const: a}, {const: b}]`. */
export function foldValues(schema: ComparedSchema, side: Side): ComparedSchema {
  const parts = schema.parts.map((part): SchemaPart => {
    const { place, value, merged: known } = part
    for (const keyword of alternativeKeywords) {
      if (known.includes(keyword) || value[keyword] === undefined) continue
      const list = childPlace(place, keyword)
      const folded = foldBranches(flattenUnions(list, side).branches)
      if (!folded) continue
      const merged = { ...value, [keyword]: undefined, ...folded.schema }
      return { ...part, place: { ...place, value: merged }, value: merged, folded: { place: list, values: folded.values } }
    }
    return part
  })
  return { ...schema, parts }
}

function foldBranches(
  branches: readonly Place[],
): { readonly schema: JsonObject; readonly values: readonly Place[] } | undefined {
  if (branches.length === 0) return undefined
  const types = new Set<unknown>()
  const values: Place[] = []
  for (const place of branches) {
    const branch = place.value
    if (!isObject(branch)) return undefined
    const { type, enum: listed } = branch
    if (!listKeywords(branch).every((key) => key === 'type' || key === 'enum' || key === 'const')) return undefined
    if (Array.isArray(listed)) {
      const inner = childPlace(place, 'enum')
      values.push(...listed.map((_value, position) => childPlace(inner, position)))
    } else if (branch['const'] !== undefined) values.push(childPlace(place, 'const'))
    else return undefined
    types.add(type)
  }
  const listed = values.map(({ value }) => value)
  return { schema: types.has(undefined) ? { enum: listed } : { type: [...types].flat(), enum: listed }, values }
}
