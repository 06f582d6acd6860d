import { type ComponentChildren, isValidElement, toChildArray, type VNode } from 'preact'
import { capitalize } from '../../../text/plain/lists.ts'
import { convertMarkdocTags } from '../../../text/plain/scan-markdown.ts'
import { formatMessage } from '../../messages/format-message.ts'
import { EndpointBar } from '../api/endpoint-bar.tsx'
import { Part, Switch } from '../api/part.tsx'
import { BodyChoice, nameBody, requestTabs } from '../api/samples.tsx'
import { RowsSummary } from '../api/schema-content.tsx'
import { Facts } from '../api/schema-facts.tsx'
import { CodeTabs } from '../code/code-block.tsx'
import { Description } from '../components/markdown-text.tsx'
import { NestSummary } from '../components/nest-summary.tsx'
import { childrenOf, type PropsOf, plainOf, propsOf } from '../element-parts.ts'
import {
  type Block,
  codeSpan,
  escapeInline,
  escapeMarkdown,
  escapeStart,
  joinSentences,
  type ListItem,
  linkTo,
  toDestination,
  writeBlocks,
} from './write-markdown.ts'

// An API page is made once, as elements. Their HTML is for readers. This module prints the same elements as Markdown, so that neither has a fact that
// the other lacks. Descriptions are Markdown already. What readers only click is left out.

/** Blocks, and the parts of a line. */
type Piece =
  | Block
  | { readonly kind: 'inline'; readonly text: string }
  /** In parentheses after the other parts of its line, such as a type. */
  | { readonly kind: 'mark'; readonly text: string }
  /** The name in a row or list of terms, with its marks. */
  | { readonly kind: 'head'; readonly text: string }
  | { readonly kind: 'item'; readonly item: ListItem }

interface Printer {
  /** The URL for a link of the page; `undefined` for a place on it. */
  readonly toUrl: (href: string) => string | undefined
  /** The level of the next heading. */
  readonly level: number
}

/** Prints the elements of an API page as Markdown. Ends without a line break. */
export function elementsToMarkdown(elements: ComponentChildren, toUrl: Printer['toUrl'], level = 2): string {
  return writeBlocks(toBlocks(listPieces(elements, { toUrl, level })))
}

function listPieces(node: ComponentChildren, printer: Printer): Piece[] {
  const pieces: Piece[] = []
  addPieces(node, printer, pieces)
  return pieces
}

function addPieces(node: ComponentChildren, printer: Printer, pieces: Piece[]): void {
  if (typeof node === 'string' || typeof node === 'number') pieces.push(inline(escapeInline(String(node))))
  else if (Array.isArray(node)) for (const one of node as ComponentChildren[]) addPieces(one, printer, pieces)
  else if (isValidElement(node)) {
    const { type, props } = node
    const isElement = typeof type === 'string'
    const printed = isElement ? printElement(type, props as ElementProps, printer) : printComponent(node, printer)
    if (printed) pieces.push(...printed)
    else addPieces(childrenOf(node), printer, pieces)
  }
}

/** Prints the components whose Markdown differs from that of their elements. */
function printComponent(node: VNode, printer: Printer): Piece[] | undefined {
  const description = propsOf(node, Description)
  if (description) return [{ kind: 'text', text: convertMarkdocTags(description.text ?? '') }]
  const facts = propsOf(node, Facts)
  if (facts?.lead !== undefined) {
    const [first, ...more] = toBlocks(listPieces(Facts({ ...facts, lead: undefined }), printer))
    const lead = lineOf(listPieces(facts.lead, printer))
    const isLine = first?.kind === 'text'
    return [{ kind: 'text', text: isLine ? `${lead}: ${first.text}` : lead }, ...(first && !isLine ? [first] : []), ...more]
  }
  const part = propsOf(node, Part)
  if (part) {
    const notes = listPieces(part.note, printer)
    const note = lineOf(notes.filter(({ kind }) => kind === 'inline'))
    const head = [...listPieces(part.heading, printer), mark(note), ...notes.filter(({ kind }) => kind === 'mark')]
    return printSection(head, part.children, printer)
  }
  if (node.type === RowsSummary) return []
  const summary = propsOf(node, NestSummary)
  // Other summaries only count what follows.
  if (summary) return summary.label === summary.hidden ? [{ kind: 'text', text: `${escapeMarkdown(summary.label)}:` }] : []
  const choice = propsOf(node, Switch)
  if (choice) return printSwitch(choice, printer)
  const samples = propsOf(node, CodeTabs)
  if (samples) return printSamples(samples, printer)
  const bar = propsOf(node, EndpointBar)
  return bar && printEndpoint(bar)
}

