import { childPlace, schemasIn } from '../../openapi/references/follow-reference.ts'
import { keywordsFor, matchPattern, schemaKeywords } from '../../openapi/schema/json-schema.ts'
import { isObject, type Place, readOwn } from '../../text/json/json-values.ts'
import { addTo } from '../../text/plain/lists.ts'
import type { Side } from '../differences/comparison.ts'
import {
  type ComparedSchema,
  innerParts,
  keywordPlaces,
  otherProperties,
  otherPropertiesOf,
  type SchemaPart,
  toComparedSchema,
} from './compared-schema.ts'
import { allowsAll, listKeywords } from './keywords.ts'

/** The schemas of each property. Several of them apply together. */
export type Properties = ReadonlyMap<string, readonly Place[]>

/** Each pair of alternatives is compared with the properties of the schema around it. */
const propertiesOf = new WeakMap<ComparedSchema, Properties>()

/** The properties that a schema lists. */
export function readProperties(schema: ComparedSchema): Properties {
  const { parts } = schema
  const known = propertiesOf.get(schema)
  if (known) return known
  const found = new Map<string, Place[]>()
  propertiesOf.set(schema, found)
  for (const part of parts) {
    const properties = part.value['properties']
    if (!isObject(properties)) continue
    const place = part.properties ?? childPlace(part.place, 'properties')
    for (const name of Object.keys(properties)) addTo(found, name, childPlace(place, name))
  }
  if (parts.length === 1) return found
  // In an `allOf`, the properties of one branch are additional ones in another.
  for (const part of parts) {
    const rest = otherPropertiesOf(schema, part)
    if (!rest || !isObject(rest.value) || allowsAll(rest.value)) continue
    const isOwn = part.value['additionalProperties'] !== undefined
    const inside = isOwn ? [part] : [part, ...innerParts(schema, part)]
    // What patterns and cases describe is not known by name.
    if (inside.some(({ value }) => value['patternProperties'] !== undefined) || (!isOwn && hasCases(inside))) continue
    for (const [name, places] of found) if (!inside.some((one) => listsProperty(one, name))) places.push(rest)
  }
  return found
}

function listsProperty({ value: { properties } }: SchemaPart, name: string): boolean {
  return isObject(properties) && Object.hasOwn(properties, name)
}

/** The schemas of the patterns that match the name of a property. A pattern that takes too long to test could match. */
export function patternSchemas({ parts }: ComparedSchema, name: string): Place[] {
  return parts.flatMap((part) => partPatterns(part, name))
}

function partPatterns({ place, value }: SchemaPart, name: string): Place[] {
  const { patternProperties } = value
  if (!isObject(patternProperties)) return []
  const list = childPlace(place, 'patternProperties')
  const patterns = Object.keys(patternProperties).filter((pattern) => matchPattern(pattern, name) !== false)
  return patterns.map((pattern) => childPlace(list, pattern))
}

/** Whether one schema lists a property that another one describes by a pattern. */
export function listsMoved(listing: ComparedSchema, other: ComparedSchema, pattern: string): boolean {
  return [...readProperties(listing).keys()].some((name) => matchPattern(pattern, name) && !readProperties(other).has(name))
}

/** The required names with their places. */
export function readRequired({ parts }: ComparedSchema): ReadonlyMap<string, Place> {
  const found = new Map<string, Place>()
  for (const part of parts) {
    const { required } = part.value
    if (!Array.isArray(required)) continue
    const list = childPlace(part.place, 'required')
    required.forEach((name: unknown, index) => {
      if (typeof name === 'string' && !found.has(name)) found.set(name, childPlace(list, index))
    })
  }
  return found
}

/** The required names, and those that required properties need. */
export function readNeeded(schema: ComparedSchema, side: Side): ReadonlyMap<string, Place> {
  const needed = new Map(readRequired(schema))
  const dependencies = needed.size > 0 ? readDependencies(schema, side) : new Map<string, Dependency>()
  // Iterating a map includes entries that are added meanwhile.
  for (const [name] of dependencies.size > 0 ? needed : []) {
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
export function readDependencies(schema: ComparedSchema, side: Side, other?: ComparedSchema): ReadonlyMap<string, Dependency> {
  const found = new Map<string, Dependency>()
  const add = (name: string, place: Place, names: readonly string[] = []) => {
    const known = found.get(name)
    if (known) for (const each of names) known.names.add(each)
    else if (names.length > 0) found.set(name, { names: new Set(names), place })
  }
  for (const list of keywordPlaces(schema, 'dependentRequired')) {
    for (const name of listKeys(list.value)) add(name, childPlace(list, name), toNames(childPlace(list, name).value))
  }
  const inOther = new Set(other && keywordPlaces(other, 'dependentSchemas').flatMap(({ value }) => listKeys(value)))
  for (const list of keywordPlaces(schema, 'dependentSchemas')) {
    const names = listKeys(list.value).filter((name) => !inOther.has(name))
    for (const name of names) add(name, childPlace(list, name), readNames(childPlace(list, name), side))
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
  const { value } = side.follow.end(place)
  const isOnly = isObject(value) && listKeywords(value).every((key) => key === 'required')
  return isOnly ? toNames(value['required']) : undefined
}

function toNames(list: unknown): readonly string[] | undefined {
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : undefined
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
export function readAllowed(schema: ComparedSchema, side: Side): AllowedProperties | undefined {
  const closed = schema.parts.filter((part) => isClosable(part) && otherPropertiesOf(schema, part)?.value === false)
  if (closed.length === 0) return undefined
  const described = closed.map((part) => {
    const isOwn = part.value['additionalProperties'] !== undefined
    const parts = isOwn ? [part] : [part, ...innerParts(schema, part)]
    const inCases = isOwn ? undefined : readDescribed(parts, side, evaluatedCases)
    const patterns = new Set(parts.flatMap(({ value }) => listKeys(value['patternProperties'])))
    const names = new Set([...parts.flatMap(({ value }) => listKeys(value['properties'])), ...(inCases?.properties ?? [])])
    return { names, patterns, rest: inCases?.rest }
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

/** Fast path: most schemas are open. */
function isClosable({ value }: SchemaPart): boolean {
  return value['additionalProperties'] === false || value['unevaluatedProperties'] === false
}

function listKeys(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : []
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
    for (const { place, value } of parts) {
      const { dependentRequired, dependentSchemas } = value
      for (const list of [dependentRequired, dependentSchemas]) if (isObject(list)) addNames(Object.keys(list))
      if (isObject(dependentRequired)) for (const list of Object.values(dependentRequired)) addNames(list)
      for (const keyword of keywords)
        for (const one of schemasIn(place, keyword, schemaKeywords.get(keyword)?.holds)) addCase(one)
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
  const addNames = (list: unknown) => {
    for (const name of Array.isArray(list) ? list : []) if (typeof name === 'string') required.add(name)
  }
  addCases(all)
  return { properties, required, rest }
}

/** Whether a schema names a property or has a schema for it, in some case too, so that clients can know it. */
export function describesProperty(schema: ComparedSchema, name: string, side: Side): boolean {
  if (readProperties(schema).has(name) || readRequired(schema).has(name) || patternSchemas(schema, name).length > 0) return true
  if (otherProperties(schema).some(({ value }) => value !== false && !allowsAll(value))) return true
  const { properties, required, rest } = readDescribed(schema.parts, side)
  return properties.has(name) || required.has(name) || rest !== undefined
}

function hasCases(parts: readonly SchemaPart[]): boolean {
  return parts.some(({ value }) => caseKeywords.some((keyword) => readOwn(value, keyword) !== undefined))
}
