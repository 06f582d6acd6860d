import type { Expression, Function as FunctionNode } from 'estree-jsx'
import { isContainer, isObject, setOwn } from '../../text/json/json-values.ts'

/** A page, snippet or description after interpretation, as plain data. No code was run to produce it. */
export interface MdxContent {
  readonly nodes: readonly MdxNode[]
  /** Headings of levels 1 to 3 in reading order, including those in snippets, for the table of contents. */
  readonly headings: readonly MdxHeading[]
}

export interface MdxHeading {
  readonly depth: 1 | 2 | 3
  /** Unique within the page. Derived from the text like on GitHub. */
  readonly id: string
  readonly text: string
}

export type MdxNode = MdxText | MdxElement | MdxCode

interface MdxText {
  readonly kind: 'text'
  readonly value: string
}

/**
 * An allowed HTML element (lowercase, with allowed attributes), or a component (uppercase or with a dot, such as `Card` or
 * `Tree.Folder`).
 */
export interface MdxElement {
  readonly kind: 'element'
  readonly name: string
  readonly props: MdxProps
  readonly children: readonly MdxNode[]
  readonly place: MdxPlace
}

/** A code block. */
export interface MdxCode {
  readonly kind: 'code'
  /** The first word after the fence in lowercase, if any. */
  readonly language: string | undefined
  /** The rest of the fence line: title, `{1,3-5}`, `lines`, `theme={null}` and so on. */
  readonly meta: string
  readonly value: string
  readonly place: MdxPlace
}

/** A location for diagnostics. */
export interface MdxPlace {
  readonly file: string
  /** In the text of the file, in UTF-16 code units. */
  readonly start: number
  readonly end: number
}

/** By name, without a prototype, so that names such as `constructor` find nothing. */
export type MdxProps = Readonly<Record<string, MdxValue>>

export type MdxValue = string | number | boolean | null | MdxList | MdxObject | MdxFragment

interface MdxList {
  readonly kind: 'list'
  readonly items: readonly MdxValue[]
}

interface MdxObject {
  readonly kind: 'object'
  readonly entries: MdxProps
}

/** JSX as a value: `icon={<Icon icon="star" />}`. */
interface MdxFragment {
  readonly kind: 'fragment'
  readonly children: readonly MdxNode[]
}

/** Values by name in an object without a prototype. */
export function toProps(entries: Iterable<readonly [name: string, value: MdxValue]>): MdxProps {
  const props: Record<string, MdxValue> = Object.create(null)
  for (const [name, value] of entries) setOwn(props, name, value)
  return props
}

/** Converts a value between elements to nodes. As in JSX, `true`, `false` and `null` show nothing. */
export function valueToNodes(value: MdxValue): readonly MdxNode[] {
  if (value === null || typeof value === 'boolean') return []
  if (typeof value !== 'object') return [{ kind: 'text', value: String(value) }]
  if (value.kind === 'list') return value.items.flatMap(valueToNodes)
  return value.kind === 'fragment' ? value.children : []
}

/** The entries of an object as a value; none for other values. */
export function propsIn(value: MdxValue | undefined): MdxProps {
  return typeof value === 'object' && value?.kind === 'object' ? value.entries : toProps([])
}

/** The text of a value, trimmed; `''` if it has none. */
export function valueToText(value: MdxValue | undefined): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value).trim()
  return typeof value === 'object' && value?.kind === 'fragment' ? textOf(value.children).trim() : ''
}

/** Returns the text content of nodes. */
export function textOf(nodes: readonly MdxNode[]): string {
  return nodes.map((node) => (node.kind === 'element' ? textOf(node.children) : node.value)).join('')
}

/**
 * A value of an expression. No value is an object of the host, so nothing outside of these types can be reached.
 *
 * Lists and objects are mutable, because local code often fills them: `rows.push(…)`.
 */
export type Value =
  | undefined
  | null
  | boolean
  | number
  | string
  | ListValue
  | ObjectValue
  | CollectionValue
  | GeneratorValue
  | PatternValue
  | FunctionValue
  | BuiltIn
  | ElementValue
  | ContentValue
  | SnippetValue
  | ComponentName
  | MissingValue

export interface ListValue {
  readonly kind: 'list'
  readonly items: Value[]
  /** Other members, of the match of a regular expression: `index`, `groups`. */
  readonly members?: ReadonlyMap<string, Value>
  /** The data that the list was made from: two lists of the same data are equal. */
  readonly data?: object
  /** Of a list of data: the items that were made. */
  readonly held?: () => Iterable<Value>
}

