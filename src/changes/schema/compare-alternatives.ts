import { keywordIn, withoutNull } from '../../model/schema.ts'
import {
  childPlace,
  isMapping,
  keysOf,
  listPlaces,
  mapPlaces,
  toPlaceKey,
  valueIn,
} from '../../openapi/references/follow-reference.ts'
import { equalJson } from '../../openapi/schema/json-schema.ts'
import { type Place, stringOf } from '../../text/json/json-values.ts'
import { capitalize, countBy, getOrMake, lazy, listFirst } from '../../text/plain/lists.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { type ComparisonState, type Difference, report, type Scope, type Side } from '../differences/comparison.ts'
import { toText } from '../differences/name-place.ts'
import { type ExcludedInside, listExcludedInside, reportExcludedInside } from './compare-not.ts'
import { branchAllowsNull } from './compare-types.ts'
import {
  type Alternatives,
  type ComparedSchema,
  isNullSchema,
  keywordPlaces,
  keywordValues,
  listAlternatives,
  listTypeBranches,
  readTypes,
  type SchemaPart,
  toComparedSchema,
  topPlace,
} from './compared-schema.ts'
import { readProperties } from './described-properties.ts'
import { areDisjoint, listSharedTypes } from './disjoint-schemas.ts'
import { allowsAll, listedIn, listKeywords, placeOf, skipReference } from './keywords.ts'
import {
  type MatchedBranches,
  matchUnions,
  measureDifference,
  nameOf,
  referenceName,
  titleOf,
  toNameAlternative,
  toShape,
} from './match-alternatives.ts'
import { type SchemaPair, toPlaces } from './schema-pair.ts'

/** Compares `oneOf` and `anyOf`. Returns `replaced` if alternatives took the place of the schema, or the reverse. */
export function compareAlternatives(pair: SchemaPair): 'replaced' | undefined {
  const [lists, newLists] = [listAlternatives(pair.before), listAlternatives(pair.after)]
  if (lists.length === 0 && newLists.length === 0) return undefined
  const [from, to] = [listGroups(pair.before, lists), listGroups(pair.after, newLists)]
  if (from.length === 0 && to.length === 0) compareTypeLists(pair, lists[0], newLists[0])
  if (from.length === 0 && to.length === 1 && to[0]) {
    if (isChoice(pair.after) && compareWrapped(pair, to[0], 'added')) return 'replaced'
  } else if (to.length === 0 && from.length === 1 && from[0]) {
    if (isChoice(pair.before) && compareWrapped(pair, from[0], 'removed')) return 'replaced'
  }
  const left = [...to]
  for (const group of from) {
    const index = Math.max(
      0,
      left.findIndex(({ keyword }) => keyword === group.keyword),
    )
    const [other] = left.splice(index, 1)
    compareGroups(pair, group, other)
  }
  for (const group of left) compareGroups(pair, undefined, group)
  return undefined
}

/** The alternatives of a schema, except those that only list types or add `null`. */
function listGroups({ comparesBranches }: ComparedSchema, lists: readonly Alternatives[]): Alternatives[] {
  return lists.filter(({ branches, schema }) => {
    return branches.length > 0 && (comparesBranches || placeOf(schema, 'type') !== undefined || !listTypeBranches(branches))
  })
}

/** Whether a schema consists of alternatives only. */
function isChoice({ parts: [part, ...others] }: ComparedSchema): boolean {
  if (!part || others.length > 0) return false
  const isIgnored = (key: string) => ignoredBesideChoice.has(key) || (key === 'additionalProperties' && part.value[key] === true)
  return listKeywords(part.place).filter((key) => !isIgnored(key)).length === 1
}

const ignoredBesideChoice = new Set(['discriminator', 'type', 'default', 'deprecated', 'readOnly', 'writeOnly', 'nullable'])

