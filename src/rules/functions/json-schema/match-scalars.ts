import { countCharacters } from '../../../openapi/schema/json-schema.ts'
import { type JsonObject, readOwn } from '../../../text/json/json-values.ts'
import { shorten } from '../../../text/plain/suggest.ts'
import { compilePattern } from '../../regular-expression.ts'
import { equalValues } from './inspect-schema.ts'
import { fail, type Keywords, type Match } from './match-state.ts'
import { hasFormat } from './schema-formats.ts'

/** Numbers. Source: JSON Schema 2020-12, validation, section 6.2; draft 4, validation, section 5.1. */
function limit(
  keyword: string,
  exclusive: string,
  isBeyond: (value: number, limit: number) => boolean,
  words: readonly [string, string],
) {
  return [
    keyword,
    (match: Match, described: unknown, value: unknown, schema: JsonObject) => {
      const isExclusive = match.dialect === 'draft4' && readOwn(schema, exclusive) === true
      const [number, most] = [Number(value), Number(described)]
      const isValid = isExclusive ? !isBeyond(number, most) && number !== most : !isBeyond(number, most)
      return isValid || fail(match, keyword, `be ${isExclusive ? words[1] : words[0]} ${most}`)
    },
  ] as const
}

function exclusiveLimit(keyword: string, isBeyond: (value: number, limit: number) => boolean, words: string) {
  return [
    keyword,
    (match: Match, described: unknown, value: unknown) =>
      match.dialect === 'draft4' ||
      (!isBeyond(Number(value), Number(described)) && value !== described) ||
      fail(match, keyword, `be ${words} ${String(described)}`),
  ] as const
}

export const isAbove = (value: number, limit: number) => value > limit
export const isBelow = (value: number, limit: number) => value < limit

function matchMultiple(match: Match, described: unknown, value: unknown): boolean {
  return Number.isInteger(Number(value) / Number(described)) || fail(match, 'multipleOf', `be a multiple of ${String(described)}`)
}

function matchFormat(match: Match, described: unknown, value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return true
  return hasFormat(String(described), value) || fail(match, 'format', `have the format \`${shorten(String(described))}\``)
}

/** Limits of strings, lists and mappings. */
export function size(
  keyword: string,
  measure: (value: unknown) => number,
  isBeyond: (size: number, limit: number) => boolean,
  words: string,
) {
  return [
    keyword,
    (match: Match, described: unknown, value: unknown) =>
      !isBeyond(measure(value), Number(described)) || fail(match, keyword, `have ${words.replace('#', String(described))}`),
  ] as const
}

const countText = (value: unknown) => countCharacters(String(value))

function matchPattern(match: Match, described: unknown, value: unknown): boolean {
  const { compiled } = compilePattern(String(described))
  return (
    !compiled || compiled.test(String(value)) || fail(match, 'pattern', `match the pattern \`${shorten(String(described))}\``)
  )
}

export function matchConst(match: Match, described: unknown, value: unknown): boolean {
  return equalValues(described, value, match.spend) || fail(match, 'const', 'have the value of `const`')
}

export function matchEnum(match: Match, described: unknown, value: unknown): boolean {
  const allowed: readonly unknown[] = Array.isArray(described) ? described : []
  return allowed.some((entry) => equalValues(entry, value, match.spend)) || fail(match, 'enum', '', { allowed })
}

export const numberKeywords: Keywords = [
  limit('maximum', 'exclusiveMaximum', isAbove, ['at most', 'less than']),
  limit('minimum', 'exclusiveMinimum', isBelow, ['at least', 'greater than']),
  exclusiveLimit('exclusiveMaximum', isAbove, 'less than'),
  exclusiveLimit('exclusiveMinimum', isBelow, 'greater than'),
  ['multipleOf', matchMultiple],
  ['format', matchFormat],
]

export const textKeywords: Keywords = [
  size('maxLength', countText, isAbove, 'at most # characters'),
  size('minLength', countText, isBelow, 'at least # characters'),
  ['pattern', matchPattern],
  ['format', matchFormat],
]
