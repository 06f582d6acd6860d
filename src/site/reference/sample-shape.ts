import {
  findSubschemas,
  findTag,
  keywordIn,
  type MergedPart,
  type MergedSchema,
  mergeSchema,
  readMapping,
} from '../../model/schema.ts'
import { followOnly, listPlaces, mapPlaces, schemasIn } from '../../openapi/references/follow-reference.ts'
import { matchPattern } from '../../openapi/schema/json-schema.ts'
import type { Place } from '../../text/json/json-values.ts'
import { getOrMake, lazy, onceFor } from '../../text/plain/lists.ts'
import { findSchemaTarget, type ReferenceContext } from './context.ts'

/** The schemas that apply to a value, with what they say together. Those of nested values are read when they are needed, once. */
export interface Shape extends Pick<MergedSchema, 'parts' | 'keywords' | 'required'> {
  readonly schemas: readonly Place[]
  /** The targets of references, without booleans. */
  readonly ends: readonly unknown[]
  /** Whether one of them is `false`. */
  readonly isImpossible: boolean
  readonly type: string | undefined
  /** All properties, also required ones that only `additionalProperties` describes. */
  readonly properties: ReadonlyMap<string, () => Shape>
  /** The properties without a name, in `additionalProperties`. */
  readonly additional: readonly Place[]
  /** Those with a name that matches a pattern. */
  readonly patterns: readonly { readonly name: string; readonly place: Place }[]
  readonly items: (() => Shape) | undefined
  /** Whether another shape has already counted the value: this is one of its options or its subtype. */
  readonly isNarrowed: boolean
  /** The options of the next choice. For each, the shapes to try, the best one first. */
  readonly options: readonly (readonly (() => Shape)[])[]
  /** The first subtype of a base schema. */
  readonly subtype: (() => Shape) | undefined
  /** Values that are the same at each place of a sample: the written one by side, and those of a scalar by side and name. */
  readonly kept: Map<string, unknown>
}

/** Samples contain the same schemas again and again. */
export const shapesOf = onceFor((_: ReferenceContext) => new Map<unknown, Shape>())

export function readShape(schemas: readonly Place[], context: ReferenceContext): Shape {
  const [only] = schemas
  if (!only || schemas.length > 1) return makeShape(schemas, context)
  const place = followOnly(only, context.follow)
  return getOrMake(shapesOf(context), place.value, () => makeShape([place], context))
}

/** @param chosen Lists of options that are already chosen, or subtypes. */
function makeShape(schemas: readonly Place[], context: ReferenceContext, chosen: readonly unknown[] = []): Shape {
  const merged = mergeSchema(schemas, context.follow)
  const { parts, keywords, required, properties: described } = merged
  const properties = new Map([...described].map(([name, places]) => [name, [...places]]))
  const additional = findSubschemas(parts, 'additionalProperties')
  const patterns = parts.flatMap((part) => mapPlaces(part, 'patternProperties'))
  for (const name of required) if (!properties.has(name)) properties.set(name, placesOf(name, { additional, patterns }))
  if (patterns.length > 0) for (const [name, places] of properties) places.push(...placesOf(name, { additional: [], patterns }))
  const items = findSubschemas(parts, 'items')
  const ends = schemas.map((schema) => context.follow.end(schema).value)
  const read = (places: readonly Place[]) => lazy(() => readShape(places, context))
  const narrow = (places: readonly Place[], by: unknown) =>
    lazy(() => makeShape([...schemas, ...places], context, [...chosen, by]))
  const choice = findChoice(parts, chosen)
  const subtype = chosen.length === 0 ? findSubtype(parts, schemas, context) : undefined
  return {
    schemas,
    ends: ends.filter((end) => typeof end === 'object'),
    isImpossible: ends.includes(false),
    parts,
    keywords,
    type: merged.types[0],
    required,
    properties: properties.size > 0 ? new Map([...properties].map(([name, places]) => [name, read(places)])) : noProperties,
    additional,
    patterns,
    items: items.length > 0 ? read(items) : undefined,
    isNarrowed: chosen.length > 0,
    options: (choice?.options ?? []).map((option) => {
      const tag = choice && option[0] && toTag(choice.part, option[0], context)
      return [...(tag ? [[...option, tag]] : []), option].map((places) => narrow(places, choice?.list))
    }),
    subtype: subtype && narrow(subtype, subtype),
    kept: new Map(),
  }
}

