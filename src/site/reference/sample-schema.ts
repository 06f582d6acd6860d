import { matchSchema, startMatch } from '../../openapi/instances/match-schema.ts'
import type { Place } from '../../openapi/types.ts'
import { isObject, type JsonObject, listOf } from '../../text/json/json-values.ts'
import { type NodeBudget, spendNodes, startBudget } from '../../text/plain/limits.ts'
import { findSchemaTarget, perDescription, type ReferenceContext } from './context.ts'
import { listPlaces, readField } from './read-fields.ts'
import { sampleNumber, sampleText } from './sample-scalar.ts'
import { type Fixed, followOnly, readShape, type Shape, shapesOf, toPlaces } from './sample-shape.ts'
import type { SchemaSide } from './types.ts'

type MatchState = ReturnType<typeof startMatch>

/** Maximum number of cached samples. The cache is cleared when it is full. */
const maxSamples = 1_000

/** Samples of named schemas by side: many operations share the same body. */
const samplesOf = perDescription(() => new Map<unknown, Map<SchemaSide, unknown>>())

/**
 * Generates an example for a schema from its own examples and defaults, else from its types. It matches the schema, as far as possible:
 * optional properties without a valid value are left out. `undefined` if there is no value. Cached for named schemas.
 */
export function sampleSchema(schema: Place, side: SchemaSide, context: ReferenceContext): unknown {
  const end = followOnly(schema, context)
  if (!findSchemaTarget(context, end)) return makeSample(schema, side, context)
  const cache = samplesOf(context)
  const known = cache.get(end.value) ?? new Map<SchemaSide, unknown>()
  if (known.has(side)) return known.get(side)
  const sample = makeSample(end, side, context)
  if (cache.size >= maxSamples) cache.clear()
  cache.set(end.value, known.set(side, sample))
  return sample
}

function makeSample(schema: Place, side: SchemaSide, context: ReferenceContext): unknown {
  const budget = startBudget('sample')
  const sample = makeWithin(budget, schema, side, context)
  if (!budget.isShortened) return sample
  // The shapes that were tried take more memory than the document.
  shapesOf(context).clear()
  return sample !== undefined && isMatch(startMatching(context, startBudget('sample')), [schema], sample) ? sample : undefined
}

function makeWithin(budget: NodeBudget, schema: Place, side: SchemaSide, context: ReferenceContext): unknown {
  if (side !== 'request') return sampleAll(budget, schema, side, context)
  // Of a request, only what is required and what the author gave an example for.
  const least = sampleTo(0, budget, schema, side, context).value
  if (least !== undefined && !(isObject(least) && Object.keys(least).length === 0)) return least
  const whole = sampleAll(budget, schema, side, context)
  return isObject(least) && isObject(whole) && countLines(whole) > maxOptionalLines ? keepFirst(whole) : (whole ?? least)
}

function countLines(value: unknown): number {
  return JSON.stringify(value ?? null, null, 1).split('\n').length
}

/** Whether the author gave an example, or also a default. */
function hasExample({ parts }: Shape, orDefault: boolean): boolean {
  if (orDefault && parts.some(({ value }) => readField(value, 'default') !== undefined)) return true
  return parts.some(({ value }) => readField(value, 'example') !== undefined || listOf(readField(value, 'examples')).length > 0)
}

/** Maximum number of lines in the sample of a request without required fields. */
const maxOptionalLines = 20

