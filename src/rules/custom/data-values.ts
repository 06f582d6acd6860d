import { describeKind, listEntries } from '../../script/values/operators.ts'
import {
  type EntrySource,
  type Evaluation,
  isKind,
  isReference,
  type ListValue,
  type MdxPlace,
  nest,
  type ObjectValue,
  type Scope,
  spend,
  toObject,
  Unevaluable,
  type Value,
} from '../../script/values/values.ts'
import { isContainer, readOwn, readStep } from '../../text/json/json-values.ts'

/** Parsed data as values, which are made when they are read: the data can be large, and it can contain itself. */
export interface DataReader {
  /** `path` returns the path of the data, for references to it. */
  readonly read: (data: unknown, path?: PathOfData) => Value
}

type PathOfData = () => readonly (string | number)[]

/** Creates values of data. `count` counts the items and members that are made. */
export function createDataReader(count: (steps: number) => void): DataReader {
  return { read: (data, path = () => []) => toValue(data, { path, count }) }
}

/** A list or object whose members are read. */
interface Level {
  readonly data?: object
  readonly parent?: Level
  readonly key?: string
  /** Of the outermost one. */
  readonly path: PathOfData
  readonly count: (steps: number) => void
}

function toValue(data: unknown, level: Level): Value {
  if (!isContainer(data)) return data as Value // JSON has no others.
  if (Array.isArray(data)) return new DataList(data, level)
  const inside = { ...level, data }
  const read = (key: string) => readData(readStep(data, key), key, inside)
  return new LazyObject(data, read, { data, count: level.count })
}

/**
 * Reads a member. Where data contains itself, because it takes the place of a reference to it, the member is the reference, so that
 * recursive code ends.
 */
function readData(data: unknown, key: string, parent: Level): Value {
  if (!isContainer(data)) return toValue(data, parent)
  let depth = 1
  for (let one: Level | undefined = parent; one; one = one.parent, depth++) {
    if (one.data === data) return toObject([['$ref', toReference(one)]])
  }
  parent.count(1 + Math.floor(depth / 16))
  return toValue(data, { parent, key, path: parent.path, count: parent.count })
}

function toReference(level: Level): string {
  const keys: string[] = []
  for (let one = level; one.parent && one.key !== undefined; one = one.parent) keys.unshift(one.key)
  const escaped = [...level.path().map(String), ...keys].map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
  return `#${escaped.map((key) => `/${key}`).join('')}`
}

class DataList implements ListValue {
  readonly kind = 'list'
  readonly data: readonly unknown[]
  readonly #level: Level
  #items: Value[] | undefined

  constructor(data: readonly unknown[], level: Level) {
    this.data = data
    this.#level = { ...level, data }
  }

  held(): Iterable<Value> {
    return this.#items ?? []
  }

  get items(): Value[] {
    if (!this.#items) {
      this.#level.count(this.data.length)
      this.#items = this.data.map((item, index) => readData(item, String(index), this.#level))
    }
    return this.#items
  }
}

/** An object whose members are made when they are read. Lists and objects are kept. */
class LazyObject implements ObjectValue, EntrySource {
  readonly kind = 'object'
  readonly data?: object
  readonly #members: object
  readonly #make: (key: string, place: MdxPlace) => Value
  readonly #count: (steps: number) => void
  readonly #made = new Map<string, Value>()
  #entries: Map<string, Value> | undefined

  constructor(members: object, make: (key: string, place: MdxPlace) => Value, of?: { data: object; count: Level['count'] }) {
    this.#members = members
    this.#make = make
    this.#count = of?.count ?? (() => {})
    if (of) this.data = of.data
  }

  get source(): EntrySource | undefined {
    return this.#entries ? undefined : this
  }

  get entries(): Map<string, Value> {
    if (!this.#entries) {
      const keys = this.keys()
      this.#count(keys.length)
      this.#entries = new Map(keys.map((key) => [key, this.get(key, { file: '', start: 0, end: 0 })]))
    }
    return this.#entries
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#members, key)
  }

  get(key: string, place: MdxPlace): Value {
    const known = this.#made.get(key)
    if (known !== undefined) return known
    const value = this.has(key) ? this.#make(key, place) : undefined
    if (isReference(value)) this.#made.set(key, value)
    return value
  }

  keys(): readonly string[] {
    return Object.keys(this.#members)
  }

  held(): Iterable<Value> {
    return this.#made.values()
  }
}

/** An object whose members are computed when they are read. */
export function toComputedObject(members: Readonly<Record<string, (place: MdxPlace) => Value>>): ObjectValue {
  return new LazyObject(members, (key, place) => readOwn(members, key)?.(place))
}

/** Converts a value to data. Data that was only read is returned unchanged. */
export function toData(value: Value, evaluation: Evaluation, place: MdxPlace): unknown {
  if (!isReference(value)) return value
  spend(evaluation.budget, 1, place)
  if (isKind(value, 'object') && value.source && value.data) return value.data
  nest(evaluation.budget, place)
  const data = (() => {
    if (isKind(value, 'list')) return value.items.map((item) => toData(item, evaluation, place))
    if (isKind(value, 'pattern')) return `/${value.source}/${value.flags}`
    if (!isKind(value, 'object')) throw new Unevaluable(`passes ${describeKind(value)} on`, place)
    return Object.fromEntries(listEntries(value, evaluation, place).map(([key, one]) => [key, toData(one, evaluation, place)]))
  })()
  evaluation.budget.depth--
  return data
}

/**
 * Counts the values that code can still reach from a value, up to a limit. Characters of strings count, too (64 as one value), and so
 * do the members of data that were read.
 */
export function countRetained(root: Value, most: number): number {
  const seen = new Set<object>()
  const stack: (Value | Scope)[] = [root]
  let count = 0
  while (stack.length > 0 && count <= most) {
    const one = stack.pop()
    count += typeof one === 'string' ? 1 + one.length / 64 : 1
    if (one === null || typeof one !== 'object' || seen.has(one)) continue
    seen.add(one)
    for (const inner of listHeld(one)) stack.push(inner)
  }
  return count
}

function* listHeld(holder: (Value & object) | Scope): Iterable<Value | Scope> {
  if (!('kind' in holder)) {
    if (holder.parent) yield holder.parent
    for (const { value } of holder.names.values()) yield value
    return
  }
  switch (holder.kind) {
    case 'list':
      yield* holder.held ? holder.held() : holder.items
      break
    case 'object':
      yield* holder.source ? holder.source.held() : holder.entries.values()
      break
    case 'collection':
      yield* holder.entries.keys()
      yield* holder.entries.values()
      break
    case 'function':
      yield holder.scope
      yield* holder.entries.values()
      break
    case 'built-in':
    case 'generator':
      yield* holder.holds ?? []
      break
    default:
  }
}
