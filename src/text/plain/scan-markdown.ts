import type { OffsetRange } from './source-file.ts'
/** Markdown up to this length, in UTF-16 units, is always parsed: the time for it is bounded by its length. */
export const smallMarkdown = 1_000

/** Longest text that is parsed, in UTF-16 units: 4 MiB of ASCII. */
export const mostMarkdown = 4_194_304

/**
 * Units of work that a text may take: a part that all texts have, and one for each of its characters, so that the work for a whole site is
 * proportional to its size. Of 4,600 descriptions in published OpenAPI documents none takes more than 350 units, of 600 READMEs one more than 25,000.
 */
const freeUnits = 50_000
const unitsPerCharacter = 100

/** Deepest nesting of lists and quotes, and of HTML or JSX elements, that is parsed. */
const maxContainers = 50
const maxElements = 200

/** For the diagnostic of a text with a cut. */
export const markdownTooComplexHint =
  'Split the text into shorter paragraphs, and write `\\*`, `\\_`, `\\[` and `` \\` `` for characters that are not markup'

/**
 * Finds where a text begins to take more work than its length justifies: where to stop reading it as Markdown.
 *
 * The parser takes quadratic time for some inputs, such as delimiters of emphasis that match each other, closing brackets without an opening
 * one, nested lists, and backticks of many lengths. This scan is linear and estimates that work block by block, before anything is parsed. The
 * result depends on the text alone.
 *
 * @param syntax With `mdx`, expressions and exported code count too.
 * @returns The offset of the block that exceeds the budget, `undefined` for nearly every text.
 */
export function findMarkdownCut(text: string, syntax: 'markdown' | 'mdx' = 'markdown'): number | undefined {
  if (text.length <= smallMarkdown) return undefined
  if (text.length > mostMarkdown) return 0
  const budget = freeUnits + unitsPerCharacter * text.length
  const scan = new MarkdownScan(syntax === 'mdx')
  let start = 0
  let header: string | undefined
  let isTable = false
  for (let lineStart = 0; lineStart <= text.length; ) {
    const newline = text.indexOf('\n', lineStart)
    const lineEnd = newline === -1 ? text.length : newline
    const line = text.slice(lineStart, lineEnd)
    if (!/\S/.test(line)) {
      scan.endBlock()
      start = lineEnd + 1
    } else if (bullet.test(line) || heading.test(line) || (isTable && row.test(line))) {
      scan.endBlock()
      start = lineStart
    }
    // Each cell is read on its own, so a long table costs no more than its rows.
    isTable = row.test(line) && (isTable || (header !== undefined && isDelimiterRow(line, header)))
    header = start === lineStart && row.test(line) && !/[<>{}]/.test(line) ? line : undefined
    scan.readLine(line)
    if (scan.isTooDeep || scan.units + scan.blockUnits() > budget) return start
    lineStart = lineEnd + 1
  }
  return undefined
}

