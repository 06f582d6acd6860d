import {
  isContainer,
  isObject,
  type JsonObject,
  listOf,
  numberOf,
  readOwn,
  toExactNumber,
  WrittenNumber,
  withWritten,
} from '../../text/json/json-values.ts'

/** Supported releases of OpenAPI. The patch number makes no difference. */
export type OpenApiRelease = '3.0' | '3.1' | '3.2'

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

/** A text that is equal for equal values, whatever the order of their keys and the notation of their numbers. */
export function toValueKey(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toValueKey).join()}]`
  if (!isObject(value)) return String(toExactNumber(value) ?? JSON.stringify(value))
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${toValueKey(one)}`).join()}}`
}

/**
 * Creates a function that tells whether two schemas are equal, so that nothing in them needs a comparison. Schemas with references count
 * as different, because the components can differ. Each value is visited at most twice, however deep it is.
 */
export function toIsSame(): (one: unknown, other: unknown) => boolean {
  // The values around a difference, so that they are not compared again from inside.
  const different = new Map<unknown, unknown>()
  const isSame = (one: unknown, other: unknown): boolean => {
    if (!isContainer(one) || !isContainer(other))
      return one === other || (toExactNumber(one) ?? one) === (toExactNumber(other) ?? other)
    if (different.get(one) === other) return false
    const isEqual = hasSameContents(withWritten(one), withWritten(other))
    if (!isEqual) different.set(one, other)
    return isEqual
  }
  const hasSameContents = (one: unknown, other: unknown): boolean => {
    if (Array.isArray(one)) {
      return Array.isArray(other) && one.length === other.length && one.every((entry, index) => isSame(entry, other[index]))
    }
    if (!isObject(one) || !isObject(other)) return false
    let left = Object.keys(other).length
    for (const key in one) if (left-- === 0 || needsComparison.has(key) || !isSame(one[key], readOwn(other, key))) return false
    return left === 0
  }
  return isSame
}

/** References, discriminators, which other schemas can extend, and extensions whose values are checked. */
const needsComparison = new Set(['$ref', '$dynamicRef', 'discriminator', 'x-sunset', 'x-stability-level'])

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

/** Formats of longer strings are not tested. */
const maxFormatted = 10_000

/**
 * The formats of strings that are checked. Others are ignored, as JSON Schema requires.
 *
 * Source: JSON Schema, validation, "Defined Formats"; OpenAPI 3.0.4, "Data Types". A date-time needs no time zone, as in Spectral.
 */
const textFormats: ReadonlyMap<string, (value: string) => boolean> = new Map<string, (value: string) => boolean>([
  ['date', isDate],
  ['time', isTime],
  ['date-time', isDateTime],
  ['duration', (value) => /^P(?:\d+W|(?=[\dT])(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/.test(value)],
  ['uri', isUri],
  ['uri-reference', isUriReference],
  ['uri-template', isUriTemplate],
  ['url', (value) => /^(?:https?|ftp):\/\/\S+$/i.test(value) && URL.canParse(value)],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['regex', isRegularExpression],
  ['uuid', (value) => /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value)],
  ['json-pointer', (value) => value === '' || (value.startsWith('/') && !/~(?![01])/.test(value))],
  ['relative-json-pointer', (value) => /^(?:0|[1-9]\d*)(?:#|\/.*)?$/s.test(value) && !/~(?![01])/.test(value)],
  ['byte', (value) => value.length % 4 === 0 && /^[a-z0-9+/]*={0,2}$/i.test(value)],
])

const numberFormats: ReadonlyMap<string, (value: number) => boolean> = new Map<string, (value: number) => boolean>([
  ['int32', (value) => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31],
  ['int64', Number.isInteger],
])

/** Whether a string or a number has a format. A format of the other type, and an unknown one, fits. */
export function hasFormat(format: string, value: string | number): boolean {
  if (typeof value === 'number') return numberFormats.get(format)?.(value) ?? true
  return value.length > maxFormatted || (textFormats.get(format)?.(value) ?? true)
}

/** Source: RFC 3339, section 5.6. */
function isDate(value: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value) ?? []
  const days = [31, isLeapYear(Number(year)) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1]
  return days !== undefined && Number(day) >= 1 && Number(day) <= days
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

function isTime(value: string): boolean {
  const [, hour, minute, second] = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)?$/i.exec(value) ?? []
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return false
  return Number(second) <= 59 || (Number(second) === 60 && hour === '23' && minute === '59')
}

function isDateTime(value: string): boolean {
  const [date, time, ...others] = value.split(/t|\s/i)
  return date !== undefined && time !== undefined && others.length === 0 && isDate(date) && isTime(time)
}

/** Splits a URI reference. Source: RFC 3986, appendix B. */
const parts = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s

/** Fast path: the form of most URLs. */
const commonUrl = /^https?:\/\/[\w.-]+(?:\/[\w.~/-]*)?(?:#[\w.~/-]*)?$/

const scheme = /^[a-z][a-z0-9+.-]*$/i

const authority =
  /^(?:(?:[\w.~!$&'()*+,;=:-]|%[0-9a-f]{2})*@)?(?:\[[0-9a-f:.]+\]|\[v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*)(?::\d*)?$/i

const path = /^(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*$/i

const queryOrFragment = /^(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*$/i

/**
 * Whether text is a URI reference by RFC 3986.
 *
 * Non-ASCII characters are accepted as letters, as in RFC 3987, because browsers encode them automatically.
 */
export function isUriReference(text: string): boolean {
  if (commonUrl.test(text)) return true
  const match = parts.exec(text.replace(/[^\0-\x7f]+/g, 'a'))
  if (!match) return false
  const [, schemePart, authorityPart, pathPart = '', query, fragment] = match
  if (schemePart !== undefined && !scheme.test(schemePart)) return false
  if (authorityPart !== undefined && !authority.test(authorityPart)) return false
  if (authorityPart === undefined && pathPart.startsWith('//')) return false
  // A colon in the first segment would make it a scheme.
  if (schemePart === undefined && authorityPart === undefined && /^[^/]*:/.test(pathPart)) return false
  if (!path.test(pathPart)) return false
  return (query === undefined || queryOrFragment.test(query)) && (fragment === undefined || queryOrFragment.test(fragment))
}

/** Whether text is an absolute URL: a reference with a scheme. Source: RFC 3986, section 3. */
export function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && isUriReference(text)
}

/** Whether text is an email address in the common form, without quoted local parts. Source: RFC 5321, section 4.1.2. */
export function isEmail(text: string): boolean {
  return /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(
    text,
  )
}

/** Source: RFC 6570, section 2. */
function isUriTemplate(value: string): boolean {
  return value.split('{').every((part, index) => {
    const [expression, literal, ...others] = index === 0 ? ['', part] : part.split('}')
    if (literal === undefined || others.length > 0 || !/^(?:[^\x00-\x20"'<>%\\^`{|}]|%[0-9a-f]{2})*$/i.test(literal)) return false
    if (index === 0) return true
    return (expression ?? '')
      .replace(/^[+#./;?&=,!@|]/, '')
      .split(',')
      .every(isVariable)
  })
}

