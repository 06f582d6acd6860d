import { readOwn } from '../text/json/json-values.ts'
import { type ComparedSchema, keywordPlaces, readTypes } from './compared-schema.ts'
import type { Side } from './comparison.ts'
import { type Limit, limitRules, readLimit } from './read-limits.ts'
import { readValues } from './read-values.ts'

/** The numbers between two bounds, which are part of it. */
interface NumberRange {
  readonly least: number
  readonly most: number
  /** Whether all numbers are integers. */
  readonly isInteger: boolean
}

/** The numbers of each format. Fractions have no range, because every number can be written in them. */
const formats: { readonly [format: string]: NumberRange } = {
  ...integers('int8', -(2 ** 7), 2 ** 7 - 1),
  ...integers('int16', -(2 ** 15), 2 ** 15 - 1),
  ...integers('int32', -(2 ** 31), 2 ** 31 - 1),
  // The largest integers are rounded, as those in documents are.
  ...integers('int64', -(2 ** 63), 2 ** 63),
  ...integers('bigint', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
  ...integers('uint8', 0, 2 ** 8 - 1),
  ...integers('uint16', 0, 2 ** 16 - 1),
  ...integers('uint32', 0, 2 ** 32 - 1),
  ...integers('uint64', 0, 2 ** 64),
  float: { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY, isInteger: false },
  double: { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY, isInteger: false },
}

function integers(format: string, least: number, most: number): { readonly [format: string]: NumberRange } {
  return { [format]: { least, most, isInteger: true } }
}

/** Other formats with the more general formats that contain them. */
const generalFormats: { readonly [format: string]: readonly string[] } = {
  float: ['double'],
  date: ['date-time'],
  time: ['date-time'],
}

const [maximum, minimum] = ['maximum', 'minimum'].map((keyword) => limitRules.find((rule) => rule.keyword === keyword))

/** Reads which numbers a schema can allow: by its type, its formats, its limits and the values that it lists. Absent if it allows none. */
export function readNumberRange(schema: ComparedSchema, side: Side): NumberRange | undefined {
  const { types } = readTypes(schema, side)
  if (types && !types.has('number') && !types.has('integer')) return undefined
  const listed = readValues(schema, false)
  const values = [...(listed?.byKey.values() ?? [])].flatMap(({ value }) => (typeof value === 'number' ? [value] : []))
  if (listed && values.length === 0) return undefined
  const known = keywordPlaces(schema, 'format').flatMap(({ value }) => toFormatRange(value) ?? [])
  const ofIntegers = known.filter((format) => format.isInteger)
  const isInteger =
    ofIntegers.length > 0 ||
    (types !== undefined && !types.has('number')) ||
    (listed !== undefined && values.every(Number.isInteger))
  const [lower, upper] = [minimum && readLimit(schema, minimum), maximum && readLimit(schema, maximum)]
  return {
    least: Math.max(
      ...ofIntegers.map(({ least }) => least),
      lower ? roundLimit(lower, isInteger, Math.ceil, 1) : Number.NEGATIVE_INFINITY,
      listed ? Math.min(...values) : Number.NEGATIVE_INFINITY,
    ),
    most: Math.min(
      ...ofIntegers.map(({ most }) => most),
      upper ? roundLimit(upper, isInteger, Math.floor, -1) : Number.POSITIVE_INFINITY,
      listed ? Math.max(...values) : Number.POSITIVE_INFINITY,
    ),
    isInteger,
  }
}

/** The number that a limit allows at most or at least. */
function roundLimit({ value, isExclusive }: Limit, isInteger: boolean, round: (value: number) => number, step: number): number {
  if (!isInteger) return value
  const rounded = round(value)
  return isExclusive && rounded === value ? rounded + step : rounded
}

function toFormatRange(format: unknown): NumberRange | undefined {
  return typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined
}

/** Whether all values of a format, or all numbers of a range, have another format. */
export function hasFormat(format: unknown, range: NumberRange | undefined, other: unknown): boolean {
  if (typeof format !== 'string') return true
  if (typeof other === 'string' && readOwn(generalFormats, other)?.includes(format)) return true
  const [target, from] = [toFormatRange(format), range ?? toFormatRange(other)]
  return target !== undefined && from?.isInteger === true && from.least >= target.least && from.most <= target.most
}

/** Whether a limit for numbers allows all numbers of a range. */
export function allowsRange({ value, isExclusive }: Limit, isUpper: boolean, { least, most }: NumberRange): boolean {
  const bound = isUpper ? most : least
  if (bound === value) return !isExclusive
  return isUpper ? bound < value : bound > value
}
