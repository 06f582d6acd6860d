import { diffArrays } from 'diff'
import { type ComponentChildren, h, isValidElement, type VNode } from 'preact'
import { addTo, formatNumber } from '../../../text/plain/lists.ts'
import { markdownToNodes } from '../../content/mdx-reader.ts'
import { ContentPart, toMediaTypes } from '../api/content-part.tsx'
import { Part } from '../api/part.tsx'
import { CodeBlock } from '../code/code-block.tsx'
import { CodeGroup } from '../components/code-group.tsx'
import { ContentNodes } from '../components/content-nodes.tsx'
import { Latex } from '../components/latex.tsx'
import { Description } from '../components/markdown-text.tsx'
import { NestSummary } from '../components/nest-summary.tsx'
import { CollapsiblePanels, listPanels, Tabs } from '../components/tabs.tsx'
import { Tooltip } from '../components/tooltip.tsx'
import { childrenOf, type PropsOf, propsOf } from '../element-parts.ts'

// Like `elements-to-markdown.ts`, this module reads the elements of a page before they are HTML.

/** An element of a page, with what a review shows of it. */
export interface Element {
  readonly name: string
  readonly id: string | undefined
  /** The attributes that are printed. */
  readonly attributes: Attributes
  children: Node[]
  /** Reads the children of a description, once. Most descriptions are the same in both versions, and not shown. */
  read?: (() => Node[]) | undefined
  /** Equal for elements with the same content. */
  readonly content: string
  /** Whether something in it differs, or has a note. */
  isChanged: boolean
}

export type Node = Element | string

type Attributes = Readonly<{ class?: string | undefined; href?: string | undefined; dir?: string | undefined }>
type ElementProps = Attributes & Readonly<{ id?: string; children?: ComponentChildren }>

/** What needs a script, another file or a click. Lines break without `wbr`. */
const leftOut = new Set('button input select template svg script style img audio video iframe form wbr'.split(' '))

/** Icons, what needs a script, and schemas that another page shows. */
const leftOutClasses = /\b(?:i|needs-js|row-filter|lazy)\b/

/**
 * Reads the elements of a page. Several pages become parts of one, so IDs are only kept for pairing, and links only if they lead to a
 * website.
 */
export function toTree(elements: ComponentChildren): Element {
  return toElement('div', { children: elements })
}

function toElement(name: string, { id, class: className, href = '', dir, children }: ElementProps): Element {
  const nodes: Node[] = []
  addNodes(children, nodes)
  const attributes = { class: className || undefined, href: /^https?:/i.test(href) ? href : undefined, dir }
  const content = `<${name} ${className ?? ''} ${attributes.href ?? ''}>${nodes.map(contentOf).join('')}</>`
  return { name, id, attributes, children: nodes, content, isChanged: false }
}

function addNodes(node: ComponentChildren, nodes: Node[]): void {
  if (typeof node === 'string' || typeof node === 'number') addText(String(node), nodes)
  else if (Array.isArray(node)) for (const one of node as ComponentChildren[]) addNodes(one, nodes)
  else if (isValidElement(node)) {
    const { type } = node
    const description = propsOf(node, Description)
    if (description) nodes.push(...toDescription(description))
    else if (typeof type !== 'string') addNodes(replaceComponent(node) ?? childrenOf(node), nodes)
    else {
      const props = node.props as ElementProps
      const isLeftOut = leftOut.has(type) || leftOutClasses.test(props.class ?? '')
      if (!isLeftOut) nodes.push(toElement(type, props))
    }
  }
}

function toDescription({ text = '', class: className = 'p-desc', api }: PropsOf<typeof Description>): Element[] {
  if (text.trim() === '') return []
  const read = () => toTree(<ContentNodes nodes={markdownToNodes(text)} context={api.site} page={api.page} />).children
  return [{ ...toElement('div', { class: className, dir: 'auto' }), content: `<div ${className}>${text}</>`, read }]
}

