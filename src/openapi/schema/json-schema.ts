import {
  isObject,
  type JsonObject,
  listOf,
  numberOf,
  readOwn,
  toExactNumber,
  WrittenNumber,
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

/** How a keyword contains schemas, and what a value has to do with them. */
export interface SchemaKeyword {
  /** One schema, a list, or one for each name. */
  readonly holds: 'one' | 'list' | 'map'
  /**
   * They apply to the `same` value, to the same value in some `case`s, or to `no` value that is valid; to `named` parts of it, by name, pattern or
   * position, to all `other` parts, or to `else`: one of the items, the keys, the content of a text.
   */
  readonly use: 'same' | 'case' | 'no' | 'named' | 'other' | 'else'
}

/** The keywords that contain schemas which apply to a value or to its parts. */
export const schemaKeywords: ReadonlyMap<string, SchemaKeyword> = new Map([
  ['allOf', { holds: 'list', use: 'same' }],
  ['oneOf', { holds: 'list', use: 'case' }],
  ['anyOf', { holds: 'list', use: 'case' }],
  ['if', { holds: 'one', use: 'case' }],
  ['then', { holds: 'one', use: 'case' }],
  ['else', { holds: 'one', use: 'case' }],
  ['dependentSchemas', { holds: 'map', use: 'case' }],
  ['not', { holds: 'one', use: 'no' }],
  ['properties', { holds: 'map', use: 'named' }],
  ['patternProperties', { holds: 'map', use: 'named' }],
  ['prefixItems', { holds: 'list', use: 'named' }],
  ['items', { holds: 'one', use: 'other' }],
  ['additionalItems', { holds: 'one', use: 'other' }],
  ['unevaluatedItems', { holds: 'one', use: 'other' }],
  ['additionalProperties', { holds: 'one', use: 'other' }],
  ['unevaluatedProperties', { holds: 'one', use: 'other' }],
  ['contains', { holds: 'one', use: 'else' }],
  ['propertyNames', { holds: 'one', use: 'else' }],
  ['contentSchema', { holds: 'one', use: 'else' }],
])

/** The keywords whose schemas have one of some uses. */
export function keywordsFor(...uses: readonly SchemaKeyword['use'][]): readonly string[] {
  return [...schemaKeywords].flatMap(([keyword, { use }]) => (uses.includes(use) ? [keyword] : []))
}

/** The keywords that contain schemas in one way. */
export function keywordsWith(holds: SchemaKeyword['holds']): readonly string[] {
  return [...schemaKeywords].flatMap(([keyword, row]) => (row.holds === holds ? [keyword] : []))
}

/** Whether a dialect of JSON Schema is that of OpenAPI 3.1 and 3.2. */
export function isKnownDialect(dialect: string): boolean {
  return /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.[12]\/dialect\/[^#]*)#?$/.test(
    dialect,
  )
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

/** Counts Unicode characters, not UTF-16 code units. Source: JSON Schema 2020-12, validation, section 6.3. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
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