/** The target of an image or link, or the value of an attribute. The parser reads it as one token. With `_`, it could be emphasis. */
const dataUrls = /(\]\(<?|=["'])data:[A-Za-z\d/.+-]*(?:;[A-Za-z\d=-]*)*,[A-Za-z\d+/=%.-]*/g

/** Replaces data URLs by short ones. */
export function shortenDataUrls(text: string): string {
  return text.includes('data:') ? text.replace(dataUrls, '$1data:') : text
}

/** A list item that begins even in the middle of a paragraph. */
const bullet = /^ {0,3}[-+*][ \t]+\S/
const heading = /^ {0,3}#{1,6}[ \t]/
const row = /^ {0,3}\|/

/** Whether a line makes the line before it the header of a table. A header that could end HTML or an expression is not trusted. */
function isDelimiterRow(line: string, header: string): boolean {
  const countCells = (cells: string) => cells.replaceAll('\\|', '').trim().split('|').length
  return /^ {0,3}\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/.test(line) && countCells(line) === countCells(header)
}

/** The markers of lists and quotes that a line begins with. */
const containers = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+/
const setextUnderline = /^[ \t>]*(?:=+|-+)[ \t]*$/
/** Everything that becomes a separate token, and words long enough to matter. */
const marks = /[*_~]+|`+|<\/?[A-Za-z]?|[\]!&\\|:@[{}]|[-.\w+]{500,}/g
/** Elements of HTML that have no end tag, and addresses that become links. */
const noElement = /^<(?:(?:area|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b|[\w.+-]+[@:])/i

const selfClosing = /^<[A-Za-z][\w.:-]*(?:\s+[\w:-]+(?:=(?:"[^"]*"|'[^']*'|\{[^{}]*\}))?)*\s*\/>/

class MarkdownScan {
  readonly #isMdx: boolean
  /** Of the blocks that have ended, and of what reaches beyond a block. */
  units = 0
  isTooDeep = false
  #lines = 0
  #closers = 0
  #marks = 0
  #characters = 0
  #fences = new Set<number>()
  #elements = 0
  /** Braces that are open, and how many characters ago the first was opened. */
  #open = 0
  #openFor = 0
  /** Characters since the last line that begins code of a module. */
  #moduleFor: number | undefined
  #moduleDepth = 0
  #isModuleOpen = false
  /** The backticks or tildes that a block of code began with. */
  #fence: string | undefined

  constructor(isMdx: boolean) {
    this.#isMdx = isMdx
  }

  endBlock(): void {
    this.units += this.blockUnits()
    this.#closers = 0
    this.#marks = 0
    this.#characters = 0
    this.#fences.clear()
  }

  /** A closing delimiter is compared with the tokens before it; backticks are looked for until the end of the block, once for each length. */
  blockUnits(): number {
    const lengths = this.#fences.size
    return this.#closers * this.#marks + (lengths > 4 ? 3 * lengths * this.#characters : 0)
  }

  readLine(line: string): void {
    this.#lines++
    this.#characters += line.length
    this.#readContainers(line)
    this.#readFence(line)
    if (this.#isMdx) this.#readModule(line)
    const text = shortenDataUrls(line)
    if (this.#fence === undefined) for (const match of text.matchAll(marks)) this.#readMark(match[0], match.index, text)
    if (heading.test(line)) this.endBlock()
    this.#openFor = this.#open > 0 ? this.#openFor + line.length + 1 : 0
  }

  /** In MDX, a block of code is known to be one. Markdown has HTML that could hide where such a block begins. */
  #readFence(line: string): void {
    if (!this.#isMdx || this.#open > 0) return
    const [, fence] = /^[ \t>]*(?:[-+*][ \t]+|\d+[.)][ \t]+)?(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? []
    if (this.#fence === undefined) this.#fence = fence
    else if (fence?.startsWith(this.#fence) && line.trimEnd().endsWith(fence)) this.#fence = undefined
  }

  /** Code of a module is parsed again at each blank line until it is complete. What may hide brackets counts as incomplete. */
  #readModule(line: string): void {
    if (this.#fence === undefined && /^(?:import|export)\b/.test(line)) {
      this.#moduleFor = 0
      this.#moduleDepth = 0
    }
    if (this.#moduleFor === undefined) return
    if (/\S/.test(line)) {
      const code = line.replace(/"[^"\\]*"|'[^'\\]*'|\/\/.*/gs, '')
      this.#moduleDepth += (code.match(/[([{]/g)?.length ?? 0) - (code.match(/[)\]}]/g)?.length ?? 0)
      if (/["'`/]/.test(code)) this.#moduleDepth = Number.POSITIVE_INFINITY
      this.#isModuleOpen = this.#moduleDepth > 0 || /[=,.+*?:&|<>!-]\s*$/.test(code)
      this.#moduleFor += line.length + 1
    } else if (this.#isModuleOpen) {
      this.units += 1_000 + this.#moduleFor * 2
      this.#moduleFor++
    } else this.#moduleFor = undefined
  }

  #readContainers(line: string): void {
    const markers = containers.exec(line)?.[0] ?? ''
    const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0
    const depth = markers.replace(/[^>*+.)-]/g, '').length + (markers === '' ? 0 : Math.floor(indent / 2))
    if (depth > maxContainers) this.isTooDeep = true
    // The end of a quote and a heading that is underlined move all tokens of the document so far.
    if (/^[ \t]*>/.test(markers) || setextUnderline.test(line)) this.units += this.#lines
  }

  #readMark(mark: string, at: number, line: string): void {
    const before = line[at - 1] ?? ' '
    const after = line[at + mark.length] ?? ' '
    const [first = ''] = mark
    this.#marks += Math.min(mark.length, 20)
    if (first === '`') this.#fences.add(mark.length)
    else if (first === ']') this.#closers++
    else if (first === '<') this.#readTag(mark, at, line)
    else if (first === '{') this.#open++
    else if (first === '}') this.#readEnd(at)
    else if (first === '*' || first === '~' || (first === '_' && !/[\p{L}\p{N}]/u.test(after))) {
      if (/\S/.test(before)) this.#closers += Math.min(mark.length, 20)
    } else if (mark.length >= 500) this.units += (mark.length * mark.length) / 100
  }

  /** An expression is parsed again at each brace that may be its end. Where it began is not certain, as strings have braces too. */
  #readEnd(at: number): void {
    this.#open = Math.max(0, this.#open - 1)
    if (this.#isMdx) this.units += 100 + (Math.max(this.#openFor, this.#characters) + at) / 20
  }

  /** Whether a tag closes itself. In Markdown, it does not. */
  #isClosed(at: number, line: string): boolean {
    return this.#isMdx && selfClosing.test(line.slice(at, at + 300))
  }

  #readTag(mark: string, at: number, line: string): void {
    if (mark.startsWith('</')) this.#elements = Math.max(0, this.#elements - 1)
    else if (mark.length > 1 && !noElement.test(line.slice(at, at + 60)) && !this.#isClosed(at, line)) this.#elements++
    if (this.#elements > maxElements) this.isTooDeep = true
    this.units += this.#elements
  }
}

