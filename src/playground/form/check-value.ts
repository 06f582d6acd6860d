import { countCharacters, equalJson, includesType, isMultiple, typeOfValue } from '../../openapi/schema/json-schema.ts'
import { isObject, numberOf, readOwn } from '../../text/json/json-values.ts'
import { type CountText, say, sayCount } from '../controls/playground-messages.ts'
import type { JsonSchema } from '../request/read-operation.ts'
import { type FormSchema, toFormSchema } from './form-schema.ts'

/** A mismatch between a value and its schema. Mismatches never prevent sending. */
export interface ValueProblem {
  /** For example `labels[0].name`; `''` for the whole value. */
  readonly path: string
  readonly message: string
}

interface CheckOptions {
  readonly resolve: (schema: unknown) => JsonSchema
  /** Checks only the value itself, not its members. */
  readonly isShallow?: boolean
}

/** The most problems that are reported. */
const maxProblems = 50

/**
 * Compares a value with its schema: types, limits, choices, required keys, patterns and common formats.
 *
 * This is not a complete validator: it accepts anything that cannot be checked quickly and safely. Source: JSON Schema 2020-12; OpenAPI 3.0 for
 * `nullable`.
 */
export function checkValue(value: unknown, schema: unknown, { resolve, isShallow = false }: CheckOptions): ValueProblem[] {
  const problems: ValueProblem[] = []
  const check = (one: unknown, its: unknown, path: string, depth: number) => {
    if (depth > 40 || problems.length >= maxProblems) return
    const merged = toFormSchema(its, resolve)
    const message = findMismatch(one, merged)
    if (message !== undefined) problems.push({ path, message })
    if (message !== undefined || isShallow) return
    if (merged.choices.length > 1 && !merged.choices.some((choice) => fits(one, choice, resolve, depth)))
      problems.push({ path, message: say('Expected a value that matches one of the schemas') })
    if (Array.isArray(one)) checkItems(one, merged, (item, its, index) => check(item, its, `${path}[${index}]`, depth + 1))
    else if (isPlainObject(one)) {
      const at = (key: string) => (path === '' ? key : `${path}.${key}`)
      for (const key of merged.required) if (!Object.hasOwn(one, key)) problems.push({ path: at(key), message: say('Required') })
      for (const [key, entry] of Object.entries(one)) {
        const own = merged.properties.get(key) ?? merged.keywords['additionalProperties']
        if (own === false && merged.choices.length === 0) problems.push({ path: at(key), message: say('Unexpected key') })
        else if (own !== undefined) check(entry, own, at(key), depth + 1)
      }
    }
  }
  check(value, schema, '', 0)
  return problems
}

/** Whether a value matches one choice of a schema. Deeply nested values are not checked. */
export function fits(value: unknown, choice: unknown, resolve: CheckOptions['resolve'], depth = 0): boolean {
  const merged = toFormSchema(choice, resolve)
  if (depth > 8) return true
  if (findMismatch(value, merged) !== undefined) return false
  if (merged.choices.length > 1 && !merged.choices.some((one) => fits(value, one, resolve, depth + 1))) return false
  if (!isPlainObject(value)) return true
  const isClosed = merged.keywords['additionalProperties'] === false
  return (
    [...merged.required].every((key) => Object.hasOwn(value, key)) &&
    Object.entries(value).every(([key, entry]) => {
      const own = merged.properties.get(key)
      return own === undefined ? !isClosed : fits(entry, own, resolve, depth + 1)
    })
  )
}

function checkItems(
  items: readonly unknown[],
  { keywords }: FormSchema,
  check: (item: unknown, schema: unknown, index: number) => void,
): void {
  const tuple = Array.isArray(keywords['prefixItems']) ? keywords['prefixItems'] : []
  items.forEach((item, index) => {
    const schema = tuple[index] ?? keywords['items']
    if (schema !== undefined) check(item, schema, index)
  })
}

/** Describes the expected value, ignoring members; `undefined` if the value is valid. */
function findMismatch(value: unknown, merged: FormSchema): string | undefined {
  const { types, isNullable, keywords } = merged
  if (isFile(value)) return undefined
  if (value === null) return isNullable || (types.length === 0 && !merged.enum) ? undefined : say('Expected a value, not null')
  if (merged.enum) {
    if (merged.enum.some((one) => equalJson(one, value))) return undefined
    const shown = merged.enum.slice(0, 8).map((one) => JSON.stringify(one))
    const values = `${shown.join(', ')}${merged.enum.length > 8 ? ', …' : ''}`
    return shown.length === 1 ? say('Expected {value}', values) : say('Expected one of {values}', values)
  }
  const type = typeOfValue(value)
  const isOfType = types.length === 0 || includesType(types, type)
  const limits = limitsOf(keywords, isOfType ? type : types[0])
  if (!isOfType || limits.some(({ isBroken }) => isBroken(value))) {
    const expected = (types.length > 0 ? types : [type]).map(nameType).join(` ${say('or')} `)
    return say('Expected {value}', [expected, ...limits.map(({ text }) => text)].join(', '))
  }
  if (typeof value !== 'string') return undefined
  const { pattern, format } = keywords
  if (typeof pattern === 'string' && doesNotMatch(value, pattern)) return say('Expected a string that matches {pattern}', pattern)
  const form = typeof format === 'string' ? formats.get(format) : undefined
  return form && !form.pattern.test(value) ? say('Expected {value}', say(form.description)) : undefined
}

