import { matchSchema, startMatch } from '../../model/instances/match-schema.ts'
import { findSubschemas, type Keywords, withoutMarked } from '../../model/schema.ts'
import { followOnly, listPlaces } from '../../openapi/references/follow-reference.ts'
import { keywordsFor, matchPattern } from '../../openapi/schema/json-schema.ts'
import { isContainer, isObject, numberOf, type Place } from '../../text/json/json-values.ts'
import { type NodeBudget, spendNodes, startBudget } from '../../text/plain/limits.ts'
import { getOrMake } from '../../text/plain/lists.ts'
import { memoizeByReference, type ReferenceContext } from './context.ts'
import { valuesOfName } from './sample-names.ts'
import { sampleOfPattern } from './sample-pattern.ts'
import { sampleNumbers, sampleText } from './sample-scalar.ts'
import { placesOf, readShape, type Shape, shapesOf } from './sample-shape.ts'
import type { SchemaSide } from './types.ts'

type MatchState = ReturnType<typeof startMatch>

const memoizeSample = memoizeByReference<unknown>()

/**
 * Generates an example for a schema from its own examples and defaults, else from its types. It matches the schema, as far as possible:
 * optional properties without a valid value are left out. `undefined` if there is no value.
 *
 * @param name of the parameter with the schema.
 */
export function sampleSchema(schema: Place, side: SchemaSide, context: ReferenceContext, name = ''): unknown {
  const end = followOnly(schema, context.follow)
  return memoizeSample(schema, `${side} ${name}`, context, () => makeSample(end, { side, name }, context))
}

/** What decides about a sample besides its schema. */
interface SampleUse {
  readonly side: SchemaSide
  readonly name: string
}

function makeSample(schema: Place, use: SampleUse, context: ReferenceContext): unknown {
  const budget = startBudget('sample')
  const samples = use.side === 'request' ? makeRequests(budget, schema, use, context) : [sampleAll(budget, schema, use, context)]
  // The shapes that were tried take more memory than the document.
  if (budget.isShortened) shapesOf(context).clear()
  const left = startBudget('sample')
  const match = startMatching(context, left)
  // What cannot be matched to its end may be invalid.
  return samples.find((sample) => sample !== undefined && isMatch(match, [schema], sample) && !left.isShortened)
}

/** Of a request, only what is required and what the author gave an example for; if that is nothing, little of what is optional. */
function makeRequests(budget: NodeBudget, schema: Place, use: SampleUse, context: ReferenceContext): unknown[] {
  const least = sampleTo(0, budget, schema, use, context).value
  if (least !== undefined && !(isObject(least) && Object.keys(least).length === 0)) return [least]
  const whole = sampleAll(budget, schema, use, context)
  const isLong = isObject(least) && isObject(whole) && JSON.stringify(whole, null, 1).split('\n').length > maxOptionalLines
  // Some objects have one field, with all others in it.
  if (!isLong || Object.keys(whole).length === 1) return [whole, least]
  const plain = Object.entries(whole).filter(([, value]) => !isContainer(value))
  return [Object.fromEntries(plain.slice(0, maxOptionalFields)), least, whole]
}

/** Whether the author gave an example, or also a default. */
function hasExample({ parts }: Shape, orDefault: boolean): boolean {
  return parts.some(
    ({ keywords: { example, examples = [], default: standard } }) =>
      example !== undefined || examples.length > 0 || (orDefault && standard !== undefined),
  )
}

/** A request without required fields has all that are optional if it has at most so many lines, else so many fields. */
const maxOptionalLines = 10
const maxOptionalFields = 3

/** Maximum nesting of a sample with optional properties. Samples of large schemas have fewer levels. */
const depths = [6, 3, 2, 1]

/** Maximum nesting of required properties. */
const maxRequiredDepth = 30

/** Maximum number of schemas in one sample. */
const maxSchemas = 400

/** How many matched schemas a schema that is tried counts as. */
const costOfTry = 10

function sampleAll(budget: NodeBudget, schema: Place, use: SampleUse, context: ReferenceContext): unknown {
  let sample: ReturnType<typeof sampleTo> | undefined
  for (const depth of depths) {
    sample = sampleTo(depth, budget, schema, use, context)
    if (sample.isComplete) break
  }
  return sample?.value
}

