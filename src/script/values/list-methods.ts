import { isEqual, isTruthy, joinItems, toIndex, toNumber, toText } from './operators.ts'
import {
  type Evaluation,
  isKind,
  type ListValue,
  type MdxPlace,
  nest,
  spend,
  spendItems,
  ThrownValue,
  toList,
  type Value,
} from './values.ts'

type Arguments = readonly Value[]
type ListMethod = (list: ListValue, args: Arguments, evaluation: Evaluation, place: MdxPlace) => Value

/** A method with a callback `(item, index, list) => …`. */
const each =
  (method: (items: readonly Value[], call: (item: Value, index: number) => Value) => Value): ListMethod =>
  (list, [callback], evaluation, place) => {
    spend(evaluation.budget, list.items.length, place)
    // Items that the callback adds are not visited.
    return method([...list.items], (item, index) => evaluation.call(callback, [item, index, list], place))
  }

const test = (call: (item: Value, index: number) => Value) => (item: Value, index: number) => isTruthy(call(item, index))

/** A method that returns a part of the list or looks something up in it. */
const look =
  (method: (items: readonly Value[], ...args: Arguments) => Value): ListMethod =>
  (list, args, { budget }, place) => {
    spend(budget, 1 + Math.ceil(list.items.length / 16), place)
    return method(list.items, ...args)
  }

/** A method that returns a new list with the items of `method`. */
const copy =
  (method: (items: readonly Value[], ...args: Arguments) => readonly Value[]): ListMethod =>
  (list, args, { budget }, place) => {
    spendItems(budget, list.items.length, place)
    return toList(method(list.items, ...args))
  }

const isSame = (wanted: Value) => (item: Value) => isEqual(item, wanted) || Object.is(item, wanted)

const add =
  (method: 'push' | 'unshift'): ListMethod =>
  (list, args, { budget }, place) => {
    spendItems(budget, args.length, place)
    spend(budget, method === 'unshift' ? list.items.length : 0, place)
    if (list.items.length + args.length > budget.limits.items) spendItems(budget, Number.POSITIVE_INFINITY, place)
    return list.items[method](...args)
  }

const reduce =
  (isReversed: boolean): ListMethod =>
  (list, args, evaluation, place) => {
    const [callback, start] = args
    const items = [...list.items.entries()]
    if (isReversed) items.reverse()
    spend(evaluation.budget, items.length, place)
    if (args.length < 2 && items.length === 0)
      throw new ThrownValue('reduces an empty list without a start value', place, 'Reduce of empty array with no initial value')
    const [result, rest] = args.length < 2 ? [items[0]?.[1], items.slice(1)] : [start, items]
    return rest.reduce<Value>((sum, [index, item]) => evaluation.call(callback, [sum, item, index, list], place), result)
  }

/** Sorts like JavaScript: as strings unless there is a function that compares. `undefined` comes last. */
function sortItems(items: readonly Value[], [compare]: Arguments, evaluation: Evaluation, place: MdxPlace): Value[] {
  spendItems(evaluation.budget, items.length, place)
  if (compare !== undefined) return [...items].sort((a, b) => toNumber(evaluation.call(compare, [a, b], place)) || 0)
  const keyed = items.map((item) => [item, item === undefined ? undefined : toText(item, evaluation, place)] as const)
  spend(evaluation.budget, items.length * 16, place)
  keyed.sort(([, a], [, b]) => (a === undefined ? 1 : b === undefined ? -1 : a < b ? -1 : a > b ? 1 : 0))
  return keyed.map(([item]) => item)
}

function flatten(items: readonly Value[], depth: number, evaluation: Evaluation, place: MdxPlace): Value[] {
  spendItems(evaluation.budget, items.length, place)
  nest(evaluation.budget, place)
  const flat: Value[] = []
  for (const item of items) {
    if (!isKind(item, 'list') || depth < 1) flat.push(item)
    else for (const inner of flatten(item.items, depth - 1, evaluation, place)) flat.push(inner)
  }
  evaluation.budget.depth--
  spendItems(evaluation.budget, flat.length, place)
  return flat
}

/** Methods of lists. Their work is counted before it is done. */
export const listMethods: ReadonlyMap<string, ListMethod> = new Map<string, ListMethod>([
  ['map', each((items, call) => toList(items.map(call)))],
  ['filter', each((items, call) => toList(items.filter(test(call))))],
  ['find', each((items, call) => items.find(test(call)))],
  ['findIndex', each((items, call) => items.findIndex(test(call)))],
  ['findLast', each((items, call) => items.findLast(test(call)))],
  ['findLastIndex', each((items, call) => items.findLastIndex(test(call)))],
  ['some', each((items, call) => items.some(test(call)))],
  ['every', each((items, call) => items.every(test(call)))],
  ['forEach', each((items, call) => void items.forEach(call))],
  [
    'flatMap',
    (list, [callback], evaluation, place) => {
      const mapped = list.items.map((item, index) => evaluation.call(callback, [item, index, list], place))
      return toList(flatten(mapped, 1, evaluation, place))
    },
  ],
  ['reduce', reduce(false)],
  ['reduceRight', reduce(true)],
  ['at', look((items, index) => items.at(toNumber(index) || 0))],
  ['includes', look((items, wanted) => items.some(isSame(wanted)))],
  ['indexOf', look((items, wanted) => items.findIndex(isSame(wanted)))],
  ['lastIndexOf', look((items, wanted) => items.findLastIndex(isSame(wanted)))],
  ['slice', copy((items, start, end) => items.slice(toIndex(start), toIndex(end)))],
  ['toReversed', copy((items) => items.toReversed())],
  ['keys', copy((items) => [...items.keys()])],
  ['values', copy((items) => items)],
  ['entries', copy((items) => items.map((item, index) => toList([index, item])))],
  ['concat', (list, args, evaluation, place) => toList(flatten([list, ...args], 1, evaluation, place))],
  ['flat', (list, [depth], evaluation, place) => toList(flatten(list.items, toIndex(depth) ?? 1, evaluation, place))],
  [
    'join',
    (list, [separator], evaluation, place) =>
      joinItems(list.items, separator === undefined ? ',' : toText(separator, evaluation, place), evaluation, place),
  ],
  ['toString', (list, _, evaluation, place) => joinItems(list.items, ',', evaluation, place)],
  ['toSorted', (list, args, evaluation, place) => toList(sortItems(list.items, args, evaluation, place))],
  [
    'sort',
    (list, args, evaluation, place) => {
      const sorted = sortItems(list.items, args, evaluation, place)
      for (const [index, item] of sorted.entries()) list.items[index] = item
      return list
    },
  ],
  [
    'reverse',
    (list, _, { budget }, place) => {
      spend(budget, list.items.length, place)
      list.items.reverse()
      return list
    },
  ],
  ['push', add('push')],
  ['unshift', add('unshift')],
  ['pop', (list) => list.items.pop()],
  [
    'shift',
    (list, _, { budget }, place) => {
      spend(budget, 1 + Math.ceil(list.items.length / 16), place)
      return list.items.shift()
    },
  ],
  [
    'splice',
    (list, [start, count, ...added], { budget }, place) => {
      spendItems(budget, list.items.length + added.length, place)
      return toList(list.items.splice(toNumber(start), toIndex(count) ?? list.items.length, ...added))
    },
  ],
  [
    'fill',
    (list, [value, start, end], { budget }, place) => {
      spend(budget, list.items.length, place)
      list.items.fill(value, toIndex(start), toIndex(end))
      return list
    },
  ],
])
