import type { Expression, Function as FunctionNode } from 'estree-jsx'
import type { MdxNode, MdxPlace } from './values.ts'

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