function printSection(head: readonly Piece[], children: ComponentChildren, printer: Printer): Piece[] {
  const isMark = ({ kind }: Piece) => kind === 'mark'
  return [
    { kind: 'heading', text: lineOf(head.filter((piece) => !isMark(piece))), level: printer.level },
    { kind: 'text', text: lineOf(head.filter(isMark)) },
    ...listPieces(children, { ...printer, level: printer.level + 1 }),
  ]
}

function printSwitch({ legend, options }: PropsOf<typeof Switch>, printer: Printer): Piece[] {
  const items = options.map(({ label, content }): ListItem => {
    const [first, ...more] = toBlocks(listPieces(content, printer))
    const head = escapeMarkdown(label)
    // The name can be a link.
    if (first?.kind === 'text' && (first.text === head || first.text.startsWith(`[${head}](`)))
      return { head: first.text, blocks: more }
    return { head, blocks: first ? [first, ...more] : [] }
  })
  return [
    { kind: 'text', text: `${escapeMarkdown(capitalize(legend))}:` },
    { kind: 'list', items },
  ]
}

/** All samples of the author, or else the first that is generated. */
function printSamples({ legend, tabs, head }: PropsOf<typeof CodeTabs>, printer: Printer): Piece[] {
  const shown = tabs.filter(({ sample }, index) => sample === undefined || index === 0)
  const codes = shown.flatMap(({ label, code, language = '' }): Piece[] => [
    { kind: 'text', text: escapeMarkdown(label) },
    { kind: 'code', text: code, language },
  ])
  const menu = isValidElement(head) ? propsOf(head, BodyChoice) : undefined
  const others = menu?.bodies.slice(1).flatMap((body): Piece[] => {
    const name: Piece = { kind: 'text', text: `${escapeMarkdown(nameBody(body, menu.bodies))}:` }
    const made = requestTabs(menu.operation, menu.described, menu.api, body).find(({ sample }) => sample !== undefined)
    return made ? [name, { kind: 'code', text: made.code, language: made.language ?? '' }] : []
  })
  const words = menu ? [] : listPieces(head, printer)
  return [{ kind: 'heading', text: escapeMarkdown(legend), level: printer.level }, ...words, ...codes, ...(others ?? [])]
}

function printEndpoint({ operation, site }: PropsOf<typeof EndpointBar>): Piece[] {
  const { kind, method, path, servers, left } = operation
  const url = kind === 'operation' ? `${(servers[0]?.url ?? '').replace(/\/$/, '')}${path}` : path
  const request: Piece = { kind: 'code', text: `${method} ${url}`, language: 'http' }
  if (servers.length < 2) return [request]
  const items = servers.map((server): ListItem => {
    const text = escapeMarkdown(server.name ?? server.description ?? '')
    return { head: codeSpan(server.url), blocks: [{ kind: 'text', text }] }
  })
  const { reference: texts, language } = site.messages
  const rest = left.servers > 0 ? formatMessage(texts.more, { count: left.servers }, language) : ''
  return [request, { kind: 'text', text: `${texts.servers}:` }, { kind: 'list', items }, { kind: 'text', text: rest }]
}

type ElementProps = Readonly<{ class?: string; href?: string; popover?: string; children?: ComponentChildren }>

/** What readers click, and what is only for screen readers. */
const skippedElements = new Set('button select fieldset input svg audio template summary'.split(' '))

/** What the classes of elements say about their content. */
const classRoles = {
  skipped: ['needs-js', 'btn', 'vh'],
  mark: ['p-type', 'req', 'tag', 'muted'],
  word: ['m', 'mm', 'st'],
  code: ['p-name', 'mono'],
  head: ['p-head'],
  fold: ['fold'],
  list: ['usedby', 'cards'],
  card: ['card'],
  facts: ['facts'],
  line: ['api-line'],
} as const

type Role = keyof typeof classRoles
const roles = new Map<string, Role>(
  Object.entries(classRoles).flatMap(([role, names]) => names.map((name) => [name, role as Role])),
)
/** By the whole attribute. The classes of the pages are few. */
const knownRoles = new Map<string, Role | undefined>()

function roleOf(classes: string | undefined): Role | undefined {
  if (classes === undefined) return undefined
  if (!knownRoles.has(classes))
    knownRoles.set(
      classes,
      classes
        .split(' ')
        .map((name) => roles.get(name))
        .find(Boolean),
    )
  return knownRoles.get(classes)
}

