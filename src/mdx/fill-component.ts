import type { Expression, Function as FunctionNode, Pattern } from 'estree-jsx'
import { evaluate } from './evaluate.ts'
import { jsxToNodes } from './jsx-to-nodes.ts'
import { maxDepth, type Piece, reportAt } from './piece.ts'
import { readModule } from './read-module.ts'
import type { Scope, ScopeEntry } from './scope.ts'
import type { RawElement } from './to-element.ts'
import { toNodes } from './to-nodes.ts'
import type { MdxFragment, MdxNode, MdxValue } from './types.ts'

/** What a snippet, or a component written in a page, shows with the props it is given. */
export function fillComponent(
  entry: Extract<ScopeEntry, { kind: 'snippet' | 'function' }>,
  { name, props, children, place }: RawElement,
  piece: Piece,
): readonly MdxNode[] {
  if (piece.depth >= maxDepth) {
    const message = `Cannot show \`<${name}>\`: snippets stand in each other ${maxDepth} levels deep`
    reportAt(piece.run, place, { code: 'too-complex', message, hint: 'a snippet that imports itself never ends' })
    return []
  }
  const fragment: MdxFragment = { kind: 'fragment', children: children() }
  const given = new Map<string, MdxValue>([...Object.entries(props), ['children', fragment]])
  const depth = piece.depth + 1
  if (entry.kind === 'snippet') {
    const values: Scope = new Map([...given].map(([key, value]) => [key, { kind: 'value', value }]))
    const all: ScopeEntry = { kind: 'value', value: toObject(given) }
    return toNodes(readModule({ run: piece.run, parsed: entry.snippet, scope: new Map([...values, ['props', all]]), depth }))
  }
  const body = toBody(entry.node)
  const inner: Piece = { ...piece, parsed: entry.parsed, scope: bindParameters(entry.node.params[0], given, entry.scope), depth }
  const value = body && evaluate(body, { scope: inner.scope, toNodes: (jsx) => jsxToNodes(jsx, inner) })
  if (value === undefined) {
    const message = `Cannot show \`<${name}>\`: it needs to run code, which a page may not`
    reportAt(piece.run, place, {
      code: 'unread-expression',
      message,
      hint: 'a component may return JSX and use its props, and nothing else',
    })
    return fragment.children
  }
  return valueToNodes(value)
}

/** What a value shows where it stands between elements; as in JSX, `true`, `false` and `null` show nothing. */
export function valueToNodes(value: MdxValue): readonly MdxNode[] {
  if (value === null || typeof value === 'boolean') return []
  if (typeof value !== 'object') return [{ kind: 'text', value: String(value) }]
  if (value.kind === 'list') return value.items.flatMap(valueToNodes)
  return value.kind === 'fragment' ? value.children : []
}

function toObject(given: ReadonlyMap<string, MdxValue>): MdxValue {
  const entries: Record<string, MdxValue> = Object.create(null)
  for (const [name, value] of given) entries[name] = value
  return { kind: 'object', entries }
}

/** The one expression that a component returns. */
function toBody(node: FunctionNode): Expression | undefined {
  if (node.body.type !== 'BlockStatement') return node.body
  const [statement, ...rest] = node.body.body
  return rest.length === 0 && statement?.type === 'ReturnStatement' ? (statement.argument ?? undefined) : undefined
}

/** `({ title, kind = 'x' }) => …` or `(props) => …`. */
function bindParameters(pattern: Pattern | undefined, given: ReadonlyMap<string, MdxValue>, outer: Scope): Scope {
  const scope = new Map(outer)
  if (pattern?.type === 'Identifier') scope.set(pattern.name, { kind: 'value', value: toObject(given) })
  if (pattern?.type !== 'ObjectPattern') return scope
  for (const property of pattern.properties) {
    if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
    const { value: target } = property
    const local = target.type === 'AssignmentPattern' ? target.left : target
    if (local.type !== 'Identifier') continue
    const fallback = target.type === 'AssignmentPattern' ? evaluate(target.right, { scope: outer, toNodes: () => [] }) : null
    scope.set(local.name, { kind: 'value', value: given.get(property.key.name) ?? fallback ?? null })
  }
  return scope
}
