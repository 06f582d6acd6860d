import { childPlace } from '../../openapi/collect-operations.ts'
import { type Place, toPlaceKey } from '../../openapi/follow-reference.ts'
import { isObject, type JsonObject } from '../../source/is-object.ts'
import { findMappedSchema, findSchemaTarget, memoizeByReference, type ReferenceContext } from './context.ts'
import { type MergedSchema, mergeSchema } from './merge-schema.ts'
import { listPlaces, mapPlaces, readField, readText } from './read-fields.ts'
import { emptySchemaView, toConstants, toOutline, toTypeOf, toUnionType } from './schema-outline.ts'
import type { ChoiceOption, ChoiceView, OtherKeyView, PropertyView, SchemaTarget, SchemaView } from './types.ts'

/** Whether a schema is part of a request, which has no read-only properties, or of a response, which has no write-only ones. */
export type SchemaSide = 'request' | 'response' | 'both'

/** The position of a schema in the schemas around it. */
interface SchemaSetting {
  readonly context: ReferenceContext
  readonly side: SchemaSide
  /** Number of enclosing property levels. */
  readonly depth: number
  /** Locations of the enclosing schemas. */
  readonly around: ReadonlySet<string>
  /** The remaining rows. Without a limit, wide and deep schemas would make the page endless. */
  readonly budget: { rows: number }
  /** Whether every property gets an equal share of the rows; otherwise the first ones take what they need. */
  readonly isShared: boolean
  /** Whether a named schema has a page, which shows all of it. */
  readonly hasPage: (name: string) => boolean
  /** The schema of the current page, whose name is not shown as its type. */
  readonly own: string | undefined
}

/** Levels of schemas with a page that are shown inline. Deeper ones are links. */
const pageDepth = 1
/** Levels of named schemas without a page. */
const namedDepth = 2
/** Levels of schemas without a name. */
const maxDepth = 12

/**
 * Maximum number of rows for a body or response. If a schema has more, it is rendered again with `sharedRows`, which are
 * distributed over its properties.
 */
const maxRows = { request: 300, default: 200, error: 60 }
const sharedRows = { request: 250, default: 100, error: 40 }

/** The role of a schema without enclosing schemas. */
export interface TopSchema {
  readonly side: SchemaSide
  /** See `SchemaSetting.own`. */
  readonly own?: string
  /** Whether it describes an error, which gets fewer rows. */
  readonly isError?: boolean
}

/** Creates the view of a schema without enclosing schemas: a body, a parameter, or a schema page. Never throws. */
export function toTopSchemaView(schema: Place, context: ReferenceContext, top: TopSchema): SchemaView {
  const { side, own, isError = false } = top
  if (own !== undefined) return makeTopSchemaView(schema, context, top)
  return memoizeView(schema, `${side}\n${isError}`, context, () => makeTopSchemaView(schema, context, top))
}

const memoizeView = memoizeByReference<SchemaView>()

function makeTopSchemaView(schema: Place, context: ReferenceContext, { side, own, isError = false }: TopSchema): SchemaView {
  const size = isError ? 'error' : side === 'request' ? 'request' : 'default'
  const setting = { context, side, depth: 0, around: new Set<string>(), hasPage: context.hasPage, own }
  const budget = { rows: maxRows[size] }
  const view = toSchemaView(schema, { ...setting, budget, isShared: false })
  return budget.rows > 0 ? view : toSchemaView(schema, { ...setting, budget: { rows: sharedRows[size] }, isShared: true })
}

/**
 * Creates the view of a schema: `$ref` and `allOf` are merged, choices are labeled, and circular or deeply nested schemas are
 * cut. Never throws.
 */
function toSchemaView(schema: Place, setting: SchemaSetting): SchemaView {
  const { context } = setting
  setting.budget.rows--
  const leaf = setting.around.size > 0 ? toLeafView(schema, context) : undefined
  if (leaf) return leaf
  const chain = context.follow.chain(schema)
  const named = chain.map((place) => findSchemaTarget(context, place)).findLast((found) => found !== undefined)
  const target = named?.name === setting.own && setting.around.size === 0 ? undefined : named
  const end = chain.at(-1) ?? schema
  if (typeof end.value === 'boolean')
    return { ...emptySchemaView, type: [{ text: end.value ? 'any' : 'nothing', target: undefined }] }
  const identity = toPlaceKey(end)
  const merged = mergeSchema(schema, context)
  const isRecursive = setting.around.has(identity)
  const isDeep = hasNoRowsLeft(merged, setting) || setting.depth > depthOf(target, setting)
  const view = toOutline(schema, merged, target)
  if (isRecursive || (isDeep && isExpandable(merged))) {
    return { ...view, type: toTypeOf(merged, { ...view, target }), isCut: isRecursive ? 'recursive' : 'deep' }
  }
  const inner: SchemaSetting = { ...setting, around: new Set([...setting.around, identity]) }
  return fill(view, merged, chain, inner)
}

