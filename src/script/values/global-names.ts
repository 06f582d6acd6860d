import { setOwn } from '../../text/json/json-values.ts'
import { isForbiddenName, isTruthy, iterate, listEntries, toNumber, toText } from './operators.ts'
import { addEntry, checkName, writeMember } from './read-member.ts'
import { toExpression } from './text-patterns.ts'
import {
  type BuiltIn,
  builtIn,
  type CollectionValue,
  type Evaluation,
  fromData,
  getEntry,
  hasEntry,
  hasOwnMember,
  isKind,
  isReference,
  type MdxPlace,
  namespace,
  nest,
  spend,
  spendItems,
  spendText,
  ThrownValue,
  toList,
  toObject,
  Unevaluable,
  type Value,
} from './values.ts'

type Call = BuiltIn['call']

const numeric =
  (method: (...values: number[]) => number): Call =>
  (args) =>
    method(...args.map(toNumber))

const textual =
  (method: (text: string) => Value): Call =>
  ([value], evaluation, place) => {
    const text = toText(value, evaluation, place)
    spendText(evaluation.budget, text.length, place)
    try {
      return method(text)
    } catch {
      throw new ThrownValue('converts an invalid string', place, 'URI malformed')
    }
  }

const mathNames = [
  ...['abs', 'ceil', 'floor', 'round', 'trunc', 'sign', 'sqrt', 'cbrt', 'exp', 'log', 'log2', 'log10', 'sin', 'cos', 'tan'],
  ...['asin', 'acos', 'atan', 'atan2', 'pow', 'min', 'max', 'hypot'],
] as const

const math = namespace('Math', {
  PI: Math.PI,
  E: Math.E,
  SQRT2: Math.SQRT2,
  ...Object.fromEntries(mathNames.map((name) => [name, numeric(Math[name])])),
})

/** Runs code on each item while a list is created, for `Array.from`. */
const arrayFrom: Call = ([source, map], evaluation, place) => {
  const length = isKind(source, 'object') ? Math.floor(toNumber(source.entries.get('length'))) || 0 : undefined
  if (length !== undefined) spendItems(evaluation.budget, Math.max(0, length), place)
  const items = length === undefined ? [...iterate(source, evaluation, place)] : Array<Value>(Math.max(0, length)).fill(undefined)
  return toList(map === undefined ? items : items.map((item, index) => evaluation.call(map, [item, index], place)))
}

const array = {
  ...builtIn(
    'Array',
    (args, { budget }, place) => {
      const [length] = args
      if (args.length !== 1 || typeof length !== 'number') return toList(args)
      spendItems(budget, Math.max(0, length || 0), place)
      return toList(Array<Value>(Math.max(0, Math.floor(length) || 0)).fill(undefined))
    },
    {
      isArray: ([value]) => isKind(value, 'list'),
      from: arrayFrom,
      of: (args) => toList(args),
    },
  ),
  isConstructor: true,
}

const keepArgument: Call = ([value]) => value

/** The entries of an object. `null` has none, and is an error. */
function entriesOf(value: Value, evaluation: Evaluation, place: MdxPlace): ReturnType<typeof listEntries> {
  if (value === undefined || value === null)
    throw new ThrownValue(`lists the members of \`${value}\``, place, 'Cannot convert undefined or null to object')
  return listEntries(value, evaluation, place)
}

const keysOf: Call = ([value], evaluation, place) => toList(entriesOf(value, evaluation, place).map(([key]) => key))

const object: BuiltIn = {
  ...builtIn('Object', ([value]) => value ?? toObject([]), {
    keys: keysOf,
    getOwnPropertyNames: keysOf,
    values: ([value], evaluation, place) => toList(entriesOf(value, evaluation, place).map(([, one]) => one)),
    entries: ([value], evaluation, place) => toList(entriesOf(value, evaluation, place).map(toList)),
    create: ([parent], _, place) => {
      if (parent !== null) throw new Unevaluable('creates an object with a prototype', place)
      return toObject([])
    },
    defineProperty: ([target, key, descriptor], evaluation, place) => {
      if (!isKind(descriptor, 'object') || hasEntry(descriptor, 'get') || hasEntry(descriptor, 'set'))
        throw new Unevaluable('uses a getter or setter', place)
      const value = getEntry(descriptor, 'value', place)
      writeMember(target, toText(key, evaluation, place), value, evaluation, place)
      return target
    },
    fromEntries: ([value], evaluation, place) => {
      const pairs = iterate(value, evaluation, place).map((pair) => iterate(pair, evaluation, place))
      return toObject(pairs.map(([key, one]) => [checkName(toText(key, evaluation, place), place), one]))
    },
    assign: ([target, ...sources], evaluation, place) => {
      if (!isKind(target, 'object') && !isKind(target, 'function'))
        throw new Unevaluable('calls `Object.assign` without an object', place)
      for (const source of sources) {
        for (const [key, value] of listEntries(source, evaluation, place)) target.entries.set(checkName(key, place), value)
      }
      return target
    },
    hasOwn: ([value, key], evaluation, place) => hasOwnMember(value, toText(key, evaluation, place)),
    freeze: keepArgument,
    is: ([a, b]) => Object.is(a, b),
  }),
  isConstructor: true,
}

const collection = (type: 'Set' | 'Map'): BuiltIn => ({
  ...builtIn(type, ([items], evaluation, place) => {
    const list = items === undefined || items === null ? [] : iterate(items, evaluation, place)
    const made: CollectionValue = { kind: 'collection', type, entries: new Map(), keysOfData: new Map() }
    for (const item of list) {
      const [key, value] = type === 'Set' ? [item, item] : iterate(item, evaluation, place)
      addEntry(made, key, value)
    }
    return made
  }),
  isConstructor: true,
})

