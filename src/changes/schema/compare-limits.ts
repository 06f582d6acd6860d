import { type Place, toExactNumber } from '../../text/json/json-values.ts'
import { type Difference, report } from '../differences/comparison.ts'
import {
  allowsRange,
  isStricter,
  type Limit,
  type LimitRule,
  limitRules,
  listsTexts,
  readLimit,
  readNumberRange,
} from './allowed-values.ts'
import { type ComparedSchema, keywordPlaces, readTypes } from './compared-schema.ts'
import { type SchemaPair, toPlaces } from './schema-pair.ts'

/** Compares bounds of numbers, lengths and counts. */
export function compareLimits(pair: SchemaPair): void {
  for (const rule of Object.values(limitRules)) compareLimit(pair, rule)
  compareUniqueItems(pair)
  compareMultipleOf(pair)
}

function compareLimit(pair: SchemaPair, rule: LimitRule): void {
  const { scope, before, after } = pair
  const [from, to] = [readLimit(before, rule), readLimit(after, rule)]
  if (!from && !to) return
  if (from && to && from.value === to.value && from.isExclusive === to.isExclusive) return
  const { base, revision } = toPlaces(pair, from?.place, to?.place)
  const detail = rule.keyword
  const keyword = (to ?? from)?.keyword ?? rule.keyword
  const hasNoEffect = allowsSameValues(pair, rule, from, to)
  if (from && to) {
    const code = isStricter(to, from, rule.isUpper) ? 'limit-tightened' : 'limit-loosened'
    const message = (at: string) => `\`${keyword}\` of ${at} changed from ${from.value} to ${to.value}`
    const exclusive = (at: string) =>
      `\`${rule.keyword}\` ${to.value} of ${at} is ${to.isExclusive ? 'now' : 'no longer'} exclusive`
    report(scope, { code, base, revision, detail, hasNoEffect, message: from.value === to.value ? exclusive : message })
    return
  }
  const limit = from ?? to
  // A minimum length of 0 allows everything.
  if (!limit || (!rule.isUpper && limit.value <= (rule.implied ?? 0) && rule.keyword !== 'minimum')) return
  const code: Difference['code'] = from
    ? 'limit-removed'
    : rule.implied === undefined
      ? 'limit-added'
      : isStricter(limit, { ...limit, value: rule.implied }, rule.isUpper)
        ? 'limit-tightened'
        : 'limit-loosened'
  const verb = from ? 'removed from' : 'added to'
  report(scope, { code, base, revision, detail, hasNoEffect, message: (at) => `\`${keyword}\` ${limit.value} was ${verb} ${at}` })
}

/** Whether other keywords already exclude the values that a changed limit excludes, in both versions. */
function allowsSameValues({ before, after }: SchemaPair, { keyword, isUpper }: LimitRule, from?: Limit, to?: Limit): boolean {
  if (keyword === 'maxLength' || keyword === 'minLength') {
    const allows = (schema: ComparedSchema, { value }: Limit) =>
      listsTexts(schema, (text) => (isUpper ? [...text].length <= value : [...text].length >= value))
    return (!to || allows(before, to)) && (!from || allows(after, from))
  }
  if (keyword !== 'maximum' && keyword !== 'minimum') return false
  const [was, is] = [readNumberRange(before), readNumberRange(after)]
  if (!was || !is) return false
  return (!to || allowsRange(to, isUpper, was)) && (!from || allowsRange(from, isUpper, is))
}

function compareUniqueItems(pair: SchemaPair): void {
  const { scope, before, after } = pair
  const [from, to] = [before, after].map((schema) => keywordPlaces(schema, 'uniqueItems').find(({ value }) => value === true))
  if (Boolean(from) === Boolean(to)) return
  report(scope, {
    code: to ? 'limit-added' : 'limit-removed',
    ...toPlaces(pair, from, to),
    detail: 'uniqueItems',
    message: (at) => (to ? `Items of ${at} must now be unique` : `Items of ${at} are no longer unique`),
  })
}

/** Compares `multipleOf`. Those of several branches of `allOf` apply together. */
function compareMultipleOf(pair: SchemaPair): void {
  const { scope, before, after } = pair
  const find = (schema: ComparedSchema) => {
    const { types } = readTypes(schema)
    // Every integer is a multiple of 1.
    const least = types?.has('integer') && !types.has('number') ? 1 : 0
    return keywordPlaces(schema, 'multipleOf').filter(({ value }) => value !== least && (toExactNumber(value) ?? 0) > 0)
  }
  const [from, to] = [find(before), find(after)]
  const isImplied = (place: Place, others: readonly Place[]) =>
    others.some(({ value }) => value === place.value || isMultiple(value, place.value))
  const added = to.find((place) => !isImplied(place, from))
  const removed = from.find((place) => !isImplied(place, to))
  if (!added && !removed) return
  const [one, other] = [removed ?? from[0], added ?? to[0]]
  const { base, revision } = toPlaces(pair, one, other)
  const code: Difference['code'] = !other
    ? 'limit-removed'
    : !one
      ? 'limit-added'
      : !added
        ? 'limit-loosened'
        : removed
          ? 'constraint-changed'
          : 'limit-tightened'
  const message = (at: string) => {
    if (!one) return `\`multipleOf\` ${other?.value} was added to ${at}`
    if (!other) return `\`multipleOf\` ${one.value} was removed from ${at}`
    return `\`multipleOf\` of ${at} changed from ${one.value} to ${other.value}`
  }
  report(scope, { code, base, revision, detail: 'multipleOf', message })
}

function isMultiple(value: unknown, divisor: unknown): boolean {
  if (typeof value !== 'number' || typeof divisor !== 'number') return false
  return Number.isInteger(Math.round((value / divisor) * 1e9) / 1e9)
}