/** Whether there are no rows left to expand a schema. The first one is always expanded. */
function hasNoRowsLeft({ properties }: MergedSchema, { budget, isShared, depth }: SchemaSetting): boolean {
  return isShared ? depth > 0 && budget.rows < Math.max(properties.size, 1) : budget.rows <= 0
}

function depthOf(target: SchemaTarget | undefined, { hasPage }: SchemaSetting): number {
  if (!target) return maxDepth
  return hasPage(target.name) ? pageDepth : namedDepth
}

function fill(view: SchemaView, merged: MergedSchema, chain: readonly Place[], setting: SchemaSetting): SchemaView {
  const below: SchemaSetting = { ...setting, depth: setting.depth + 1 }
  const { choices, isNullable } = toChoices(merged, chain, setting)
  const [items, prefixItems] = toItems(merged, setting)
  const not = findKeyword(merged, 'not')
  const filled: SchemaView = {
    ...view,
    properties: toProperties(merged, below),
    otherKeys: toOtherKeys(merged, below),
    prefixItems,
    items,
    choices,
    not: not && toSchemaView(not, below),
    conditions: toConditions(merged, below),
  }
  const only = choices.length === 1 && choices[0]?.options.length === 1 ? choices[0].options[0] : undefined
  if (only && merged.keywords['type'] === undefined && merged.properties.size === 0)
    return unwrapSingleChoice(filled, only.schema, isNullable)
  const isTyped = merged.keywords['type'] !== undefined || merged.properties.size > 0 || items !== undefined
  const union = isTyped ? undefined : toUnionType(choices, isNullable)
  if (union) return { ...filled, choices: [], type: union }
  const constants = toConstants(choices)
  // An `enum` next to described constants selects some of them.
  const selected = filled.enum.map((one) => constants?.find(({ value }) => value === one.value) ?? one)
  if (constants && selected.length > 0)
    return { ...filled, choices: [], enum: selected, type: toTypeOf(merged, filled, isNullable) }
  if (constants) {
    const keywords = { ...merged.keywords, enum: listConstants(merged, setting) }
    const listed = { ...filled, choices: [], enum: constants }
    return { ...listed, type: toTypeOf({ ...merged, keywords }, listed, isNullable) }
  }
  return { ...filled, type: toTypeOf(merged, filled, isNullable) }
}

function listConstants({ parts }: MergedSchema, { context }: SchemaSetting): unknown[] {
  const options = parts.flatMap((part) => [...listPlaces(part, 'oneOf'), ...listPlaces(part, 'anyOf')])
  return options.flatMap((option) => readField(context.follow.end(option).value, 'const') ?? [])
}

/** Shows a single choice, as tools write it for nullable schemas, as the schema itself with the descriptions around it. */
function unwrapSingleChoice(view: SchemaView, choice: SchemaView, isNullable: boolean): SchemaView {
  const type = [...choice.type]
  const last = type.at(-1)
  if (isNullable && last && !last.target) type[type.length - 1] = { ...last, text: `${last.text} or null` }
  else if (isNullable) type.push({ text: ' or null', target: undefined })
  return {
    ...choice,
    type,
    title: view.title ?? choice.title,
    description: view.description ?? choice.description,
    deprecated: view.deprecated || choice.deprecated,
    readOnly: view.readOnly || choice.readOnly,
    writeOnly: view.writeOnly || choice.writeOnly,
    facts: [...choice.facts, ...view.facts],
    externalDocs: view.externalDocs ?? choice.externalDocs,
  }
}

function toProperties({ properties, origins, required }: MergedSchema, setting: SchemaSetting): PropertyView[] {
  const views: PropertyView[] = []
  let left = properties.size
  for (const [name, place] of properties) {
    const schema = setting.isShared ? toSharedView(place, setting, left--) : toSchemaView(place, setting)
    const isHidden = (schema.readOnly && setting.side === 'request') || (schema.writeOnly && setting.side === 'response')
    if (!isHidden) views.push({ name, required: required.has(name), schema, origin: origins.get(name) })
  }
  return views
}

