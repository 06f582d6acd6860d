import { includesType } from '../../openapi/references/follow-reference.ts'
import { countCharacters, equalJson, hasFormat, isMultiple, matchPattern, typeOfValue } from '../../openapi/schema/json-schema.ts'
import { type JsonObject, numberOf, readOwn } from '../../text/json/json-values.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { fail, type MatchState } from './match-state.ts'

/**
 * Matches a number against the numeric keywords. Source: JSON Schema 2020-12, validation, section 6.2; OpenAPI 3.0.4, "Schema Object".
 */
export function matchNumber(state: MatchState, schema: JsonObject, value: number): boolean {
  const matches = (keyword: string, expected: string, isBroken: (limit: number) => boolean) => {
    const limit = numberOf(readOwn(schema, keyword))
    return limit === undefined || !isBroken(limit) || fail(state, keyword, value, `${expected} ${limit}`)
  }
  const [isAbove, isBelow] = [schema['exclusiveMinimum'] === true, schema['exclusiveMaximum'] === true]
  return (
    matches('minimum', isAbove ? 'more than' : 'at least', (limit) => value < limit || (isAbove && value === limit)) &&
    matches('maximum', isBelow ? 'less than' : 'at most', (limit) => value > limit || (isBelow && value === limit)) &&
    matches('exclusiveMinimum', 'more than', (limit) => value <= limit) &&
    matches('exclusiveMaximum', 'less than', (limit) => value >= limit) &&
    matches('multipleOf', 'a multiple of', (step) => step > 0 && !isMultiple(value, step)) &&
    matchFormat(state, schema, value)
  )
}

/** Matches a string against the string keywords. Source: JSON Schema 2020-12, validation, section 6.3. */
export function matchText(state: MatchState, schema: JsonObject, value: string): boolean {
  const { pattern } = schema
  if (!matchCount(state, schema, lengths, value)) return false
  if (typeof pattern === 'string' && testPattern(state, pattern, value) === false) {
    if (!fail(state, 'pattern', value, `a string that matches \`${shorten(pattern)}\``)) return false
  }
  return matchFormat(state, schema, value)
}

/** Two limits of a length or number, and how a value is counted. */
export interface CountLimits<Value> {
  readonly min: string
  readonly max: string
  /** Follows the limit. */
  readonly unit?: string
  readonly count: (value: Value) => number
}

const lengths: CountLimits<string> = { min: 'minLength', max: 'maxLength', unit: ' characters', count: countCharacters }

/** Matches the length of a text, or the number of entries or properties, against its limits. */
export function matchCount<Value>(
  state: MatchState,
  schema: JsonObject,
  { min, max, unit = '', count }: CountLimits<Value>,
  value: Value,
): boolean {
  const { [min]: least, [max]: most } = schema
  const isShort = typeof least === 'number' && count(value) < least
  if (isShort && !fail(state, min, value, `at least ${least}${unit}`)) return false
  const isLong = typeof most === 'number' && count(value) > most
  return !isLong || fail(state, max, value, `at most ${most}${unit}`)
}

/** Whether a text matches a pattern; `undefined` if that is not tested. */
export function testPattern(state: MatchState, pattern: string, text: string): boolean | undefined {
  const matches = (state.options.matchPattern ?? matchPattern)(pattern, text)
  if (matches === undefined) state.uncertain = true
  return matches
}

function matchFormat(state: MatchState, { format }: JsonObject, value: string | number): boolean {
  if (!state.options.isStrict || typeof format !== 'string' || hasFormat(format, value)) return true
  return fail(state, 'format', value, `the format \`${shorten(format)}\``)
}

/** Matches a value against `type`. */
export function matchType(state: MatchState, { type }: JsonObject, value: unknown): boolean {
  if (typeof type === 'string') {
    if (isOfType(type, value)) return true
    return fail(state, 'type', value, nameExpected(type))
  }
  if (!Array.isArray(type) || type.some((one) => typeof one !== 'string' || isOfType(one, value))) return true
  return fail(state, 'type', value, type.map((one) => nameExpected(String(one))).join(' or '))
}

function isOfType(type: string, value: unknown): boolean {
  // The walk has reported unknown types.
  return includesType([type], typeOfValue(value)) || readOwn(expectedTypes, type) === undefined
}

function nameExpected(type: string): string {
  return readOwn(expectedTypes, type) ?? `\`${type}\``
}

const expectedTypes: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: '`true` or `false`',
  array: 'a list',
  object: 'a mapping',
  null: '`null`',
}

/** Matches a value against `enum` and `const`. */
export function matchChoices(state: MatchState, schema: JsonObject, value: unknown): boolean {
  const choices: unknown = schema['enum']
  if (Array.isArray(choices) && !includesValue(choices, value)) {
    const expected = `${choices.length === 1 ? '' : 'one of '}${nameFirst(choices, 10)}`
    return fail(state, 'enum', value, expected)
  }
  if (state.draft > 5 && Object.hasOwn(schema, 'const') && !equalJson(schema['const'], value))
    return fail(state, 'const', value, `\`${nameJson(schema['const'])}\``)
  return true
}

/** The entries of long enums that are neither lists nor mappings. Each of many examples can be compared with them. */
const scalars = new WeakMap<readonly unknown[], ReadonlySet<unknown>>()

function includesValue(choices: readonly unknown[], value: unknown): boolean {
  if (choices.length < 50 || (typeof value === 'object' && value !== null))
    return choices.some((choice) => equalJson(choice, value))
  let known = scalars.get(choices)
  if (!known) {
    known = new Set(choices)
    scalars.set(choices, known)
  }
  return known.has(value)
}

/** Names the first of some values. */
export function nameFirst(values: readonly unknown[], most: number): string {
  const names = values.slice(0, most).map((value) => `\`${nameJson(value)}\``)
  return `${names.join(', ')}${values.length > most ? ' …' : ''}`
}

/** A number of entries or properties. */
export function countOf(count: number, noun: 'entry' | 'property'): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun.replace(/y$/, 'ies')}`
}

/** Writes a value in one short line. */
export function nameJson(value: unknown): string {
  return shorten(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}
