import { listMethods, standardFunctions } from './known-functions.ts'
import {
  type Cursor,
  checkRow,
  describeNext,
  type Expression,
  expect,
  PathSyntaxError,
  readNested,
  readString,
  skip,
  skipSpaces,
  typeTests,
  variables,
} from './syntax.ts'

/** Binary operators by precedence. `in` and `~=` are those of nimma, which bind tighter than in JavaScript. */
const precedences: ReadonlyMap<string, number> = new Map([
  ['||', 1],
  ['??', 1],
  ['&&', 2],
  ['|', 3],
  ['^', 4],
  ['&', 5],
  ['==', 6],
  ['!=', 6],
  ['===', 6],
  ['!==', 6],
  ['<', 7],
  ['>', 7],
  ['<=', 7],
  ['>=', 7],
  ['<<', 8],
  ['>>', 8],
  ['>>>', 8],
  ['+', 9],
  ['-', 9],
  ['*', 10],
  ['/', 10],
  ['%', 10],
  ['in', 12],
  ['~=', 20],
])

const longestFirst = [...precedences.keys()].sort((a, b) => b.length - a.length)

const constants: ReadonlyMap<string, boolean | null | undefined | number> = new Map<string, boolean | null | undefined | number>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
])

const constructors = new Set(['Array', 'Object', 'String', 'Number', 'Boolean'])

/**
 * Parses an expression with the syntax of JavaScript, as in `[?(@.in === 'query' && @.name.match(/id$/i))]`.
 *
 * Names that are neither variables such as `@property` nor functions such as `Array.isArray` are errors, because they are text without
 * quotes in most cases.
 *
 * @throws {PathSyntaxError}
 */
export function parseExpression(cursor: Cursor): Expression {
  return readNested(cursor, () => {
    const test = readBinary(cursor, 1)
    skipSpaces(cursor)
    if (cursor.text.startsWith('?.', cursor.offset) || !skip(cursor, '?')) return test
    const yes = parseExpression(cursor)
    expect(cursor, ':')
    return { kind: 'conditional', test, yes, no: parseExpression(cursor) }
  })
}

function readBinary(cursor: Cursor, least: number): Expression {
  let left = readUnary(cursor)
  for (let row = 1; ; row++) {
    checkRow(row, cursor.offset)
    const operator = peekOperator(cursor)
    const precedence = operator === undefined ? 0 : (precedences.get(operator) ?? 0)
    if (operator === undefined) checkComparison(cursor)
    if (operator === undefined || precedence < least) return left
    cursor.offset += operator.length
    const right = readNested(cursor, () => readBinary(cursor, precedence + 1))
    if (operator === '~=' && right.kind === 'literal') checkPattern(String(right.value), '', cursor.offset)
    left = { kind: 'binary', operator, left, right }
  }
}

/** Rejects operators of other dialects. */
function checkComparison({ text, offset }: Cursor): void {
  if (text.startsWith('=~', offset)) throw new PathSyntaxError("`=~` is not an operator; write `.match(/…/)` or `~= '…'`", offset)
  if (text.startsWith('=', offset)) throw new PathSyntaxError('`=` is not an operator; write `==` or `===`', offset)
}

function peekOperator(cursor: Cursor): string | undefined {
  skipSpaces(cursor)
  const operator = longestFirst.find((one) => cursor.text.startsWith(one, cursor.offset))
  // `in` is no operator in `instance`.
  if (operator === 'in' && /[\w$@]/.test(cursor.text.charAt(cursor.offset + 2))) return undefined
  return operator
}

function readUnary(cursor: Cursor): Expression {
  skipSpaces(cursor)
  const word = /^(?:void|typeof)(?![\w$@])/.exec(cursor.text.slice(cursor.offset, cursor.offset + 7))?.[0]
  const operator = word ?? ['!', '-', '+', '~'].find((one) => cursor.text.startsWith(one, cursor.offset))
  if (operator === undefined) return readMembers(cursor, readOperand(cursor))
  cursor.offset += operator.length
  return { kind: 'unary', operator, value: readNested(cursor, () => readUnary(cursor)) }
}

function readOperand(cursor: Cursor): Expression {
  const next = cursor.text.charAt(cursor.offset)
  if (next === '"' || next === "'") return { kind: 'literal', value: readString(cursor) }
  if (/[\d.]/.test(next)) return readNumber(cursor)
  if (next === '/') return readPattern(cursor)
  if (skip(cursor, '[')) return { kind: 'list', values: readValues(cursor, ']') }
  if (skip(cursor, '(')) {
    const inner = parseExpression(cursor)
    expect(cursor, ')')
    return inner
  }
  return readName(cursor)
}