function printElement(name: string, props: ElementProps, printer: Printer): Piece[] {
  const role = roleOf(props.class)
  if (role === 'skipped' || skippedElements.has(name) || props.popover !== undefined) return []
  if (role === 'fold') return printFold(props.children, printer)
  if (role === 'list')
    return [{ kind: 'list', items: toChildArray(props.children).map((child) => toItem(listPieces(child, printer))) }]
  if (role === 'line') {
    const parts = toChildArray(props.children).map((child) => lineOf(listPieces(child, printer)))
    return [{ kind: 'text', text: parts.filter((text) => text !== '').join(' · ') }]
  }
  if (role === 'card') {
    const [first, ...rest] = toChildArray(props.children)
    return [{ kind: 'head', text: lineOf(listPieces(first, printer)) }, ...toBlocks(listPieces(rest, printer))]
  }
  if (name === 'small' && role === 'code') return [mark(codeSpan(plainOf(props.children)))]
  if (role === 'code' || name === 'code') return [inline(codeSpan(plainOf(props.children)))]
  if (name === 'pre') return [{ kind: 'code', text: plainOf(props.children), language: '' }]
  const inside = listPieces(props.children, printer)
  if (role === 'head') return [{ kind: 'head', text: lineOf(inside) }]
  if (role === 'word') return [...inside, inline(' ')]
  if (name === 'small' || (name === 'span' && role === 'mark')) return [mark(lineOf(inside))]
  switch (name) {
    case 'a': {
      const url = printer.toUrl(props.href ?? '')
      if (url !== undefined && url === plainOf(props.children)) return [inline(toDestination(url))]
      return [inline(url === undefined ? lineOf(inside) : linkTo(lineOf(inside), url))]
    }
    case 'b':
      return [inline(`**${lineOf(inside)}**`)]
    case 's':
      return [inline(`~~${lineOf(inside)}~~`)]
    case 'i':
    case 'span':
    case 'time':
      return inside
    case 'h2':
      return printSection(inside, null, printer)
    case 'h3':
      return [{ kind: 'text', text: `${lineOf(inside)}:` }]
    case 'dt':
      return [{ kind: 'head', text: lineOf(inside) }]
    case 'li':
      return [{ kind: 'item', item: toItem(inside) }]
    case 'ul':
    case 'dl': {
      const items = name === 'ul' ? inside.flatMap((piece) => (piece.kind === 'item' ? [piece.item] : [])) : listTerms(inside)
      const lines = items.map(({ blocks }) => blocks.map((block) => (block.kind === 'text' ? block.text : '')).join(' '))
      return [role === 'facts' ? { kind: 'text', text: joinSentences(lines) } : { kind: 'list', items }]
    }
    default:
      return toBlocks(inside)
  }
}

/** A part that readers open: its first line is a heading. */
function printFold(children: ComponentChildren, printer: Printer): Piece[] {
  const [first, ...rest] = toChildArray(children)
  const head = isValidElement(first) ? listPieces(first.props.children, printer) : []
  return printSection(
    head.map((piece) => (piece.kind === 'heading' ? inline(piece.text) : piece)),
    rest,
    printer,
  )
}

function listTerms(pieces: readonly Piece[]): ListItem[] {
  const starts = pieces.flatMap(({ kind }, index) => (kind === 'head' ? [index] : []))
  return starts.map((start, index) => toItem(pieces.slice(start, starts[index + 1])))
}

function toItem(pieces: readonly Piece[]): ListItem {
  const head = pieces.find((piece) => piece.kind === 'head')
  return { head: head?.text ?? '', blocks: toBlocks(pieces.filter((piece) => piece !== head)) }
}

/** Makes paragraphs of the lines between blocks. */
function toBlocks(pieces: readonly Piece[]): Block[] {
  const blocks: Block[] = []
  let line: Piece[] = []
  const end = () => {
    const text = lineOf(line)
    if (text !== '') blocks.push({ kind: 'text', text })
    line = []
  }
  for (const piece of pieces) {
    if (piece.kind === 'inline' || piece.kind === 'mark' || piece.kind === 'head') line.push(piece)
    else if (piece.kind !== 'item') {
      end()
      blocks.push(piece)
    }
  }
  end()
  return blocks
}

function lineOf(pieces: readonly Piece[]): string {
  let text = ''
  const marks: string[] = []
  for (const piece of pieces) {
    if (piece.kind === 'mark') marks.push(piece.text)
    else if ('text' in piece) text += /\s$/.test(text) ? piece.text.trimStart() : piece.text
  }
  const noted = marks.filter((one) => one !== '').join(', ')
  const line = escapeStart(text.trim())
  if (noted === '') return line
  return line === '' ? noted : `${line} (${noted})`
}

function inline(text: string): Piece {
  return { kind: 'inline', text }
}

function mark(text: string): Piece {
  return { kind: 'mark', text }
}
