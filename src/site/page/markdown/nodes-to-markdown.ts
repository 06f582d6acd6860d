import type { BlockContent, DefinitionContent, List, ListItem, Paragraph, PhrasingContent, RootContent, TableRow } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown } from 'mdast-util-to-markdown'
import { type MdxElement, type MdxNode, propsIn, textOf, valueToNodes, valueToText } from '../../../script/values/values.ts'
import { readOwn } from '../../../text/json/json-values.ts'
import { toCode } from '../components/code-block-component.tsx'
import { childrenNamed, readFlag, readText, readTexts } from '../components/component-props.tsx'
import { groupSiblings } from '../components/content-nodes.tsx'
import { readRepository, toRepositoryUrl } from '../components/github-repo.tsx'
import { readMarkdown } from '../components/markdown-prop.ts'
import { toSteps } from '../components/steps.tsx'
import { listToTree } from '../components/tree.tsx'

type Block = BlockContent | DefinitionContent

/** Resolves a URL of a page; `undefined` if the URL is not allowed. */
type ToAddress = (url: string, use: 'link' | 'media') => string | undefined

/** Converts the nodes of a page to plain Markdown without components. The result ends with a line break, or is empty. */
export function nodesToMarkdown(nodes: readonly MdxNode[], toAddress: ToAddress): string {
  // As on most API pages. Preparing the writer takes long.
  if (nodes.length === 0) return ''
  return toMarkdown(
    { type: 'root', children: toBlocks(nodes, toAddress) as RootContent[] },
    { extensions: [gfmToMarkdown({ tablePipeAlign: false })], bullet: '-', emphasis: '_', listItemIndent: 'one', rule: '-' },
  )
}

function toBlocks(nodes: readonly MdxNode[], toAddress: ToAddress): Block[] {
  const blocks: Block[] = []
  let line: PhrasingContent[] = []
  const end = () => {
    const isEmpty = line.every((one) => one.type === 'text' && one.value.trim() === '')
    if (!isEmpty) blocks.push({ type: 'paragraph', children: trim(line) })
    line = []
  }
  for (const node of groupSiblings(nodes)) {
    const inline = node.kind === 'code' ? undefined : toInline(node, toAddress)
    // Between components, MDX has no space.
    const last = line.at(-1)
    const isApart =
      last && !('value' in last && /\s$/.test(last.value)) && node.kind === 'element' && /^(?:Button|Visibility)$/.test(node.name)
    if (inline) line.push(...(isApart ? [text(' ')] : []), ...inline)
    else {
      end()
      blocks.push(...toBlock(node, toAddress))
    }
  }
  end()
  return blocks
}

/** Removes whitespace at the ends of a paragraph and after line breaks, which would be written as character references. */
function trim(children: readonly PhrasingContent[]): PhrasingContent[] {
  const last = children.length - 1
  return children.map((child, index) => {
    if (child.type !== 'text') return child
    let { value } = child
    value = value.replace(/(?<![ \t])[ \t]*\n\s*/g, '\n')
    if (index === 0 || children[index - 1]?.type === 'break') value = value.trimStart()
    if (index === last) value = value.trimEnd()
    return { ...child, value }
  })
}

const inlineNames: Readonly<Record<string, 'emphasis' | 'strong' | 'delete'>> = {
  em: 'emphasis',
  i: 'emphasis',
  strong: 'strong',
  b: 'strong',
  del: 'delete',
  s: 'delete',
}
/** Inline elements that are replaced with their content. */
const plainNames = new Set(
  'span u small sup sub mark abbr font label q cite time ins big dfn bdi bdo data Badge Visibility'.split(' '),
)

