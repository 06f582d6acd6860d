import type { JsonObject } from '../../text/json/json-values.ts'
import { shorten } from '../hints/suggestions.ts'
import type { NodeBudget } from '../node-budget.ts'
import { countCharacters, isMultiple } from '../schema/value-limits.ts'
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

/** Longer strings are not matched. */
const maxLength = 200

const known = new Map<string, RegExp | undefined>()

/**
 * Whether a string matches a pattern of a document, or `undefined` if that is not tested.
 *
 * Some expressions take very long on a short string, and documents are untrusted. Only short strings are tested, and only patterns
 * without repeated groups, without back-references and with at most two unbounded repeats.
 */
export function matchPattern(pattern: string, text: string): boolean | undefined {
  if (text.length > maxLength) return undefined
  if (!known.has(pattern)) {
    if (known.size > 1_000) known.clear()
    known.set(pattern, isQuick(pattern) ? compile(pattern) : undefined)
  }
  return known.get(pattern)?.test(text)
}

function isQuick(pattern: string): boolean {
  if (pattern.length > maxLength || /\\[1-9k]/.test(pattern)) return false
  // Escapes and character classes repeat nothing.
  const plain = pattern.replace(/\\./gs, 'a').replace(/\[[^\]]*\]?/g, 'a')
  if (/\)[*+{]/.test(plain) || /\(\?[=!<]/.test(plain)) return false
  return (plain.match(/[*+]|\{\d+,/g) ?? []).length <= 2
}

/** Compiles a pattern with the `u` flag if possible, as JSON Schema requires. */
function compile(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      // Try the next flags. An invalid pattern is reported elsewhere.
    }
  }
  return undefined
}
