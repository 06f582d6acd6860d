import { withoutNull } from '../../model/schema.ts'
import {
  childPlace,
  followOnly,
  isMapping,
  isReference,
  keysOf,
  listPlaces,
  valueIn,
} from '../../openapi/references/follow-reference.ts'
import { equalJson } from '../../openapi/schema/json-schema.ts'
import { type Place, stringOf } from '../../text/json/json-values.ts'
import { type NodeBudget, spendNodes } from '../../text/plain/limits.ts'
import { countBy, getOrMake, groupBy } from '../../text/plain/lists.ts'
import type { ComparisonState, Side } from '../differences/comparison.ts'
import { nameReference } from '../differences/name-place.ts'
import { type Alternatives, readTypes, toComparedSchema } from './compared-schema.ts'
import { readProperties } from './described-properties.ts'
import { listedIn, listKeywords, toContent } from './keywords.ts'

/** The name of the component that an alternative refers to. */
export function referenceName({ value }: Place): string | undefined {
  return isReference(value) ? nameReference(value.$ref) : undefined
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

/** Matches alternatives in their normal form, without nested unions. */
export function matchUnions(from: Alternatives, to: Alternatives, state: ComparisonState): MatchedBranches {
  const { pairs, removed, added } = matchBranches(from.branches, to.branches, state, [from.schema, to.schema])
  return { pairs, removed: restoreUnions(from, removed), added: restoreUnions(to, added) }
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

/** With more alternatives than this, those that are not equal are matched by their names only. */
const maxCompared = 100

type NameAlternative = (place: Place) => string | undefined

/** Names the alternatives of a list by the component, the title, or the first component in `allOf` that no other alternative has there. */
export function toNameAlternative(branches: readonly Place[]): NameAlternative {
  const listParts = (place: Place) => listPlaces(place, 'allOf').flatMap((part) => referenceName(part) ?? [])
  const counts = countBy(branches.flatMap(listParts), (name) => name)
  return (place) => referenceName(place) ?? titleOf(place) ?? listParts(place).find((name) => counts.get(name) === 1)
}

/** Names the alternatives by the values of a discriminator that select them. */
function toNameValues(mapping: Place, otherwise: NameAlternative): NameAlternative {
  const values = groupBy(keysOf(mapping).toSorted(), (value) => nameReference(valueIn(mapping, value)))
  return (place) => values.get(referenceName(place))?.join('\n') ?? otherwise(place)
}

/**
 * Matches alternatives: equal ones, then those with the smallest difference, then those that have only their name in common. Of several,
 * those with the same name are matched. The order of the lists has no meaning.
 *
 * @param schemas The schemas with the lists. What a discriminator in both maps to an alternative is its name.
 */
export function matchBranches(
  from: readonly Place[],
  to: readonly Place[],
  state: ComparisonState,
  schemas: readonly (Place | undefined)[] = [],
): MatchedBranches {
  const { base, revision } = state
  const names = [toNameAlternative(from), toNameAlternative(to)] as const
  let [nameOld, nameNew] = names
  const [mapping, newMapping] = schemas.map((schema) => schema && childPlace(childPlace(schema, 'discriminator'), 'mapping'))
  if (mapping && newMapping && isMapping(mapping) && isMapping(newMapping)) {
    ;[nameOld, nameNew] = [toNameValues(mapping, nameOld), toNameValues(newMapping, nameNew)]
  }
  const pairs: (readonly [Place, Place])[] = []
  let [removed, added] = [from, to]
  const match = (found: Iterable<readonly [Place, Place]>) => {
    const taken = new Set<Place>()
    for (const [one, other] of found) {
      if (taken.has(one) || taken.has(other)) continue
      pairs.push([one, other])
      taken.add(one).add(other)
    }
    const isLeft = (place: Place) => !taken.has(place)
    if (taken.size > 0) [removed, added] = [removed.filter(isLeft), added.filter(isLeft)]
  }
  const matchBy = (keyOfBase: NameAlternative, keyOfRevision: NameAlternative) => {
    if (removed.length === 0 || added.length === 0) return
    const byKey = groupBy(added, keyOfRevision)
    match(
      removed.flatMap((place): [Place, Place][] => {
        const key = keyOfBase(place)
        const other = key === undefined ? undefined : byKey.get(key)?.shift()
        return other ? [[place, other]] : []
      }),
    )
  }
  for (const plain of [(place: Place) => place, withoutNull]) {
    const shapeOld = (place: Place) => `${toShape(state, plain(place), base)}`
    const shapeNew = (place: Place) => `${toShape(state, plain(place), revision)}`
    matchBy(
      (place) => `${shapeOld(place)} ${nameOld(place)}`,
      (place) => `${shapeNew(place)} ${nameNew(place)}`,
    )
    matchBy(shapeOld, shapeNew)
  }
  // A second reference to the same schema says nothing more.
  const paired = new Set(pairs.flatMap(([one, other]) => [base.follow.end(one).value, revision.follow.end(other).value]))
  removed = removed.filter((place) => !paired.has(base.follow.end(place).value))
  added = added.filter((place) => !paired.has(revision.follow.end(place).value))
  if (removed.length <= maxCompared && added.length <= maxCompared) {
    const measured = removed.flatMap((one) =>
      added.flatMap((other) => {
        const difference = measureDifference(state, one, other)
        return difference === undefined ? [] : [{ one, other, difference, renamed: Number(nameOld(one) !== nameNew(other)) }]
      }),
    )
    const nearest = measured.sort((a, b) => a.difference - b.difference || a.renamed - b.renamed)
    match(nearest.map(({ one, other }) => [one, other]))
  }
  matchBy(nameOld, nameNew)
  matchBy(...names)
  // What a reference that cannot be resolved refers to can be any alternative of the other version. The check reports the reference.
  const isKnown = (place: Place, { follow }: Side) => !isReference(follow.end(place).value)
  const known = [removed.filter((place) => isKnown(place, base)), added.filter((place) => isKnown(place, revision))] as const
  const unknown = [removed.length - known[0].length, added.length - known[1].length]
  return { pairs, removed: known[0].slice(unknown[1]), added: known[1].slice(unknown[0]) }
}

/** The title of an inline alternative. */
export function titleOf(schema: Place): string | undefined {
  return isReference(schema.value) ? undefined : stringOf(valueIn(schema, 'title'))
}

/** Keywords and properties of a schema, with those of the schemas that it consists of. */
interface Traits {
  readonly types: string
  readonly constant: unknown
  /** A text for each keyword and property. */
  readonly shapes: ReadonlyMap<string, string>
  /** Each property, with its constant if it has one. */
  readonly properties: ReadonlyMap<string, unknown>
}

function readTraits(state: ComparisonState, alternative: Place, side: Side): Traits {
  // Many lists can refer to the same schemas.
  const place = followOnly(alternative, side.follow)
  const { traits: known } = recall(state, side)
  const before = known.get(place.value)
  if (before) return before
  const schema = toComparedSchema([place], side)
  const shapes = new Map<string, string>()
  for (const { place: at } of schema.parts) {
    for (const key of listKeywords(at)) {
      if (!inTraits.has(key)) shapes.set(key, `${shapes.get(key) ?? ''}${toShape(state, childPlace(at, key), side)}`)
    }
  }
  const listed = [...readProperties(schema)]
  for (const [name, places] of listed) shapes.set(`/${name}`, places.map((each) => toShape(state, each, side)).join())
  const traits = {
    types: [...(readTypes(schema).types ?? [])].sort().join(),
    constant: readConstant(schema.parts.map((part) => part.place)),
    shapes,
    properties: new Map(listed.map(([name, places]) => [name, readConstant(places.map(side.follow.end))])),
  }
  known.set(place.value, traits)
  return traits
}

/** Keywords that are read in another way. */
const inTraits = new Set(['$ref', 'allOf', 'properties', 'type', 'nullable'])

function readConstant(schemas: readonly Place[]): unknown {
  return schemas.map(listedIn).find(({ length }) => length === 1)?.[0]?.value
}

/**
 * The number of keywords and properties that differ, unless the alternatives have other types or constants, or one has less than half of the
 * properties of the other and neither has all of them.
 */
export function measureDifference(state: ComparisonState, from: Place, to: Place): number | undefined {
  const [one, other] = [readTraits(state, from, state.base), readTraits(state, to, state.revision)]
  const [{ properties }, { properties: others }] = [one, other]
  if (one.types !== other.types || isOtherConstant(one.constant, other.constant)) return undefined
  if (!spendNodes(state.budget, 1 + one.shapes.size)) return undefined
  let common = 0
  for (const [name, constant] of properties) {
    if (!others.has(name)) continue
    common++
    // A property such as `type: {const: dog}` tells the alternatives apart.
    if (isOtherConstant(constant, others.get(name))) return undefined
  }
  const sizes = [properties.size, others.size]
  if (common * 2 < Math.max(...sizes) && common < Math.min(...sizes)) return undefined
  const names = [...new Set([...one.shapes.keys(), ...other.shapes.keys()])]
  return names.filter((name) => one.shapes.get(name) !== other.shapes.get(name)).length
}

function isOtherConstant(constant: unknown, next: unknown): boolean {
  return constant !== undefined && next !== undefined && !equalJson(constant, next)
}

/** Pointers of lists whose order says nothing. */
const withoutOrder = /\/(?:(?:enum|required|type|allOf|oneOf|anyOf)|dependentRequired\/[^/]*)$/

/** Values that are deeper in a schema do not count in its shape. */
const maxShapeDepth = 8

/** What is known about the schemas of one version, because an alternative is compared with many others. */
interface Memory {
  /** Those of both versions. */
  readonly numbers: Map<string, number>
  /** The number of each value up to each depth, and that of a value without deeper ones at 0. */
  readonly shapes: WeakMap<object, number[]>
  readonly traits: Map<unknown, Traits>
}

const memories = new WeakMap<NodeBudget, Map<Side, Memory>>()

/** Comparisons with the same budget are about the same two versions. */
function recall({ budget, base, revision }: ComparisonState, side: Side): Memory {
  const known = memories.get(budget) ?? new Map<Side, Memory>()
  memories.set(budget, known)
  const { numbers = new Map() } = known.get(base) ?? known.get(revision) ?? {}
  return getOrMake(known, side, () => ({ numbers, shapes: new WeakMap(), traits: new Map() }))
}

/**
 * A number that is equal for schemas that say the same, apart from annotations. References are followed, so that a schema that
 * contains itself has the same number inline. Lists of keywords have no order, those in values such as `const` have one.
 */
export function toShape(state: ComparisonState, place: Place, side: Side): number {
  const { numbers, shapes } = recall(state, side)
  let isCut = false
  const write = (written: Place, depth: number): number => {
    const at = toContent(written, side)
    const { value } = at
    const isNested = isMapping(at) || Array.isArray(value)
    const own = shapes.get(Object(value)) ?? []
    const before = own[0] ?? own[depth]
    if (before !== undefined) {
      isCut ||= own[0] === undefined
      return before
    }
    const [wasCut, inner] = [isCut, (key: string | number) => write(childPlace(at, key), depth - 1)]
    isCut = depth === 0 && isNested
    let text = isCut ? '…' : JSON.stringify(value)
    if (!isCut && Array.isArray(value)) {
      const entries = value.map((_entry, index) => inner(index))
      text = `[${withoutOrder.test(at.pointer) ? entries.sort((a, b) => a - b) : entries}]`
    } else if (!isCut && isMapping(at)) {
      text = `{${[...listKeywords(at)].sort().map((key) => `${key}:${inner(key)}`)}}`
    }
    const number = numbers.get(text) ?? numbers.size + 1
    numbers.set(text, number)
    if (isNested && depth > 0) {
      own[isCut ? depth : 0] = number
      shapes.set(Object(value), own)
    }
    isCut ||= wasCut
    return number
  }
  return write(place, maxShapeDepth)
}
