import { calloutNames } from './read-callout.ts'
import { readPlainWords, toPlainElement } from './read-plain-words.ts'
import type { MdxElement, MdxNode } from './types.ts'

/** Ends in a hard break, or is indented in ways that count. */
const special = / \n|[ \t]$|\t/
/** What every line begins with: nothing that begins a list, a heading, a quote, a table or a rule. */
const lineStart = /^(?!\d+[.)])(?:[\dA-Za-z"'(`]|\*\*\S|\[[^\]^])/
const alert = /^> \[!(note|tip|important|warning|caution)\]\n/i

/**
 * The nodes of a text that is nothing but paragraphs, lists of one line an item and callouts, of words with the usual marks, as nearly all
 * descriptions are; absent where the parser has to look. It says what the parser says, some hundred times as fast.
 */
export function readPlainText(text: string): readonly MdxNode[] | undefined {
  const trimmed = text.replace(/^\n+|\n+$/g, '')
  if (trimmed === '' || trimmed.length > 5_000 || special.test(trimmed)) return undefined
  const nodes: MdxElement[] = []
  for (const block of trimmed.split(/\n{2,}/)) {
    const read = readBlock(block)
    // Lists after each other are one, with more room between its items.
    if (!read || (read[0]?.name === 'ul' && nodes.at(-1)?.name === 'ul')) return undefined
    nodes.push(...read)
  }
  return nodes
}

function readBlock(block: string): readonly MdxElement[] | undefined {
  if (block.startsWith('>')) return readAlert(block)
  const lines = block.split('\n')
  const firstItem = lines.findIndex((line) => /^[-*] /.test(line))
  if (firstItem === -1) return readParagraph(lines)
  const list = readList(lines.slice(firstItem))
  if (firstItem === 0) return list
  const paragraph = readParagraph(lines.slice(0, firstItem))
  return list && paragraph && [...paragraph, ...list]
}

function readParagraph(lines: readonly string[]): readonly MdxElement[] | undefined {
  if (!lines.every((line) => lineStart.test(line))) return undefined
  const words = readPlainWords(lines.join('\n'))
  return words && [toPlainElement('p', words)]
}

function readList(lines: readonly string[]): readonly MdxElement[] | undefined {
  const mark = lines[0]?.charAt(0) ?? ''
  const items: MdxElement[] = []
  for (const line of lines) {
    const item = line.slice(2)
    if (!line.startsWith(`${mark} `) || !lineStart.test(item)) return undefined
    const words = readPlainWords(item)
    if (!words) return undefined
    items.push(toPlainElement('li', words))
  }
  return [toPlainElement('ul', items)]
}

/** A quote that begins with `[!NOTE]` and the like, each of its lines with a mark. */
function readAlert(block: string): readonly MdxElement[] | undefined {
  const [first = '', word = ''] = alert.exec(block) ?? []
  const name = calloutNames[word.toLowerCase()]
  if (name === undefined) return undefined
  const lines = block.slice(first.length).split('\n')
  if (!lines.every((line) => line.startsWith('> '))) return undefined
  const paragraph = readParagraph(lines.map((line) => line.slice(2)))
  return paragraph && [toPlainElement(name, paragraph)]
}
