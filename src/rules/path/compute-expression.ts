import { isContainer, readStep } from '../../text/json/json-values.ts'
import { capitalize } from '../../text/plain/lists.ts'
import {
  add,
  callMethod,
  findMethod,
  notComputable,
  standardFunctions,
  toPattern,
  toPrimitive,
  toText,
  typeNames,
} from './known-functions.ts'
import type { Expression, TypeTest, Variable } from './syntax.ts'

/** What an expression reads. One object serves all evaluations of a walk, so it is changed in place. */
export interface Scope {
  /** `@`. */
  value: unknown
  /** `@property`: the key of the value. */
  property: string | number | undefined
  /** `@root` and `$`. */
  readonly root: unknown
  /** Where the value is. Only for expressions that look upward. */
  place: ScopePlace | undefined
  /** Counts the values that paths in expressions visit. */
  readonly spend: (steps: number) => void
}

/** Where the value of a scope is in the document. */
export interface ScopePlace {
  /** `@parent`: the object around the object with the value, as in jsonpath-plus. */
  readonly parent: unknown
  /** `@parentProperty`: the key of the object with the value. */
  readonly parentProperty: string | number | undefined
  /** `@path`, such as `$['paths']['/pets']`. */
  readonly path: string
}

/** An expression that is ready to be evaluated. */
export type Evaluate = (scope: Scope) => unknown

/** Whether a value fulfils a condition. A condition that cannot be computed, such as a member of `null`, is not fulfilled. */
export function isFulfilled(condition: Evaluate, scope: Scope): boolean {
  try {
    return Boolean(condition(scope))
  } catch (error) {
    if (error === notComputable) return false
    throw error
  }
}

/** Whether the result also depends on the path on which the walk reached a value. */
export function looksUpward(expression: Expression): boolean {
  if (expression.kind === 'variable') return ['@parent', '@parentProperty', '@path'].includes(expression.name)
  return listParts(expression).some(looksUpward)
}

/**
 * Whether only objects and lists can fulfil a condition, because it reads a member that no text, number or boolean has. Most values of a
 * document are none, so that most filters need not be computed for them.
 */
export function needsContainer(condition: Expression): boolean {
  if (condition.kind === 'exists') {
    const { query } = condition
    return query.kind === 'query' && query.from === '@' && query.steps.length > 0
  }
  if (condition.kind !== 'binary') return isAbsentInScalars(condition)
  const { operator, left, right } = condition
  if (operator === '&&') return needsContainer(left) || needsContainer(right)
  if (operator === '||') return needsContainer(left) && needsContainer(right)
  const isEqual = operator === '===' || operator === '=='
  return isEqual && isAbsentInScalars(left) && right.kind === 'literal' && right.value !== null && right.value !== undefined
}

/** Whether an expression is `undefined` or cannot be computed if `@` is a text, a number, a boolean or `null`. */
function isAbsentInScalars(expression: Expression): boolean {
  if (expression.kind === 'method') return isAbsentInScalars(expression.object)
  if (expression.kind !== 'member') return false
  const { object, key } = expression
  if (object.kind !== 'variable' || object.name !== '@') return isAbsentInScalars(object)
  return key.kind === 'literal' && !isMemberOfScalars(String(key.value))
}

function isMemberOfScalars(name: string): boolean {
  return name === 'length' || name === 'constructor' || /^\d/.test(name) || findMethod('', name) !== undefined
}

/** How many operations an expression has. */
export function countOperations(expression: Expression): number {
  return listParts(expression).reduce((sum, part) => sum + countOperations(part), 1)
}

function listParts(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'list':
    case 'function':
    case 'rfc-function':
      return expression.values
    case 'member':
      return [expression.object, expression.key]
    case 'method':
      return [expression.object, ...expression.values]
    case 'unary':
      return [expression.value]
    case 'binary':
    case 'compare':
      return [expression.left, expression.right]
    case 'conditional':
      return [expression.test, expression.yes, expression.no]
    case 'exists':
      return [expression.query]
    default:
      return []
  }
}

/** Prepares an expression. Nothing is compiled to code: each operation becomes a function that calls those of its parts. */
export function prepareExpression(expression: Expression, prepareStandard: (expression: Expression) => Evaluate): Evaluate {
  const prepare = (part: Expression) => prepareExpression(part, prepareStandard)
  switch (expression.kind) {
    case 'literal': {
      const { value } = expression
      return () => value
    }
    case 'pattern': {
      const pattern = new RegExp(expression.source, expression.flags)
      return () => pattern
    }
    case 'list': {
      const values = expression.values.map(prepare)
      return (scope) => values.map((value) => value(scope))
    }
    case 'variable':
      return readVariable(expression.name)
    case 'constructor': {
      const type = typeNames.get(expression.name)
      return () => type
    }
    case 'type-test':
      return (scope) => hasType(scope.value, expression.type)
    case 'member':
      return prepareMember(prepare(expression.object), expression, prepare)
    case 'method':
      return prepareMethod(expression, prepare)
    case 'function': {
      const call = standardFunctions.get(expression.name)
      const values = expression.values.map(prepare)
      return (scope) => call?.(values.map((value) => value(scope)))
    }
    case 'unary': {
      const [compute, value] = [unaryOperators.get(expression.operator), prepare(expression.value)]
      return (scope) => compute?.(value(scope))
    }
    case 'binary':
      return prepareBinary(expression.operator, prepare(expression.left), prepare(expression.right))
    case 'conditional': {
      const [test, yes, no] = [prepare(expression.test), prepare(expression.yes), prepare(expression.no)]
      return (scope) => (test(scope) ? yes(scope) : no(scope))
    }
    default:
      return prepareStandard(expression)
  }
}

