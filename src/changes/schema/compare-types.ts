import { followOnly, includesType, isMapping } from '../../openapi/references/follow-reference.ts'
import type { Place } from '../../text/json/json-values.ts'
import { onceFor } from '../../text/plain/lists.ts'
import { type Difference, report, type Side, use } from '../differences/comparison.ts'
import { toText } from '../differences/name-place.ts'
import { hasFormat, readNumberRange, readValues } from './allowed-values.ts'
import {
  type ComparedSchema,
  keywordPlaces,
  listAlternatives,
  listTypeBranches,
  readTypes,
  type SchemaTypes,
  toComparedSchema,
  topPlace,
} from './compared-schema.ts'
import { allowsAnyText, listKeywords } from './keywords.ts'
import { pairUnequal } from './match-alternatives.ts'
import { allowsType, readBothTypes, type SchemaPair, toPlaces } from './schema-pair.ts'

/** Compares types, nullability and formats. Returns `replaced` if no value of the old type has the new one. */
export function compareTypes(pair: SchemaPair): 'replaced' | undefined {
  const { from, to } = readBothTypes(pair)
  const { before, after } = pair
  const isGiven = Boolean(from.types) === Boolean(to.types)
  // Types in place of alternatives, or the reverse.
  const withNull = (own: SchemaTypes, schema: ComparedSchema) =>
    isGiven || own.types || !findTypes(undefined, schema) ? own : { ...own, isNullable: allowsNull(schema) }
  compareNullable(pair, withNull(from, before), withNull(to, after))
  const relation = isGiven ? relate(from.types, to.types) : relate(findTypes(from.types, before), findTypes(to.types, after))
  if (relation !== 'same') reportType(pair, from, to, relation)
  if (relation !== 'changed') compareFormats(pair, relation)
  // Otherwise, some of the old types are still allowed.
  const isReplaced = relation === 'changed' && ![...(from.types ?? [])].some((type) => to.types?.has(type))
  return isReplaced ? 'replaced' : undefined
}

function compareNullable(pair: SchemaPair, from: SchemaTypes, to: SchemaTypes): void {
  if (from.isNullable === to.isNullable) return
  const { before, after } = pair
  const [nullable, plain] = from.isNullable ? [before, after] : [after, before]
  // A schema without a type already allows `null`, unless all of its alternatives exclude it.
  if (!(from.isNullable ? to : from).types && !(nullable.addsNull && !allowsNull(plain))) return
  report(pair.scope, {
    code: to.isNullable ? 'became-nullable' : 'became-not-nullable',
    // Alternatives add `null` to a use of a schema, not to the schema.
    ...(nullable.addsNull
      ? { base: topPlace(before), revision: topPlace(after) }
      : toPlaces(pair, from.nullablePlace ?? from.place, to.nullablePlace ?? to.place)),
    message: (at) => (to.isNullable ? `\`null\` is now allowed for ${at}` : `\`null\` is no longer allowed for ${at}`),
  })
}

/** The answers for schemas of the documents: many unions can share them. */
const nullsOf = onceFor((_side: Side) => new Map<unknown, boolean>())

/** Whether a schema allows `null` for sure: by its types, its values, or an alternative. */
function allowsNull(schema: ComparedSchema): boolean {
  const { types, isNullable } = readTypes(schema)
  const isUncertain = schema.parts.some(({ value, allowsNull }) => !allowsNull && (value['not'] ?? value['if']) !== undefined)
  if (isUncertain || readValues(schema, true)?.byKey.has('null') === false) return false
  if (types) return isNullable
  return listAlternatives(schema).every(({ branches }) => branches.some((branch) => branchAllowsNull(branch, schema.side)))
}

/** Whether an alternative allows `null` for sure. */
export function branchAllowsNull(branch: Place, side: Side): boolean {
  const schema = followOnly(branch, side.follow)
  if (!isMapping(schema)) return schema.value === true
  const known = nullsOf(side)
  const before = known.get(schema.value)
  if (before !== undefined) return before
  // A schema inside itself allows nothing more.
  known.set(schema.value, false)
  const answer = allowsNull(toComparedSchema([branch], side))
  known.set(schema.value, answer)
  return answer
}

type Relation = 'same' | 'wider' | 'narrower' | 'changed'

type Types = ReadonlySet<string> | undefined

function relate(from: Types, to: Types): Relation {
  const [isWithin, contains] = [includes(to, from), includes(from, to)]
  if (isWithin) return contains ? 'same' : 'wider'
  return contains ? 'narrower' : 'changed'
}

/** Whether all types of `inner` are in `outer`. */
function includes(outer: Types, inner: Types): boolean {
  if (!outer || !inner) return !outer
  return [...inner].every((type) => includesType([...outer], type))
}