export interface ObjectValue {
  readonly kind: 'object'
  /** A `Map` has no prototype, so names such as `constructor` find nothing. */
  readonly entries: Map<string, Value>
  /** Reads single entries of data, as long as nothing needs or changes `entries`, which converts all of them. */
  readonly source?: EntrySource | undefined
  /** The data that the object was made from: two objects of the same data are equal. */
  readonly data?: object
  /** Of errors: the name of their class. */
  readonly errorName?: string
}

/** The entries of an object that is read one member at a time, because it can be large or contain itself. */
export interface EntrySource {
  readonly has: (key: string) => boolean
  readonly get: (key: string, place: MdxPlace) => Value
  readonly keys: () => readonly string[]
  /** The entries that were read, which are kept. */
  readonly held: () => Iterable<Value>
}

/** `new Set()` or `new Map()`. The values of a set are its keys. */
export interface CollectionValue {
  readonly kind: 'collection'
  readonly type: 'Set' | 'Map'
  readonly entries: Map<Value, Value>
  /** The keys that were made from data, by that data. */
  readonly keysOfData: Map<object, Value>
}

/** The result of a generator function. */
interface GeneratorValue {
  readonly kind: 'generator'
  /** Runs the function and passes on what it yields. */
  readonly run: (onYield: (value: Value) => void) => void
  readonly holds: readonly Value[]
}

/** A regular expression. */
export interface PatternValue {
  readonly kind: 'pattern'
  readonly source: string
  readonly flags: string
  /** Where `exec` and `test` continue, with the flag `g`. */
  lastIndex: number
}

/** A function of the page or snippet. */
export interface FunctionValue {
  readonly kind: 'function'
  readonly node: FunctionNode
  readonly name: string
  readonly scope: Scope
  /** Properties that the code adds, such as `Tabs.Item`. */
  readonly entries: Map<string, Value>
}

/** A function of the language or of React, implemented here. */
export interface BuiltIn {
  readonly kind: 'built-in'
  readonly name: string
  readonly call: (args: readonly Value[], evaluation: Evaluation, place: MdxPlace) => Value
  /** Static members: `Object.keys`. */
  readonly entries?: ReadonlyMap<string, Value>
  /** Whether `new` is allowed. */
  readonly isConstructor?: boolean
  /** Values of the code that it keeps: the list of `list.push`. */
  readonly holds?: readonly Value[]
}

/** JSX that is not yet shown, like an element of React. */
export interface ElementValue {
  readonly kind: 'element'
  /** As written, for messages. */
  readonly name: string
  /** The name of an HTML element, or a component. `undefined` is a fragment. */
  readonly type: Value
  readonly props: ReadonlyMap<string, Value>
  readonly place: MdxPlace
}

/** Markdown between the tags of a component. */
interface ContentValue {
  readonly kind: 'content'
  readonly show: () => readonly MdxNode[]
}

/** A Markdown snippet: `import Note from '/snippets/note.mdx'`. */
export interface SnippetValue {
  readonly kind: 'snippet'
  readonly show: (props: ReadonlyMap<string, Value>, element: ElementValue) => readonly MdxNode[]
}

/** A component of the site, such as `Card`, or an unknown one. */
interface ComponentName {
  readonly kind: 'component'
  readonly name: string
  /** Props that it always has: an icon of a package has its name. */
  readonly props?: ReadonlyMap<string, Value>
}

/** An import that cannot be read, which was already reported. */
interface MissingValue {
  readonly kind: 'missing'
  readonly from: string
}

/** The names in a module, function or block. */
export interface Scope {
  readonly names: Map<string, Binding>
  readonly parent: Scope | undefined
  /** The file of the code, for locations. */
  readonly file: string
  /** Contains the `var` names of inner blocks. */
  readonly isFunction: boolean
}

/** A name and its value. Top-level values are only read when they are used, so their order does not matter. */
export type Binding =
  | { value: Value; readonly isConstant: boolean }
  | { value: Value; readonly isConstant: boolean; read: (() => Value) | undefined }

