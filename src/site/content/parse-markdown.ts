import type { Nodes, Root, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { mathFromMarkdown } from 'mdast-util-math'
import { mdxFromMarkdown } from 'mdast-util-mdx'
import { gfm } from 'micromark-extension-gfm'
import { math } from 'micromark-extension-math'
import { mdxjs } from 'micromark-extension-mdxjs'
import { findMarkdownCut, mostMarkdown } from '../../source/markdown-budget.ts'

/** What is wrong with the MDX of a page, and where in its text. */
export interface MdxFault {
  readonly message: string
  readonly start: number
  /** `all` of the text was not even parsed as Markdown, or the `rest` of it from `start` on. */
  readonly isTooComplex?: 'all' | 'rest'
}

/** Deepest nesting of lists, quotes and elements: what reads and shows them calls itself for each. */
const maxDepth = 200

const mdx = { extensions: [gfm(), mdxjs()], mdastExtensions: [gfmFromMarkdown(), mdxFromMarkdown()] }
/** Braces of a formula are no expressions. */
const mdxWithFormulas = (singleDollarTextMath: boolean) => ({
  extensions: [...mdx.extensions, math({ singleDollarTextMath })],
  mdastExtensions: [...mdx.mdastExtensions, mathFromMarkdown()],
})
const markdown = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }
/** For texts without an address that becomes a link by itself: the parser looks for one at the start of every word. */
const withoutAddresses = {
  extensions: [gfm(), { disable: { null: ['wwwAutolink', 'protocolAutolink', 'emailAutolink'] } }],
  // What looks for addresses once more when all is parsed is the only one that has a last step.
  mdastExtensions: [gfmFromMarkdown().filter(({ transforms }) => transforms === undefined)],
}

/** The same for texts that have no table either. */
const withoutTables = {
  ...withoutAddresses,
  extensions: [...withoutAddresses.extensions, { disable: { null: ['table'] } }],
}

/**
 * Parses the text of a page as MDX with the tables, task lists and links of GitHub. Runs nothing: JavaScript in it is parsed to a tree.
 *
 * Text that is no MDX is parsed as Markdown, so that a page with a fault still shows what it says.
 */
export function parseMdx(text: string): { readonly root: Root; readonly fault: MdxFault | undefined } {
  if (text.length > mostMarkdown) {
    const message = `The page has more than ${mostMarkdown.toLocaleString('en')} characters; it is shown as plain text`
    return { root: toPlainText(text), fault: { message, start: 0, isTooComplex: 'all' } }
  }
  const cut = findMarkdownCut(text, 'mdx')
  if (cut !== undefined) {
    // What the first part leaves open is closed in the rest: that it cannot be read as MDX is not worth a diagnostic.
    const start = text.slice(0, cut)
    const { root } = tryMdx(start) ?? { root: toPlainText(start) }
    const rest = splitPlainText(text.slice(cut)).map(
      (value): RootContent => ({ type: 'paragraph', children: [{ type: 'text', value }] }),
    )
    const message = 'The page is shown as plain text from here on: it takes too much work to read as Markdown'
    return { root: { ...root, children: [...root.children, ...rest] }, fault: { message, start: cut, isTooComplex: 'rest' } }
  }
  const parsed = tryMdx(text)
  if (parsed) return parsed
  const message = `The page nests more than ${maxDepth} lists, quotes and elements; it is shown as plain text`
  return { root: toPlainText(text), fault: { message, start: 0, isTooComplex: 'all' } }
}

/** `undefined` for what is nested too deeply, as text that is no MDX may be too. */
function tryMdx(text: string): { readonly root: Root; readonly fault: MdxFault | undefined } | undefined {
  try {
    const root = fromMarkdown(text, mdxFor(text))
    return isTooDeep(root) ? undefined : { root, fault: undefined }
  } catch (error) {
    const uncommented = blankComments(text)
    if (!(error instanceof RangeError) && uncommented !== text) return tryMdx(uncommented)
    const root = error instanceof RangeError ? undefined : tryMarkdown(text)
    return root && { root, fault: toFault(error, text) }
  }
}

function mdxFor(text: string) {
  if (hasDollarFormula(text)) return mdxWithFormulas(true)
  return text.includes('$$') ? mdxWithFormulas(false) : mdx
}

