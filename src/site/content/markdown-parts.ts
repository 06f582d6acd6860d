import type { Nodes, Root } from 'mdast'
import { fromMarkdown, type Options } from 'mdast-util-from-markdown'
import type { MdxJsxAttribute, MdxJsxExpressionAttribute } from 'mdast-util-mdx'
import { beforeFence, findFenceEnd, findSpanEnd, shortenDataUrls } from '../../text/plain/scan-markdown.ts'

/** Shortest part that is parsed on its own, in UTF-16 units. */
const partLength = 20_000
/** Longest part without data URLs. The parser takes quadratic time for some texts, such as many lists. */
const mostPart = 500_000
/** Parts of a text with more definitions than this are not parsed separately. */
const mostDefinitions = 5_000

/** A part that the parser refused, or that is too long. */
export class PartProblem extends Error {
  /** The blocks before the part. */
  readonly before: Root
  readonly text: string
  readonly start: number

  constructor(before: Root, text: string, start: number, cause?: unknown) {
    super('', { cause })
    this.before = before
    this.text = text
    this.start = start
  }
}

/**
 * Parses a text in parts, so that the time is proportional to its length. Positions refer to the whole text.
 *
 * @param syntax In MDX, no part ends within an element.
 * @throws PartProblem
 */
export function parseInParts(text: string, syntax: 'markdown' | 'mdx', options: Options): Root {
  const { breaks, definitions } = text.length < 2 * partLength ? whole : findParts(text, syntax)
  const starts = [0, ...breaks]
  const children: Root['children'] = []
  const lines = countLines(text)
  const headLines = definitions.split('\n').length - 1
  // A part can end within an element whose start is hard to recognize. It is then parsed together with more and more of the following parts.
  for (let index = 0, count = 1; index < starts.length; ) {
    const start = starts[index] ?? 0
    const end = starts[index + count] ?? text.length
    const head = starts.length === 1 ? '' : definitions
    const part = head + text.slice(start, end)
    const offset = start - head.length
    const problem = (cause?: unknown) => new PartProblem({ type: 'root', children }, part, offset, cause)
    if (part.length > mostPart && shortenDataUrls(part).length > mostPart) throw problem()
    try {
      const root = fromMarkdown(part, options)
      const own = root.children.filter((child) => (child.position?.start.offset ?? 0) >= head.length)
      const moved = lines(start) - headLines
      if (offset !== 0) for (const child of own) moveNode(child, offset, moved)
      for (const child of own) children.push(child)
      index += count
      count = 1
    } catch (error) {
      if (index + count >= starts.length) throw problem(error)
      count *= 2
    }
  }
  return { type: 'root', children }
}

interface TextParts {
  readonly breaks: readonly number[]
  /** The lines with definitions, which links in all parts need, to be put before each part. */
  readonly definitions: string
}

const whole: TextParts = { breaks: [], definitions: '' }

/** HTML that may contain blank lines. In Markdown, it hides where a block begins. */
const longHtml = /<(?:pre|script|style|textarea)\b|<[!?]/i
const marks = /\n|`+|~{3,}|\${2,}|<\/?[A-Za-z][\w.:-]*/g
/** The start of a line that ends all lists and quotes, after a blank line. */
const outside = /(?:#{1,6}[ \t]|[<A-Za-z"'(`\\]|\*\*)/y
const definition = /^ {0,3}\[[^\]\n]+\]:.*$/gm

/** Finds where a text can be split: at blocks outside of lists, code and, in MDX, elements. Reads the text once. */
function findParts(text: string, syntax: 'markdown' | 'mdx'): TextParts {
  if (syntax === 'markdown' && longHtml.test(text)) return whole
  const definitions = (text.match(definition) ?? []).map((line) => `${line}\n\n`).join('')
  if (definitions.length > mostDefinitions) return whole
  const breaks: number[] = []
  let lineStart = 0
  let isBlank = false
  let depth = 0
  marks.lastIndex = 0
  for (let found = marks.exec(text); found; found = marks.exec(text)) {
    const [mark] = found
    const at = found.index
    const end = at + mark.length
    if (mark === '\n') {
      isBlank = isBlankLine(text, lineStart, at)
      lineStart = end
      outside.lastIndex = end
      if (isBlank && depth === 0 && end - (breaks.at(-1) ?? 0) >= partLength && outside.test(text)) breaks.push(end)
    } else if (mark.startsWith('<')) {
      if (syntax === 'markdown') continue
      if (mark.startsWith('</')) depth--
      else {
        const tag = findTagEnd(text, end)
        if (tag === undefined) break
        if (!tag.isClosed) depth++
        // Lines within a tag are not blank.
        marks.lastIndex = tag.end
        lineStart = Math.max(lineStart, text.lastIndexOf('\n', tag.end - 1) + 1)
      }
    } else {
      const isFence = mark.length >= (mark.startsWith('$') ? 2 : 3) && beforeFence.test(text.slice(lineStart, at))
      const next = isFence ? findFenceEnd(text, end, mark) : mark.startsWith('`') ? findSpanEnd(text, end, mark) : end
      if (next === undefined) break
      if (next > end) lineStart = Math.max(lineStart, text.lastIndexOf('\n', next - 1) + 1)
      marks.lastIndex = next
    }
  }
  return { breaks, definitions }
}

function isBlankLine(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!' \t\r'.includes(text.charAt(at))) return false
  return true
}

/** Finds the end of a JSX tag. Its attributes can contain `>` in strings and braces. */
function findTagEnd(text: string, start: number): { readonly end: number; readonly isClosed: boolean } | undefined {
  let braces = 0
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '"' || character === "'" || (character === '`' && braces > 0)) {
      at = text.indexOf(character, at + 1)
      if (at === -1) return undefined
    } else if (character === '{') braces++
    else if (character === '}') braces--
    else if (character === '>' && braces <= 0) return { end: at + 1, isClosed: text.charAt(at - 1) === '/' }
  }
  return undefined
}

/** Counts the lines before an offset. Offsets must not decrease. */
function countLines(text: string): (offset: number) => number {
  let at = 0
  let count = 0
  return (offset) => {
    for (let next = text.indexOf('\n', at); next !== -1 && next < offset; next = text.indexOf('\n', at)) {
      count++
      at = next + 1
    }
    return count
  }
}

/** Moves the positions of a node and everything inside: its attributes and, in MDX, its code. */
function moveNode(node: Nodes | MdxJsxAttribute | MdxJsxExpressionAttribute, offset: number, lines: number): void {
  for (const point of node.position ? [node.position.start, node.position.end] : []) {
    point.line += lines
    if (point.offset !== undefined) point.offset += offset
  }
  if ('attributes' in node) {
    for (const attribute of node.attributes) {
      moveNode(attribute, offset, lines)
      if (typeof attribute.value === 'object') moveCode(attribute.value?.data, offset)
    }
  }
  if (node.type.startsWith('mdx')) moveCode(node.data, offset)
  if ('children' in node) for (const child of node.children) moveNode(child, offset, lines)
}

/** Moves the offsets of a program. Some of its nodes are in it twice. */
function moveCode(code: unknown, offset: number): void {
  const seen = new Set<object>()
  const move = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    if ('start' in value && typeof value.start === 'number') value.start += offset
    if ('end' in value && typeof value.end === 'number') value.end += offset
    if ('range' in value && Array.isArray(value.range)) value.range = value.range.map((at) => Number(at) + offset)
    for (const one of Object.values(value)) move(one)
  }
  move(code)
}
