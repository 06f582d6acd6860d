import { isContainer, readStep } from '../../text/json/json-values.ts'
import {
  countOperations,
  type Evaluate,
  isFulfilled,
  needsContainer,
  prepareExpression,
  type Scope,
} from './compute-expression.ts'
import { notComputable, toText } from './known-functions.ts'
import type { Expression, Selector } from './syntax.ts'

/** Which children of an object or list a step selects. */
export interface ChildTest {
  /** The keys that are selected whatever their values are, indexes of lists as text. */
  readonly names: ReadonlySet<string>
  /** Whether all children are selected. */
  readonly isWildcard: boolean
  /** The test of the children that `names` does not contain. */
  readonly test: ((container: object, scope: Scope) => boolean) | undefined
  /** Whether only objects and lists can pass the test. */
  readonly needsContainer: boolean
  /** How many operations the test has. */
  readonly cost: number
}

/** Prepares the selectors of a step. */
export function prepareSelectors(selectors: readonly Selector[]): ChildTest {
  const names = new Set<string>()
  const tests: ((container: object, scope: Scope) => boolean)[] = []
  let cost = 0
  let isForContainers = true
  for (const selector of selectors) {
    if (selector.kind === 'name') names.add(selector.name)
    else if (selector.kind !== 'wildcard') {
      tests.push(prepareTest(selector))
      const expression = expressionOf(selector)
      cost += expression ? countOperations(expression) : 1
      isForContainers &&= selector.kind === 'filter' && needsContainer(selector.condition)
    }
  }
  const [only] = tests
  const test = tests.length > 1 ? (container: object, scope: Scope) => tests.some((one) => one(container, scope)) : only
  const isWildcard = selectors.some(({ kind }) => kind === 'wildcard')
  return { names, isWildcard, test, needsContainer: isForContainers, cost }
}

/** What a filter or script computes. */
export function expressionOf(selector: Selector): Expression | undefined {
  if (selector.kind === 'filter') return selector.condition
  return selector.kind === 'script' ? selector.key : undefined
}

function prepareTest(selector: Exclude<Selector, { kind: 'name' | 'wildcard' }>): (container: object, scope: Scope) => boolean {
  switch (selector.kind) {
    case 'last': {
      const { index } = selector
      return (container, { property }) => Array.isArray(container) && property === container.length + index
    }
    case 'slice':
      return (container, { property }) => Array.isArray(container) && isInSlice(property, container.length, selector)
    case 'filter': {
      const condition = prepareExpression(selector.condition, prepareStandard)
      return (_container, scope) => isFulfilled(condition, scope)
    }
    case 'script': {
      const key = prepareExpression(selector.key, prepareStandard)
      return (container, scope) =>
        isFulfilled(() => toText(key({ ...scope, value: container })) === String(scope.property), scope)
    }
  }
}

/** Whether an index is in a slice. RFC 9535, section 2.3.4. The order of results does not matter here, so that a negative step only picks other indexes. */
function isInSlice(
  index: string | number | undefined,
  length: number,
  { start, end, step }: { readonly start: number | undefined; readonly end: number | undefined; readonly step: number },
): boolean {
  if (typeof index !== 'number' || step === 0) return false
  const fromStart = (position: number) => (position < 0 ? position + length : position)
  if (step > 0) {
    const first = Math.max(0, fromStart(start ?? 0))
    return index >= first && index < fromStart(end ?? length) && (index - first) % step === 0
  }
  const first = Math.min(length - 1, fromStart(start ?? length - 1))
  const last = end === undefined ? -1 : fromStart(end)
  return index <= first && index > last && (first - index) % -step === 0
}

/** The most values that a path inside a condition may visit from each value. */
const maxQueryValues = 100_000

/** Prepares the parts that only RFC 9535 has. No value at all is `undefined`, which JSON does not have. */
function prepareStandard(expression: Expression): Evaluate {
  switch (expression.kind) {
    case 'query': {
      const select = prepareQuery(expression)
      // Only queries of a single value are used as values.
      return (scope) => select(scope)[0]
    }
    case 'exists': {
      const select = prepareNodes(expression.query)
      return (scope) => select(scope).length > 0
    }
    case 'compare': {
      const [left, right] = [expression.left, expression.right].map((part) => prepareExpression(part, prepareStandard))
      return (scope) => isTrue(expression.operator, left?.(scope), right?.(scope), { left: maxQueryValues, spend: scope.spend })
    }
    case 'rfc-function':
      return prepareFunction(expression.name, expression.values)
    default:
      throw new Error(`Unexpected expression ${expression.kind}`)
  }
}

function prepareNodes(expression: Expression | undefined): (scope: Scope) => readonly unknown[] {
  return expression?.kind === 'query' ? prepareQuery(expression) : () => []
}