/** Converts an inline node; `undefined` for blocks. */
function toInline(node: MdxNode, toAddress: ToAddress): PhrasingContent[] | undefined {
  if (node.kind === 'text') return [text(node.value)]
  if (node.kind === 'code') return undefined
  const { name, props, children } = node
  const inside = () => toLine(children, toAddress)
  const mark = Object.hasOwn(inlineNames, name) ? inlineNames[name] : undefined
  if (mark !== undefined) return [{ type: mark, children: inside() }]
  if (name === 'Latex' && props['block'] === true) return undefined
  if (/^(?:code|kbd|samp|var|tt|Kbd|Latex)$/.test(name)) return [inlineCode(textOf(children))]
  if (name === 'br') return [{ type: 'break' }]
  if (name === 'img') {
    const url = toAddress(readText(props, 'src') ?? '', 'media')
    return url === undefined ? [] : [{ type: 'image', url, alt: readText(props, 'alt') ?? '' }]
  }
  if (name === 'a' || name === 'Link' || name === 'Button') {
    const url = toAddress(readText(props, 'href', 'to') ?? '', 'link')
    return url === undefined || textOf(children) === '' ? inside() : [link(url, inside())]
  }
  if (name === 'Tooltip') {
    const url = toAddress(readText(props, 'href') ?? '', 'link')
    const headline = propToLine(node, 'headline', toAddress)
    const cta = propToLine(node, 'cta', toAddress)
    const parts = [
      headline.length > 0 ? [strong(headline)] : [],
      propToLine(node, 'tip', toAddress),
      url === undefined ? [] : [link(url, cta.length > 0 ? cta : [text(url)])],
    ].filter((part) => part.length > 0)
    const tip = parts.flatMap((part, index) => [text(index === 0 ? ' (' : ' '), ...part])
    return parts.length === 0 ? inside() : [...inside(), ...tip, text(')')]
  }
  if (name === 'Icon' || name === 'svg') return []
  if (name === 'Visibility' && children.some((child) => child.kind === 'element' && !toInline(child, toAddress))) return undefined
  if (name === 'Visibility' && readText(props, 'for') === 'humans') return []
  return plainNames.has(name) ? inside() : undefined
}

/** Converts nodes to inline content. Blocks become their lines. */
function toLine(nodes: readonly MdxNode[], toAddress: ToAddress): PhrasingContent[] {
  return nodes.flatMap((node) => toInline(node, toAddress) ?? toBlock(node, toAddress).flatMap(listLines))
}

function listLines(block: Block | ListItem | TableRow): PhrasingContent[] {
  if (block.type === 'code') return [text(block.value)]
  if (!('children' in block)) return []
  if (block.type === 'paragraph' || block.type === 'heading') return [...block.children, text(' ')]
  if (block.type === 'tableRow') return block.children.flatMap((cell) => [...cell.children, text(' ')])
  return block.children.flatMap(listLines)
}

function toBlock(node: MdxNode, toAddress: ToAddress): Block[] {
  if (node.kind === 'text') return []
  if (node.kind === 'code') {
    const meta = node.meta.replace(/\btheme=\{[^}]*\}?/g, '').trim()
    return [codeBlock(node.language ?? null, node.value, node.language !== undefined && meta !== '' ? meta : null)]
  }
  return /^[a-z]/.test(node.name) ? elementToBlocks(node, toAddress) : componentToBlocks(node, toAddress)
}

function elementToBlocks(element: MdxElement, toAddress: ToAddress): Block[] {
  const { name, props, children } = element
  const inside = () => toBlocks(children, toAddress)
  switch (name) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return [{ type: 'heading', depth: Math.max(2, Number(name.charAt(1))) as 2, children: toLine(children, toAddress) }]
    case 'hr':
      return [{ type: 'thematicBreak' }]
    case 'blockquote':
      return [{ type: 'blockquote', children: inside() }]
    case 'ul':
    case 'ol':
      return toList(childrenNamed(element, 'li'), name === 'ol', (item) => toBlocks(item.children, toAddress))
    case 'table':
      return toTable(element, toAddress)
    case 'iframe':
    case 'video':
    case 'audio': {
      const url = toAddress(readText(props, 'src') ?? '', 'link')
      return url === undefined ? inside() : [paragraph(link(url, [text(readText(props, 'title') ?? url)]))]
    }
    case 'summary':
      return [paragraph(strong(toLine(children, toAddress)))]
    default:
      return inside()
  }
}

