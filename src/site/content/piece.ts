import type { Function as FunctionNode } from 'estree-jsx'
import type GithubSlugger from 'github-slugger'
import type { Definition, FootnoteDefinition } from 'mdast'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { ParsedMdx } from './parsed-mdx.ts'
import type { MdxHeading, MdxNode, MdxPlace, MdxProps, MdxValue } from './types.ts'

/** A page being interpreted, with all its snippets. */
export interface PageRun {
  readonly report: (finding: Finding) => void
  readonly slugger: GithubSlugger
  readonly headings: MdxHeading[]
  /** Names of supported components. */
  readonly components: ReadonlySet<string>
  /** Returns a parsed snippet by its path relative to the boundary, if it exists. */
  readonly readSnippet: (path: string) => ParsedMdx | undefined
  /** Expands a snippet or a component defined in a page. Passed in to avoid a circular import. */
  readonly fillComponent: (
    entry: Extract<ScopeEntry, { kind: 'snippet' | 'function' }>,
    element: RawElement,
    piece: Piece,
  ) => readonly MdxNode[]
  /** The docs directory, relative to the boundary. */
  readonly root: string
  /** Remaining nodes for the page, since nested snippets can grow exponentially. */
  readonly budget: { nodes: number }
}

/** A file, or a component in a file, with the names in its scope. */
export interface Piece {
  readonly run: PageRun
  readonly parsed: ParsedMdx
  readonly scope: Scope
  /** Number of enclosing snippets and components. */
  readonly depth: number
  readonly definitions: ReadonlyMap<string, Definition>
  readonly footnotes: ReadonlyMap<string, FootnoteDefinition>
}

/** A JSX or HTML element before its name is resolved. */
export interface RawElement {
  readonly name: string
  readonly props: MdxProps
  /** Evaluated only if they are shown. The content of a `<script>` is skipped. */
  readonly children: () => readonly MdxNode[]
  readonly place: MdxPlace
}

/** Maximum nesting of snippets and components. */
export const maxDepth = 30
/** Maximum number of nodes in a page. */
export const maxNodes = 200_000

/** Returns the location of a node in its file. */
export function toPlace(
  piece: Piece,
  node: {
    readonly position?:
      | { readonly start: { readonly offset?: number | undefined }; readonly end: { readonly offset?: number | undefined } }
      | undefined
  },
): MdxPlace {
  return { file: piece.parsed.file, start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 }
}

/** Reports a problem at a location in the page. */
export function reportAt(run: PageRun, place: MdxPlace, finding: Pick<Finding, 'code' | 'message' | 'hint'>): void {
  run.report({ ...finding, file: place.file, pointer: '', offsets: { start: place.start, end: place.end } })
}

/** The names in scope: imports, exported constants, props, frontmatter. */
export type Scope = ReadonlyMap<string, ScopeEntry>

export type ScopeEntry =
  | { readonly kind: 'value'; readonly value: MdxValue }
  /** A snippet used as a component: `import Note from '/snippets/note.mdx'`. */
  | { readonly kind: 'snippet'; readonly snippet: ParsedMdx }
  /** `export const Price = ({ amount }) => <b>{amount}</b>`: expanded with its props, not run. */
  | { readonly kind: 'function'; readonly node: FunctionNode; readonly scope: Scope; readonly parsed: ParsedMdx }
  /** A value that requires running code, or does not exist. */
  | { readonly kind: 'unavailable'; readonly from: string }
