import { type JsonObject, readOwn } from '../../text/json/json-values.ts'
import { nameType } from '../hints/problem-hints.ts'
import { shorten } from '../hints/suggestions.ts'
import { equalJson } from '../schema/equal-json.ts'
import { includesType, typeOfValue } from '../schema/value-types.ts'
import { type MatchState, type Mismatch, toMismatch } from './match-scalar.ts'

/** Matches a value against `type`. */
export function matchType(state: MatchState, { type }: JsonObject, value: unknown): Mismatch | undefined {
  if (typeof type === 'string') {
    return isOfType(type, value)
      ? undefined
      : toMismatch(state, nameFound(type, value), nameExpected(type), typeHint(state, type, value))
  }
  if (!Array.isArray(type) || type.some((one) => typeof one !== 'string' || isOfType(one, value))) return undefined
  return toMismatch(state, nameType(value), type.map((one) => nameExpected(String(one))).join(' or '))
}

function isOfType(type: string, value: unknown): boolean {
  // The walk has reported unknown types.
  return includesType([type], typeOfValue(value)) || readOwn(expectedTypes, type) === undefined
}

function nameFound(type: string, value: unknown): string {
  return type === 'integer' && typeof value === 'number' ? `\`${value}\`` : nameType(value)
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

function typeHint({ release }: MatchState, type: string, value: unknown): string | undefined {
  if (value === null) {
    return release === '3.0'
      ? 'Add `nullable: true` to the schema to allow `null`'
      : `Write \`type: [${type}, "null"]\` in the schema to allow \`null\``
  }
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return 'Put the value in quotes'
  const unquotable = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
  return (type === 'integer' || type === 'number') && unquotable ? 'Remove the quotes' : undefined
}

/** Matches a value against `enum` and `const`. */
export function matchChoices(state: MatchState, schema: JsonObject, value: unknown): Mismatch | undefined {
  const choices: unknown = schema['enum']
  if (Array.isArray(choices) && !includesValue(choices, value)) {
    const shown = choices.slice(0, 10).map((choice) => `\`${nameJson(choice)}\``)
    return toMismatch(
      state,
      `\`${nameJson(value)}\``,
      `${shown.length === 1 ? '' : 'one of '}${shown.join(', ')}${choices.length > 10 ? ' …' : ''}`,
    )
  }
  if (state.release !== '3.0' && Object.hasOwn(schema, 'const') && !equalJson(schema['const'], value)) {
    return toMismatch(state, `\`${nameJson(value)}\``, `\`${nameJson(schema['const'])}\``)
  }
  return undefined
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

function nameJson(value: unknown): string {
  return shorten(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}