/** Compares a schema with the alternative that has the same name or shape. Reports the other alternatives. */
function compareWrapped(pair: SchemaPair, group: Alternatives, change: 'added' | 'removed'): boolean {
  const { state, before, after, scope } = pair
  const isAdded = change === 'added'
  const [plain, side] = isAdded ? [before, state.revision] : [after, state.base]
  // Without other keywords than those beside the alternatives, such as a type, the schema already allows all alternatives.
  const choice = (isAdded ? after : before).parts[0]?.value ?? {}
  const isKept = ({ place, value }: SchemaPart) =>
    listKeywords(place).every((key) => key === 'discriminator' || equalJson(keywordIn(value, key), keywordIn(choice, key)))
  if (plain.parts.every(isKept)) return false
  const top = topPlace(plain)
  const shape = top && toShape(state, withoutNull(top), plain.side)
  const names = new Set(plain.parts.map(({ place }) => nameOf(place.pointer)))
  const isSimilar = (branch: Place) =>
    top && (isAdded ? measureDifference(state, top, branch) : measureDifference(state, branch, top)) !== undefined
  const same =
    group.branches.find((branch) => toShape(state, branch, side) === shape) ??
    findOfType(group, plain, side) ??
    findOnly(group.branches, isSimilar) ??
    group.branches.find((branch) => names.has(referenceName(branch) ?? ''))
  if (!same) {
    const types = group.branches.map((branch) => readTypes(toComparedSchema([branch], side)).types)
    if (![readTypes(plain).types, ...types].every((one) => !one || one.has('object'))) return false
    const [code, codeInNarrowed] = chooseReplacedCodes(pair, group, side, plain, change)
    report(scope, {
      code,
      codeInNarrowed,
      base: isAdded ? topPlace(before) : group.place,
      revision: isAdded ? group.place : topPlace(after),
      at: top,
      message: (at) => `${capitalize(at)} is ${isAdded ? 'now' : 'no longer'} ${listBranches(group)}`,
    })
    return true
  }
  const isNullable = readTypes(isAdded ? after : before).isNullable
  const others = group.branches.filter((branch) => branch !== same)
  const isApart = isNullable || (!hasNull([same], side) && hasNull(others, side))
  const places = plain.parts.map(({ place }) => (isApart ? withoutNull(place) : place))
  if (isNullable && !readTypes(plain).isNullable) {
    report(scope, {
      code: isAdded ? 'became-nullable' : 'became-not-nullable',
      base: topPlace(before),
      revision: topPlace(after),
      message: (at) => `\`null\` is ${isAdded ? 'now' : 'no longer'} allowed for ${at}`,
    })
  }
  if (isAdded) pair.compareInner(scope, places, [same])
  else pair.compareInner(scope, [same], places)
  const listed = others.filter((one) => !(isNullSchema(one) && readTypes(plain).isNullable))
  // Objects can lose the description of a property.
  const isPlainValue = plain.parts.length === 1 && readTypes(plain).types?.has('object') === false
  const whole = { ...group, branches: top && isPlainValue ? [top] : [], unions: new Map(), place: top ?? group.place }
  reportBranches(pair, listed, group, whole, change)
  return true
}

/**
 * The codes for alternatives in place of an object, or the reverse: in requests, and in responses. If one side allows all values of the other,
 * no message is refused, but properties can have lost their description.
 */
function chooseReplacedCodes(
  { covers }: SchemaPair,
  { branches }: Alternatives,
  side: Side,
  plain: ComparedSchema,
  change: 'added' | 'removed',
): [inRequest: Difference['code'], inResponse: Difference['code']] {
  const isNamed = branches.some((branch) => referenceName(branch) !== undefined || titleOf(branch) !== undefined)
  const [part, ...others] = plain.parts
  if (!part || others.length > 0 || isNamed || branches.length > maxChoices)
    return ['alternatives-replaced', 'alternatives-replaced']
  const isCovered = listCases(part, branches).every((place) =>
    branches.some((branch) => covers({ place: branch, side }, { place, side: plain.side }, true)),
  )
  const coversAll = branches.every((branch) => covers({ place: part.place, side: plain.side }, { place: branch, side }, true))
  const toCode = (isSafe: boolean) => (isSafe ? 'constraint-changed' : 'alternatives-replaced')
  return change === 'added' ? [toCode(isCovered), toCode(coversAll)] : [toCode(coversAll), toCode(isCovered)]
}

/** With more alternatives than this, those in place of an object break clients. */
const maxChoices = 50

/** An object for each value of the property that tells alternatives apart, or the object itself. */
function listCases({ place, value }: SchemaPart, branches: readonly Place[]): readonly Place[] {
  const listsValues = (one: Place) => listedIn(one).length > 0
  const property = mapPlaces(place, 'properties').find(({ name, place: one }) => {
    return listsValues(one) && branches.every((branch) => listsValues(childPlace(childPlace(branch, 'properties'), name)))
  })
  if (!property) return [place]
  return listedIn(property.place).map((one) => {
    const only = { ...Object(property.place.value), const: undefined, enum: [one.value] }
    return { ...place, value: { ...value, properties: { ...Object(value['properties']), [property.name]: only } } }
  })
}

function hasNull(branches: readonly Place[], side: Side): boolean {
  return branches.some((branch) => branchAllowsNull(branch, side))
}

