import { isObject, type JsonObject, readStep } from '../../text/json/json-values.ts'
import { type NodeBudget, spendNodes } from '../../text/plain/limits.ts'
import { didYouMean, shorten, suggest } from '../../text/plain/suggest.ts'
import { nameType } from '../hints/problem-hints.ts'
import { isKnownDialect } from '../references/find-target.ts'
import { equalJson, matchPattern } from '../schema/json-schema.ts'
import type { OpenApiRelease } from '../types.ts'
import {
  type MatchState,
  type Mismatch,
  matchChoices,
  matchNumber,
  matchText,
  matchType,
  type SchemaPlace,
  toMismatch,
} from './match-keywords.ts'

/** Maximum depth of nested schemas for one value. */
const maxDepth = 100

/** The state of the first match. */
export function startMatch(release: OpenApiRelease, find: MatchState['find'], budget: NodeBudget): MatchState {
  return { release, find, budget, uncertain: false, isAnnotated: false, path: [], top: undefined, depth: 0, evaluated: undefined }
}

/**
 * Finds the first location at which a value does not match its schema: the subset of OpenAPI 3.0, or JSON Schema 2020-12.
 *
 * The schema is interpreted, not compiled, so untrusted documents never become code. References are looked up and nothing is copied, so
 * the cost depends on the value and not on all reachable schemas. An uncertain result is a match.
 */
export function matchSchema(state: MatchState, { file, value: schema }: SchemaPlace, value: unknown): Mismatch | undefined {
  if (schema === false) return toMismatch(state, nameType(value), 'no value')
  if (!isObject(schema)) return undefined
  if (!spendNodes(state.budget) || state.depth > maxDepth || isForeign(schema)) {
    state.uncertain = true
    return undefined
  }
  state.depth++
  const mismatch =
    state.evaluated || (state.release !== '3.0' && hasUnevaluated(schema))
      ? matchEvaluated(state, schema, file, value)
      : matchReference(state, schema, file, value)
  state.depth--
  return mismatch
}

/**
 * Keywords that make a match uncertain: the target of `$dynamicRef` depends on the enclosing schemas, and `dependencies` belongs to
 * older drafts.
 */
const unsupportedKeywords = ['$dynamicRef', '$recursiveRef', 'dependencies'] as const

function hasUnevaluated(schema: JsonObject): boolean {
  return schema['unevaluatedProperties'] !== undefined || schema['unevaluatedItems'] !== undefined
}

/**
 * Matches a value and collects the properties or items that the schema evaluates, for `unevaluatedProperties` and `unevaluatedItems`
 * here or in an enclosing schema. If the match is uncertain, everything is evaluated.
 *
 * Source: JSON Schema 2020-12, core, section 11.
 */
function matchEvaluated(state: MatchState, schema: JsonObject, file: string, value: unknown): Mismatch | undefined {
  const { evaluated: around, uncertain: before } = state
  const evaluated = new Set<string | number>()
  state.evaluated = evaluated
  state.uncertain = false
  let mismatch = matchReference(state, schema, file, value)
  if (!mismatch && !state.uncertain) mismatch = matchUnevaluated(state, schema, file, value, evaluated)
  if (!mismatch && around) for (const step of state.uncertain ? listSteps(value) : evaluated) around.add(step)
  state.evaluated = around
  state.uncertain ||= before
  return mismatch
}

function matchUnevaluated(
  state: MatchState,
  schema: JsonObject,
  file: string,
  value: unknown,
  evaluated: Set<string | number>,
): Mismatch | undefined {
  const keyword = Array.isArray(value) ? 'unevaluatedItems' : 'unevaluatedProperties'
  const described = schema[keyword]
  if (described === undefined) return undefined
  for (const step of listSteps(value)) {
    if (evaluated.has(step)) continue
    if (described === false && typeof step === 'string') {
      return unknownKey(
        state,
        step,
        isObject(schema['properties']) ? Object.keys(schema['properties']) : [],
        value,
        'unevaluatedProperties',
      )
    }
    const mismatch = matchPart(state, { file, value: described }, value, step)
    if (mismatch) return mismatch
    evaluated.add(step)
  }
  return undefined
}