function prepareQuery({ from, steps }: Extract<Expression, { kind: 'query' }>): (scope: Scope) => readonly unknown[] {
  const tests = steps.map((step) =>
    step.kind === 'children' ? { isDeep: step.isDeep, ...prepareSelectors(step.selectors) } : undefined,
  )
  // A path from the root has the same result for all values, so that it is computed once.
  let last: { readonly root: unknown; readonly values: readonly unknown[] } | undefined
  return (scope) => {
    if (from === '$' && last && last.root === scope.root) return last.values
    const budget = { left: from === '$' ? Number.POSITIVE_INFINITY : maxQueryValues, spend: scope.spend }
    let values: readonly unknown[] = [from === '@' ? scope.value : scope.root]
    for (const test of tests) {
      if (test) values = selectChildren(test.isDeep ? listDescendants(values, budget) : values, test, scope, budget)
    }
    last = { root: scope.root, values }
    return values
  }
}

/** How many values a condition may still visit, besides the limit of the walk. */
interface Budget {
  left: number
  readonly spend: (steps: number) => void
}

function visitOne(budget: Budget): void {
  budget.spend(1)
  if (--budget.left < 0) throw notComputable
}

function selectChildren(values: readonly unknown[], test: ChildTest, outer: Scope, budget: Budget): readonly unknown[] {
  const selected: unknown[] = []
  const scope: Scope = { ...outer, value: undefined, property: undefined }
  for (const container of values.filter(isContainer)) {
    for (const [key, value] of Object.entries(container)) {
      visitOne(budget)
      scope.value = value
      scope.property = Array.isArray(container) ? Number(key) : key
      if (test.isWildcard || test.names.has(key) || test.test?.(container, scope)) selected.push(value)
    }
  }
  return selected
}

function listDescendants(values: readonly unknown[], budget: Budget): readonly unknown[] {
  const found = new Set(values.filter(isContainer))
  // A set can grow while it is visited. A shared object counts once.
  for (const container of found) {
    for (const value of Object.values(container)) {
      visitOne(budget)
      if (isContainer(value)) found.add(value)
    }
  }
  return [...found]
}

function prepareFunction(name: string, parameters: readonly Expression[]): Evaluate {
  const nodes = prepareNodes(parameters[0])
  const values = parameters.map((part) => prepareExpression(part, prepareStandard))
  switch (name) {
    case 'length':
      return (scope) => lengthOf(values[0]?.(scope))
    case 'count':
      return (scope) => nodes(scope).length
    case 'value':
      return (scope) => {
        const found = nodes(scope)
        return found.length === 1 ? found[0] : undefined
      }
    default:
      return (scope) => isMatch(values[0]?.(scope), values[1]?.(scope), name === 'match')
  }
}

function lengthOf(value: unknown): number | undefined {
  if (typeof value === 'string') return [...value].length
  if (isContainer(value)) return Object.keys(value).length
  return undefined
}

function isMatch(text: unknown, pattern: unknown, isWhole: boolean): boolean {
  if (typeof text !== 'string' || typeof pattern !== 'string') return false
  try {
    const source = toPatternSource(pattern)
    return new RegExp(isWhole ? `^(?:${source})$` : source, 'u').test(text)
  } catch {
    return false
  }
}

/** In patterns of RFC 9485, unlike in JavaScript, a dot matches U+2028 and U+2029. */
function toPatternSource(pattern: string): string {
  let source = ''
  let isInClass = false
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern.charAt(index)
    if (character === '\\') source += character + pattern.charAt(++index)
    else source += character === '.' && !isInClass ? '[^\\n\\r]' : character
    if (character === '[') isInClass = true
    else if (character === ']') isInClass = false
  }
  return source
}

/** RFC 9535, section 2.3.5.2.2. */
function isTrue(operator: string, left: unknown, right: unknown, budget: Budget): boolean {
  if (operator === '!=') return !isEqual(left, right, budget)
  if (operator.startsWith('<') && isLess(left, right)) return true
  if (operator.startsWith('>') && isLess(right, left)) return true
  return operator.endsWith('=') && isEqual(left, right, budget)
}

function isLess(left: unknown, right: unknown): boolean {
  const type = typeof left
  return type === typeof right && ['number', 'string'].includes(type) && (left as string) < (right as string)
}

function isEqual(left: unknown, right: unknown, budget: Budget): boolean {
  const open: [unknown, unknown][] = [[left, right]]
  for (let pair = open.pop(); pair; pair = open.pop()) {
    visitOne(budget)
    const [a, b] = pair
    if (a === b) continue
    if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return false
    const entries = Object.entries(a)
    if (entries.length !== Object.keys(b).length) return false
    for (const [key, value] of entries) {
      if (!Object.hasOwn(b, key)) return false
      open.push([value, readStep(b, key)])
    }
  }
  return true
}
