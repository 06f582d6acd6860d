import {
  childPlace,
  commonTypes,
  createSubtypeIndex,
  dataKeys,
  type FollowReference,
  findKeywords,
  findSchemas,
  followOnly,
  isNull,
  listPlaces,
  listProperties,
  listTypes,
  mapPlaces,
  toMappedReference,
  toPlaceKey,
} from '../openapi/references/follow-reference.ts'
import {
  isContainer,
  isObject,
  type JsonObject,
  listOf,
  numberOf,
  type Place,
  parsePointer,
  pointerChild,
  readOwn,
  readText,
  readWritten,
  setOwn,
  stringEntries,
  toExactNumber,
  toWritten,
  type WrittenNumber,
  withWritten,
} from '../text/json/json-values.ts'
import { addTo, getOrMake } from '../text/plain/lists.ts'
import type { Api } from './api.ts'

/**
 * The keywords of a schema, or of several that apply to the same value. Those with a value of a wrong type are left out. Numbers are as written, but not
 * counts. Keywords that contain schemas and extensions are as in the document.
 */
export interface Keywords
  extends JsonObject,
    Typed<'title' | 'description' | 'format' | 'pattern' | 'contentEncoding' | 'contentMediaType' | '$dynamicRef', string>,
    Typed<'deprecated' | 'readOnly' | 'writeOnly' | 'nullable' | 'uniqueItems', boolean>,
    Typed<`${'min' | 'max'}${'Length' | 'Items' | 'Properties' | 'Contains'}`, number>,
    Typed<'minimum' | 'maximum' | 'multipleOf', number | WrittenNumber>,
    Typed<'enum' | 'examples' | 'required', readonly unknown[]>,
    Typed<'discriminator' | 'xml' | 'dependentRequired', JsonObject> {}

type Typed<Keyword extends string, Value> = { readonly [Key in Keyword]?: Value }

/** The value of a keyword. A document can have any name there, such as `constructor`. */
export function keywordIn(keywords: { readonly [keyword: string]: unknown }, keyword: string): unknown {
  return readOwn(keywords, keyword)
}

/** The types of values, and the keywords with one of them. */
const typedKeywords = {
  string: ['title', 'description', 'format', 'pattern', 'contentEncoding', 'contentMediaType', '$dynamicRef'],
  boolean: ['deprecated', 'readOnly', 'writeOnly', 'nullable', 'uniqueItems'],
  number: ['minimum', 'maximum', 'multipleOf'],
  count: ['Length', 'Items', 'Properties', 'Contains'].flatMap((what) => [`min${what}`, `max${what}`]),
  list: ['enum', 'examples', 'required'],
  object: ['discriminator', 'xml', 'dependentRequired'],
}

const valueTypes: ReadonlyMap<string, string> = new Map(
  Object.entries(typedKeywords).flatMap(([type, keywords]) => keywords.map((keyword) => [keyword, type])),
)