/** A sample with optional properties down to a depth. */
function sampleTo(depth: number, budget: NodeBudget, schema: Place, { side, name }: SampleUse, context: ReferenceContext) {
  const sampler: Sampler = { context, side, match: startMatching(context, budget), depth, left: maxSchemas, budget }
  const value = sampleValue(sampler, readShape([schema], context), { depth: 0, around: [], name })
  return { value, isComplete: sampler.left >= 0 }
}

function startMatching({ release, follow }: ReferenceContext, budget: NodeBudget): MatchState {
  return startMatch(release, follow.find, () => spendNodes(budget))
}

interface Sampler {
  readonly context: ReferenceContext
  readonly side: SchemaSide
  readonly match: MatchState
  /** Optional properties are left out below. */
  readonly depth: number
  /** How many more schemas the sample may have. */
  left: number
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
  /** Of the property or parameter, also for the items of its list. `''` for none. */
  readonly name: string
}

/** A value that matches all schemas of a shape. */
function sampleValue(sampler: Sampler, shape: Shape, level: Level): unknown {
  if (isOver(sampler)) return undefined
  if (shape.isImpossible || level.depth > maxRequiredDepth || shape.ends.some((end) => level.around.includes(end)))
    return undefined
  if (!spendNodes(sampler.budget, costOfTry * Math.max(1, shape.parts.length))) return undefined
  if (!shape.isNarrowed) sampler.left--
  const written = getOrMake(shape.kept, sampler.side, () => findWritten(shape, sampler))
  if (written !== undefined) return written
  if (shape.subtype) {
    const value = sampleValue(sampler, shape.subtype(), level)
    if (value !== undefined) return value
  }
  if (shape.options.length > 0) return sampleChoice(sampler, shape, level)
  if (isListed(shape)) return undefined
  if (shape.type !== 'array' && shape.type !== 'object')
    return getOrMake(shape.kept, `${sampler.side} ${level.name}`, () => sampleScalar(shape, sampler.match, level.name))
  const inside = { depth: level.depth + 1, around: [...level.around, ...shape.ends], name: level.name }
  const value = shape.type === 'array' ? sampleList(sampler, shape, inside) : sampleObject(sampler, shape, inside)
  const isChecked = shape.parts.some((part) => Object.keys(part.keywords).some((key) => checkedKeywords.has(key)))
  const fits = (one: unknown) => isMatch(sampler.match, shape.schemas, one)
  if (!isChecked || value === undefined || fits(value)) return value
  if (Array.isArray(value)) return [[]].find(fits)
  // An optional property too many, or all of them.
  const optional = Object.keys(value).filter((name) => !shape.required.has(name))
  for (const name of optional.slice(-maxLeftOut).toReversed()) {
    const less = Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
    if (fits(less)) return less
  }
  return [sampleObject({ ...sampler, depth: 0 }, shape, inside)].find((one) => one !== undefined && fits(one))
}

/** Keywords that a value can break although all its parts are valid. */
const checkedKeywords = new Set([
  ...keywordsFor('case', 'no'),
  ...['contains', 'uniqueItems', 'minProperties', 'maxProperties', 'unevaluatedProperties', 'dependentRequired'],
])

/** The most properties of which one is left out. */
const maxLeftOut = 20

/** Whether only listed values are allowed. If none of them has been found to match, there is no value. */
const isListed = ({ keywords }: Shape) => keywords.enum !== undefined || keywords['const'] !== undefined

function sampleScalar(shape: Shape, match: MatchState, name: string): unknown {
  if (isListed(shape)) return undefined
  const { type, keywords, schemas, parts } = shape
  const fits = (value: unknown) => isMatch(match, schemas, value)
  const likely = valuesOfName(name, keywords.description)
  switch (type) {
    case 'string':
      return sampleText(keywords, fits, listValues(parts, 'pattern'), likely.texts)
    case 'integer':
    case 'number':
      return [...likely.numbers, ...sampleNumbers(keywords, listValues(parts, 'multipleOf').map(Number))].find(fits)
    case 'boolean':
      return true
    default:
      return null
  }
}

