import {
  type Cursor,
  checkRow,
  describeNext,
  type Expression,
  expect,
  PathSyntaxError,
  readNested,
  readString,
  type Step,
  skip,
  skipSpaces,
} from './syntax.ts'

/** The functions of RFC 9535: what they take and return. */
const functions: ReadonlyMap<
  string,
  { readonly parameters: readonly ('value' | 'nodes')[]; readonly returns: 'value' | 'logical' }
> = new Map([
  ['length', { parameters: ['value'], returns: 'value' }],
  ['count', { parameters: ['nodes'], returns: 'value' }],
  ['value', { parameters: ['nodes'], returns: 'value' }],
  ['match', { parameters: ['value', 'value'], returns: 'logical' }],
  ['search', { parameters: ['value', 'value'], returns: 'logical' }],
])

const comparisons = ['==', '!=', '<=', '>=', '<', '>']

type ReadSteps = (cursor: Cursor) => readonly Step[]

/**
 * Parses a condition of RFC 9535, section 2.3.5, such as `@.a && count(@.*) > 2`.
 *
 * @throws {PathSyntaxError}
 */
export function parseStandardExpression(cursor: Cursor, readSteps: ReadSteps): Expression {
  return readNested(cursor, () =>
    readOperators(cursor, '||', () => readOperators(cursor, '&&', () => readBasic(cursor, readSteps))),
  )
}

function readOperators(cursor: Cursor, operator: string, readPart: () => Expression): Expression {
  let left = readPart()
  for (let row = 1; ; row++) {
    checkRow(row, cursor.offset)
    skipSpaces(cursor)
    if (!skip(cursor, operator)) return left
    left = { kind: 'binary', operator, left, right: readPart() }
  }
}

function readBasic(cursor: Cursor, readSteps: ReadSteps): Expression {
  skipSpaces(cursor)
  if (skip(cursor, '!')) return { kind: 'unary', operator: '!', value: readNested(cursor, () => readBasic(cursor, readSteps)) }
  if (skip(cursor, '(')) {
    const inner = parseStandardExpression(cursor, readSteps)
    expect(cursor, ')')
    return inner
  }
  const start = cursor.offset
  const left = readOperand(cursor, readSteps)
  skipSpaces(cursor)
  const operator = comparisons.find((one) => skip(cursor, one))
  if (operator === undefined) return toTest(left, start)
  skipSpaces(cursor)
  const rightStart = cursor.offset
  const right = readOperand(cursor, readSteps)
  checkValue(left, start)
  checkValue(right, rightStart)
  return { kind: 'compare', operator, left, right }
}

function toTest(expression: Expression, offset: number): Expression {
  if (expression.kind === 'query') return { kind: 'exists', query: expression }
  if (expression.kind === 'rfc-function' && functions.get(expression.name)?.returns === 'logical') return expression
  throw new PathSyntaxError('expected a comparison of the value', offset)
}

/** Values of comparisons and parameters are single values, so that a query may not select several. */
function checkValue(expression: Expression, offset: number): void {
  if (expression.kind === 'literal') return
  if (expression.kind === 'query' && expression.steps.every(isSingular)) return
  if (expression.kind === 'rfc-function' && functions.get(expression.name)?.returns === 'value') return
  throw new PathSyntaxError('expected a single value, such as `@.name`', offset)
}

function isSingular(step: Step): boolean {
  if (step.kind !== 'children' || step.isDeep || step.selectors.length !== 1) return false
  return step.selectors[0]?.kind === 'name' || step.selectors[0]?.kind === 'last'
}

function readOperand(cursor: Cursor, readSteps: ReadSteps): Expression {
  const start = cursor.offset
  const next = cursor.text.charAt(cursor.offset)
  if (next === '"' || next === "'") return { kind: 'literal', value: readString(cursor) }
  if (next === '@' || next === '$') {
    cursor.offset++
    const steps = readNested(cursor, () => readSteps(cursor))
    if (steps.some(({ kind }) => kind !== 'children'))
      throw new PathSyntaxError('unexpected `^` or `..` at the end of a path in a condition', start)
    return { kind: 'query', from: next, steps }
  }
  const pattern = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|\w+/iy
  pattern.lastIndex = cursor.offset
  const word = pattern.exec(cursor.text)?.[0]
  if (word === undefined) throw new PathSyntaxError(`expected a value but found ${describeNext(cursor)}`, start)
  cursor.offset += word.length
  if (/^[-\d]/.test(word)) return { kind: 'literal', value: Number(word) }
  if (word === 'true' || word === 'false') return { kind: 'literal', value: word === 'true' }
  if (word === 'null') return { kind: 'literal', value: null }
  return readFunction(cursor, word, start, readSteps)
}

function readFunction(cursor: Cursor, name: string, start: number, readSteps: ReadSteps): Expression {
  const signature = functions.get(name)
  if (!signature) throw new PathSyntaxError(`\`${name}\` is not defined; write '${name}' if it is text`, start)
  if (!skip(cursor, '(')) throw new PathSyntaxError(`expected \`(\` after the function \`${name}\``, cursor.offset)
  const values = signature.parameters.map((type, index) => {
    if (index > 0) expect(cursor, ',')
    skipSpaces(cursor)
    const offset = cursor.offset
    const value = readNested(cursor, () => readOperand(cursor, readSteps))
    if (type === 'value') checkValue(value, offset)
    else if (value.kind !== 'query') throw new PathSyntaxError(`\`${name}\` expects a path, such as \`@.*\``, offset)
    return value
  })
  expect(cursor, ')')
  return { kind: 'rfc-function', name, values }
}
