import { type JsonObject, readOwn } from '../../text/json/json-values.ts'
import type { NodeBudget } from '../../text/plain/limits.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { nameType } from '../hints/problem-hints.ts'
import { countCharacters, equalJson, includesType, isMultiple, matchPattern, typeOfValue } from '../schema/json-schema.ts'
import type { OpenApiRelease, Place } from '../types.ts'

/**
 * Matches a number against the numeric keywords. Source: JSON Schema 2020-12, validation, section 6.2; OpenAPI 3.0.4, "Schema Object".
 */
export function matchNumber(state: MatchState, schema: JsonObject, value: number): Mismatch | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const found = `\`${value}\``
  if (typeof minimum === 'number' && (value < minimum || (exclusiveMinimum === true && value === minimum))) {
    return toMismatch(state, found, exclusiveMinimum === true ? `more than ${minimum}` : `at least ${minimum}`)
  }
  if (typeof maximum === 'number' && (value > maximum || (exclusiveMaximum === true && value === maximum))) {
    return toMismatch(state, found, exclusiveMaximum === true ? `less than ${maximum}` : `at most ${maximum}`)
  }
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
    return toMismatch(state, found, `more than ${exclusiveMinimum}`)
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
    return toMismatch(state, found, `less than ${exclusiveMaximum}`)
  if (typeof multipleOf === 'number' && multipleOf > 0 && !isMultiple(value, multipleOf))
    return toMismatch(state, found, `a multiple of ${multipleOf}`)
  return undefined
}

/**
 * Matches a string against the string keywords. `format` is an annotation and is not checked. Source: JSON Schema 2020-12, validation,
 * section 6.3.
 */
export function matchText(state: MatchState, schema: JsonObject, value: string): Mismatch | undefined {
  const { minLength, maxLength, pattern } = schema
  if (typeof minLength === 'number' && value.length < 2 * minLength && countCharacters(value) < minLength) {
    return toMismatch(state, nameText(value), `at least ${minLength} characters`)
  }
  if (typeof maxLength === 'number' && value.length > maxLength && countCharacters(value) > maxLength) {
    return toMismatch(state, nameText(value), `at most ${maxLength} characters`)
  }
  if (typeof pattern !== 'string') return undefined
  const matches = matchPattern(pattern, value)
  if (matches === undefined) state.uncertain = true
  return matches === false ? toMismatch(state, nameText(value), `a string that matches \`${shorten(pattern)}\``) : undefined
}

function nameText(text: string): string {
  return text === '' ? 'empty string' : `\`${shorten(text)}\``
}

/** The first location at which a value does not match its schema. */
export interface Mismatch {
  /** The path from the value to the invalid part. */
  readonly path: readonly (string | number)[]
  /** Whether the key or the value is invalid. */
  readonly on: 'key' | 'value'
  /** Completes "Unexpected …". */
  readonly found: string
  /** Completes "expected …". */
  readonly expected: string
  readonly hint?: string
}

/** A schema and its file, which resolves its references. */
export interface SchemaPlace {
  readonly file: string
  readonly value: unknown
}

/** The state of a match. One mutable object for all matches. */
export interface MatchState {
  readonly release: OpenApiRelease
  readonly find: (file: string, reference: string) => Place | undefined
  /** Of matched schemas. */
  readonly budget: NodeBudget
  /** The result is uncertain: the value may not match. */
  uncertain: boolean
  /** A keyword such as `format` describes a part of the value, and is not checked. */
  isAnnotated: boolean
  readonly path: (string | number)[]
  /** The outermost schema for the same value. */
  top: SchemaPlace | undefined
  /** Number of enclosing schemas for the same value. */
  depth: number
  /** The properties or items that the current schema has evaluated. Absent if no enclosing schema needs them. */
  evaluated: Set<string | number> | undefined
}

/** Creates a mismatch for the current value. */
export function toMismatch(state: MatchState, found: string, expected: string, hint?: string): Mismatch {
  return { path: [...state.path], on: 'value', found, expected, ...(hint === undefined ? {} : { hint }) }
}

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