/** The evaluation of a page with its snippets. */
export interface Evaluation {
  readonly budget: EvaluationBudget
  /** The names that are known without a declaration. */
  readonly globals: GlobalNames
  readonly evaluate: (node: Expression, scope: Scope) => Value
  readonly call: (callee: Value, args: readonly Value[], place: MdxPlace) => Value
  /** Number of effects, which would run after the first render. */
  effects: number
  /** Number of states that are read and tell whether the theme is dark. */
  themeStates: number
  /** Whether these states are true. */
  isDark: boolean
}

/** Names of the language, and of a library. */
export interface GlobalNames {
  readonly has: (name: string) => boolean
  /** Throws for names that do not exist or are not supported. */
  readonly read: (name: string, place: MdxPlace) => Value
}

/** The limits of one evaluation. */
export interface EvaluationLimits {
  /** Number of steps: expressions, items and characters (16 count as one step). */
  readonly steps: number
  /** Nesting of expressions, calls and elements, because evaluation is recursive. */
  readonly nesting: number
  /** Length of a string. */
  readonly text: number
  /** Number of items in a list or object. */
  readonly items: number
  /** Steps for each new list, object, function or scope, so that the steps also limit the memory. */
  readonly stepsOfValue: number
  /** Whether the host interrupts regular expressions, so that those without an upper bound of their steps can run. */
  readonly areMatchesInterrupted: boolean
}

/** What is left for a page and for the site. */
export interface EvaluationBudget {
  readonly limits: EvaluationLimits
  /** For the page. */
  steps: number
  /** Shared by all pages. */
  readonly site: SiteBudget
  /** Whether the steps of the page or site were used up. Only children and text are still shown. */
  isUsedUp: boolean
  /** Current nesting of expressions, calls and elements. */
  depth: number
}

/** What is left for all pages of a site. */
export interface SiteBudget {
  steps: number
  isReported: boolean
}

export const toList = (items: readonly Value[]): ListValue => ({ kind: 'list', items: [...items] })

export const toObject = (entries: Iterable<readonly [string, Value]>): ObjectValue => ({
  kind: 'object',
  entries: new Map(entries),
})

export function hasEntry(object: ObjectValue, key: string): boolean {
  return object.source ? object.source.has(key) : object.entries.has(key)
}

/** Whether a value has its own member, as `Object.hasOwn` tells. */
export function hasOwnMember(owner: Value, key: string): boolean {
  if (isKind(owner, 'object')) return hasEntry(owner, key)
  if (isKind(owner, 'function')) return owner.entries.has(key)
  if (!isKind(owner, 'list') && typeof owner !== 'string') return false
  const { length } = isKind(owner, 'list') ? owner.items : owner
  return key === 'length' || (/^(?:0|[1-9]\d{0,8})$/.test(key) && Number(key) < length)
}

export function getEntry(object: ObjectValue, key: string, place: MdxPlace): Value {
  return object.source ? object.source.get(key, place) : object.entries.get(key)
}

type Call = BuiltIn['call']

export function builtIn(name: string, call: Call, entries?: Readonly<Record<string, Call | Value>>): BuiltIn {
  const members = Object.entries(entries ?? {}).map(([key, value]) => {
    return [key, typeof value === 'function' ? builtIn(`${name}.${key}`, value) : value] as const
  })
  return { kind: 'built-in', name, call, ...(entries && { entries: new Map(members) }) }
}

/** An object with functions, such as `Math`. Unknown members are reported by name. */
export function namespace(name: string, entries: Readonly<Record<string, Call | Value>>): BuiltIn {
  const refuse: Call = (_, __, place) => {
    throw new Unevaluable(`calls \`${name}\``, place)
  }
  return builtIn(name, refuse, entries)
}

/** Converts a YAML or JSON value. */
export function fromData(data: unknown): Value {
  if (Array.isArray(data)) return toList(data.map(fromData))
  if (isObject(data)) return toObject(Object.entries(data).map(([key, value]) => [key, fromData(value)]))
  return typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean' ? data : null
}

/** Whether a value can be called. */
export function isCallable(value: Value): value is FunctionValue | BuiltIn {
  return isKind(value, 'function') || isKind(value, 'built-in')
}

type ValueOfKind<Kind extends string> = Extract<Value, { readonly kind: Kind }>

export function isKind<Kind extends ValueOfKind<string>['kind']>(value: Value, kind: Kind): value is ValueOfKind<Kind> {
  return isReference(value) && value.kind === kind
}

/** Whether a value is compared by its identity: a list, an object, a function. */
export function isReference(value: unknown): value is Value & object {
  return isContainer(value)
}

