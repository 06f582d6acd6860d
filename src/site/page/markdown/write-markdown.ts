/** Escapes plain text for one line, such as a title. Names in backticks stay code. */
export function escapeMarkdown(text: string): string {
  return escapeStart(escapeInline(text))
}

/** What has a meaning in Markdown. Most texts of a page have nothing of it. */
const special = /[\\`*[\]<>~_#&]|[^\S ]| {2}|https?:|www\./i

/** Escapes plain text within a line. */
export function escapeInline(text: string): string {
  if (!special.test(text)) return text
  const line = text.replace(/\s+/g, ' ')
  const parts = line.split('`')
  const escapePart = (part: string) =>
    part
      .replace(/[\\`*[\]<>~]|(?<=\])\(|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<!\S)#|&(?=#?\w+;)/gu, '\\$&')
      // GitHub makes a link of an address, with the escapes after it.
      .replace(/(?<=https?):(?=\/\/)|(?<=www)\./gi, '\\$&')
  const isPlain = parts.length % 2 === 0 || line.includes('``')
  return isPlain ? escapePart(line) : parts.map((part, index) => (index % 2 === 1 ? `\`${part}\`` : escapePart(part))).join('')
}

/** Escapes what would begin a list or a rule. */
export function escapeStart(line: string): string {
  return line.replace(/^( ?\d{0,9})([-+=]+|[.)])(?=\s|$)/, '$1\\$2')
}

/** A code span, with delimiters that are longer than any run of backticks in it. */
export function codeSpan(code: string): string {
  // A blank line would end it, and readers would take a line break for a space.
  const text = code.replace(/\r\n?|\n/g, '\\n')
  const longest = longestRun(text)
  const fence = '`'.repeat(longest + 1)
  if (text === '') return '`""`'
  return longest > 0 || text.startsWith(' ') ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`
}

/** The most backticks in a row. Most code has none. */
function longestRun(text: string): number {
  return text.includes('`') ? Math.max(...Array.from(text.matchAll(/`+/g), ([run]) => run.length)) : 0
}

/** A fenced code block, with a fence that is longer than any in the text. */
function codeBlock(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  // With a backtick after it, a fence would be inline code.
  return `${fence}${/[`\s]/.test(language) ? '' : language}\n${text}\n${fence}`
}

/** A link with a text that is already Markdown. */
export function linkTo(text: string, url: string): string {
  return `[${text}](${toDestination(url)})`
}

/** Encodes the characters that could end the destination of a link. */
export function toDestination(url: string): string {
  return url.replace(/[\s()<>\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}

/** A block of Markdown. Texts are already escaped. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly language: string }
  | { readonly kind: 'heading'; readonly text: string; readonly level: number }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }

/** An item of a list: a name with its marks, and everything about it. */
export interface ListItem {
  readonly head: string
  readonly blocks: readonly Block[]
}

/** Writes blocks with blank lines between them. */
export function writeBlocks(blocks: readonly Block[]): string {
  return blocks
    .map(writeBlock)
    .filter((text) => text !== '')
    .join('\n\n')
}

function writeBlock(block: Block): string {
  if (block.kind === 'text') return block.text.trim()
  if (block.kind === 'code') return codeBlock(block.text, block.language)
  if (block.kind === 'heading') return `${'#'.repeat(Math.min(block.level, 6))} ${block.text}`
  return block.items.map(writeItem).join('\n')
}

/** Writes the texts of an item on one line as long as they are short: `name (type): description. Limits`. */
function writeItem({ head, blocks }: ListItem): string {
  let written = head
  for (const block of blocks) {
    const text = writeBlock(block)
    // The type of a row already links to the page of its schema.
    if (text === '' || (block.kind === 'text' && head.includes(text))) continue
    const isText = block.kind === 'text' && !/^(?:`{3}|~{3}|[-*+] |\d+[.)] |#|>|\|)/.test(text)
    if (written === '') written = text
    else if (!isText) written += written === head && block.kind !== 'list' ? `:\n${text}` : `\n${text}`
    else if (written === head) written += `: ${text}`
    else written += written.includes('\n') ? `\n\n${text}` : `${endSentence(written)}${text}`
  }
  return `- ${written.replace(/\n(?=.)/g, '\n  ')}`
}

/** What separates a text from the next sentence on its line. */
function endSentence(text: string): string {
  return /[.!?:…]$/.test(text) ? ' ' : '. '
}

/** Sentences on one line. */
export function joinSentences(sentences: readonly string[]): string {
  const [first = '', ...more] = sentences.filter((sentence) => sentence !== '')
  return more.reduce((line, sentence) => `${line}${endSentence(line)}${sentence}`, first)
}
