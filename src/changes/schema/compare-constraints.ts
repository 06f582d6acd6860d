import { keywordIn } from '../../model/schema.ts'
import { childPlace, countIn } from '../../openapi/references/follow-reference.ts'
import type { Place } from '../../text/json/json-values.ts'
import { groupBy } from '../../text/plain/lists.ts'
import { report, type Scope, type Side, use, within } from '../differences/comparison.ts'
import { compareDynamicReferences } from './compare-dynamic.ts'
import { compareNot } from './compare-not.ts'
import {
  type ComparedSchema,
  innerParts,
  keywordEntries,
  keywordPlace,
  keywordPlaces,
  otherProperties,
  type SchemaPart,
  topPlace,
} from './compared-schema.ts'
import { listConditions, listsMoved, readDependencies, readDependency, readNames, readNeeded } from './described-properties.ts'
import { allowsAll, isOpen, placeOf } from './keywords.ts'
import { pairUnequal } from './match-alternatives.ts'
import { allowsType, type SchemaPair, toPlaces } from './schema-pair.ts'

/** Keywords with one schema that restricts values. Several of them in an `allOf` apply together. */
const singles = ['items', 'propertyNames', 'unevaluatedProperties', 'contentSchema']

/** Keywords for values of one type. */
const byType = {
  array: ['items', 'prefixItems', 'contains', 'unevaluatedItems'],
  object: ['propertyNames', 'patternProperties', 'unevaluatedProperties', 'dependentSchemas', 'dependentRequired'],
  string: ['contentSchema'],
} as const

/** Compares the keywords that restrict values by other schemas, except properties and alternatives. */
export function compareConstraints(pair: SchemaPair): void {
  const { before, after, scope } = pair
  const used = new Set([...before.parts, ...after.parts].flatMap(({ value }) => Object.keys(value)))
  for (const [type, keywords] of Object.entries(byType)) {
    const isWithoutEffect = keywords.some((keyword) => used.has(keyword)) && !allowsType(pair, type)
    if (isWithoutEffect) for (const keyword of keywords) used.delete(keyword)
  }
  if (used.has('unevaluatedItems')) used.add('items')
  // With `additionalProperties`, all properties are evaluated.
  if (used.has('additionalProperties')) used.delete('unevaluatedProperties')
  for (const keyword of singles) if (used.has(keyword)) compareTogether(pair, keyword)
  if (used.has('contains')) {
    const beside = { add: used.has('maxContains') ? use.beside | use.condition : use.beside }
    // With a maximum, more matches are not always better.
    compareEach(pair, 'contains', within(scope, beside))
    if (used.has('unevaluatedItems')) compareContained(pair)
  }
  if (used.has('not')) compareNot(pair)
  if (used.has('if')) compareConditions(pair)
  if (used.has('patternProperties')) compareByName(pair, 'patternProperties')
  if (used.has('dependentSchemas')) compareByName(pair, 'dependentSchemas')
  if (used.has('prefixItems')) comparePrefixItems(pair)
  compareDynamicReferences(pair, used)
  if (['dependentRequired', 'dependentSchemas', 'if'].some((key) => used.has(key))) compareDependencies(pair)
}

/** The places of a keyword, except those of schemas that allow everything. */
function readConstraints(schema: ComparedSchema, keyword: string, side: Side): Place[] {
  const places =
    keyword === 'items'
      ? itemPlaces(schema)
      : keyword === 'unevaluatedProperties'
        ? otherProperties(schema)
        : keywordPlaces(schema, keyword)
  // Any item meets `contains: {}`, but there must be one, unless the limits of `contains` allow any number.
  if (keyword === 'contains') {
    const isFree = ({ value }: SchemaPart) => value['minContains'] === 0 && value['maxContains'] === undefined
    return keywordPlaces({ ...schema, parts: schema.parts.filter((part) => !isFree(part)) }, keyword)
  }
  return places.filter((place) => !isOpen(place, side))
}

/** Compares a keyword whose schemas all apply to the same values. */
function compareTogether(pair: SchemaPair, keyword: string): void {
  const { state, scope, before, after, compareInner } = pair
  const [from, to] = [readConstraints(before, keyword, state.base), readConstraints(after, keyword, state.revision)]
  if (from.length > 0 && to.length > 0) compareInner(within(scope, { add: use.required }), from, to)
  else reportConstraint(pair, keyword, from[0], to[0])
}

