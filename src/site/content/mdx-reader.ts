import GithubSlugger from 'github-slugger'
import type { Definition, FootnoteDefinition, Root, RootContent } from 'mdast'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import { type ParsedScript, parseScript } from '../../script/parse/parse-script.ts'
import { createEvaluation, createModule } from '../../script/run/read-modules.ts'
import { type MdxContent, type MdxNode, maxSiteSteps, type SiteBudget, toProps, type Value } from '../../script/values/values.ts'
import { convertMarkdocTags, listUnknownTags, markdownTooComplexHint } from '../../text/plain/scan-markdown.ts'
import { settleDrawings } from './allowed/svg-references.ts'
import { readPageModule } from './open-module.ts'
import { htmlToNodes, listHtml, showHtml } from './parse-html.ts'
import { type MdxFault, parseMarkdown } from './parse-markdown.ts'
import { type ParsedMdx, parseMarkdownFile, parseMdxFile } from './parsed-mdx.ts'
import { maxNodes, type PageRun, type Piece } from './piece.ts'
import { toNodes } from './to-nodes.ts'

export interface MdxReaderOptions {
  /** The docs directory, relative to the boundary. Imports must stay inside it. */
  readonly root: string
  /** Reads a file in the docs directory by its path relative to the boundary. Returns `undefined` if there is none. */
  readonly readFile: (path: string) => string | undefined
  /** Names of supported components. Others are reported, and only their children are shown. */
  readonly components: ReadonlySet<string>
  /** `variables` from docs.json: the values for `{{name}}`. */
  readonly variables: ReadonlyMap<string, string>
  /** Pages that are Markdown with HTML, as descriptions are, and not MDX. */
  readonly markdownPages?: ReadonlySet<string>
}

interface MdxPage extends MdxContent {
  readonly findings: readonly Finding[]
  /** Files that the page depends on, without the page itself. Sorted. */
  readonly uses: readonly string[]
}

export interface MdxReader {
  /**
   * Reads a page. `file` is relative to the boundary. Code is parsed but never run. Parts that require running code are omitted
   * and reported. Never throws.
   */
  readonly readPage: (file: string, text: string) => MdxPage
}

/** Creates a reader for the pages of a docs directory. Parsed snippets are cached. */
export function createMdxReader(options: MdxReaderOptions): MdxReader {
  const snippets = new Map<string, ParsedMdx | ParsedScript | undefined>()
  const site: SiteBudget = { steps: maxSiteSteps, isReported: false }
  return {
    readPage: (file, text) => {
      const findings: Finding[] = []
      const uses = new Set<string>()
      const readSnippet = (path: string): ParsedMdx | ParsedScript | undefined => {
        uses.add(path)
        if (!snippets.has(path)) {
          const snippet = options.readFile(path)
          snippets.set(path, snippet === undefined ? undefined : parseFile(path, snippet, options.variables))
        }
        return snippets.get(path)
      }
      const parsed = options.markdownPages?.has(file)
        ? parseMarkdownFile(file, text)
        : parseMdxFile(file, text, options.variables)
      const { components, root } = options
      const most = maxNodes(text.length)
      const report = reportOnce(findings)
      const { run, content } = interpret(parsed, { report, components, readSnippet, root, budget: { nodes: most } }, site)
      for (const one of [parsed, ...[...uses].flatMap((path) => snippets.get(path) ?? [])]) {
        if (one.kind === 'script') {
          if (one.fault) findings.push(toScriptFinding(one, one.fault))
          continue
        }
        // A `.md` file is not declared to be MDX, so it is read as Markdown without a diagnostic.
        if (one.fault && (one.fault.isTooComplex === 'rest' || !/\.md$/i.test(one.file)))
          findings.push(toSyntaxFinding(one, one.fault))
      }
      if (run.budget.nodes < 0) {
        const message = `The page has more than ${most.toLocaleString('en')} elements, and the rest is omitted`
        findings.push({ code: 'too-complex', message, file, pointer: '', offsets: { start: 0, end: 0 } })
      }
      return { ...content, findings, uses: [...uses].sort() }
    },
  }
}

function parseFile(path: string, text: string, variables: ReadonlyMap<string, string>): ParsedMdx | ParsedScript {
  return /\.[jt]sx?$/i.test(path) ? parseScript(path, text) : parseMdxFile(path, text, variables)
}

/** Adds each diagnostic once, although a snippet can be shown many times. Of equal unsupported elements in a file, only the first is reported. */
function reportOnce(findings: Finding[]): (finding: Finding) => void {
  const known = new Set<string>()
  return (finding) => {
    const start = finding.code === 'refused-html' ? '' : finding.offsets?.start
    const key = `${finding.code}\0${finding.file}\0${start}\0${finding.message}`
    if (!known.has(key)) findings.push(finding)
    known.add(key)
  }
}

/** Maximum number of cached descriptions. Many pages show the same ones. */
const maxCached = 20_000
const cachedTexts = new Map<string, ReadText>()