/** The different values of a keyword in several schemas. */
function listValues<Key extends 'pattern' | 'multipleOf'>(parts: Shape['parts'], key: Key) {
  return [...new Set(parts.flatMap(({ keywords }) => keywords[key] ?? []))]
}

/** The first example, constant, enum value or default that matches. */
function findWritten(shape: Shape, { side, match, context }: Sampler): unknown {
  const omit = (value: unknown) =>
    side === 'both' ? value : withoutMarked(value, shape.schemas, otherMark(side), context.follow)
  for (const listWritten of writtenValues) {
    for (const part of shape.parts) {
      for (const written of listWritten(part.keywords)) {
        const value = omit(written)
        if (value !== null && value !== undefined && isMatch(match, shape.schemas, value)) return value
      }
    }
  }
  return undefined
}

/** The values that a schema has itself, in the order in which they count. */
const writtenValues: readonly ((keywords: Keywords) => readonly unknown[])[] = [
  ({ example }) => [example],
  ({ const: constant }) => [constant],
  ({ examples = [] }) => examples.slice(0, 1),
  ({ enum: values = [] }) => values.slice(0, 20),
  ({ default: preset }) => [preset],
]

function isMatch(match: MatchState, schemas: readonly Place[], value: unknown): boolean {
  match.uncertain = false
  const [first] = schemas
  const isOneFile = schemas.every(({ file }) => file === first?.file)
  // One of them can require a property that another one defines as read-only.
  const joined =
    first && schemas.length > 1 && isOneFile ? [{ ...first, value: { allOf: schemas.map((one) => one.value) } }] : schemas
  return joined.every((schema) => matchSchema(match, schema, value) === undefined)
}

/** Whether a property is only for the other side. */
function isHidden(shape: Shape | undefined, side: SchemaSide): boolean {
  return side !== 'both' && shape?.keywords[otherMark(side)] === true
}

/** The mark of what only the other side has. */
function otherMark(side: 'request' | 'response') {
  return side === 'request' ? 'readOnly' : 'writeOnly'
}

/** The first option with a value that certainly matches, otherwise one that can match. `null` is the last one. */
function sampleChoice(sampler: Sampler, { schemas, options }: Shape, level: Level): unknown {
  let found: unknown
  let quality = 0
  for (const shapes of options) {
    if (sampler.budget.isShortened) break
    let value: unknown
    for (const shape of shapes) value ??= sampleValue(sampler, shape(), level)
    if (value === undefined || !isMatch(sampler.match, schemas, value)) continue
    let own = 3
    if (value === null) own = 1
    else if (sampler.match.uncertain) own = 2
    if (own > quality) [found, quality] = [value, own]
    if (own === 3) break
  }
  return found
}

function sampleObject(sampler: Sampler, shape: Shape, inside: Level): object | undefined {
  const { keywords, required, properties, additional, patterns } = shape
  const { minProperties: least = 0, maxProperties: most = Number.POSITIVE_INFINITY } = keywords
  const values = new Map<string, unknown>()
  /** Returns whether the property has a value or is not needed. */
  const add = (name: string, property: Shape) => {
    if (isHidden(property, sampler.side)) return true
    const value = sampleValue(sampler, property, { ...inside, name })
    if (value !== undefined) values.set(name, value)
    return value !== undefined
  }
  const isFull = inside.depth > sampler.depth || sampler.left < 0
  let needed = required.size
  for (const [name, property] of properties) {
    if (isOver(sampler)) return undefined
    if (required.has(name)) needed--
    const room = most - needed - values.size
    const isWritten = sampler.side === 'request' && room > 0 && hasExample(property(), required.size === 0)
    if (!required.has(name) && !isWritten && (room <= 0 || (isFull && values.size >= least))) continue
    if (!add(name, property()) && required.has(name)) return undefined
  }
  const isMap = properties.size === 0 && additional.length + patterns.length > 0
  const wanted = Math.min(most, Math.max(least, isMap && !isFull ? 2 : 0))
  if (values.size < wanted) {
    for (const name of listNames(sampler, shape, inside)) {
      const places = placesOf(name, shape)
      const value = places.length > 0 ? readShape(places, sampler.context) : undefined
      if (!properties.has(name) && !values.has(name)) {
        if (value) add(name, value)
        else values.set(name, 'string')
      }
      if (values.size >= wanted) break
    }
  }
  return sampler.side === 'request' ? Object.fromEntries(values) : inOrder(values)
}