/** Reads the keywords of one schema: the schema itself if it has the values that it should have. */
export function readKeywords(schema: JsonObject): Keywords {
  const written = withWritten(schema)
  const keys = Object.keys(schema)
  if (keys.every((key) => readKeyword(key, readOwn(written, key)) === schema[key])) return schema
  const entries = keys.map((key) => [key, readKeyword(key, readOwn(written, key))] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function readKeyword(keyword: string, value: unknown): unknown {
  const expected = valueTypes.get(keyword)
  if (expected === 'count') return numberOf(value)
  const type = Array.isArray(value) ? 'list' : isObject(value) ? 'object' : typeof (numberOf(value) ?? value)
  if (expected !== undefined && expected !== type) return undefined
  return dataKeys.has(keyword) ? toWritten(value) : value
}

/** A schema among those that apply to the same value. */
export interface MergedPart extends Place {
  readonly keywords: Keywords
  readonly choices: readonly SchemaChoice[]
}

/** Schemas that apply to the same value, with their `$ref` and `allOf`. */
export interface MergedSchema {
  /** Own keywords override inherited ones, of which the first counts. For limits, the narrowest counts. */
  readonly keywords: Keywords
  /** The merged schemas, nearest first, for the places of nested schemas. */
  readonly parts: readonly MergedPart[]
  /** A property can be in several of the schemas. */
  readonly properties: ReadonlyMap<string, readonly Place[]>
  readonly required: ReadonlySet<string>
  /** Without `null`. Without `type`, the one that the other keywords describe. Empty if that is any type. */
  readonly types: readonly string[]
}

/** What reads schemas step by step. */
type SchemaReferences = Pick<FollowReference, 'chain' | 'end' | 'counts'>

interface MergeOptions {
  /** Lists schemas in a part that count besides those of `allOf`. */
  readonly alsoIn?: (part: MergedPart) => readonly Place[]
  /** Called before the merge for each schema, with the targets of its `$ref`, and with the part that contains it. */
  readonly onSchema?: (chain: readonly Place[], around: Place | undefined) => void
  /** Called for each property, with the part that has it. */
  readonly onProperty?: (property: Place, part: Place) => void
}

/**
 * Merges everything that applies to a value: the schemas themselves, the targets of their `$ref`, and the schemas in `allOf`, at any depth. Pages,
 * generated values and the playground read schemas with it.
 */
export function mergeSchema(schemas: readonly Place[], follow: SchemaReferences, options: MergeOptions = {}): MergedSchema {
  const keywords: { [keyword: string]: unknown } = {}
  const parts: MergedPart[] = []
  const properties = new Map<string, Place[]>()
  const required = new Set<string>()
  const seen = new Set<unknown>()
  /** Adds what a schema says itself. Returns the schemas that it includes. */
  const add = (place: Place) => {
    if (!isObject(place.value) || seen.has(place.value)) return []
    seen.add(place.value)
    if (!follow.counts(place)) {
      mergeKeywords(keywords, Object.fromEntries(Object.entries(readKeywords(place.value)).filter(([key]) => words.test(key))))
      return []
    }
    const part = { ...place, keywords: readKeywords(place.value), choices: listChoices(place, follow) }
    parts.push(part)
    mergeKeywords(keywords, part.keywords)
    for (const one of part.keywords.required ?? []) if (typeof one === 'string') required.add(one)
    for (const { name, place } of listProperties(part, follow)) {
      addTo(properties, name, place)
      options.onProperty?.(place, part)
    }
    return [...listPlaces(part, 'allOf'), ...(options.alsoIn?.(part) ?? [])].map((schema) => ({ schema, around: part }))
  }
  const waiting = schemas.map((schema) => ({ schema, around: undefined as Place | undefined })).toReversed()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const chain = follow.chain(next.schema)
    options.onSchema?.(chain, next.around)
    waiting.push(...chain.flatMap(add).toReversed())
  }
  const types = findTypes(keywords, parts)
  // Large documents have tens of thousands of schemas, most of them without properties.
  return {
    keywords,
    parts,
    properties: properties.size > 0 ? properties : noMap,
    required: required.size > 0 ? required : noSet,
    types,
  }
}

/** What a schema of 3.0 says beside its `$ref`: no value is different, and authors expect that readers see it. */
const words = /^(?:title|description|deprecated)$/

const noMap: MergedSchema['properties'] = new Map()
const noSet: MergedSchema['required'] = new Set()
const noChoices: readonly SchemaChoice[] = []

/** Merges schemas, with the only option of `oneOf` or `anyOf` besides null. */
export function mergeWhole(schemas: readonly Place[], follow: SchemaReferences): MergedSchema {
  return mergeSchema(schemas, follow, {
    alsoIn: ({ choices }) => choices.flatMap(({ options }) => (options.length === 1 ? options : [])),
  })
}

/** One `oneOf` or `anyOf` of a schema. */
interface SchemaChoice {
  readonly kind: 'oneOf' | 'anyOf'
  /** Without those that allow only `null`. */
  readonly options: readonly Place[]
  readonly hasNull: boolean
}

function listChoices(part: Place, follow: SchemaReferences): readonly SchemaChoice[] {
  const choices = (['oneOf', 'anyOf'] as const).flatMap((kind) => {
    const all = listPlaces(part, kind)
    const options = all.filter((option) => !isNull(follow.end(option).value))
    return all.length > 0 ? [{ kind, options, hasNull: options.length < all.length }] : []
  })
  return choices.length > 0 ? choices : noChoices
}

/** One end of the numbers that a schema allows. */
export interface NumberLimit {
  readonly written: number | WrittenNumber
  readonly isExclusive: boolean
}

const exclusiveOf = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' } as const

/** The strictest of the limits of schemas at one end. `exclusiveMinimum` is a boolean in 3.0 and a number since 3.1. */
export function numberLimit(end: keyof typeof exclusiveOf, ...schemas: readonly Keywords[]): NumberLimit | undefined {
  let strictest: NumberLimit | undefined
  const add = (written: unknown, isExclusive: boolean) => {
    const [value, before] = [toExactNumber(written), toExactNumber(strictest?.written)]
    if (value === undefined) return
    const isStricter = before !== undefined && (end === 'minimum' ? value > before : value < before)
    if (before === undefined || isStricter || (value === before && isExclusive))
      strictest = { written: written as NumberLimit['written'], isExclusive } // It has an exact number.
  }
  for (const { [end]: limit, [exclusiveOf[end]]: exclusive } of schemas) {
    add(limit, exclusive === true)
    add(exclusive, true)
  }
  return strictest
}

/**
 * Adds the keywords of a schema to those of other schemas that apply to the same value. The first value of a keyword counts; for types and
 * limits, the narrowest; for flags such as `deprecated`, `true`. Each end of a range of numbers has one limit, as since 3.1. An `enum` without
 * `null` is not `nullable`.
 *
 * Leaves out `$ref`, `allOf`, `properties` and `required`, which callers collect themselves.
 */
export function mergeKeywords(keywords: { [keyword: string]: unknown }, schema: Keywords): void {
  for (const [key, after] of Object.entries(schema)) {
    if (leftOut.test(key) || (key === 'nullable' && !mayListNull(schema))) continue
    setOwn(keywords, key, mergeValues(key, readOwn(keywords, key), after))
  }
  for (const end of ['minimum', 'maximum'] as const) {
    const limit = (schema[end] ?? schema[exclusiveOf[end]]) !== undefined && numberLimit(end, keywords, schema)
    if (!limit) continue
    delete keywords[limit.isExclusive ? end : exclusiveOf[end]]
    keywords[limit.isExclusive ? exclusiveOf[end] : end] = limit.written
  }
}

function mergeValues(key: string, before: unknown, after: unknown): unknown {
  if (before === undefined) return after
  if (key === 'type') {
    const types = commonTypes(listTypes(before), listTypes(after))
    return types.length > 0 ? types : before
  }
  if (typeof before === 'number' && typeof after === 'number') {
    // `minContains` and `maxContains` belong to one `contains`.
    if (/^min(?!C)/.test(key)) return Math.max(before, after)
    if (/^max(?!C)/.test(key)) return Math.min(before, after)
  }
  return before === false && after === true && !/^(?:nullable|additional|unevaluated)/.test(key) ? true : before
}

/** Whether the listed values of a schema, if there are some, can contain `null`. */
function mayListNull({ enum: values, const: constant }: Keywords): boolean {
  return values?.includes(null) !== false && (constant === undefined || constant === null)
}

/** Whether merged keywords allow `null`, as `nullable` of 3.0 or as a type. */
export function allowsNull(keywords: Keywords): boolean {
  return keywords.nullable === true || (listTypes(keywords['type']).includes('null') && mayListNull(keywords))
}

const leftOut = /^(?:\$ref|allOf|properties|required|(?:m|exclusiveM)(?:in|ax)imum)$/

function findTypes(keywords: Keywords, parts: readonly MergedPart[]): readonly string[] {
  const types = listTypes(keywords['type'])
  if (types.length > 0) return types.filter((type) => type !== 'null')
  const keys = parts.flatMap((part) => Object.keys(part.keywords))
  return inferredTypes.flatMap(([type, names]) => (keys.some((key) => names.test(key)) ? type : [])).slice(0, 1)
}

/** The most levels of a value that are read. */
const maxValueDepth = 30

/** A value without the properties that its schemas mark: requests have no read-only properties, and responses no write-only ones. */
export function withoutMarked(
  value: unknown,
  schemas: readonly Place[],
  mark: 'readOnly' | 'writeOnly',
  follow: SchemaReferences,
  depth = 0,
): unknown {
  if (!isContainer(value) || schemas.length === 0 || depth > maxValueDepth) return value
  const { properties, parts } = mergeWhole(schemas, follow)
  if (Array.isArray(value)) {
    const items = findKeywords(parts, 'items')
    return value.map((item) => withoutMarked(item, items, mark, follow, depth + 1))
  }
  const kept = Object.entries(value).flatMap(([name, one]) => {
    const places = properties.get(name) ?? []
    if (mergeWhole(places, follow).keywords[mark]) return []
    return [[name, withoutMarked(one, places, mark, follow, depth + 1)] as const]
  })
  return Object.fromEntries(kept)
}

/** Keywords that tell the type of a schema without `type`. */
const inferredTypes = [
  ['object', /^(?:properties|additionalProperties|required|patternProperties|m(?:in|ax)Properties)$/],
  ['array', /^(?:items|prefixItems|m(?:in|ax)Items|uniqueItems)$/],
  ['string', /^(?:m(?:in|ax)Length|pattern|format)$/],
  ['number', /^(?:multipleOf|(?:m|exclusiveM)(?:in|ax)imum)$/],
] as const

/** The keywords of one schema for comparisons: of any type, as in the document, with numbers that are not rounded. */
export type ExactKeywords = { readonly [keyword: string]: unknown }

/** Reads the keywords of a schema that is not a boolean. Formats of files in 3.0 are what 3.1 has for them. */
export function readExact({ value: schema }: Place): ExactKeywords | undefined {
  if (!isObject(schema)) return undefined
  const { format, contentEncoding } = schema
  let exact = schema
  if (format === 'byte') {
    const { format: _, ...others } = schema
    exact = { contentEncoding: 'base64', ...others }
  } else if (format === 'binary' || (format === undefined && contentEncoding === 'binary')) {
    const { format: _, contentEncoding: __, ...others } = schema
    exact = { contentMediaType: anyBytes, ...others }
  }
  for (const key in schema) {
    if (isContainer(schema[key]) && !dataKeys.has(key) && key !== 'x-extensible-enum') continue
    const written = readWritten(schema, key)
    if (written !== schema[key]) exact = { ...exact, [key]: toExact(written) }
  }
  return exact
}

/** The media type of `format: binary`, which says no more. */
export const anyBytes = 'application/octet-stream'

function toExact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toExact)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toExact(one)]))
  return toExactNumber(value) ?? value
}

