import { anyBytes, keywordIn } from '../../model/schema.ts'
import { itemsOf, valueIn } from '../../openapi/references/follow-reference.ts'
import { equalJson, matchPattern, toValueKey } from '../../openapi/schema/json-schema.ts'
import type { Place } from '../../text/json/json-values.ts'
import { capitalize, listFirst } from '../../text/plain/lists.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { type Difference, report, type Scope, use } from '../differences/comparison.ts'
import { compareDeprecation } from '../differences/lifecycle.ts'
import { nameValue, toText } from '../differences/name-place.ts'
import { listsTexts, readValues, type Values } from './allowed-values.ts'
import { compareLimits } from './compare-limits.ts'
import {
  type ComparedSchema,
  findKeyword,
  keywordPlace,
  keywordPlaces,
  keywordValues,
  type SchemaTypes,
  topPlace,
} from './compared-schema.ts'
import { allowsAnyText } from './keywords.ts'
import { pairUnequal } from './match-alternatives.ts'
import { readBothTypes, type SchemaPair, toPlaces } from './schema-pair.ts'

/** Compares the keywords that concern a value as a whole: enums, constants, limits, patterns, defaults, encodings. */
export function compareValues(pair: SchemaPair): void {
  compareEnums(pair)
  compareExtensibleEnums(pair)
  compareLimits(pair)
  comparePatterns(pair)
  compareDefaults(pair)
  compareEncodings(pair)
  compareXml(pair)
  compareSchemaDeprecation(pair)
}