function componentToBlocks(component: MdxElement, toAddress: ToAddress): Block[] {
  const { name, props, children } = component
  const inside = () => toBlocks(children, toAddress)
  switch (name) {
    case 'Latex':
      return [codeBlock('latex', textOf(children).trim())]
    case 'Note':
    case 'Info':
    case 'Tip':
    case 'Check':
    case 'Warning':
    case 'Danger':
    case 'Callout':
    case 'Banner': {
      const label = readText(props, 'title') ?? (name === 'Callout' || name === 'Banner' ? 'Note' : name)
      return [{ type: 'blockquote', children: [paragraph(strong([text(label)])), ...inside()] }]
    }
    case 'Card':
    case 'Tile':
      return toCard(component, toAddress)
    case 'CardGroup':
    case 'Columns':
    case 'Tiles': {
      const cards = listElements(children)
      const isCard = ({ name }: MdxElement) => name === 'Card' || name === 'Tile'
      const isBlank = (child: MdxNode) => child.kind === 'text' && child.value.trim() === ''
      const areCards = cards.length > 0 && children.every((child) => (child.kind === 'element' ? isCard(child) : isBlank(child)))
      return areCards ? toList(cards, false, (card) => toBlock(card, toAddress)) : inside()
    }
    case 'Tab':
    case 'View':
    case 'Accordion':
    case 'Expandable':
    case 'Color.Row': {
      const label = ['title', 'label', 'name'].find((prop) => readText(props, prop) !== undefined) ?? 'title'
      const description = propToLine(component, 'description', toAddress)
      return [...toTitle(propToLine(component, label, toAddress)), ...toParagraph(description), ...inside()]
    }
    case 'Views':
      return children.flatMap((child) => toBlock(child, toAddress))
    case 'Tabs':
      return children.flatMap((child) =>
        child.kind === 'element' && child.name === 'Tab' ? toBlock(child, toAddress) : toBlocks([child], toAddress),
      )
    case 'Steps':
      return toList(toSteps(component), true, (step) => [
        ...toTitle(propToLine(step, 'title', toAddress)),
        ...toBlocks(step.children, toAddress),
      ])
    case 'Frame': {
      const caption = markdownToLine(component, 'caption', toAddress)
      const shown = caption.length > 0 ? [paragraph({ type: 'emphasis', children: caption })] : []
      return [...toParagraph(markdownToLine(component, 'hint', toAddress)), ...inside(), ...shown]
    }
    case 'Update': {
      const label = [readText(props, 'label'), readText(props, 'description'), ...readTexts(props, 'tags')]
        .filter((part) => part !== undefined)
        .join(' · ')
      return [{ type: 'heading', depth: 2, children: [text(label)] }, ...inside()]
    }
    case 'Fields':
      return toList(listElements(children), false, (field) => toField(field, toAddress))
    case 'Tree':
    case 'FileTree':
      return toTree(children, toAddress)
    case 'Tree.Folder':
      return [toEntry(component, '/'), ...toTree(children, toAddress)]
    case 'Tree.File':
      return [toEntry(component, '')]
    case 'Color.Item':
      return [toColor(component)]
    case 'CodeBlock':
      return toBlock(toCode(component), toAddress)
    case 'GitHub.Repo': {
      const repo = readRepository(readText(props, 'repo') ?? '')
      return repo === undefined ? [] : [paragraph(link(toRepositoryUrl(repo), [text(repo)]))]
    }
    case 'Mermaid':
      return [
        ...toTitle(propToLine(component, 'title', toAddress)),
        codeBlock('mermaid', readText(props, 'chart', 'code') ?? textOf(children).trim()),
      ]
    case 'Prompt': {
      const label = ['description', 'title'].find((prop) => readOwn(props, prop) !== undefined)
      const title = label === undefined ? [text('Prompt')] : markdownToLine(component, label, toAddress)
      return [paragraph(strong(title)), { type: 'blockquote', children: inside() }]
    }
    case 'Unavailable': {
      const url = toAddress(readText(props, 'href') ?? '', 'link')
      const title = children.length > 0 ? toLine(children, toAddress) : propToLine(component, 'title', toAddress)
      if (url !== undefined) return [paragraph(link(url, title.length > 0 ? title : [text(url)]))]
      return children.length > 0 ? inside() : toParagraph(title)
    }
    case 'Visibility':
      return readText(props, 'for') === 'humans' ? [] : inside()
    default:
      return inside()
  }
}

/** Converts a prop that holds text or elements. */
function propToLine({ props }: MdxElement, prop: string, toAddress: ToAddress): PhrasingContent[] {
  return toLine(valueToNodes(readOwn(props, prop) ?? null), toAddress)
}

/** Converts a prop that holds Markdown. */
function markdownToLine({ props }: MdxElement, prop: string, toAddress: ToAddress): PhrasingContent[] {
  return toLine(readMarkdown(readOwn(props, prop)) ?? [], toAddress)
}

function listElements(nodes: readonly MdxNode[]): MdxElement[] {
  return nodes.filter((node) => node.kind === 'element')
}

function paragraph(...children: PhrasingContent[]): Paragraph {
  return { type: 'paragraph', children }
}

/** A paragraph, or nothing without content. */
function toParagraph(children: readonly PhrasingContent[]): Paragraph[] {
  return children.length === 0 ? [] : [paragraph(...children)]
}

