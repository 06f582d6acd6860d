import type { Definition, FootnoteDefinition, Root, RootContent } from 'mdast'
import { createModule } from '../../script/run/read-modules.ts'
import type { MdxNode, Value } from '../../script/values/values.ts'
import { readPageModule } from './open-module.ts'
import type { ParsedMdx } from './parsed-mdx.ts'
import type { PageRun, Piece } from './piece.ts'
import { toNodes } from './to-nodes.ts'

/** Shows a Markdown snippet. Its props are names in its scope. */
export function showSnippet(snippet: ParsedMdx, props: ReadonlyMap<string, Value>, run: PageRun): readonly MdxNode[] {
  return toNodes(readPiece(snippet, props, run))
}

/** Prepares a page, or a snippet with its props, to be shown. */
export function readPiece(parsed: ParsedMdx, props: ReadonlyMap<string, Value>, run: PageRun): Piece {
  const module = createModule(parsed.file)
  readPageModule(parsed, props, module, run)
  const definitions = new Map<string, Definition>()
  const footnotes = new Map<string, FootnoteDefinition>()
  collectDefinitions(parsed.root, definitions, footnotes)
  return { run, parsed, scope: module.scope, definitions, footnotes }
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
