import { findSubschemas, findTag, type Mapping, type MergedPart, mergeSchema, readMapping } from '../../model/schema.ts'
import {
  childPlace,
  findKeywords,
  followOnly,
  isReference,
  mapPlaces,
  toPlaceKey,
} from '../../openapi/references/follow-reference.ts'
import { toJsonText } from '../../playground/request/read-operation.ts'
import type { Place } from '../../text/json/json-values.ts'
import { getOrMake, lazy, onceFor } from '../../text/plain/lists.ts'
import { findSchemaTarget, memoizeByReference, type ReferenceContext } from './context.ts'
import {
  findPlainTarget,
  hasInnerSchemas,
  isGiven,
  isNesting,
  type MergedNames,
  mergeNamed,
  unwrapNullable,
} from './merge-schema.ts'
import {
  emptySchemaView,
  hasOnlyWords,
  joinTexts,
  mergeFacts,
  onlyValueOf,
  toConstants,
  toOutline,
  toTypeOf,
  toUnionType,
} from './schema-outline.ts'
import { countRows, cutPart, expandSchemas, forSide, notePart, splitSchema } from './schema-parts.ts'
import { addNull, toTypeText } from './type-words.ts'
import type {
  ChoiceOption,
  ChoiceView,
  OtherKeyView,
  PropertyView,
  SchemaPart,
  SchemaSide,
  SchemaTarget,
  SchemaView,
} from './types.ts'

/** The position of a schema in the schemas around it. */
interface SchemaSetting {
  readonly context: ReferenceContext
  /** Locations of the enclosing schemas. */
  readonly around: ReadonlySet<string>
  /** The named schema whose content this is; absent for the schema of a body, parameter or other place. */
  readonly owner: SchemaTarget | undefined
  /** The names of the enclosing properties below the owner. */
  readonly names: readonly string[]
}

/** The role of a schema without enclosing schemas. */
export interface TopSchema {
  readonly side: SchemaSide
  /** The named schema that the page shows. */
  readonly page?: string
  /** Whether it describes an error, which gets fewer rows. */
  readonly isError?: boolean
}

/** Creates the view of a schema without enclosing schemas: a body, a parameter, or a schema page. Never throws. */
export function toTopSchemaView(
  schema: Place,
  context: ReferenceContext,
  { side, page, isError = false }: TopSchema,
): SchemaView {
  const make = () => {
    const found = page === undefined ? toSchemaView(schema, { ...topSetting, context }) : contentOf({ name: page }, context)
    const content = found ?? emptySchemaView
    if (context.isApart) return forSide(content, side)
    const size = isError ? 'error' : side
    return forSide(expandSchemas(content, { page, size, contentOf: (one) => contentOf(one, context) }), side)
  }
  return page === undefined ? memoizeView(schema, `${side}\n${isError}`, context, make) : make()
}

/** The view of a part, for its page. */
export function toPartView(part: SchemaPart, context: ReferenceContext): SchemaView {
  return expandSchemas(part.view(), { page: part.key, size: 'both', contentOf: (one) => contentOf(one, context) })
}

const memoizeView = memoizeByReference<SchemaView>()

const topSetting = { around: new Set<string>(), owner: undefined, names: [] }

/** Views that all pages of a description share, by name or location. A view that is being made is `undefined`. */
interface SharedViews {
  readonly named: Map<string, SchemaView | undefined>
  readonly composed: Map<string, SchemaView | undefined>
  /** The rows of references to schemas with a page, by the value that they refer to. */
  readonly rows: Map<unknown, SchemaView>
}

const sharedViews = onceFor((_: ReferenceContext): SharedViews => ({ named: new Map(), composed: new Map(), rows: new Map() }))

/** The view of a named schema, without the content of other named schemas. Absent while it is made, for a circular `allOf`. */
export function contentOf(target: SchemaTarget, context: ReferenceContext): SchemaView | undefined {
  const { named } = sharedViews(context)
  if (named.has(target.name)) return named.get(target.name)
  named.set(target.name, undefined)
  const place = context.named.places.get(target.name)
  const view = place && splitSchema(toNamedView(place, target, context), target)
  named.set(target.name, view)
  return view
}

