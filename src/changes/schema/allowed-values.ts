import { keywordIn } from '../../model/schema.ts'
import { childPlace, itemsOf } from '../../openapi/references/follow-reference.ts'
import { toValueKey } from '../../openapi/schema/json-schema.ts'
import { type Place, toExactNumber } from '../../text/json/json-values.ts'
import { toText } from '../differences/name-place.ts'
import { type ComparedSchema, keywordValues, readTypes } from './compared-schema.ts'
import { placeOf } from './keywords.ts'

/** A keyword with a bound. The exclusive keyword bounds the same values. */
export interface LimitRule {
  readonly keyword: string
  readonly exclusive?: string
  /** Values must not be above the limit. Otherwise not below it. */
  readonly isUpper: boolean
  /** The limit without the keyword. */
  readonly implied?: number
}

/** All keywords with a bound. */
export const limitRules = {
  maximum: { keyword: 'maximum', exclusive: 'exclusiveMaximum', isUpper: true },
  minimum: { keyword: 'minimum', exclusive: 'exclusiveMinimum', isUpper: false },
  maxLength: { keyword: 'maxLength', isUpper: true },
  minLength: { keyword: 'minLength', isUpper: false },
  maxItems: { keyword: 'maxItems', isUpper: true },
  minItems: { keyword: 'minItems', isUpper: false },
  maxProperties: { keyword: 'maxProperties', isUpper: true },
  minProperties: { keyword: 'minProperties', isUpper: false },
  maxContains: { keyword: 'maxContains', isUpper: true },
  minContains: { keyword: 'minContains', isUpper: false, implied: 1 },
} as const satisfies { readonly [keyword: string]: LimitRule }

/** A bound with its place. */
export interface Limit {
  readonly keyword: string
  readonly value: number | bigint
  readonly isExclusive: boolean
  readonly place: Place
}

/** The strictest limit of a schema. With `contains`, at least one item must match. In OpenAPI 3.0, an exclusive keyword is a boolean beside the limit. */
export function readLimit({ parts }: ComparedSchema, { keyword, exclusive, isUpper }: LimitRule): Limit | undefined {
  let strictest: Limit | undefined
  const add = (limit: Limit) => {
    if (!strictest || isStricter(limit, strictest, isUpper)) strictest = limit
  }
  for (const { place, value } of parts) {
    const [bound, otherBound] = [keywordIn(value, keyword), exclusive && keywordIn(value, exclusive)].map(toExactNumber)
    const isExclusive = exclusive !== undefined && keywordIn(value, exclusive) === true
    if (bound !== undefined) add({ keyword, value: bound, isExclusive, place: childPlace(place, keyword) })
    if (exclusive !== undefined && otherBound !== undefined) {
      add({ keyword: exclusive, value: otherBound, isExclusive: true, place: childPlace(place, exclusive) })
    }
  }
  const contains =
    keyword === 'minContains' && !strictest ? parts.find(({ value }) => value['contains'] !== undefined) : undefined
  return contains ? { keyword, value: 1, isExclusive: false, place: contains.place } : strictest
}

/** Whether a limit excludes more values than another one of the same keyword. */
export function isStricter(limit: Limit, other: Limit, isUpper: boolean): boolean {
  if (limit.value === other.value) return limit.isExclusive && !other.isExclusive
  return isUpper ? limit.value < other.value : limit.value > other.value
}

/** The allowed values with their places. */
export interface Values {
  readonly keyword: 'enum' | 'const'
  readonly byKey: ReadonlyMap<string, Place>
  readonly place: Place
}

/** Reads the values of `enum` and `const`. Those of several branches of `allOf` apply together. */
export function readValues({ parts }: ComparedSchema, isNullable: boolean): Values | undefined {
  let found: Values | undefined
  for (const { place, allowsNull, folded } of parts) {
    for (const keyword of ['const', 'enum'] as const) {
      const written = placeOf(place, keyword)
      if (!written || (keyword === 'enum' && !Array.isArray(written.value))) continue
      const list = (keyword === 'enum' && folded?.place) || written
      const places = keyword === 'const' ? [list] : (folded?.values ?? itemsOf(list))
      const own = new Map(places.map((one) => [toValueKey(one.value), one]))
      if (isNullable && allowsNull) own.set('null', list)
      if (!found) found = { keyword, byKey: own, place: list }
      else {
        const byKey = new Map([...found.byKey].filter(([key]) => own.has(key)))
        found = found.keyword === 'const' || keyword === 'enum' ? { ...found, byKey } : { keyword, byKey, place: list }
      }
    }
  }
  return found
}