function readNumber(cursor: Cursor): Expression {
  const text = /^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/i.exec(cursor.text.slice(cursor.offset, cursor.offset + 400))?.[0]
  if (text === undefined) throw new PathSyntaxError(`expected a value but found ${describeNext(cursor)}`, cursor.offset)
  cursor.offset += text.length
  return { kind: 'literal', value: Number(text) }
}

function readPattern(cursor: Cursor): Expression {
  const start = cursor.offset++
  let isInSet = false
  for (;;) {
    const character = cursor.text.charAt(cursor.offset++)
    if (character === '') throw new PathSyntaxError('the regular expression has no end', start)
    if (character === '/' && !isInSet) break
    if (character === '\\') cursor.offset++
    else if (character === '[') isInSet = true
    else if (character === ']') isInSet = false
  }
  const source = cursor.text.slice(start + 1, cursor.offset - 1)
  const flags = readWord(cursor)
  checkPattern(source, flags, start)
  return { kind: 'pattern', source, flags }
}

function checkPattern(source: string, flags: string, offset: number): void {
  try {
    new RegExp(source, flags)
  } catch (error) {
    throw new PathSyntaxError(error instanceof Error ? error.message : String(error), offset)
  }
}

function readWord(cursor: Cursor): string {
  const pattern = /[\w$\u0080-\uffff]*/y
  pattern.lastIndex = cursor.offset
  const word = pattern.exec(cursor.text)?.[0] ?? ''
  cursor.offset += word.length
  return word
}

function readName(cursor: Cursor): Expression {
  const start = cursor.offset
  const name = (skip(cursor, '@') ? '@' : '') + readWord(cursor)
  if (name === '') throw new PathSyntaxError(`expected a value but found ${describeNext(cursor)}`, start)
  if (constants.has(name)) return { kind: 'literal', value: constants.get(name) }
  const type = typeTests.find((one) => `@${one}` === name)
  if (type && readCallEnd(cursor)) return { kind: 'type-test', type }
  const variable = variables.find((one) => one === name)
  if (variable) return { kind: 'variable', name: variable }
  const called = readFunction(cursor, name)
  if (called) return called
  if (constructors.has(name)) return { kind: 'constructor', name }
  throw new PathSyntaxError(`\`${name}\` is not defined; ${toHint(cursor.text, start, name)}`, start)
}

function toHint(text: string, start: number, name: string): string {
  if (name.startsWith('@')) return `expected ${variables.map((one) => `\`${one}\``).join(', ')}`
  // `@.x-internal` is a subtraction.
  const before = /\.([\w-]*-)$/.exec(text.slice(Math.max(0, start - 100), start))?.[1]
  const rest = /^[\w-]*/.exec(text.slice(start, start + 100))?.[0] ?? ''
  return before === undefined ? `write '${name}' if it is text` : `write \`['${before}${rest}']\` if it is a key`
}

function readCallEnd(cursor: Cursor): boolean {
  skipSpaces(cursor)
  if (!skip(cursor, '(')) return false
  expect(cursor, ')')
  return true
}

/** Reads a call such as `Array.isArray(@)` or `Number(@)`. */
function readFunction(cursor: Cursor, first: string): Expression | undefined {
  const start = cursor.offset
  let name = first
  if (skip(cursor, '.')) name += `.${readWord(cursor)}`
  skipSpaces(cursor)
  if (standardFunctions.has(name) && skip(cursor, '(')) return { kind: 'function', name, values: readValues(cursor, ')') }
  cursor.offset = start
  return undefined
}

function readValues(cursor: Cursor, end: string): readonly Expression[] {
  const values: Expression[] = []
  skipSpaces(cursor)
  if (skip(cursor, end)) return values
  do values.push(parseExpression(cursor))
  while (skip(cursor, ','))
  expect(cursor, end)
  return values
}

function readMembers(cursor: Cursor, first: Expression): Expression {
  let object = first
  for (let row = 1; ; row++) {
    checkRow(row, cursor.offset)
    skipSpaces(cursor)
    const isOptional = skip(cursor, '?.')
    if (skip(cursor, '[')) {
      const key = parseExpression(cursor)
      expect(cursor, ']')
      object = { kind: 'member', object, key, isOptional }
    } else if (isOptional || skip(cursor, '.')) object = readMember(cursor, object, isOptional)
    else return object
  }
}

function readMember(cursor: Cursor, object: Expression, isOptional: boolean): Expression {
  skipSpaces(cursor)
  const start = cursor.offset
  const name = readWord(cursor)
  if (name === '') throw new PathSyntaxError(`expected a name but found ${describeNext(cursor)}`, start)
  skipSpaces(cursor)
  if (!skip(cursor, '(')) return { kind: 'member', object, key: { kind: 'literal', value: name }, isOptional }
  if (!listMethods().includes(name)) {
    throw new PathSyntaxError(`the method \`${name}\` is not supported here; supported are ${listMethods().join(', ')}`, start)
  }
  return { kind: 'method', object, name, values: readValues(cursor, ')') }
}
