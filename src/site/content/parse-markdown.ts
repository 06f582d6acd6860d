import type { Nodes, Root, RootContent } from 'mdast'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { mathFromMarkdown } from 'mdast-util-math'
import { mdxFromMarkdown } from 'mdast-util-mdx'
import { gfm } from 'micromark-extension-gfm'
import { math } from 'micromark-extension-math'
import { mdxjs } from 'micromark-extension-mdxjs'
import { findMarkdownCut, hasDollarFormula, listCodeRanges, mostMarkdown } from '../../text/plain/scan-markdown.ts'
import { PartProblem, parseInParts } from './markdown-parts.ts'

/** An MDX error and its location in the text. */
export interface MdxFault {
  readonly message: string
  readonly start: number
  /** `all`: nothing was parsed as Markdown. `rest`: only the text before `start` was. */
  readonly isTooComplex?: 'all' | 'rest'
}

/** Maximum nesting of lists, quotes and elements, because parsing and rendering are recursive. */
const maxDepth = 200

const markdown = { extensions: [gfm()], mdastExtensions: gfmFromMarkdown() }
const mdx = { extensions: [gfm(), mdxjs()], mdastExtensions: [...gfmFromMarkdown(), ...mdxFromMarkdown()] }

/**
 * Parses a page as MDX with GitHub tables, task lists and autolinks. JavaScript is parsed but never run.
 *
 * Text that is not valid MDX is parsed as Markdown, so that the page is still readable.
 */
export function parseMdx(text: string): { readonly root: Root; readonly fault: MdxFault | undefined } {
  if (text.length > mostMarkdown) {
    const message = `The page has more than ${mostMarkdown.toLocaleString('en')} characters and is shown as plain text`
    return { root: toPlainText(text), fault: { message, start: 0, isTooComplex: 'all' } }
  }
  const cut = findMarkdownCut(text, 'mdx')
  if (cut !== undefined) {
    // Elements left open in the first part are closed in the rest, so an MDX error here is expected and not reported.
    const start = text.slice(0, cut)
    return showRest((tryMdx(start) ?? { root: toPlainText(start) }).root, text, cut)
  }
  const parsed = tryMdx(text)
  if (parsed) return parsed
  const message = `The page nests more than ${maxDepth} lists, quotes and elements and is shown as plain text`
  return { root: toPlainText(text), fault: { message, start: 0, isTooComplex: 'all' } }
}

/** A page whose text is shown unchanged from an offset on. */
function showRest(root: Root, text: string, start: number): { readonly root: Root; readonly fault: MdxFault } {
  const rest = splitPlainText(text.slice(start)).map(
    (value): RootContent => ({ type: 'paragraph', children: [{ type: 'text', value }] }),
  )
  const message = 'The page is too complex to parse as Markdown and is shown as plain text from here on'
  return { root: { ...root, children: [...root.children, ...rest] }, fault: { message, start, isTooComplex: 'rest' } }
}

/** Returns `undefined` for text that is nested too deeply, which can also happen as Markdown. */
function tryMdx(text: string): { readonly root: Root; readonly fault: MdxFault | undefined } | undefined {
  try {
    const root = parseGfm(text, 'mdx')
    return isTooDeep(root) ? undefined : { root, fault: undefined }
  } catch (error) {
    if (!(error instanceof PartProblem)) throw error
    const { cause } = error
    if (cause === undefined) return isTooDeep(error.before) ? undefined : showRest(error.before, text, error.start)
    if (cause instanceof RangeError) return undefined
    const uncommented = blankComments(text)
    if (uncommented !== text) return tryMdx(uncommented)
    // Tags that close themselves in MDX are open in Markdown.
    const root = findMarkdownCut(text) === undefined ? tryMarkdown(text) : undefined
    if (!root) return undefined
    const fault = toFault(cause, error.text)
    return { root, fault: { ...fault, start: error.start + fault.start } }
  }
}

