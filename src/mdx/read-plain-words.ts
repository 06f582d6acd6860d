import { isAllowedUrl } from './allowed-url.ts'
import { toProps } from './to-value.ts'
import type { MdxElement, MdxNode, MdxPlace, MdxValue } from './types.ts'

const nowhere: MdxPlace = { file: '', start: 0, end: 0 }

/** Letters that Markdown shows as they are. */
const words = '(?:[^\\0-\\x1f*_<>[\\]&\\\\~|#`@{}$]|(?<=[\\dA-Za-z])_(?=[\\dA-Za-z]))'
const code = '`[^`\\n]*[^`\\n\\s]`(?!`)'
const inside = `(?:${words}|\\n|${code})`
/** Code, a link, strong words, or words. */
const piece = new RegExp(
  [
    `(?<code>${code})`,
    `(?<!!)\\[(?<label>(?!\\^)${inside}+)\\]\\((?<url>(?:https?://|[/#])[\\w.~:/?#=%+,;@!'-]+)\\)`,
    `(?<![^\\s(])\\*\\*(?<strong>(?=[\\dA-Za-z\`])${inside}+(?<=[\\dA-Za-z.:!?)\`]))\\*\\*(?![^\\s.,:;!?)])`,
    `(?:${words}|\\n)+`,
  ].join('|'),
  'y',
)
/** What GitHub makes a link of without a mark. */
const address = /:\/\/|www\.|(?:mailto|xmpp):/i

/** The nodes of words with code, links and strong words among them, all in their simplest form; absent where the parser has to look. */
export function readPlainWords(text: string): readonly MdxNode[] | undefined {
  const nodes: MdxNode[] = []
  piece.lastIndex = 0
  while (piece.lastIndex < text.length) {
    const match = piece.exec(text)
    const node = match && toNode(match[0], match.groups ?? {})
    if (!node) return undefined
    nodes.push(node)
  }
  return nodes
}

function toNode(text: string, groups: Readonly<Record<string, string | undefined>>): MdxNode | undefined {
  const { code: isCode, label, url, strong } = groups
  if (isCode !== undefined) return toPlainElement('code', [{ kind: 'text', value: text.slice(1, -1) }])
  if (label !== undefined && url !== undefined) {
    const children = isAllowedUrl(url, 'link') ? readInside(label) : undefined
    return children && toPlainElement('a', children, [['href', url]])
  }
  if (strong !== undefined) {
    const children = readInside(strong)
    return children && toPlainElement('strong', children)
  }
  return address.test(text) ? undefined : { kind: 'text', value: text }
}

/** Words and code alone. */
function readInside(text: string): readonly MdxNode[] | undefined {
  const nodes: MdxNode[] = []
  for (const [index, part] of text.split('`').entries()) {
    if (part === '') continue
    if (index % 2 === 1) nodes.push(toPlainElement('code', [{ kind: 'text', value: part }]))
    else if (address.test(part)) return undefined
    else nodes.push({ kind: 'text', value: part })
  }
  return nodes
}

/** An element that stands nowhere in a file: nothing is ever found in it. */
export function toPlainElement(
  name: string,
  children: readonly MdxNode[],
  props: readonly (readonly [string, MdxValue])[] = [],
): MdxElement {
  return { kind: 'element', name, props: toProps(props), children, place: nowhere }
}