/** Compares a keyword whose schemas apply independently. Equal schemas are matched, and the others by their order. */
function compareEach(pair: SchemaPair, keyword: string, inside: Scope): void {
  const { state, before, after, compareInner } = pair
  const from = readConstraints(before, keyword, state.base)
  const to = readConstraints(after, keyword, state.revision)
  for (const [one, other] of pairUnequal(from, to, (place, each) => state.isSame(place.value, each.value))) {
    if (one && other) compareInner(inside, [one], [other])
    else reportConstraint(pair, keyword, one, other)
  }
}

function reportConstraint(pair: SchemaPair, detail: string, from: Place | undefined, to: Place | undefined): void {
  if (Boolean(from) === Boolean(to)) return
  const places = toPlaces(pair, from, to)
  report(pair.scope, {
    code: to ? 'constraint-added' : 'constraint-removed',
    ...places,
    detail,
    at: to ? places.base : places.revision,
    message: (at) => `\`${detail}\` was ${to ? 'added to' : 'removed from'} ${at}`,
  })
}

/** `unevaluatedItems` does not apply to the items that match `contains`. */
function compareContained({ scope, before, after }: SchemaPair): void {
  const [from, to] = [keywordPlace(before, 'contains'), keywordPlace(after, 'contains')]
  const [one, other] = [keywordPlace(before, 'unevaluatedItems'), keywordPlace(after, 'unevaluatedItems')]
  if (!one || !other || Boolean(from) === Boolean(to)) return
  const message = (at: string) => `\`contains\` of ${at} changes what \`unevaluatedItems\` applies to`
  report(scope, { code: 'constraint-changed', base: from ?? one, revision: to ?? other, at: topPlace(after), message })
}

/** Compares `if`, `then` and `else`, which belong together. Those of several branches of `allOf` are matched like other schemas. */
function compareConditions(pair: SchemaPair): void {
  const { state, before, after } = pair
  const isSame = (one: SchemaPart, other: SchemaPart) =>
    ['if', 'then', 'else'].every((keyword) => state.isSame(keywordIn(one.value, keyword), keywordIn(other.value, keyword)))
  const [all, others] = [listConditions(before), listConditions(after)]
  // Otherwise, what some of them say is compared with the other spellings of it.
  const isSpelled = all.length !== others.length
  const [from, to] = [
    all.filter((part) => !isSpelled || !readDependency(part, state.base)),
    others.filter((part) => !isSpelled || !readDependency(part, state.revision)),
  ]
  for (const [one, other] of pairUnequal(from, to, isSame)) {
    compareCondition({ ...pair, before: toPartSchema(before, one), after: toPartSchema(after, other) })
  }
}

/** One part only, or the same place without keywords. */
function toPartSchema(schema: ComparedSchema, part: SchemaPart | undefined): ComparedSchema {
  return { ...schema, parts: part ? [part] : schema.parts.slice(0, 1).map((top) => ({ ...top, value: {} })) }
}

/** A change of the condition moves values between `then` and `else`. */
function compareCondition(pair: SchemaPair): void {
  const { scope, before, after, compareInner } = pair
  const [from, to] = [keywordPlace(before, 'if'), keywordPlace(after, 'if')]
  const beside = within(scope, { add: use.beside })
  for (const keyword of ['then', 'else']) compareEach(pair, keyword, beside)
  if (from && to) compareInner(within(scope, { add: use.condition }), [from], [to])
  else reportConstraint(pair, 'if', from, to)
}

function compareByName(pair: SchemaPair, keyword: 'patternProperties' | 'dependentSchemas'): void {
  const { state, scope, before, after, compareInner } = pair
  const toLists = (schema: ComparedSchema) => groupBy(keywordEntries(schema, keyword), ({ name }) => name)
  const [from, to] = [toLists(before), toLists(after)]
  for (const name of new Set([...from.keys(), ...to.keys()])) {
    const [ones = [], others = []] = [from, to].map((lists) => lists.get(name)?.map(({ place }) => place))
    const [one, other] = [ones[0], others[0]]
    if (one && other) {
      compareInner(within(scope, { add: keyword === 'dependentSchemas' ? use.beside : use.required }), ones, others)
      continue
    }
    const isDependency = [...ones, ...others].every((entry) => readNames(entry, one ? state.base : state.revision))
    if (keyword === 'dependentSchemas' && isDependency) continue
    const detail = `${keyword}: ${name}`
    const isPattern = keyword === 'patternProperties'
    const [own, plain] = one ? [before, after] : [after, before]
    const rest = isPattern ? otherProperties(plain).filter((one) => !allowsAll(one)) : []
    const isMoved = isPattern && listsMoved(plain, own, name)
    if (isMoved && /^\^[\w-]+\$$/.test(name)) continue
    if (rest.length > 0 && rest.every(({ value }) => value !== false)) {
      // The properties had, or get, the schema of all other properties.
      compareInner(scope, one ? ones : rest, one ? rest : others)
    } else if (rest.length > 0) {
      const message = (at: string) => `Properties that match \`${name}\` are ${one ? 'no longer' : 'now'} allowed in ${at}`
      const code = one ? 'additional-properties-forbidden' : 'additional-properties-allowed'
      report(scope, { code, ...toPlaces(pair, one, other), at: topPlace(after), detail, message })
    } else if (isMoved && other) {
      const message = (at: string) => `Properties that match \`${name}\` were added to ${at}`
      report(scope, { code: 'optional-property-added', ...toPlaces(pair, one, other), at: topPlace(before), detail, message })
    } else reportConstraint(pair, detail, one, other)
  }
}

