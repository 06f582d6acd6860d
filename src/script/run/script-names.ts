import { spendText, ThrownValue, Unevaluable } from '../values/evaluation.ts'
import { globalNames } from '../values/global-names.ts'
import { listMethods } from '../values/list-methods.ts'
import { describeKind, toText, typeName } from '../values/operators.ts'
import type { BuiltIn, Evaluation, GlobalNames, Value } from '../values/types.ts'
import { builtIn, hasOwnMember, isKind, toObject } from '../values/value-kinds.ts'
import type { MdxPlace } from '../values/values.ts'

type Method = (owner: Value, args: readonly Value[], evaluation: Evaluation, place: MdxPlace) => Value

/** `Object.prototype.hasOwnProperty.call(owner, …)`: a method that is only called with its owner. */
function prototypeOf(name: string, methods: readonly (readonly [string, Method])[]): BuiltIn {
  const refuse: BuiltIn['call'] = (_, __, place) => {
    throw new Unevaluable(`calls \`${name}\``, place)
  }
  const entries = methods.map(([key, method]): readonly [string, Value] => {
    const call = builtIn(`${name}.${key}.call`, ([owner, ...args], evaluation, place) => method(owner, args, evaluation, place))
    return [key, { ...builtIn(`${name}.${key}`, refuse), entries: new Map([['call', call]]) }]
  })
  return { ...builtIn(name, refuse), entries: new Map(entries) }
}

const objectMethods: readonly (readonly [string, Method])[] = [
  ['hasOwnProperty', (owner, [key], evaluation, place) => hasOwnMember(owner, toText(key, evaluation, place))],
  ['toString', (owner) => `[object ${tagOf(owner)}]`],
]

function tagOf(value: Value): string {
  if (value === null || value === undefined) return value === null ? 'Null' : 'Undefined'
  if (isKind(value, 'list')) return 'Array'
  if (isKind(value, 'pattern')) return 'RegExp'
  if (isKind(value, 'collection')) return value.type
  if (isKind(value, 'object') && value.errorName !== undefined) return 'Error'
  const name = typeName(value)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

const arrayMethods = [...listMethods].map(([name, method]): readonly [string, Method] => [
  name,
  (owner, args, evaluation, place) => {
    if (!isKind(owner, 'list')) throw new Unevaluable(`calls a method of lists on ${describeKind(owner)}`, place)
    return method(owner, args, evaluation, place)
  },
])

function withPrototype(name: string, prototype: BuiltIn): readonly [string, Value] {
  const value = globalNames.get(name)
  if (!isKind(value, 'built-in')) return [name, value]
  return [name, { ...value, entries: new Map([...(value.entries ?? []), ['prototype', prototype]]) }]
}

/** The parts of a URL. It is only parsed. */
const url: BuiltIn = {
  ...builtIn('URL', ([text, base], evaluation, place) => {
    const [given, start] = [text, base].map((value) => (value === undefined ? undefined : toText(value, evaluation, place)))
    spendText(evaluation.budget, (given?.length ?? 0) + (start?.length ?? 0), place)
    const parsed = URL.parse(given ?? 'undefined', start)
    if (!parsed) throw new ThrownValue('parses an invalid URL', place, 'Invalid URL')
    const { href, origin, protocol, host, hostname, port, pathname, search, hash, username, password } = parsed
    return toObject(Object.entries({ href, origin, protocol, host, hostname, port, pathname, search, hash, username, password }))
  }),
  isConstructor: true,
}

function rename(name: string, known: string): readonly [string, Value] {
  return [name, globalNames.get(known)]
}

const names: ReadonlyMap<string, Value> = new Map<string, Value>([
  ...globalNames,
  withPrototype('Object', prototypeOf('Object.prototype', objectMethods)),
  withPrototype('Array', prototypeOf('Array.prototype', arrayMethods)),
  ['URL', url],
  rename('WeakSet', 'Set'),
  rename('WeakMap', 'Map'),
])

/** The names of scripts: of the language only. */
export const scriptNames: GlobalNames = {
  has: (name) => names.has(name),
  read: (name, place) => {
    if (!names.has(name)) throw new Unevaluable(`uses \`${name}\``, place)
    return names.get(name)
  },
}
