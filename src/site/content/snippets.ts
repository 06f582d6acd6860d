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

/** What is needed to read a file: a page, or a snippet with its props in `scope`. */
interface ModuleInput {
  readonly run: PageRun
  readonly parsed: ParsedMdx
  readonly scope: Scope
  readonly depth: number
}

/** Reads the imports and exports of a file, so that its names can be looked up. Later names win over earlier ones and over props. */
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

/** `export const x = <value>`, and components. What cannot be told is reported where it is used. */
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
  // Several imports are one node of the page.
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

/** Only MDX and Markdown inside the docs root can be shown; what would have to run is named and left out. */
function findSnippet(from: string, place: MdxPlace, piece: Piece): ParsedMdx | undefined {
  const { run, parsed } = piece
  const isPath = /^\.{0,2}\//.test(from)
  if (!isPath || !/\.mdx?$/i.test(from)) {
    // A page often imports React out of habit; nothing is missing without it.
    if (from !== 'react')
      reportAt(run, place, {
        code: 'unread-import',
        message: `Cannot use \`${from}\`: it would have to be run`,
        hint: snippetHint,
      })
    return undefined
  }
  const path = normalizePath(joinPath(from.startsWith('/') ? run.root : parentPath(parsed.file), from.replace(/^\/+/, '')))
  const isInside = run.root === '' ? !path.startsWith('..') : path.startsWith(`${run.root}/`)
  const snippet = isInside ? run.readSnippet(path) : undefined
  if (snippet === undefined) {
    const message = isInside ? `Cannot find \`${from}\`` : `Cannot use \`${from}\`: it leads out of the docs root`
    reportAt(run, place, { code: 'unread-import', message, hint: snippetHint })
  }
  return snippet
}

const snippetHint = 'a page can import `.mdx` and `.md` files of the docs root'
