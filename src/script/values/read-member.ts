import { listMethods } from './list-methods.ts'
import { describeKind, isForbiddenName, isIndex, isTruthy, iterate, toNumber, toText } from './operators.ts'
import { stringMethods } from './string-methods.ts'
import { execPattern } from './text-patterns.ts'
import {
  type BuiltIn,
  builtIn,
  type CollectionValue,
  dataOf,
  type Evaluation,
  type FunctionValue,
  getEntry,
  hasEntry,
  hasOwnMember,
  isKind,
  type MdxPlace,
  type ObjectValue,
  type PatternValue,
  spend,
  ThrownValue,
  toList,
  toObject,
  Unevaluable,
  type Value,
} from './values.ts'

export function checkName(key: string, place: MdxPlace): string {
  if (isForbiddenName(key)) throw new Unevaluable(`uses \`${key}\``, place)
  return key
}

/** Reads an own property, or a method that is implemented here. Nothing is inherited. */
export function readMember(owner: Value, key: string, place: MdxPlace): Value {
  // An entry that the data or the code has is no way to a class.
  if (isForbiddenName(key) && !hasOwnEntry(owner, key)) checkName(key, place)
  if (owner === undefined || owner === null) {
    const name = key.slice(0, 80)
    const message = `Cannot read properties of ${owner} (reading '${name}')`
    throw new ThrownValue(`reads \`${name}\` of \`${owner}\``, place, message)
  }
  if (typeof owner === 'string') return readText(owner, key, place)
  if (typeof owner === 'number') return bind(numberMethods.get(key), owner, key)
  if (typeof owner === 'boolean') return key === 'toString' ? builtIn(key, () => String(owner)) : undefined
  switch (owner.kind) {
    case 'list':
      if (key === 'length') return owner.items.length
      if (isIndex(key)) return owner.items[Number(key)]
      if (owner.members?.has(key)) return owner.members.get(key)
      if (key === 'hasOwnProperty') return bind(testOwnMember, owner, key)
      return bind(checkMethod(listMethods, Array.prototype, key, place), owner, key)
    case 'object':
      if (hasEntry(owner, key)) return getEntry(owner, key, place)
      if (key === 'name' && owner.errorName !== undefined) return owner.errorName
      return bind(objectMethods.get(key), owner, key)
    case 'collection':
      return key === 'size' ? owner.entries.size : bind(checkMethod(collectionMethods, Set.prototype, key, place), owner, key)
    case 'pattern':
      if (key === 'source' || key === 'flags' || key === 'lastIndex') return owner[key]
      return bind(patternMethods.get(key), owner, key)
    case 'function':
      if (key === 'name' || key === 'length') return key === 'name' ? owner.name : owner.node.params.length
      return owner.entries.has(key) ? owner.entries.get(key) : bind(functionMethods.get(key), owner, key)
    case 'built-in':
      if (key !== 'name' && owner.entries && !owner.entries.has(key))
        throw new Unevaluable(`uses \`${owner.name}.${key}\``, place)
      return key === 'name' ? owner.name : owner.entries?.get(key)
    case 'element':
      if (key === 'props') return toObject(owner.props)
      return key === 'type' ? owner.type : key === 'key' ? (owner.props.get('key') ?? null) : undefined
    case 'component':
      return { kind: 'component', name: `${owner.name}.${key}` }
    case 'content':
      return undefined
    default:
      throw new Unevaluable(`uses \`${key.slice(0, 80)}\` of ${describeKind(owner)}`, place, {
        reported: owner.kind === 'missing',
      })
  }
}

function testOwnMember(owner: Value, [key]: readonly Value[], evaluation: Evaluation, place: MdxPlace): boolean {
  return hasOwnMember(owner, toText(key, evaluation, place))
}

function hasOwnEntry(owner: Value, key: string): boolean {
  if (isKind(owner, 'object')) return hasEntry(owner, key)
  return isKind(owner, 'built-in') && owner.entries?.has(key) === true
}

type Method<Owner> = (owner: Owner, args: readonly Value[], evaluation: Evaluation, place: MdxPlace) => Value

function bind<Owner extends Value>(method: Method<Owner> | undefined, owner: Owner, name: string): Value {
  if (!method) return undefined
  const call: BuiltIn['call'] = (args, evaluation, place) => method(owner, args, evaluation, place)
  return { kind: 'built-in', name, call, holds: [owner] }
}

function readText(text: string, key: string, place: MdxPlace): Value {
  if (key === 'length') return text.length
  if (key === 'hasOwnProperty') return bind(testOwnMember, text, key)
  return isIndex(key) ? text[Number(key)] : bind(checkMethod(stringMethods, String.prototype, key, place), text, key)
}

/** Finds a method. One of the language that is not implemented is no missing member. */
function checkMethod<Found>(
  methods: ReadonlyMap<string, Found>,
  language: object,
  key: string,
  place: MdxPlace,
): Found | undefined {
  const method = methods.get(key)
  if (!method && key in language && !isForbiddenName(key)) throw new Unevaluable(`uses \`.${key}()\``, place)
  return method
}

