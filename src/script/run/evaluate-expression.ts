import type {
  AssignmentExpression,
  Expression,
  JSXAttribute,
  JSXElement,
  JSXFragment,
  JSXSpreadAttribute,
  Literal,
  MemberExpression,
  NewExpression,
  ObjectExpression,
  Pattern,
  SimpleCallExpression,
  SpreadElement,
  Super,
  TemplateLiteral,
  UnaryExpression,
  UpdateExpression,
  YieldExpression,
} from 'estree-jsx'
import { applyOperator, isTruthy, iterate, listEntries, toNumber, toText, typeName } from '../values/operators.ts'
import { checkName, readMember, writeMember } from '../values/read-member.ts'
import {
  type ElementValue,
  type Evaluation,
  hasEntry,
  isKind,
  type MdxPlace,
  nest,
  placeOf,
  type Scope,
  spend,
  spendItems,
  spendText,
  ThrownValue,
  toList,
  toObject,
  Unevaluable,
  type Value,
} from '../values/values.ts'
import { bindPattern } from './bind-pattern.ts'
import { toFunction, yieldName } from './call-function.ts'
import { findBinding, functionScope, isKnownName, readBinding, readName, resolveType } from './names.ts'
import { toKey } from './run-statements.ts'

/**
 * Evaluates an expression without running it on the host. The supported part of JavaScript has no access to anything but the names
 * in `scope` and the pure functions in `global-names.ts`.
 *
 * Throws `Unevaluable` with the reason for everything else.
 */
export function evaluateExpression(node: Expression, scope: Scope, evaluation: Evaluation): Value {
  const place = placeOf(node, scope.file)
  spend(evaluation.budget, 1, place)
  nest(evaluation.budget, place)
  const value = evaluateNode(node, scope, evaluation, place)
  evaluation.budget.depth--
  return value
}

/** The result of an optional chain whose owner is `null` or `undefined`. */
const shortCircuit = Symbol('short circuit')

function evaluateNode(node: Expression, scope: Scope, evaluation: Evaluation, place: MdxPlace): Value {
  const read = (one: Expression) => evaluation.evaluate(one, scope)
  switch (node.type) {
    case 'Literal':
      return toLiteral(node, place)
    case 'TemplateLiteral':
      return fillTemplate(node, scope, evaluation, place)
    case 'Identifier':
      return readName(node.name, scope, evaluation, place)
    case 'MemberExpression':
    case 'CallExpression': {
      const value = readChain(node, scope, evaluation)
      return value === shortCircuit ? undefined : value
    }
    case 'ChainExpression': {
      const value = readChain(node.expression, scope, evaluation)
      return value === shortCircuit ? undefined : value
    }
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      spend(evaluation.budget, evaluation.budget.limits.stepsOfValue, place)
      return toFunction(node, node.type === 'FunctionExpression' ? (node.id?.name ?? '') : '', scope)
    case 'ArrayExpression':
      spend(evaluation.budget, evaluation.budget.limits.stepsOfValue, place)
      return toList(evaluateItems(node.elements, scope, evaluation, place))
    case 'ObjectExpression':
      spend(evaluation.budget, evaluation.budget.limits.stepsOfValue, place)
      return evaluateObject(node, scope, evaluation, place)
    case 'UnaryExpression':
      return applyUnary(node, scope, evaluation, place)
    case 'ConditionalExpression':
      return read(isTruthy(read(node.test)) ? node.consequent : node.alternate)
    case 'LogicalExpression': {
      const left = read(node.left)
      const isLeft = node.operator === '??' ? left !== null && left !== undefined : isTruthy(left) === (node.operator === '||')
      return isLeft ? left : read(node.right)
    }
    case 'BinaryExpression':
      if (node.left.type === 'PrivateIdentifier') throw new Unevaluable('uses a private name', place)
      return applyOperator(node.operator, read(node.left), read(node.right), evaluation, place)
    case 'SequenceExpression':
      return node.expressions.map(read).at(-1)
    case 'AssignmentExpression':
      return assign(node, scope, evaluation, place)
    case 'UpdateExpression':
      return update(node, scope, evaluation, place)
    case 'NewExpression':
      spend(evaluation.budget, evaluation.budget.limits.stepsOfValue, place)
      return construct(node, scope, evaluation, place)
    case 'YieldExpression':
      return runYield(node, scope, evaluation, place)
    case 'ThisExpression': {
      const binding = findBinding(scope, 'this')
      if (!binding) throw new Unevaluable('uses `this`', place)
      return readBinding(binding)
    }
    case 'JSXElement':
    case 'JSXFragment':
      return toElement(node, scope, evaluation)
    default:
      return evaluateTyped(node, read, place)
  }
}

