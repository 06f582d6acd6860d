import GithubSlugger from 'github-slugger'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import { findMarkdownCut, markdownTooComplexHint } from '../../source/markdown-budget.ts'
import { toProps } from './mdx-values.ts'
import { hasHtml, htmlToNodes } from './parse-html.ts'
import { type MdxFault, parseMarkdown, splitPlainText } from './parse-markdown.ts'
import { type ParsedMdx, parseMdxFile } from './parsed-mdx.ts'
import { maxNodes, type PageRun } from './piece.ts'
import { fillComponent, readModule } from './snippets.ts'
import { toNodes } from './to-nodes.ts'
import type { MdxContent, MdxNode } from './types.ts'

export interface MdxReaderOptions {
  /** The docs root, relative to the boundary; imports stay inside it. */
  readonly root: string
  /** The text of a file inside the docs root by its path relative to the boundary; absent where there is none. */
  readonly readFile: (path: string) => string | undefined
  /** Names of components that the site has; others show what is inside them, with a finding. */
  readonly components: ReadonlySet<string>
  /** `variables` of docs.json: texts that `{{name}}` stands for. */
  readonly variables: ReadonlyMap<string, string>
}

interface MdxPage extends MdxContent {
  readonly findings: readonly Finding[]
  /** Files that the page uses, itself not included: it changes with them. Sorted. */
  readonly uses: readonly string[]
}

export interface MdxReader {
  /**
   * Reads a page: `file` is relative to the boundary. Its code is parsed and never run; what only running it could tell is left out with a
   * finding. Never throws.
   */
  readonly readPage: (file: string, text: string) => MdxPage
}

/** Makes the reader of a docs root's pages. It keeps parsed snippets, so that a snippet of a thousand pages is parsed once. */
export function createMdxReader(options: MdxReaderOptions): MdxReader {
  const snippets = new Map<string, ParsedMdx | undefined>()
  return {
    readPage: (file, text) => {
      const findings: Finding[] = []
      const uses = new Set<string>()
      const readSnippet = (path: string): ParsedMdx | undefined => {
        uses.add(path)
        if (!snippets.has(path)) {
          const snippet = options.readFile(path)
          snippets.set(path, snippet === undefined ? undefined : parseMdxFile(path, snippet, options.variables))
        }
        return snippets.get(path)
      }
      const parsed = parseMdxFile(file, text, options.variables)
      const { components, root } = options
      const { run, content } = interpret(parsed, { report: (finding) => findings.push(finding), components, readSnippet, root })
      for (const one of [parsed, ...[...uses].flatMap((path) => snippets.get(path) ?? [])]) {
        // A `.md` never said that it is MDX: read as Markdown it is what its author meant.
        if (one.fault && (one.fault.isTooComplex === 'rest' || !/\.md$/i.test(one.file)))
          findings.push(toSyntaxFinding(one, one.fault))
      }
      if (run.budget.nodes < 0) {
        const message = `The page has more than ${maxNodes.toLocaleString('en')} elements; the rest is left out`
        findings.push({ code: 'too-complex', message, file, pointer: '', offsets: { start: 0, end: 0 } })
      }
      return { ...content, findings, uses: [...uses].sort() }
    },
  }
}

/** Descriptions whose nodes are kept: the same stand on many pages. */
const maxKept = 20_000
const kept = new Map<string, readonly MdxNode[]>()

/** The nodes of a Markdown text, such as a `description`: HTML in it is shown as far as it is allowed; nothing is reported. */
export function markdownToNodes(text: string): readonly MdxNode[] {
  return keep(text, () => readUpToCut(text) ?? parseText(text))
}

function keep(text: string, read: () => readonly MdxNode[]): readonly MdxNode[] {
  const known = kept.get(text)
  if (known) return known
  const nodes = read()
  if (text.length > 10_000) return nodes
  if (kept.size >= maxKept) kept.clear()
  kept.set(text, nodes)
  return nodes
}

/** The text up to where it takes too much work, and the rest as paragraphs of plain text. The check of a description reports it. */
function readUpToCut(text: string): readonly MdxNode[] | undefined {
  const cut = findMarkdownCut(text)
  if (cut === undefined) return undefined
  const rest = splitPlainText(text.slice(cut)).map(
    (value): MdxNode => ({
      kind: 'element',
      name: 'p',
      props: toProps([]),
      children: [{ kind: 'text', value }],
      place: { file: '', start: 0, end: 0 },
    }),
  )
  return [...(cut === 0 ? [] : parseText(text.slice(0, cut))), ...rest]
}

function parseText(text: string): readonly MdxNode[] {
  const parsed: ParsedMdx = { file: '', root: parseMarkdown(text), frontmatter: {}, fault: undefined }
  const none = { report: () => {}, components: new Set<string>(), readSnippet: () => undefined, root: '' }
  return interpret(parsed, none).content.nodes
}

function interpret(
  parsed: ParsedMdx,
  around: Pick<PageRun, 'report' | 'components' | 'readSnippet' | 'root'>,
): { run: PageRun; content: MdxContent } {
  const run: PageRun = { ...around, fillComponent, slugger: new GithubSlugger(), headings: [], budget: { nodes: maxNodes } }
  const piece = readModule({ run, parsed, scope: new Map(), depth: 0 })
  const nodes = hasHtml(parsed.root) ? htmlToNodes(piece) : toNodes(piece)
  return { run, content: { nodes, headings: run.headings } }
}

function toSyntaxFinding({ file }: ParsedMdx, { message, start, isTooComplex }: MdxFault): Finding {
  const offsets = { start, end: start + 1 }
  if (isTooComplex === 'rest')
    return { code: 'markdown-too-complex', message, file, pointer: '', offsets, hint: markdownTooComplexHint }
  if (isTooComplex) return { code: 'too-complex', message, file, pointer: '', offsets, hint: 'make several pages of it' }
  return {
    code: 'page-syntax',
    message: `Cannot read the MDX: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
    file,
    pointer: '',
    offsets,
    hint: 'the page is shown as Markdown; write `\\{` and `&lt;` for a brace or a bracket that is text',
  }
}