/** The start of a line, before the fence of a code block. */
export const beforeFence = /^[ \t>]*(?:[-+*][ \t]+|\d+[.)][ \t]+)?$/

const codeMarks = /`+|~{3,}|\${2,}|<!--|\{\/\*/g

/** Lists code blocks, code spans, blocks with a formula and comments in the order of the text. Reads the text once, without parsing it. */
export function listCodeRanges(text: string): OffsetRange[] {
  const ranges: OffsetRange[] = []
  codeMarks.lastIndex = 0
  for (let found = codeMarks.exec(text); found; found = codeMarks.exec(text)) {
    const [mark] = found
    const start = found.index
    const end = findMarkEnd(text, start, mark)
    if (end === undefined) return [...ranges, { start, end: text.length }]
    if (end > start + mark.length) ranges.push({ start, end })
    codeMarks.lastIndex = end
  }
  return ranges
}

/** Returns a function that finds whether an offset is in one of the ranges. Offsets must not decrease. */
export function createRangeSearch(ranges: readonly OffsetRange[]): (offset: number) => boolean {
  let index = 0
  return (offset) => {
    while ((ranges[index]?.end ?? Number.POSITIVE_INFINITY) <= offset) index++
    return (ranges[index]?.start ?? Number.POSITIVE_INFINITY) <= offset
  }
}

/** The end of what a mark opens, or of the mark itself if it opens nothing; `undefined` if it is open until the end of the text. */
function findMarkEnd(text: string, start: number, mark: string): number | undefined {
  const end = start + mark.length
  if (mark === '<!--' || mark === '{/*') {
    const close = mark === '<!--' ? '-->' : '*/'
    const at = text.indexOf(close, end)
    return at === -1 ? undefined : at + close.length
  }
  const isFence =
    (mark.length >= 3 || mark === '$$') && beforeFence.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start))
  if (isFence) {
    const close = findFenceEnd(text, end, mark)
    if (close === undefined || close > end) return close
  }
  return mark.startsWith('`') ? findSpanEnd(text, end, mark) : end
}

/** Finds the end of a block of code or a formula. */
export function findFenceEnd(text: string, start: number, fence: string): number | undefined {
  const lineEnd = text.indexOf('\n', start)
  const rest = text.slice(start, lineEnd === -1 ? text.length : lineEnd)
  // Code or a formula within a line.
  if (!fence.startsWith('~') && rest.includes(fence.charAt(0))) return start
  const closing = /^[ \t>]*(`{3,}|~{3,}|\${2,})[ \t]*\r?$/gm
  closing.lastIndex = start
  for (let found = closing.exec(text); found; found = closing.exec(text)) {
    if (found[1]?.startsWith(fence)) return closing.lastIndex
  }
  return undefined
}

/** Finds the end of a code span, which is in the same paragraph. The code can contain more or fewer backticks. */
export function findSpanEnd(text: string, start: number, ticks: string): number {
  let from = start
  for (let next = text.indexOf('`', from); next !== -1; next = text.indexOf('`', from)) {
    if (/\n[ \t\r]*\n/.test(text.slice(from, next))) break
    from = next
    while (text[from] === '`') from++
    if (from - next === ticks.length) return from
  }
  return start
}

