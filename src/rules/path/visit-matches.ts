import { isContainer, readStep } from '../../text/json/json-values.ts'
import { getOrMake } from '../../text/plain/lists.ts'
import type { Path } from '../ruleset.ts'
import { type Arrival, buildAutomaton, type Edge, type Expectation, type Selection, Sets } from './automaton.ts'
import { looksUpward, type Scope, type ScopePlace } from './compute-expression.ts'
import { expressionOf } from './select-children.ts'
import type { ParsedPath } from './syntax.ts'

/** A value that a query selects. */
export interface Match {
  /** With `~` at the end of the path, the key of the value. */
  readonly value: unknown
  /** Keys and indexes from the root. Of several paths to the same place, the first. */
  readonly path: Path
}

/** A path with what to do for each value that it selects. */
interface Query {
  readonly path: ParsedPath
  readonly onMatch: (match: Match) => void
}

/**
 * Finds the values that queries select, in one walk through a document.
 *
 * The document is a graph: where it has a reference, the target may stand instead, also inside itself. Each value counts once per query,
 * however many paths lead to it, so that a walk takes time in proportion to the values and queries. Only queries that look upward, such as
 * those with `@path`, and those that match each path have to follow each path. They do not enter an object inside itself.
 */
export function visitMatches(root: unknown, queries: readonly Query[], options: Options): void {
  const followsPaths = ({ path }: Query) => options.matchesEachPath === true || isUpward(path)
  const following = queries.filter(followsPaths)
  const others = queries.filter((query) => !followsPaths(query))
  if (others.length > 0) walk(root, others, options, false)
  if (following.length > 0) walk(root, following, options, true)
}

interface Options {
  /** The location of an object that replaces a reference. `undefined` for other objects. */
  readonly originOf: (object: object) => unknown
  /** Receives the number of steps, about one for each value and operation of a filter. It may throw to end the walk. */
  readonly spend: (steps: number) => void
  /** Whether to match a value once for each path to it, instead of once. Default: false. */
  readonly matchesEachPath?: boolean
}

/** Whether the result also depends on more than the object with the value: on the path to it, or on its key. */
function isUpward({ steps, selectsKeys }: ParsedPath): boolean {
  return steps.some((step, index) => {
    const next = steps[index + 1]
    if (step.kind === 'parent') return next?.kind === 'parent' || (!next && selectsKeys)
    if (step.kind !== 'children') return false
    return step.selectors.some((selector) => {
      const expression = expressionOf(selector)
      return expression !== undefined && looksUpward(expression)
    })
  })
}

/** An object or list that the walk is in. */
interface Frame extends Position {
  readonly value: object
  readonly inside: Expectation
  /** `undefined` for lists. */
  readonly keys: readonly string[] | undefined
  readonly length: number
  /** Of the next child. */
  next: number
  /** Whether the frame is for another look at an object that the walk is in. */
  readonly wasOpen: boolean
}

/** Where a value is on the path of the walk. */
interface Position {
  /** `undefined` for the root. */
  readonly around: Frame | undefined
  readonly key: string | number | undefined
}

