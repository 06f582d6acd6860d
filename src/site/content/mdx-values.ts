import type { Expression, JSXElement, JSXFragment, Property, TemplateLiteral } from 'estree-jsx'
import type { Scope } from './piece.ts'
import type { MdxNode, MdxProps, MdxValue } from './types.ts'

/** What evaluating an expression needs to know about the MDX around it. */
interface EvaluationContext {
  readonly scope: Scope
  /** Converts JSX inside an expression. */
  readonly toNodes: (jsx: JSXElement | JSXFragment) => readonly MdxNode[]
}

/**
 * Evaluates an expression without running code: literals, template strings, lists, objects, JSX, names in scope, their
 * properties, and choices between them (`a ? b : c`, `a && b`, `a || b`, `a ?? b`, `!a`, `===`).
 *
 * Returns `undefined` for everything else: calls, functions, spreads, assignments, `new`. Nothing is ever called, and only own
 * properties can be read.
 */
export function evaluate(node: Expression, context: EvaluationContext): MdxValue | undefined {
  switch (node.type) {
    case 'Literal':
      return toLiteral(node.value)
    case 'TemplateLiteral':
      return toTemplate(node, context)
    case 'ArrayExpression': {
      const items = node.elements.map((element) =>
        element && element.type !== 'SpreadElement' ? evaluate(element, context) : undefined,
      )
      return items.every((item) => item !== undefined) ? { kind: 'list', items } : undefined
    }
    case 'ObjectExpression': {
      const entries = node.properties.map((property) => (property.type === 'Property' ? toEntry(property, context) : undefined))
      return entries.every((entry) => entry !== undefined) ? { kind: 'object', entries: toProps(entries) } : undefined
    }
    case 'Identifier':
      return node.name === 'undefined' ? null : readName(node.name, context.scope)
    case 'MemberExpression':
      return readMember(node, context)
    case 'ChainExpression':
      return evaluate(node.expression, context)
    case 'UnaryExpression':
      return negate(node.operator, evaluate(node.argument, context))
    case 'ConditionalExpression': {
      const test = evaluate(node.test, context)
      return test === undefined ? undefined : evaluate(isTruthy(test) ? node.consequent : node.alternate, context)
    }
    case 'LogicalExpression': {
      const left = evaluate(node.left, context)
      if (left === undefined) return undefined
      const isLeft = node.operator === '??' ? left !== null : isTruthy(left) === (node.operator === '||')
      return isLeft ? left : evaluate(node.right, context)
    }
    case 'BinaryExpression':
      return node.left.type === 'PrivateIdentifier'
        ? undefined
        : compare(node.operator, evaluate(node.left, context), evaluate(node.right, context))
    case 'JSXElement':
    case 'JSXFragment':
      return { kind: 'fragment', children: context.toNodes(node) }
    default:
      return undefined
  }
}

/** Truthiness as in JavaScript. Lists, objects and JSX are truthy. */
function isTruthy(value: MdxValue): boolean {
  return Boolean(value)
}

function toLiteral(value: unknown): MdxValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return typeof value === 'bigint' ? String(value) : undefined
}

function toTemplate(node: TemplateLiteral, context: EvaluationContext): string | undefined {
  let text = ''
  for (const [index, quasi] of node.quasis.entries()) {
    text += quasi.value.cooked ?? quasi.value.raw
    const expression = node.expressions[index]
    if (!expression) continue
    const value = evaluate(expression, context)
    if (value === undefined || (typeof value === 'object' && value !== null)) return undefined
    text += String(value)
  }
  return text
}

function toEntry(property: Property, context: EvaluationContext): readonly [string, MdxValue] | undefined {
  const { key, value } = property
  if (property.kind !== 'init' || property.method || property.computed) return undefined
  const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined
  // Patterns only occur in assignments, which are not supported.
  if (name === undefined || value.type.endsWith('Pattern')) return undefined
  const evaluated = evaluate(value as Expression, context)
  return evaluated === undefined ? undefined : [name, evaluated]
}

function readName(name: string, scope: Scope): MdxValue | undefined {
  const entry = scope.get(name)
  return entry?.kind === 'value' ? entry.value : undefined
}

function readMember(node: Extract<Expression, { type: 'MemberExpression' }>, context: EvaluationContext): MdxValue | undefined {
  const { object, property, computed } = node
  if (object.type === 'Super' || property.type === 'PrivateIdentifier') return undefined
  const owner = evaluate(object, context)
  const key = computed ? evaluate(property, context) : property.type === 'Identifier' ? property.name : undefined
  if (owner === undefined || (typeof key !== 'string' && typeof key !== 'number')) return undefined
  if (owner === null) return node.optional ? null : undefined
  if (typeof owner === 'string') return key === 'length' ? owner.length : undefined
  if (typeof owner !== 'object') return undefined
  if (owner.kind === 'list') return key === 'length' ? owner.items.length : (owner.items[Number(key)] ?? null)
  return owner.kind === 'object' ? (owner.entries[key] ?? null) : undefined
}

function negate(operator: string, value: MdxValue | undefined): MdxValue | undefined {
  if (value === undefined) return undefined
  if (operator === '!') return !isTruthy(value)
  if (typeof value !== 'number') return undefined
  if (operator === '-') return -value
  return operator === '+' ? value : undefined
}

function compare(operator: string, left: MdxValue | undefined, right: MdxValue | undefined): MdxValue | undefined {
  if (left === undefined || right === undefined) return undefined
  if (operator === '===' || operator === '==') return left === right
  if (operator === '!==' || operator === '!=') return left !== right
  if (operator !== '+') return undefined
  if (typeof left === 'number' && typeof right === 'number') return left + right
  const isPlain = (value: MdxValue) => typeof value !== 'object' || value === null
  return isPlain(left) && isPlain(right) ? `${left}${right}` : undefined
}

/** Converts a YAML or JSON value to an MDX value. */
export function toValue(data: unknown): MdxValue {
  if (Array.isArray(data)) return { kind: 'list', items: data.map(toValue) }
  if (typeof data === 'object' && data !== null)
    return { kind: 'object', entries: toProps(Object.entries(data).map(([key, value]) => [key, toValue(value)])) }
  return typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean' ? data : null
}

/** Values by name in an object without a prototype. */
export function toProps(entries: Iterable<readonly [name: string, value: MdxValue]>): MdxProps {
  const props: Record<string, MdxValue> = Object.create(null)
  for (const [name, value] of entries) props[name] = value
  return props
}

/** Converts a value between elements to nodes. As in JSX, `true`, `false` and `null` show nothing. */
export function valueToNodes(value: MdxValue): readonly MdxNode[] {
  if (value === null || typeof value === 'boolean') return []
  if (typeof value !== 'object') return [{ kind: 'text', value: String(value) }]
  if (value.kind === 'list') return value.items.flatMap(valueToNodes)
  return value.kind === 'fragment' ? value.children : []
}

/** Returns the text content of nodes. */
export function textOf(nodes: readonly MdxNode[]): string {
  return nodes.map((node) => (node.kind === 'element' ? textOf(node.children) : node.value)).join('')
}
