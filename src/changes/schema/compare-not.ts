import { listPlaces } from '../../openapi/references/follow-reference.ts'
import type { Place } from '../../text/json/json-values.ts'
import { listFirst } from '../../text/plain/lists.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { type ComparisonState, report, type Side, use, within } from '../differences/comparison.ts'
import {
  alternativeKeywords,
  type ComparedSchema,
  keywordPlace,
  keywordPlaces,
  readTypes,
  toComparedSchema,
  topPlace,
} from './compared-schema.ts'
import { describesProperty, readRequired } from './described-properties.ts'
import { areDisjoint } from './disjoint-schemas.ts'
import { hasOnly, placeOf, skipReference } from './keywords.ts'
import { nameOf, pairUnequal, takeFirst } from './match-alternatives.ts'
import { type SchemaPair, toPlaces } from './schema-pair.ts'

/** Compares `not`, unless it only excludes values of other types. */
export function compareNot(pair: SchemaPair): void {
  const { state, before, after, scope } = pair
  const excludes = (schema: ComparedSchema, place: Place) => !areDisjoint(state, schema, toComparedSchema([place], schema.side))
  const isVoid = ![before, after].some((schema) => keywordPlaces(schema, 'not').some((place) => excludes(schema, place)))
  if (isVoid) return
  compareExcluded(pair)
  const [from, to] = [keywordPlace(before, 'not'), keywordPlace(after, 'not')]
  if (before.addsNull === after.addsNull || !from || !to) return
  // An alternative for `null` is not excluded.
  const onlyNull = { ...from, value: { type: 'null' } }
  if (!excludes(toComparedSchema([onlyNull], state.base), from)) return
  const message = (at: string) => `\`null\` is ${after.addsNull ? 'no longer' : 'now'} excluded by \`not\` of ${at}`
  report(scope, { code: 'constraint-changed', base: from, revision: to, at: topPlace(after), detail: 'null', message })
}

/**
 * Compares the excluded schemas one by one: equal ones are matched, then those of which one requires all properties that the other
 * requires.
 */
function compareExcluded(pair: SchemaPair): void {
  const { state, scope, before, after, compareInner } = pair
  const [from, to] = [listExcluded(before), listExcluded(after)]
  const toEach = (places: readonly Place[]) => (from.length > 0 && to.length > 0 ? places.flatMap(listAlternatives) : places)
  const pairs = pairUnequal(toEach(from), toEach(to), (place, each) => state.isSame(place.value, each.value))
  const others = pairs.flatMap(([, other]) => other ?? [])
  for (const one of pairs.flatMap(([each]) => each ?? [])) {
    const names = listRequired(one, state.base)
    const other = takeFirst(others, (each) => isContained(names, listRequired(each, state.revision)))
    if (other) compareInner(within(scope, { invert: use.narrows, add: use.beside }), [one], [other])
    else reportExcluded(pair, one, undefined)
  }
  for (const other of others) reportExcluded(pair, undefined, other)
}

/** The schemas in `not`, except those that match nothing. */
function listExcluded(schema: ComparedSchema): Place[] {
  return keywordPlaces(schema, 'not').filter(({ value }) => value !== false)
}

/** The alternatives of an excluded schema, each of which is excluded. Those that only list types or values are one schema. */
function listAlternatives(place: Place): Place[] {
  const branches = hasOnly(place, 'anyOf') ? listPlaces(place, 'anyOf') : []
  return branches.some((branch) => placeOf(branch, 'required')) ? branches : [place]
}

function listRequired(place: Place, side: Side): readonly string[] {
  return [...readRequired(toComparedSchema([place], side)).keys()]
}

/** Whether one of two lists has all entries of the other. */
function isContained(one: readonly string[], other: readonly string[]): boolean {
  return one.every((name) => other.includes(name)) || other.every((name) => one.includes(name))
}

/** Longest list of properties in a message. */
const maxListed = 3