/** Types of TypeScript around an expression have no effect. */
function evaluateTyped(node: Expression, read: (node: Expression) => Value, place: MdxPlace): Value {
  const type: string = node.type
  if (
    /^TS(?:As|Satisfies|NonNull|Instantiation)Expression$|^TSTypeAssertion$|^ParenthesizedExpression$/.test(type) &&
    'expression' in node
  )
    return read(node.expression as Expression) // All of these nodes have an inner expression.
  throw new Unevaluable(`uses ${constructNames.get(type) ?? `\`${type}\``}`, place)
}

const constructNames: ReadonlyMap<string, string> = new Map([
  ['AwaitExpression', '`await`'],
  ['ClassExpression', 'a class'],
  ['ImportExpression', '`import()`'],
  ['MetaProperty', '`import.meta`'],
  ['TaggedTemplateExpression', 'a tagged template'],
])

function toLiteral(node: Literal, place: MdxPlace): Value {
  if ('regex' in node && node.regex) return { kind: 'pattern', source: node.regex.pattern, flags: node.regex.flags, lastIndex: 0 }
  const { value } = node
  if (value === undefined || value instanceof RegExp) throw new Unevaluable('uses an unknown literal', place)
  return typeof value === 'bigint' ? String(value) : value
}

function fillTemplate(node: TemplateLiteral, scope: Scope, evaluation: Evaluation, place: MdxPlace): string {
  let text = ''
  for (const [index, quasi] of node.quasis.entries()) {
    text += quasi.value.cooked ?? quasi.value.raw
    const expression = node.expressions[index]
    if (expression) text += toText(evaluation.evaluate(expression, scope), evaluation, placeOf(expression, scope.file))
    spendText(evaluation.budget, text.length, place)
  }
  return text
}

type Chain = Expression | Super

/** Reads a member or calls a function, which ends early at `?.` without an owner. */
function readChain(node: Chain, scope: Scope, evaluation: Evaluation): Value | typeof shortCircuit {
  if (node.type === 'CallExpression') return call(node, scope, evaluation)
  if (node.type === 'MemberExpression') return readMemberOf(node, scope, evaluation)?.value
  if (node.type === 'Super') throw new Unevaluable('uses `super`', placeOf(node, scope.file))
  return evaluation.evaluate(node, scope)
}

interface Member {
  readonly value: Value | typeof shortCircuit
}

function readMemberOf(node: MemberExpression, scope: Scope, evaluation: Evaluation): Member {
  const place = placeOf(node, scope.file)
  spend(evaluation.budget, 1, place)
  nest(evaluation.budget, place)
  const owner = readChain(node.object, scope, evaluation)
  evaluation.budget.depth--
  if (owner === shortCircuit || (node.optional && (owner === null || owner === undefined))) return { value: shortCircuit }
  return { value: readMember(owner, keyOf(node, scope, evaluation), place) }
}

function keyOf(node: MemberExpression, scope: Scope, evaluation: Evaluation): string {
  const { property } = node
  if (property.type === 'PrivateIdentifier') throw new Unevaluable('uses a private name', placeOf(node, scope.file))
  if (!node.computed && property.type === 'Identifier') return property.name
  return toKey(evaluation.evaluate(property, scope), evaluation, scope, property)
}

function call(node: SimpleCallExpression, scope: Scope, evaluation: Evaluation): Value | typeof shortCircuit {
  const place = placeOf(node, scope.file)
  nest(evaluation.budget, place)
  const callee = readChain(node.callee, scope, evaluation)
  evaluation.budget.depth--
  if (callee === shortCircuit || (node.optional && (callee === null || callee === undefined))) return shortCircuit
  if (callee === undefined) throw new ThrownValue(`calls ${describeCallee(node.callee)}`, place, 'not a function')
  const args = evaluateItems(node.arguments, scope, evaluation, place)
  return evaluation.call(callee, args, place)
}

/** Names a function for messages. */
function describeCallee(node: Chain): string {
  if (node.type === 'Identifier') return `\`${node.name}\``
  if (node.type === 'MemberExpression' && !node.computed && node.property.type === 'Identifier')
    return `\`.${node.property.name}()\``
  return 'an unknown function'
}

