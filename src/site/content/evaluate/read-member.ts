import type { MdxPlace } from '../types.ts'
import { spend, ThrownValue, Unevaluable } from './evaluation.ts'
import { listMethods } from './list-methods.ts'
import { describeKind, isTruthy, toNumber, toText } from './operators.ts'
import { stringMethods } from './string-methods.ts'
import { execPattern } from './text-patterns.ts'
import type { CollectionValue, Evaluation, ObjectValue, PatternValue, Value } from './types.ts'
import { builtIn, isKind, toList, toObject } from './value-kinds.ts'

/** Names that lead from a value to its class in JavaScript. */
const forbiddenNames = new Set([
  ...['__proto__', 'constructor', 'prototype'],
  ...['__defineGetter__', '__defineSetter__', '__lookupGetter__', '__lookupSetter__'],
])

export function isForbiddenName(key: string): boolean {
  return forbiddenNames.has(key)
}

export function checkName(key: string, place: MdxPlace): string {
  if (forbiddenNames.has(key)) throw new Unevaluable(`uses \`${key}\``, place)
  return key
}

/** Reads an own property, or a method that is implemented here. Nothing is inherited. */
export function readMember(owner: Value, key: string, place: MdxPlace): Value {
  checkName(key, place)
  if (owner === undefined || owner === null)
    throw new ThrownValue(`reads \`${key.slice(0, 80)}\` of \`${owner}\``, place, `Cannot read properties of ${owner}`)
  if (typeof owner === 'string') return readText(owner, key)
  if (typeof owner === 'number') return bind(numberMethods.get(key), owner, key)
  if (typeof owner === 'boolean') return key === 'toString' ? builtIn(key, () => String(owner)) : undefined
  switch (owner.kind) {
    case 'list':
      if (key === 'length') return owner.items.length
      return isIndex(key) ? owner.items[Number(key)] : bind(listMethods.get(key), owner, key)
    case 'object':
      if (owner.entries.has(key)) return owner.entries.get(key)
      return bind(objectMethods.get(key), owner, key)
    case 'collection':
      return key === 'size' ? owner.entries.size : bind(collectionMethods.get(key), owner, key)
    case 'pattern':
      if (key === 'source' || key === 'flags' || key === 'lastIndex') return owner[key]
      return bind(patternMethods.get(key), owner, key)
    case 'function':
      return key === 'name' ? owner.name : owner.entries.get(key)
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

function isIndex(key: string): boolean {
  return /^\d{1,9}$/.test(key)
}

type Method<Owner> = (owner: Owner, args: readonly Value[], evaluation: Evaluation, place: MdxPlace) => Value

function bind<Owner>(method: Method<Owner> | undefined, owner: Owner, name: string): Value {
  return method && builtIn(name, (args, evaluation, place) => method(owner, args, evaluation, place))
}

function readText(text: string, key: string): Value {
  if (key === 'length') return text.length
  return isIndex(key) ? text[Number(key)] : bind(stringMethods.get(key), text, key)
}

const objectMethods: ReadonlyMap<string, Method<ObjectValue>> = new Map<string, Method<ObjectValue>>([
  ['hasOwnProperty', ({ entries }, [key], evaluation, place) => entries.has(toText(key, evaluation, place))],
  ['toString', () => '[object Object]'],
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
  ['has', ({ entries }, [key]) => entries.has(key)],
  ['get', ({ entries }, [key]) => entries.get(key)],
  ['delete', ({ entries }, [key]) => entries.delete(key)],
  [
    'add',
    (collection, [key], { budget }, place) => {
      spend(budget, 1, place)
      collection.entries.set(key, key)
      return collection
    },
  ],
  [
    'set',
    (collection, [key, value], { budget }, place) => {
      spend(budget, 1, place)
      collection.entries.set(key, value)
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

function list(method: (collection: CollectionValue) => Value[]): Method<CollectionValue> {
  return (collection, _, { budget }, place) => {
    spend(budget, collection.entries.size, place)
    return toList(method(collection))
  }
}

/** Lists the items of `for … of`, of a spread or of a destructured list. */
export function iterate(value: Value, { budget }: Evaluation, place: MdxPlace): readonly Value[] {
  if (isKind(value, 'list')) {
    spend(budget, value.items.length, place)
    return value.items
  }
  if (typeof value === 'string') {
    spend(budget, value.length, place)
    return [...value]
  }
  if (isKind(value, 'collection')) {
    spend(budget, value.entries.size, place)
    return value.type === 'Set' ? [...value.entries.keys()] : [...value.entries].map(toList)
  }
  throw new ThrownValue(`iterates over ${describeKind(value)}`, place, 'not iterable')
}

/** The entries of an object, list or string by name, for spreads and `Object.entries`. */
export function listEntries(value: Value, { budget }: Evaluation, place: MdxPlace): readonly (readonly [string, Value])[] {
  if (isKind(value, 'object')) {
    spend(budget, value.entries.size, place)
    return [...value.entries]
  }
  if (!isKind(value, 'list') && typeof value !== 'string') return []
  const items = isKind(value, 'list') ? value.items : [...value]
  spend(budget, items.length, place)
  return items.map((item, index) => [String(index), item])
}

/** Assigns `owner[key] = value`. Only values that the evaluated code made can be changed. */
export function writeMember(owner: Value, key: string, value: Value, { budget }: Evaluation, place: MdxPlace): void {
  checkName(key, place)
  spend(budget, 1, place)
  if (isKind(owner, 'object') || isKind(owner, 'function')) owner.entries.set(key, value)
  else if (isKind(owner, 'list') && isIndex(key) && Number(key) <= owner.items.length) owner.items[Number(key)] = value
  else if (isKind(owner, 'list') && key === 'length' && isTruthy(value) === false) owner.items.length = 0
  else throw new Unevaluable(`assigns to \`${key.slice(0, 80)}\` of ${describeKind(owner)}`, place)
}