function toNamedView(place: Place, target: SchemaTarget, context: ReferenceContext): SchemaView {
  const chain = context.follow.chain(place)
  const end = chain.at(-1) ?? place
  if (typeof end.value === 'boolean') return toBooleanView(end.value)
  const merged = mergeNamed(place, context, { page: target.name })
  const setting = { context, around: new Set(chain.map(toPlaceKey)), owner: target, names: [] }
  return fill(toOutline(merged, undefined, context), merged, chain, setting)
}

function toBooleanView(value: boolean): SchemaView {
  return { ...emptySchemaView, type: [{ kind: 'word', word: value ? 'any' : 'nothing' }] }
}

/** The most levels of schemas without a name. Deeper ones have their own page. */
const maxNesting = 16

/**
 * Creates the view of a schema: `$ref` and `allOf` are merged, and choices are labeled. The content of a named schema is left out, because it is that of its
 * page. Never throws.
 *
 * @param also schemas that apply to the same value.
 */
function toSchemaView(schema: Place, setting: SchemaSetting, also: readonly Place[] = []): SchemaView {
  const { context, around } = setting
  const isTop = around.size === 0
  const leaf = isTop || also.length > 0 ? undefined : toLeafView(schema, context)
  if (leaf) return leaf
  const chain = context.follow.chain(schema)
  const end = chain.at(-1) ?? schema
  if (typeof end.value === 'boolean') return toBooleanView(end.value)
  // Nothing else but the target matters for a reference without other keywords, and for a subtype without a reference.
  const isPlain = !isTop && also.length === 0 && followOnly(schema, context.follow) !== schema
  const isNamed = !isTop && also.length === 0 && !chain[1] && findSchemaTarget(context, schema) !== undefined
  const plain = isNamed ? schema : isPlain ? chain[1] : undefined
  const { rows } = sharedViews(context)
  const known = plain && rows.get(plain.value)
  if (known) return known
  const written = mergeNamed(schema, context, { also })
  const target = findPlainTarget(written)
  const merged = target ? unwrapNullable(written, context) : written
  const outline = toOutline(merged, target, context)
  const row = { ...outline, type: toTypeOf(merged, outline) }
  // It can contain the properties of any other schema, so the size of the document does not limit its own.
  const isComposed = !target && merged.bases.length > 0
  const identity = toPlaceKey(isComposed ? schema : end)
  const filled = () => fill(outline, merged, chain, { ...setting, around: new Set([...around, identity]) })
  // A value that is given needs no list of the others.
  if (target && isGiven(merged)) return row
  if (target && isNesting(merged, context)) {
    const made: SchemaView = { ...row, cut: { kind: 'page', count: merged.properties.size } }
    if (plain) rows.set(plain.value, made)
    return made
  }
  if (around.has(identity)) return { ...row, cut: { kind: 'recursive' } }
  // The name is already part of the type.
  const toContent = () => (target ? { ...filled(), bases: [] } : filled())
  const part = { key: toPlaceKey(schema), owner: setting.owner, names: setting.names }
  if (isTop) return splitSchema(toContent(), undefined)
  if (isComposed || around.size > maxNesting) {
    const { composed } = sharedViews(context)
    if (!composed.has(part.key)) {
      composed.set(part.key, undefined)
      composed.set(part.key, splitSchema(toContent(), setting.owner))
    }
    const view = composed.get(part.key)
    if (view && countRows(view) <= maxSmall) return view
    const other = { ...part, view: () => composed.get(part.key) ?? emptySchemaView }
    return isNesting(merged, context)
      ? cutPart({ ...row, properties: view?.properties ?? [] }, other)
      : { ...row, bases: merged.bases }
  }
  const view = toContent()
  notePart(view, part)
  return view
}

/** The most rows of a schema with bases that is shown in place. */
const maxSmall = 12

function fill(view: SchemaView, merged: MergedNames, chain: readonly Place[], setting: SchemaSetting): SchemaView {
  const filled = fillParts(view, merged, chain, setting)
  const { format } = merged.keywords
  const isShown =
    filled.type.some((part) => part.kind === 'text' && part.text.includes(` · ${format}`)) ||
    filled.facts.some((fact) => fact.kind === 'value' && fact.label === 'Format')
  // The type has no place for the format of a choice.
  if (format === undefined || isShown) return filled
  return { ...filled, facts: [...filled.facts, { kind: 'value', label: 'Format', value: format }] }
}