/** The only alternative with the type of a schema. */
function findOfType({ branches }: Alternatives, plain: ComparedSchema, side: Side): Place | undefined {
  if (readTypes(plain).types?.size !== 1) return undefined
  return findOnly(branches, (branch) => listSharedTypes(plain, toComparedSchema([branch], side)).some((type) => type !== 'null'))
}

function findOnly(branches: readonly Place[], meets: (branch: Place) => boolean | undefined): Place | undefined {
  const [only, ...others] = branches.filter(meets)
  return others.length === 0 ? only : undefined
}

function compareGroups(pair: SchemaPair, from: Alternatives | undefined, to: Alternatives | undefined): void {
  const { scope, before, after, state } = pair
  if (!from || !to) {
    const group = from ?? to
    if (!group) return
    const isImplied = hasImpliedAlternative(pair, group, Boolean(to), to ? before : after)
    const verb = isImplied ? (to ? 'can now' : 'can no longer') : to ? 'must now' : 'no longer has to'
    const reason = isImplied ? ', without an effect on values' : ''
    report(scope, {
      code: isImplied ? 'composition-changed' : to ? 'constraint-added' : 'constraint-removed',
      ...toPlaces(pair, from?.place, to?.place),
      detail: group.keyword,
      message: (at) => `${capitalize(at)} ${verb} match ${listBranches(group)}${reason}`,
    })
    return
  }
  const lists = readLists(state, from, to)
  const [wasNullable, isNowNullable] = lists.haveNull
  // `null` in one alternative, or around all, is `null` in each of them.
  const isNullable = (wasNullable || before.addsNull) && (isNowNullable || after.addsNull)
  const compareAll = (inside: Scope) => {
    for (const [one, other] of lists.pairs) {
      if (isHidden(pair, from, to, lists, [one, other])) continue
      const isOther = isNullable && hasNull([one], state.base) !== hasNull([other], state.revision)
      const plain = (place: Place, side: Side) => (isOther ? withoutNull(skipReference(place, side)) : place)
      pair.compareInner(inside, [plain(one, state.base)], [plain(other, state.revision)])
    }
  }
  // All schemas that contain a component have its alternatives.
  const isShared = from.isShared && to.isShared && isNullable === (wasNullable && isNowNullable)
  if (isShared) state.share(scope, [from.place], [to.place], compareAll)
  else compareAll(scope)
  compareDescribed(pair, lists)
  for (const one of lists.excluded) reportExcludedInside(pair, one)
  const isOnlyHere = (one: Place) => !(isNullable && isNullSchema(one))
  const [gone, fresh] = [lists.removed.filter(isOnlyHere), lists.added.filter(isOnlyHere)]
  reportBranches(pair, gone, from, to, 'removed')
  reportBranches(pair, fresh, to, from, 'added')
  compareKeywords(pair, from, to, lists.pairs)
}

/** Whether a scalar alternative of `anyOf` without a name changes nothing, because in each version another one, which both have, allows all of its values. */
function isHidden(
  { state, covers }: SchemaPair,
  from: Alternatives,
  to: Alternatives,
  { pairs }: ComparedLists,
  [one, other]: readonly [Place, Place],
): boolean {
  if (from.keyword !== 'anyOf' || to.keyword !== 'anyOf' || pairs.length > maxApart || referenceName(one) !== undefined)
    return false
  const types = readTypes(toComparedSchema([one], state.base)).types
  if (!types || types.has('object') || types.has('array')) return false
  if (toShape(state, one, state.base) === toShape(state, other, state.revision)) return false
  return pairs.some(
    ([around, later]) =>
      around !== one &&
      covers({ place: around, side: state.base }, { place: one, side: state.base }, true) &&
      covers({ place: later, side: state.revision }, { place: other, side: state.revision }, true),
  )
}

/** Compares alternatives that are only types. Without a list, values can match several of them. */
function compareTypeLists(pair: SchemaPair, from: Alternatives | undefined, to: Alternatives | undefined): void {
  const only = ((from ?? to)?.branches ?? []).filter((one) => !isNullSchema(one)).map(withoutNull)
  const pairs = from && to ? matchUnions(from, to, pair.state).pairs : only.map((branch) => [branch, branch] as const)
  compareKeywords(pair, from, to, pairs)
}

/** With more alternatives than this, whether values can match several of them is unknown. */
const maxApart = 50

