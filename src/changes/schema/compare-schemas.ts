import { keywordIn } from '../../model/schema.ts'
import { countIn, isMapping, listPlaces, mapPlaces } from '../../openapi/references/follow-reference.ts'
import { schemaKeywords } from '../../openapi/schema/json-schema.ts'
import type { Place } from '../../text/json/json-values.ts'
import { spendNodes } from '../../text/plain/limits.ts'
import {
  breaksNoRequest,
  type ComparisonState,
  report,
  type Scope,
  startComparison,
  toPart,
  toScope,
  use,
  within,
} from '../differences/comparison.ts'
import { compareAlternatives } from './compare-alternatives.ts'
import { compareConstraints } from './compare-constraints.ts'
import { compareDiscriminators } from './compare-discriminators.ts'
import { compareProperties } from './compare-properties.ts'
import { compareTypes } from './compare-types.ts'
import { compareValues } from './compare-values.ts'
import {
  alternativeKeywords,
  type ComparedSchema,
  findKeyword,
  foldValues,
  isNullSchema,
  listAlternatives,
  listTypeBranches,
  toComparedSchema,
} from './compared-schema.ts'
import { hasOnly, listKeywords, skipReference } from './keywords.ts'
import { toShape } from './match-alternatives.ts'
import { areSame, type SchemaPair } from './schema-pair.ts'

/**
 * Compares two schemas. A pair that is reached by references is compared once.
 *
 * @param typed The properties in which the types of scalars count, although those around are texts.
 */
export function compareSchemas(
  state: ComparisonState,
  scope: Scope,
  before: readonly Place[],
  after: readonly Place[],
  typed?: ReadonlySet<string>,
): void {
  const [one, other] = [before[0], after[0]]
  if (!one || !other) return
  if (typed && typed.size > 0) {
    compareMerged(state, scope, before, after, typed)
    return
  }
  const isSingle = before.length === 1 && after.length === 1
  if (!isSingle) {
    state.share(scope, before, after, (inside) => compareMerged(state, inside, before, after))
    return
  }
  const [from, to] = [skipReference(one, state.base), skipReference(other, state.revision)]
  if (from === one && to === other) compareMerged(state, scope, before, after)
  else {
    const references = { base: one, revision: other }
    state.share(scope, [from], [to], (inside) => compareMerged(state, inside, [from], [to]), references)
  }
}

function compareMerged(
  state: ComparisonState,
  scope: Scope,
  from: readonly Place[],
  to: readonly Place[],
  typed?: ReadonlySet<string>,
): void {
  const [one, other] = [from[0], to[0]]
  if (!one || !other) return
  if (areSame(state, from, to) || !state.goesOn()) return
  const [before, after] = toComparedSchemas(state, from, to)
  // The check reports the reference. Comparing it with a schema would report changes that were not made.
  if (before.isUnresolved || after.isUnresolved) return
  if (before.isNever || after.isNever) {
    if (before.isNever !== after.isNever) reportNever(scope, one, other, after.isNever)
    return
  }
  const isShared = before.parts.some((part) => part.isShared) || after.parts.some((part) => part.isShared)
  const pair: SchemaPair = {
    state,
    scope,
    before,
    after,
    typed,
    covers: toCovers(state),
    compareInner: (inside, inBefore, inAfter) => {
      // Properties of a merged component are part of several compared schemas.
      if (isShared && [...inBefore, ...inAfter].every(isMapping)) {
        const inner = within(inside, { add: use.inner })
        const from = inBefore.map((place) => (inBefore.length === 1 ? skipReference(place, state.base) : place))
        const to = inAfter.map((place) => (inAfter.length === 1 ? skipReference(place, state.revision) : place))
        const [base, revision] = [inBefore[0], inAfter[0]]
        const references = base && revision && inBefore.length === 1 && inAfter.length === 1 ? { base, revision } : undefined
        state.share(inner, from, to, (shared) => compareMerged(state, shared, from, to), references)
      } else compareSchemas(state, within(inside, { add: use.inner }), inBefore, inAfter)
    },
  }
  // An alternative in place of a schema, or another type, replaces everything else.
  if (compareAlternatives(pair) === 'replaced') return
  // Most schemas differ in what they contain only.
  const differs = state.base.release !== state.revision.release || hasOwnDifference(pair)
  if (differs && compareTypes(pair) === 'replaced') return
  if (differs) compareValues(pair)
  compareDiscriminators(pair)
  compareProperties(pair)
  compareConstraints(pair)
}

/** Whether anything but contained schemas and words differs. */
function hasOwnDifference({ state, before, after }: SchemaPair): boolean {
  const [[one, ...more], [other, ...others]] = [before.parts, after.parts]
  if (!one || !other || more.length > 0 || others.length > 0) return true
  if (before.isNullable !== after.isNullable || before.addsNull !== after.addsNull) return true
  const keys = new Set(['xml', ...listKeywords(one.place), ...listKeywords(other.place)])
  return [...keys].some((key) => {
    if (key === 'oneOf' || key === 'anyOf') return true
    const isInner = key === '$ref' || schemaKeywords.has(key)
    return !isInner && !state.isSame(keywordIn(one.value, key), keywordIn(other.value, key))
  })
}