function fillParts(view: SchemaView, merged: MergedNames, chain: readonly Place[], setting: SchemaSetting): SchemaView {
  const { choices, isNullable } = toChoices(merged, chain, setting)
  const [items, prefixItems] = toItems(merged, setting)
  const filled: SchemaView = {
    ...view,
    properties: toProperties(merged, setting),
    otherKeys: toOtherKeys(merged, setting),
    prefixItems,
    items,
    choices,
    conditions: toConditions(merged, setting),
    bases: merged.bases,
  }
  const only = choices.length === 1 && choices[0]?.options.length === 1 ? choices[0].options[0] : undefined
  if (only && merged.keywords['type'] === undefined && merged.properties.size === 0 && !only.schema.items)
    return unwrapSingleChoice(filled, only.schema, isNullable)
  const type = toTypeOf(merged, filled, isNullable)
  // Next to a type, an option without content and of no other type says more about the same value.
  if (only && hasOnlyWords(only.schema) && saysType(type, only.schema.type)) {
    const { properties } = filled
    return { ...unwrapSingleChoice(filled, only.schema, isNullable), properties, items, prefixItems, type }
  }
  const isTyped = merged.keywords['type'] !== undefined || merged.properties.size > 0 || items !== undefined
  const union = isTyped ? undefined : toUnionType(choices, isNullable)
  if (union) return { ...filled, choices: [], type: union }
  const constants = toConstants(choices)
  // An `enum` next to described constants selects some of them.
  const selected = filled.enum.map((one) => constants?.find(({ value }) => value === one.value) ?? one)
  if (constants && selected.length > 0) return { ...filled, choices: [], enum: selected, type }
  if (constants) {
    const keywords = { ...merged.keywords, oneOf: undefined, anyOf: undefined, enum: listConstants(merged, setting) }
    const listed = { ...filled, choices: [], enum: constants }
    return { ...listed, type: toTypeOf({ ...merged, keywords }, listed, isNullable) }
  }
  return { ...filled, type }
}

function listConstants({ parts }: MergedNames, { context }: SchemaSetting): unknown[] {
  const options = parts.flatMap((part) => part.choices.flatMap((choice) => choice.options))
  return options.flatMap((option) => mergeSchema([option], context.follow).keywords['const'] ?? [])
}

function inside(setting: SchemaSetting, ...names: readonly string[]): SchemaSetting {
  return { ...setting, names: [...setting.names, ...names] }
}

/** Shows a single choice, as tools write it for nullable schemas, as the schema itself with the descriptions around it. */
function unwrapSingleChoice(view: SchemaView, choice: SchemaView, isNullable: boolean): SchemaView {
  // The page of a named schema has its words.
  const isKnown =
    choice.isPlainReference || (choice.description !== undefined && view.description?.includes(choice.description.trim()))
  const more = isKnown && view.description !== undefined ? undefined : choice.description
  return {
    ...choice,
    type: isNullable ? addNull(choice.type) : choice.type,
    title: joinTexts([view.title, choice.isPlainReference && view.title !== undefined ? undefined : choice.title], ', '),
    description: joinTexts([view.description, more], '\n\n'),
    isPlainReference: choice.isPlainReference && view.description === undefined && view.title === undefined,
    deprecated: view.deprecated || choice.deprecated,
    readOnly: view.readOnly || choice.readOnly,
    writeOnly: view.writeOnly || choice.writeOnly,
    labels: [...view.labels, ...choice.labels],
    facts: mergeFacts([choice.facts, view.facts]),
    enum: [...view.enum, ...choice.enum],
    otherKeys: [...view.otherKeys, ...choice.otherKeys],
    conditions: [...view.conditions, ...choice.conditions],
    bases: [...view.bases, ...choice.bases],
    isClosed: view.isClosed || choice.isClosed,
    externalDocs: [...view.externalDocs, ...choice.externalDocs],
  }
}

function toProperties({ properties, origins, required }: MergedNames, setting: SchemaSetting): PropertyView[] {
  return [...properties].map(([name, [place = missingPlace, ...also]]) => {
    const origin = origins.get(name)
    // As the page of the other schema shows it, with the same parts.
    const shared =
      also.length > 0 || !origin
        ? undefined
        : contentOf(origin, setting.context)?.properties.find((property) => property.name === name)
    const schema = shared?.schema ?? toSchemaView(place, inside(setting, name), also)
    const { file, pointer } = place
    return { name, required: required.has(name), schema, origin, place: { file, pointer } }
  })
}

const missingPlace: Place = { file: '', pointer: '', value: undefined }

