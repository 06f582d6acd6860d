import type { JSXAttribute, JSXElement, JSXFragment, JSXSpreadAttribute } from 'estree-jsx'
import { evaluate } from './evaluate.ts'
import { valueToNodes } from './fill-component.ts'
import { type Piece, reportAt } from './piece.ts'
import { toElement } from './to-element.ts'
import { toProps } from './to-value.ts'
import type { MdxNode, MdxPlace, MdxValue } from './types.ts'

/** The nodes of JSX inside an expression; that between Markdown is parsed as part of it, see `to-nodes.ts`. */
export function jsxToNodes(node: JSXElement | JSXFragment, piece: Piece): readonly MdxNode[] {
  const children = () => node.children.flatMap((child) => childToNodes(child, piece))
  if (node.type === 'JSXFragment') return children()
  const { name, attributes } = node.openingElement
  const place = placeOf(node, piece)
  return toElement({ name: toName(name), props: readAttributes(attributes, piece), children, place }, piece)
}

function childToNodes(child: JSXElement['children'][number], piece: Piece): readonly MdxNode[] {
  if (child.type === 'JSXText') {
    const value = trimLines(child.value)
    return value === '' ? [] : [{ kind: 'text', value }]
  }
  if (child.type === 'JSXElement' || child.type === 'JSXFragment') return jsxToNodes(child, piece)
  if (child.type === 'JSXSpreadChild' || child.expression.type === 'JSXEmptyExpression') return []
  const value = evaluate(child.expression, { scope: piece.scope, toNodes: (jsx) => jsxToNodes(jsx, piece) })
  if (value !== undefined) return valueToNodes(value)
  reportAt(piece.run, placeOf(child, piece), unreadExpression)
  return []
}

/** What is said of an expression that only running code could tell. */
export const unreadExpression = {
  code: 'unread-expression',
  message: 'Cannot tell what this expression stands for without running code; nothing is shown for it',
  hint: 'pages may use literals, exported constants, props, frontmatter and JSX',
} as const

function readAttributes(attributes: readonly (JSXAttribute | JSXSpreadAttribute)[], piece: Piece) {
  const props: [string, MdxValue][] = []
  for (const attribute of attributes) {
    if (attribute.type === 'JSXSpreadAttribute') {
      reportAt(piece.run, placeOf(attribute, piece), unreadExpression)
      continue
    }
    const { name, value } = attribute
    const key = name.type === 'JSXIdentifier' ? name.name : `${name.namespace.name}:${name.name.name}`
    if (value === null) props.push([key, true])
    else if (value.type === 'Literal') props.push([key, String(value.value)])
    else if (value.type === 'JSXElement' || value.type === 'JSXFragment')
      props.push([key, { kind: 'fragment', children: jsxToNodes(value, piece) }])
    else if (value.expression.type !== 'JSXEmptyExpression') {
      const evaluated = evaluate(value.expression, { scope: piece.scope, toNodes: (jsx) => jsxToNodes(jsx, piece) })
      if (evaluated === undefined) reportAt(piece.run, placeOf(attribute, piece), unreadExpression)
      else props.push([key, evaluated])
    }
  }
  return toProps(props)
}

function toName(name: JSXElement['openingElement']['name']): string {
  if (name.type === 'JSXIdentifier') return name.name
  if (name.type === 'JSXMemberExpression') return `${toName(name.object)}.${name.property.name}`
  return `${name.namespace.name}:${name.name.name}`
}

/** `acorn` gives offsets in the text of the file. */
function placeOf(node: object, piece: Piece): MdxPlace {
  const start = 'start' in node && typeof node.start === 'number' ? node.start : 0
  const end = 'end' in node && typeof node.end === 'number' ? node.end : start
  return { file: piece.parsed.file, start, end }
}

/** Line breaks in the text of JSX, with the blanks around them, are one blank between words and nothing at the ends. */
function trimLines(text: string): string {
  const lines = text.split(/\r?\n/)
  const trimmed = lines.map((line, index) => {
    const left = index === 0 ? line : line.trimStart()
    return index === lines.length - 1 ? left : left.trimEnd()
  })
  return trimmed.filter((line, index) => line !== '' || (lines.length === 1 && index === 0)).join(' ')
}
