import { allowsNull, type Keywords, numberLimit, readXml } from '../../model/schema.ts'
import { readExternalDocs, readLabels } from '../../openapi/read/titles.ts'
import { listTypes } from '../../openapi/references/follow-reference.ts'
import { readEnumNotes, typeOfValue } from '../../openapi/schema/json-schema.ts'
import { toJsonText } from '../../playground/request/read-operation.ts'
import type { ReferenceContext } from './context.ts'
import { listRequired, type MergedNames } from './merge-schema.ts'
import { addNull, endsWithNull, joinTypes, textPart, toTypeText } from './type-words.ts'
import type { ChoiceView, EnumValue, SchemaFact, SchemaTarget, SchemaView, TypePart } from './types.ts'

/** Everything that is shown in the row of a schema itself. */
export function toOutline(
  merged: MergedNames,
  target: SchemaTarget | undefined,
  { labelFields }: Pick<ReferenceContext, 'labelFields'>,
): SchemaView {
  const { keywords, own, parts, properties, required } = merged
  const textsOf = (key: 'title' | 'description') => own.flatMap((part) => (part.keywords[key]?.trim() ? part.keywords[key] : []))
  const docsOf = (schemas: readonly Keywords[]) => schemas.flatMap((schema) => readExternalDocs(schema) ?? [])
  // Keywords next to a `$ref` describe this use of the schema. Others have the words of the schema.
  const orWhole = <One>(texts: readonly One[], whole: One) => (texts.length > 0 ? texts : [whole])
  const ownDocs = docsOf(own.map((part) => part.keywords))
  // Rows of properties are marked as required. The page of a named schema has what that one requires.
  const missing = (target ? listRequired(own) : [...required]).filter((name) => !properties.has(name))
  return {
    ...emptySchemaView,
    title: joinTexts(orWhole(textsOf('title'), keywords.title), ', '),
    description: joinTexts(orWhole(textsOf('description'), keywords.description), '\n\n'),
    deprecated: keywords.deprecated === true,
    readOnly: keywords.readOnly === true,
    writeOnly: keywords.writeOnly === true,
    labels: readLabels(keywords, labelFields),
    facts: mergeFacts([
      toFacts(keywords),
      ...(own.length > 1 ? own.map((part) => toFacts(withoutLimits(part.keywords))) : []),
      missing.map((name) => ({ kind: 'value', label: 'Requires', value: name })),
      own.flatMap((part) => toOtherEnum(part.keywords, keywords)),
    ]),
    enum: toEnum(keywords),
    isClosed: parts.some(
      (part) => part.keywords['additionalProperties'] === false || part.keywords['unevaluatedProperties'] === false,
    ),
    target,
    isPlainReference:
      target !== undefined && own.every((part) => Object.keys(part.keywords).every((key) => key === '$ref' || key === 'allOf')),
    externalDocs: ownDocs.length > 0 ? ownDocs : docsOf([keywords]),
  }
}

/** The values of a list that applies together with another one. */
function toOtherEnum({ enum: values = [] }: Keywords, { enum: shown }: Keywords): SchemaFact[] {
  if (values === shown) return []
  return values.map((value) => ({ kind: 'value', label: 'One of', value: toJsonText(value) }))
}

/** Joins different texts; `undefined` without any. */
export function joinTexts(texts: readonly (string | undefined)[], separator: string): string | undefined {
  if (texts.length < 2) return texts[0]?.trim() ? texts[0] : undefined
  const [first, ...more] = new Set(texts.flatMap((text) => (text === undefined || text.trim() === '' ? [] : [text])))
  return first === undefined || more.length === 0 ? first : [first, ...more].map((text) => text.trim()).join(separator)
}

/** The keywords of one of several schemas that apply together, without those of which only the narrowest matters. */
function withoutLimits(keywords: Keywords): Keywords {
  return Object.fromEntries(
    Object.entries(keywords).filter(([key]) => !/^multipleOf$|^(?:exclusive)?m(?:in|ax)(?!Contains)/i.test(key)),
  )
}

/** The facts of several schemas that describe the same value, each once. */
export function mergeFacts(lists: readonly (readonly SchemaFact[])[]): SchemaFact[] {
  const facts = lists.flat()
  if (facts.length < 2) return facts
  const found = new Map<string, SchemaFact>()
  for (const fact of facts) {
    const key = fact.kind === 'value' ? `${fact.key}\n${fact.label}\n${fact.value}` : JSON.stringify(fact)
    if (!found.has(key)) found.set(key, fact)
  }
  return [...found.values()]
}

/** The type of a schema in words, derived from its view. */
export function toTypeOf({ keywords, properties }: MergedNames, view: SchemaView, isNullableChoice = false): SchemaView['type'] {
  const { target, items, prefixItems, choices, otherKeys } = view
  return toType({
    keywords,
    target,
    items,
    prefixItems,
    values: otherKeys.find(({ pattern }) => pattern === undefined)?.schema ?? otherKeys[0]?.schema,
    hasProperties: properties.size > 0,
    hasChoices: choices.length > 0 || Array.isArray(keywords['oneOf']) || Array.isArray(keywords['anyOf']),
    isNullable: isNullableChoice || allowsNull(keywords),
  })
}

