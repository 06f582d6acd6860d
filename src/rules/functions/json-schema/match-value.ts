import { isObject, type JsonObject, listOf, parsePointer, readOwn } from '../../../text/json/json-values.ts'
import { listChoices } from '../../../text/plain/lists.ts'
import { type Dialect, dialectOf, findReference, inspectSchema, isInlined } from './inspect-schema.ts'
import { listKeywords, mappingKeywords, modernListKeywords, modernMappingKeywords } from './match-mappings.ts'
import { matchConst, matchEnum, numberKeywords, textKeywords } from './match-scalars.ts'
import {
  attempt,
  type Evaluated,
  fail,
  hasType,
  type KeywordMatch,
  type Keywords,
  listTypes,
  type Match,
  type SchemaError,
} from './match-state.ts'

export interface MatchOptions {
  readonly dialect: Dialect
  /** Collects all errors. Default: stops at the first one. */
  readonly allErrors?: boolean
  /** Properties with this keyword are not required: `readOnly` in requests, `writeOnly` in responses. */
  readonly optional?: 'readOnly' | 'writeOnly' | undefined
  /** Counts the matched schemas. */
  readonly spend: (steps: number) => void
}

/** Deeper values match. */
const maxDepth = 500

/**
 * Matches a value against a schema, which is interpreted and never compiled. The schema must have no problems (`inspectSchema`).
 *
 * The order of keywords is that of Spectral's validator, because the first error decides about the place of the problem: the type,
 * keywords for all types, then those for numbers, strings, lists and mappings. The same errors are kept, too.
 *
 * Source: JSON Schema, drafts 4, 6, 7, 2019-09 and 2020-12.
 */
export function matchValue(schema: unknown, value: unknown, options: MatchOptions): readonly SchemaError[] {
  const match: Match = {
    dialect: options.dialect,
    isModern: options.dialect === 'draft2019-09' || options.dialect === 'draft2020-12',
    allErrors: options.allErrors ?? false,
    spend: options.spend,
    root: schema,
    matchSchema,
    path: [],
    errors: [],
    optional: options.optional,
    isTrying: false,
    isEnded: false,
    depth: 0,
    evaluated: undefined,
  }
  matchSchema(match, schema, value)
  return match.errors
}

function matchSchema(match: Match, schema: unknown, value: unknown): boolean {
  if (schema === false) return fail(match, 'false', 'be absent')
  if (!isObject(schema) || match.depth > maxDepth) return true
  match.spend(1)
  match.depth++
  const isTracked = match.evaluated !== undefined || (match.isModern && hasUnevaluated(schema))
  const isMatch = isTracked ? matchTracked(match, schema, value) : matchKeywords(match, schema, value)
  match.depth--
  return isMatch
}

function hasUnevaluated(schema: JsonObject): boolean {
  return schema['unevaluatedProperties'] !== undefined || schema['unevaluatedItems'] !== undefined
}

/** Collects what the schema evaluates. If the value matches, the enclosing schema has evaluated it, too. */
function matchTracked(match: Match, schema: JsonObject, value: unknown): boolean {
  const around = match.evaluated
  const evaluated: Evaluated = { properties: new Set(), items: 0 }
  match.evaluated = evaluated
  const isMatch = matchKeywords(match, schema, value)
  match.evaluated = around
  if (!isMatch || !around) return isMatch
  if (evaluated.properties === 'all') around.properties = 'all'
  else if (around.properties !== 'all') for (const key of evaluated.properties) around.properties.add(key)
  if (evaluated.items === 'all') around.items = 'all'
  else if (around.items !== 'all') around.items = Math.max(around.items, evaluated.items)
  return isMatch
}

interface KeywordGroup {
  readonly type: string
  readonly accepts: (value: unknown) => boolean
  readonly keywords: Keywords
  /** Keywords since 2019-09. */
  readonly modern: Keywords
}

function matchKeywords(match: Match, schema: JsonObject, value: unknown): boolean {
  const types = listTypes(schema)
  const group = types.length === 1 ? groups.find(({ type }) => type === types[0]) : undefined
  // With keywords for its type, a type is matched just before them.
  const isLate = group !== undefined && hasKeyword(match, group, schema)
  let isMatch = true
  if (types.length > 0 && !isLate && !types.some((type) => hasType(value, type))) {
    isMatch = failType(match, types)
    if (match.isEnded) return false
  }
  // An unmatched type does not end the match while schemas are tried.
  isMatch = matchAll(match, match.isModern ? modernKeywords : generalKeywords, schema, value) && isMatch
  if (!isMatch && !match.allErrors) return false
  for (const candidate of groups) {
    if (candidate.accepts(value)) {
      isMatch = matchAll(match, candidate.keywords, schema, value) && isMatch
      if (!isMatch && !match.allErrors) return false
      if (match.isModern) isMatch = matchAll(match, candidate.modern, schema, value) && isMatch
    } else if (isLate && candidate === group) {
      isMatch = failType(match, types)
    }
    if (!isMatch && !match.allErrors) return false
  }
  return isMatch
}

