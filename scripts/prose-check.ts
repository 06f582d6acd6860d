import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toNlcst } from 'mdast-util-to-nlcst'
import { gfm } from 'micromark-extension-gfm'
import type { Sentence } from 'nlcst'
import { toString as toText } from 'nlcst-to-string'
import { parseSync } from 'oxc-parser'
import { ParseEnglish } from 'parse-english'
import { visit } from 'unist-util-visit'
import { VFile } from 'vfile'
import { toLineStarts, toPosition } from '../src/source/position.ts'
import { longestSentence, terms } from './prose-rules.ts'

/** One remark of the prose check. */
export interface ProseProblem {
  readonly path: string
  readonly line: number
  /** What to write instead, such as `"anew": again`. */
  readonly message: string
  /** The sentence, on one line, with code as `…`. */
  readonly sentence: string
}

/** Text that a person reads, as Markdown, with the line it begins at. */
interface Passage {
  readonly line: number
  readonly text: string
}

/**
 * Checks the words of a file: a Markdown file whole; of a TypeScript or JavaScript file its comments, its strings of three words or
 * more, and of a test only comments and titles.
 */
export function checkProse(path: string, text: string): readonly ProseProblem[] {
  const passages = /\.mdx?$/.test(path) ? [{ line: 1, text: blankFrontmatter(text) }] : readPassages(path, text)
  return passages.flatMap((passage) => checkPassage(path, passage))
}

