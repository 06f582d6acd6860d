import { childPlace, isReference } from '../../openapi/references/follow-reference.ts'
import { equalJson } from '../../openapi/schema/json-schema.ts'
import { isObject, type JsonObject, type Place } from '../../text/json/json-values.ts'
import { type NodeBudget, spendNodes } from '../../text/plain/limits.ts'
import { addTo, countBy } from '../../text/plain/lists.ts'
import type { ComparisonState, Side } from '../differences/comparison.ts'
import { nameReference } from '../differences/name-place.ts'
import type { Alternatives } from './compared-schema.ts'
import { listKeywords, toContent } from './keywords.ts'

/** The names of the components in an `allOf`. */
function listReferences(value: unknown): string[] {
  const parts: unknown = isObject(value) ? value['allOf'] : undefined
  return Array.isArray(parts) ? parts.flatMap((part: unknown) => (isObject(part) ? (nameReference(part['$ref']) ?? []) : [])) : []
}

/** The name of the component that an alternative refers to. */
export function referenceName({ value }: Place): string | undefined {
  return isObject(value) ? nameReference(value['$ref']) : undefined
}

/** The last key of a pointer. */
export function nameOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

/** Pairs the entries of two lists that the other list does not have, by their order and without repeated ones. */
export function pairUnequal<Entry>(
  from: readonly Entry[],
  to: readonly Entry[],
  isSame: (one: Entry, other: Entry) => boolean,
): (readonly [removed: Entry | undefined, added: Entry | undefined])[] {
  const distinct = (list: readonly Entry[]) =>
    list.filter((one, index) => !list.slice(0, index).some((each) => isSame(each, one)))
  const added = distinct(to)
  const removed = distinct(from).filter((one) => !takeFirst(added, (other) => isSame(one, other)))
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => [removed[index], added[index]])
}

/** Removes and returns the first entry that meets a condition. */
export function takeFirst<Entry>(list: Entry[], meets: (entry: Entry) => boolean): Entry | undefined {
  const index = list.findIndex(meets)
  return index === -1 ? undefined : list.splice(index, 1)[0]
}

/** Matches alternatives in their normal form: without nested unions, unless each of these has the same name in both versions. */
export function matchUnions(from: Alternatives, to: Alternatives, state: ComparisonState): MatchedBranches {
  const isNamed = [from, to].every(({ unions }) => [...unions.keys()].every((union) => referenceName(union) !== undefined))
  const [names, newNames] = [from, to].map(({ written }) => written.map(referenceName).sort().join())
  if (isNamed && names === newNames) return matchBranches(from.written, to.written, state)
  const { pairs, removed, added } = matchBranches(from.branches, to.branches, state)
  return { pairs, removed: restoreUnions(from, removed), added: restoreUnions(to, added) }
}

/** Those of each schema, so that it is compared once. */
const plainSchemas = new WeakMap<JsonObject, JsonObject>()

/** The same schema without `null` as a value. */
export function withoutNull(place: Place): Place {
  const { value } = place
  if (!isObject(value)) return place
  const { nullable, type, enum: values, ...rest } = value
  if (nullable !== true && !Array.isArray(type)) return place
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : [type]
  const left = types.length === 1 ? types[0] : types
  const listed = Array.isArray(values) ? { enum: values.filter((one) => one !== null) } : {}
  const plain = plainSchemas.get(value) ?? { ...(left !== undefined && { type: left }), ...listed, ...rest }
  plainSchemas.set(value, plain)
  return { ...place, value: plain }
}

/** Replaces all alternatives of a union by the union. */
function restoreUnions({ written, unions }: Alternatives, branches: readonly Place[]): readonly Place[] {
  if (unions.size === 0) return branches
  return written.flatMap((branch) => {
    const inside = unions.get(branch) ?? [branch]
    const left = inside.filter((each) => branches.includes(each))
    return left.length > 0 && left.length === inside.length ? [branch] : left
  })
}

export interface MatchedBranches {
  readonly pairs: readonly (readonly [Place, Place])[]
  readonly removed: readonly Place[]
  readonly added: readonly Place[]
}

/** With more alternatives than this, those without a name, title or equal are not matched by their contents. */
const maxCompared = 100

