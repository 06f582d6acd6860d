import type { JSXAttribute, JSXElement, JSXFragment, JSXSpreadAttribute } from 'estree-jsx'
import { listEntries } from '../values/operators.ts'
import { type ElementValue, type Evaluation, placeOf, type Scope, spend, toList, type Value } from '../values/values.ts'
import { resolveType } from './names.ts'

/** Converts JSX to an element. It is shown later, and only if the result contains it. */
export function toElement(node: JSXElement | JSXFragment, scope: Scope, evaluation: Evaluation): ElementValue {
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