function tryMarkdown(text: string): Root | undefined {
  try {
    const root = parseGfm(text)
    return isTooDeep(root) ? undefined : root
  } catch (error) {
    // The stack of the parser's own transforms is at its end.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const address = /www\.|:\/\/|@|mailto:|xmpp:/i

/** Where the addresses of a text all seem to be those of links, it is parsed as if there were no others; they are, if none is left in its words. */
function parseGfm(text: string): Root {
  if (address.test(text.replace(/\]\(https?:\/\//g, ''))) return fromMarkdown(text, markdown)
  const root = fromMarkdown(text, /\||:-|-:/.test(text) ? withoutAddresses : withoutTables)
  return hasAddress(root) ? fromMarkdown(text, markdown) : root
}

function hasAddress(node: Nodes): boolean {
  if (node.type === 'text') return address.test(node.value)
  return 'children' in node && node.children.some(hasAddress)
}

/** The paragraphs of a text that is shown as it is written. */
export function splitPlainText(text: string): string[] {
  return text.split(/\n[ \t\r]*(?:\n[ \t\r]*)+/).filter((paragraph) => paragraph.trim() !== '')
}

/** Parses Markdown as GitHub does (CommonMark and its extensions), such as the descriptions in an OpenAPI document. */
export function parseMarkdown(text: string): Root {
  if (isPlain(text)) return { type: 'root', children: [{ type: 'paragraph', children: [{ type: 'text', value: text }] }] }
  return tryMarkdown(text) ?? toPlainText(text)
}

function toPlainText(value: string): Root {
  return { type: 'root', children: [{ type: 'code', value }] }
}

function isTooDeep(root: Root): boolean {
  let level: readonly Nodes[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true
    level = level.flatMap((node) => ('children' in node ? node.children : []))
  }
  return false
}

/** One line without any Markdown and without a URL, as most descriptions are: they are not parsed. */
function isPlain(text: string): boolean {
  return /^\p{L}(?:[^\s[\]&<`*_!#>|~\\@:]|(?<=\S) (?=\S))*$/u.test(text) && !/www\./i.test(text)
}

/** The parser throws a `VFileMessage`: a reason, and a point or a range. Of an element that is not closed it says in words where it begins. */
function toFault(error: unknown, text: string): MdxFault {
  if (!(error instanceof Error) || !('reason' in error) || typeof error.reason !== 'string') throw error
  const opened = / \((\d+):(\d+)(?:-\d+:\d+)?\)/.exec(error.reason)
  if (opened) return { message: error.reason.replace(opened[0], ''), start: toOffset(text, Number(opened[1]), Number(opened[2])) }
  const place: unknown = 'place' in error ? error.place : undefined
  return { message: error.reason, start: findOffset(place) ?? 0 }
}

function toOffset(text: string, line: number, column: number): number {
  let start = 0
  for (let count = 1; count < line; count++) start = text.indexOf('\n', start) + 1
  return Math.min(start + column - 1, text.length)
}

function findOffset(place: unknown): number | undefined {
  if (typeof place !== 'object' || place === null) return undefined
  if ('offset' in place && typeof place.offset === 'number') return place.offset
  return 'start' in place ? findOffset(place.start) : undefined
}

/** What begins a block of code, a span of code, or a comment of HTML. */
const opening = /^[ \t]*(`{3,}|~{3,})|`+|<!--/gm

/**
 * Blanks the comments of HTML that stand outside of code: MDX has none, and pages that came from Markdown have them. All else stays where it stands.
 *
 * Looks at each part of the text once, however little of it is closed.
 */
function blankComments(text: string): string {
  if (!text.includes('<!--')) return text
  let blanked = ''
  let from = 0
  opening.lastIndex = 0
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const start = opening.lastIndex
    if (found[0] === '<!--') {
      const end = text.indexOf('-->', start)
      if (end === -1) break
      blanked += text.slice(from, found.index) + text.slice(found.index, end + 3).replace(/[^\r\n]/g, ' ')
      from = end + 3
      opening.lastIndex = from
    } else {
      const end = found[1] === undefined ? endOfSpan(text, start, found[0].length) : endOfBlock(text, start, found[1])
      if (end === undefined) break
      opening.lastIndex = end
    }
  }
  return blanked + text.slice(from)
}

/** Behind the same number of backticks; where there are others first, they may begin a span of their own. */
function endOfSpan(text: string, start: number, length: number): number {
  const next = text.indexOf('`', start)
  if (next === -1) return start
  let end = next
  while (text[end] === '`') end++
  return end - next === length ? end : start
}

/** A line that can close a block of code. */
const closing = /^[ \t]*(`{3,}|~{3,})[ \t]*\r?$/gm

/** Behind the line that closes it; a block that is not closed ends with the page. */
function endOfBlock(text: string, start: number, fence: string): number | undefined {
  closing.lastIndex = start
  for (let found = closing.exec(text); found; found = closing.exec(text)) {
    if (found[1]?.startsWith(fence)) return closing.lastIndex
  }
  return undefined
}

/** Whether a text may have a formula between two dollars each, or as `<Latex>`. */
export function mayHaveFormula(text: string): boolean {
  return text.includes('$$') || text.includes('<Latex') || hasDollarFormula(text)
}

/**
 * Whether a text surely has a formula between one dollar each: one with a command or a power in it. In most texts a dollar is money, or a variable
 * of a shell. The host takes it for a formula's everywhere, so that pages with formulas have written their money as `\$5`.
 */
function hasDollarFormula(text: string): boolean {
  // What follows a dollar is only looked at, up to the next one, so that each character is read once.
  for (const [, inside = ''] of text.matchAll(/(?<![\\$])\$(?![\s$])(?=([^$\n]+)\$(?!\$))/g)) {
    if (/\\[A-Za-z]|\^/.test(inside)) return true
  }
  return false
}
