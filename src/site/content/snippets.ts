import type {
  Directive,
  Expression,
  Function as FunctionNode,
  ImportDeclaration,
  ModuleDeclaration,
  Pattern,
  Program,
  Statement,
  VariableDeclaration,
} from 'estree-jsx'
import type { Definition, FootnoteDefinition, Root, RootContent } from 'mdast'
import { joinPath, normalizePath, parentPath } from '../../source/relative-path.ts'
import { evaluate, toValue, valueToNodes } from './mdx-values.ts'
import type { ParsedMdx } from './parsed-mdx.ts'
import { maxDepth, type PageRun, type Piece, type RawElement, reportAt, type Scope, type ScopeEntry, toPlace } from './piece.ts'
import { jsxToNodes, toNodes } from './to-nodes.ts'
import type { MdxFragment, MdxNode, MdxPlace, MdxValue } from './types.ts'

/** Expands a snippet, or a component defined in a page, with the given props. */
export function fillComponent(
  entry: Extract<ScopeEntry, { kind: 'snippet' | 'function' }>,
  { name, props, children, place }: RawElement,
  piece: Piece,
): readonly MdxNode[] {
  if (piece.depth >= maxDepth) {
    const message = `Cannot show \`<${name}>\`: snippets are nested more than ${maxDepth} levels deep`
    reportAt(piece.run, place, { code: 'too-complex', message, hint: 'Check for a snippet that imports itself' })
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
    const message = `Cannot show \`<${name}>\`: it requires running code`
    reportAt(piece.run, place, {
      code: 'unread-expression',
      message,
      hint: 'Return only JSX, and use only props',
    })
    return fragment.children
  }
  return valueToNodes(value)
}

function toObject(given: ReadonlyMap<string, MdxValue>): MdxValue {
  const entries: Record<string, MdxValue> = Object.create(null)
  for (const [name, value] of given) entries[name] = value
  return { kind: 'object', entries }
}

/** Returns the single expression that a component returns. */
function toBody(node: FunctionNode): Expression | undefined {
  if (node.body.type !== 'BlockStatement') return node.body
  const [statement, ...rest] = node.body.body
  return rest.length === 0 && statement?.type === 'ReturnStatement' ? (statement.argument ?? undefined) : undefined
}

/** Binds `({ title, kind = 'x' }) => …` or `(props) => …`. */
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

/** The input for reading a file: a page, or a snippet with its props in `scope`. */
interface ModuleInput {
  readonly run: PageRun
  readonly parsed: ParsedMdx
  readonly scope: Scope
  readonly depth: number
}

/** Reads the imports and exports of a file into a scope. Later names override earlier ones and props. */
export function readModule({ run, parsed, scope: given, depth }: ModuleInput): Piece {
  const scope = new Map<string, ScopeEntry>([['frontmatter', { kind: 'value', value: toValue(parsed.frontmatter) }], ...given])
  const definitions = new Map<string, Definition>()
  const footnotes = new Map<string, FootnoteDefinition>()
  const piece: Piece = { run, parsed, scope, depth, definitions, footnotes }
  collectDefinitions(parsed.root, definitions, footnotes)
  for (const node of parsed.root.children) {
    if (node.type !== 'mdxjsEsm') continue
    const program = node.data?.estree
    for (const statement of program?.body ?? []) readStatement(statement, node, piece, scope)
  }
  return piece
}

function collectDefinitions(
  node: Root | RootContent,
  definitions: Map<string, Definition>,
  footnotes: Map<string, FootnoteDefinition>,
): void {
  if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node)
  if (node.type === 'footnoteDefinition' && !footnotes.has(node.identifier)) footnotes.set(node.identifier, node)
  if ('children' in node) for (const child of node.children) collectDefinitions(child, definitions, footnotes)
}

type ProgramStatement = Program['body'][number] & (Directive | Statement | ModuleDeclaration)

