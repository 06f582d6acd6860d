import type { Place } from '../../openapi/follow-reference.ts'
import type { MatchState } from '../../openapi/instances/match-scalar.ts'
import { matchSchema } from '../../openapi/instances/match-schema.ts'
import { mergeKeywords } from '../../openapi/schema/merge-keywords.ts'
import { commonTypes, listTypes } from '../../openapi/schema/value-types.ts'
import { isObject, type JsonObject } from '../../source/is-object.ts'
import { findMappedSchema, findSchemaTarget, memoizeByReference, type ReferenceContext } from './context.ts'
import { listPlaces, mapPlaces, readField, readFlag, readText } from './read-fields.ts'
import { sampleNumber, sampleText } from './sample-scalar.ts'
import type { SchemaSide } from './types.ts'

/** Maximum number of lines in a request sample with all optional fields, as indented JSON. */
const maxRequestLines = 60

/** Many operations share the same body. */
const memoizeSample = memoizeByReference<unknown>()

/**
 * Generates an example for a schema from its own examples and defaults, else from its types. It matches the schema, as far as possible:
 * optional properties without a valid value are left out. `undefined` if there is no value. Cached for references.
 */
export function sampleSchema(schema: Place, side: SchemaSide, context: ReferenceContext): unknown {
  return memoizeSample(schema, side, context, () => makeSample(schema, side, context))
}

function makeSample(schema: Place, side: SchemaSide, context: ReferenceContext): unknown {
  const whole = sampleAll(schema, side, context)
  // A request with many optional fields is reduced to the required ones.
  if (side !== 'request' || JSON.stringify(whole ?? null, null, 1).split('\n').length <= maxRequestLines) return whole
  const least = sampleTo(0, schema, side, context).value
  return isObject(least) && Object.keys(least).length === 0 && isObject(whole) ? keepFirst(whole) : (least ?? whole)
}

/** Maximum number of lines in the sample of a request without required fields. */
const maxOptionalLines = 10

/** Keeps the first fields of a sample. */
function keepFirst(whole: JsonObject): JsonObject {
  let left = maxOptionalLines
  const kept = Object.entries(whole).filter(([, value]) => {
    const lines = JSON.stringify(value, null, 1).split('\n').length
    if (lines > left) return false
    left -= lines
    return true
  })
  return Object.fromEntries(kept)
}

/** Maximum nesting of a sample with optional properties. Samples of large schemas have fewer levels, so the fewest are tried first. */
const depths = [2, 3, 6]

/** Maximum nesting of required properties. */
const maxRequiredDepth = 30

/** Maximum number of schemas in one sample. */
const maxSchemas = 400

/** Limit of matched schemas for one sample. */
const maxSteps = 20_000

function sampleAll(schema: Place, side: SchemaSide, context: ReferenceContext): unknown {
  let last: unknown
  for (const [attempt, depth] of depths.entries()) {
    const { value, isComplete, isCut } = sampleTo(depth, schema, side, context)
    if (!isComplete) return attempt === 0 ? sampleTo(1, schema, side, context).value : last
    if (!isCut) return value
    last = value
  }
  return last
}

/** A sample with optional properties down to a depth. */
function sampleTo(depth: number, schema: Place, side: SchemaSide, context: ReferenceContext) {
  const match: MatchState = {
    release: context.release,
    find: (file, reference) => context.follow.next({ file, pointer: '', value: { $ref: reference } }),
    stepsLeft: maxSteps,
    uncertain: false,
    isAnnotated: false,
    path: [],
    depth: 0,
    evaluated: undefined,
    top: undefined,
  }
  const sampler: Sampler = { context, side, match, depth, left: maxSchemas, isCut: false }
  const value = sampleValue(sampler, [schema], '', { depth: 0, around: [] })
  return { value, isComplete: sampler.left >= 0, isCut: sampler.isCut }
}

interface Sampler {
  readonly context: ReferenceContext
  readonly side: SchemaSide
  readonly match: MatchState
  /** Optional properties are left out below. */
  readonly depth: number
  /** How many more schemas the sample may have. */
  left: number
  /** Whether something is left out because of the depth. */
  isCut: boolean
}

