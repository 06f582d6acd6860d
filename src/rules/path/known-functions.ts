import { isContainer } from '../../text/json/json-values.ts'
import { compilePattern } from '../regular-expression.ts'

/** Thrown where JavaScript would throw, such as for a member of `null`. A filter that throws it selects nothing. */
export const notComputable = new Error('the expression has no value')

/** What `constructor` is for each type, because rulesets test `@.type.constructor.name === 'Array'`. */
export const typeNames: ReadonlyMap<string, { readonly name: string }> = new Map(
  ['Array', 'Object', 'String', 'Number', 'Boolean'].map((name) => [name, { name }]),
)

/** The longest text that an expression may build. */
const maxLength = 1_000_000

type Values = readonly unknown[]

/** Functions that an expression may call, by name. */
export const standardFunctions: ReadonlyMap<string, (values: Values) => unknown> = new Map<string, (values: Values) => unknown>([
  ['Array.isArray', ([value]) => Array.isArray(value)],
  ['Object.keys', ([value]) => Object.keys(toObject(value))],
  ['Object.values', ([value]) => Object.values(toObject(value))],
  ['Number.isInteger', ([value]) => Number.isInteger(value)],
  ['Number', ([value]) => Number(toPrimitive(value))],
  ['String', ([value]) => toText(value)],
  ['Boolean', ([value]) => Boolean(value)],
  ['parseInt', ([value, radix]) => Number.parseInt(toText(value), radix === undefined ? undefined : toNumber(radix))],
  ['parseFloat', ([value]) => Number.parseFloat(toText(value))],
])

const textMethods: ReadonlyMap<string, (text: string, values: Values) => unknown> = new Map<
  string,
  (text: string, values: Values) => unknown
>([
  ['match', (text, [pattern]) => text.match(toPattern(pattern))],
  ['search', (text, [pattern]) => text.search(toPattern(pattern))],
  ['startsWith', (text, [part]) => text.startsWith(toText(part))],
  ['endsWith', (text, [part]) => text.endsWith(toText(part))],
  ['includes', (text, [part]) => text.includes(toText(part))],
  ['indexOf', (text, [part]) => text.indexOf(toText(part))],
  ['lastIndexOf', (text, [part]) => text.lastIndexOf(toText(part))],
  ['toLowerCase', (text) => text.toLowerCase()],
  ['toUpperCase', (text) => text.toUpperCase()],
  ['trim', (text) => text.trim()],
  ['charAt', (text, [index]) => text.charAt(toNumber(index))],
  ['slice', (text, [start, end]) => text.slice(toNumber(start), end === undefined ? undefined : toNumber(end))],
  ['substring', (text, [start, end]) => text.substring(toNumber(start), end === undefined ? undefined : toNumber(end))],
  [
    'substr',
    (text, [start, length]) => text.slice(toNumber(start)).slice(0, length === undefined ? undefined : toNumber(length)),
  ],
  ['split', (text, [separator]) => text.split(separator instanceof RegExp ? separator : toText(separator))],
  ['replace', (text, [pattern, by]) => replace(text, pattern, toText(by))],
  ['toString', (text) => text],
])

const arrayMethods: ReadonlyMap<string, (list: Values, values: Values) => unknown> = new Map<
  string,
  (list: Values, values: Values) => unknown
>([
  ['includes', (list, [value]) => list.includes(value)],
  ['indexOf', (list, [value]) => list.indexOf(value)],
  ['lastIndexOf', (list, [value]) => list.lastIndexOf(value)],
  ['join', (list, [separator]) => joinTexts(list, separator === undefined ? ',' : toText(separator))],
  ['slice', (list, [start, end]) => list.slice(toNumber(start), end === undefined ? undefined : toNumber(end))],
  ['toString', (list) => toText(list)],
])

/** The methods that expressions may call, on any type. */
export function listMethods(): readonly string[] {
  return [...new Set([...textMethods.keys(), ...arrayMethods.keys(), 'test', 'exec', 'hasOwnProperty'])].sort()
}

/** The method of a value. */
export function findMethod(object: unknown, name: string): ((values: Values) => unknown) | undefined {
  if (typeof object === 'string') {
    const method = textMethods.get(name)
    if (method) return (values) => method(object, values)
  } else if (Array.isArray(object)) {
    const method = arrayMethods.get(name)
    if (method) return (values) => method(object, values)
  } else if (object instanceof RegExp && (name === 'test' || name === 'exec')) {
    // A pattern with the flag `g` would start where its last call ended.
    object.lastIndex = 0
    return ([text]) => object[name](toText(text))
  }
  if (name === 'hasOwnProperty') return ([key]) => Object.hasOwn(Object(object), toText(key))
  return name === 'toString' ? () => toText(object) : undefined
}

/** Calls a method as JavaScript does. */
export function callMethod(object: unknown, name: string, values: Values): unknown {
  const method = object === null || object === undefined ? undefined : findMethod(object, name)
  if (!method) throw notComputable
  return method(values)
}

function toObject(value: unknown): object {
  if (isContainer(value)) return value
  throw notComputable
}

/** Text is a regular expression for `match`, `search` and `~=`. */
export function toPattern(value: unknown): RegExp {
  if (value instanceof RegExp) return value
  const { compiled } = compilePattern(toText(value))
  if (!compiled) throw notComputable
  return compiled
}

function replace(text: string, pattern: unknown, by: string): string {
  // Each character could be replaced.
  if ((text.length + 1) * (by.length + 1) > maxLength) throw notComputable
  return text.replace(pattern instanceof RegExp ? pattern : toText(pattern), by)
}

type Primitive = string | number | boolean | null | undefined

/** A value as JavaScript converts it for operators: lists and objects become text. */
export function toPrimitive(value: unknown): Primitive {
  if (Array.isArray(value)) return joinTexts(value, ',')
  return isContainer(value) ? '[object Object]' : (value as Primitive) // JSON has no others.
}

/** A value as text. */
export function toText(value: unknown): string {
  return String(toPrimitive(value))
}

function toNumber(value: unknown): number {
  return Number(toPrimitive(value))
}

/** Adds numbers or joins texts. */
export function add(left: unknown, right: unknown): unknown {
  const [a, b] = [toPrimitive(left), toPrimitive(right)]
  if (typeof a !== 'string' && typeof b !== 'string') return Number(a) + Number(b)
  const [start, end] = [String(a), String(b)]
  if (start.length + end.length > maxLength) throw notComputable
  return start + end
}

/** Joins as `Array.join` does. Lists in a resolved document can be large and contain themselves, so there is a limit. */
function joinTexts(list: Values, separator: string): string {
  const texts: string[] = []
  // The lists around the current value, with how far they have been read.
  const open: { readonly values: Values; index: number }[] = [{ values: list, index: 0 }]
  let length = 0
  for (;;) {
    const last = open.at(-1)
    if (!last) return texts.join('')
    if (last.index >= last.values.length) {
      open.pop()
      continue
    }
    if (last.index > 0) texts.push(open.length === 1 ? separator : ',')
    const value = last.values[last.index++]
    length += separator.length + 1
    if (Array.isArray(value)) open.push({ values: value, index: 0 })
    else if (value !== null && value !== undefined) {
      const text = isContainer(value) ? '[object Object]' : String(value)
      length += text.length
      texts.push(text)
    }
    if (length > maxLength || open.length > 1_000) throw notComputable
  }
}