const errors = ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'URIError', 'EvalError'].map(
  (name): readonly [string, BuiltIn] => {
    const call: Call = ([message], evaluation, place) => ({
      kind: 'object',
      entries: new Map([['message', message === undefined ? '' : toText(message, evaluation, place)]]),
      errorName: name,
    })
    return [name, { ...builtIn(name, call), isConstructor: true }]
  },
)

/** Writes a value like `JSON.stringify`. Functions and `undefined` are omitted. */
function toJson(value: Value, evaluation: Evaluation, place: MdxPlace): unknown {
  if (!isReference(value)) return value
  nest(evaluation.budget, place)
  spend(evaluation.budget, 1, place)
  const json = (() => {
    if (value.kind === 'list') return value.items.map((item) => toJson(item, evaluation, place) ?? null)
    if (value.kind === 'collection') return {}
    if (value.kind !== 'object') return undefined
    const copy: Record<string, unknown> = Object.create(null)
    if (value.errorName !== undefined) return copy
    for (const [key, one] of listEntries(value, evaluation, place)) {
      setOwn(copy, key, toJson(one, evaluation, place))
      spendText(evaluation.budget, key.length + (typeof one === 'string' ? one.length : 0), place)
    }
    return copy
  })()
  evaluation.budget.depth--
  return json
}

const json = namespace('JSON', {
  stringify: ([value, replacer, indent], evaluation, place) => {
    if (replacer !== undefined && replacer !== null) throw new Unevaluable('uses `JSON.stringify` with a replacer', place)
    const space = typeof indent === 'string' ? indent.slice(0, 10) : Math.min(10, toNumber(indent) || 0)
    const text = JSON.stringify(toJson(value, evaluation, place), null, space)
    spendText(evaluation.budget, text?.length ?? 0, place)
    return text
  },
  parse: ([value], evaluation, place) => {
    const text = toText(value, evaluation, place)
    spendText(evaluation.budget, text.length * 4, place)
    try {
      return fromData(JSON.parse(text, (key, one) => (isForbiddenName(key) ? undefined : one)))
    } catch (cause) {
      if (cause instanceof RangeError) throw new Unevaluable('reads JSON that is nested too deeply', place)
      throw new ThrownValue('reads invalid JSON', place, 'Unexpected token in JSON')
    }
  },
})

const pattern: BuiltIn = {
  ...builtIn('RegExp', ([source, flags = ''], evaluation, place) => {
    const [text, options] = [
      isKind(source, 'pattern') ? source.source : toText(source, evaluation, place),
      toText(flags, evaluation, place),
    ]
    const given = isKind(source, 'pattern') && flags === '' ? source.flags : options
    toExpression(text, given, place)
    return { kind: 'pattern', source: text, flags: given, lastIndex: 0 }
  }),
  isConstructor: true,
}

const fromCodePoint = (code: number) => (code >= 0 && code <= 0x10_ff_ff ? String.fromCodePoint(Math.floor(code)) : '')

const parseInteger: Call = ([value, radix], evaluation, place) =>
  Number.parseInt(toText(value, evaluation, place), toNumber(radix))

const nothing: Call = () => undefined

/** The names of the language that need no host: pure functions only. */
export const globalNames: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['Math', math],
  ['JSON', json],
  ['Object', object],
  ['Array', array],
  ['Set', collection('Set')],
  ['Map', collection('Map')],
  ['RegExp', pattern],
  ...errors,
  [
    'String',
    builtIn('String', (args, evaluation, place) => (args.length === 0 ? '' : toText(args[0], evaluation, place)), {
      fromCharCode: (args) => String.fromCharCode(...args.map(toNumber)),
      fromCodePoint: (args) => args.map((arg) => fromCodePoint(toNumber(arg))).join(''),
    }),
  ],
  [
    'Number',
    builtIn('Number', (args) => (args.length === 0 ? 0 : toNumber(args[0])), {
      isInteger: ([value]) => Number.isInteger(value),
      isFinite: ([value]) => Number.isFinite(value),
      isNaN: ([value]) => Number.isNaN(value),
      isSafeInteger: ([value]) => Number.isSafeInteger(value),
      parseFloat: textual(Number.parseFloat),
      parseInt: parseInteger,
      MAX_SAFE_INTEGER: Number.MAX_SAFE_INTEGER,
      MIN_SAFE_INTEGER: Number.MIN_SAFE_INTEGER,
      EPSILON: Number.EPSILON,
      POSITIVE_INFINITY: Number.POSITIVE_INFINITY,
      NEGATIVE_INFINITY: Number.NEGATIVE_INFINITY,
    }),
  ],
  ['Boolean', builtIn('Boolean', ([value]) => isTruthy(value))],
  ['parseFloat', builtIn('parseFloat', textual(Number.parseFloat))],
  ['parseInt', builtIn('parseInt', parseInteger)],
  ['isNaN', builtIn('isNaN', ([value]) => Number.isNaN(toNumber(value)))],
  ['isFinite', builtIn('isFinite', ([value]) => Number.isFinite(toNumber(value)))],
  ['encodeURIComponent', builtIn('encodeURIComponent', textual(encodeURIComponent))],
  ['decodeURIComponent', builtIn('decodeURIComponent', textual(decodeURIComponent))],
  ['encodeURI', builtIn('encodeURI', textual(encodeURI))],
  ['decodeURI', builtIn('decodeURI', textual(decodeURI))],
  ['btoa', builtIn('btoa', textual(btoa))],
  ['atob', builtIn('atob', textual(atob))],
  ['console', namespace('console', { log: nothing, warn: nothing, error: nothing, info: nothing, debug: nothing })],
])