function evaluateItems(
  elements: readonly (Expression | SpreadElement | null)[],
  scope: Scope,
  evaluation: Evaluation,
  place: MdxPlace,
): readonly Value[] {
  const items: Value[] = []
  for (const element of elements) {
    if (!element) items.push(undefined)
    else if (element.type !== 'SpreadElement') items.push(evaluation.evaluate(element, scope))
    else {
      const spread = iterate(evaluation.evaluate(element.argument, scope), evaluation, place)
      spendItems(evaluation.budget, items.length + spread.length, place)
      for (const item of spread) items.push(item)
    }
  }
  return items
}

function evaluateObject(node: ObjectExpression, scope: Scope, evaluation: Evaluation, place: MdxPlace): Value {
  const entries = new Map<string, Value>()
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const spread = listEntries(evaluation.evaluate(property.argument, scope), evaluation, place)
      for (const [key, value] of spread) entries.set(checkName(key, place), value)
      continue
    }
    const { key, value } = property
    if (property.kind !== 'init') throw new Unevaluable('uses a getter or setter', placeOf(property, scope.file))
    const name =
      key.type === 'Identifier' && !property.computed ? key.name : toKey(evaluation.evaluate(key, scope), evaluation, scope, key)
    // Patterns only occur in assignments.
    entries.set(checkName(name, placeOf(key, scope.file)), evaluation.evaluate(value as Expression, scope))
  }
  return toObject(entries)
}

function applyUnary(node: UnaryExpression, scope: Scope, evaluation: Evaluation, place: MdxPlace): Value {
  const { argument, operator } = node
  if (operator === 'typeof' && argument.type === 'Identifier' && !isKnownName(argument.name, scope, evaluation))
    return 'undefined'
  if (operator === 'delete') {
    if (argument.type !== 'MemberExpression' || argument.object.type === 'Super') throw new Unevaluable('uses `delete`', place)
    const owner = evaluation.evaluate(argument.object, scope)
    if (!isKind(owner, 'object')) throw new Unevaluable('uses `delete`', place)
    const key = keyOf(argument, scope, evaluation)
    return hasEntry(owner, key) ? owner.entries.delete(key) : true
  }
  const value = evaluation.evaluate(argument, scope)
  switch (operator) {
    case '!':
      return !isTruthy(value)
    case '-':
      return -toNumber(value)
    case '+':
      return toNumber(value)
    case '~':
      return ~toNumber(value)
    case 'typeof':
      return typeName(value)
    default:
      return undefined
  }
}

function assign(node: AssignmentExpression, scope: Scope, evaluation: Evaluation, place: MdxPlace): Value {
  const { left, operator, right } = node
  if (operator === '=') {
    const value = evaluation.evaluate(right, scope)
    bindPattern(left, value, scope, evaluation, (target, one) => assignTo(target, one, scope, evaluation, place))
    return value
  }
  if (left.type !== 'Identifier' && left.type !== 'MemberExpression') throw new Unevaluable('uses an unknown assignment', place)
  const before = evaluation.evaluate(left, scope)
  const binary = operator.slice(0, -1)
  if (binary === '||' || binary === '&&' || binary === '??') {
    const isKept = binary === '??' ? before !== null && before !== undefined : isTruthy(before) === (binary === '||')
    if (isKept) return before
    return assignTo(left, evaluation.evaluate(right, scope), scope, evaluation, place)
  }
  const value = applyOperator(binary, before, evaluation.evaluate(right, scope), evaluation, place)
  return assignTo(left, value, scope, evaluation, place)
}

function assignTo(target: Pattern, value: Value, scope: Scope, evaluation: Evaluation, place: MdxPlace): Value {
  if (target.type === 'Identifier') {
    const binding = findBinding(scope, target.name)
    if (!binding) throw new Unevaluable(`assigns to \`${target.name}\``, place)
    if (binding.isConstant)
      throw new ThrownValue(`assigns to the constant \`${target.name}\``, place, 'Assignment to constant variable')
    readBinding(binding)
    binding.value = value
    return value
  }
  if (target.type !== 'MemberExpression' || target.object.type === 'Super')
    throw new Unevaluable('uses an unknown assignment', place)
  writeMember(evaluation.evaluate(target.object, scope), keyOf(target, scope, evaluation), value, evaluation, place)
  return value
}

function update(node: UpdateExpression, scope: Scope, evaluation: Evaluation, place: MdxPlace): Value {
  const before = toNumber(evaluation.evaluate(node.argument, scope))
  const after = node.operator === '++' ? before + 1 : before - 1
  if (node.argument.type !== 'Identifier' && node.argument.type !== 'MemberExpression')
    throw new Unevaluable(`uses \`${node.operator}\``, place)
  assignTo(node.argument, after, scope, evaluation, place)
  return node.prefix ? after : before
}