/**
 * Matches alternatives: by the name of the component, then by a component in `allOf`, then equal ones, then by title, then similar ones
 * without a name. Last come the only two that are left, if they are at the same position.
 */
export function matchBranches(from: readonly Place[], to: readonly Place[], state: ComparisonState): MatchedBranches {
  const { base, revision, budget } = state
  const pairs: (readonly [Place, Place])[] = []
  let removed = from
  let added = to
  const matchBy = (keyOfBase: (place: Place) => string | undefined, keyOfRevision = keyOfBase) => {
    if (removed.length === 0 || added.length === 0) return
    const byKey = new Map<string, Place[]>()
    for (const place of added) {
      const key = keyOfRevision(place)
      if (key !== undefined) addTo(byKey, key, place)
    }
    const taken = new Set<Place>()
    removed = removed.filter((place) => {
      const key = keyOfBase(place)
      const other = key === undefined ? undefined : byKey.get(key)?.shift()
      if (!other) return true
      pairs.push([place, other])
      taken.add(other)
      return false
    })
    added = added.filter((place) => !taken.has(place))
  }
  matchBy(referenceName)
  matchBy(toFindReference(from), toFindReference(to))
  matchBy(
    (place) => toShape(place, base),
    (place) => toShape(place, revision),
  )
  matchBy(
    (place) => toShape(withoutNull(place), base),
    (place) => toShape(withoutNull(place), revision),
  )
  matchBy(titleOf)
  if (removed.length <= maxCompared && added.length <= maxCompared) {
    for (const place of [...removed]) {
      const other = added.find((candidate) => {
        // Two components with different names are different alternatives. An alternative can become a component, or be inlined.
        if (referenceName(place) !== undefined && referenceName(candidate) !== undefined) return false
        return isSimilar(toContent(place, base), toContent(candidate, revision), budget)
      })
      if (!other) continue
      pairs.push([place, other])
      removed = removed.filter((each) => each !== place)
      added = added.filter((each) => each !== other)
    }
  }
  ;[removed, added] = withoutUnknown(removed, added, base, revision)
  const [left, ...more] = removed
  const [right, ...others] = added
  if (left && right && more.length + others.length === 0 && nameOf(left.pointer) === nameOf(right.pointer)) {
    const isSame = becameComponent(left, right, base, revision) || hasOnlyMoreProperties(left, right, budget)
    if (isSame) return { pairs: [...pairs, [left, right]], removed: [], added: [] }
  }
  return { pairs, removed, added }
}

/**
 * Leaves out alternatives with a reference that cannot be resolved, and what is in their position in the other version. The check reports the
 * reference, and nothing is known about the alternative.
 */
function withoutUnknown(
  removed: readonly Place[],
  added: readonly Place[],
  base: Side,
  revision: Side,
): [removed: readonly Place[], added: readonly Place[]] {
  const listUnknown = (places: readonly Place[], { follow }: Side) => {
    return new Set(places.filter((place) => isReference(follow.end(place).value)).map(({ pointer }) => nameOf(pointer)))
  }
  const positions = new Set([...listUnknown(removed, base), ...listUnknown(added, revision)])
  const isKnown = ({ pointer }: Place) => !positions.has(nameOf(pointer))
  return positions.size === 0 ? [removed, added] : [removed.filter(isKnown), added.filter(isKnown)]
}

/** Whether an alternative of the same type moved to a component, or out of it. */
function becameComponent(one: Place, other: Place, base: Side, revision: Side): boolean {
  if ((referenceName(one) === undefined) === (referenceName(other) === undefined)) return false
  const types = [base.follow.end(one), revision.follow.end(other)].map(({ value }) => isObject(value) && toTypeKey(value['type']))
  return types[0] === types[1]
}

/** Whether two alternatives without names have the same type and constants, and one of them has all properties of the other. */
function hasOnlyMoreProperties(one: Place, other: Place, budget: NodeBudget): boolean {
  if (titleOf(one) !== undefined || titleOf(other) !== undefined) return false
  const common = countCommonProperties(one, other, budget)
  return common !== undefined && common.count === common.smaller
}