function readVariable(name: Variable): Evaluate {
  switch (name) {
    case '@':
      return (scope) => scope.value
    case '@root':
      return (scope) => scope.root
    case '@property':
      return (scope) => scope.property
    case '@parent':
      return (scope) => scope.place?.parent
    case '@parentProperty':
      return (scope) => scope.place?.parentProperty
    case '@path':
      return (scope) => scope.place?.path
  }
}

/** Whether a value is of a type, as nimma defines it: lists are objects. */
function hasType(value: unknown, type: TypeTest): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isContainer(value)
    case 'null':
      return value === null
    case 'integer':
      return Number.isInteger(value)
    case 'scalar':
      return !isContainer(value)
    default:
      return typeof value === type
  }
}

function prepareMember(
  object: Evaluate,
  { key, isOptional }: { readonly key: Expression; readonly isOptional: boolean },
  prepare: (part: Expression) => Evaluate,
): Evaluate {
  const read = (from: unknown, name: unknown) => {
    if (isOptional && (from === null || from === undefined)) return undefined
    return readMember(from, toText(name))
  }
  if (key.kind === 'literal') {
    const name = String(key.value)
    return (scope) => read(object(scope), name)
  }
  const name = prepare(key)
  return (scope) => read(object(scope), name(scope))
}

/** Reads a member of a document, or one of the few members that all values of a type have. */
function readMember(object: unknown, name: string): unknown {
  if (object === null || object === undefined) throw notComputable
  if (typeof object === 'object') {
    if (Object.hasOwn(object, name)) return readStep(object, name)
  } else if (typeof object === 'string') {
    if (name === 'length') return object.length
    // Filters read members of very many texts, few of which are indexes.
    if (name <= '9' && /^(?:0|[1-9]\d*)$/.test(name)) return object[Number(name)]
  }
  if (name === 'constructor') return typeNames.get(Array.isArray(object) ? 'Array' : capitalize(typeof object))
  return findMethod(object, name) ? true : undefined
}

function prepareMethod(expression: Extract<Expression, { kind: 'method' }>, prepare: (part: Expression) => Evaluate): Evaluate {
  const { name } = expression
  const object = prepare(expression.object)
  const values = expression.values.map(prepare)
  // Nimma reads an index as text here.
  const isKey = expression.object.kind === 'variable' && expression.object.name === '@property'
  return (scope) => {
    const from = object(scope)
    return callMethod(
      isKey && typeof from === 'number' ? String(from) : from,
      name,
      values.map((value) => value(scope)),
    )
  }
}

const unaryOperators: ReadonlyMap<string, (value: unknown) => unknown> = new Map<string, (value: unknown) => unknown>([
  ['!', (value) => !value],
  ['-', (value) => -Number(toPrimitive(value))],
  ['+', (value) => Number(toPrimitive(value))],
  ['~', (value) => ~Number(toPrimitive(value))],
  ['typeof', (value) => typeof value],
  ['void', () => undefined],
])

function prepareBinary(operator: string, left: Evaluate, right: Evaluate): Evaluate {
  if (operator === '||') return (scope) => left(scope) || right(scope)
  if (operator === '&&') return (scope) => left(scope) && right(scope)
  if (operator === '??') return (scope) => left(scope) ?? right(scope)
  const compute = binaryOperators.get(operator)
  if (compute) return (scope) => compute(left(scope), right(scope))
  const computeNumber = computations.get(operator)
  return (scope) => computeNumber?.(toPrimitive(left(scope)) as number, toPrimitive(right(scope)) as number)
}

type Operator = (left: unknown, right: unknown) => unknown

const binaryOperators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['===', (left, right) => left === right],
  ['!==', (left, right) => left !== right],
  ['==', isLooselyEqual],
  ['!=', (left, right) => !isLooselyEqual(left, right)],
  ['~=', (left, right) => callMethod(toPattern(right), 'test', [left])],
  ['in', isIn],
  ['+', add],
])

function isLooselyEqual(left: unknown, right: unknown): boolean {
  if (isContainer(left) && isContainer(right)) return left === right
  // biome-ignore lint/suspicious/noDoubleEquals: the rules of JavaScript for two primitive values
  return toPrimitive(left) == toPrimitive(right)
}

/** `in` of nimma: whether a list or text contains the value. */
function isIn(value: unknown, container: unknown): boolean {
  const includes = findMethod(container, 'includes')
  if (includes) return Boolean(includes([value]))
  if (isContainer(container)) return Object.hasOwn(container, toText(value))
  throw notComputable
}

/** JavaScript converts the values as needed, which can be texts too. */
const computations: ReadonlyMap<string, (a: number, b: number) => unknown> = new Map<string, (a: number, b: number) => unknown>([
  ['<', (a, b) => a < b],
  ['<=', (a, b) => a <= b],
  ['>', (a, b) => a > b],
  ['>=', (a, b) => a >= b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => a / b],
  ['%', (a, b) => a % b],
  ['|', (a, b) => a | b],
  ['&', (a, b) => a & b],
  ['^', (a, b) => a ^ b],
  ['<<', (a, b) => a << b],
  ['>>', (a, b) => a >> b],
  ['>>>', (a, b) => a >>> b],
])
