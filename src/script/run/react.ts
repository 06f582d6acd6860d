import type { VariableDeclarator } from 'estree-jsx'
import {
  type BuiltIn,
  builtIn,
  type ElementValue,
  type Evaluation,
  isCallable,
  isKind,
  type MdxPlace,
  nest,
  spend,
  spendItems,
  ThrownValue,
  toList,
  toObject,
  Unevaluable,
  type Value,
} from '../values/values.ts'

/**
 * Calls a component. If it has a state such as `isDark`, which it would set in an effect, returns the styles and images of both themes: the prop
 * `dark-style` is the style of the dark theme. Other differences between the themes are not shown.
 */
export function callInBothThemes(component: Value, args: readonly Value[], evaluation: Evaluation, place: MdxPlace): Value {
  const { themeStates, isDark } = evaluation
  const light = evaluation.call(component, args, place)
  if (isDark || evaluation.themeStates === themeStates) return light
  const { depth } = evaluation.budget
  evaluation.isDark = true
  try {
    return combine(light, evaluation.call(component, args, place), evaluation, place)
  } catch (error) {
    // A part that only the dark theme has cannot be evaluated.
    if (!(error instanceof Unevaluable) || error.isTooComplex) throw error
    evaluation.budget.depth = depth
    return light
  } finally {
    evaluation.isDark = false
  }
}

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

/** Adds the styles of the dark theme to elements of the light theme. */
function combine(light: Value, dark: Value, evaluation: Evaluation, place: MdxPlace): Value {
  const { budget } = evaluation
  if (light === dark) return light
  nest(budget, place)
  spend(budget, 1, place)
  const combined = ((): Value => {
    if (isKind(light, 'list') && isKind(dark, 'list') && light.items.length === dark.items.length)
      return toList(light.items.map((item, index) => combine(item, dark.items[index], evaluation, place)))
    if (!isKind(light, 'element') || !isKind(dark, 'element') || light.name !== dark.name) return light
    if (light.type === 'img' && light.props.get('src') !== dark.props.get('src')) {
      const display = readStyle(dark).get('display') ?? 'block'
      return toList([
        withStyles(light, readStyle(light), hidden),
        withStyles(dark, new Map([...readStyle(dark), ...hidden]), new Map([...readStyle(dark), ['display', display]])),
      ])
    }
    const props = [...light.props].map(([name, value]): readonly [string, Value] => [
      name,
      name === 'style' ? value : combine(value, dark.props.get(name), evaluation, place),
    ])
    const [style, other] = [readStyle(light), readStyle(dark)]
    const isSame = style.size === other.size && [...style].every(([name, value]) => other.get(name) === value)
    const both = { ...light, props: new Map(props) }
    return isSame ? both : withStyles(both, style, other)
  })()
  budget.depth--
  return combined
}

type Style = ReadonlyMap<string, Value>
const hidden: Style = new Map([['display', 'none']])

function readStyle({ props }: ElementValue): Style {
  const style = props.get('style')
  return isKind(style, 'object') ? style.entries : new Map()
}

const withStyles = (element: ElementValue, style: Style, dark: Style): ElementValue => ({
  ...element,
  props: new Map([...element.props, ['style', toObject(style)], ['dark-style', toObject(dark)]]),
})

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
