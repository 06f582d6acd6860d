import type { Function as FunctionNode } from 'estree-jsx'
import type GithubSlugger from 'github-slugger'
import type { Definition, FootnoteDefinition } from 'mdast'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { ParsedMdx } from './parsed-mdx.ts'
import type { MdxHeading, MdxNode, MdxPlace, MdxProps, MdxValue } from './types.ts'

/** One page that is being interpreted, with all snippets it uses. */
export interface PageRun {
  readonly report: (finding: Finding) => void
  readonly slugger: GithubSlugger
  readonly headings: MdxHeading[]
  /** Names of components that the site has. */
  readonly components: ReadonlySet<string>
  /** The parsed snippet of a path relative to the boundary; absent where there is none. */
  readonly readSnippet: (path: string) => ParsedMdx | undefined
  /** What a snippet, or a component written in a page, shows with the props it is given; passed in, as it contains elements again. */
  readonly fillComponent: (
    entry: Extract<ScopeEntry, { kind: 'snippet' | 'function' }>,
    element: RawElement,
    piece: Piece,
  ) => readonly MdxNode[]
  /** The docs root, relative to the boundary. */
  readonly root: string
  /** How many more nodes the page may have: snippets that use snippets grow without bound. */
  readonly budget: { nodes: number }
}

/** A file, or a component of a file, with the names it can use. */
export interface Piece {
  readonly run: PageRun
  readonly parsed: ParsedMdx
  readonly scope: Scope
  /** How many snippets and components are around it. */
  readonly depth: number
  readonly definitions: ReadonlyMap<string, Definition>
  readonly footnotes: ReadonlyMap<string, FootnoteDefinition>
}

/** An element of JSX or HTML before its name is looked up. */
export interface RawElement {
  readonly name: string
  readonly props: MdxProps
  /** Read only where they are shown: the inside of a `<script>` is skipped. */
  readonly children: () => readonly MdxNode[]
  readonly place: MdxPlace
}

/** Deepest nesting of snippets and components in each other. */
export const maxDepth = 30
/** Nodes of one page. */
export const maxNodes = 200_000

/** Where a node of the tree stands in its file. */
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

/** Reports something at a place of the page. */
export function reportAt(run: PageRun, place: MdxPlace, finding: Pick<Finding, 'code' | 'message' | 'hint'>): void {
  run.report({ ...finding, file: place.file, pointer: '', offsets: { start: place.start, end: place.end } })
}

/** What the names in a piece of MDX stand for: imports, exported constants, props, frontmatter. */
export type Scope = ReadonlyMap<string, ScopeEntry>

export type ScopeEntry =
  | { readonly kind: 'value'; readonly value: MdxValue }
  /** A snippet that is used as a component: `import Note from '/snippets/note.mdx'`. */
  | { readonly kind: 'snippet'; readonly snippet: ParsedMdx }
  /** `export const Price = ({ amount }) => <b>{amount}</b>`: filled in with its props, not run. */
  | { readonly kind: 'function'; readonly node: FunctionNode; readonly scope: Scope; readonly parsed: ParsedMdx }
  /** Something that only running code could give, or that is not there. */
  | { readonly kind: 'unavailable'; readonly from: string }