/** A Markdown text as nodes, and what of it is not shown. */
interface ReadText {
  readonly nodes: readonly MdxNode[]
  readonly refused: readonly Finding[]
}

/** Converts a Markdown text, such as a `description`, to nodes. {@link listRefusedParts} says what is left out. */
export function markdownToNodes(text: string): readonly MdxNode[] {
  if (isPlainSentence(text)) return [toParagraph(text)]
  return readText(text).nodes
}

/** Lists the HTML, the links and the tags of Markdoc of a Markdown text that are not shown. The findings have no file and no pointer. */
export function listRefusedParts(text: string): readonly Finding[] {
  const tags = listUnknownTags(text).map((name): Finding => {
    const message = `Unsupported tag \`{% ${name} %}\` of Markdoc: it is shown as text`
    return { code: 'refused-html', message, file: '', pointer: '', hint: 'Write Markdown, or `{% admonition %}` for a callout' }
  })
  return mayRefuse.test(text) ? [...tags, ...readText(text).refused] : tags
}

/** HTML, or a link but to a host or a place of the page, which are always shown. Most links are such links, so most texts are not read twice. */
const mayRefuse = /<|\](?:[:[]|\((?!(?:https?:\/\/\w|#)[^\s\\&()<]*\)))/

/** Whether a text means nothing in Markdown, as most descriptions of properties: one line of words, without characters of markup or URLs. */
export function isPlainSentence(text: string): boolean {
  return /^(?!.*(?:www\.|:\/\/|(?:mailto|xmpp):))\p{L}(?:[^\s[\]&<`*_#>|~\\@]| )*(?<! )$/iu.test(text)
}

function toParagraph(value: string): MdxNode {
  const place = { file: '', start: 0, end: 0 }
  return { kind: 'element', name: 'p', props: toProps([]), children: [{ kind: 'text', value }], place }
}

function readText(text: string): ReadText {
  const cached = cachedTexts.get(text)
  if (cached) return cached
  const read = parseText(convertMarkdocTags(text))
  if (text.length > 10_000) return read
  if (cachedTexts.size >= maxCached) cachedTexts.clear()
  cachedTexts.set(text, read)
  return read
}

function parseText(text: string): ReadText {
  const refused: Finding[] = []
  const parsed: ParsedMdx = { kind: 'mdx', file: '', root: parseMarkdown(text), frontmatter: {}, fault: undefined }
  const none = {
    report: reportOnce(refused),
    components: new Set<string>(),
    readSnippet: () => undefined,
    root: '',
    budget: { nodes: maxNodes(text.length) },
  }
  const { content } = interpret(parsed, none, { steps: 0, isReported: false })
  return { nodes: content.nodes, refused }
}

function interpret(
  parsed: ParsedMdx,
  around: Pick<PageRun, 'report' | 'components' | 'readSnippet' | 'root' | 'budget'>,
  site: SiteBudget,
): { run: PageRun; content: MdxContent } {
  const run: PageRun = {
    ...around,
    showSnippet,
    showHtml,
    evaluation: createEvaluation(site),
    modules: new Map(),
    slugger: new GithubSlugger(),
    headings: [],
    depth: 0,
  }
  const piece = readPiece(parsed, new Map(), run)
  const content = listHtml(parsed.root).length > 0 ? htmlToNodes(piece) : toNodes(piece)
  const nodes = run.budget.hasDrawings ? settleDrawings(content) : content
  return { run, content: { nodes, headings: run.headings } }
}

function toScriptFinding({ file }: ParsedScript, { message, start }: { message: string; start: number }): Finding {
  return {
    code: 'page-syntax',
    message: `Cannot read the snippet: ${message}`,
    file,
    pointer: '',
    offsets: { start, end: start + 1 },
    hint: 'Correct the JavaScript. Until then, its components show only their content',
  }
}

function toSyntaxFinding({ file }: ParsedMdx, { message, start, isTooComplex }: MdxFault): Finding {
  const offsets = { start, end: start + 1 }
  if (isTooComplex === 'rest')
    return { code: 'markdown-too-complex', message, file, pointer: '', offsets, hint: markdownTooComplexHint }
  if (isTooComplex) return { code: 'too-complex', message, file, pointer: '', offsets, hint: 'Split the page' }
  return {
    code: 'page-syntax',
    message: `Cannot read the MDX: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
    file,
    pointer: '',
    offsets,
    hint: 'Write `\\{` and `&lt;` for literal braces and brackets. Until then, the page is shown as Markdown',
  }
}

/** Shows a Markdown snippet. Its props are names in its scope. */
function showSnippet(snippet: ParsedMdx, props: ReadonlyMap<string, Value>, run: PageRun): readonly MdxNode[] {
  return toNodes(readPiece(snippet, props, run))
}

/** Prepares a page, or a snippet with its props, to be shown. */
function readPiece(parsed: ParsedMdx, props: ReadonlyMap<string, Value>, run: PageRun): Piece {
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