/** The keys of a mapping or the indexes of a list. */
function listSteps(value: unknown): Iterable<string | number> {
  if (Array.isArray(value)) return value.keys()
  return isObject(value) ? Object.keys(value) : []
}

function isForeign(schema: JsonObject): boolean {
  const dialect = schema['$schema']
  return typeof dialect === 'string' && !isKnownDialect(dialect)
}

function matchReference(state: MatchState, schema: JsonObject, file: string, value: unknown): Mismatch | undefined {
  const reference = schema['$ref']
  if (typeof reference !== 'string') return matchKeywords(state, schema, file, value)
  const target = state.find(file, reference)
  const mismatch = target ? matchSchema(state, target, value) : undefined
  if (!target) state.uncertain = true
  return mismatch ?? (state.release === '3.0' ? undefined : matchKeywords(state, schema, file, value))
}

function matchKeywords(state: MatchState, schema: JsonObject, file: string, value: unknown): Mismatch | undefined {
  // Only the type is nullable: an `enum` without `null` still excludes it. Source: OpenAPI 3.0.4, "Schema Object".
  if (value === null && state.release === '3.0' && schema['nullable'] === true) return matchChoices(state, schema, value)
  if (annotations.some((keyword) => schema[keyword] !== undefined)) state.isAnnotated = true
  return (
    matchType(state, schema, value) ??
    matchChoices(state, schema, value) ??
    matchContent(state, schema, file, value) ??
    matchParts(state, schema, file, value)
  )
}

/** Keywords that can distinguish values, but are not checked. */
const annotations = ['format', 'contentEncoding', 'contentMediaType'] as const

/** The parts of a value are matched with a depth that starts again at 0. */
function matchContent(state: MatchState, schema: JsonObject, file: string, value: unknown): Mismatch | undefined {
  if (typeof value === 'string') return matchText(state, schema, value)
  if (typeof value === 'number') return matchNumber(state, schema, value)
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return matchList(state, schema, file, value)
  return isObject(value) ? matchMapping(state, schema, file, value) : undefined
}

/** Matches a property or an item of a value. */
function matchPart(state: MatchState, schema: SchemaPlace, around: unknown, step: string | number): Mismatch | undefined {
  state.path.push(step)
  const mismatch = matchInside(state, schema, readStep(around, step))
  state.path.pop()
  return mismatch
}

/** Matches a different value, with its own evaluated properties and items. */
function matchInside(state: MatchState, schema: SchemaPlace, value: unknown): Mismatch | undefined {
  const { depth, evaluated, top } = state
  state.depth = 0
  state.evaluated = undefined
  state.top = schema
  const mismatch = matchSchema(state, schema, value)
  state.depth = depth
  state.evaluated = evaluated
  state.top = top
  return mismatch
}

function matchParts(state: MatchState, schema: JsonObject, file: string, value: unknown): Mismatch | undefined {
  const { allOf, anyOf, oneOf, not } = schema
  if (state.release !== '3.0' && unsupportedKeywords.some((keyword) => schema[keyword] !== undefined)) state.uncertain = true
  if (Array.isArray(allOf)) {
    for (const part of allOf) {
      const mismatch = matchSchema(state, { file, value: part }, value)
      if (mismatch) return mismatch
    }
  }
  const mismatch =
    (Array.isArray(anyOf) ? matchChoice(state, 'anyOf', anyOf, file, value) : undefined) ??
    (Array.isArray(oneOf) ? matchChoice(state, 'oneOf', oneOf, file, value, schema['discriminator'] !== undefined) : undefined)
  if (mismatch) return mismatch
  if (not !== undefined && matchesNot(state, { file, value: not }, value)) {
    return toMismatch(state, nameType(value), 'a value that does not match `not`')
  }
  return state.release === '3.0' || schema['if'] === undefined ? undefined : matchCondition(state, schema, file, value)
}