/** The data that a list or object was made from. */
export function dataOf(value: Value): object | undefined {
  return isReference(value) && 'data' in value ? value.data : undefined
}

/** The limits of a page. */
export const pageLimits: EvaluationLimits = {
  steps: 1_000_000,
  nesting: 400,
  text: 200_000,
  items: 50_000,
  stepsOfValue: 0,
  areMatchesInterrupted: false,
}
/** Maximum number of steps for all pages of a site. */
export const maxSiteSteps = 50_000_000

/** Why something cannot be evaluated: `reason` completes a sentence such as "Cannot show `<A>`: it …". */
export class Unevaluable extends Error {
  readonly reason: string
  readonly place: MdxPlace
  /** The cause was reported elsewhere, such as a missing import. */
  readonly isReported: boolean
  readonly isTooComplex: boolean

  constructor(reason: string, place: MdxPlace, is: { readonly reported?: boolean; readonly tooComplex?: boolean } = {}) {
    super(reason)
    this.reason = reason
    this.place = place
    this.isReported = is.reported ?? false
    this.isTooComplex = is.tooComplex ?? false
  }
}

/** An error that the evaluated code throws and can catch. */
export class ThrownValue extends Unevaluable {
  readonly value: Value

  /** `error` is the value of `throw`, or the message of an error of the language. */
  constructor(reason: string, place: MdxPlace, error: string | { readonly value: Value }) {
    super(reason, place)
    this.value =
      typeof error === 'string' ? { kind: 'object', entries: new Map([['message', error]]), errorName: 'TypeError' } : error.value
  }
}

/** Counts work before it is done. */
export function spend(budget: EvaluationBudget, steps: number, place: MdxPlace): void {
  budget.steps -= steps
  budget.site.steps -= steps
  if (budget.steps < 0)
    throw useUp(budget, `needs more than ${budget.limits.steps.toLocaleString('en')} steps`, place, budget.isUsedUp)
  if (budget.site.steps >= 0 || budget.isUsedUp) return
  const { isReported } = budget.site
  budget.site.isReported = true
  throw useUp(budget, `needs more than ${maxSiteSteps.toLocaleString('en')} steps for all pages`, place, isReported)
}

/** Steps for showing children and text after the others were used up. */
const reservedSteps = 100_000

function useUp(budget: EvaluationBudget, reason: string, place: MdxPlace, isReported: boolean): Unevaluable {
  budget.steps = budget.isUsedUp ? 0 : reservedSteps
  budget.isUsedUp = true
  return new Unevaluable(reason, place, { tooComplex: true, reported: isReported })
}

/** Counts characters before they are copied or shown. */
export function spendText(budget: EvaluationBudget, length: number, place: MdxPlace): void {
  const { text } = budget.limits
  if (length > text) throw tooComplex(`makes a string with more than ${text.toLocaleString('en')} characters`, place)
  spend(budget, 1 + Math.ceil(length / 16), place)
}

/** Counts items before they are added to a list or object with `length` items afterwards. */
export function spendItems(budget: EvaluationBudget, length: number, place: MdxPlace): void {
  const { items } = budget.limits
  if (!(length <= items)) throw tooComplex(`makes a list with more than ${items.toLocaleString('en')} items`, place)
  spend(budget, length, place)
}

/** Enters a nested expression, call or element. The caller subtracts it afterwards, also where it catches an error. */
export function nest(budget: EvaluationBudget, place: MdxPlace): void {
  const { nesting } = budget.limits
  if (++budget.depth > nesting) throw tooComplex(`nests more than ${nesting.toLocaleString('en')} calls and expressions`, place)
}

export function tooComplex(reason: string, place: MdxPlace): Unevaluable {
  return new Unevaluable(reason, place, { tooComplex: true })
}

/** Returns the location of a node. The offsets of `acorn` refer to the text of the file. */
export function placeOf(node: object, file: string): MdxPlace {
  const start = 'start' in node && typeof node.start === 'number' ? node.start : 0
  const end = 'end' in node && typeof node.end === 'number' ? node.end : start
  return { file, start, end }
}

/** Why a function whose result is a promise or a generator cannot be called for its result. */
export function refuseFunction({ node, scope }: FunctionValue): Unevaluable {
  return new Unevaluable(node.async ? 'uses `async`' : 'uses a generator', placeOf(node, scope.file))
}