/** Keeps the first fields of a sample. */
function keepFirst(whole: JsonObject): JsonObject {
  let left = maxOptionalLines
  const kept = Object.entries(whole).filter(([, value]) => {
    const lines = countLines(value)
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

/** How many matched schemas a schema that is tried counts as. */
const costOfTry = 10

function sampleAll(budget: NodeBudget, schema: Place, side: SchemaSide, context: ReferenceContext): unknown {
  let last: unknown
  for (const [attempt, depth] of depths.entries()) {
    const { value, isComplete, isCut } = sampleTo(depth, budget, schema, side, context)
    if (!isComplete) return attempt === 0 ? sampleTo(1, budget, schema, side, context).value : last
    if (!isCut) return value
    last = value
  }
  return last
}

/** A sample with optional properties down to a depth. */
function sampleTo(depth: number, budget: NodeBudget, schema: Place, side: SchemaSide, context: ReferenceContext) {
  const sampler: Sampler = { context, side, match: startMatching(context, budget), depth, left: maxSchemas, isCut: false, budget }
  const value = sampleValue(sampler, readShape([schema], context), { depth: 0, around: [] })
  return { value, isComplete: sampler.left >= 0, isCut: sampler.isCut }
}

function startMatching({ description, follow }: ReferenceContext, budget: NodeBudget): MatchState {
  return startMatch(
    description.release,
    (file, reference) => follow.next({ file, pointer: '', value: { $ref: reference } }),
    budget,
  )
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
  /** Of all attempts, with the options of choices that were tried, and what was matched. */
  readonly budget: NodeBudget
}

/** Whether the attempt failed. Another one will have fewer levels. */
const isOver = ({ left, depth }: Sampler) => left < 0 && depth > 1

/** Where a value is in the sample. */
interface Level {
  readonly depth: number
  /** The schemas of the values around it, to detect circular ones. */
  readonly around: readonly unknown[]
}

/** A value that matches all schemas of a shape. */
function sampleValue(sampler: Sampler, shape: Shape, level: Level): unknown {
  if (isOver(sampler)) return undefined
  if (shape.isImpossible || level.depth > maxRequiredDepth || shape.ends.some((end) => level.around.includes(end)))
    return undefined
  if (!spendNodes(sampler.budget, costOfTry * Math.max(1, shape.parts.length))) return undefined
  if (!shape.isNarrowed) sampler.left--
  const fixed = findFixed(shape, sampler)
  if (fixed) return fixed.value
  if (shape.subtype) {
    const value = sampleValue(sampler, shape.subtype(), level)
    if (value !== undefined) return value
  }
  if (shape.options.length > 0) return sampleChoice(sampler, shape, level)
  if (isListed(shape)) return undefined
  const inside = { depth: level.depth + 1, around: [...level.around, ...shape.ends] }
  if (shape.type === 'array') return sampleList(sampler, shape, inside)
  if (shape.type !== 'object') return sampleScalar(shape, sampler.match)
  const value = sampleObject(sampler, shape, inside)
  // Optional properties can match `not`.
  const isRefused =
    shape.parts.some((part) => readField(part.value, 'not') !== undefined) && !isMatch(sampler.match, shape.schemas, value)
  return isRefused ? (sampleObject({ ...sampler, depth: 0 }, shape, inside) ?? value) : value
}

/** The written value of a schema, or that of a scalar type. */
function findFixed(shape: Shape, { side, match }: Sampler): Fixed | undefined {
  if (shape.fixed.has(side)) return shape.fixed.get(side)
  const written = findWritten(shape, side, match)
  const isNested = shape.subtype || shape.options.length > 0 || shape.type === 'object' || shape.type === 'array'
  const fixed = written === undefined && isNested ? undefined : { value: written ?? sampleScalar(shape, match) }
  shape.fixed.set(side, fixed)
  return fixed
}

/** Whether only listed values are allowed. If none of them has been found to match, there is no value. */
const isListed = ({ keywords }: Shape) => keywords['enum'] !== undefined || keywords['const'] !== undefined

function sampleScalar(shape: Shape, match: MatchState): unknown {
  if (isListed(shape)) return undefined
  const { type, keywords, schemas } = shape
  const fits = (value: unknown) => isMatch(match, schemas, value)
  switch (type) {
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

/** The first example, constant, enum value or default that matches. */
function findWritten(shape: Shape, side: SchemaSide, match: MatchState): unknown {
  for (const read of writtenKeywords) {
    for (const part of shape.parts) {
      for (const written of read(part.value)) {
        const value = prune(shape, side, written)
        if (value !== null && value !== undefined && isMatch(match, shape.schemas, value)) return value
      }
    }
  }
  return undefined
}

/** Functions that return the written values of a schema, in the order in which they count. */
const writtenKeywords: readonly ((schema: unknown) => readonly unknown[])[] = [
  (schema) => [readField(schema, 'example')],
  (schema) => [readField(schema, 'const')],
  (schema) => listOf(readField(schema, 'examples')).slice(0, 1),
  (schema) => listOf(readField(schema, 'enum')).slice(0, 20),
  (schema) => [readField(schema, 'default')],
]

/** Removes properties that the side does not have from a written example. */
function prune(shape: Shape | undefined, side: SchemaSide, value: unknown, depth = 0): unknown {
  if (!shape || side === 'both' || depth > maxRequiredDepth || typeof value !== 'object' || value === null) return value
  const { required, properties, items } = shape
  if (Array.isArray(value)) return value.map((item) => prune(items?.(), side, item, depth + 1))
  const isHiddenHere = (name: string) => isHidden(properties.get(name)?.(), side)
  if ([...required].some((name) => !Object.hasOwn(value, name) && !isHiddenHere(name))) return undefined
  const kept = Object.entries(value).flatMap(([name, one]) =>
    isHiddenHere(name) ? [] : [[name, prune(properties.get(name)?.(), side, one, depth + 1)] as const],
  )
  return Object.fromEntries(kept)
}

function isMatch(match: MatchState, schemas: readonly Place[], value: unknown): boolean {
  match.uncertain = false
  return schemas.every((schema) => matchSchema(match, schema, value) === undefined)
}

/** Whether a property is only for the other side. */
function isHidden(shape: Shape | undefined, side: SchemaSide): boolean {
  return side !== 'both' && shape?.keywords[side === 'request' ? 'readOnly' : 'writeOnly'] === true
}

/** The first option with a value that certainly matches, otherwise one that can match. */
function sampleChoice(sampler: Sampler, { schemas, options }: Shape, level: Level): unknown {
  let found: unknown
  let quality = 0
  for (const shapes of options) {
    if (sampler.budget.isShortened) break
    let value: unknown
    for (const shape of shapes) value ??= sampleValue(sampler, shape(), level)
    if (value === undefined) continue
    const own = value === null ? 1 : !isMatch(sampler.match, schemas, value) ? 2 : sampler.match.uncertain ? 3 : 4
    if (own > quality) [found, quality] = [value, own]
    if (own === 4) break
  }
  return found
}

function sampleObject(sampler: Sampler, shape: Shape, inside: Level): unknown {
  const { parts, keywords, required, properties, additional } = shape
  const least = typeof keywords['minProperties'] === 'number' ? keywords['minProperties'] : 0
  const most = typeof keywords['maxProperties'] === 'number' ? keywords['maxProperties'] : Number.POSITIVE_INFINITY
  const values = new Map<string, unknown>()
  /** Returns whether the property has a value or is not needed. */
  const add = (name: string, property: Shape) => {
    if (isHidden(property, sampler.side)) return true
    const value = sampleValue(sampler, property, inside)
    if (value !== undefined) values.set(name, value)
    return value !== undefined
  }
  const isFull = inside.depth > sampler.depth || sampler.left < 0
  for (const [name, property] of properties) {
    if (isOver(sampler)) return undefined
    const isWritten = sampler.side === 'request' && values.size < most && hasExample(property(), required.size === 0)
    if (!required.has(name) && !isWritten && values.size >= (isFull ? least : most)) {
      sampler.isCut ||= isFull
      continue
    }
    if (!add(name, property()) && required.has(name)) return undefined
  }
  if (additional && properties.size === 0) sampler.isCut ||= isFull
  if (additional && properties.size === 0 && (!isFull || least > 0)) {
    const names = parts.flatMap((part) => toPlaces(part, 'propertyNames'))
    for (let count = 1; count <= Math.min(Math.max(2, least), most); count++) {
      const name = `property${count}`
      const isAllowed = names.length === 0 || isMatch(sampler.match, names, name)
      const own = isAllowed ? name : sampleValue(sampler, readShape(names, sampler.context), inside)
      if (typeof own === 'string') add(own, additional())
    }
  }
  // Not assigned, because a property can be called `__proto__`.
  return Object.fromEntries(values)
}

/** Lists with more required items are cut off. */
const maxItems = 50

function sampleList(sampler: Sampler, { parts, keywords, items }: Shape, inside: Level): unknown {
  const read = (places: readonly Place[]) => readShape(places, sampler.context)
  const least = typeof keywords['minItems'] === 'number' ? keywords['minItems'] : 0
  const most = typeof keywords['maxItems'] === 'number' ? keywords['maxItems'] : Number.POSITIVE_INFINITY
  const prefix = parts.flatMap((part) => listPlaces(part, 'prefixItems'))
  const contained = items ? [] : parts.flatMap((part) => toPlaces(part, 'contains'))
  // An empty list says little in a request.
  const isFull = (sampler.side !== 'request' && inside.depth > sampler.depth) || sampler.left < 0
  const wanted = Math.max(least, prefix.length, isFull || !(items || contained.length > 0) ? 0 : 1)
  sampler.isCut ||= isFull
  const values: unknown[] = []
  for (let index = 0; index < Math.min(wanted, most, maxItems); index++) {
    const own = prefix[index]
    const shape = own ? read([own]) : (items?.() ?? read(contained))
    const value = sampleValue(sampler, shape, inside)
    if (value === undefined) return index < least ? undefined : values
    values.push(keywords['uniqueItems'] === true ? toDistinct(sampler.match, shape, values, value) : value)
  }
  return values
}

/** Another value than those before, if it is easy to find one. */
function toDistinct(match: MatchState, { schemas, parts }: Shape, before: readonly unknown[], value: unknown): unknown {
  const isNew = (one: unknown) => before.every((other) => JSON.stringify(other) !== JSON.stringify(one))
  if (isNew(value)) return value
  const listed = parts.flatMap((part) => listOf(readField(part.value, 'enum')))
  const next = before.length + 1
  const varied =
    typeof value === 'number'
      ? [value + next]
      : typeof value === 'string'
        ? [`${value}${next}`, `${next}${value}`, String(next)]
        : []
  return [...listed, ...varied].find((one) => isNew(one) && isMatch(match, schemas, one)) ?? value
}
