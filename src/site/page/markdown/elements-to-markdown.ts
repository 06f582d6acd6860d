import { type ComponentChildren, h, isValidElement, toChildArray, type VNode } from 'preact'
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
    const printed = typeof type === 'string' ? undefined : printComponent(node, printer)
    if (typeof type === 'string') printElement(type, props as ElementProps, printer, pieces)
    else if (printed) pieces.push(...printed)
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
    const lead = lineIn(facts.lead, printer)
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
  mark: ['p-type', 'tag', 'muted'],
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
  if (!knownRoles.has(classes)) knownRoles.set(classes, roles.get(classes.split(' ').find((name) => roles.has(name)) ?? ''))
  return knownRoles.get(classes)
}

type PrintElement = (props: ElementProps, printer: Printer, pieces: Piece[]) => void

function printElement(name: string, props: ElementProps, printer: Printer, pieces: Piece[]): void {
  const role = roleOf(props.class)
  if (role === 'skipped' || skippedElements.has(name) || props.popover !== undefined) return
  const print = (name === 'small' || role === undefined ? undefined : rolePrinters[role]) ?? elementPrinters.get(name)
  if (print) print(props, printer, pieces)
  else pieces.push(...toBlocks(listPieces(props.children, printer)))
}

const printParts: PrintElement = ({ children }, printer, pieces) => addPieces(children, printer, pieces)
const printCode: PrintElement = ({ children }, _, pieces) => pieces.push(inline(codeSpan(plainOf(children))))
const printMark: PrintElement = ({ children }, printer, pieces) => pieces.push(mark(lineIn(children, printer)))
const printHead: PrintElement = ({ children }, printer, pieces) => pieces.push({ kind: 'head', text: lineIn(children, printer) })

/** Of elements whose class says more than their name. */
const rolePrinters: Partial<Record<Role, PrintElement>> = {
  fold: ({ children }, printer, pieces) => pieces.push(...printFold(children, printer)),
  list: ({ children }, printer, pieces) =>
    pieces.push({ kind: 'list', items: toChildArray(children).map((child) => toItem(listPieces(child, printer))) }),
  line: ({ children }, printer, pieces) => {
    const parts = toChildArray(children).map((child) => lineIn(child, printer))
    pieces.push({ kind: 'text', text: parts.filter((text) => text !== '').join(' · ') })
  },
  card: ({ children }, printer, pieces) => {
    const [first, ...rest] = toChildArray(children)
    pieces.push({ kind: 'head', text: lineIn(first, printer) }, ...toBlocks(listPieces(rest, printer)))
  },
  code: printCode,
  // The name of a row is a link without a class.
  head: ({ children }, ...to) => {
    const toPart = (child: ComponentChildren) =>
      isValidElement(child) && child.type === 'a' ? h('code', {}, plainOf(child)) : child
    printHead({ children: toChildArray(children).map(toPart) }, ...to)
  },
  word: ({ children }, printer, pieces) => {
    addPieces(children, printer, pieces)
    pieces.push(inline(' '))
  },
}

const elementPrinters = new Map(
  Object.entries<PrintElement>({
    a: ({ href = '', children }, printer, pieces) => {
      const url = printer.toUrl(href)
      const isAddress = url !== undefined && url === plainOf(children)
      const text = isAddress ? toDestination(url) : lineIn(children, printer)
      pieces.push(inline(isAddress || url === undefined ? text : linkTo(text, url)))
    },
    b: ({ children }, printer, pieces) => pieces.push(inline(`**${lineIn(children, printer)}**`)),
    s: ({ children }, printer, pieces) => pieces.push(inline(`~~${lineIn(children, printer)}~~`)),
    i: printMark,
    em: printMark,
    time: printParts,
    span: (props, ...to) => (roleOf(props.class) === 'mark' ? printMark(props, ...to) : printParts(props, ...to)),
    small: ({ class: name, children }, printer, pieces) =>
      pieces.push(mark(roleOf(name) === 'code' ? codeSpan(plainOf(children)) : lineIn(children, printer))),
    code: printCode,
    pre: ({ children }, _, pieces) => pieces.push({ kind: 'code', text: plainOf(children), language: '' }),
    h2: ({ children }, printer, pieces) => pieces.push(...printSection(listPieces(children, printer), null, printer)),
    h3: ({ children }, printer, pieces) => pieces.push({ kind: 'text', text: `${lineIn(children, printer)}:` }),
    dt: printHead,
    li: ({ children }, printer, pieces) => pieces.push({ kind: 'item', item: toItem(listPieces(children, printer)) }),
    ul: ({ class: name, children }, printer, pieces) => {
      const items = listPieces(children, printer).flatMap((piece) => (piece.kind === 'item' ? [piece.item] : []))
      pieces.push(toList(items, roleOf(name)))
    },
    dl: ({ class: name, children }, printer, pieces) =>
      pieces.push(toList(listTerms(listPieces(children, printer)), roleOf(name))),
  }),
)

function toList(items: readonly ListItem[], role: Role | undefined): Piece {
  if (role !== 'facts') return { kind: 'list', items }
  const lines = items.map(({ blocks }) => blocks.map((block) => (block.kind === 'text' ? block.text : '')).join(' '))
  return { kind: 'text', text: joinSentences(lines) }
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

function lineIn(node: ComponentChildren, printer: Printer): string {
  return lineOf(listPieces(node, printer))
}

function lineOf(pieces: readonly Piece[]): string {
  let text = ''
  const marks: string[] = []
  for (const piece of pieces) {
    if (piece.kind === 'mark') marks.push(piece.text)
    else if ('text' in piece) text += text.length > text.trimEnd().length ? piece.text.trimStart() : piece.text
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