/** Creates the view of a property with a share of the rows. Rows it does not need remain available to others. */
function toSharedView(place: Place, setting: SchemaSetting, count: number): SchemaView {
  const share = Math.ceil(setting.budget.rows / count)
  const budget = { rows: share }
  const view = toSchemaView(place, { ...setting, budget })
  setting.budget.rows -= share - budget.rows
  return view
}

function toItems(merged: MergedSchema, setting: SchemaSetting): [SchemaView | undefined, SchemaView[]] {
  const items = findKeyword(merged, 'items')
  const tuple = findKeyword(merged, 'prefixItems') ?? (Array.isArray(items?.value) ? items : undefined)
  const prefix = Array.isArray(tuple?.value) ? tuple.value.map((_, index) => toSchemaView(childPlace(tuple, index), setting)) : []
  const rest = tuple === items ? undefined : items
  const isNone = rest?.value === false
  return [rest && !isNone ? toSchemaView(rest, setting) : undefined, prefix]
}

const conditionLabels = [
  ['contains', 'At least one item'],
  ['propertyNames', 'Every key'],
  ['if', 'If'],
  ['then', 'then'],
  ['else', 'else'],
] as const

function toConditions(merged: MergedSchema, setting: SchemaSetting): SchemaView['conditions'] {
  const found = conditionLabels.flatMap(([key, label]) => {
    const place = findKeyword(merged, key)
    return place ? [{ label, schema: toSchemaView(place, setting) }] : []
  })
  const dependent = findKeyword(merged, 'dependentSchemas')
  const names = isObject(dependent?.value) ? Object.keys(dependent.value) : []
  const depending = names.flatMap((name) =>
    dependent ? [{ label: `With \`${name}\``, schema: toSchemaView(childPlace(dependent, name), setting) }] : [],
  )
  return [...found, ...depending]
}

/** The place of a keyword in the nearest part of the schema that has it. */
function findKeyword({ parts }: MergedSchema, key: string): Place | undefined {
  const part = parts.find(({ value }) => isObject(value) && Object.hasOwn(value, key))
  return part && childPlace(part, key)
}

const insideKeywords = ['items', 'prefixItems', 'oneOf', 'anyOf', 'patternProperties', 'additionalProperties'] as const

/** Whether a schema has anything to expand. */
function isExpandable({ keywords, properties }: MergedSchema): boolean {
  return properties.size > 0 || insideKeywords.some((key) => isObjectOrList(keywords, key))
}

function isObjectOrList(keywords: JsonObject, key: string): boolean {
  return typeof keywords[key] === 'object' && keywords[key] !== null
}

/** The choices of a schema, `oneOf` and `anyOf`, with distinct labels. A choice of `null` makes the schema nullable instead. */
function toChoices(
  merged: MergedSchema,
  chain: readonly Place[],
  setting: SchemaSetting,
): { choices: ChoiceView[]; isNullable: boolean } {
  const choices: ChoiceView[] = []
  let isNullable = false
  const own = new Set(chain.map(toPlaceKey))
  for (const part of merged.parts) {
    const isOwn = own.has(toPlaceKey(part))
    const labels = toDiscriminatorLabels(part)
    const before = choices.length
    for (const kind of ['oneOf', 'anyOf'] as const) {
      const all = listPlaces(part, kind)
      const places = all.filter((place) => !isNull(place))
      if (places.length < all.length) isNullable = true
      // Skip inherited choices that include an enclosing schema: `Cat` is `allOf` `Pet`, which is `oneOf` `Cat`, `Dog`.
      if (places.length === 0 || (!isOwn && places.some((place) => isEnclosed(place, setting)))) continue
      const options = places.map((place) => toOption(place, labels, setting))
      choices.push({ kind, discriminator: labels.property, options: makeUnique(options) })
    }
    // Some schemas list their variants in the mapping only.
    if (isOwn && choices.length === before && labels.mapped.length > 0) {
      const options = labels.mapped.flatMap(({ label, value }) => {
        const place = findMappedSchema(value, part.file, setting.context)
        return place && !isEnclosed(place, setting) ? [{ label, schema: toSchemaView(place, setting) }] : []
      })
      if (options.length > 0) choices.push({ kind: 'oneOf', discriminator: labels.property, options: makeUnique(options) })
    }
  }
  return { choices, isNullable }
}

function isEnclosed(place: Place, { context, around }: SchemaSetting): boolean {
  return around.has(toPlaceKey(context.follow.end(place)))
}