/** @param followsPaths Whether to follow each path to a value instead of one. */
function walk(
  root: unknown,
  queries: readonly Query[],
  { originOf, spend, matchesEachPath }: Options,
  followsPaths: boolean,
): void {
  const sets = new Sets(spend)
  const scope: Scope = { value: undefined, property: undefined, root, place: undefined, spend }
  const frames: Frame[] = []
  /** The steps that have been looked for in each object. */
  const visited = new Map<object, Expectation>()
  /** The objects that the walk is in. */
  const open = new Set<object>()
  const isFirst = createOnceFilter()
  const isFirstRise = createOnceFilter()
  // A path with `..` at the end is two paths, which may select the same value.
  const outside = {}
  const canRepeat = queries.map(({ path }) => {
    return (followsPaths && !matchesEachPath) || path.steps.some(({ kind }) => kind === 'objects')
  })

  arrive(undefined, undefined, root, sets.arriveBy(buildAutomaton(queries.map(({ path }) => path))))
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    if (frame.next < frame.length) visitChild(frame)
    else {
      frames.pop()
      if (!frame.wasOpen) open.delete(frame.value)
    }
  }

  function visitChild(frame: Frame): void {
    const index = frame.next++
    const key = frame.keys ? (frame.keys[index] ?? '') : index
    const value: unknown = readStep(frame.value, key)
    let arrival = frame.inside.arriveAt(key)
    const tested = isContainer(value) ? frame.inside.tested : frame.inside.testedOnScalars
    if (tested.length > 0) {
      scope.value = value
      scope.property = key
      if (followsPaths) scope.place = new FramePlace(frame, key)
      for (const edge of tested) if (edge.test?.test?.(frame.value, scope)) arrival = sets.withStep(arrival, edge)
    }
    arrive(frame, key, value, arrival)
  }

  function arrive(around: Frame | undefined, key: string | number | undefined, value: unknown, arrival: Arrival): void {
    for (const selection of arrival.selectedBy) select(selection, { around, key }, value)
    for (const edge of arrival.toParents) if (around) rise(around, edge)
    if (arrival.inside.edges.length > 0 && isContainer(value)) enter({ around, key }, value, arrival.inside, false)
  }

  function rise(frame: Frame, edge: Edge): void {
    spend(1)
    if (!isFirstRise(edge.id, followsPaths ? frame : frame.value, '')) return
    const { selectedBy, toParents, inside } = sets.arriveBy(edge)
    for (const selection of selectedBy) select(selection, frame, frame.value)
    for (const next of toParents) if (frame.around) rise(frame.around, next)
    if (inside.edges.length > 0) enter(frame, frame.value, inside, true)
  }

  function enter({ around, key }: Position, value: object, expected: Expectation, isReturn: boolean): void {
    let inside = expected
    const wasOpen = open.has(value)
    if (followsPaths) {
      // After a step to a parent, the walk can also be in an object that is beside the path.
      if (!isReturn && wasOpen && isAround(value, around)) return
      open.add(value)
    } else {
      const before = visited.get(value)
      if (before) inside = sets.difference(expected, before)
      if (inside.edges.length === 0) return
      visited.set(value, before ? sets.union(before, inside) : inside)
    }
    const list: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined
    const keys = list ? undefined : Object.keys(value)
    const { length } = list ?? keys ?? []
    spend(1 + length * inside.cost)
    if (length > 0) frames.push({ around, key, value, inside, keys, length, next: 0, wasOpen })
    else if (!wasOpen) open.delete(value)
  }

  function isAround(value: object, frame: Frame | undefined): boolean {
    for (let one = frame; one; one = one.around) {
      spend(1)
      if (one.value === value) return true
    }
    return false
  }

  function select({ query, selectsKeys }: Selection, position: Position, value: unknown): void {
    // The target of a reference is one place, whatever refers to it.
    if (!matchesEachPath && !selectsKeys && isContainer(value) && originOf(value) !== undefined && !isFirst(query, value, ''))
      return
    // A frame is one path, and its value can have several.
    const around = matchesEachPath ? position.around : position.around?.value
    if (canRepeat[query] && !isFirst(query, around ?? outside, position.key ?? '')) return
    queries[query]?.onMatch(new FoundMatch(selectsKeys ? position.key : value, position))
  }
}

/** Finds out whether an object and key occur for the first time, for each number. */
function createOnceFilter(): (number: number, object: object, key: string | number) => boolean {
  const known = new Map<number, Map<object, Set<string | number>>>()
  return (number, object, key) => {
    const ofNumber = getOrMake(known, number, () => new Map<object, Set<string | number>>())
    const keys = getOrMake(ofNumber, object, () => new Set<string | number>())
    return keys.size < keys.add(key).size
  }
}

class FramePlace implements ScopePlace {
  readonly #frame: Frame
  readonly #key: string | number

  constructor(frame: Frame, key: string | number) {
    this.#frame = frame
    this.#key = key
  }

  get parent(): unknown {
    return this.#frame.around?.value
  }

  get parentProperty(): string | number | undefined {
    return this.#frame.key
  }

  get path(): string {
    const keys = [...toPath(this.#frame), this.#key]
    return `$${keys.map((key) => (typeof key === 'string' ? `['${key}']` : `[${key}]`)).join('')}`
  }
}

/** Most matches need no path. */
class FoundMatch implements Match {
  readonly value: unknown
  readonly #position: Position

  constructor(value: unknown, position: Position) {
    this.value = value
    this.#position = position
  }

  get path(): Path {
    return toPath(this.#position)
  }
}

function toPath(position: Position): Path {
  const keys: (string | number)[] = []
  for (let { around, key }: Position = position; around && key !== undefined; { around, key } = around) keys.push(key)
  return keys.reverse()
}
