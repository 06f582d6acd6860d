import { keywordIn } from '../../model/schema.ts'
import {
  childPlace,
  keysOf,
  listPlaces,
  listProperties,
  mapPlaces,
  schemasIn,
  textsIn,
} from '../../openapi/references/follow-reference.ts'
import { keywordsFor, matchPattern, schemaKeywords } from '../../openapi/schema/json-schema.ts'
import type { Place } from '../../text/json/json-values.ts'
import { addTo } from '../../text/plain/lists.ts'
import type { Side } from '../differences/comparison.ts'
import {
  type ComparedSchema,
  innerParts,
  keywordEntries,
  keywordPlaces,
  otherProperties,
  otherPropertiesOf,
  type SchemaPart,
  toComparedSchema,
} from './compared-schema.ts'
import { allowsAll, hasOnly, placeOf } from './keywords.ts'

/** The schemas of each property. Several of them apply together. */
export type Properties = ReadonlyMap<string, readonly Place[]>

/** Each pair of alternatives is compared with the properties of the schema around it. */
const propertiesOf = new WeakMap<ComparedSchema, Properties>()

/** The properties that a schema lists. */
export function readProperties(schema: ComparedSchema): Properties {
  const { parts, side } = schema
  const known = propertiesOf.get(schema)
  if (known) return known
  const found = new Map<string, Place[]>()
  propertiesOf.set(schema, found)
  for (const part of parts) for (const { name, place } of listProperties(part.place, side.follow)) addTo(found, name, place)
  if (parts.length === 1) return found
  // In an `allOf`, the properties of one branch are additional ones in another.
  for (const part of parts) {
    const rest = otherPropertiesOf(schema, part)
    if (!rest || rest.value === false || allowsAll(rest)) continue
    const inside = closedParts(schema, part)
    // What patterns and cases describe is not known by name.
    if (inside.some(({ value }) => value['patternProperties'] !== undefined) || (inside.length > 1 && hasCases(inside))) continue
    const listed = new Set(inside.flatMap(({ place }) => listProperties(place, side.follow).map(({ name }) => name)))
    for (const [name, places] of found) if (!listed.has(name)) places.push(rest)
  }
  return found
}

/** The parts whose properties are not other properties of a part. */
function closedParts(schema: ComparedSchema, part: SchemaPart): readonly SchemaPart[] {
  return part.value['additionalProperties'] === undefined ? [part, ...innerParts(schema, part)] : [part]
}

/** The schemas of the patterns that match the name of a property. A pattern that takes too long to test could match. */
export function patternSchemas(schema: ComparedSchema, name: string): Place[] {
  const patterns = keywordEntries(schema, 'patternProperties').filter((pattern) => matchPattern(pattern.name, name) !== false)
  return patterns.map(({ place }) => place)
}

/** Whether one schema lists a property that another one describes by a pattern. */
export function listsMoved(listing: ComparedSchema, other: ComparedSchema, pattern: string): boolean {
  return [...readProperties(listing).keys()].some((name) => matchPattern(pattern, name) && !readProperties(other).has(name))
}

/** The required names with their places. */
export function readRequired({ parts }: ComparedSchema): Map<string, Place> {
  const found = new Map<string, Place>()
  for (const entry of parts.flatMap(({ place }) => listPlaces(place, 'required'))) {
    if (typeof entry.value === 'string' && !found.has(entry.value)) found.set(entry.value, entry)
  }
  return found
}

/** The required names, and those that required properties need. */
export function readNeeded(schema: ComparedSchema): ReadonlyMap<string, Place> {
  const needed = readRequired(schema)
  const dependencies = needed.size > 0 ? readDependencies(schema) : new Map<string, Dependency>()
  // Iterating a map includes entries that are added meanwhile.
  for (const [name] of needed) {
    const { names = [], place } = dependencies.get(name) ?? {}
    for (const other of names) if (place && !needed.has(other)) needed.set(other, place)
  }
  return needed
}

/** The properties that objects with another one need. */
export interface Dependency {
  readonly names: Set<string>
  readonly place: Place
}

/**
 * The properties that each property needs: by `dependentRequired`, or by `dependentSchemas` and `if` with nothing but `required`, unless
 * another schema has the same keyword too.
 */
export function readDependencies(schema: ComparedSchema, other?: ComparedSchema): ReadonlyMap<string, Dependency> {
  const { side } = schema
  const found = new Map<string, Dependency>()
  const add = (name: string, place: Place, names: readonly string[] = []) => {
    const known = found.get(name)
    if (known) for (const each of names) known.names.add(each)
    else if (names.length > 0) found.set(name, { names: new Set(names), place })
  }
  for (const { name, place } of keywordEntries(schema, 'dependentRequired')) add(name, place, textsIn(place))
  const inOther = new Set(other && keywordEntries(other, 'dependentSchemas').map(({ name }) => name))
  for (const { name, place } of keywordEntries(schema, 'dependentSchemas')) {
    if (!inOther.has(name)) add(name, place, readNames(place, side))
  }
  const conditions = listConditions(schema)
  if (other && listConditions(other).length === conditions.length) return found
  for (const part of conditions) {
    const condition = readDependency(part, side)
    if (condition) add(condition.name, condition.place, condition.names)
  }
  return found
}