function toTitle(children: PhrasingContent[]): Paragraph[] {
  return children.length === 0 ? [] : [paragraph(strong(children))]
}

function text(value: string): PhrasingContent {
  return { type: 'text', value }
}

function strong(children: PhrasingContent[]): PhrasingContent {
  return { type: 'strong', children }
}

function link(url: string, children: PhrasingContent[]): PhrasingContent {
  return { type: 'link', url, children }
}

function inlineCode(value: string): PhrasingContent {
  return { type: 'inlineCode', value }
}

function codeBlock(lang: string | null, value: string, meta: string | null = null): Block {
  return { type: 'code', lang, meta, value }
}

function toCard(card: MdxElement, toAddress: ToAddress): Block[] {
  const url = toAddress(readText(card.props, 'href') ?? '', 'link')
  const title = propToLine(card, 'title', toAddress)
  const cta = propToLine(card, 'cta', toAddress)
  return [
    ...(url === undefined ? toTitle(title) : [paragraph(link(url, title.length > 0 ? title : [text(url)]))]),
    ...toParagraph(propToLine(card, 'description', toAddress)),
    ...toBlocks(card.children, toAddress),
    ...toParagraph(url === undefined || cta.length === 0 ? cta : [link(url, cta)]),
  ]
}

function toTree(nodes: readonly MdxNode[], toAddress: ToAddress): Block[] {
  return toList(listElements(nodes.flatMap(listToTree)), false, (entry) => toBlock(entry, toAddress))
}

function toColor({ props }: MdxElement): Block {
  const { name, value } = props
  const themes = Object.entries(propsIn(value)).map(([key, one]) => `${key} ${one}`)
  return paragraph(text(`${valueToText(name)}: `), inlineCode(themes.join(', ') || String(value)))
}

function toList(items: readonly MdxElement[], ordered: boolean, toChildren: (item: MdxElement) => Block[]): List[] {
  const children = items.map((item): ListItem => {
    const checked = item.props['checked']
    const blocks = toChildren(item)
    return { type: 'listItem', spread: false, ...(typeof checked === 'boolean' && { checked }), children: blocks }
  })
  return children.length === 0
    ? []
    : [{ type: 'list', ordered, spread: children.some((child) => child.children.length > 1), children }]
}

function toEntry({ props }: MdxElement, end: string): Paragraph {
  const comment = readText(props, 'comment')
  return paragraph(inlineCode(`${readText(props, 'name') ?? ''}${end}`), ...(comment === undefined ? [] : [text(` ${comment}`)]))
}

/** Converts a field to "`name` (type, query, required)" and its description. */
function toField({ props, children }: MdxElement, toAddress: ToAddress): Block[] {
  const location = ['path', 'query', 'body', 'header', 'cookie'].find((one) => readText(props, one) !== undefined)
  const preset = readText(props, 'default', 'initialValue')
  const example = readText(props, 'placeholder')
  const details = [
    ...readTexts(props, 'pre'),
    readText(props, 'type'),
    location,
    ...['required', 'optional', 'deprecated'].filter((flag) => readFlag(props, flag)),
    ...readTexts(props, 'post'),
    preset === undefined ? undefined : `default ${preset}`,
    example === undefined ? undefined : `example ${example}`,
  ]
    .filter((label) => label !== undefined)
    .join(', ')
  const name = readText(props, location ?? 'name') ?? ''
  const head = [...(name === '' ? [] : [inlineCode(name)]), text(details === '' ? '' : `${name === '' ? '' : ' '}(${details})`)]
  return [paragraph(...head), ...toBlocks(children, toAddress)]
}

function toTable(table: MdxElement, toAddress: ToAddress): Block[] {
  const captions = childrenNamed(table, 'caption').flatMap((caption) => toBlocks(caption.children, toAddress))
  const rows = listRows(table).map(
    (row): TableRow => ({
      type: 'tableRow',
      children: row.children.flatMap((cell) =>
        cell.kind === 'element' && /^t[hd]$/.test(cell.name)
          ? [{ type: 'tableCell', children: toLine(cell.children, toAddress) } as const]
          : [],
      ),
    }),
  )
  return [...captions, ...(rows.length === 0 ? [] : [{ type: 'table', children: rows } as const])]
}

function listRows(element: MdxElement): MdxElement[] {
  return element.children.flatMap((child) => (child.kind !== 'element' ? [] : child.name === 'tr' ? [child] : listRows(child)))
}