function toItems(merged: MergedNames, setting: SchemaSetting): [SchemaView | undefined, SchemaView[]] {
  const [items] = findKeywords(merged.parts, 'items')
  const tuple = findKeywords(merged.parts, 'prefixItems')[0] ?? (Array.isArray(items?.value) ? items : undefined)
  const prefix = Array.isArray(tuple?.value)
    ? tuple.value.map((_, index) => toSchemaView(childPlace(tuple, index), inside(setting, String(index))))
    : []
  const others = tuple === items ? [] : [items]
  const [rest] = [
    ...others,
    ...findKeywords(merged.parts, 'additionalItems'),
    ...findKeywords(merged.parts, 'unevaluatedItems'),
  ].filter((place) => place)
  const isNone = rest?.value === false
  return [rest && !isNone ? toSchemaView(rest, setting) : undefined, prefix]
}

const conditionLabels = [
  ['contains', 'At least one item'],
  ['propertyNames', 'Every key'],
  ['contentSchema', 'Content'],
  ['not', 'Not'],
  ['if', 'If'],
  ['then', 'then'],
  ['else', 'else'],
] as const

/** The most conditions of other schemas that one lists: each of a chain can have those of all before it. */
const maxInherited = 40

function toConditions({ parts, own }: MergedNames, setting: SchemaSetting): SchemaView['conditions'] {
  const toRow = (part: MergedPart, name: string, label: string) => ({ part, name, label, place: childPlace(part, name) })
  const withItems = parts.filter((part) => findSubschemas([part], 'items').length > 0)
  const all = [
    ...parts.flatMap((part) =>
      conditionLabels.flatMap(([key, label]) => (Object.hasOwn(part.keywords, key) ? [toRow(part, key, label)] : [])),
    ),
    ...parts.flatMap((part) =>
      mapPlaces(part, 'dependentSchemas').map(({ name, place }) => ({ part, name, label: 'With', key: name, place })),
    ),
    ...withItems.slice(1).map((part) => toRow(part, 'items', 'Every item')),
  ]
  const owners = new Set(own)
  let inherited = 0
  const shown = all.filter(({ part }) => owners.has(part) || ++inherited <= maxInherited)
  const left = all.length - shown.length
  return shown.map(({ part: _, name, place, ...row }, index) => {
    const schema = toSchemaView(place, inside(setting, name))
    return { ...row, schema, ...(left > 0 && index === shown.length - 1 && { left }) }
  })
}

/** The choices of a schema, `oneOf` and `anyOf`, with distinct labels. A choice of `null` makes the schema nullable instead, as `nullable` does. */
function toChoices(
  merged: MergedNames,
  chain: readonly Place[],
  setting: SchemaSetting,
): { choices: ChoiceView[]; isNullable: boolean } {
  const choices: ChoiceView[] = []
  let isNullable = merged.keywords.nullable === true
  const own = lazy(() => new Set([...chain, ...merged.own].map(toPlaceKey)))
  for (const part of merged.parts) {
    const mapping = readMapping(part, setting.context)
    const { property, mapped, left } = mapping
    if (part.choices.length + mapped.length === 0) continue
    const isOwn = own().has(toPlaceKey(part))
    const before = choices.length
    for (const { kind, options: places, hasNull } of part.choices) {
      if (hasNull) isNullable = true
      // Skip inherited choices that include an enclosing schema: `Cat` is `allOf` `Pet`, which is `oneOf` `Cat`, `Dog`.
      if (places.length === 0 || (!isOwn && places.some((place) => isEnclosed(place, setting)))) continue
      const options = places.map((place, index) => toOption(place, mapping, inside(setting, String(index + 1))))
      choices.push({ kind, discriminator: property, options: makeUnique(options), left: 0 })
    }
    // Some schemas have their variants in the mapping only, or in the schemas that extend them.
    if (isOwn && choices.length === before && mapped.length > 0) {
      const options = mapped.flatMap(({ tag, place }) =>
        isEnclosed(place, setting) ? [] : [{ label: tag, schema: toSchemaView(place, inside(setting, tag)) }],
      )
      if (options.length > 0) choices.push({ kind: 'oneOf', discriminator: property, options: makeUnique(options), left })
    }
  }
  return { choices, isNullable }
}

function isEnclosed(place: Place, { context, around }: SchemaSetting): boolean {
  return around.has(toPlaceKey(context.follow.end(place)))
}

