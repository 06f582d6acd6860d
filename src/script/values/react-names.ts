import { spend, spendItems, ThrownValue, Unevaluable } from './evaluation.ts'
import type { BuiltIn, ElementValue, Evaluation, Value } from './types.ts'
import { builtIn, isCallable, isKind, toList, toObject } from './value-kinds.ts'
import type { MdxPlace } from './values.ts'

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
