import { isObject, type JsonObject } from '../../source/is-object.ts'
import type { Place } from '../follow-reference.ts'
import { shorten } from '../suggestions.ts'
import type { OpenApiRelease } from '../types.ts'

/** Matches a number against the keywords for numbers. Source: JSON Schema 2020-12, validation, section 6.2; OpenAPI 3.0.4, "Schema Object". */
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

/** 0.3 is a multiple of 0.1 whatever its last bit says. */
function isMultiple(value: number, of: number): boolean {
  const times = value / of
  return !Number.isFinite(times) || Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times))
}

/** Matches a text against the keywords for text. `format` is left alone: it is an annotation. Source: JSON Schema 2020-12, validation, section 6.3. */
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

function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function nameText(text: string): string {
  return text === '' ? 'empty string' : `\`${shorten(text)}\``
}

/** Where a value does not match its schema: the first such place. */
export interface Mismatch {
  /** The steps from the value to the part that is wrong. */
  readonly path: readonly (string | number)[]
  /** Which part: the key itself, or its value. */
  readonly on: 'key' | 'value'
  /** Completes "Unexpected …". */
  readonly found: string
  /** Completes "expected …". */
  readonly expected: string
  readonly hint?: string
}

/** A schema, and the file that references in it count from. */
export interface SchemaPlace {
  readonly file: string
  readonly value: unknown
}

/** The state of a match. One object for all, changed in place. */
export interface MatchState {
  readonly release: OpenApiRelease
  readonly find: (file: string, reference: string) => Place | undefined
  /** How many more schemas are looked into, so that no document costs much. */
  stepsLeft: number
  /** Something could not be told: a match may be none. */
  uncertain: boolean
  readonly path: (string | number)[]
  /** Schemas around the current one that describe the same value. */
  depth: number
  /** The properties or items of the value that the current schema has evaluated; absent where no schema around it asks. */
  evaluated: Set<string | number> | undefined
}

/** What is wrong with the value the match stands at. */
export function toMismatch(state: MatchState, found: string, expected: string, hint?: string): Mismatch {
  return { path: [...state.path], on: 'value', found, expected, ...(hint === undefined ? {} : { hint }) }
}

/** A longer text is not matched. */
const maxLength = 200

const known = new Map<string, RegExp | undefined>()

/**
 * Whether a text matches a pattern of a document; `undefined` where that is not tried.
 *
 * Some expressions take ages on a short text, and documents come from strangers: tried are those without repeated groups and
 * back-references and with at most two open repeats, on short texts.
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
  // What stands in a class or is escaped repeats nothing.
  const plain = pattern.replace(/\\./gs, 'a').replace(/\[[^\]]*\]?/g, 'a')
  if (/\)[*+{]/.test(plain) || /\(\?[=!<]/.test(plain)) return false
  return (plain.match(/[*+]|\{\d+,/g) ?? []).length <= 2
}

/** As JSON Schema says: with the `u` flag where the pattern allows it. */
function compile(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      // The next flags, or none: a broken pattern has its own finding.
    }
  }
  return undefined
}

/** Whether two values are the same in JSON: lists by their entries, mappings whatever the order of their keys. */
export function equalJson(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((entry, index) => equalJson(entry, right[index]))
  }
  if (!isObject(left) || !isObject(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equalJson(left[key], right[key]))
  )
}