/** The label is the value that selects the option. Source: OpenAPI 3.2.0, "Discriminator Object". */
function toOption(place: Place, mapping: Mapping, setting: SchemaSetting): ChoiceOption {
  const { context } = setting
  const { property } = mapping
  const schema = toSchemaView(place, setting)
  const isNamed = isReference(place.value)
  const target = isNamed ? findSchemaTarget(context, context.follow.end(place)) : undefined
  const tag = isNamed ? findTag(mapping, place, context) : undefined
  const byName = property === undefined ? undefined : (tag ?? findConstant(place, property, context))
  const label = byName ?? schema.title ?? target?.name ?? toTypeText(schema)
  return { label, schema }
}

/** The only value that the discriminator's property can have. */
function findConstant(option: Place, property: string, context: ReferenceContext): string | undefined {
  const places = mergeSchema([option], context.follow).properties.get(property) ?? []
  const { const: constant, enum: values = [] } = mergeSchema(places, context.follow).keywords
  const [only, ...more] = constant === undefined ? values : [constant]
  return only === undefined || more.length > 0 ? undefined : toJsonText(only)
}

function makeUnique(options: readonly ChoiceOption[]): ChoiceOption[] {
  const counts = new Map<string, number>()
  return nameByValue(options).map((option) => {
    const count = (counts.get(option.label) ?? 0) + 1
    counts.set(option.label, count)
    return count === 1 ? option : { ...option, label: `${option.label} ${count}` }
  })
}

/** Names options of the same type after the property that has another value in each, such as `grant_type`. */
function nameByValue(options: readonly ChoiceOption[]): readonly ChoiceOption[] {
  const [first] = options
  if (!first || new Set(options.map(({ label }) => label)).size > 1) return options
  for (const { name } of first.schema.properties) {
    const labels = options.flatMap(({ schema: { properties } }) => {
      const found = properties.find((property) => property.name === name)
      return (found && onlyValueOf(found.schema)) ?? []
    })
    if (new Set(labels).size === options.length)
      return options.map((option, index) => ({ ...option, label: labels[index] ?? option.label }))
  }
  return options
}

/** The schemas of unnamed keys: those that match a pattern, and all others. `true` and `{}` are omitted. */
function toOtherKeys(merged: MergedNames, setting: SchemaSetting): OtherKeyView[] {
  const patterns = merged.parts.flatMap((part) => mapPlaces(part, 'patternProperties'))
  const others = otherKeywords.flatMap((keyword) => findSubschemas(merged.parts, keyword))
  return [
    ...patterns.map(({ name, place }) => ({
      label: toLabel(name),
      pattern: name,
      schema: toSchemaView(place, inside(setting, 'key')),
    })),
    ...others
      .filter(({ value }) => Object.keys(Object(value)).length > 0)
      .map((place) => ({ label: 'any other key', pattern: undefined, schema: toSchemaView(place, inside(setting, 'key')) })),
  ]
}

const otherKeywords = ['additionalProperties', 'unevaluatedProperties'] as const

/** Shows `^x-` as `x-…`. */
function toLabel(pattern: string): string {
  const prefix = /^\^([\w-]+)(?:\.\*\$?)?$/.exec(pattern)?.[1]
  return prefix === undefined ? 'key of a pattern' : `${prefix}…`
}

/** Most properties have no nested schemas, and look the same everywhere. */
const leaves = new WeakMap<object, SchemaView>()

/** The view of an unnamed schema that has and names no other schemas. Absent for other schemas. */
function toLeafView(schema: Place, context: ReferenceContext): SchemaView | undefined {
  if (typeof schema.value === 'boolean' || hasInnerSchemas(schema) || findSchemaTarget(context, schema)) return undefined
  return getOrMake(leaves, Object(schema.value), () => {
    const merged = mergeSchema([schema], context.follow)
    const named = { ...merged, own: merged.parts, origins: new Map(), bases: [] }
    const outline = toOutline(named, undefined, context)
    return { ...outline, type: toTypeOf(named, outline) }
  })
}

/** Whether a type includes another one, or the other one says nothing. */
function saysType(type: SchemaView['type'], other: SchemaView['type']): boolean {
  const [whole = '', part = ''] = [type, other].map((parts) => toTypeText({ type: parts }))
  return part === 'any' || part === 'constant' || whole.includes(part)
}