/** Whether a value certainly matches the schema of `not`, which evaluates nothing for enclosing schemas. */
function matchesNot(state: MatchState, schema: SchemaPlace, value: unknown): boolean {
  const { evaluated } = state
  state.evaluated = undefined
  const result = tryMatch(state, schema, value)
  state.evaluated = evaluated
  return result === 'match'
}

function matchCondition(state: MatchState, schema: JsonObject, file: string, value: unknown): Mismatch | undefined {
  const result = tryMatch(state, { file, value: schema['if'] }, value)
  if (result === 'uncertain') return undefined
  const part = schema[result === 'match' ? 'then' : 'else']
  return part === undefined ? undefined : matchSchema(state, { file, value: part }, value)
}

function matchChoice(
  state: MatchState,
  keyword: 'anyOf' | 'oneOf',
  choices: readonly unknown[],
  file: string,
  value: unknown,
  hasDiscriminator = false,
): Mismatch | undefined {
  const { isAnnotated } = state
  state.isAnnotated = hasDiscriminator
  const mismatch = matchOneOf(state, keyword, choices, file, value)
  state.isAnnotated ||= isAnnotated
  return mismatch
}

/** Several matches of `oneOf` are only reported if no keyword that is not checked, such as `format`, could distinguish the schemas. */
function matchOneOf(
  state: MatchState,
  keyword: 'anyOf' | 'oneOf',
  choices: readonly unknown[],
  file: string,
  value: unknown,
): Mismatch | undefined {
  const failed: Mismatch[] = []
  let matches = 0
  for (const choice of choices) {
    const before = state.uncertain
    state.uncertain = false
    const mismatch = matchSchema(state, { file, value: choice }, value)
    if (!mismatch && ((keyword === 'anyOf' && !state.evaluated) || state.uncertain)) {
      state.uncertain ||= before
      return undefined
    }
    state.uncertain = before
    if (mismatch) failed.push(mismatch)
    else matches++
  }
  if (matches > 1 && keyword === 'oneOf') {
    if (!state.isAnnotated) {
      return toMismatch(state, nameType(value), `a value that matches only one of the ${choices.length} schemas of \`oneOf\``)
    }
    state.uncertain = true
  }
  if (matches > 0 || failed.length === 0) return undefined
  // The schema that matched furthest is probably the intended one.
  const deep = failed.filter(({ path }) => path.length > state.path.length)
  const meant = failed.length === 1 ? failed[0] : deep.length === 1 ? deep[0] : undefined
  return (
    meant ?? toMismatch(state, nameType(value), `a value that matches one of the ${choices.length} schemas of \`${keyword}\``)
  )
}

function tryMatch(state: MatchState, schema: SchemaPlace, value: unknown): 'match' | 'none' | 'uncertain' {
  const before = state.uncertain
  state.uncertain = false
  const mismatch = matchSchema(state, schema, value)
  const uncertain = state.uncertain
  state.uncertain = before || (uncertain && !mismatch)
  if (mismatch) return 'none'
  return uncertain ? 'uncertain' : 'match'
}

/** Matches a list against the array keywords. Source: JSON Schema 2020-12, core, section 10.3.1; validation, section 6.4. */
function matchList(state: MatchState, schema: JsonObject, file: string, value: readonly unknown[]): Mismatch | undefined {
  const { minItems, maxItems, uniqueItems, items, prefixItems, contains } = schema
  if (typeof minItems === 'number' && value.length < minItems)
    return toMismatch(state, countEntries(value.length), `at least ${minItems}`)
  if (typeof maxItems === 'number' && value.length > maxItems)
    return toMismatch(state, countEntries(value.length), `at most ${maxItems}`)
  if (uniqueItems === true) {
    const repeated = findRepeated(state, value)
    if (repeated !== undefined) {
      return { path: [...state.path, repeated], on: 'value', found: 'duplicate value', expected: 'unique entries' }
    }
  }
  const prefix = state.release !== '3.0' && Array.isArray(prefixItems) ? prefixItems : []
  for (let index = 0; index < value.length; index++) {
    const described: unknown = index < prefix.length ? prefix[index] : items
    if (described === undefined) continue
    const mismatch = matchPart(state, { file, value: described }, value, index)
    if (mismatch) return mismatch
    state.evaluated?.add(index)
  }
  return contains === undefined || state.release === '3.0' ? undefined : matchContains(state, schema, file, value)
}