function matchAll(match: Match, keywords: Keywords, schema: JsonObject, value: unknown): boolean {
  let isMatch = true
  for (const [keyword, matchKeyword] of keywords) {
    const described = readOwn(schema, keyword)
    if (described === undefined || matchKeyword(match, described, value, schema)) continue
    isMatch = false
    if (!match.allErrors) return false
  }
  return isMatch
}

function hasKeyword(match: Match, group: KeywordGroup, schema: JsonObject): boolean {
  const isDefined = ([keyword]: readonly [string, KeywordMatch]) => readOwn(schema, keyword) !== undefined
  return group.keywords.some(isDefined) || (match.isModern && group.modern.some(isDefined))
}

function failType(match: Match, types: readonly string[]): false {
  return fail(match, 'type', `have the type ${listChoices(types)}`)
}

/** Matches a reference. A target with references is matched separately. Other targets belong to the schema. */
function matchReference(match: Match, reference: unknown, value: unknown): boolean {
  const target = typeof reference === 'string' ? findReference(match.root, reference, match.dialect) : undefined
  if (target === undefined) return matchMetaSchema(match, dialectOf(reference), value)
  const { isTrying } = match
  if (!isInlined(target)) match.isTrying = false
  const isMatch = matchSchema(match, target, value)
  if (!isInlined(target)) match.isEnded = false
  match.isTrying = isTrying
  return isMatch
}

/** Matches a reference to the schema of a dialect, which describes schemas. Other references without target match. */
function matchMetaSchema(match: Match, dialect: Dialect | undefined, value: unknown): boolean {
  const { problem } = dialect === undefined ? {} : inspectSchema(value, dialect, match.spend)
  if (!problem) return true
  const { path } = match
  const { length } = path
  path.push(...parsePointer(problem.pointer))
  fail(match, '$ref', `be ${problem.expected}`)
  path.length = length
  return false
}

function matchNot(match: Match, described: unknown, value: unknown): boolean {
  const { evaluated, optional } = match
  const before = match.errors.length
  match.evaluated = undefined
  // Spectral makes no properties optional in schemas that must not match.
  match.optional = undefined
  const isMatch = attempt(match, () => matchSchema(match, described, value))
  match.evaluated = evaluated
  match.optional = optional
  match.errors.length = before
  return !isMatch || fail(match, 'not', 'not match the schema of `not`')
}

function matchAnyOf(match: Match, described: unknown, value: unknown): boolean {
  const before = match.errors.length
  let isMatch = false
  for (const choice of listOf(described)) {
    isMatch = attempt(match, () => matchSchema(match, choice, value)) || isMatch
    if (isMatch && !match.evaluated) break
  }
  if (!isMatch) return fail(match, 'anyOf', 'match one of the schemas of `anyOf`')
  match.errors.length = before
  return true
}

function matchOneOf(match: Match, described: unknown, value: unknown): boolean {
  const before = match.errors.length
  let matches = 0
  for (const choice of listOf(described)) {
    if (attempt(match, () => matchSchema(match, choice, value))) matches++
    if (matches > 1) return fail(match, 'oneOf', 'match only one of the schemas of `oneOf`')
  }
  if (matches === 0) return fail(match, 'oneOf', 'match one of the schemas of `oneOf`')
  match.errors.length = before
  return true
}

function matchAllOf(match: Match, described: unknown, value: unknown): boolean {
  let isMatch = true
  for (const part of listOf(described)) {
    isMatch = matchSchema(match, part, value) && isMatch
    if (!isMatch && !match.allErrors) return false
  }
  return isMatch
}

function matchCondition(match: Match, described: unknown, value: unknown, schema: JsonObject): boolean {
  const { errors } = match
  const before = errors.length
  const isMatch = attempt(match, () => matchSchema(match, described, value))
  errors.length = before
  const keyword = isMatch ? 'then' : 'else'
  const clause = schema[keyword]
  if (clause === undefined || matchSchema(match, clause, value)) return true
  return match.isEnded ? false : fail(match, 'if', `match the schema of \`${keyword}\``)
}

const generalKeywords: Keywords = [
  ['$ref', matchReference],
  ['const', matchConst],
  ['enum', matchEnum],
  ['not', matchNot],
  ['anyOf', matchAnyOf],
  ['oneOf', matchOneOf],
  ['allOf', matchAllOf],
  ['if', matchCondition],
]

const modernKeywords: Keywords = [['$dynamicRef', matchReference], ['$recursiveRef', matchReference], ...generalKeywords]

const groups: readonly KeywordGroup[] = [
  { type: 'number', accepts: (value) => typeof value === 'number', keywords: numberKeywords, modern: [] },
  { type: 'string', accepts: (value) => typeof value === 'string', keywords: textKeywords, modern: [] },
  { type: 'array', accepts: Array.isArray, keywords: listKeywords, modern: modernListKeywords },
  { type: 'object', accepts: isObject, keywords: mappingKeywords, modern: modernMappingKeywords },
]