function isVariable(text: string): boolean {
  return /^(?:[a-z0-9_]|%[0-9a-f]{2})+(?::[1-9]\d{0,3}|\*)?$/i.test(text)
}

/** Source: RFC 1123, section 2.1. */
function isHostname(value: string): boolean {
  const name = value.endsWith('.') ? value.slice(0, -1) : value
  return name.length <= 253 && name.split('.').every((label) => /^[a-z0-9-]{1,63}$/i.test(label) && !/^-|-$/.test(label))
}

/** Source: RFC 2673, section 3.2. */
function isIpv4(value: string): boolean {
  const parts = value.split('.')
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)
}

/** Source: RFC 4291, section 2.2. */
function isIpv6(value: string): boolean {
  const [before = '', after, ...others] = value.split('::')
  if (others.length > 0) return false
  const groups = [...splitGroups(before), ...splitGroups(after ?? '')]
  const isShort = after !== undefined
  const last = groups.at(-1) ?? ''
  const hasAddress = last.includes('.')
  if (hasAddress && (!isIpv4(last) || (isShort && after === ''))) return false
  const count = groups.length + (hasAddress ? 1 : 0)
  const plain = hasAddress ? groups.slice(0, -1) : groups
  return plain.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) && (isShort ? count <= 7 : count === 8)
}

function splitGroups(text: string): string[] {
  return text === '' ? [] : text.split(':')
}

/** Whether text is a regular expression of JavaScript. */
export function isRegularExpression(text: string): boolean {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}