/** Those of each schema, so that it is compared once. */
const plainSchemas = new WeakMap<JsonObject, JsonObject>()

/** The same schema without `null` as a value. */
export function withoutNull(place: Place): Place {
  const { value } = place
  if (!isObject(value)) return place
  const { nullable, type, enum: values, ...rest } = value
  if (nullable !== true && !Array.isArray(type)) return place
  const types = listTypes(type).filter((one) => one !== 'null')
  const left = types.length > 0 || type !== undefined ? { type: types.length === 1 ? types[0] : types } : {}
  const listed = values === undefined ? {} : { enum: listOf(values).filter((one) => one !== null) }
  const plain = plainSchemas.get(value) ?? { ...left, ...listed, ...rest }
  plainSchemas.set(value, plain)
  return { ...place, value: plain }
}

/** The keywords of the schema at a place. None if it is no mapping. */
export function keywordsOf(schema: Place): Keywords {
  return isObject(schema.value) ? readKeywords(schema.value) : {}
}

/** What a Discriminator Object says. Its names of schemas are read with `listMapped`. */
export function readDiscriminator(schema: Place) {
  const { discriminator } = keywordsOf(schema)
  return {
    propertyName: readText(discriminator, 'propertyName'),
    hasDefault: readOwn(discriminator, 'defaultMapping') !== undefined,
  }
}