/** The most schemas that are compared for one answer. */
const maxCovered = 200
/** What comparing two schemas costs. */
const costOfPair = 20
/** The most questions inside of each other. A schema with itself among its alternatives asks without an end. */
const maxDepth = 10

/** Values with a property that is not described anymore stay valid. */
const ignoredLevels = { 'required-property-removed': 'off', 'optional-property-removed': 'off' } as const

/** A schema covers another one if it breaks no request as the next version of it. */
export function toCovers(state: ComparisonState): SchemaPair['covers'] {
  return (outer, inner, isAlone) => {
    if (state.depth === maxDepth) return false
    let left = maxCovered
    const goesOn = () => --left >= 0 && spendNodes(state.budget, costOfPair)
    const { budget, options } = state
    const started = startComparison(inner.side, outer.side, { today: options.today, levels: ignoredLevels })
    const trial = { ...started, budget, goesOn, depth: state.depth + 1 }
    const part = toPart()
    compareSchemas(trial, toScope(part), [inner.place], [outer.place])
    trial.finish()
    return left >= 0 && !budget.isShortened && breaksNoRequest(part, isAlone ? 0 : use.beside, trial.options)
  }
}

function toComparedSchemas(
  state: ComparisonState,
  from: readonly Place[],
  to: readonly Place[],
): [ComparedSchema, ComparedSchema] {
  const before = toComparedSchema(from, state.base)
  const after = toComparedSchema(to, state.revision)
  // Alternatives of values are compared with an enum as an enum, and with other alternatives one by one. The same is true of types.
  const hasAlternatives = (schema: ComparedSchema) => alternativeKeywords.some((keyword) => findKeyword(schema, keyword))
  if (hasAlternatives(before) !== hasAlternatives(after)) return [foldValues(before), foldValues(after)]
  if (isSameChoice(state, before, after) || isSameChoice(state, after, before)) {
    return [
      { ...before, comparesBranches: true },
      { ...after, comparesBranches: true },
    ]
  }
  const [wasChoice, isChoice] = [hasSeveralAlternatives(before), hasSeveralAlternatives(after)]
  const listsTypesOnly = (schema: ComparedSchema) =>
    listAlternatives(schema).every(({ branches }) => listTypeBranches(branches) !== undefined)
  if ((!wasChoice && !isChoice) || (listsTypesOnly(before) && listsTypesOnly(after))) return [before, after]
  // One alternative is compared with several others as an alternative.
  const merges = wasChoice && isChoice ? 'single' : 'none'
  const [one, other] = [toComparedSchema(from, state.base, merges), toComparedSchema(to, state.revision, merges)]
  return [toSeparateObjects(one, other), toSeparateObjects(other, one)]
}

/** An object that needs just one of several properties, as alternatives with one of them each if the other version has those. */
function toSeparateObjects(schema: ComparedSchema, other: ComparedSchema): ComparedSchema {
  const [part, ...more] = schema.parts
  if (!part || more.length > 0 || findKeyword(other, 'properties')) return schema
  const { title: _, oneOf, properties, ...around } = part.value
  const needed = listPlaces(part.place, 'oneOf').map((branch) =>
    hasOnly(branch, 'required') ? listPlaces(branch, 'required') : [],
  )
  const names = new Set(needed.flatMap((list) => list.map(({ value }) => value)))
  if (names.size < 2 || names.size !== needed.length || needed.some(({ length }) => length !== 1)) return schema
  const listed = mapPlaces(part.place, 'properties').map(({ name, place }) => [name, place.value] as const)
  const branches = [...names].map((name) => ({
    ...around,
    properties: Object.fromEntries(listed.filter(([key]) => key === name || !names.has(key))),
    required: [around['required'] ?? [], name].flat(),
  }))
  const value = { ...(other.parts[0]?.value['type'] !== undefined && { type: around['type'] }), oneOf: branches }
  return { ...schema, parts: [{ ...part, place: { ...part.place, value }, value }] }
}

/** Whether a `oneOf` or `anyOf` has more than one schema. */
function hasSeveralAlternatives({ parts }: ComparedSchema): boolean {
  return parts.some(({ place }) => alternativeKeywords.some((keyword) => countIn(place, keyword) > 1))
}

/** Whether a schema has `null` around the alternatives that another one has. Otherwise, those around `null` can be an alternative of the other. */
function isSameChoice(state: ComparisonState, wrapping: ComparedSchema, plain: ComparedSchema): boolean {
  if (!wrapping.addsNull || plain.addsNull) return false
  const lists = listAlternatives(plain)
  if (lists.length === 0 || lists.length !== listAlternatives(wrapping).length) return false
  const wrapped = listAlternatives(wrapping, true)
    .flatMap(({ written }) => written)
    .filter((branch) => !isNullSchema(wrapping.side.follow.end(branch)))
  const shapes = new Set(wrapped.map((branch) => toShape(state, branch, wrapping.side)))
  return !lists.some(({ branches }) => branches.some((branch) => shapes.has(toShape(state, branch, plain.side))))
}

function reportNever(scope: Scope, base: Place, revision: Place, isForbidden: boolean): void {
  report(scope, {
    code: isForbidden ? 'constraint-added' : 'constraint-removed',
    base,
    revision,
    message: (at) => (isForbidden ? `No value is allowed for ${at} anymore` : `Values are allowed for ${at}`),
  })
}