/** Reports a schema that only one version excludes. */
function reportExcluded(pair: SchemaPair, from: Place | undefined, to: Place | undefined): void {
  const { state, scope, before, after } = pair
  const place = to ?? from
  if (!place) return
  const [own, schema] = to ? [state.revision, before] : [state.base, after]
  const unknown = listAlternatives(place).map((one) => findUnknown(one, own, schema))
  const isUnknown = !unknown.includes(undefined)
  const isWhole = nameOf(place.pointer) === 'not'
  const names = isUnknown ? unknown.flatMap((name) => name ?? []) : isWhole ? [] : listRequired(place, own)
  const places = toPlaces(pair, from, to)
  const code = to ? 'constraint-added' : 'constraint-removed'
  const verb = to ? 'now excludes' : 'no longer excludes'
  const reason = isUnknown ? `, which it ${to ? 'did' : 'does'} not describe` : ''
  report(scope, {
    ...(isUnknown ? { code: 'composition-changed', codeBeside: code } : { code }),
    ...places,
    detail: ['not', ...names].join(' '),
    at: to ? places.base : places.revision,
    message: (at) => {
      if (names.length === 0) return `\`not\` was ${to ? 'added to' : 'removed from'} ${at}`
      return `\`not\` of ${at} ${verb} objects with ${listFirst(names, maxListed, (name) => `\`${shorten(name)}\``)}${reason}`
    },
  })
}

/** A property that all objects in an excluded schema have and another schema does not describe, so that clients do not send it. */
function findUnknown(place: Place, own: Side, schema: ComparedSchema): string | undefined {
  const excluded = toComparedSchema([place], own)
  const isObjectOnly = [readTypes(schema), readTypes(excluded)].some(({ types, isNullable }) => {
    return types?.size === 1 && types.has('object') && !isNullable
  })
  if (!isObjectOnly) return undefined
  return [...readRequired(excluded).keys()].find((name) => !describesProperty(schema, name))
}

/** A property that only one version of an alternative excludes. */
export interface ExcludedInside {
  readonly one: Place
  readonly other: Place
  readonly name: string
  readonly place: Place
  readonly isAdded: boolean
}

/** Lists the properties that only one version of an alternative excludes. */
export function listExcludedInside(state: ComparisonState, one: Place, other: Place): ExcludedInside[] {
  if (state.isSame(one.value, other.value)) return []
  const [from, to] = [readExcludedNames(one, state.base), readExcludedNames(other, state.revision)]
  const onlyIn = (own: ReadonlyMap<string, Place>, others: ReadonlyMap<string, Place>, isAdded: boolean) =>
    [...own].flatMap(([name, place]) => (others.has(name) ? [] : [{ one, other, name, place, isAdded }]))
  return [...onlyIn(to, from, true), ...onlyIn(from, to, false)]
}

/** Reports such a property if the schema around it describes it, so that clients send it. */
export function reportExcludedInside(
  { state, scope, before, after }: SchemaPair,
  { one, other, name, place, isAdded }: ExcludedInside,
): void {
  const [alternative, side, around] = isAdded ? [one, state.base, before] : [other, state.revision, after]
  // Otherwise, the alternative has the change.
  if (describesProperty(toComparedSchema([alternative], side), name) || !describesProperty(around, name)) return
  report(scope, {
    code: isAdded ? 'constraint-added' : 'constraint-removed',
    base: isAdded ? one : place,
    revision: isAdded ? place : other,
    at: topPlace(around),
    detail: `not ${name}`,
    message: (at) => `An alternative of ${at} ${isAdded ? 'now excludes' : 'no longer excludes'} objects with \`${name}\``,
  })
}

/** What each schema excludes, so that a schema that many alternatives contain is read once. */
const excludedOf = new WeakMap<object, ReturnType<typeof findExcluded>>()
const excludedNames = new WeakMap<object, ReadonlyMap<string, Place>>()

/** The properties that objects must not have, also in alternatives inside. */
function readExcludedNames(alternative: Place, side: Side): ReadonlyMap<string, Place> {
  const place = skipReference(alternative, side)
  const known = excludedNames.get(Object(place.value))
  if (known) return known
  const found = new Map<string, Place>()
  excludedNames.set(Object(place.value), found)
  const seen = new Set<unknown>()
  const open = [place]
  // A list, because alternatives can contain each other in a long chain.
  for (let next = open.pop(); next; next = open.pop()) {
    if (seen.has(next.value)) continue
    seen.add(next.value)
    const excluded = excludedOf.get(Object(next.value)) ?? findExcluded(next, side)
    excludedOf.set(Object(next.value), excluded)
    const { names, alternatives } = excluded
    for (const [name, one] of names) found.set(name, one)
    open.push(...alternatives.toReversed())
  }
  return found
}

/** The names of the properties that objects must not have, and the alternatives inside. */
function findExcluded(place: Place, side: Side) {
  const schema = toComparedSchema([place], side)
  const excluded = listExcluded(schema).flatMap(listAlternatives)
  const branches = schema.parts.flatMap((part) => alternativeKeywords.flatMap((keyword) => listPlaces(part.place, keyword)))
  const alternatives = new Map(branches.map((branch) => skipReference(branch, side)).map((inner) => [inner.value, inner]))
  const names = excluded.flatMap((one) => listRequired(one, side).map((name) => [name, one] as const))
  return { names, alternatives: [...alternatives.values()] }
}