function readChildren(element: Element): Node[] {
  element.children = element.read?.() ?? element.children
  element.read = undefined
  return element.children
}

function addText(text: string, nodes: Node[]): void {
  const last = nodes.at(-1)
  if (typeof last === 'string') nodes[nodes.length - 1] = last + text
  else nodes.push(text)
}

/** Other elements for the components that print HTML, or of which readers choose what they see. */
function replaceComponent(node: VNode): ComponentChildren {
  const part = propsOf(node, Part)
  if (part) {
    const { id, heading, note, children } = part
    return (
      <section class="part">
        <h2 id={id}>
          <span class="h">{heading}</span> {note !== undefined && <small>{note}</small>}
        </h2>
        {children}
      </section>
    )
  }
  // Its count would differ with the rows that follow.
  const summary = propsOf(node, NestSummary)
  if (summary) return <summary>{summary.hidden}</summary>
  const block = propsOf(node, CodeBlock)
  if (block) return <pre>{block.code.value}</pre>
  // As if there were several, so that a second media type does not change the first one.
  const body = propsOf(node, ContentPart)
  if (body) return toMediaTypes(body).flatMap(({ label, content }) => [<h3>{label}</h3>, content])
  const tabs = propsOf(node, Tabs)
  if (tabs) return <CollapsiblePanels {...tabs} panels={listPanels(tabs.element)} />
  const codes = propsOf(node, CodeGroup)
  if (codes) return codes.show(codes.element.children)
  const word = propsOf(node, Tooltip)
  if (word) return [word.show(word.element.children), ' (', word.show(word.element.props['tip']), ')']
  const formula = propsOf(node, Latex)
  return formula && <ContentNodes {...formula} nodes={formula.element.children} />
}

function contentOf(node: Node): string {
  return typeof node === 'string' ? node : node.content
}

/** What is shown of the nodes of a page. */
export interface Shown {
  /** Shown after the first line of their element. */
  readonly notes: ReadonlyMap<Element, readonly VNode[]>
  /** Whether parts without a change or note are only counted. */
  readonly isShortened: boolean
}

/** Shows nodes. What readers open is open if something in it changed. */
export function showNodes(nodes: readonly Node[], shown: Shown): ComponentChildren[] {
  const isFolded = (node: Node | undefined) => typeof node === 'object' && shown.isShortened && isSame(node)
  return nodes.flatMap((node, index) => {
    if (typeof node === 'string') return node
    if (!isFolded(node)) return showElement(node, shown)
    if (isFolded(nodes[index - 1])) return []
    const after = nodes.slice(index).findIndex((other) => !isFolded(other))
    const count = after === -1 ? nodes.length - index : after
    return h(node.name === 'li' ? 'li' : 'p', { class: 'muted' }, `${formatNumber(count)} unchanged`)
  })
}

/** Whether an element is a part of the page, such as a row or a response, and nothing in it changed. */
function isSame({ id, name, isChanged }: Element): boolean {
  return id !== undefined && !/^(?:h\d|summary)$/.test(name) && !isChanged
}

function showElement(element: Element, shown: Shown): ComponentChildren {
  const { name, attributes, isChanged } = element
  const isOpen = name === 'details' && isChanged
  const [first, ...rest] = showNodes(readChildren(element), shown)
  return h(name, { ...attributes, ...(isOpen && { open: true }) }, first, shown.notes.get(element), rest)
}

/** The element with an ID and the elements around it, innermost first. */
export function findPath(root: Element, id: string): readonly Element[] {
  if (root.id === id) return [root]
  for (const child of root.children) {
    const path = typeof child === 'string' ? [] : findPath(child, id)
    if (path.length > 0) return [...path, root]
  }
  return []
}