/** The places of a keyword in schemas that apply to the same value, without booleans. */
export function findSubschemas(schemas: readonly Place[], keyword: string): Place[] {
  return findKeywords(schemas, keyword).filter(({ value }) => isObject(value))
}

/** The XML Object of a schema. Source: OpenAPI 3.2.0, "XML Object". */
export function readXml({ xml }: Keywords) {
  return {
    name: readText(xml, 'name'),
    prefix: readText(xml, 'prefix'),
    namespace: readText(xml, 'namespace'),
    nodeType: readText(xml, 'nodeType'),
    isAttribute: xml?.['attribute'] === true,
    isWrapped: xml?.['wrapped'] === true,
  }
}

/** The property of a discriminator, the nearest schemas that it selects, and how many are left out. */
export interface Mapping {
  readonly property: string | undefined
  /** By the values of the property, the tags. `value`: as in a mapping, a name or a reference. */
  readonly mapped: readonly { readonly tag: string; readonly value: string; readonly place: Place }[]
  readonly left: number
}

/** The most subtypes that one schema lists without a mapping. */
const maxSubtypes = 200
/** If all schemas together have more, each lists its share: each can extend all of the others. */
const maxListed = 4_000

const indexes = new WeakMap<object, ReturnType<typeof indexSubtypes>>()

/** The subtypes of the schemas with a name, and how many of them each one lists. `known`: the mappings that were read. */
function indexSubtypes({ root, follow }: Api) {
  const schemas = findSchemas(root, follow)
  const { list, bases } = createSubtypeIndex(schemas, follow)
  const count = bases.reduce((sum, base) => sum + Math.min(maxSubtypes, list(base).length), 0)
  const most = count <= maxListed ? maxSubtypes : Math.ceil(maxListed / bases.length)
  // A schema that only refers to another file also names the one there. The first of several names counts.
  const named = mapPlaces(schemas, undefined).toReversed()
  const names = new Map(named.map(({ name, place }) => [toPlaceKey(followOnly(place, follow)), name]))
  return { schemas, list, most, names, known: new Map<string, Mapping>() }
}