/** Whether the attempt failed. Another one will have fewer levels. */
const isOver = ({ left, depth }: Sampler) => left < 0 && depth > 1

/** Where a value is in the sample. */
interface Level {
  readonly depth: number
  /** The schemas of the values around it, to detect circular ones. */
  readonly around: readonly unknown[]
}

/** A list of schemas that apply to the same value, without their choices: the parts that are already chosen. */
type Chosen = ReadonlySet<unknown>

const nothingChosen: Chosen = new Set()

/**
 * A value that matches all of these schemas.
 *
 * @param name of the property, which determines the sample of an ID.
 */
function sampleValue(
  sampler: Sampler,
  schemas: readonly Place[],
  name: string,
  level: Level,
  chosen: Chosen = nothingChosen,
): unknown {
  if (isOver(sampler)) return undefined
  const ends = schemas.map((schema) => sampler.context.follow.end(schema).value)
  if (ends.some((end) => isObject(end) && level.around.includes(end)) || level.depth > maxRequiredDepth || ends.includes(false))
    return undefined
  if (chosen === nothingChosen) sampler.left--
  const shape = readShape(schemas, sampler.context)
  const { parts } = shape
  const written = findWritten(sampler, schemas, parts)
  if (written !== undefined) return written
  const inherited = chosen === nothingChosen ? findSubtype(parts, schemas, sampler.context) : undefined
  if (inherited) {
    const value = sampleValue(sampler, [...schemas, ...inherited], name, level, new Set([inherited]))
    if (value !== undefined) return value
  }
  const choice = findChoice(parts, chosen)
  if (choice) return sampleChoice(sampler, schemas, choice, name, level, chosen)
  const keywords: { [key: string]: unknown } = {}
  for (const part of parts) if (isObject(part.value)) mergeKeywords(keywords, part.value)
  const inside = { depth: level.depth + 1, around: [...level.around, ...ends] }
  const fits = (value: unknown) => isMatch(sampler, schemas, value)
  // No listed value matches all schemas.
  if (keywords['enum'] !== undefined || keywords['const'] !== undefined) return undefined
  switch (findType(parts)) {
    case 'object': {
      const value = sampleObject(sampler, shape, keywords, inside)
      // Optional properties can match `not`.
      const isRefused = parts.some((part) => readField(part.value, 'not') !== undefined) && !fits(value)
      return isRefused ? (sampleObject({ ...sampler, depth: 0 }, shape, keywords, inside) ?? value) : value
    }
    case 'array':
      return sampleList(sampler, parts, keywords, inside)
    case 'string':
      return sampleText(keywords, fits)
    case 'integer':
    case 'number':
      return [sampleNumber(keywords)].find(fits)
    case 'boolean':
      return true
    default:
      return null
  }
}

/** The schemas that apply to a value, with what they say together about its properties. */
interface Shape {
  /** The targets of references and the schemas in `allOf`, at any depth. */
  readonly parts: readonly Place[]
  readonly required: ReadonlySet<string>
  /** The schemas of each property, also of required ones that only `additionalProperties` describes. */
  readonly properties: ReadonlyMap<string, readonly Place[]>
  /** The schemas of properties without a name. */
  readonly additional: readonly Place[]
}

/** Samples contain the same schemas again and again. */
const shapes = new WeakMap<ReferenceContext, Map<unknown, Shape>>()

function readShape(schemas: readonly Place[], context: ReferenceContext): Shape {
  const [only] = schemas
  if (!only || schemas.length > 1 || !isObject(only.value)) return makeShape(schemas, context)
  const cache = shapes.get(context) ?? new Map<unknown, Shape>()
  shapes.set(context, cache)
  const end = Object.keys(only.value).length === 1 ? context.follow.end(only) : only
  const key = isObject(end.value) ? end.value : only.value
  const shape = cache.get(key) ?? makeShape([key === end.value ? end : only], context)
  cache.set(key, shape)
  return shape
}

