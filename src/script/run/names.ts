import type { VariableDeclarator } from 'estree-jsx'
import { globalNames } from '../values/global-names.ts'
import { listMethods } from '../values/list-methods.ts'
import { describeKind, toText, typeName } from '../values/operators.ts'
import { readMember } from '../values/read-member.ts'
import {
  type Binding,
  type BuiltIn,
  builtIn,
  type ElementValue,
  type Evaluation,
  type GlobalNames,
  hasOwnMember,
  isCallable,
  isKind,
  type MdxPlace,
  namespace,
  placeOf,
  type Scope,
  spend,
  spendItems,
  spendText,
  ThrownValue,
  toList,
  toObject,
  Unevaluable,
  type Value,
} from '../values/values.ts'

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
  const entries = methods.map(([key, method]) => {
    const call: BuiltIn['call'] = ([owner, ...args], evaluation, place) => method(owner, args, evaluation, place)
    return [key, namespace(`${name}.${key}`, { call })] as const
  })
  return namespace(name, Object.fromEntries(entries))
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
  if (rest.length === 0 && /^[a-z]/.test(first)) {
    // A lowercase name without a dot is an HTML element, unless it is that of an imported snippet, as on other hosts.
    const value = binding && 'read' in binding ? readBinding(binding) : undefined
    return isKind(value, 'snippet') || isKind(value, 'missing') ? value : name
  }
  if (!binding) {
    if (first === 'React' && rest[0] !== undefined && reactNames.has(rest[0])) return reactNames.get(rest[0])
    return rest.length === 0 && reactNames.has(name) ? reactNames.get(name) : { kind: 'component', name }
  }
  const place = placeOf(node, scope.file)
  return rest.reduce<Value>((owner, key) => readMember(owner, key, place), readBinding(binding))
}

type Call = BuiltIn['call']

const nothing: Call = () => undefined
const keepArgument: Call = ([value]) => value
const callArgument: Call = ([callback], evaluation, place) => evaluation.call(callback, [], place)

/** A `useState` or `useReducer` setter. Events never happen, so calling it during the first render is an error. */
const setter = builtIn('set', (_, __, place) => {
  throw new Unevaluable('changes its state while it renders', place)
})

const useState: Call = ([initial], evaluation, place) =>
  toList([isCallable(initial) ? evaluation.call(initial, [], place) : initial, setter])

const useReducer: Call = ([, start, init], evaluation, place) =>
  toList([init === undefined ? start : evaluation.call(init, [start], place), setter])

/** Returns the children as a flat list without empty ones. */
function listChildren(children: Value, { budget }: Evaluation, place: MdxPlace): Value[] {
  const found: Value[] = []
  const stack: Value[] = [children]
  while (stack.length > 0) {
    const one = stack.pop()
    if (isKind(one, 'list')) {
      spendItems(budget, one.items.length, place)
      stack.push(...one.items.toReversed())
    } else if (one !== null && one !== undefined && typeof one !== 'boolean') found.push(one)
  }
  return found
}

const mapChildren: Call = ([children, callback], evaluation, place) =>
  toList(listChildren(children, evaluation, place).map((child, index) => evaluation.call(callback, [child, index], place)))

const childrenNames: readonly (readonly [string, Call])[] = [
  ['map', mapChildren],
  ['forEach', mapChildren],
  ['toArray', ([children], evaluation, place) => toList(listChildren(children, evaluation, place))],
  ['count', ([children], evaluation, place) => listChildren(children, evaluation, place).length],
  ['only', ([child]) => (isKind(child, 'list') ? child.items[0] : child)],
]

const children: BuiltIn = {
  ...builtIn('Children', nothing),
  entries: new Map(childrenNames.map(([name, call]) => [name, builtIn(`Children.${name}`, call)])),
}

/** Combines the props of an element with those given to `createElement` or `cloneElement`. */
function combineProps(props: Value, added: readonly Value[]): Map<string, Value> {
  const combined = new Map(isKind(props, 'object') ? props.entries : [])
  if (added.length > 0) combined.set('children', added.length === 1 ? added[0] : toList(added))
  return combined
}

const createElement: Call = ([type, props, ...added], { budget }, place): ElementValue => {
  spend(budget, 1 + added.length, place)
  const name = typeof type === 'string' ? type : isKind(type, 'function') || isKind(type, 'component') ? type.name : 'component'
  return { kind: 'element', name, type, props: combineProps(props, added), place }
}

const cloneElement: Call = ([element, props, ...added], _, place) => {
  if (!isKind(element, 'element')) throw new ThrownValue('clones something that is not JSX', place, 'Invalid element')
  return { ...element, props: new Map([...element.props, ...combineProps(props, added)]) }
}

const forwardRef: Call = ([component]) =>
  builtIn('forwardRef', ([props], evaluation, place) => evaluation.call(component, [props, null], place))

/** Shows its children. */
const fragment = builtIn('Fragment', ([props]) => (isKind(props, 'object') ? props.entries.get('children') : undefined))

/** Effects run after the first render, which is all that is shown. */
const dropEffect: Call = (_, evaluation) => {
  evaluation.effects++
  return undefined
}

const calls: readonly (readonly [string, Call])[] = [
  ['useState', useState],
  ['useReducer', useReducer],
  ['useMemo', callArgument],
  ['useCallback', keepArgument],
  ['useRef', ([current]) => toObject([['current', current]])],
  ['createRef', () => toObject([['current', null]])],
  ['useId', () => 'id'],
  ['useDeferredValue', keepArgument],
  ['useTransition', () => toList([false, setter])],
  ['useEffect', dropEffect],
  ['useLayoutEffect', dropEffect],
  ['useInsertionEffect', dropEffect],
  ['useImperativeHandle', nothing],
  ['useDebugValue', nothing],
  ['createElement', createElement],
  ['cloneElement', cloneElement],
  ['isValidElement', ([value]) => isKind(value, 'element')],
  ['memo', keepArgument],
  ['forwardRef', forwardRef],
]

/** The names of React that pages can use with or without an import. */
export const reactNames: ReadonlyMap<string, Value> = (() => {
  const names = new Map<string, Value>(calls.map(([name, call]) => [name, builtIn(name, call)]))
  for (const name of ['Fragment', 'StrictMode', 'Suspense']) names.set(name, fragment)
  return names.set('Children', children)
})()

/** `React` itself: `React.useState`. */
export const reactObject: BuiltIn = { ...builtIn('React', nothing), entries: reactNames }

/** Whether a declaration is `const [isDark, setIsDark] = useState(…)`, also with names such as `isDarkMode`. */
export function isThemeState({ id, init }: VariableDeclarator): boolean {
  if (id.type !== 'ArrayPattern' || init?.type !== 'CallExpression') return false
  const [state] = id.elements
  const { callee } = init
  const called = callee.type === 'MemberExpression' ? callee.property : callee
  return (
    state?.type === 'Identifier' &&
    /^(?:is_?)?dark(?:_?(?:mode|theme))?$/i.test(state.name) &&
    called.type === 'Identifier' &&
    called.name === 'useState'
  )
}

/** The value of a theme state: whether the theme that is evaluated is the dark one. */
export function readThemeState(value: Value, evaluation: Evaluation): Value {
  if (!isKind(value, 'list') || typeof value.items[0] !== 'boolean') return value
  evaluation.themeStates++
  return toList([evaluation.isDark, ...value.items.slice(1)])
}
