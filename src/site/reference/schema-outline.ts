import type { Place } from '../../openapi/follow-reference.ts'
import { readLabels } from '../../openapi/labels.ts'
import { typeOfValue } from '../../openapi/schema/value-types.ts'
import { isObject, type JsonObject } from '../../source/is-object.ts'
import { toJsonText } from '../request/media-type.ts'
import type { MergedSchema } from './merge-schema.ts'
import { readField, readText, toExternalDocs } from './read-fields.ts'
import type { ChoiceView, EnumValue, SchemaFact, SchemaTarget, SchemaView, TypePart } from './types.ts'

/** Everything that is shown in the row of a schema itself. */
export function toOutline(schema: Place, { keywords }: MergedSchema, target: SchemaTarget | undefined): SchemaView {
  // Keywords next to a `$ref` describe this use of the schema.
  const own = isObject(schema.value) && '$ref' in schema.value ? schema.value : {}
  return {
    ...emptySchemaView,
    title: readText(own, 'title') ?? readText(keywords, 'title'),
    description: readText(own, 'description') ?? readText(keywords, 'description'),
    deprecated: keywords['deprecated'] === true,
    readOnly: keywords['readOnly'] === true,
    writeOnly: keywords['writeOnly'] === true,
    labels: readLabels(keywords),
    facts: toFacts(keywords),
    enum: toEnum(keywords),
    isClosed: keywords['additionalProperties'] === false || keywords['unevaluatedProperties'] === false,
    target,
    externalDocs: toExternalDocs(readField(keywords, 'externalDocs')),
  }
}

/** The type of a schema in words, derived from its view. */
export function toTypeOf({ keywords, properties }: MergedSchema, view: SchemaView, isNullableChoice = false): SchemaView['type'] {
  const types = keywords['type']
  const isNullable =
    keywords['nullable'] === true || types === 'null' || (Array.isArray(types) && types.includes('null')) || isNullableChoice
  const { target, items, prefixItems, choices, otherKeys } = view
  return toType({
    keywords,
    target,
    items,
    prefixItems,
    values: otherKeys.find(({ pattern }) => pattern === undefined)?.schema ?? otherKeys[0]?.schema,
    hasProperties: properties.size > 0,
    hasChoices: choices.length > 0,
    isNullable,
  })
}

/**
 * The type of a choice between plain types, such as `string or array of strings`. Absent if an option has anything else to show.
 */
export function toUnionType([choice, ...more]: readonly ChoiceView[], isNullable: boolean): SchemaView['type'] | undefined {
  if (!choice || more.length > 0 || choice.discriminator !== undefined) return undefined
  if (!choice.options.every(({ schema }) => hasOnlyType(schema))) return undefined
  const types = new Map(choice.options.map(({ schema }) => [toTypeText(schema), toValueType(schema)]))
  const ends = isNullable && !types.has('null') ? [[{ text: 'null', target: undefined }]] : []
  return mergeTexts(join([...types.values(), ...ends], ', '))
}

function toTypeText(view: SchemaView): string {
  return toValueType(view)
    .map(({ text }) => text)
    .join('')
}

/** Whether the type of a schema says everything about it. */
function hasOnlyType(view: SchemaView): boolean {
  return hasOnly(view, ['type', 'target', 'items']) && (view.items === undefined || hasOnlyType(view.items))
}

/** Whether all fields of a view are empty, except for these. */
function hasOnly(view: SchemaView, keys: readonly (keyof SchemaView)[]): boolean {
  return Object.entries(view).every(([key, value]: [string, unknown]) => {
    const isEmpty = value === undefined || value === false || (Array.isArray(value) && value.length === 0)
    return isEmpty || keys.some((one) => one === key)
  })
}

/** The values of a choice between constants with words about each, which is how JSON Schema describes the values of an `enum`. Absent for other choices. */
export function toConstants([choice, ...more]: readonly ChoiceView[]): EnumValue[] | undefined {
  if (!choice || more.length > 0 || choice.discriminator !== undefined) return undefined
  const values = choice.options.flatMap(({ schema }): EnumValue[] => {
    const [fact, ...others] = schema.facts
    const isConstant = fact?.kind === 'value' && fact.label === 'Always' && others.length === 0
    if (!isConstant || !hasOnly(schema, ['type', 'facts', 'title', 'description'])) return []
    const words = [schema.title, schema.description].filter((text) => text !== undefined && text !== '')
    return [{ value: fact.value, description: words.length === 0 ? undefined : words.join(': ') }]
  })
  return values.length === choice.options.length ? values : undefined
}