function matchContains(
  state: MatchState,
  { contains, minContains, maxContains }: JsonObject,
  file: string,
  value: readonly unknown[],
): Mismatch | undefined {
  const before = state.uncertain
  state.uncertain = false
  let count = 0
  for (const [index, entry] of value.entries()) {
    if (matchInside(state, { file, value: contains }, entry)) continue
    count++
    state.evaluated?.add(index)
  }
  const uncertain = state.uncertain
  state.uncertain ||= before
  if (uncertain) return undefined
  const least = typeof minContains === 'number' ? minContains : 1
  if (count < least) return toMismatch(state, 'list', `at least ${countEntries(least)} that match \`contains\``)
  if (typeof maxContains === 'number' && count > maxContains)
    return toMismatch(state, 'list', `at most ${countEntries(maxContains)} that match \`contains\``)
  return undefined
}

/** The index of the first duplicate entry. Long lists are not compared. */
function findRepeated(state: MatchState, value: readonly unknown[]): number | undefined {
  if (value.length > 100) {
    state.uncertain = true
    return undefined
  }
  const index = value.findIndex((entry, at) => value.slice(0, at).some((other) => equalJson(other, entry)))
  return index === -1 ? undefined : index
}

function countEntries(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`
}

/** Matches a mapping against the object keywords. Source: JSON Schema 2020-12, core, section 10.3.2; validation, section 6.5. */
function matchMapping(state: MatchState, schema: JsonObject, file: string, value: JsonObject): Mismatch | undefined {
  const { minProperties, maxProperties } = schema
  const mismatch = matchRequired(state, schema, file, value) ?? matchProperties(state, schema, file, value)
  if (mismatch) return mismatch
  const count = Object.keys(value).length
  if (typeof minProperties === 'number' && count < minProperties)
    return toMismatch(state, countKeys(count), `at least ${minProperties}`)
  if (typeof maxProperties === 'number' && count > maxProperties)
    return toMismatch(state, countKeys(count), `at most ${maxProperties}`)
  return state.release === '3.0' ? undefined : matchDependents(state, schema, file, value)
}

function matchProperties(state: MatchState, schema: JsonObject, file: string, value: JsonObject): Mismatch | undefined {
  const properties = isObject(schema['properties']) ? schema['properties'] : undefined
  const patterns = state.release !== '3.0' && isObject(schema['patternProperties']) ? schema['patternProperties'] : undefined
  const additional = schema['additionalProperties']
  for (const key in value) {
    const described: unknown[] = []
    if (properties && Object.hasOwn(properties, key)) described.push(properties[key])
    let known = described.length > 0
    if (patterns) {
      for (const pattern of Object.keys(patterns)) {
        const matches = matchPattern(pattern, key)
        if (matches === undefined) {
          state.uncertain = true
          known = true
        } else if (matches) described.push(patterns[pattern])
      }
    }
    if (!known && described.length === 0 && additional !== undefined) {
      if (additional === false)
        return unknownKey(state, key, properties ? Object.keys(properties) : [], value, 'additionalProperties')
      described.push(additional)
    }
    for (const part of described) {
      const mismatch = matchPart(state, { file, value: part }, value, key)
      if (mismatch) return mismatch
    }
    if (described.length > 0) state.evaluated?.add(key)
  }
  return undefined
}

function unknownKey(
  state: MatchState,
  key: string,
  names: readonly string[],
  value: unknown,
  keyword: 'additionalProperties' | 'unevaluatedProperties',
): Mismatch {
  const near = suggest(
    key,
    names.filter((name) => !Object.hasOwn(Object(value), name)),
  )
  return {
    path: [...state.path, key],
    on: 'key',
    found: `property \`${shorten(key)}\``,
    expected: `only properties of the schema (\`${keyword}: false\`)`,
    ...(near === undefined ? {} : { hint: didYouMean(near) ?? '' }),
  }
}

