import { addTo, getOrMake } from '../../text/plain/lists.ts'
import { type ChildTest, prepareSelectors } from './select-children.ts'
import type { ParsedPath, Step } from './syntax.ts'

/** What a walk finds at a value. */
export interface Arrival {
  /** The queries that select the value, by their index. */
  readonly selectedBy: readonly Selection[]
  /** The steps `^`, which continue at the object or list with the value. */
  readonly toParents: readonly Edge[]
  /** What to look for inside the value. */
  readonly inside: Expectation
}

export interface Selection {
  readonly query: number
  /** Whether the query selects the key instead of the value. */
  readonly selectsKeys: boolean
}

/** A step of one or more queries. */
export interface Edge {
  readonly id: number
  /** `undefined` for the step `^`. */
  readonly test: ChildTest | undefined
  readonly isDeep: boolean
  readonly target: Target
}

interface Target {
  readonly edges: Edge[]
  readonly byStep: Map<string, Edge>
  readonly selectedBy: Selection[]
}

/** A set of steps that a walk looks for in the children of an object or list. */
export class Expectation {
  /** In order of their ids. */
  readonly edges: readonly Edge[]
  /** The steps that need a test of each child. */
  readonly tested: readonly Edge[]
  /** Those that a text, number, boolean or `null` can pass. */
  readonly testedOnScalars: readonly Edge[]
  /** How much work one child is. */
  readonly cost: number
  readonly #sets: Sets
  readonly #named = new Map<string, Edge[]>()
  readonly #arrivals = new Map<string, Arrival>()
  readonly #always: readonly Edge[]
  #otherwise: Arrival | undefined

  constructor(sets: Sets, edges: readonly Edge[]) {
    this.#sets = sets
    this.edges = edges
    this.tested = edges.filter(({ test }) => test?.test && !test.isWildcard)
    this.testedOnScalars = this.tested.filter(({ test }) => !test?.needsContainer)
    this.cost = this.tested.reduce((sum, { test }) => sum + (test?.cost ?? 0), 1)
    this.#always = edges.filter(({ test }) => test?.isWildcard)
    for (const edge of edges) {
      for (const name of edge.test?.isWildcard ? [] : (edge.test?.names ?? [])) {
        addTo(this.#named, name, edge)
      }
    }
  }

  /** What the walk finds at a child with the key, before the tests. */
  arriveAt(key: string | number): Arrival {
    const name = this.#named.size > 0 ? String(key) : ''
    const named = this.#named.get(name)
    if (!named) {
      this.#otherwise ??= this.#arrive([])
      return this.#otherwise
    }
    let arrival = this.#arrivals.get(name)
    if (!arrival) {
      arrival = this.#arrive(named)
      this.#arrivals.set(name, arrival)
    }
    return arrival
  }

  #arrive(named: readonly Edge[]): Arrival {
    const taken = [...this.#always, ...named]
    return this.#sets.toArrival(
      [...this.edges.filter(({ isDeep }) => isDeep), ...taken.flatMap(({ target }) => target.edges)],
      taken.flatMap(({ target }) => target.selectedBy),
    )
  }
}

/** Finds equal sets again. Combinations of two sets are remembered. */
export class Sets {
  readonly empty: Expectation
  readonly #spend: (steps: number) => void
  readonly #expectations = new Map<string, Expectation>()
  readonly #arrivals = new Map<string, Arrival>()
  readonly #nothing: Arrival
  readonly #unions = new Map<Arrival, Map<Target, Arrival>>()
  readonly #sums = new Map<Expectation, Map<Expectation, Expectation>>()
  readonly #differences = new Map<Expectation, Map<Expectation, Expectation>>()

  constructor(spend: (steps: number) => void) {
    this.#spend = spend
    this.empty = this.toExpectation([])
    this.#nothing = this.toArrival([], [])
  }