/**
 * The type of a choice between plain types, such as `string or array of strings`. Absent if an option has anything else to show.
 */
export function toUnionType([choice, ...more]: readonly ChoiceView[], isNullable: boolean): SchemaView['type'] | undefined {
  if (!choice || more.length > 0 || choice.discriminator !== undefined) return undefined
  if (!choice.options.every(({ schema }) => hasOnlyType(schema))) return undefined
  const listed = choice.options.map(({ schema }) => toValueType(schema))
  const types = new Map(listed.map(withoutNull).map((type) => [toTypeText({ type }), type]))
  const all = [...types.values()].filter((type) => type.length > 0)
  // Said once, after all types.
  const isSaid = !isNullable && listed.every((type) => withoutNull(type) === type)
  return joinTypes(isSaid || endsWithNull(all.at(-1) ?? []) ? all : [...all, [textPart('null')]], textPart(', '))
}

/** A type without `or null`, unless it is that of its items. */
export function withoutNull(type: readonly TypePart[]): readonly TypePart[] {
  const isOfItems = type.some(({ kind }) => kind === 'arrayOf' || kind === 'mapTo')
  return endsWithNull(type) && !isOfItems ? type.slice(0, -2) : type
}

/** Whether the type of a schema says everything about it. */
function hasOnlyType(view: SchemaView): boolean {
  return hasOnly(view, ['type', 'target', 'isPlainReference', 'items']) && (view.items === undefined || hasOnlyType(view.items))
}

/** Whether a view has nothing but a plain type, words and limits. */
export function hasOnlyWords(view: SchemaView): boolean {
  return hasOnly(view, ['type', 'title', 'description', 'facts'])
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
    const words = [schema.title, schema.description].flatMap((text) => text || [])
    return [{ value: fact.value, description: joinNotes(words) }]
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
  conditions: [],
  target: undefined,
  isPlainReference: false,
  bases: [],
  cut: undefined,
  externalDocs: [],
}

type CountFact = Extract<SchemaFact, { readonly kind: 'count' }>

/** Returns the limits, constant, default, examples and formats of a schema in a fixed order. */
function toFacts(keywords: Keywords): SchemaFact[] {
  const facts: SchemaFact[] = []
  const value = (label: string, text: string) => facts.push({ kind: 'value', label, value: text })
  const text = (label: string, written: string | undefined) => {
    if (written !== undefined) value(label, written)
  }
  const count = (unit: CountFact['unit'], min = 0, max?: number) => {
    if (min > 0 || max !== undefined) facts.push({ kind: 'count', unit, min: min > 0 ? min : undefined, max })
  }
  if (keywords['const'] !== undefined) value('Always', toJsonText(keywords['const']))
  count('characters', keywords.minLength, keywords.maxLength)
  const [min, max] = [numberLimit('minimum', keywords), numberLimit('maximum', keywords)]
  if (min || max) facts.push({ kind: 'interval', min, max })
  if (keywords.multipleOf !== undefined) facts.push({ kind: 'multipleOf', value: String(keywords.multipleOf) })
  count('items', keywords.minItems, keywords.maxItems)
  if (keywords.uniqueItems && canBeList(keywords)) facts.push({ kind: 'words', text: 'Unique items' })
  count('matches', keywords.minContains, keywords.maxContains)
  count('keys', keywords.minProperties, keywords.maxProperties)
  for (const [key, names] of Object.entries(keywords.dependentRequired ?? {})) {
    if (!Array.isArray(names)) continue
    facts.push({ kind: 'value', label: 'Requires', key, value: names.filter((one) => typeof one === 'string').join(', ') })
  }
  if (keywords['additionalItems'] === false || keywords['unevaluatedItems'] === false)
    facts.push({ kind: 'words', text: 'No more items' })
  text('Pattern', keywords.pattern)
  // The type has no place for the format of one of several types, of values, and of objects and lists.
  const { type } = keywords
  const isOneOfSeveral = Array.isArray(type) && type.filter((one) => one !== 'null').length > 1
  const isConstant = 'const' in keywords && type === undefined
  if (isOneOfSeveral || isConstant || keywords.enum || type === 'object' || type === 'array') text('Format', keywords.format)
  text('Content', keywords.contentMediaType)
  text('Encoding', keywords.contentEncoding)
  text('Refers to', keywords.$dynamicRef)
  if (keywords['default'] !== undefined) value('Default', toJsonText(keywords['default']))
  if (keywords['example'] !== undefined) value('Example', toJsonText(keywords['example']))
  for (const example of keywords.examples ?? []) value('Example', toJsonText(example))
  facts.push(...toXmlFacts(readXml(keywords)))
  return facts
}

/** Generators write `uniqueItems` for values of every type, where it means nothing. */
function canBeList({ type }: Keywords): boolean {
  return type === undefined || [type].flat().includes('array')
}