/** Compares whether values that match several alternatives are refused: by `oneOf`, unless no value does. */
function compareKeywords(
  pair: SchemaPair,
  from: Alternatives | undefined,
  to: Alternatives | undefined,
  pairs: MatchedBranches['pairs'],
): void {
  const { scope, before, after, state } = pair
  const isUnknown = pairs.length > maxApart && from?.keyword !== to?.keyword
  const isOther = pairs.slice(0, maxApart).some(([one, other], index) => {
    return pairs.slice(0, index).some(([earlier, later]) => {
      const wasRefused = keywordBetween(from, one, earlier) === 'oneOf'
      if (wasRefused === (keywordBetween(to, other, later) === 'oneOf')) return false
      return wasRefused ? canShare(state, before, one, earlier) : canShare(state, after, other, later)
    })
  })
  if (!isUnknown && !isOther) return
  const message = (at: string) =>
    from && to && from.keyword !== to.keyword
      ? `Alternatives of ${at} changed from \`${from.keyword}\` to \`${to.keyword}\``
      : `Values that match several alternatives of ${at} are compared in another way`
  // `oneOf` refuses more values. Nested unions can have both keywords.
  const isMixed = [from, to].some((group) => group?.nested.length)
  const isNarrower = to?.keyword === 'oneOf'
  report(scope, {
    code: isMixed || isNarrower ? 'constraint-changed' : 'constraint-removed',
    codeInNarrowed: isNarrower && !isMixed ? 'constraint-added' : 'constraint-changed',
    ...toPlaces(pair, from?.place, to?.place),
    detail: 'keyword',
    message,
  })
}

/** The keyword of the list, or nested union, that two alternatives are in. */
function keywordBetween(group: Alternatives | undefined, one: Place, other: Place): string | undefined {
  const union = group?.nested.findLast(({ leaves }) => leaves.includes(one) && leaves.includes(other))
  return union?.keyword ?? group?.keyword
}

/** Whether a value can match two alternatives of a schema, and the keywords around these. */
function canShare(state: ComparisonState, schema: ComparedSchema, one: Place, other: Place): boolean {
  const around = schema.parts.map((part) => ({ ...part, value: { ...part.value, oneOf: undefined, anyOf: undefined } }))
  const toBranch = (branch: Place) => {
    const own = toComparedSchema([branch], schema.side)
    return { ...own, parts: [...around, ...own.parts] }
  }
  return !areDisjoint(state, toBranch(one), toBranch(other))
}

/** With more pairs of alternatives than this, whether one covers another is unknown. */
const maxCovered = 20_000

/** Reports alternatives of a group that the other version, with the alternatives `others`, does not have. */
function reportBranches(
  pair: SchemaPair,
  branches: readonly Place[],
  group: Alternatives,
  others: Alternatives,
  change: 'added' | 'removed',
): void {
  if (branches.length === 0) return
  const isAdded = change === 'added'
  const describe = toDescribeBranch(group.branches)
  const isCovered = toIsCovered(pair, branches, group, others, change)
  for (const branch of branches) {
    const name = describe(branch)
    const isKnown = isCovered(branch)
    const reason = isKnown ? ', where another alternative allows the same values' : ''
    report(pair.scope, {
      code: isKnown ? 'composition-changed' : `alternative-${change}`,
      base: isAdded ? others.place : branch,
      revision: isAdded ? branch : others.place,
      at: group.place,
      detail: name,
      message: (at) => `Alternative ${name} was ${isAdded ? 'added to' : 'removed from'} ${at}${reason}`,
    })
  }
}

/** Finds out whether all values of an alternative without a name match one of the other version. */
function toIsCovered(
  { state, before, after, covers }: SchemaPair,
  branches: readonly Place[],
  group: Alternatives,
  others: Alternatives,
  change: 'added' | 'removed',
): (branch: Place) => boolean {
  // A discriminator tells equal alternatives apart.
  const isUnknown = [group, others].some(({ schema }) => placeOf(schema, 'discriminator'))
  if (isUnknown || branches.length * others.branches.length > maxCovered) return () => false
  const [side, otherSide] = change === 'removed' ? [state.base, state.revision] : [state.revision, state.base]
  const nameBranch = toNameAlternative(group.branches)
  const isAlone = describesNoProperties(before) && describesNoProperties(after)
  return (branch) => {
    // An alternative with a name is a type in generated clients.
    if (nameBranch(branch) !== undefined) return false
    return [...others.branches, ...others.unions.keys()].some((place) =>
      covers({ place, side: otherSide }, { place: branch, side }, isAlone),
    )
  }
}

/** Whether a schema describes no properties beside those of one list of alternatives. */
function describesNoProperties(schema: ComparedSchema): boolean {
  const cases = ['oneOf', 'anyOf', 'if', 'dependentSchemas'].flatMap((keyword) => keywordValues(schema, keyword))
  const keywords = ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties']
  return cases.length < 2 && !keywords.some((keyword) => keywordPlaces(schema, keyword).some(isMapping))
}