/** The title of an inline alternative. */
export function titleOf({ value }: Place): string | undefined {
  return isObject(value) && value['$ref'] === undefined && typeof value['title'] === 'string' ? value['title'] : undefined
}

/** Returns a function that finds the first component in the `allOf` of an alternative that no other alternative has there. */
export function toFindReference(branches: readonly Place[]): (branch: Place) => string | undefined {
  const all = branches.flatMap(({ value }) => listReferences(value))
  const counts = countBy(all, (name) => name)
  return ({ value }) => listReferences(value).find((name) => counts.get(name) === 1)
}

/** Whether two schemas without names have the same type, the same constants, and at least half of their properties in common. */
export function isSimilar(one: Place, other: Place, budget: NodeBudget): boolean {
  const common = countCommonProperties(one, other, budget)
  return common !== undefined && common.count * 2 >= common.larger
}

/** How many properties two schemas without names have in common, unless their types or constants differ. */
function countCommonProperties(
  { value: one }: Place,
  { value: other }: Place,
  budget: NodeBudget,
): { readonly count: number; readonly smaller: number; readonly larger: number } | undefined {
  if (!isObject(one) || !isObject(other) || one['$ref'] !== undefined || other['$ref'] !== undefined) return undefined
  if (toTypeKey(one['type']) !== toTypeKey(other['type']) || haveOtherConstants(one, other)) return undefined
  const [from, to] = [listOwnProperties(one), listOwnProperties(other)]
  if (!spendNodes(budget, 1 + from.size)) return undefined
  let count = 0
  for (const [name, value] of from) {
    if (!to.has(name)) continue
    count++
    // A property such as `type: {const: dog}` tells the alternatives apart.
    if (haveOtherConstants(value, to.get(name))) return undefined
  }
  return { count, smaller: Math.min(from.size, to.size), larger: Math.max(from.size, to.size) }
}

/** Those of each schema, because it is compared with many others. */
const ownProperties = new WeakMap<JsonObject, Map<string, unknown>>()

/** The properties of a schema and of its `allOf`, with the components in `allOf` by name. */
function listOwnProperties(value: JsonObject): Map<string, unknown> {
  const known = ownProperties.get(value)
  if (known) return known
  const { properties, allOf } = value
  const parts = Array.isArray(allOf) ? allOf.flatMap((part: unknown) => (isObject(part) ? [...listOwnProperties(part)] : [])) : []
  const reference = nameReference(value['$ref'])
  const named: [string, unknown][] = reference === undefined ? [] : [[`#${reference}`, undefined]]
  const listed = new Map([...parts, ...named, ...(isObject(properties) ? Object.entries(properties) : [])])
  ownProperties.set(value, listed)
  return listed
}

/** Whether two schemas have different constants. */
function haveOtherConstants(one: unknown, other: unknown): boolean {
  const [constant, next] = [readConstant(one), readConstant(other)]
  return constant !== undefined && next !== undefined && !equalJson(constant, next)
}

function readConstant(schema: unknown): unknown {
  if (!isObject(schema)) return undefined
  const { const: constant, enum: values } = schema
  return Array.isArray(values) && values.length === 1 ? values[0] : constant
}

/** A text that is equal for equal types, with or without `null`. */
function toTypeKey(type: unknown): string {
  return JSON.stringify([type].flat().filter((one) => one !== 'null'))
}

/** Largest number of values in a shape. */
const maxShape = 500

/**
 * A text that is equal for schemas that allow the same values, apart from annotations. References are followed, so that a schema that
 * contains itself has the same text inline.
 */
export function toShape(place: Place, side: Side): string {
  let left = maxShape
  const write = (written: Place): string => {
    if (left-- <= 0) return '…'
    const at = toContent(written, side)
    const { value } = at
    if (Array.isArray(value)) return `[${value.map((_entry, index) => write(childPlace(at, index))).join()}]`
    if (!isObject(value)) return JSON.stringify(value) ?? ''
    const keys = listKeywords(value).filter((key) => key !== 'default')
    return `{${keys
      .sort()
      .map((key) => `${key}:${write(childPlace(at, key))}`)
      .join()}}`
  }
  return write(place)
}