/** The schema that a value of `mapping` or `defaultMapping` selects. */
export function findMappedSchema(value: string, file: string, { root, follow }: Api): Place | undefined {
  const from = toMappedReference(value, file, findSchemas(root, follow))
  return follow.find(from.file, from.reference)
}

/** The schema that a discriminator selects for a value, or its tags if the value is none of them. `undefined` if that is uncertain. */
export function selectSchema(schema: JsonObject, file: string, value: JsonObject, api: Api) {
  const { discriminator, oneOf, anyOf } = readKeywords(schema)
  const property = readText(discriminator, 'propertyName') ?? ''
  const tag = readText(value, property)
  if (tag === undefined) return undefined
  const mapping = stringEntries(Object(discriminator?.['mapping']))
  const options = [oneOf, anyOf].flatMap(listOf).map((one) => ({ file, pointer: '', value: one }))
  const nameOf = ({ value }: Place) =>
    readText(value, '$ref')
      ?.split('/')
      .at(-1)
      ?.replace(/\.(?:json|ya?ml)$/, '') ?? ''
  const named = new Map(options.map((option) => [nameOf(option), option]))
  const written = readOwn(mapping, tag) ?? (named.has(tag) ? undefined : readText(discriminator, 'defaultMapping'))
  if (written !== undefined) return findMappedSchema(written, file, api)
  // An option without a name, or one that lists the value itself, may be meant.
  const isMeant = (option: Place) => {
    const { parts, properties } = mergeWhole([option], api.follow)
    const { keywords } = mergeWhole(properties.get(property) ?? [], api.follow)
    return parts.some(({ choices }) => choices.length > 0) || keywords['const'] === tag || keywords.enum?.includes(tag)
  }
  const mayBeMeant = options.length === 0 || named.has('') || options.some(isMeant)
  if (named.has(tag) || mayBeMeant || findMappedSchema(`#/components/schemas/${tag}`, api.root.file, api)) return named.get(tag)
  const tags = Object.keys(mapping)
  return { property, tags: tags.length > 0 ? tags : [...named.keys()] }
}

/** The value with which a discriminator selects an option; the first of several. */
export function findTag({ mapped }: Mapping, option: Place, { follow }: Pick<Api, 'follow'>): string | undefined {
  const { value } = follow.end(option)
  return mapped.find(({ place }) => follow.end(place).value === value)?.tag
}

/**
 * Lists the schemas that a discriminator selects: those of its mapping, then those that extend the schema through `allOf`, whose names are the values.
 * Source: OpenAPI 3.1.1, "Discriminator Object".
 *
 * @param part the schema with the discriminator.
 */
export function readMapping(part: Place, api: Api): Mapping {
  const property = readText(readOwn(part.value, 'discriminator'), 'propertyName')
  if (property === undefined) return { property, mapped: [], left: 0 }
  const index = getOrMake(indexes, api, () => indexSubtypes(api))
  return getOrMake(index.known, toPlaceKey(part), () => ({ property, ...findMapping(part, index, api) }))
}

function findMapping(
  part: Place,
  { schemas, list, most, names }: ReturnType<typeof indexSubtypes>,
  api: Api,
): Omit<Mapping, 'property'> {
  const { discriminator, oneOf, anyOf } = readKeywords(Object(part.value))
  const written = Object.entries(stringEntries(Object(discriminator?.['mapping']))).flatMap(([tag, value]) => {
    const place = findMappedSchema(value, part.file, api)
    return place ? [{ tag, value, place }] : []
  })
  // The choices are complete.
  const isComplete = oneOf !== undefined || anyOf !== undefined
  const inside = part.file === schemas.file && part.pointer.startsWith(`${schemas.pointer}/`)
  const base = inside ? parsePointer(part.pointer.slice(schemas.pointer.length))[0] : names.get(toPlaceKey(part))
  if (isComplete || base === undefined) return { mapped: written, left: 0 }
  const selected = new Set(written.map(({ place }) => api.follow.end(place).value))
  const subtypes = list(base)
  const implied = subtypes.slice(0, most).flatMap((name) => {
    const place = childPlace(schemas, name)
    const value = `#${pointerChild(schemas.pointer, name)}`
    return selected.has(api.follow.end(place).value) ? [] : [{ tag: name, value, place }]
  })
  return { mapped: [...written, ...implied], left: Math.max(0, subtypes.length - most) }
}
