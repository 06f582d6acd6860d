import { isObject, type JsonObject } from '../../text/is-object.ts'
import { nameType } from '../fault-hints.ts'
import { isKnownDialect } from '../is-known-dialect.ts'
import { shorten } from '../name-value.ts'
import { equalJson } from './equal-json.ts'
import { matchList } from './match-list.ts'
import { matchMapping } from './match-mapping.ts'
import { matchNumber, matchText } from './match-scalar.ts'
import { type MatchState, type Mismatch, type SchemaPlace, toMismatch } from './match-state.ts'

/** How deep schemas for one value may stand in each other. */
const maxDepth = 100

export type MatchSchema = typeof matchSchema

/**
 * Finds the first place where a value does not match its schema: the subset of OpenAPI 3.0, or JSON Schema 2020-12.
 *
 * Interpreted, not compiled: a document of a stranger becomes no program, references are looked up and nothing is copied, and the work is
 * that of the value and not of all schemas that its schema can reach. What cannot be told for sure counts as a match.
 */
export function matchSchema(state: MatchState, { file, value: schema }: SchemaPlace, value: unknown): Mismatch | undefined {
  if (schema === false) return toMismatch(state, nameType(value), 'no value here')
  if (!isObject(schema)) return undefined
  if (state.stepsLeft-- <= 0 || state.depth > maxDepth || isForeign(schema)) {
    state.uncertain = true
    return undefined
  }
  state.depth++
  const mismatch = matchReference(state, schema, file, value)
  state.depth--
  return mismatch
}

/** `unevaluatedProperties` and the like depend on what others have looked at, and `$dynamicRef` on the way here. */
const untold = ['$dynamicRef', '$recursiveRef', 'unevaluatedProperties', 'unevaluatedItems', 'dependencies'] as const

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
  if (value === null && state.release === '3.0' && schema['nullable'] === true) return undefined
  return (
    matchType(state, schema, value) ??
    matchChoices(state, schema, value) ??
    matchContent(state, schema, file, value) ??
    matchParts(state, schema, file, value)
  )
}

/** A value's own parts keep their place in lists and mappings, so the depth of schemas for one value starts again. */
function matchContent(state: MatchState, schema: JsonObject, file: string, value: unknown): Mismatch | undefined {
  if (typeof value === 'string') return matchText(state, schema, value)
  if (typeof value === 'number') return matchNumber(state, schema, value)
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return matchList(state, schema, file, value, matchInside)
  return isObject(value) ? matchMapping(state, schema, file, value, matchInside) : undefined
}

function matchInside(state: MatchState, schema: SchemaPlace, value: unknown): Mismatch | undefined {
  const { depth } = state
  state.depth = 0
  const mismatch = matchSchema(state, schema, value)
  state.depth = depth
  return mismatch
}

function matchType(state: MatchState, { type }: JsonObject, value: unknown): Mismatch | undefined {
  if (typeof type === 'string') {
    return isOfType(type, value)
      ? undefined
      : toMismatch(state, nameFound(type, value), nameExpected(type), typeHint(state, type, value))
  }
  if (!Array.isArray(type) || type.some((one) => typeof one !== 'string' || isOfType(one, value))) return undefined
  return toMismatch(state, nameType(value), type.map((one) => nameExpected(String(one))).join(' or '))
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string'
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value)
    case 'number':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'null':
      return value === null
    default:
      return true // The walk has reported it.
  }
}

function nameFound(type: string, value: unknown): string {
  return type === 'integer' && typeof value === 'number' ? `\`${value}\`` : nameType(value)
}

function nameExpected(type: string): string {
  return expectedTypes[type] ?? `\`${type}\``
}

const expectedTypes: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: '`true` or `false`',
  array: 'a list',
  object: 'a mapping',
  null: '`null`',
}

function typeHint({ release }: MatchState, type: string, value: unknown): string | undefined {
  if (value === null) {
    return release === '3.0'
      ? 'for a value that may be empty write `nullable: true`'
      : `for a value that may be empty write \`type: [${type}, "null"]\``
  }
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return 'put it in quotes'
  const unquotable = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
  return (type === 'integer' || type === 'number') && unquotable ? 'remove the quotes' : undefined
}

function matchChoices(state: MatchState, schema: JsonObject, value: unknown): Mismatch | undefined {
  const choices: unknown = schema['enum']
  if (Array.isArray(choices) && !choices.some((choice) => equalJson(choice, value))) {
    const shown = choices.slice(0, 10).map((choice) => `\`${nameJson(choice)}\``)
    return toMismatch(state, `\`${nameJson(value)}\``, `${shown.join(', ')}${choices.length > 10 ? ' …' : ''}`)
  }
  if (state.release !== '3.0' && Object.hasOwn(schema, 'const') && !equalJson(schema['const'], value)) {
    return toMismatch(state, `\`${nameJson(value)}\``, `\`${nameJson(schema['const'])}\``)
  }
  return undefined
}

function nameJson(value: unknown): string {
  return shorten(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}

function matchParts(state: MatchState, schema: JsonObject, file: string, value: unknown): Mismatch | undefined {
  const { allOf, anyOf, oneOf, not } = schema
  if (state.release !== '3.0' && untold.some((keyword) => schema[keyword] !== undefined)) state.uncertain = true
  if (Array.isArray(allOf)) {
    for (const part of allOf) {
      const mismatch = matchSchema(state, { file, value: part }, value)
      if (mismatch) return mismatch
    }
  }
  const mismatch =
    (Array.isArray(anyOf) ? matchChoice(state, 'anyOf', anyOf, file, value) : undefined) ??
    (Array.isArray(oneOf) ? matchChoice(state, 'oneOf', oneOf, file, value) : undefined)
  if (mismatch) return mismatch
  if (not !== undefined && tryMatch(state, { file, value: not }, value) === 'match') {
    return toMismatch(state, nameType(value), 'what `not` does not describe')
  }
  return state.release === '3.0' || schema['if'] === undefined ? undefined : matchCondition(state, schema, file, value)
}

function matchCondition(state: MatchState, schema: JsonObject, file: string, value: unknown): Mismatch | undefined {
  const result = tryMatch(state, { file, value: schema['if'] }, value)
  if (result === 'uncertain') return undefined
  const part = schema[result === 'match' ? 'then' : 'else']
  return part === undefined ? undefined : matchSchema(state, { file, value: part }, value)
}

/** That a value matches several schemas of `oneOf` is not told: most often only their `format` keeps them apart. */
function matchChoice(
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
    if (!mismatch && (keyword === 'anyOf' || state.uncertain)) {
      state.uncertain ||= before
      return undefined
    }
    state.uncertain = before
    if (mismatch) failed.push(mismatch)
    else matches++
  }
  if (matches > 1) state.uncertain = true
  if (matches > 0 || failed.length === 0) return undefined
  // One that got further than all others, into the value or past its type, is the one that was meant.
  const deep = failed.filter(({ path }) => path.length > state.path.length)
  const meant = failed.length === 1 ? failed[0] : deep.length === 1 ? deep[0] : undefined
  return meant ?? toMismatch(state, nameType(value), `what one of the ${choices.length} schemas of \`${keyword}\` describes`)
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
