import { toProps } from './to-value.ts'
import type { MdxNode, MdxPlace } from './types.ts'

/** Lines of words with spans of code between, which Markdown shows as they are: no other mark, no address, no list. */
const plain = /^(?:[A-Za-z"'(][^\n*_<>[\]&\\~|#`@{}$]*(?:`[^`\n]*[^`\n\s]`[^\n*_<>[\]&\\~|#`@{}$]*)*(?:\n(?!$)|$))+$/
/** What GitHub makes a link of without a mark, and what ends in a hard break. */
const special = /:\/\/|www\.|(?:mailto|xmpp):| \n|\n[=-]|[ \t]$|\t/i

const nowhere: MdxPlace = { file: '', start: 0, end: 0 }

/**
 * The nodes of a text that Markdown has nothing to say about, as most descriptions are; absent where the parser has to look. It is some
 * hundred times as fast as the parser.
 */
export function readPlainText(text: string): readonly MdxNode[] | undefined {
  if (text.length > 2_000 || special.test(text) || !plain.test(text)) return undefined
  const children = text.split('`').flatMap((part, index): MdxNode[] => {
    if (part === '') return []
    if (index % 2 === 0) return [{ kind: 'text', value: part }]
    return [
      { kind: 'element', name: 'code', props: toProps([]), children: [{ kind: 'text', value: toCode(part) }], place: nowhere },
    ]
  })
  return [{ kind: 'element', name: 'p', props: toProps([]), children, place: nowhere }]
}

/** One blank at both ends of a span belongs to its marks. */
function toCode(text: string): string {
  return text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '' ? text.slice(1, -1) : text
}
