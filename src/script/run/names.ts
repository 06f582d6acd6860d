import { globalNames } from '../values/global-names.ts'
import { listMethods } from '../values/list-methods.ts'
import { describeKind, toText, typeName } from '../values/operators.ts'
import { readMember } from '../values/read-member.ts'
import {
  type Binding,
  type BuiltIn,
  builtIn,
  type Evaluation,
  type GlobalNames,
  hasOwnMember,
  isKind,
  type MdxPlace,
  placeOf,
  type Scope,
  spendText,
  ThrownValue,
  toObject,
  Unevaluable,
  type Value,
} from '../values/values.ts'
import { reactNames, reactObject } from './react.ts'

export function createScope(parent: Scope | undefined, file: string, isFunction = false): Scope {
  return { names: new Map(), parent, file, isFunction }
}

export function declare(scope: Scope, name: string, value: Value, isConstant = false): void {
  scope.names.set(name, { value, isConstant })
}

/** Declares a name whose value is read at its first use. */
export function declareLazily(scope: Scope, name: string, read: () => Value): void {
  scope.names.set(name, { value: undefined, isConstant: false, read })
}

/** Returns the scope for a `var`. */
export function functionScope(scope: Scope): Scope {
  let found = scope
  while (!found.isFunction && found.parent) found = found.parent
  return found
}

export function findBinding(scope: Scope, name: string): Binding | undefined {
  for (let one: Scope | undefined = scope; one; one = one.parent) {
    const binding = one.names.get(name)
    if (binding) return binding
  }
  return undefined
}

export function readBinding(binding: Binding): Value {
  if ('read' in binding && binding.read) {
    binding.value = binding.read()
    binding.read = undefined
  }
  return binding.value
}

/** Reads a name in scope, or a global one. */
export function readName(name: string, scope: Scope, { globals }: Evaluation, place: MdxPlace): Value {
  const binding = findBinding(scope, name)
  return binding ? readBinding(binding) : globals.read(name, place)
}

/** Whether a name has a value. `typeof` of others is `undefined`, as on a server: `window`, `document`. */
export function isKnownName(name: string, scope: Scope, { globals }: Evaluation): boolean {
  return findBinding(scope, name) !== undefined || globals.has(name)
}

/** The names of pages: of the language, of React, and components of the site. */
export const pageNames: GlobalNames = {
  has: (name) => globalNames.has(name) || reactNames.has(name) || name === 'React',
  read: readPageName,
}

function readPageName(name: string, place: MdxPlace): Value {
  if (globalNames.has(name)) return globalNames.get(name)
  if (reactNames.has(name)) return reactNames.get(name)
  if (name === 'React') return reactObject
  // Components of the site can be used as values: `const Tag = href ? Card : 'div'`.
  if (/^[A-Z]/.test(name) && !hostNames.has(name)) return { kind: 'component', name }
  throw new ThrownValue(`uses \`${name}\``, place, `${name} is not defined`)
}

/** Classes of the host that are not components. */
const hostNames = new Set(
  'Date Intl Promise Function Symbol Proxy Reflect WeakMap WeakSet WeakRef URL URLSearchParams Blob File FormData Headers Request Response Worker'
    .concat(
      ' WebSocket EventSource XMLHttpRequest AbortController Event CustomEvent Buffer ArrayBuffer DataView Uint8Array Atomics',
    )
    .concat(
      ' SharedArrayBuffer TextEncoder TextDecoder IntersectionObserver MutationObserver ResizeObserver Audio Notification BigInt Element',
    )
    .concat(' HTMLElement Node Document Window Navigator Storage WebAssembly')
    .split(' '),
)

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

/** Returns what an element's name refers to: an HTML element, a name in scope, or a component of the site. */
export function resolveType(name: string, scope: Scope, node: object): Value {
  const [first = name, ...rest] = name.split('.')
  const binding = findBinding(scope, first)
  // A lowercase name without a dot is always an HTML element.
  if (rest.length === 0 && /^[a-z]/.test(first)) return name
  if (!binding) {
    if (first === 'React' && rest[0] !== undefined && reactNames.has(rest[0])) return reactNames.get(rest[0])
    return rest.length === 0 && reactNames.has(name) ? reactNames.get(name) : { kind: 'component', name }
  }
  const place = placeOf(node, scope.file)
  return rest.reduce<Value>((owner, key) => readMember(owner, key, place), readBinding(binding))
}