/** Braces in a formula are not expressions. */
function mdxFor(text: string) {
  const singleDollarTextMath = hasDollarFormula(text)
  if (!singleDollarTextMath && !text.includes('$$')) return mdx
  return {
    extensions: [...mdx.extensions, math({ singleDollarTextMath })],
    mdastExtensions: [...mdx.mdastExtensions, mathFromMarkdown()],
  }
}

function tryMarkdown(text: string): Root | undefined {
  try {
    const root = parseGfm(text, 'markdown')
    return isTooDeep(root) ? undefined : root
  } catch (error) {
    // The recursion of the parser exceeded the stack, or the text is too long.
    if (error instanceof PartProblem && (error.cause === undefined || error.cause instanceof RangeError)) return undefined
    throw error
  }
}

const address = /www\.|:\/\/|@|mailto:|xmpp:/i
/** Code and URLs of links, whose addresses are not part of the text. */
const notText = /```.*?```|`[^`\n]*`|(?:\]\(|=")https?:\/\//gs
const autolinks = ['wwwAutolink', 'protocolAutolink', 'emailAutolink']
/** The line below the head of a table, also in a quote or a list, has only these characters. */
const bareLines = /^[ \t>*+.)\d|:-]+$/gm

/**
 * Parses a text without what slows the parser down: it looks for an address at the start of every word, and for a table at every line. Only if an
 * address seems to be in the text, or is left in it, addresses are parsed.
 */
function parseGfm(text: string, syntax: 'markdown' | 'mdx'): Root {
  const { extensions, mdastExtensions } = syntax === 'mdx' ? mdxFor(text) : markdown
  const hasTable = text.match(bareLines)?.some((line) => /[|:]/.test(line))
  const without = (names: string[]) => ({ disable: { null: hasTable ? names : [...names, 'table'] } })
  const parse = (unused: string[], nodes: typeof mdastExtensions) =>
    parseInParts(text, syntax, { extensions: [...extensions, without(unused)], mdastExtensions: nodes })
  if (address.test(text.replace(notText, ''))) return parse([], mdastExtensions)
  // Only the extension for autolinks has transforms, which search for addresses after parsing.
  const others = mdastExtensions.filter(({ transforms }) => transforms === undefined)
  try {
    const root = parse(autolinks, others)
    if (!hasAddress(root)) return root
  } catch (error) {
    if (!address.test(text)) throw error // An address can contain braces.
  }
  return parse([], mdastExtensions)
}

function hasAddress(node: Nodes): boolean {
  if (node.type === 'text') return address.test(node.value)
  return 'children' in node && node.children.some(hasAddress)
}

/** Splits a text into paragraphs to show unchanged. */
function splitPlainText(text: string): string[] {
  return text.split(/\n[ \t\r]*(?:\n[ \t\r]*)+/).filter((paragraph) => paragraph.trim() !== '')
}

/** Parses GitHub Flavored Markdown, such as descriptions in an OpenAPI document, whose check reports what is too complex. */
export function parseMarkdown(text: string): Root {
  const cut = findMarkdownCut(text)
  const start = text.slice(0, cut)
  const root = tryMarkdown(start) ?? toPlainText(start)
  return cut === undefined ? root : showRest(root, text, cut).root
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

/** Converts a `VFileMessage` of the parser. For an unclosed element, the reason text contains the location of its start. */
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

/**
 * Blanks HTML comments outside of code, which are common in pages migrated from Markdown but invalid in MDX. Positions do not
 * change.
 */
function blankComments(text: string): string {
  let blanked = ''
  let from = 0
  for (const { start, end } of listCodeRanges(text)) {
    const part = text.slice(start, end)
    if (!part.startsWith('<!--') || !part.endsWith('-->')) continue
    blanked += text.slice(from, start) + part.replace(/[^\r\n]/g, ' ')
    from = end
  }
  return blanked + text.slice(from)
}

/** Whether a text can contain a formula with double dollars or `<Latex>`. */
export function mayHaveFormula(text: string): boolean {
  return text.includes('$$') || text.includes('<Latex') || hasDollarFormula(text)
}
