import {
  dataOf,
  type Evaluation,
  getEntry,
  hasOwnMember,
  isCallable,
  isKind,
  isReference,
  type MdxPlace,
  spend,
  spendItems,
  spendText,
  ThrownValue,
  toList,
  Unevaluable,
  type Value,
} from './values.ts'

/** Truthiness as in JavaScript. Lists, objects and JSX are truthy. */
export function isTruthy(value: Value): boolean {
  return Boolean(value)
}

/** Converts a value to a string, as in a template. */
export function toText(value: Value, evaluation: Evaluation, place: MdxPlace): string {
  if (!isReference(value)) return String(value)
  if (isKind(value, 'list')) return joinItems(value.items, ',', evaluation, place)
  if (isKind(value, 'object')) {
    if (value.errorName === undefined) return '[object Object]'
    const message = toText(getEntry(value, 'message', place), evaluation, place)
    return message === '' ? value.errorName : `${value.errorName}: ${message}`
  }
  if (isKind(value, 'pattern')) return `/${value.source}/${value.flags}`
  throw new Unevaluable(`converts ${describeKind(value)} to a string`, place)
}

/** Joins items like `Array.prototype.join`. */
export function joinItems(items: readonly Value[], separator: string, evaluation: Evaluation, place: MdxPlace): string {
  const { budget } = evaluation
  if (++budget.depth > 100) throw new Unevaluable('joins lists that are nested too deeply', place)
  let length = 0
  const texts = items.map((item) => {
    const text = item === null || item === undefined ? '' : toText(item, evaluation, place)
    length += text.length + separator.length
    spendText(budget, length > 200_000 ? length : text.length, place)
    return text
  })
  budget.depth--
  return texts.join(separator)
}

export function toNumber(value: Value): number {
  return isReference(value) ? Number.NaN : Number(value)
}

/** The number of an optional argument. */
export function toIndex(value: Value): number | undefined {
  return value === undefined ? undefined : toNumber(value)
}

/** A name for messages. */
export function describeKind(value: Value): string {
  if (isCallable(value)) return 'a function'
  if (isKind(value, 'element') || isKind(value, 'content')) return 'JSX'
  if (isKind(value, 'list')) return 'a list'
  if (isKind(value, 'collection')) return `a ${value.type}`
  if (isKind(value, 'pattern')) return 'a regular expression'
  if (isKind(value, 'generator')) return 'a generator'
  if (isReference(value)) return value.kind === 'object' ? 'an object' : 'a component'
  return value === null || value === undefined ? `\`${value}\`` : `a ${typeof value}`
}

/** The result of `typeof`. */
export function typeName(value: Value): string {
  if (!isReference(value)) return typeof value
  return isCallable(value) || isKind(value, 'snippet') || isKind(value, 'component') ? 'function' : 'object'
}

export function isEqual(left: Value, right: Value): boolean {
  if (isKind(left, 'component') && isKind(right, 'component')) return left.name === right.name
  const data = dataOf(left)
  return left === right || (data !== undefined && data === dataOf(right))
}

function hasMember(owner: Value, key: string, place: MdxPlace): boolean {
  if (!isReference(owner))
    throw new ThrownValue(`searches for a member of ${describeKind(owner)}`, place, "Cannot use 'in' operator")
  return hasOwnMember(owner, key)
}

const kindsOfClasses: ReadonlyMap<string, (value: Value & object) => boolean> = new Map<
  string,
  (value: Value & object) => boolean
>([
  ['Object', () => true],
  ['Array', ({ kind }) => kind === 'list'],
  ['RegExp', ({ kind }) => kind === 'pattern'],
  ['Function', (value) => isCallable(value)],
  ['Set', (value) => isKind(value, 'collection') && value.type === 'Set'],
  ['Map', (value) => isKind(value, 'collection') && value.type === 'Map'],
  ['Error', (value) => isKind(value, 'object') && value.errorName !== undefined],
])

function isInstance(value: Value, type: Value, place: MdxPlace): boolean {
  if (!isKind(type, 'built-in') || type.isConstructor !== true) throw new Unevaluable('uses `instanceof`', place)
  if (!isReference(value)) return false
  const test = kindsOfClasses.get(type.name)
  if (test) return test(value)
  if (isKind(value, 'object') && /Error$/.test(type.name)) return value.errorName === type.name
  throw new Unevaluable(`uses \`instanceof ${type.name}\``, place)
}