/** What two lists of alternatives have in common, whatever is around them. */
interface ComparedLists extends MatchedBranches {
  /** Whether an alternative allows `null`, in each version. */
  readonly haveNull: readonly [boolean, boolean]
  readonly excluded: readonly ExcludedInside[]
  /** Properties that an alternative adds. */
  readonly described: () => readonly { readonly one: Place; readonly name: string; readonly place: Place }[]
}

const listsOf = new WeakMap<ComparisonState, Map<string, ComparedLists>>()

/** Compares two lists once, however many schemas contain them. */
function readLists(state: ComparisonState, from: Alternatives, to: Alternatives): ComparedLists {
  const known = listsOf.get(state) ?? new Map<string, ComparedLists>()
  listsOf.set(state, known)
  return getOrMake(known, `${toPlaceKey(from.place)}\n${toPlaceKey(to.place)}`, () => {
    const matched = matchUnions(from, to, state)
    const excluded = matched.pairs.flatMap(([one, other]) => listExcludedInside(state, one, other))
    const described = lazy(() => matched.pairs.flatMap(([one, other]) => listDescribed(state, one, other)))
    const haveNull = [hasNull(from.branches, state.base), hasNull(to.branches, state.revision)] as const
    return { ...matched, haveNull, excluded, described }
  })
}

function listDescribed(state: ComparisonState, one: Place, other: Place) {
  const earlier = readProperties(toComparedSchema([one], state.base))
  const later = readProperties(toComparedSchema([other], state.revision))
  return [...later].flatMap(([name, [place]]) => (place && !earlier.has(name) && !allowsAll(place) ? [{ one, name, place }] : []))
}

/** Reports properties that an alternative adds and the schema around it describes too, because they limit what clients send. */
function compareDescribed({ scope, before }: SchemaPair, { described }: ComparedLists): void {
  const around = readProperties(before)
  if (around.size === 0) return
  for (const { one, name, place } of described()) {
    if (!around.has(name)) continue
    report(scope, {
      code: 'constraint-changed',
      base: one,
      revision: { ...place, on: 'key' },
      at: place,
      detail: name,
      message: (at) => `An alternative now limits ${at}`,
    })
  }
}

/** Whether all values of the other schema match an alternative of `anyOf`. */
function hasImpliedAlternative(
  { covers, state }: SchemaPair,
  { keyword, branches }: Alternatives,
  isAdded: boolean,
  other: ComparedSchema,
): boolean {
  const [side, otherSide] = isAdded ? [state.revision, state.base] : [state.base, state.revision]
  const top = topPlace(other)
  return (
    keyword === 'anyOf' &&
    top !== undefined &&
    branches.some((place) => covers({ place, side }, { place: top, side: otherSide }, true))
  )
}

/** Longest list of alternatives in a message. */
const maxListed = 3

function listBranches({ branches }: Alternatives): string {
  const listed = listFirst(branches, maxListed, toDescribeBranch(branches))
  return branches.length === 1 ? `the alternative ${listed}` : `one of ${branches.length} alternatives: ${listed}`
}

/** Names the alternatives of a list in messages. */
function toDescribeBranch(branches: readonly Place[]): (branch: Place) => string {
  const nameBranch = toNameAlternative(branches)
  const typeOf = (branch: Place) => stringOf(valueIn(branch, 'type'))
  const counts = countBy(branches, typeOf)
  return (branch) => {
    const name = nameBranch(branch)
    if (name !== undefined) return `\`${shorten(name)}\``
    const values = placeOf(branch, 'enum')?.value
    if (Array.isArray(values)) return `\`${shorten(JSON.stringify(values))}\``
    const type = typeOf(branch)
    if (type !== undefined && counts.get(type) === 1) return `\`${type}\``
    const position = Number(nameOf(branch.pointer)) + 1
    const properties = nameProperties(branch)
    const traits = [...(type === undefined ? [] : [`\`${type}\``]), ...(properties === '' ? [] : [`with ${properties}`])]
    return traits.length === 0 ? String(position) : `${position} (${traits.join(' ')})`
  }
}

/** The first required properties, or else the first properties. */
function nameProperties(branch: Place): string {
  const required = listPlaces(branch, 'required').map(({ value }) => value)
  const names = required.length > 0 ? required : keysOf(childPlace(branch, 'properties'))
  return names
    .slice(0, maxListed)
    .map((name) => `\`${shorten(toText(name))}\``)
    .join(', ')
}