function matchDependents(state: MatchState, schema: JsonObject, file: string, value: JsonObject): Mismatch | undefined {
  const { dependentRequired, dependentSchemas, propertyNames } = schema
  for (const [key, names] of isObject(dependentRequired) ? Object.entries(dependentRequired) : []) {
    if (!Object.hasOwn(value, key) || !Array.isArray(names)) continue
    const missing: unknown = names.find((name) => typeof name === 'string' && !Object.hasOwn(value, name))
    if (missing !== undefined)
      return toMismatch(state, `mapping without \`${shorten(String(missing))}\``, `it whenever \`${shorten(key)}\` is present`)
  }
  for (const [key, part] of isObject(dependentSchemas) ? Object.entries(dependentSchemas) : []) {
    if (!Object.hasOwn(value, key)) continue
    const { depth } = state
    state.depth = 0
    const mismatch = matchSchema(state, { file, value: part }, value)
    state.depth = depth
    if (mismatch) return mismatch
  }
  if (propertyNames === undefined) return undefined
  for (const key of Object.keys(value)) {
    const mismatch = matchInside(state, { file, value: propertyNames }, key)
    if (mismatch) return { ...mismatch, path: [...state.path, key], on: 'key' }
  }
  return undefined
}

function countKeys(count: number): string {
  return count === 1 ? '1 property' : `${count} properties`
}

/** Read-only properties may be missing in requests and write-only ones in responses, and an example may be either. */
function matchRequired(state: MatchState, schema: JsonObject, file: string, value: JsonObject): Mismatch | undefined {
  const { required, properties } = schema
  if (!Array.isArray(required)) return undefined
  for (const name of required) {
    if (typeof name !== 'string' || Object.hasOwn(value, name)) continue
    const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
    const isDefinedElsewhere = property === undefined && state.depth > 1
    const mayBeMissing = isDefinedElsewhere
      ? mayDefineReadOnly(state, state.top, name, 0)
      : isReadOrWriteOnly(state, file, property, 0)
    if (mayBeMissing) state.uncertain = true
    else {
      const keys = Object.keys(value).filter((key) => !isObject(properties) || !Object.hasOwn(properties, key))
      const near = suggest(name, keys)
      return toMismatch(
        state,
        `mapping without \`${shorten(name)}\``,
        'all required properties',
        near && `Is \`${shorten(near)}\` a typo?`,
      )
    }
  }
  return undefined
}

/** Whether one of the schemas for a value may define a property as read-only or write-only. */
function mayDefineReadOnly(state: MatchState, place: SchemaPlace | undefined, name: string, depth: number): boolean {
  if (!isObject(place?.value)) return place === undefined
  if (depth > 10 || !spendNodes(state.budget)) return true
  const { file, value } = place
  const { properties, $ref } = value
  const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  if (isReadOrWriteOnly(state, file, property, 0)) return true
  const parts = [
    ...[value['allOf'], value['anyOf'], value['oneOf']].flatMap((list): unknown[] => (Array.isArray(list) ? list : [])),
    ...[value['if'], value['then'], value['else']],
    ...(isObject(value['dependentSchemas']) ? Object.values(value['dependentSchemas']) : []),
  ]
  if (parts.some((part) => part !== undefined && mayDefineReadOnly(state, { file, value: part }, name, depth + 1))) return true
  return typeof $ref === 'string' && mayDefineReadOnly(state, state.find(file, $ref), name, depth + 1)
}

function isReadOrWriteOnly(state: MatchState, file: string, property: unknown, depth: number): boolean {
  if (!isObject(property) || depth > 10) return depth > 10
  if (property['readOnly'] === true || property['writeOnly'] === true) return true
  const { $ref, allOf } = property
  if (Array.isArray(allOf) && allOf.some((part) => isReadOrWriteOnly(state, file, part, depth + 1))) return true
  if (typeof $ref !== 'string') return false
  const target = state.find(file, $ref)
  return target === undefined || isReadOrWriteOnly(state, target.file, target.value, depth + 1)
}