/** The view of an empty schema. */
export const emptySchemaView: SchemaView = {
  type: [],
  title: undefined,
  description: undefined,
  deprecated: false,
  readOnly: false,
  writeOnly: false,
  labels: [],
  facts: [],
  enum: [],
  properties: [],
  otherKeys: [],
  isClosed: false,
  prefixItems: [],
  items: undefined,
  choices: [],
  not: undefined,
  conditions: [],
  target: undefined,
  isCut: false,
  externalDocs: undefined,
}

/** Maximum length of a value in characters. Longer values are truncated. */
const maxLength = 200

/** Returns the limits, constant, default and examples of a schema as text, in a fixed order. */
function toFacts(keywords: JsonObject): SchemaFact[] {
  const facts: SchemaFact[] = []
  const words = (text: string | undefined) => {
    if (text !== undefined) facts.push({ kind: 'words', text })
  }
  const value = (label: string, text: string) => {
    facts.push({ kind: 'value', label, value: text.length > maxLength ? `${text.slice(0, maxLength)}…` : text })
  }
  if (keywords['const'] !== undefined) value('Always', toJsonText(keywords['const']))
  words(toRange(readNumber(keywords['minLength']), readNumber(keywords['maxLength']), 'character'))
  words(toNumberRange(keywords))
  if (readNumber(keywords['multipleOf']) !== undefined) words(`A multiple of ${keywords['multipleOf']}`)
  words(toRange(readNumber(keywords['minItems']), readNumber(keywords['maxItems']), 'item'))
  if (keywords['uniqueItems'] === true) words('Unique')
  words(toRange(readNumber(keywords['minContains']), readNumber(keywords['maxContains']), 'match', 'matches'))
  words(toRange(readNumber(keywords['minProperties']), readNumber(keywords['maxProperties']), 'key'))
  if (typeof keywords['pattern'] === 'string') value('Pattern', keywords['pattern'])
  if (typeof keywords['contentMediaType'] === 'string') value('Content', keywords['contentMediaType'])
  if (typeof keywords['contentEncoding'] === 'string') value('Encoding', keywords['contentEncoding'])
  if (keywords['default'] !== undefined) value('Default', toJsonText(keywords['default']))
  for (const example of toExamples(keywords)) value('Example', toJsonText(example))
  return facts
}

/** The values of `enum` with their descriptions from extensions of common tools. */
function toEnum(keywords: JsonObject): EnumValue[] {
  const values = keywords['enum']
  if (!Array.isArray(values)) return []
  const described = keywords['x-enumDescriptions'] ?? keywords['x-enum-descriptions'] ?? keywords['x-enum-varnames']
  return values.map((one: unknown, index) => {
    const value = toJsonText(one)
    const found = Array.isArray(described)
      ? (described[index] as unknown) // Untrusted input: unknown.
      : typeof described === 'object' && described !== null && Object.hasOwn(described, value)
        ? Object.entries(described).find(([key]) => key === value)?.[1]
        : undefined
    return { value, description: typeof found === 'string' ? found : undefined }
  })
}