function checkPassage(path: string, passage: Passage): readonly ProseProblem[] {
  const tree = toNlcst(parseMarkdown(passage.text), new VFile({ value: passage.text }), ParseEnglish)
  const problems: ProseProblem[] = []
  visit(tree, 'SentenceNode', (sentence) => {
    const words = writeSentence(sentence)
    const base = { path, line: passage.line + (sentence.position?.start.line ?? 1) - 1, sentence: words }
    const unquoted = words.replaceAll(/["“][^"”]*["”]/g, '""')
    for (const { pattern, advice } of terms) {
      const match = pattern.exec(unquoted)
      if (match) problems.push({ ...base, message: `"${match[0]}": ${advice}` })
    }
    const length = countWords(sentence)
    if (length > longestSentence)
      problems.push({ ...base, message: `${length} words: split the sentence (${longestSentence} at most)` })
  })
  return problems
}

function parseMarkdown(text: string): Root {
  const root = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  // Cells of tables are read like paragraphs; toNlcst would pass over them.
  visit(root, (node: Nodes) => {
    if (node.type === 'tableCell') Object.assign(node, { type: 'paragraph' })
    else if (node.type === 'table' || node.type === 'tableRow') Object.assign(node, { type: 'blockquote' })
  })
  return root
}

function writeSentence(sentence: Sentence): string {
  return sentence.children
    .map((node) => (node.type === 'SourceNode' ? '`…`' : toText(node)))
    .join('')
    .replaceAll(/\s+/g, ' ')
}

function countWords(sentence: Sentence): number {
  return sentence.children.filter(({ type }) => type === 'WordNode' || type === 'SourceNode').length
}

/** Keeps the lines, so that positions stay right. */
function blankFrontmatter(text: string): string {
  const matter = /^---\n.*?\n---\n/s.exec(text)
  return matter ? matter[0].replaceAll(/[^\n]/g, '') + text.slice(matter[0].length) : text
}

function readPassages(path: string, text: string): readonly Passage[] {
  const { program, comments } = parseSync(path, text)
  const lineStarts = toLineStarts(text)
  const lineAt = (offset: number) => toPosition(lineStarts, offset).line
  const isTest = path.startsWith('test/')
  const passages: Passage[] = []
  for (const node of isTest ? listTitles(program) : listStrings(program)) {
    const content = node.type === 'TemplateLiteral' ? maskExpressions(node, text) : unquote(node, text)
    if (isProse(content)) passages.push({ line: lineAt(node.start), text: content })
  }
  for (const comment of joinLineComments(comments, text)) {
    const content = comment.text.trim()
    if (!/^(?:biome-ignore|@ts-|@vitest|@jsx|#|\/ ?<|c8|v8|eslint)/.test(content))
      passages.push({ line: lineAt(comment.start), text: comment.text })
  }
  return passages.toSorted((a, b) => a.line - b.line)
}

/** The parts of a syntax node that are read here. */
interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly value?: unknown
  readonly callee?: SyntaxNode
  readonly object?: SyntaxNode
  readonly tag?: SyntaxNode
  readonly name?: unknown
  readonly arguments?: readonly SyntaxNode[]
  readonly expressions?: readonly SyntaxNode[]
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function listNodes(node: unknown, add: (node: SyntaxNode) => void): void {
  if (Array.isArray(node)) for (const child of node) listNodes(child, add)
  else if (isNode(node)) {
    add(node)
    for (const child of Object.values(node)) if (typeof child === 'object') listNodes(child, add)
  }
}

function listStrings(program: unknown): readonly SyntaxNode[] {
  const strings: SyntaxNode[] = []
  listNodes(program, (node) => {
    if (isString(node) || node.type === 'JSXText') strings.push(node)
  })
  return strings
}

function listTitles(program: unknown): readonly SyntaxNode[] {
  const titles: SyntaxNode[] = []
  listNodes(program, (node) => {
    const first = node.arguments?.[0]
    if (node.type === 'CallExpression' && first && isString(first) && /^(?:test|it|describe)$/.test(findRootName(node)))
      titles.push(first)
  })
  return titles
}

/** `test` of `test.each(table)('title', …)`. */
function findRootName(node: SyntaxNode): string {
  const inner = node.callee ?? node.object ?? node.tag
  return inner ? findRootName(inner) : String(node.name)
}

function isString(node: SyntaxNode): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
}

function unquote(node: SyntaxNode, text: string): string {
  const raw = text.slice(node.start, node.end)
  return node.type === 'JSXText' ? raw : unescapeText(raw.slice(1, -1))
}

/** Expressions become code, which the check passes over. */
function maskExpressions(node: SyntaxNode, text: string): string {
  let content = ''
  let from = node.start + 1
  for (const { start, end } of node.expressions ?? []) {
    content += `${unescapeText(text.slice(from, text.lastIndexOf('${', start)))}\`${text.slice(start, end).replaceAll(/[^\n]/g, 'x')}\``
    from = text.indexOf('}', end) + 1
  }
  return content + unescapeText(text.slice(from, node.end - 1))
}

/** Enough for prose: breaks of lines become spaces, so that positions stay right. */
function unescapeText(raw: string): string {
  // An indented line of a help text is an item for itself.
  return raw
    .replaceAll(/^ {2}(?=\S)/gm, '- ')
    .replaceAll(/\\n/g, '  ')
    .replaceAll(/\\(['"`])/g, ' $1')
}

/** Three words in a row; keys, paths, class names and code rarely have them. Style sheets and scripts in a string are code. */
function isProse(text: string): boolean {
  if (/[{;]\s*\n|=>|\{[^}\n]*:[^}\n]*;/.test(text)) return false
  return (
    /[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}/.test(text) && !/^\s*(?:select|insert|update|delete|create|alter|pragma|with)\b/i.test(text)
  )
}

interface Comment {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly value: string
}

function joinLineComments(
  comments: readonly Comment[],
  text: string,
): readonly { readonly start: number; readonly text: string }[] {
  const joined: { start: number; end: number; text: string }[] = []
  for (const { type, start, end, value } of comments) {
    const last = joined.at(-1)
    if (type === 'Line' && last && /^\n[ \t]*$/.test(text.slice(last.end, start))) {
      last.text += `\n${value.trim()}`
      last.end = end
    } else if (type === 'Line') joined.push({ start, end, text: value.trim() })
    // A block never joins the lines that follow it.
    else joined.push({ start, end: -1, text: value.replaceAll(/^[ \t]*\*+ ?/gm, '') })
  }
  return joined
}