/** Compares tuples. An item without an entry in `prefixItems` must match `items`. */
function comparePrefixItems(pair: SchemaPair): void {
  const { scope, before, after, compareInner } = pair
  const count = Math.max(...[before, after].map(countPrefixItems))
  for (let index = 0; index < count; index++) {
    const [from, to] = [itemPlaces(before, index), itemPlaces(after, index)]
    const [wasEntry, isEntry] = [index < countPrefixItems(before), index < countPrefixItems(after)]
    const rest = wasEntry ? to : from
    const excludesOthers = rest.some(({ value }) => value === false)
    if ((wasEntry && isEntry) || (rest.length > 0 && !excludesOthers)) {
      // The item had, or gets, the schema of all other items.
      compareInner(within(scope, { add: use.required }), from, to)
      continue
    }
    const verb = wasEntry ? 'removed' : 'added'
    report(scope, {
      code: excludesOthers ? `tuple-item-${verb}` : `constraint-${verb}`,
      ...toPlaces(
        pair,
        wasEntry ? from[0] : keywordPlace(before, 'prefixItems'),
        isEntry ? to[0] : keywordPlace(after, 'prefixItems'),
      ),
      detail: excludesOthers ? String(index) : `prefixItems ${index}`,
      at: topPlace(after),
      message: (at) => `Tuple item ${index + 1} was ${wasEntry ? 'removed from' : 'added to'} ${at}`,
    })
  }
}

function countPrefixItems({ parts }: ComparedSchema): number {
  return Math.max(0, ...parts.map(({ place }) => countIn(place, 'prefixItems')))
}

/**
 * The schemas of an item of a tuple, or of the items after it. `unevaluatedItems` applies to the items that neither its own schema nor the
 * schemas inside describe.
 */
function itemPlaces(schema: ComparedSchema, index = Number.POSITIVE_INFINITY): Place[] {
  const entryOf = ({ place }: SchemaPart) => placeOf(childPlace(place, 'prefixItems'), index)
  const describes = (part: SchemaPart) => (entryOf(part) ?? part.value['items'] ?? part.value['unevaluatedItems']) !== undefined
  return schema.parts.flatMap((part) => {
    const own = entryOf(part) ?? placeOf(part.place, 'items')
    if (own) return [own]
    return innerParts(schema, part).some(describes) ? [] : (placeOf(part.place, 'unevaluatedItems') ?? [])
  })
}

/** Compares which properties others need, in any of the spellings of this. */
function compareDependencies(pair: SchemaPair): void {
  const { scope, before, after } = pair
  const [one, other] = [readDependencies(before, after), readDependencies(after, before)]
  if (one.size + other.size === 0 || !allowsType(pair, 'object')) return
  const [wasRequired, isRequired] = [readNeeded(before), readNeeded(after)]
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const [from, to] = [one.get(name), other.get(name)]
    const [earlier, later] = [from, to].map((list) => [...(list?.names ?? [])])
    if (!earlier || !later) continue
    // A name that every object needs is required with each property too.
    const added = later.filter((each) => each !== name && !earlier.includes(each) && !wasRequired.has(each))
    const removed = earlier.filter((each) => each !== name && !later.includes(each) && !isRequired.has(each))
    if (added.length + removed.length === 0) continue
    const listed = [...added, ...removed].map((each) => `\`${each}\``).join(', ')
    const verb = removed.length === 0 ? 'now required' : added.length === 0 ? 'no longer required' : 'required or not'
    report(scope, {
      code:
        added.length > 0 && removed.length > 0
          ? 'dependent-required-changed'
          : added.length > 0
            ? 'constraint-added'
            : 'constraint-removed',
      ...toPlaces(pair, from?.place, to?.place),
      detail: `dependentRequired: ${name}`,
      message: (at) => `With \`${name}\` of ${at}, the properties ${listed} are ${verb}`,
    })
  }
}
