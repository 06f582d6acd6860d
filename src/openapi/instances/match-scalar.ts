import type { JsonObject } from '../../text/is-object.ts'
import { shorten } from '../name-value.ts'
import { matchPattern } from './match-pattern.ts'
import { type MatchState, type Mismatch, toMismatch } from './match-state.ts'

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
  return matches === false ? toMismatch(state, nameText(value), `text that matches \`${shorten(pattern)}\``) : undefined
}

function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function nameText(text: string): string {
  return text === '' ? 'empty text' : `\`${shorten(text)}\``
}