function isNull({ value }: Place): boolean {
  return (
    isObject(value) &&
    (value['type'] === 'null' ||
      value['const'] === null ||
      (Array.isArray(value['enum']) && value['enum'].every((one) => one === null)))
  )
}

interface DiscriminatorLabels {
  readonly property: string | undefined
  /** The values of the mapping by reference or schema name. */
  readonly byReference: ReadonlyMap<string, string>
  /** The mapping as written, in order. */
  readonly mapped: readonly { readonly label: string; readonly value: string }[]
}

/** Source: OpenAPI 3.2.0, "Discriminator Object". */
function toDiscriminatorLabels(part: Place): DiscriminatorLabels {
  const discriminator = childPlace(part, 'discriminator')
  const byReference = new Map<string, string>()
  const mapped: { label: string; value: string }[] = []
  for (const { name, place } of mapPlaces(discriminator, 'mapping')) {
    if (typeof place.value !== 'string') continue
    mapped.push({ label: name, value: place.value })
    byReference.set(place.value, name)
    byReference.set(`#/components/schemas/${place.value}`, name)
  }
  return { property: readText(discriminator.value, 'propertyName'), byReference, mapped }
}

function toOption(place: Place, { property, byReference }: DiscriminatorLabels, setting: SchemaSetting): ChoiceOption {
  const schema = toSchemaView(place, setting)
  const reference = readText(place.value, '$ref')
  const target = reference === undefined ? undefined : findSchemaTarget(setting.context, setting.context.follow.end(place))
  const mapped = reference === undefined ? undefined : byReference.get(reference)
  const byName = property === undefined ? undefined : (mapped ?? findConstant(schema, property))
  const label = byName ?? schema.title ?? target?.name ?? schema.type.map(({ text }) => text).join('')
  return { label, schema }
}

/** The only value that the discriminator's property can have. */
function findConstant(schema: ChoiceOption['schema'], property: string): string | undefined {
  const found = schema.properties.find(({ name }) => name === property)?.schema
  const always = found?.facts.find((fact) => fact.kind === 'value' && fact.label === 'Always')
  if (always?.kind === 'value') return always.value
  return found?.enum.length === 1 ? found.enum[0]?.value : undefined
}

function makeUnique(options: readonly ChoiceOption[]): ChoiceOption[] {
  const counts = new Map<string, number>()
  return options.map((option) => {
    const count = (counts.get(option.label) ?? 0) + 1
    counts.set(option.label, count)
    return count === 1 ? option : { ...option, label: `${option.label} ${count}` }
  })
}

/** The schemas of unnamed keys: those that match a pattern, and all others. `true` and `{}` are omitted. */
function toOtherKeys(merged: MergedSchema, setting: SchemaSetting): OtherKeyView[] {
  const patterns = findKeyword(merged, 'patternProperties')
  const names = isObject(patterns?.value) ? Object.keys(patterns.value) : []
  const views: OtherKeyView[] = names.flatMap((pattern) =>
    patterns ? [{ label: toLabel(pattern), pattern, schema: toSchemaView(childPlace(patterns, pattern), setting) }] : [],
  )
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
    const place = findKeyword(merged, keyword)
    if (!place || !isObject(place.value) || Object.keys(place.value).length === 0) continue
    views.push({ label: 'any other key', pattern: undefined, schema: toSchemaView(place, setting) })
  }
  return views
}

/** Shows `^x-` as `x-…`. */
function toLabel(pattern: string): string {
  const prefix = /^\^([\w-]+)(?:\.\*\$?)?$/.exec(pattern)?.[1]
  return prefix === undefined ? 'key of a pattern' : `${prefix}…`
}

/** Keywords with other schemas. */
const leading = new Set([
  ...['$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'oneOf', 'anyOf', 'not', 'if', 'then', 'else', 'discriminator'],
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'dependentSchemas'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'],
])

/** Views by schema value: most properties have no nested schemas and look the same everywhere. */
const leaves = new WeakMap<JsonObject, SchemaView>()

/**
 * The view of an unnamed schema without nested schemas, which is the same at every depth and on both sides. Absent for other
 * schemas.
 */
function toLeafView(schema: Place, context: ReferenceContext): SchemaView | undefined {
  const { value } = schema
  if (!isObject(value) || findSchemaTarget(context, schema)) return undefined
  const known = leaves.get(value)
  if (known) return known
  if (Object.keys(value).some((key) => leading.has(key))) return undefined
  const merged = mergeSchema(schema, context)
  const outline = toOutline(schema, merged, undefined)
  const view = { ...outline, type: toTypeOf(merged, outline) }
  leaves.set(value, view)
  return view
}