function nameType(type: string): string {
  return Object.hasOwn(typeNames, type) ? say(typeNames[type as keyof typeof typeNames]) : type
}

const typeNames = {
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
} as const

interface Limit {
  readonly text: string
  readonly isBroken: (value: unknown) => boolean
}

function limitsOf(keywords: JsonSchema, type: string | undefined): Limit[] {
  const limits: Limit[] = []
  const add = (key: string, words: (limit: number) => string, isBroken: (value: unknown, limit: number) => boolean) => {
    const limit = readOwn(keywords, key)
    const number = numberOf(limit)
    if (number !== undefined) limits.push({ text: words(number), isBroken: (value) => isBroken(value, number) })
  }
  if (type === 'integer' || type === 'number') {
    add(
      'minimum',
      (n) => say('at least {number}', n),
      (value, n) => Number(value) < n,
    )
    add(
      'exclusiveMinimum',
      (n) => say('greater than {number}', n),
      (value, n) => Number(value) <= n,
    )
    add(
      'maximum',
      (n) => say('at most {number}', n),
      (value, n) => Number(value) > n,
    )
    add(
      'exclusiveMaximum',
      (n) => say('less than {number}', n),
      (value, n) => Number(value) >= n,
    )
    add(
      'multipleOf',
      (n) => say('a multiple of {number}', n),
      (value, n) => n > 0 && !isMultiple(Number(value), n),
    )
  }
  const counted = readOwn(countLimits, type ?? '')
  if (counted) {
    const { least, most, atLeast, atMost } = counted
    add(
      least,
      (n) => sayCount(n, atLeast.slice(0, -1), atLeast),
      (value, n) => count(value) < n,
    )
    add(
      most,
      (n) => sayCount(n, atMost.slice(0, -1), atMost),
      (value, n) => count(value) > n,
    )
  }
  return limits
}

/** The keywords for the number of characters, items or keys, and their texts. */
const countLimits: Readonly<Record<string, CountLimit | undefined>> = {
  string: { least: 'minLength', most: 'maxLength', atLeast: 'at least {count} characters', atMost: 'at most {count} characters' },
  array: { least: 'minItems', most: 'maxItems', atLeast: 'at least {count} items', atMost: 'at most {count} items' },
  object: { least: 'minProperties', most: 'maxProperties', atLeast: 'at least {count} keys', atMost: 'at most {count} keys' },
}

interface CountLimit {
  readonly least: string
  readonly most: string
  readonly atLeast: CountText
  readonly atMost: CountText
}

function count(value: unknown): number {
  return typeof value === 'string'
    ? countCharacters(value)
    : isObject(value)
      ? Object.keys(value).length
      : Array.isArray(value)
        ? value.length
        : 0
}

/**
 * Whether a string does not match an untrusted pattern. Skips patterns that could backtrack for too long: those with repeated groups, and those with
 * too many repetitions for the length of the string.
 */
function doesNotMatch(text: string, pattern: string): boolean {
  const repeats = pattern.match(/[*+{]/g)?.length ?? 0
  if (pattern.length > 500 || /\)[*+{]|\\[1-9k]/.test(pattern) || text.length ** repeats > 1e6) return false
  try {
    return !new RegExp(pattern, 'u').test(text)
  } catch {
    return false
  }
}

/** Loose patterns for common formats. Source: RFC 3339, RFC 4122, RFC 3986; OpenAPI Format Registry. */
const formats: ReadonlyMap<string, { readonly pattern: RegExp; readonly description: FormatText }> = new Map<
  string,
  { readonly pattern: RegExp; readonly description: FormatText }
>([
  ['date', { pattern: /^\d{4}-\d\d-\d\d$/, description: 'a date such as 2026-01-31' }],
  [
    'date-time',
    {
      pattern: /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
      description: 'a date and time such as 2026-01-31T09:30:00Z',
    },
  ],
  ['email', { pattern: /^[^\s@]+@[^\s@]+$/, description: 'an email address' }],
  ['uuid', { pattern: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, description: 'a UUID' }],
  ['uri', { pattern: /^[a-z][a-z\d+.-]*:\S+$/i, description: 'a URI such as https://example.com' }],
])

type FormatText =
  | 'a date such as 2026-01-31'
  | 'a date and time such as 2026-01-31T09:30:00Z'
  | 'an email address'
  | 'a UUID'
  | 'a URI such as https://example.com'

function isFile(value: unknown): boolean {
  return typeof File === 'function' && value instanceof File
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !isFile(value)
}
