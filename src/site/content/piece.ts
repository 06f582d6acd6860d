import type GithubSlugger from 'github-slugger'
import type { Definition, FootnoteDefinition } from 'mdast'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { ParsedScript } from '../../script/parse/parse-script.ts'
import type { EvaluatedModule } from '../../script/run/read-modules.ts'
import type { Evaluation, MdxHeading, MdxNode, MdxPlace, MdxProps, Scope, Value } from '../../script/values/values.ts'
import type { ParsedMdx } from './parsed-mdx.ts'

/** A page being interpreted, with all its snippets. */
export interface PageRun {
  readonly report: (finding: Finding) => void
  readonly slugger: GithubSlugger
  readonly headings: MdxHeading[]
  /** Names of supported components. */
  readonly components: ReadonlySet<string>
  /** Returns a parsed snippet by its path relative to the boundary, if it exists. */
  readonly readSnippet: (path: string) => ParsedMdx | ParsedScript | undefined
  /** Shows a Markdown snippet with its props. Passed in to avoid a circular import. */
  readonly showSnippet: (snippet: ParsedMdx, props: ReadonlyMap<string, Value>, run: PageRun) => readonly MdxNode[]
  /** Shows the allowed part of an HTML text. Passed in to avoid a circular import. */
  readonly showHtml: (html: string, place: MdxPlace, run: PageRun) => readonly MdxNode[]
  /** Evaluates the expressions of the page. */
  readonly evaluation: Evaluation
  /** Modules of the page by their path. */
  readonly modules: Map<string, EvaluatedModule>
  /** The docs directory, relative to the boundary. */
  readonly root: string
  /** Remaining nodes for the page, since nested snippets can grow exponentially. */
  readonly budget: { nodes: number; hasDrawings?: boolean }
  /** Number of components being shown around the current one. */
  depth: number
}

/** A file, or a component in a file, with the names in its scope. */
export interface Piece {
  readonly run: PageRun
  readonly parsed: ParsedMdx
  readonly scope: Scope
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
/** Maximum number of nodes in a page with a text of some length: long pages need more, and snippets must not grow exponentially. */
export function maxNodes(length: number): number {
  return Math.max(200_000, Math.ceil(length / 4))
}

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