/** An object with its keys in this order. Otherwise, numbers are before other names, as they are in requests, which browsers read from JSON. */
function inOrder(values: ReadonlyMap<string, unknown>): object {
  const object = Object.fromEntries(values)
  const names = [...values.keys()]
  return names.some((name) => /^\d/.test(name)) ? new Proxy(object, { ownKeys: () => names }) : object
}

/** Names for properties without one, the best first. */
function listNames({ context, match, ...sampler }: Sampler, { parts, patterns, additional }: Shape, inside: Level): string[] {
  const rules = findSubschemas(parts, 'propertyNames')
  const isClosed = additional.length === 0 && parts.some((part) => part.keywords['additionalProperties'] === false)
  const made = patterns.flatMap(({ name }) => sampleOfPattern(name, 1) ?? [])
  const rule = readShape(rules, context)
  const ruled = rules.length > 0 ? sampleValue({ context, match, ...sampler }, rule, inside) : undefined
  const counts = Array.from({ length: maxNames }, (_, index) => index + 1)
  const names = [
    ...made,
    ...counts.flatMap((count) => made.flatMap((name) => [`${name}${count}`, `${count}${name}`])),
    ...counts.map((count) => `property${count}`),
    ...[...(rule.keywords.enum ?? []), ruled],
    ...counts.map((count) => `${String(ruled)}${count}`),
  ]
  const isAllowed = (name: string) => !isClosed || patterns.some((pattern) => matchPattern(pattern.name, name) === true)
  return names.filter((name) => typeof name === 'string').filter((name) => isAllowed(name) && isMatch(match, rules, name))
}

/** The most names that are tried of one kind. */
const maxNames = 20

/** Lists with more required items are cut off. */
const maxItems = 50

function sampleList(sampler: Sampler, { parts, keywords, items }: Shape, inside: Level): unknown[] | undefined {
  const read = (places: readonly Place[]) => readShape(places, sampler.context)
  const { minItems: least = 0, maxItems: most = Number.POSITIVE_INFINITY, minContains = 1, uniqueItems } = keywords
  const prefix = parts.flatMap((part) => listPlaces(part, 'prefixItems'))
  const [places, contained] = [findSubschemas(parts, 'items'), findSubschemas(parts, 'contains')]
  const needed = contained.length > 0 ? prefix.length + minContains : 0
  // An empty list says little in a request.
  const isFull = (sampler.side !== 'request' && inside.depth > sampler.depth) || sampler.left < 0
  const wanted = Math.max(least, prefix.length, needed, isFull || !items ? 0 : 1)
  const values: unknown[] = []
  for (let index = 0; index < Math.min(wanted, most, maxItems); index++) {
    const own = prefix[index]
    const shape = own ? read([own]) : index < needed ? read([...places, ...contained]) : (items?.() ?? read([]))
    const value = sampleValue(sampler, shape, inside)
    if (value === undefined) return index < Math.max(least, needed) ? undefined : values
    values.push(uniqueItems ? toDistinct(sampler.match, shape, values, value) : value)
  }
  return values
}

/** Another value than those before, if it is easy to find one. */
function toDistinct(match: MatchState, { schemas, parts }: Shape, before: readonly unknown[], value: unknown): unknown {
  const isNew = (one: unknown) => before.every((other) => JSON.stringify(other) !== JSON.stringify(one))
  if (isNew(value)) return value
  const listed = parts.flatMap((part) => part.keywords.enum ?? [])
  const varied = before.flatMap((_, index) => vary(value, index + 2))
  return [...listed, ...varied].find((one) => isNew(one) && isMatch(match, schemas, one)) ?? value
}

/** Other values of the same type. */
function vary(value: unknown, by: number): unknown[] {
  const number = numberOf(value)
  if (number !== undefined) return [number + by, number + by - 1, number - by + 1]
  if (typeof value === 'string') return [`${value}${by}`, `${by}${value}`, String(by)]
  if (typeof value === 'boolean') return [!value]
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, one]) =>
    vary(one, by).map((other) =>
      Object.fromEntries(Object.entries(value).map(([key, old]) => [key, key === name ? other : old])),
    ),
  )
}
