import { isObject, type JsonObject } from '../../source/is-object.ts'
import { childPlace } from '../collect-operations.ts'
import type { Place } from '../follow-reference.ts'
import { equalJson } from '../instances/match-scalar.ts'
import { shorten } from '../suggestions.ts'
import { compareLimits } from './compare-limits.ts'
import { type Difference, report, type Scope } from './comparison.ts'
import { capitalize, compareDeprecation } from './lifecycle.ts'
import { nameReference } from './name-place.ts'
import type { SchemaPair } from './schema-pair.ts'
import { findKeyword, keywordPlace, keywordPlaces, type SchemaView, topPlace } from './schema-view.ts'

/** Compares the keywords that concern a value as a whole: enums, constants, limits, patterns, defaults, encodings. */
export function compareValues(pair: SchemaPair): void {
  compareEnums(pair)
  compareExtensibleEnums(pair)
  compareLimits(pair)
  comparePatterns(pair)
  compareDefaults(pair)
  compareEncodings(pair)
  compareDiscriminators(pair)
  compareSchemaDeprecation(pair)
}

/** The allowed values with their places. */
interface Values {
  readonly keyword: 'enum' | 'const'
  readonly byKey: ReadonlyMap<string, Place>
  readonly place: Place
}

function readValues(view: SchemaView): Values | undefined {
  let found: Values | undefined
  for (const { place, value } of view.parts) {
    for (const keyword of ['const', 'enum'] as const) {
      const list = childPlace(place, keyword)
      if (value[keyword] === undefined || (keyword === 'enum' && !Array.isArray(list.value))) continue
      const places =
        Array.isArray(list.value) && keyword === 'enum' ? list.value.map((_each, index) => childPlace(list, index)) : [list]
      const own = new Map(places.map((one) => [toValueKey(one.value), one]))
      if (!found) found = { keyword, byKey: own, place: list }
      else {
        const byKey = new Map([...found.byKey].filter(([key]) => own.has(key)))
        found = found.keyword === 'const' || keyword === 'enum' ? { ...found, byKey } : { keyword, byKey, place: list }
      }
    }
  }
  return found
}

/** A text that is equal for equal values, whatever the order of their keys. */
function toValueKey(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    return isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner
  })
}

function compareEnums({ scope, before, after }: SchemaPair): void {
  const [from, to] = [readValues(before), readValues(after)]
  const [base, revision] = [from?.place ?? topPlace(before), to?.place ?? topPlace(after)]
  if (!from && !to) return
  if (!from || !to) {
    const code = `${(from ?? to)?.keyword ?? 'enum'}-${from ? 'removed' : 'added'}` as const
    const listed = listValues(from ?? to)
    const message = (at: string) => (from ? `${at} is no longer limited to ${listed}` : `${at} is now limited to ${listed}`)
    report(scope, { code, base, revision, message: (at) => capitalize(message(at)) })
    return
  }
  if (from.keyword === 'const' && to.keyword === 'const' && from.byKey.size === 1 && to.byKey.size === 1) {
    if (from.byKey.keys().next().value === to.byKey.keys().next().value) return
    const message = (at: string) => `Constant value of ${at} changed from ${listValues(from)} to ${listValues(to)}`
    report(scope, { code: 'const-changed', base, revision, message })
    return
  }
  for (const [key, place] of from.byKey) {
    if (to.byKey.has(key)) continue
    const message = (at: string) => `Value \`${shorten(key)}\` was removed from the enum of ${at}`
    report(scope, { code: 'enum-value-removed', base: place, revision: to.place, detail: key, at: to.place, message })
  }
  for (const [key, place] of to.byKey) {
    if (from.byKey.has(key)) continue
    const message = (at: string) => `Value \`${shorten(key)}\` was added to the enum of ${at}`
    report(scope, { code: 'enum-value-added', base: from.place, revision: place, detail: key, message })
  }
}

/** Longest list of values in a message. */
const maxListed = 5

function listValues(values: Values | undefined): string {
  const keys = [...(values?.byKey.keys() ?? [])]
  const shown = keys.slice(0, maxListed).map((key) => `\`${shorten(key)}\``)
  return keys.length > maxListed ? `${shown.join(', ')} and ${keys.length - maxListed} more` : shown.join(', ')
}

function compareExtensibleEnums({ scope, before, after }: SchemaPair): void {
  const [from, to] = [keywordPlace(before, 'x-extensible-enum'), keywordPlace(after, 'x-extensible-enum')]
  if (!from || !to || !Array.isArray(from.value) || !Array.isArray(to.value)) return
  const left = new Set(to.value.map(toValueKey))
  for (const [index, value] of from.value.entries()) {
    const key = toValueKey(value)
    if (left.has(key)) continue
    report(scope, {
      code: 'extensible-enum-value-removed',
      base: childPlace(from, index),
      revision: to,
      detail: key,
      message: (at) => `Value \`${shorten(key)}\` was removed from \`x-extensible-enum\` of ${at}`,
    })
  }
}

/** Compares patterns. Those of several branches of `allOf` apply together. */
function comparePatterns({ scope, before, after }: SchemaPair): void {
  const [from, to] = [keywordPlaces(before, 'pattern'), keywordPlaces(after, 'pattern')]
  const removed = from.filter(({ value }) => !to.some((other) => other.value === value))
  const added = to.filter(({ value }) => !from.some((other) => other.value === value))
  for (let index = 0; index < Math.max(removed.length, added.length); index++) {
    comparePattern(scope, removed[index], added[index], { base: topPlace(before), revision: topPlace(after) })
  }
}