/** Whether a schema lists its values, and each of them is `null` or a text that meets a condition. */
export function listsTexts(schema: ComparedSchema, meets: (text: string) => boolean): boolean {
  const listed = readValues(schema, false)
  if (!listed) return false
  return [...listed.byKey.values()].every(({ value }) => value === null || (typeof value === 'string' && meets(value)))
}

/** The numbers between two bounds, which are part of it. */
interface NumberRange {
  readonly least: number | bigint
  readonly most: number | bigint
  /** Whether all numbers are integers. */
  readonly isInteger: boolean
}

/** The numbers of each format. Fractions have no range, because every number can be written in them. */
const formats: ReadonlyMap<string, NumberRange> = new Map([
  integers('int8', -(2 ** 7), 2 ** 7 - 1),
  integers('int16', -(2 ** 15), 2 ** 15 - 1),
  integers('int32', -(2 ** 31), 2 ** 31 - 1),
  integers('int64', -(2n ** 63n), 2n ** 63n - 1n),
  integers('bigint', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
  integers('uint8', 0, 2 ** 8 - 1),
  integers('uint16', 0, 2 ** 16 - 1),
  integers('uint32', 0, 2 ** 32 - 1),
  integers('uint64', 0, 2n ** 64n - 1n),
  ['float', { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY, isInteger: false }],
  ['double', { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY, isInteger: false }],
])

function integers(format: string, least: number | bigint, most: number | bigint): [string, NumberRange] {
  return [format, { least, most, isInteger: true }]
}

/** Other formats with the more general formats that contain them. */
const generalFormats: ReadonlyMap<string, readonly string[]> = new Map([
  ['float', ['double']],
  ['email', ['idn-email']],
  ['hostname', ['idn-hostname']],
  ['uri', ['uri-reference', 'iri', 'iri-reference']],
  ['uri-reference', ['iri-reference']],
  ['iri', ['iri-reference']],
])

/** Reads which numbers a schema can allow: by its type, its formats, its limits and the values that it lists. Absent if it allows none. */
export function readNumberRange(schema: ComparedSchema): NumberRange | undefined {
  const { types } = readTypes(schema)
  if (types && !types.has('number') && !types.has('integer')) return undefined
  const listed = readValues(schema, false)
  const values = [...(listed?.byKey.values() ?? [])].flatMap(({ value }) => toExactNumber(value) ?? [])
  if (listed && values.length === 0) return undefined
  const known = keywordValues(schema, 'format').flatMap((format) => formats.get(toText(format)) ?? [])
  const ofIntegers = known.filter((format) => format.isInteger)
  const isInteger =
    ofIntegers.length > 0 ||
    (types !== undefined && !types.has('number')) ||
    (listed !== undefined && values.every((value) => Number.isInteger(Number(value))))
  const [lower, upper] = [readLimit(schema, limitRules.minimum), readLimit(schema, limitRules.maximum)]
  const sort = (numbers: readonly (number | bigint)[]) => numbers.toSorted((one, other) => (one < other ? -1 : 1))
  const inOrder = sort(values)
  const least = [...ofIntegers.map((format) => format.least), ...inOrder.slice(0, 1)]
  const most = [...ofIntegers.map((format) => format.most), ...inOrder.slice(-1)]
  if (lower) least.push(roundLimit(lower, isInteger, Math.ceil, 1))
  if (upper) most.push(roundLimit(upper, isInteger, Math.floor, -1))
  return { least: sort(least).at(-1) ?? Number.NEGATIVE_INFINITY, most: sort(most)[0] ?? Number.POSITIVE_INFINITY, isInteger }
}

/** The number that a limit allows at most or at least. */
function roundLimit(
  { value, isExclusive }: Limit,
  isInteger: boolean,
  round: (value: number) => number,
  step: number,
): number | bigint {
  if (!isInteger) return value
  if (typeof value === 'bigint') return isExclusive ? value + BigInt(step) : value
  const rounded = round(value)
  return isExclusive && rounded === value ? rounded + step : rounded
}

/** Whether all values of a format, or all numbers of a range, have another format. Any text can be a password. */
export function hasFormat(format: unknown, range: NumberRange | undefined, other: unknown): boolean {
  if (typeof format !== 'string' || format === 'password') return true
  if (generalFormats.get(toText(other))?.includes(format)) return true
  const [target, from] = [formats.get(format), range ?? formats.get(toText(other))]
  return target !== undefined && from?.isInteger === true && from.least >= target.least && from.most <= target.most
}

/** Whether a limit for numbers allows all numbers of a range. */
export function allowsRange({ value, isExclusive }: Limit, isUpper: boolean, { least, most }: NumberRange): boolean {
  const bound = isUpper ? most : least
  if (bound < value || bound > value) return isUpper ? bound < value : bound > value
  return !isExclusive
}