function readStatement(statement: ProgramStatement, node: RootContent, piece: Piece, scope: Map<string, ScopeEntry>): void {
  if (statement.type === 'ImportDeclaration') readImport(statement, node, piece, scope)
  else if (statement.type === 'ExportNamedDeclaration' && statement.declaration) {
    if (statement.declaration.type === 'VariableDeclaration') readConstants(statement.declaration, piece, scope)
    else if (statement.declaration.type === 'FunctionDeclaration') {
      scope.set(statement.declaration.id.name, { kind: 'function', node: statement.declaration, scope, parsed: piece.parsed })
    }
  }
}

/** Reads `export const x = <value>` and components. Values that cannot be evaluated are reported where they are used. */
function readConstants(declaration: VariableDeclaration, piece: Piece, scope: Map<string, ScopeEntry>): void {
  for (const { id, init } of declaration.declarations) {
    if (id.type !== 'Identifier' || !init) continue
    if (init.type === 'ArrowFunctionExpression' || init.type === 'FunctionExpression') {
      scope.set(id.name, { kind: 'function', node: init, scope, parsed: piece.parsed })
      continue
    }
    const value = evaluate(init, { scope, toNodes: (jsx) => jsxToNodes(jsx, piece) })
    scope.set(id.name, value === undefined ? { kind: 'unavailable', from: 'an expression' } : { kind: 'value', value })
  }
}

function readImport(statement: ImportDeclaration, node: RootContent, piece: Piece, scope: Map<string, ScopeEntry>): void {
  const from = String(statement.source.value)
  // The page has one node for several imports.
  const [start, end] = statement.range ?? []
  const place = start === undefined || end === undefined ? toPlace(piece, node) : { file: piece.parsed.file, start, end }
  const snippet = findSnippet(from, place, piece)
  const exported =
    snippet && statement.specifiers.some(({ type }) => type !== 'ImportDefaultSpecifier')
      ? readExports(snippet, piece)
      : undefined
  for (const specifier of statement.specifiers) {
    const local = specifier.local.name
    if (snippet === undefined) scope.set(local, { kind: 'unavailable', from })
    else if (specifier.type === 'ImportDefaultSpecifier') scope.set(local, { kind: 'snippet', snippet })
    else if (specifier.type === 'ImportSpecifier') {
      const name = specifier.imported.type === 'Identifier' ? specifier.imported.name : String(specifier.imported.value)
      scope.set(local, exported?.get(name) ?? { kind: 'unavailable', from })
    }
  }
}

function readExports(snippet: ParsedMdx, { run, depth }: Piece): Scope {
  return depth >= maxDepth ? new Map() : readModule({ run, parsed: snippet, scope: new Map(), depth: depth + 1 }).scope
}

/**
 * Finds an imported snippet. Only MDX and Markdown files in the docs directory are supported. Other imports are reported and
 * ignored.
 */
function findSnippet(from: string, place: MdxPlace, piece: Piece): ParsedMdx | undefined {
  const { run, parsed } = piece
  const isPath = /^\.{0,2}\//.test(from)
  if (!isPath || !/\.mdx?$/i.test(from)) {
    // Many pages import React out of habit, which can safely be ignored.
    if (from !== 'react')
      reportAt(run, place, {
        code: 'unread-import',
        message: `Cannot use \`${from}\`: it would require running code`,
        hint: snippetHint,
      })
    return undefined
  }
  const path = normalizePath(joinPath(from.startsWith('/') ? run.root : parentPath(parsed.file), from.replace(/^\/+/, '')))
  const isInside = run.root === '' ? !path.startsWith('..') : path.startsWith(`${run.root}/`)
  const snippet = isInside ? run.readSnippet(path) : undefined
  if (snippet === undefined) {
    const message = isInside ? `Cannot find \`${from}\`` : `Cannot use \`${from}\`: it is outside the docs directory`
    reportAt(run, place, { code: 'unread-import', message, hint: snippetHint })
  }
  return snippet
}

const snippetHint = 'Import only `.mdx` and `.md` files from the docs directory'