function reportType(pair: SchemaPair, from: SchemaTypes, to: SchemaTypes, relation: Relation): void {
  const { scope, before, after } = pair
  const code: Difference['code'] =
    relation === 'wider' ? 'type-widened' : relation === 'narrower' ? 'type-narrowed' : 'type-changed'
  const [was, is] = [isAnyText(before, from.types, to.types), isAnyText(after, to.types, from.types)]
  report(scope, {
    code,
    codeInText: is && !was ? 'type-widened' : was && !is ? 'type-narrowed' : undefined,
    noEffectIn: was && is ? use.text : undefined,
    codeInParameter: relation === 'changed' ? 'type-uncertain' : undefined,
    ...toPlaces(pair, from.place, to.place),
    message: (at) => `Type of ${at} changed from ${nameTypes(from, before)} to ${nameTypes(to, after)}`,
  })
}

/** Whether a schema allows any text. As text, every scalar is a string. */
function isAnyText(schema: ComparedSchema, types: Types, others: Types): boolean {
  const { parts } = schema
  if (!types?.has('string') || types.has('array') || types.has('object')) return false
  if (!others || others.has('array')) return false
  // Alternatives that only list types are these types.
  if (listAlternatives(schema).some(({ branches }) => !listTypeBranches(branches))) return false
  return !parts.some(({ place, value }) => {
    if (value['pattern'] !== undefined && !allowsAnyText(value['pattern'])) return true
    return listKeywords(place).some((key) => textKeywords.includes(key))
  })
}

const textKeywords = ['enum', 'const', 'format', 'minLength', 'maxLength', 'not', 'if']

function nameTypes({ types, isNullable }: SchemaTypes, schema: ComparedSchema): string {
  if (types?.size === 0) return isNullable ? '`null`' : 'no type'
  return [...(findTypes(types, schema) ?? [])].map((type) => `\`${type}\``).join(' or ') || 'any type'
}

/** The types of a schema, else those that all alternatives of a list have. */
function findTypes(types: Types, schema: ComparedSchema): Types {
  if (types) return types
  const lists = listAlternatives(schema).map(({ branches }) =>
    branches.map((branch) => readTypes(toComparedSchema([branch], schema.side)).types),
  )
  const known = lists.find((inside) => !inside.includes(undefined))
  return known && new Set(known.flatMap((one) => [...(one ?? [])]))
}

/** Formats of JSON Schema, which concern strings only. */
const stringFormats = new Set([
  ...['date', 'time', 'date-time', 'duration', 'email', 'idn-email', 'hostname', 'idn-hostname', 'ipv4', 'ipv6', 'uuid', 'uri'],
  ...['uri-reference', 'uri-template', 'iri', 'iri-reference', 'json-pointer', 'relative-json-pointer', 'regex'],
])

/**
 * Compares formats. Those of several branches of `allOf` apply together.
 *
 * If there are more or fewer types, the format only counts if it has the opposite effect.
 */
function compareFormats(pair: SchemaPair, types: Exclude<Relation, 'changed'>): void {
  const { scope, before, after } = pair
  const [all, others] = [keywordPlaces(before, 'format'), keywordPlaces(after, 'format')]
  if (all.length === others.length && all.every(({ value }, index) => value === others[index]?.value)) return
  const isString = allowsType(pair, 'string')
  // Limits bound no texts.
  const ranges = isString ? {} : { was: readNumberRange(before), is: readNumberRange(after) }
  const isUsed = ({ value }: Place) => isString || !stringFormats.has(toText(value))
  for (const [one, other] of pairUnequal(
    all.filter(isUsed),
    others.filter(isUsed),
    (place, each) => place.value === each.value,
  )) {
    const [from, to] = [one?.value, other?.value]
    // What the new format excludes that the old schema allowed, and the reverse.
    const [narrows, widens] = [!hasFormat(to, ranges.was, from), !hasFormat(from, ranges.is, to)]
    if ((types === 'wider' && !narrows) || (types === 'narrower' && !widens)) continue
    const isWider = !other || (widens && !narrows)
    const isNarrower = !one || (narrows && !widens)
    report(scope, {
      code: isWider ? 'format-widened' : isNarrower ? 'format-narrowed' : 'format-changed',
      hasNoEffect: !narrows && !widens,
      ...toPlaces(pair, one, other),
      message: (at) => {
        if (!one) return `Format \`${toText(to)}\` was added to ${at}`
        if (!other) return `Format \`${toText(from)}\` was removed from ${at}`
        return `Format of ${at} changed from \`${toText(from)}\` to \`${toText(to)}\``
      },
    })
  }
}