function toXmlFacts(xml: ReturnType<typeof readXml>): SchemaFact[] {
  const facts: SchemaFact[] = []
  for (const [key, label] of [
    ['name', 'XML name'],
    ['prefix', 'XML prefix'],
    ['namespace', 'XML namespace'],
    ['nodeType', 'XML node'],
  ] as const) {
    const value = xml[key]
    if (value !== undefined) facts.push({ kind: 'value', label, value })
  }
  if (xml.isAttribute) facts.push({ kind: 'words', text: 'XML attribute' })
  if (xml.isWrapped) facts.push({ kind: 'words', text: 'Wrapped in an XML element' })
  return facts
}

/** The values of `enum` with their names and descriptions. */
function toEnum(keywords: Keywords): EnumValue[] {
  return (keywords.enum ?? []).map((one, index) => {
    const value = toJsonText(one)
    return { value, description: joinNotes(readEnumNotes(keywords, index, value)) }
  })
}

function joinNotes(notes: readonly string[]): string | undefined {
  return notes.length === 0 ? undefined : notes.join(': ')
}

/** The parts of a schema that determine its type in words. */
interface TypeInput extends Pick<SchemaView, 'target' | 'items' | 'prefixItems'> {
  readonly keywords: Keywords
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
  const types = listTypes(keywords['type']).filter((type) => type !== 'null')
  const named = types.length > 0 ? types : guessTypes(input)
  const words = named.map((type) => toWords(type, named.length, input))
  const parts = joinTypes(words, words.length > 2 ? textPart(', ') : undefined)
  const { target } = input
  if (target && parts.every(({ kind }) => kind !== 'schema')) {
    if (parts.length > 0) parts.push(textPart(' · '))
    parts.push({ kind: 'schema', target })
  }
  if (parts.length === 0 && input.hasChoices) parts.push({ kind: 'word', word: 'one of several' })
  const typed = isNullable ? addNull(parts) : parts
  return typed.length === 0 ? [{ kind: 'word', word: 'any' }] : typed
}

function guessTypes({ keywords, items, prefixItems, hasProperties, hasChoices }: TypeInput): string[] {
  if (hasProperties || 'additionalProperties' in keywords || 'patternProperties' in keywords) return ['object']
  if (items !== undefined || prefixItems.length > 0) return ['array']
  if (hasChoices) return []
  const values = keywords.enum ?? ('const' in keywords ? [keywords['const']] : [])
  const kinds = [...new Set(values.filter((value) => value !== null).map(typeOfValue))]
  if (kinds.length > 0) return kinds
  if ('pattern' in keywords || 'minLength' in keywords || 'maxLength' in keywords || 'format' in keywords) return ['string']
  const isRange = numberLimit('minimum', keywords) || numberLimit('maximum', keywords) || 'multipleOf' in keywords
  return isRange ? ['number'] : []
}

function toWords(type: string, count: number, input: TypeInput): TypePart[] {
  const { keywords, target, items, prefixItems, values, hasProperties } = input
  if (type === 'array') {
    if (prefixItems.length > 0) return [{ kind: 'listOf', count: prefixItems.length, isOpen: items !== undefined }]
    return items ? [{ kind: 'arrayOf' }, ...toElementType(items)] : [textPart('array')]
  }
  if (type === 'object' && values && !target && !hasProperties) return [{ kind: 'mapTo' }, ...toValueType(values)]
  if (type === 'object') return [target ? { kind: 'schema', target } : textPart('object')]
  const { enum: allowed, format } = keywords
  // A single value is no choice. The constraints have it, and the format.
  if (count === 1 && allowed) return [allowed.length === 1 ? textPart(type) : { kind: 'enumOf', type }]
  if (count === 1 && 'const' in keywords && keywords['type'] === undefined) return [{ kind: 'word', word: 'constant' }]
  return [textPart(count === 1 && format !== undefined ? `${type} · ${format}` : type)]
}

/** A schema inside another type: its name if it has one. */
function toValueType({ type, target }: SchemaView): readonly TypePart[] {
  const isNamed = type.some((part) => part.kind === 'schema' && part.target.name === target?.name)
  return target && !isNamed ? [{ kind: 'schema', target }] : type
}

/** The items of a list, in the plural if they are scalars. */
function toElementType({ type, target }: SchemaView): readonly TypePart[] {
  if (target) return endsWithNull(type) ? addNull([{ kind: 'schema', target }]) : [{ kind: 'schema', target }]
  const [only, ...more] = type
  if (!only || more.length > 0) return type
  if (only.kind === 'text' && scalars.has(only.text)) return [{ kind: 'plural', type: only.text }]
  if (only.kind === 'word' && only.word === 'one of several') return [{ kind: 'word', word: 'several types' }]
  // The values are below the type.
  return [only.kind === 'enumOf' ? { ...only, kind: 'plural' } : only]
}

const scalars: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'object'])

/** The only value that a schema allows. */
export function onlyValueOf({ enum: values, facts }: Pick<SchemaView, 'enum' | 'facts'>): string | undefined {
  const always = facts.flatMap((fact) => (fact.kind === 'value' && fact.label === 'Always' ? fact.value : []))
  const all = [...values.map(({ value }) => value), ...always]
  return all.length === 1 ? all[0] : undefined
}
