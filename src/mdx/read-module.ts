import type { Directive, ImportDeclaration, ModuleDeclaration, Program, Statement, VariableDeclaration } from 'estree-jsx'
import type { Definition, FootnoteDefinition, Root, RootContent } from 'mdast'
import { joinPath, normalizePath, parentPath } from '../text/relative-path.ts'
import { evaluate } from './evaluate.ts'
import { jsxToNodes } from './jsx-to-nodes.ts'
import type { ParsedMdx } from './parsed-mdx.ts'
import { maxDepth, type PageRun, type Piece, reportAt, toPlace } from './piece.ts'
import type { Scope, ScopeEntry } from './scope.ts'
import { toValue } from './to-value.ts'
import type { MdxPlace } from './types.ts'

/** What is needed to read a file: a page, or a snippet with its props in `scope`. */
export interface ModuleInput {
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