/**
 * Whether a text certainly contains a formula with single dollars: one with a command or a power. In most texts, a dollar is a
 * currency or a shell variable. Hosts read every pair of dollars as a formula, so pages with formulas already escape currency as
 * `\$5`.
 */
export function hasDollarFormula(text: string): boolean {
  // A lookahead stops at the next dollar, so each character is read once.
  for (const [, inside = ''] of text.matchAll(/(?<![\\$])\$(?![\s$])(?=([^$\n]+)\$(?!\$))/g)) {
    if (/\\[A-Za-z]|\^/.test(inside)) return true
  }
  return false
}

/** An image of Markdown without a text in its brackets, or the start of an element. */
const images = /!\[[ \t]*\](?=[[(])|<img(?=[\s/>])/gi

/** The longest element that is read, and the most images of a text. */
const mostLength = 2_000
const mostImages = 1_000

/** The parts of an element up to its end: a quoted string, a value in braces, or a character. */
const parts = /"[^"]*"|'[^']*'|\{[^{}]*\}|[^"'<>]/y

/** Attributes that name an element or hide it from screen readers. With `{...props}`, an element can have them. */
const naming = /[\s"}](?:alt(?=[\s=/>])|aria-|role=)|\{\s*\.\.\./i

/**
 * Lists the images in a text of Markdown, HTML or MDX that have no alternative text, except those in code. `alt=""` codeMarks a decorative image.
 * Does not parse the text.
 */
function listUnnamedImages(text: string): OffsetRange[] {
  const found: OffsetRange[] = []
  let count = 0
  for (const { 0: opening, index: start } of text.matchAll(images)) {
    if (count++ === mostImages) break
    if (text[start - 1] === '\\') continue
    const end = start + opening.length
    if (opening.startsWith('!')) found.push({ start, end })
    else {
      const element = readElement(text.slice(end, end + mostLength))
      if (element && !naming.test(element.shown)) found.push({ start, end: end + element.length })
    }
  }
  if (found.length === 0) return found
  const isCode = createRangeSearch(listCodeRanges(text))
  return found.filter(({ start }) => !isCode(start))
}

/** The attributes of an element up to its `>`, with empty strings; `undefined` if it has no end. */
function readElement(text: string): { readonly shown: string; readonly length: number } | undefined {
  let shown = ''
  let length = 0
  parts.lastIndex = 0
  for (let part = parts.exec(text); part; part = parts.exec(text)) {
    shown += /^["']/.test(part[0]) ? '""' : part[0]
    length = parts.lastIndex
  }
  return text[length] === '>' ? { shown: `${shown}>`, length: length + 1 } : undefined
}

interface DescribedImages {
  readonly message: string
  readonly hint: string
  /** The first one. */
  readonly offsets: OffsetRange
}

/**
 * Describes the images of a text without alternative text; `undefined` if there are none.
 *
 * Source: WCAG 2.2, success criterion 1.1.1.
 */
export function describeUnnamedImages(text: string): DescribedImages | undefined {
  const [first, ...others] = listUnnamedImages(text)
  if (!first) return undefined
  const more = others.length === 0 ? '' : `, like ${others.length} more below`
  return {
    message: `Image has no alternative text${more}: screen readers cannot describe it`,
    hint: 'Describe it: `![Chart of requests](chart.png)`. If it is decorative, write `<img src="chart.png" alt="" />`',
    offsets: first,
  }
}

/** A line that is a tag of Markdoc. */
const tagLine = /^[ \t]*\{%([^%\n]*)%\}[ \t]*\r?$/gm

/** The alert of GitHub for a type of Markdoc's callouts. */
function toAlert(type = ''): string {
  if (/^(?:success|tip)$/.test(type)) return 'TIP'
  if (/^(?:warning|attention)$/.test(type)) return 'WARNING'
  return /^(?:caution|danger|error)$/.test(type) ? 'CAUTION' : 'NOTE'
}

const isCallout = (name: string) => name === 'admonition' || name === 'callout'

/**
 * Writes the callouts of Markdoc, such as `{% admonition type="info" name="Limits" %}`, as alerts of GitHub, which pages and other readers of Markdown
 * show. Other tags stay as they are.
 */
export function convertMarkdocTags(text: string): string {
  let converted = ''
  let at = 0
  let isOpen = false
  const add = (part: string) => {
    converted += isOpen ? toQuote(part) : part
  }
  for (const { line, start, isEnd, name, attributes } of listMarkdocTags(text)) {
    if (!isCallout(name)) continue
    add(text.slice(at, start))
    at = start + line.length
    isOpen = !isEnd
    const title = attributes.get('name') ?? attributes.get('title')
    if (isOpen) converted += `\n> [!${toAlert(attributes.get('type'))}]\n`
    if (isOpen && title !== undefined) converted += `> **${title}**\n>\n`
  }
  add(text.slice(at))
  return converted
}

/** The names of the tags of Markdoc that `convertMarkdocTags` leaves unchanged, each once. */
export function listUnknownTags(text: string): string[] {
  const names = listMarkdocTags(text).flatMap(({ name, isEnd }) => (isEnd || isCallout(name) ? [] : [name]))
  return [...new Set(names)]
}

/** The tags of a text outside of code. */
function listMarkdocTags(text: string) {
  if (!text.includes('{%')) return []
  const isCode = createRangeSearch(listCodeRanges(text))
  return [...text.matchAll(tagLine)].flatMap(({ 0: line, 1: inside = '', index }) => {
    const [, slash, name] = /^(\/?)([a-z][\w-]*)/i.exec(inside.trim()) ?? []
    if (name === undefined || isCode(index)) return []
    const attributes = new Map(Array.from(inside.matchAll(/(?<!\w)(\w+)="([^"]*)"/g), ([, key, value = '']) => [key, value]))
    return [{ line, start: index, isEnd: slash === '/', name: name.toLowerCase(), attributes }]
  })
}

/** The lines of a text in a quote, without the indentation that they share, which would make them code. */
function toQuote(text: string): string {
  const lines = text
    .replace(/^(?:[ \t]*\r?\n)+/, '')
    .trimEnd()
    .split('\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const shared = Math.min(...indents)
  return `${lines.map((line) => `> ${line.slice(shared)}`.trimEnd()).join('\n')}\n\n`
}

/** A URL in the text of a page that can be a link or an image. */
interface WrittenUrl {
  readonly href: string
  readonly start: number
}

/**
 * Matches what precedes a URL: `](`, `[name]: `, and the quote of an attribute or a property. Attributes other than the named ones only count with a
 * path, because most are not URLs.
 */
const openings =
  /\]\(\s*<?|^[ \t]{0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]*<?|^icon:[ \t]*["']?(?=[^\s"']*[./])|\b(?:href|src|poster|img)\s*[=:]\s*(?:\{\s*)?["'`]|\b\w{0,30}(?:link|url|image|logo|icon|Href|Src)\w{0,30}=(?:\{\s*)?["'](?=\.{0,2}\/)/gm

/** Lists URLs in the text of a page that can be links or images. Omits those in code, and those with an expression. */
export function listWrittenUrls(text: string): WrittenUrl[] {
  const urls: WrittenUrl[] = []
  for (const match of text.matchAll(openings)) {
    const start = match.index + match[0].length
    const href = readUrl(match[0], text.slice(start, start + mostLength))
    if (href === '' || /[{}\s]/.test(href)) continue
    const rest = text.slice(start + href.length, start + href.length + mostLength)
    if (match[0].startsWith(']') && !/^>?\s*(?:\)|\s["'(])/.test(rest)) continue
    // A word is the name of something, such as an icon or the source of a form.
    if (/^(?:src|poster|img)\b/.test(match[0]) && !/[./]/.test(href)) continue
    urls.push({ href, start })
  }
  if (urls.length === 0) return urls
  const isCode = createRangeSearch(listCodeRanges(text))
  return urls.filter(({ start }) => !isCode(start))
}

/** Reads a URL up to the quote or bracket that closes it. */
function readUrl(opening: string, rest: string): string {
  const quote = /["'`]$/.exec(opening)?.[0]
  if (quote !== undefined) return rest.slice(0, Math.max(0, rest.indexOf(quote)))
  if (opening.endsWith('<')) return /^[^<>\n]*/.exec(rest)?.[0] ?? ''
  // Brackets within a URL come in pairs.
  return /^(?:[^\s<>()]|\([^\s<>()]*\))*/.exec(rest)?.[0] ?? ''
}
