import {
  isObject,
  type JsonObject,
  listOf,
  numberOf,
  readOwn,
  setOwn,
  toExactNumber,
  WrittenNumber,
  withWritten,
} from '../../text/json/json-values.ts'

/** The most specific JSON Schema type of a JSON value. */
export function typeOfValue(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const number = typeof value === 'bigint' ? Number(value) : numberOf(value)
  if (number === undefined) return typeof value
  return Number.isInteger(number) ? 'integer' : 'number'
}

/** Names the type of a value in YAML and JSON terms. A YAML key without a value has the value `null`. */
export function nameType(value: unknown): string {
  if (value === null || value === undefined) return '`null`'
  if (Array.isArray(value)) return 'list'
  if (value instanceof WrittenNumber) return 'number'
  switch (typeof value) {
    case 'object':
      return 'mapping'
    case 'string':
      return 'string'
    case 'boolean':
      return `\`${value}\``
    case 'number':
      return 'number'
    default:
      return 'value'
  }
}

/** Whether a dialect of JSON Schema is that of OpenAPI 3.1 and 3.2. */
export function isKnownDialect(dialect: string): boolean {
  return /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.[12]\/dialect\/[^#]*)#?$/.test(
    dialect,
  )
}

/** The types that the keyword `type` lists. */
export function listTypes(type: unknown): string[] {
  return [type].flat().filter((one) => typeof one === 'string')
}

/** Whether a list of types allows values of a type. An integer is a number. */
export function includesType(types: readonly unknown[], type: unknown): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'))
}

/** The types that both lists allow. */
export function commonTypes(first: readonly string[], second: readonly string[]): string[] {
  return [...new Set([...first, ...second])].filter((type) => includesType(first, type) && includesType(second, type))
}

/** Deeper values are different. Documents are not that deep, but one whose references are replaced can contain itself. */
const maxEqualDepth = 500

/** Whether two JSON values are equal, regardless of the order of keys and of how numbers are written. */
export function equalJson(left: unknown, right: unknown, depth = 0): boolean {
  if (left === right) return true
  if (depth > maxEqualDepth) return false
  if (left instanceof WrittenNumber || right instanceof WrittenNumber) {
    const areWritten = left instanceof WrittenNumber && right instanceof WrittenNumber
    return areWritten ? toExactNumber(left) === toExactNumber(right) : numberOf(left) === numberOf(right)
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((entry, index) => equalJson(entry, right[index], depth + 1))
  }
  if (!isObject(left) || !isObject(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equalJson(left[key], right[key], depth + 1))
  )
}

/** Whether a number is a multiple. Tolerates rounding: 0.3 is a multiple of 0.1. */
export function isMultiple(value: number, of: number): boolean {
  const times = value / of
  return !Number.isFinite(times) || Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times))
}

/** One end of the numbers that a schema allows. */
export interface NumberLimit {
  readonly value: number
  readonly written: number | WrittenNumber
  readonly isExclusive: boolean
}

/** The strictest of the limits of schemas at one end. `exclusiveMinimum` is a boolean in 3.0 and a number since 3.1. */
export function numberLimit(end: 'Minimum' | 'Maximum', ...schemas: readonly JsonObject[]): NumberLimit | undefined {
  let strictest: NumberLimit | undefined
  const add = (written: unknown, isExclusive: boolean) => {
    if (typeof written !== 'number' && !(written instanceof WrittenNumber)) return
    const [value, before] = [toExactNumber(written) ?? 0, toExactNumber(strictest?.written)]
    const isStricter = before !== undefined && (end === 'Minimum' ? value > before : value < before)
    if (before === undefined || isStricter || (value === before && isExclusive))
      strictest = { value: Number(value), written, isExclusive }
  }
  for (const schema of schemas.map(withWritten)) {
    const exclusive = readOwn(schema, `exclusive${end}`)
    add(readOwn(schema, end === 'Minimum' ? 'minimum' : 'maximum'), exclusive === true)
    add(exclusive, true)
  }
  return strictest
}

/** Counts Unicode characters, not UTF-16 code units. Source: JSON Schema 2020-12, validation, section 6.3. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** The ends of a range of numbers, with their keywords. */
const limitNames = [
  ['Minimum', 'minimum', 'exclusiveMinimum'],
  ['Maximum', 'maximum', 'exclusiveMaximum'],
] as const