function toExamples(keywords: JsonObject): readonly unknown[] {
  if (keywords['example'] !== undefined) return [keywords['example']]
  return Array.isArray(keywords['examples']) ? keywords['examples'].slice(0, 3) : []
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function toRange(min: number | undefined, max: number | undefined, one: string, many = `${one}s`): string | undefined {
  const unit = (count: number) => (count === 1 ? one : many)
  const text = (count: number) => count.toLocaleString('en')
  if (min !== undefined && min > 0) {
    if (max === undefined) return `At least ${text(min)} ${unit(min)}`
    return min === max ? `${text(min)} ${unit(min)}` : `${text(min)}–${text(max)} ${unit(max)}`
  }
  return max === undefined ? undefined : `At most ${text(max)} ${unit(max)}`
}

/** `exclusiveMinimum` is a boolean in 3.0 and a number since 3.1. */
function toNumberRange(keywords: JsonObject): string | undefined {
  const bound = (plain: string, exclusive: string) => {
    const limit = readNumber(keywords[plain])
    const other = keywords[exclusive]
    if (typeof other === 'number') return { value: other, isExclusive: true }
    return limit === undefined ? undefined : { value: limit, isExclusive: other === true }
  }
  const min = bound('minimum', 'exclusiveMinimum')
  const max = bound('maximum', 'exclusiveMaximum')
  const text = (value: number) =>
    Math.abs(value) >= 10_000 && Math.abs(value) < 1e15
      ? value.toLocaleString('en', { maximumFractionDigits: 20 })
      : String(value)
  if (min && max && !min.isExclusive && !max.isExclusive)
    return min.value === max.value ? `Exactly ${text(min.value)}` : `${text(min.value)} to ${text(max.value)}`
  const parts = [
    min && (min.isExclusive ? `more than ${text(min.value)}` : `at least ${text(min.value)}`),
    max && (max.isExclusive ? `less than ${text(max.value)}` : `at most ${text(max.value)}`),
  ].filter((part) => part !== undefined)
  const joined = parts.join(', ')
  return joined === '' ? undefined : joined.charAt(0).toUpperCase() + joined.slice(1)
}

/** The parts of a schema that determine its type in words. */
interface TypeInput {
  readonly keywords: JsonObject
  /** The named schema, if it is one. */
  readonly target: SchemaTarget | undefined
  readonly items: SchemaView | undefined
  readonly prefixItems: readonly SchemaView[]
  /** The schema of other keys. */
  readonly values: SchemaView | undefined
  readonly hasProperties: boolean
  readonly hasChoices: boolean
  readonly isNullable: boolean
}

/**
 * A type in words: `string · date-time`, `array of Label`, `object or null`, `enum of strings`.
 *
 * If `type` is absent, it is inferred from other keywords; `any` if there are none.
 */
function toType(input: TypeInput): TypePart[] {
  const { keywords, isNullable } = input
  const written = keywords['type']
  const types = (Array.isArray(written) ? written : [written]).filter(
    (type): type is string => typeof type === 'string' && type !== 'null',
  )
  const named = types.length > 0 ? types : guessTypes(input)
  const words = named.map((type) => toWords(type, named.length, input))
  const parts = join(words, words.length > 2 ? ', ' : ' or ')
  if (parts.length === 0 && input.hasChoices) parts.push({ text: 'one of several', target: undefined })
  if (isNullable) parts.push({ text: parts.length === 0 ? 'null' : ' or null', target: undefined })
  if (parts.length === 0) parts.push({ text: 'any', target: undefined })
  return mergeTexts(parts)
}

function guessTypes({ keywords, items, prefixItems, hasProperties, hasChoices }: TypeInput): string[] {
  if (hasProperties || 'additionalProperties' in keywords || 'patternProperties' in keywords) return ['object']
  if (items !== undefined || prefixItems.length > 0) return ['array']
  if (hasChoices) return []
  const values = Array.isArray(keywords['enum']) ? keywords['enum'] : 'const' in keywords ? [keywords['const']] : []
  const kinds = [...new Set(values.filter((value) => value !== null).map(typeOfValue))]
  if (kinds.length > 0) return kinds
  if ('pattern' in keywords || 'minLength' in keywords || 'maxLength' in keywords || typeof keywords['format'] === 'string')
    return ['string']
  return 'minimum' in keywords || 'maximum' in keywords || 'multipleOf' in keywords ? ['number'] : []
}

function toWords(type: string, count: number, input: TypeInput): TypePart[] {
  const { keywords, target, items, prefixItems, values, hasProperties } = input
  if (type === 'array') {
    if (prefixItems.length > 0) return [{ text: `list of ${prefixItems.length}${items ? ' and more' : ''}`, target: undefined }]
    return items ? [{ text: 'array of ', target: undefined }, ...toElementType(items)] : [{ text: 'array', target: undefined }]
  }
  if (type === 'object' && values && !target && !hasProperties)
    return [{ text: 'map of string to ', target: undefined }, ...toValueType(values)]
  if (type === 'object') return target ? [{ text: target.name, target }] : [{ text: 'object', target: undefined }]
  if (count === 1 && Array.isArray(keywords['enum'])) return [{ text: `enum of ${type}s`, target: undefined }]
  if (count === 1 && 'const' in keywords) return [{ text: 'constant', target: undefined }]
  const format = keywords['format']
  return [{ text: count === 1 && typeof format === 'string' ? `${type} · ${format}` : type, target: undefined }]
}

/** A schema inside another type: its name if it has one. */
function toValueType({ type, target }: SchemaView): readonly TypePart[] {
  return target && type.every((part) => part.target === undefined) ? [{ text: target.name, target }] : type
}

/** The items of a list, in the plural if they are scalars. */
function toElementType({ type, target }: SchemaView): readonly TypePart[] {
  if (target && type.every((part) => part.target === undefined)) return [{ text: target.name, target }]
  const [only] = type
  if (type.length === 1 && only && !only.target && /^(?:string|number|integer|boolean|object)$/.test(only.text)) {
    return [{ text: `${only.text}s`, target: undefined }]
  }
  return type
}

function join(lists: readonly (readonly TypePart[])[], separator: string): TypePart[] {
  return lists.flatMap((list, index) => {
    const before = index === 0 ? [] : [{ text: index === lists.length - 1 ? ' or ' : separator, target: undefined }]
    return [...before, ...list]
  })
}

function mergeTexts(parts: readonly TypePart[]): TypePart[] {
  const merged: TypePart[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (last && !last.target && !part.target) merged[merged.length - 1] = { text: last.text + part.text, target: undefined }
    else merged.push(part)
  }
  return merged
}
