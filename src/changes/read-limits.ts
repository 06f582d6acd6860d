import { childPlace } from '../openapi/read/collect-operations.ts'
import type { Place } from '../openapi/types.ts'
import { readOwn } from '../text/json/json-values.ts'
import type { ComparedSchema } from './compared-schema.ts'

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
export const limitRules: readonly LimitRule[] = [
  { keyword: 'maximum', exclusive: 'exclusiveMaximum', isUpper: true },
  { keyword: 'minimum', exclusive: 'exclusiveMinimum', isUpper: false },
  { keyword: 'maxLength', isUpper: true },
  { keyword: 'minLength', isUpper: false },
  { keyword: 'maxItems', isUpper: true },
  { keyword: 'minItems', isUpper: false },
  { keyword: 'maxProperties', isUpper: true },
  { keyword: 'minProperties', isUpper: false },
  { keyword: 'maxContains', isUpper: true },
  { keyword: 'minContains', isUpper: false, implied: 1 },
]

/** A bound with its place. */
export interface Limit {
  readonly keyword: string
  readonly value: number
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
    const bound = readOwn(value, keyword)
    const other = exclusive === undefined ? undefined : readOwn(value, exclusive)
    if (typeof bound === 'number') {
      add({ keyword, value: bound, isExclusive: other === true, place: childPlace(place, keyword) })
    }
    if (exclusive !== undefined && typeof other === 'number') {
      add({ keyword: exclusive, value: other, isExclusive: true, place: childPlace(place, exclusive) })
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