function comparePattern(
  scope: Scope,
  from: Place | undefined,
  to: Place | undefined,
  tops: { readonly base: Place | undefined; readonly revision: Place | undefined },
): void {
  // Without the keyword, any text is allowed.
  if ((!from && allowsAnyText(to?.value)) || (!to && allowsAnyText(from?.value))) return
  const [base, revision] = [from ?? tops.base, to ?? tops.revision]
  const shown = (place: Place | undefined) => `\`${shorten(String(place?.value))}\``
  const [code, message]: [Difference['code'], (at: string) => string] = !from
    ? ['pattern-added', (at) => `Pattern ${shown(to)} was added to ${at}`]
    : !to
      ? ['pattern-removed', (at) => `Pattern ${shown(from)} was removed from ${at}`]
      : [
          allowsAnyText(to.value) ? 'pattern-widened' : allowsAnyText(from.value) ? 'pattern-added' : 'pattern-changed',
          (at) => `Pattern of ${at} changed from ${shown(from)} to ${shown(to)}`,
        ]
  report(scope, { code, base, revision, message })
}

function allowsAnyText(pattern: unknown): boolean {
  return typeof pattern === 'string' && /^\^?(?:\.\*|\(\.\*\))?\$?$/.test(pattern)
}

function compareDefaults({ scope, before, after }: SchemaPair): void {
  const [from, to] = [keywordPlace(before, 'default'), keywordPlace(after, 'default')]
  if (equalJson(from?.value, to?.value)) return
  report(scope, {
    code: 'default-changed',
    codeOfParameter: 'parameter-default-changed',
    base: from ?? topPlace(before),
    revision: to ?? topPlace(after),
    message: (at) => {
      if (!from) return `Default \`${shorten(toValueKey(to?.value))}\` was added to ${at}`
      if (!to) return `Default \`${shorten(toValueKey(from.value))}\` was removed from ${at}`
      return `Default of ${at} changed from \`${shorten(toValueKey(from.value))}\` to \`${shorten(toValueKey(to.value))}\``
    },
  })
}

function compareEncodings({ scope, before, after }: SchemaPair): void {
  for (const keyword of ['contentMediaType', 'contentEncoding']) {
    const [from, to] = [keywordPlace(before, keyword), keywordPlace(after, keyword)]
    if (from?.value === to?.value) continue
    report(scope, {
      code: 'content-encoding-changed',
      base: from ?? topPlace(before),
      revision: to ?? topPlace(after),
      detail: keyword,
      message: (at) => `\`${keyword}\` of ${at} changed from ${nameText(from?.value)} to ${nameText(to?.value)}`,
    })
  }
}

function nameText(value: unknown): string {
  return value === undefined ? 'nothing' : `\`${shorten(String(value))}\``
}

function compareDiscriminators({ scope, before, after }: SchemaPair): void {
  const [from, to] = [keywordPlace(before, 'discriminator'), keywordPlace(after, 'discriminator')]
  const [base, revision] = [from ?? topPlace(before), to ?? topPlace(after)]
  if (!from || !to) {
    if (!from && !to) return
    const message = (at: string) => `Discriminator was ${from ? 'removed from' : 'added to'} ${at}`
    report(scope, { code: 'discriminator-changed', base, revision, message })
    return
  }
  const [one, other] = [readDiscriminator(from.value), readDiscriminator(to.value)]
  if (one.propertyName !== other.propertyName) {
    const message = (at: string) =>
      `Discriminator property of ${at} changed from ${nameText(one.propertyName)} to ${nameText(other.propertyName)}`
    report(scope, { code: 'discriminator-changed', base, revision, detail: 'propertyName', message })
  }
  for (const key of new Set([...Object.keys(one.mapping), ...Object.keys(other.mapping)])) {
    const [target, next] = [nameReference(one.mapping[key]), nameReference(other.mapping[key])]
    if (target === next) continue
    const message = (at: string) =>
      `Discriminator value \`${shorten(key)}\` of ${at} ${target === undefined ? 'was added' : next === undefined ? 'was removed' : 'refers to another schema'}`
    report(scope, { code: 'discriminator-changed', base, revision, detail: key, message })
  }
}

function readDiscriminator(value: unknown): { propertyName: unknown; mapping: JsonObject } {
  if (!isObject(value)) return { propertyName: undefined, mapping: {} }
  return { propertyName: value['propertyName'], mapping: isObject(value['mapping']) ? value['mapping'] : {} }
}

function compareSchemaDeprecation({ state, scope, before, after }: SchemaPair): void {
  const merge = (view: SchemaView): JsonObject => {
    const merged: Record<string, unknown> = {}
    for (const keyword of ['deprecated', 'x-sunset', 'x-stability-level']) {
      merged[keyword] = findKeyword(view, keyword)?.value[keyword]
    }
    return merged
  }
  const [base, revision] = [topPlace(before), topPlace(after)]
  if (!base || !revision) return
  compareDeprecation(state, scope, 'property', { ...base, value: merge(before) }, { ...revision, value: merge(after) })
}