function compareEnums(pair: SchemaPair): void {
  const { scope, before, after } = pair
  if (![before, after].some((schema) => findKeyword(schema, 'enum') ?? findKeyword(schema, 'const'))) return
  const types = readBothTypes(pair)
  // Otherwise, the change of `null` is reported with the types.
  const isNullable = types.from.isNullable && types.to.isNullable
  const [from, to] = [
    withoutBooleans(readValues(before, isNullable), types.from),
    withoutBooleans(readValues(after, isNullable), types.to),
  ]
  const { base, revision } = toPlaces(pair, from?.place, to?.place)
  if (!from && !to) return
  if (!from || !to) {
    const [own, other] = from ? [types.from, types.to] : [types.to, types.from]
    // The other schema allows only `null`. Values of other types are reported with the types.
    if (other.types?.size === 0 && (own.types?.size !== 0 || (from ?? to)?.byKey.has('null'))) return
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
  compareListed(scope, from, to, { name: 'the enum', removed: 'enum-value-removed', added: 'enum-value-added' })
}

/** Compares the values of two lists. */
function compareListed(
  scope: Scope,
  from: Pick<Values, 'byKey' | 'place'>,
  to: Pick<Values, 'byKey' | 'place'>,
  { name, removed, added }: { readonly name: string; readonly removed: Difference['code']; readonly added: Difference['code'] },
): void {
  for (const [key, place] of from.byKey) {
    if (to.byKey.has(key)) continue
    const message = (at: string) => `Value \`${shorten(key)}\` was removed from ${name} of ${at}`
    report(scope, { code: removed, base: place, revision: to.place, detail: key, message })
  }
  for (const [key, place] of to.byKey) {
    if (from.byKey.has(key)) continue
    const message = (at: string) => `Value \`${shorten(key)}\` was added to ${name} of ${at}`
    report(scope, { code: added, base: from.place, revision: place, detail: key, message })
  }
}

/** The values, unless they are both booleans of a boolean: then they exclude nothing. */
function withoutBooleans(values: Values | undefined, { types }: SchemaTypes): Values | undefined {
  const listsBoth = types?.size === 1 && types.has('boolean') && ['true', 'false'].every((key) => values?.byKey.has(key))
  return listsBoth ? undefined : values
}

/** Longest list of values in a message. */
const maxListed = 5

function listValues(values: Values | undefined): string {
  return listFirst([...(values?.byKey.keys() ?? [])], maxListed, (key) => `\`${shorten(key)}\``)
}

function compareExtensibleEnums(pair: SchemaPair): void {
  const { scope, before, after } = pair
  const [from, to] = [keywordPlace(before, 'x-extensible-enum'), keywordPlace(after, 'x-extensible-enum')]
  if (!from && !to) return
  if (!from || !to) {
    const message = (at: string) => `\`x-extensible-enum\` was ${to ? 'added to' : 'removed from'} ${at}`
    report(scope, { code: 'extensible-enum-changed', ...toPlaces(pair, from, to), message })
    return
  }
  const toListed = (place: Place) => ({ place, byKey: new Map(itemsOf(place).map((one) => [toValueKey(one.value), one])) })
  const codes = { removed: 'extensible-enum-value-removed', added: 'extensible-enum-changed' } as const
  compareListed(scope, toListed(from), toListed(to), { name: '`x-extensible-enum`', ...codes })
}

/** Compares patterns. Those of several branches of `allOf` apply together. */
function comparePatterns(pair: SchemaPair): void {
  const [from, to] = [keywordPlaces(pair.before, 'pattern'), keywordPlaces(pair.after, 'pattern')]
  for (const [one, other] of pairUnequal(from, to, (place, each) => place.value === each.value)) comparePattern(pair, one, other)
}

function comparePattern(pair: SchemaPair, from: Place | undefined, to: Place | undefined): void {
  // Without the keyword, any text is allowed.
  if ((!from && allowsAnyText(to?.value)) || (!to && allowsAnyText(from?.value))) return
  const { base, revision } = toPlaces(pair, from, to)
  const shown = (place: Place | undefined) => `\`${shorten(toText(place?.value))}\``
  const [code, message]: [Difference['code'], (at: string) => string] = !from
    ? ['pattern-added', (at) => `Pattern ${shown(to)} was added to ${at}`]
    : !to
      ? ['pattern-removed', (at) => `Pattern ${shown(from)} was removed from ${at}`]
      : [
          allowsAnyText(to.value) ? 'pattern-widened' : allowsAnyText(from.value) ? 'pattern-added' : 'pattern-changed',
          (at) => `Pattern of ${at} changed from ${shown(from)} to ${shown(to)}`,
        ]
  // The listed values already match.
  const allows = (schema: ComparedSchema, { value }: Place) =>
    listsTexts(schema, (text) => matchPattern(toText(value), text) === true)
  const hasNoEffect = (!to || allows(pair.before, to)) && (!from || allows(pair.after, from))
  report(pair.scope, { code, base, revision, hasNoEffect, message })
}

function compareDefaults(pair: SchemaPair): void {
  const { scope, before, after } = pair
  const [from, to] = [keywordPlace(before, 'default'), keywordPlace(after, 'default')]
  if (equalJson(from?.value, to?.value)) return
  const [earlier, later] = [from, to].map((one) => (typeof one?.value === 'string' ? one.value : toValueKey(one?.value)))
  report(scope, {
    code: 'default-changed',
    codeOfParameter: 'parameter-default-changed',
    noEffectIn: earlier === later ? use.required | use.text : use.required,
    ...toPlaces(pair, from, to),
    message: (at) => {
      if (!from) return `Default \`${shorten(toValueKey(to?.value))}\` was added to ${at}`
      if (!to) return `Default \`${shorten(toValueKey(from.value))}\` was removed from ${at}`
      return `Default of ${at} changed from \`${shorten(toValueKey(from.value))}\` to \`${shorten(toValueKey(to.value))}\``
    },
  })
}

function compareEncodings(pair: SchemaPair): void {
  const { scope, before, after } = pair
  for (const keyword of ['contentMediaType', 'contentEncoding']) {
    const [from, to] = [keywordPlace(before, keyword), keywordPlace(after, keyword)]
    if (from?.value === to?.value) continue
    // Another media type of a file is often that of its body, which 3.0 does not repeat.
    if (from && to && (from.value === anyBytes || to.value === anyBytes)) continue
    report(scope, {
      code: 'content-encoding-changed',
      ...toPlaces(pair, from, to),
      detail: keyword,
      message: (at) => `\`${keyword}\` of ${at} changed from ${nameValue(from?.value)} to ${nameValue(to?.value)}`,
    })
  }
}

/** Compares the names of XML elements and attributes, which have an effect in media types of XML only. */
function compareXml(pair: SchemaPair): void {
  const { scope, before, after } = pair
  const [from, to] = [keywordPlace(before, 'xml'), keywordPlace(after, 'xml')]
  if (!from && !to) return
  const types = readBothTypes(pair)
  if (equalJson(readXml(from, before, types.from), readXml(to, after, types.to))) return
  report(scope, {
    code: 'xml-changed',
    ...toPlaces(pair, from, to),
    onlyIn: use.xml,
    message: (at) => `XML representation of ${at} changed`,
  })
}

/** The XML Object with its defaults: the name is that of the property. Source: OpenAPI 3.2.0, "XML Object". */
function readXml(xml: Place | undefined, schema: ComparedSchema, { types }: SchemaTypes): unknown {
  const read = (field: string) => xml && valueIn(xml, field)
  const [, property] = /\/properties\/([^/]*)$/.exec(topPlace(schema)?.pointer ?? '') ?? []
  const isList = types?.has('array') === true
  const kind = read('attribute') === true ? 'attribute' : isList && read('wrapped') !== true ? 'none' : 'element'
  const name = read('name') === property ? undefined : read('name')
  return { name, namespace: read('namespace'), prefix: read('prefix'), nodeType: read('nodeType') ?? kind }
}

function compareSchemaDeprecation(pair: SchemaPair): void {
  const { state, scope, before, after } = pair
  const keywords = ['deprecated', 'x-sunset', 'x-stability-level']
  const merge = (schema: ComparedSchema) =>
    Object.fromEntries(keywords.map((keyword) => [keyword, keywordValues(schema, keyword)[0]]))
  const findPart = (schema: ComparedSchema) =>
    schema.parts.find(({ value }) => keywords.some((key) => keywordIn(value, key) !== undefined))
  const [from, to] = [findPart(before)?.place, findPart(after)?.place]
  if (!from && !to) return
  const { base, revision } = toPlaces(pair, from, to)
  if (!base || !revision) return
  compareDeprecation(state, scope, 'property', { ...base, value: merge(before) }, { ...revision, value: merge(after) })
}