/** Shared by most shapes: large documents have tens of thousands. */
const noProperties: Shape['properties'] = new Map()

/** The schemas of a property without a schema of its own. */
export function placesOf(name: string, { additional, patterns }: Pick<Shape, 'additional' | 'patterns'>): Place[] {
  const matching = patterns.filter((pattern) => matchPattern(pattern.name, name) === true)
  return matching.length > 0 ? matching.map(({ place }) => place) : [...additional]
}

/** Maximum number of options that are tried. */
const maxOptions = 8

/** Keywords that choose. Most schemas have none. */
const choosing = new Set(['oneOf', 'anyOf', 'if', 'dependentRequired', 'dependentSchemas'])

interface Choice {
  /** The list in the schema, which identifies the choice. */
  readonly list: unknown
  readonly options: readonly (readonly Place[])[]
  readonly part: Place
}

function findChoice(parts: readonly MergedPart[], chosen: readonly unknown[]): Choice | undefined {
  for (const part of parts.filter(({ keywords }) => Object.keys(keywords).some((key) => choosing.has(key)))) {
    for (const keyword of ['oneOf', 'anyOf']) {
      const [list, options] = [keywordIn(part.keywords, keyword), listPlaces(part, keyword).slice(0, maxOptions)]
      if (options.length > 0 && !chosen.includes(list)) return { list, options: options.map((place) => [place]), part }
    }
    const [condition] = findSubschemas([part], 'if')
    if (condition && !chosen.includes(condition.value))
      return {
        list: condition.value,
        options: [[condition, ...schemasIn(part, 'then', 'one')], schemasIn(part, 'else', 'one')],
        part,
      }
    for (const keyword of ['dependentRequired', 'dependentSchemas']) {
      const list = keywordIn(part.keywords, keyword)
      const needed = chosen.includes(list) ? [] : mapPlaces(part, keyword)
      const places = needed.map(({ place }) =>
        keyword === 'dependentRequired' ? { ...place, value: { required: place.value } } : place,
      )
      if (needed.length > 0) return { list, options: [places, []], part }
    }
  }
  return undefined
}

/** A schema for the discriminator of an option, if there is one. Source: OpenAPI 3.2.0, "Discriminator Object". */
function toTag(part: Place, option: Place, context: ReferenceContext): Place | undefined {
  const mapping = readMapping(part, context)
  const tag = findTag(mapping, option, context) ?? findSchemaTarget(context, context.follow.end(option))?.name
  return mapping.property === undefined || tag === undefined ? undefined : tagPlace(part, mapping.property, tag)
}

/** A schema that requires a value of a property. `enum` exists in all versions. */
function tagPlace({ file, pointer }: Place, property: string, tag: string): Place {
  return { file, pointer, value: { properties: { [property]: { enum: [tag] } }, required: [property] } }
}

/** The first subtype of a base schema, with its discriminator: `mapping` lists subtypes that refer back to the base. */
function findSubtype(parts: readonly MergedPart[], schemas: readonly Place[], context: ReferenceContext): Place[] | undefined {
  for (const part of parts) {
    const { property, mapped } = readMapping(part, context)
    if (property === undefined || part.choices.length > 0) continue
    const subtypes = mapped
      .map(({ tag, place }) => ({ tag, end: context.follow.end(place) }))
      .filter(({ end }) => end.value !== part.value)
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
