/** A JSONPath expression of a ruleset. */
export interface ParsedPath {
  readonly steps: readonly Step[]
  /** A path with `~` at the end selects the keys of the values instead of the values. */
  readonly selectsKeys: boolean
}

/** One step from the values that a path has reached. */
export type Step =
  /** To children, or to all descendants. `.name`, `[*]`, `..name`, `[?(@.in)]`. */
  | { readonly kind: 'children'; readonly isDeep: boolean; readonly selectors: readonly Selector[] }
  /** To the object or list around the value. `^`. */
  | { readonly kind: 'parent' }
  /** To the value and all objects and lists inside it. `..` at the end of a path. */
  | { readonly kind: 'objects' }

/** Which children a step selects. */
export type Selector =
  /** Also an index of a list, as text. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'wildcard' }
  /** From the end of a list: -1 is its last value. */
  | { readonly kind: 'last'; readonly index: number }
  | { readonly kind: 'slice'; readonly start: number | undefined; readonly end: number | undefined; readonly step: number }
  /** Children for which the condition is true. `[?(@.in)]`. */
  | { readonly kind: 'filter'; readonly condition: Expression }
  /** The child with the key that the expression computes from the object or list. `[(@.length-1)]`. */
  | { readonly kind: 'script'; readonly key: Expression }

/** The types that `@string()` and its relatives test. */
export const typeTests = ['string', 'number', 'boolean', 'integer', 'scalar', 'array', 'object', 'null'] as const

export type TypeTest = (typeof typeTests)[number]

/** What `@` and the words after it mean in an expression. */
export const variables = ['@', '@root', '@property', '@parent', '@parentProperty', '@path'] as const

export type Variable = (typeof variables)[number]

/** An expression of a filter, with the syntax of JavaScript. Plain data: it is interpreted, never executed as code. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null | undefined }
  | { readonly kind: 'pattern'; readonly source: string; readonly flags: string }
  | { readonly kind: 'list'; readonly values: readonly Expression[] }
  | { readonly kind: 'variable'; readonly name: Variable }
  | { readonly kind: 'constructor'; readonly name: string }
  | { readonly kind: 'type-test'; readonly type: TypeTest }
  | { readonly kind: 'member'; readonly object: Expression; readonly key: Expression; readonly isOptional: boolean }
  | { readonly kind: 'method'; readonly object: Expression; readonly name: string; readonly values: readonly Expression[] }
  | { readonly kind: 'function'; readonly name: string; readonly values: readonly Expression[] }
  | { readonly kind: 'unary'; readonly operator: string; readonly value: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'conditional'; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  // RFC 9535, where it differs from JavaScript.
  /** Values that a path selects, from `@` or `$`. */
  | { readonly kind: 'query'; readonly from: '@' | '$'; readonly steps: readonly Step[] }
  /** Whether a query selects a value at all. */
  | { readonly kind: 'exists'; readonly query: Expression }
  | { readonly kind: 'compare'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'rfc-function'; readonly name: string; readonly values: readonly Expression[] }

/** A mistake in a path, at an offset in UTF-16 units. */
export class PathSyntaxError extends Error {
  override readonly name = 'PathSyntaxError'
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** A path that is over a limit, whatever the meaning of its rest. */
export class PathLimitError extends PathSyntaxError {}

/** The text of a path, and how far it has been read. */
export interface Cursor {
  readonly text: string
  offset: number
  /** How many brackets and operators are open. */
  depth: number
}

/** The most brackets and operators inside each other. Far more than a person can read. */
const maxDepth = 100

/** Reads an inner part with one more level of nesting. */
export function readNested<Part>(cursor: Cursor, read: () => Part): Part {
  if (++cursor.depth > maxDepth) throw new PathLimitError(`it is nested more than ${maxDepth} levels deep`, cursor.offset)
  const part = read()
  cursor.depth--
  return part
}

/** The most operators or members in a row, such as the names of `@.a.b.c`. */
const maxRow = 500

/** Checks how many operators or members follow each other. Each is one more level of the expression, too. */
export function checkRow(length: number, offset: number): void {
  if (length > maxRow) throw new PathLimitError(`it has more than ${maxRow} operators or names in a row`, offset)
}

/** Skips spaces and line breaks. */
export function skipSpaces(cursor: Cursor): void {
  while (cursor.offset < cursor.text.length && ' \t\n\r'.includes(cursor.text.charAt(cursor.offset))) cursor.offset++
}

/** Skips the text if it comes next. */
export function skip(cursor: Cursor, text: string): boolean {
  if (!cursor.text.startsWith(text, cursor.offset)) return false
  cursor.offset += text.length
  return true
}

/** Skips the text, which has to come next after spaces. */
export function expect(cursor: Cursor, text: string): void {
  skipSpaces(cursor)
  if (!skip(cursor, text)) throw new PathSyntaxError(`expected \`${text}\` but found ${describeNext(cursor)}`, cursor.offset)
}

/** The character at the cursor for a message. */
export function describeNext({ text, offset }: Cursor): string {
  const character = text.codePointAt(offset)
  return character === undefined ? 'the end' : `\`${String.fromCodePoint(character)}\``
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
])

/** Reads text in single or double quotes. Unknown escapes stand for the character itself, as in JavaScript. */
export function readString(cursor: Cursor): string {
  const start = cursor.offset
  const quote = cursor.text.charAt(cursor.offset++)
  let value = ''
  for (;;) {
    const character = cursor.text.charAt(cursor.offset++)
    if (character === '') throw new PathSyntaxError(`the text after ${quote} has no end`, start)
    if (character === quote) return value
    value += character === '\\' ? readEscape(cursor) : character
  }
}

function readEscape(cursor: Cursor): string {
  const character = cursor.text.charAt(cursor.offset++)
  if (character !== 'u') return escapes.get(character) ?? character
  const digits = /^[0-9a-f]{4}/i.exec(cursor.text.slice(cursor.offset, cursor.offset + 4))?.[0]
  if (digits === undefined) throw new PathSyntaxError('expected four hexadecimal digits after `\\u`', cursor.offset)
  cursor.offset += 4
  return String.fromCharCode(Number.parseInt(digits, 16))
}