/** For each node, the index of the node of `after` that belongs to it: by ID, else with the same content, else of the same kind. */
export function pairNodes(before: readonly Node[], after: readonly Node[]): readonly (number | undefined)[] {
  const partners = before.map((): number | undefined => undefined)
  const taken = new Set<number>()
  for (const toKey of [idOf, contentOf, kindOf]) {
    const waiting = new Map<string | undefined, number[]>()
    for (const [index, node] of after.entries()) if (!taken.has(index)) addTo(waiting, toKey(node), index)
    for (const [index, node] of before.entries()) {
      const key = toKey(node)
      const partner = partners[index] ?? (key === undefined ? undefined : waiting.get(key)?.shift())
      partners[index] = partner
      if (partner !== undefined) taken.add(partner)
    }
  }
  return partners
}

/** Sections have the ID of their heading. */
function idOf(node: Node | undefined): string | undefined {
  if (node === undefined || typeof node === 'string') return undefined
  if (node.id !== undefined || !/^(?:section|details|summary)$/.test(node.name)) return node.id
  return idOf(node.children[0]) ?? node.children.map(idOf).find((id) => id !== undefined)
}

function kindOf(node: Node): string | undefined {
  if (typeof node === 'string') return ''
  return idOf(node) === undefined ? `${node.name} ${node.attributes.class}` : undefined
}

/** Marks the words that differ: those of `before` with `del`, those of `after` with `ins`. */
export function markDifferences(before: Element, after: Element): void {
  const [from, to] = [readChildren(before), readChildren(after)]
  const partners = pairNodes(from, to)
  const added = to.map((node, index) => (partners.includes(index) ? [node] : [markWhole(node, 'ins')]))
  before.children = from.flatMap((node, index) => {
    const partner = partners[index] ?? -1
    const other = to[partner]
    if (other === undefined) return [markWhole(node, 'del')]
    if (typeof node === 'string' && typeof other === 'string') {
      const [deleted, inserted] = markWords(node, other)
      added[partner] = inserted
      return deleted
    }
    if (typeof node !== 'string' && typeof other !== 'string' && node.content !== other.content) markDifferences(node, other)
    return [node]
  })
  after.children = added.flat()
  const isChanged = (node: Node) => typeof node !== 'string' && node.isChanged
  // The text of a description can differ in what is not shown, such as its line breaks.
  before.isChanged = before.attributes.href !== after.attributes.href || [...before.children, ...after.children].some(isChanged)
  after.isChanged = before.isChanged
}

/** Marks each text of a node, because `ins` and `del` color no paragraphs and lists in them. */
function markWhole(node: Node, name: 'ins' | 'del'): Node {
  if (typeof node !== 'string') {
    node.children = readChildren(node).map((child) => markWhole(child, name))
    node.isChanged = true
    return node
  }
  return node.trim() === '' ? node : { name, id: undefined, attributes: {}, children: [node], content: '', isChanged: true }
}

/** A word or another character, with the space before it. */
const wordPattern = /\s*(?:[\p{L}\p{N}_]+|\S)|\s+$/gu

/** Texts with more different words are marked as a whole. */
const maxEditLength = 2_000

/** Marks the words that are not among the longest common words. */
function markWords(before: string, after: string): [deleted: Node[], inserted: Node[]] {
  const [from = [], to = []] = [before, after].map((text) => text.match(wordPattern) ?? [])
  const comparator = (one: string, other: string) => one.trim() === other.trim()
  const parts = diffArrays<string>(from, to, { comparator, maxEditLength })
  if (!parts) return [[markWhole(before, 'del')], [markWhole(after, 'ins')]]
  const [deleted, inserted]: [Node[], Node[]] = [[], []]
  let [row, column] = [0, 0]
  for (const { count, added, removed } of parts) {
    const [one, other] = [added ? [] : from.slice(row, row + count), removed ? [] : to.slice(column, column + count)]
    row += one.length
    column += other.length
    deleted.push(removed ? markWhole(one.join(''), 'del') : one.join(''))
    inserted.push(added ? markWhole(other.join(''), 'ins') : other.join(''))
  }
  return [deleted, inserted]
}