  toExpectation(edges: readonly Edge[]): Expectation {
    const sorted = [...new Set(edges)].sort((a, b) => a.id - b.id)
    const key = sorted.map(({ id }) => id).join(' ')
    return getOrMake(this.#expectations, key, () => {
      // Also limits the memory for sets.
      this.#spend(10 * (sorted.length + 1))
      return new Expectation(this, sorted)
    })
  }

  toArrival(edges: readonly Edge[], selectedBy: readonly Selection[]): Arrival {
    const toParents = [...new Set(edges.filter(({ test }) => !test))]
    const inside = this.toExpectation(edges.filter(({ test }) => test))
    const selections = [...new Set(selectedBy)].sort((a, b) => a.query - b.query)
    const key =
      [inside.edges, toParents].map((list) => list.map(({ id }) => id).join(' ')).join('^') +
      '=' +
      selections.map(({ query }) => query).join(' ')
    return getOrMake(this.#arrivals, key, () => {
      this.#spend(10 * (selections.length + inside.edges.length + 1))
      return { selectedBy: selections, toParents, inside }
    })
  }

  /** What the walk finds after a step. */
  arriveBy(edge: Edge): Arrival {
    return this.withStep(this.#nothing, edge)
  }

  /** What the walk finds at a value where one more step ends. */
  withStep(arrival: Arrival, { target }: Edge): Arrival {
    return remember(this.#unions, arrival, target, () =>
      this.toArrival(
        [...arrival.inside.edges, ...arrival.toParents, ...target.edges],
        [...arrival.selectedBy, ...target.selectedBy],
      ),
    )
  }

  union(a: Expectation, b: Expectation): Expectation {
    return remember(this.#sums, a, b, () => this.#combine(a, b, [...a.edges, ...b.edges]))
  }

  /** The steps of `a` that are not in `b`. */
  difference(a: Expectation, b: Expectation): Expectation {
    if (a === b) return this.empty
    return remember(this.#differences, a, b, () => {
      const subtracted = new Set(b.edges)
      return this.#combine(
        a,
        b,
        a.edges.filter((edge) => !subtracted.has(edge)),
      )
    })
  }

  #combine(a: Expectation, b: Expectation, edges: readonly Edge[]): Expectation {
    this.#spend(a.edges.length + b.edges.length)
    return this.toExpectation(edges)
  }
}

function remember<First, Second, Result>(
  results: Map<First, Map<Second, Result>>,
  first: First,
  second: Second,
  compute: () => Result,
): Result {
  const bySecond = getOrMake(results, first, () => new Map<Second, Result>())
  return getOrMake(bySecond, second, compute)
}

/**
 * Builds one automaton of all queries, so that each value of a document is visited once for all of them. Returns its first step, which ends
 * at the root of the document.
 *
 * Queries form a tree of steps in which equal beginnings are shared. What a walk expects at some place is a set of steps (`Expectation`).
 * Sets are created when they first occur and found again by what they contain, which makes the common case two lookups per value.
 */
export function buildAutomaton(paths: readonly ParsedPath[]): Edge {
  const root = createTarget()
  let edges = 0
  const follow = (from: Target, step: Step): Target => {
    const key = JSON.stringify(step)
    let edge = from.byStep.get(key)
    if (!edge) {
      const test = step.kind === 'children' ? prepareSelectors(step.selectors) : undefined
      edge = { id: edges++, test, isDeep: step.kind === 'children' && step.isDeep, target: createTarget() }
      from.byStep.set(key, edge)
      from.edges.push(edge)
    }
    return edge.target
  }
  for (const [query, path] of paths.entries()) {
    const selection = { query, selectsKeys: path.selectsKeys }
    for (const steps of listAlternatives(path.steps)) steps.reduce(follow, root).selectedBy.push(selection)
  }
  return { id: -1, test: undefined, isDeep: false, target: root }
}

function createTarget(): Target {
  return { edges: [], byStep: new Map(), selectedBy: [] }
}

const allObjects: Step = {
  kind: 'children',
  isDeep: true,
  selectors: [{ kind: 'filter', condition: { kind: 'type-test', type: 'object' } }],
}

/** Replaces `..` at the end by two paths: the value itself, and all objects and lists inside it. */
function listAlternatives(steps: readonly Step[]): readonly (readonly Step[])[] {
  const at = steps.findIndex(({ kind }) => kind === 'objects')
  if (at < 0) return [steps]
  return [[], [allObjects]].map((instead) => [...steps.slice(0, at), ...instead, ...steps.slice(at + 1)])
}