const objectMethods: ReadonlyMap<string, Method<ObjectValue>> = new Map<string, Method<ObjectValue>>([
  ['hasOwnProperty', (object, args, evaluation, place) => testOwnMember(object, args, evaluation, place)],
  ['toString', (object, _, evaluation, place) => toText(object, evaluation, place)],
])

/** `this` is not supported, so the first argument has no effect. */
const functionMethods: ReadonlyMap<string, Method<FunctionValue>> = new Map<string, Method<FunctionValue>>([
  ['call', (callee, [, ...args], evaluation, place) => evaluation.call(callee, args, place)],
  [
    'apply',
    (callee, [, args], evaluation, place) => {
      const list = args === undefined || args === null ? [] : iterate(args, evaluation, place)
      return evaluation.call(callee, list, place)
    },
  ],
  [
    'bind',
    (callee, [, ...first]) => ({
      ...builtIn(callee.name, (args, evaluation, place) => evaluation.call(callee, [...first, ...args], place)),
      holds: [callee, ...first],
    }),
  ],
])

const patternMethods: ReadonlyMap<string, Method<PatternValue>> = new Map<string, Method<PatternValue>>([
  ['exec', (pattern, [text], evaluation, place) => execPattern(toText(text, evaluation, place), pattern, evaluation, place)],
  [
    'test',
    (pattern, [text], evaluation, place) => execPattern(toText(text, evaluation, place), pattern, evaluation, place) !== null,
  ],
])

const numberMethods: ReadonlyMap<string, Method<number>> = new Map<string, Method<number>>([
  ['toFixed', (value, [digits]) => value.toFixed(clamp(digits, 0, 100))],
  ['toPrecision', (value, [digits]) => (digits === undefined ? String(value) : value.toPrecision(clamp(digits, 1, 100)))],
  ['toString', (value, [radix]) => value.toString(radix === undefined ? 10 : clamp(radix, 2, 36))],
  ['valueOf', (value) => value],
  ['toLocaleString', formatNumber],
])

function clamp(value: Value, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.floor(toNumber(value)) || least))
}

/** Options of number formats with values that are strings, numbers or booleans. */
function formatNumber(value: number, [locale, options]: readonly Value[], { budget }: Evaluation, place: MdxPlace): Value {
  spend(budget, 200, place)
  const given = isKind(options, 'object') ? [...options.entries].filter(([, one]) => typeof one !== 'object') : []
  try {
    // The default must not depend on the machine.
    return value.toLocaleString(typeof locale === 'string' ? locale : 'en-US', Object.fromEntries(given))
  } catch {
    throw new Unevaluable('uses an unknown number format', place)
  }
}

const collectionMethods: ReadonlyMap<string, Method<CollectionValue>> = new Map<string, Method<CollectionValue>>([
  ['has', (collection, [key]) => collection.entries.has(toStored(collection, key))],
  ['get', (collection, [key]) => collection.entries.get(toStored(collection, key))],
  ['delete', (collection, [key]) => collection.entries.delete(toStored(collection, key))],
  ['clear', ({ entries }) => void entries.clear()],
  [
    'add',
    (collection, [key], { budget }, place) => {
      spend(budget, 1, place)
      addEntry(collection, key, key)
      return collection
    },
  ],
  [
    'set',
    (collection, [key, value], { budget }, place) => {
      spend(budget, 1, place)
      addEntry(collection, key, value)
      return collection
    },
  ],
  ['keys', list(({ entries }) => [...entries.keys()])],
  ['values', list(({ entries }) => [...entries.values()])],
  ['entries', list(({ entries }) => [...entries].map(toList))],
  [
    'forEach',
    (collection, [callback], evaluation, place) => {
      for (const [key, value] of [...collection.entries]) evaluation.call(callback, [value, key, collection], place)
      return undefined
    },
  ],
])

/** Returns the key of a collection that is equal to a key: two objects of the same data are. */
function toStored({ keysOfData }: CollectionValue, key: Value): Value {
  const data = dataOf(key)
  return data === undefined ? key : (keysOfData.get(data) ?? key)
}

export function addEntry(collection: CollectionValue, key: Value, value: Value): void {
  const stored = toStored(collection, key)
  const data = dataOf(stored)
  if (data) collection.keysOfData.set(data, stored)
  collection.entries.set(stored, value)
}

function list(method: (collection: CollectionValue) => Value[]): Method<CollectionValue> {
  return (collection, _, { budget }, place) => {
    spend(budget, collection.entries.size, place)
    return toList(method(collection))
  }
}

/** Assigns `owner[key] = value`. Only values that the evaluated code made can be changed. */
export function writeMember(owner: Value, key: string, value: Value, { budget }: Evaluation, place: MdxPlace): void {
  checkName(key, place)
  spend(budget, 1, place)
  if (isKind(owner, 'object') || isKind(owner, 'function')) owner.entries.set(key, value)
  else if (isKind(owner, 'list') && isIndex(key) && Number(key) <= owner.items.length) owner.items[Number(key)] = value
  else if (isKind(owner, 'pattern') && key === 'lastIndex') owner.lastIndex = toNumber(value) || 0
  else if (isKind(owner, 'list') && key === 'length' && isTruthy(value) === false) owner.items.length = 0
  else throw new Unevaluable(`assigns to \`${key.slice(0, 80)}\` of ${describeKind(owner)}`, place)
}