/**
 * Adds the keywords of a schema to those of other schemas that apply to the same value. The first value of a keyword counts; for types and
 * limits, the narrowest; for flags such as `deprecated`, `true`. Each end of a range of numbers has one limit, as since 3.1. An `enum` without
 * `null` is not `nullable`.
 *
 * Leaves out `$ref`, `allOf`, `properties` and `required`, which callers collect themselves. Numbers are as written, but not counts.
 */
export function mergeKeywords(keywords: { [key: string]: unknown }, schema: JsonObject): void {
  for (const [key, written] of Object.entries(withWritten(schema))) {
    if (leftOut.has(key) || numberLimits.test(key) || (key === 'nullable' && !mayListNull(schema))) continue
    const after = limitKeywords.test(key) ? (numberOf(written) ?? written) : written
    const before = readOwn(keywords, key)
    if (before === undefined) setOwn(keywords, key, after)
    else if (key === 'type') {
      const types = commonTypes(listTypes(before), listTypes(after))
      if (types.length > 0) setOwn(keywords, key, types)
    } else if (typeof before === 'number' && typeof after === 'number') {
      if (limitKeywords.test(key)) setOwn(keywords, key, /min/i.test(key) ? Math.max(before, after) : Math.min(before, after))
    } else if (before === false && after === true && !/^(?:nullable|additional|unevaluated)/.test(key))
      setOwn(keywords, key, true)
  }
  for (const [end, plain, exclusive] of limitNames) {
    const limit = numberLimit(end, keywords, schema)
    if (!limit) continue
    delete keywords[limit.isExclusive ? plain : exclusive]
    keywords[limit.isExclusive ? exclusive : plain] = limit.written
  }
}

/** Whether the listed values of a schema, if there are some, can contain `null`. */
function mayListNull(keywords: JsonObject): boolean {
  const { enum: values, const: constant } = keywords
  return (!Array.isArray(values) || values.includes(null)) && (constant === undefined || constant === null)
}

/** Whether merged keywords allow `null`, as `nullable` of 3.0 or as a type. */
export function allowsNull(keywords: JsonObject): boolean {
  return keywords['nullable'] === true || (listTypes(keywords['type']).includes('null') && mayListNull(keywords))
}

const numberLimits = /^(?:m(?:in|ax)|exclusiveM(?:in|ax))imum$/
const leftOut = new Set(['$ref', 'allOf', 'properties', 'required'])

/** Keywords that all apply together, so only the narrowest matters. `minContains` belongs to one `contains`. */
export const limitKeywords = /^(?:exclusive)?m(?:in|ax)(?!Contains)/i

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

const enumNames = ['x-enum-varnames', 'x-enumNames', 'x-enum-names', 'x-enum-labels', 'x-speakeasy-enums'] as const
const enumDescriptions = [
  'x-enumDescriptions',
  'x-enum-descriptions',
  'x-enum-comments',
  'x-speakeasy-enum-descriptions',
] as const

/**
 * Extensions that name and describe the values of `enum`: of OpenAPI Generator, NSwag, Redocly, swaggo, Speakeasy and Fern. Each is a list with
 * an element for each value, or a mapping by value.
 */
export function listEnumNotes() {
  return [...enumNames, ...enumDescriptions, 'x-fern-enum'] as const
}

/** The name and the description of a value of `enum`, from extensions. `key` is the value as a key of a mapping. */
export function readEnumNotes(keywords: JsonObject, index: number, key: string): readonly string[] {
  const noteIn = (name: string): unknown => {
    const notes = readOwn(keywords, name)
    if (Array.isArray(notes)) return notes[index]
    return isObject(notes) ? readOwn(notes, key) : undefined
  }
  const { 'x-ms-enum': microsoft } = keywords
  const values = isObject(microsoft) ? listOf(microsoft['values']) : []
  const described = [values.find((entry) => isObject(entry) && String(entry['value']) === key), noteIn('x-fern-enum')].filter(
    isObject,
  )
  const listNotes = (names: readonly string[], field: string) => [
    ...names.map(noteIn),
    ...described.map((entry) => readOwn(entry, field)),
  ]
  return [listNotes(enumNames, 'name'), listNotes(enumDescriptions, 'description')].flatMap((notes) => {
    const note = notes.find((text) => typeof text === 'string' && text !== '')
    return typeof note === 'string' && note !== key ? [note] : []
  })
}
