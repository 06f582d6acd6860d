import { isObject, type JsonObject } from '../../../text/json/json-values.ts'
import type { Dialect } from './inspect-schema.ts'

/** One keyword that a value does not match. */
export interface SchemaError {
  readonly keyword: string
  /** From the matched value. */
  readonly path: readonly (string | number)[]
  /** Completes "`name` must …". */
  readonly requirement: string
  /** For `enum`: the allowed values. */
  readonly allowed?: readonly unknown[]
  /** For `additionalProperties`: the key that is not allowed. */
  readonly key?: string
}

/** The state of a match. One mutable object for all schemas. */
export interface Match {
  readonly dialect: Dialect
  readonly isModern: boolean
  readonly allErrors: boolean
  readonly spend: (steps: number) => void
  readonly root: unknown
  /** Matches a value against a schema. Keywords of other modules call it. */
  readonly matchSchema: (match: Match, schema: unknown, value: unknown) => boolean
  readonly path: (string | number)[]
  readonly errors: SchemaError[]
  optional: 'readOnly' | 'writeOnly' | undefined
  /** Inside a keyword that tries schemas, such as `anyOf`, where several errors are collected. */
  isTrying: boolean
  /** The first error ended the match of the current schema. */
  isEnded: boolean
  depth: number
  evaluated: Evaluated | undefined
}

/** What the schemas for the current value have evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
export interface Evaluated {
  properties: Set<string> | 'all'
  items: number | 'all'
}

/** Whether a value matches a keyword, described by its value in the schema. */
export type KeywordMatch = (match: Match, described: unknown, value: unknown, schema: JsonObject) => boolean

/** Nested choices can multiply the errors of a value. */
const maxErrors = 10_000

/** Reports an error at the current value. Outside of keywords that try schemas, the first error ends the match. */
export function fail(match: Match, keyword: string, requirement: string, more: Pick<SchemaError, 'allowed' | 'key'> = {}): false {
  if (match.errors.length < maxErrors) match.errors.push({ keyword, path: [...match.path], requirement, ...more })
  match.isEnded = !match.allErrors && !match.isTrying
  return false
}

/** The types that a schema names, with `null` if it is `nullable`. */
export function listTypes({ type, nullable }: JsonObject): readonly string[] {
  const types: readonly string[] = Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : []
  return nullable === true && types.length > 0 && !types.includes('null') ? [...types, 'null'] : types
}

/** Whether a value has a type of JSON Schema. */
export function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}

/** Keywords in the order in which they are matched. */
export type Keywords = readonly (readonly [keyword: string, isMatch: KeywordMatch])[]

/** Matches a part of a value: a property or an entry. */
export function matchPart(match: Match, schema: unknown, part: unknown, step: string | number): boolean {
  const { evaluated } = match
  match.evaluated = undefined
  match.path.push(step)
  const isMatch = match.matchSchema(match, schema, part)
  match.path.pop()
  match.evaluated = evaluated
  return isMatch
}

/** Runs a part of a match that may fail without failing the value. */
export function attempt(match: Match, run: () => boolean): boolean {
  const { isTrying } = match
  match.isTrying = true
  const isMatch = run()
  match.isTrying = isTrying
  return isMatch
}

/** Spectral makes no properties optional in the schemas of newer keywords. */
export function withRequired(match: Match, run: () => boolean): boolean {
  const { optional } = match
  match.optional = undefined
  const isMatch = run()
  match.optional = optional
  return isMatch
}

/** Whether a mapping has a value for a key. */
export function hasKey(value: JsonObject, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined
}