function makeShape(schemas: readonly Place[], context: ReferenceContext): Shape {
  const parts = listParts(schemas, context)
  const required = new Set<string>()
  const properties = new Map<string, Place[]>()
  for (const part of parts) {
    for (const name of listOf(readField(part.value, 'required'))) if (typeof name === 'string') required.add(name)
    for (const { name, place } of mapPlaces(part, 'properties')) {
      const before = properties.get(name)
      if (before) before.push(place)
      else properties.set(name, [place])
    }
  }
  const additional = parts.flatMap((part) => toPlaces(part, 'additionalProperties'))
  for (const name of required) if (!properties.has(name)) properties.set(name, additional)
  return { parts, required, properties, additional }
}

function listParts(schemas: readonly Place[], { follow }: ReferenceContext): Place[] {
  const parts: Place[] = []
  const seen = new Set<unknown>()
  const add = (schema: Place) => {
    for (const part of follow.chain(schema)) {
      if (!isObject(part.value) || seen.has(part.value)) continue
      seen.add(part.value)
      parts.push(part)
      for (const member of listPlaces(part, 'allOf')) add(member)
    }
  }
  for (const schema of schemas) add(schema)
  return parts
}

/** The first example, constant, enum value or default that matches. */
function findWritten(sampler: Sampler, schemas: readonly Place[], parts: readonly Place[]): unknown {
  for (const read of writtenKeywords) {
    for (const { value } of parts) {
      for (const written of read(value)) {
        const value = prune(sampler, schemas, written)
        if (value !== null && value !== undefined && isMatch(sampler, schemas, value)) return value
      }
    }
  }
  return undefined
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Functions that return the written values of a schema, in the order in which they count. */
const writtenKeywords: readonly ((schema: unknown) => readonly unknown[])[] = [
  (schema) => [readField(schema, 'example')],
  (schema) => [readField(schema, 'const')],
  (schema) => listOf(readField(schema, 'examples')).slice(0, 1),
  (schema) => listOf(readField(schema, 'enum')).slice(0, 20),
  (schema) => [readField(schema, 'default')],
]

/** Removes properties that the side does not have from a written example. */
function prune(sampler: Sampler, schemas: readonly Place[], value: unknown, depth = 0): unknown {
  if (sampler.side === 'both' || depth > maxRequiredDepth || typeof value !== 'object' || value === null) return value
  const { parts, required, properties } = readShape(schemas, sampler.context)
  if (Array.isArray(value)) {
    const items = parts.flatMap((part) => toPlaces(part, 'items'))
    return value.map((item) => prune(sampler, items, item, depth + 1))
  }
  const isMissing = [...required].some((name) => !Object.hasOwn(value, name) && !isHidden(sampler, properties.get(name) ?? []))
  if (isMissing) return undefined
  const kept = Object.entries(value).flatMap(([name, one]) => {
    const described = properties.get(name) ?? []
    return isHidden(sampler, described) ? [] : [[name, prune(sampler, described, one, depth + 1)] as const]
  })
  return Object.fromEntries(kept)
}

function isMatch({ match }: Sampler, schemas: readonly Place[], value: unknown): boolean {
  match.uncertain = false
  return schemas.every((schema) => matchSchema(match, schema, value) === undefined)
}

/** Whether a property is only for the other side. */
function isHidden({ side, context }: Sampler, schemas: readonly Place[]): boolean {
  if (side === 'both') return false
  return readShape(schemas, context).parts.some(({ value }) => readFlag(value, side === 'request' ? 'readOnly' : 'writeOnly'))
}

interface Choice {
  /** The list in the schema, which identifies the choice. */
  readonly list: unknown
  readonly options: readonly Place[]
  readonly part: Place
}

function findChoice(parts: readonly Place[], chosen: Chosen): Choice | undefined {
  for (const part of parts) {
    for (const keyword of ['oneOf', 'anyOf']) {
      const list = readField(part.value, keyword)
      if (Array.isArray(list) && list.length > 0 && !chosen.has(list)) return { list, options: listPlaces(part, keyword), part }
    }
  }
  return undefined
}

/** Maximum number of options that are tried. */
const maxOptions = 8

/** The first option with a value that certainly matches, otherwise one that can match. */
function sampleChoice(
  sampler: Sampler,
  schemas: readonly Place[],
  { list, options, part }: Choice,
  name: string,
  level: Level,
  chosen: Chosen,
): unknown {
  let found: unknown
  let quality = 0
  for (const option of options.slice(0, maxOptions)) {
    const inside = new Set([...chosen, list])
    const sampleWith = (tag: readonly Place[]) => sampleValue(sampler, [...schemas, option, ...tag], name, level, inside)
    const tag = toTag(part, option, sampler.context)
    const value = (tag && sampleWith([tag])) ?? sampleWith([])
    if (value === undefined) continue
    const own = value === null ? 1 : !isMatch(sampler, schemas, value) ? 2 : sampler.match.uncertain ? 3 : 4
    if (own > quality) [found, quality] = [value, own]
    if (own === 4) break
  }
  return found
}

/** A schema for the discriminator of an option, if there is one. Source: OpenAPI 3.2.0, "Discriminator Object". */
function toTag(part: Place, option: Place, context: ReferenceContext): Place | undefined {
  const discriminator = readField(part.value, 'discriminator')
  const property = readText(discriminator, 'propertyName')
  if (property === undefined) return undefined
  const end = context.follow.end(option)
  const mapping = readField(discriminator, 'mapping')
  const mapped = isObject(mapping)
    ? Object.keys(mapping).find((key) => {
        const target = findMappedSchema(String(mapping[key]), part.file, context)
        return target !== undefined && context.follow.end(target).value === end.value
      })
    : undefined
  const tag = mapped ?? findSchemaTarget(context, end)?.name
  return tag === undefined ? undefined : tagPlace(part, property, tag)
}

/** A schema that requires a value of a property. `enum` exists in all versions. */
function tagPlace({ file, pointer }: Place, property: string, tag: string): Place {
  return { file, pointer, value: { properties: { [property]: { enum: [tag] } }, required: [property] } }
}

/** The first subtype of a base schema, with its discriminator: `mapping` lists subtypes that refer back to the base. */
function findSubtype(parts: readonly Place[], schemas: readonly Place[], context: ReferenceContext): Place[] | undefined {
  for (const part of parts) {
    const discriminator = readField(part.value, 'discriminator')
    const [property, mapping] = [readText(discriminator, 'propertyName'), readField(discriminator, 'mapping')]
    if (property === undefined || readField(part.value, 'oneOf') || readField(part.value, 'anyOf')) continue
    const subtypes = Object.entries(isObject(mapping) ? mapping : {}).flatMap(([tag, target]) => {
      const place = findMappedSchema(String(target), part.file, context)
      const end = place && context.follow.end(place)
      return end && end.value !== part.value ? [{ tag, end }] : []
    })
    // The sample can already be one of the subtypes.
    const own = subtypes.find(({ end }) => parts.some(({ value }) => value === end.value))
    const name = schemas.map((schema) => findSchemaTarget(context, context.follow.end(schema))?.name).find(Boolean)
    const isBase = schemas.some((schema) => context.follow.end(schema).value === part.value)
    if (own) return [tagPlace(part, property, own.tag)]
    if (!isBase) return name === undefined ? undefined : [tagPlace(part, property, name)]
    const [first] = subtypes
    if (first) return [first.end, tagPlace(part, property, first.tag)]
  }
  return undefined
}

/** The type of the sample. `null` only if nothing else is allowed. */
function findType(parts: readonly Place[]): string | undefined {
  let types: readonly string[] | undefined
  for (const { value } of parts) {
    const own = listTypes(readField(value, 'type'))
    if (own.length > 0) types = types ? commonTypes(types, own) : own
  }
  const listed = types?.find((type) => type !== 'null')
  if (listed !== undefined || types?.includes('null')) return listed
  return inferredTypes.find(([, keywords]) => parts.some(({ value }) => keywords.test(keysOf(value))))?.[0]
}

const keysOf = (value: unknown) => (isObject(value) ? ` ${Object.keys(value).join(' ')} ` : '')

/** Keywords that tell the type of a schema without `type`. */
const inferredTypes = [
  ['object', / (?:properties|additionalProperties|required|patternProperties|m(?:in|ax)Properties) /],
  ['array', / (?:items|prefixItems|m(?:in|ax)Items|uniqueItems) /],
  ['string', / (?:m(?:in|ax)Length|pattern|format) /],
  ['number', / (?:minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf) /],
] as const

function sampleObject(
  sampler: Sampler,
  { parts, required, properties, additional }: Shape,
  keywords: JsonObject,
  inside: Level,
): unknown {
  const least = typeof keywords['minProperties'] === 'number' ? keywords['minProperties'] : 0
  const most = typeof keywords['maxProperties'] === 'number' ? keywords['maxProperties'] : Number.POSITIVE_INFINITY
  const values = new Map<string, unknown>()
  /** Returns whether the property has a value or is not needed. */
  const add = (name: string, schemas: readonly Place[]) => {
    if (isHidden(sampler, schemas)) return true
    const value = sampleValue(sampler, schemas, name, inside)
    if (value !== undefined) values.set(name, value)
    return value !== undefined
  }
  const isFull = inside.depth > sampler.depth || sampler.left < 0
  for (const [name, schemas] of properties) {
    if (isOver(sampler)) return undefined
    if (!required.has(name) && values.size >= (isFull ? least : most)) {
      sampler.isCut ||= isFull
      continue
    }
    if (!add(name, schemas) && required.has(name)) return undefined
  }
  if (additional.length > 0 && properties.size === 0) sampler.isCut ||= isFull
  if (additional.length > 0 && properties.size === 0 && (!isFull || least > 0)) {
    const names = parts.flatMap((part) => toPlaces(part, 'propertyNames'))
    for (let count = 1; count <= Math.min(Math.max(2, least), most); count++) {
      const name = `property${count}`
      const own = names.length === 0 || isMatch(sampler, names, name) ? name : sampleValue(sampler, names, '', inside)
      if (typeof own === 'string') add(own, additional)
    }
  }
  // Not assigned, because a property can be called `__proto__`.
  return Object.fromEntries(values)
}

/** The schema in a keyword, if there is one. */
function toPlaces(part: Place, keyword: string): Place[] {
  const value = readField(part.value, keyword)
  return isObject(value) ? [{ file: part.file, pointer: `${part.pointer}/${keyword}`, value }] : []
}

/** Lists with more required items are cut off. */
const maxItems = 50

function sampleList(sampler: Sampler, parts: readonly Place[], keywords: JsonObject, inside: Level): unknown {
  const least = typeof keywords['minItems'] === 'number' ? keywords['minItems'] : 0
  const most = typeof keywords['maxItems'] === 'number' ? keywords['maxItems'] : Number.POSITIVE_INFINITY
  const items = parts.flatMap((part) => toPlaces(part, 'items'))
  const prefix = parts.flatMap((part) => listPlaces(part, 'prefixItems'))
  const contained = items.length === 0 ? parts.flatMap((part) => toPlaces(part, 'contains')) : []
  const isFull = inside.depth > sampler.depth || sampler.left < 0
  const wanted = Math.max(least, prefix.length, isFull || items.length + contained.length === 0 ? 0 : 1)
  sampler.isCut ||= isFull
  const values: unknown[] = []
  for (let index = 0; index < Math.min(wanted, most, maxItems); index++) {
    const own = prefix[index]
    const schemas = own ? [own] : [...items, ...contained]
    const value = sampleValue(sampler, schemas, '', inside)
    if (value === undefined) return index < least ? undefined : values
    values.push(keywords['uniqueItems'] === true ? toDistinct(sampler, schemas, values, value) : value)
  }
  return values
}

/** Another value than those before, if it is easy to find one. */
function toDistinct(sampler: Sampler, schemas: readonly Place[], before: readonly unknown[], value: unknown): unknown {
  const isNew = (one: unknown) => before.every((other) => JSON.stringify(other) !== JSON.stringify(one))
  if (isNew(value)) return value
  const listed = readShape(schemas, sampler.context).parts.flatMap(({ value: part }) => listOf(readField(part, 'enum')))
  const next = before.length + 1
  const varied =
    typeof value === 'number'
      ? [value + next]
      : typeof value === 'string'
        ? [`${value}${next}`, `${next}${value}`, String(next)]
        : []
  return [...listed, ...varied].find((one) => isNew(one) && isMatch(sampler, schemas, one)) ?? value
}