/** The parts with an `if`. Alone, it has no effect. */
export function listConditions({ parts }: ComparedSchema): readonly SchemaPart[] {
  return parts.filter(({ value }) => value['if'] !== undefined && (value['then'] ?? value['else']) !== undefined)
}

/** What objects with one property need, if the `if` of a schema says no more than this. */
export function readDependency({ place, value }: SchemaPart, side: Side) {
  const then = childPlace(place, 'then')
  const [[name, ...others] = [], names] = [readNames(childPlace(place, 'if'), side), readNames(then, side)]
  return name === undefined || others.length > 0 || !names || value['else'] !== undefined
    ? undefined
    : { name, names, place: then }
}

/** The names in `required` of a schema that has nothing else. */
export function readNames(place: Place, side: Side): readonly string[] | undefined {
  const end = side.follow.end(place)
  const required = placeOf(end, 'required')
  return required && hasOnly(end, 'required') ? textsIn(required) : undefined
}

/** Which properties an object can have that allows no others. */
export interface AllowedProperties {
  readonly names: ReadonlySet<string>
  /** Patterns of names. */
  readonly patterns: ReadonlySet<string>
  readonly allows: (name: string) => boolean
  readonly allowsPattern: (pattern: string) => boolean
  /** The place of a schema for all other properties in some case, such as an alternative. */
  readonly rest: Place | undefined
}

/**
 * Reads the properties that an object can have. Each closed part allows those that it describes: `additionalProperties: false` its
 * own, and `unevaluatedProperties: false` also those of the schemas inside it, but not those of schemas around or beside it.
 *
 * Absent if other properties are allowed.
 */
export function readAllowed(schema: ComparedSchema): AllowedProperties | undefined {
  const { parts, side } = schema
  const closed = parts.filter((part) => otherPropertiesOf(schema, part)?.value === false)
  if (closed.length === 0) return undefined
  const described = closed.map((part) => {
    const inside = closedParts(schema, part)
    const inCases = part.value['additionalProperties'] === undefined ? readDescribed(inside, side, evaluatedCases) : undefined
    const patterns = new Set(inside.flatMap(({ place }) => keysOf(childPlace(place, 'patternProperties'))))
    const own = inside.flatMap(({ place }) => listProperties(place, side.follow).map(({ name }) => name))
    return { names: new Set([...own, ...(inCases?.properties ?? [])]), patterns, rest: inCases?.rest }
  })
  const matches = (patterns: ReadonlySet<string>, name: string) => [...patterns].some((one) => matchPattern(one, name) !== false)
  return {
    names: new Set(described.flatMap(({ names }) => [...names])),
    patterns: new Set(described.flatMap(({ patterns }) => [...patterns])),
    allows: (name) => described.every(({ names, patterns, rest }) => rest || names.has(name) || matches(patterns, name)),
    allowsPattern: (pattern) => described.every(({ patterns, rest }) => rest || patterns.has(pattern)),
    rest: described.every(({ rest }) => rest) ? described[0]?.rest : undefined,
  }
}

/** Keywords with schemas that apply to the same value in some cases. */
const caseKeywords = keywordsFor('case', 'no')

/** Those whose properties count as evaluated. */
const evaluatedCases = keywordsFor('case')

/** What alternatives, conditions and dependencies describe. */
export interface Described {
  /** Names of properties with a schema. */
  readonly properties: ReadonlySet<string>
  /** Further names that are required. */
  readonly required: ReadonlySet<string>
  /** The place of a schema for other properties. */
  readonly rest: Place | undefined
}

/** What the cases of some parts describe. */
export function readDescribed(all: readonly SchemaPart[], side: Side, keywords: readonly string[] = caseKeywords): Described {
  const [properties, required] = [new Set<string>(), new Set<string>()]
  let rest: Place | undefined
  const seen = new Set<unknown>()
  const addCases = (parts: readonly SchemaPart[]) => {
    for (const { place } of parts) {
      const needed = mapPlaces(place, 'dependentRequired')
      for (const { name } of [...needed, ...mapPlaces(place, 'dependentSchemas')]) required.add(name)
      for (const name of needed.flatMap((list) => textsIn(list.place))) required.add(name)
      for (const keyword of keywords) schemasIn(place, keyword, schemaKeywords.get(keyword)?.holds).forEach(addCase)
    }
  }
  const addCase = (place: Place) => {
    if (seen.has(place.value)) return
    seen.add(place.value)
    const inner = toComparedSchema([place], side)
    for (const name of readProperties(inner).keys()) properties.add(name)
    for (const name of readRequired(inner).keys()) required.add(name)
    rest ??= [...keywordPlaces(inner, 'patternProperties'), ...otherProperties(inner)].find(({ value }) => value !== false)
    addCases(inner.parts)
  }
  addCases(all)
  return { properties, required, rest }
}

/** Whether a schema names a property or has a schema for it, in some case too, so that clients can know it. */
export function describesProperty(schema: ComparedSchema, name: string): boolean {
  if (readProperties(schema).has(name) || readRequired(schema).has(name) || patternSchemas(schema, name).length > 0) return true
  if (otherProperties(schema).some((one) => one.value !== false && !allowsAll(one))) return true
  const { properties, required, rest } = readDescribed(schema.parts, schema.side)
  return properties.has(name) || required.has(name) || rest !== undefined
}

function hasCases(parts: readonly SchemaPart[]): boolean {
  return parts.some(({ value }) => caseKeywords.some((keyword) => keywordIn(value, keyword) !== undefined))
}