function isLooselyEqual(left: Value, right: Value): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: the rules of JavaScript for two primitive values
  return isReference(left) || isReference(right) ? isEqual(left, right) : left == right
}

/** Applies a binary operator, also of an assignment such as `+=`. */
export function applyOperator(operator: string, left: Value, right: Value, evaluation: Evaluation, place: MdxPlace): Value {
  switch (operator) {
    case '===':
      return isEqual(left, right)
    case '!==':
      return !isEqual(left, right)
    case '==':
      return isLooselyEqual(left, right)
    case '!=':
      return !isLooselyEqual(left, right)
    case '+':
      return add(left, right, evaluation, place)
    case 'in':
      return hasMember(right, toText(left, evaluation, place), place)
    case 'instanceof':
      return isInstance(left, right, place)
    case '<':
    case '>':
    case '<=':
    case '>=':
      return isOrdered(operator, left, right)
    default:
      return calculate(operator, toNumber(left), toNumber(right), place)
  }
}

function isOrdered(operator: '<' | '>' | '<=' | '>=', left: Value, right: Value): boolean {
  // JavaScript compares two texts as texts.
  const toOrdered = (value: Value) => (isReference(value) ? Number.NaN : value) as number
  const [a, b] = [toOrdered(left), toOrdered(right)]
  if (operator === '<') return a < b
  if (operator === '>') return a > b
  return operator === '<=' ? a <= b : a >= b
}

function add(left: Value, right: Value, evaluation: Evaluation, place: MdxPlace): Value {
  const isText = (value: Value) => typeof value === 'string' || isReference(value)
  if (!isText(left) && !isText(right)) return toNumber(left) + toNumber(right)
  const [start, end] = [toText(left, evaluation, place), toText(right, evaluation, place)]
  spendText(evaluation.budget, start.length + end.length, place)
  return start + end
}

function calculate(operator: string, left: number, right: number, place: MdxPlace): number {
  switch (operator) {
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return left / right
    case '%':
      return left % right
    case '**':
      return left ** right
    case '|':
      return left | right
    case '&':
      return left & right
    case '^':
      return left ^ right
    case '<<':
      return left << right
    case '>>':
      return left >> right
    case '>>>':
      return left >>> right
    default:
      throw new Unevaluable(`uses \`${operator}\``, place)
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
  if (isKind(value, 'generator')) {
    const items: Value[] = []
    value.run((item) => {
      spend(budget, 1, place)
      if (items.push(item) > budget.limits.items) spendItems(budget, items.length, place)
    })
    return items
  }
  throw new ThrownValue(`iterates over ${describeKind(value)}`, place, `${describeKind(value)} is not iterable`)
}

/** The entries of an object, list or string by name, for spreads and `Object.entries`. */
export function listEntries(value: Value, { budget }: Evaluation, place: MdxPlace): readonly (readonly [string, Value])[] {
  if (isKind(value, 'object')) {
    const { source } = value
    if (!source) {
      spend(budget, value.entries.size, place)
      return inOrder([...value.entries])
    }
    const keys = source.keys()
    spend(budget, keys.length, place)
    return keys.map((key) => [key, source.get(key, place)])
  }
  if (!isKind(value, 'list') && typeof value !== 'string') return []
  const items = isKind(value, 'list') ? value.items : [...value]
  spend(budget, items.length, place)
  return items.map((item, index) => [String(index), item])
}

/** Keys that are numbers come first in JavaScript, in their order. */
function inOrder(entries: readonly (readonly [string, Value])[]): readonly (readonly [string, Value])[] {
  const isNumber = ([key]: readonly [string, Value]) => isIndex(key) && String(Number(key)) === key
  if (!entries.some(isNumber)) return entries
  const numbers = entries.filter(isNumber).sort(([a], [b]) => Number(a) - Number(b))
  return [...numbers, ...entries.filter((entry) => !isNumber(entry))]
}

export function isIndex(key: string): boolean {
  return /^\d{1,9}$/.test(key)
}

/** Names that lead from a value to its class in JavaScript. */
const forbiddenNames = new Set([
  ...['__proto__', 'constructor', 'prototype'],
  ...['__defineGetter__', '__defineSetter__', '__lookupGetter__', '__lookupSetter__'],
])

export function isForbiddenName(key: string): boolean {
  return forbiddenNames.has(key)
}