/** Passes values on to the loop over the generator. */
function runYield(node: YieldExpression, scope: Scope, evaluation: Evaluation, place: MdxPlace): Value {
  const onYield = readName(yieldName, functionScope(scope), evaluation, place)
  const value = node.argument ? evaluation.evaluate(node.argument, scope) : undefined
  if (!node.delegate) return evaluation.call(onYield, [value], place)
  if (isKind(value, 'generator')) value.run((item) => evaluation.call(onYield, [item], place))
  else for (const item of iterate(value, evaluation, place)) evaluation.call(onYield, [item], place)
  return undefined
}

/** `new Set(…)`, `new Map(…)`, `new Array(…)` and `new Error(…)`. */
function construct(node: NewExpression, scope: Scope, evaluation: Evaluation, place: MdxPlace): Value {
  const name = node.callee.type === 'Identifier' ? node.callee.name : ''
  if (name !== '' && !isKnownName(name, scope, evaluation)) throw new Unevaluable(`uses \`new ${name}\``, place)
  const callee = node.callee.type === 'Super' ? undefined : evaluation.evaluate(node.callee, scope)
  if (!isKind(callee, 'built-in') || callee.isConstructor !== true)
    throw new Unevaluable(name === '' ? 'uses `new`' : `uses \`new ${name}\``, place)
  return evaluation.call(callee, evaluateItems(node.arguments, scope, evaluation, place), place)
}

/** Converts JSX to an element. It is shown later, and only if the result contains it. */
function toElement(node: JSXElement | JSXFragment, scope: Scope, evaluation: Evaluation): ElementValue {
  const place = placeOf(node, scope.file)
  const children = node.children.flatMap((child): Value[] => childValues(child, scope, evaluation))
  const props = new Map<string, Value>()
  if (node.type === 'JSXElement') {
    for (const attribute of node.openingElement.attributes) readAttribute(attribute, props, scope, evaluation)
  }
  if (children.length > 0) props.set('children', children.length === 1 ? children[0] : toList(children))
  if (node.type === 'JSXFragment') return { kind: 'element', name: '', type: undefined, props, place }
  const name = toName(node.openingElement.name)
  return { kind: 'element', name, type: resolveType(name, scope, node), props, place }
}

function childValues(child: JSXElement['children'][number], scope: Scope, evaluation: Evaluation): Value[] {
  if (child.type === 'JSXText') {
    const text = trimLines(child.value)
    spend(evaluation.budget, 1 + Math.ceil(text.length / 16), placeOf(child, scope.file))
    return text === '' ? [] : [text]
  }
  if (child.type === 'JSXElement' || child.type === 'JSXFragment') return [evaluation.evaluate(child, scope)]
  if (child.expression.type === 'JSXEmptyExpression') return []
  const value = evaluation.evaluate(child.expression, scope)
  return [value]
}

function readAttribute(
  attribute: JSXAttribute | JSXSpreadAttribute,
  props: Map<string, Value>,
  scope: Scope,
  evaluation: Evaluation,
): void {
  if (attribute.type === 'JSXSpreadAttribute') {
    const spread = evaluation.evaluate(attribute.argument, scope)
    for (const [key, value] of listEntries(spread, evaluation, placeOf(attribute, scope.file))) props.set(key, value)
    return
  }
  const { name, value } = attribute
  const key = name.type === 'JSXIdentifier' ? name.name : `${name.namespace.name}:${name.name.name}`
  if (value === null) props.set(key, true)
  else if (value.type === 'Literal') props.set(key, String(value.value))
  else if (value.type === 'JSXElement' || value.type === 'JSXFragment') props.set(key, evaluation.evaluate(value, scope))
  else if (value.expression.type !== 'JSXEmptyExpression') props.set(key, evaluation.evaluate(value.expression, scope))
}

function toName(name: JSXElement['openingElement']['name']): string {
  if (name.type === 'JSXIdentifier') return name.name
  if (name.type === 'JSXMemberExpression') return `${toName(name.object)}.${name.property.name}`
  return `${name.namespace.name}:${name.name.name}`
}

/** Collapses line breaks in JSX text with their surrounding whitespace to one space, or to nothing at the ends. */
function trimLines(text: string): string {
  const lines = text.split(/\r?\n/)
  const trimmed = lines.map((line, index) => {
    const left = index === 0 ? line : line.trimStart()
    return index === lines.length - 1 ? left : left.trimEnd()
  })
  return trimmed.filter((line, index) => line !== '' || (lines.length === 1 && index === 0)).join(' ')
}
