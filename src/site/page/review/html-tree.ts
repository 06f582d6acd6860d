import { diffArrays } from 'diff'
import { addTo } from '../../../text/plain/lists.ts'

/** An element of rendered HTML, with what a review shows of it. */
export interface Element {
  readonly name: string
  readonly id: string | undefined
  /** The attributes that are printed. */
  readonly attributes: string
  children: Node[]
  /** The HTML as it was rendered. */
  html: string
  /** Whether something in it differs, or a note was added. */
  isChanged: boolean
}

/** Text is escaped. */
export type Node = Element | string

/** A tag with its attributes, or text. */
const partPattern = /<(\/?)([a-z][\w-]*)((?:"[^"]*"|[^"<>])*)>|[^<]+|</gi

const voidElements = new Set('br hr img input wbr use col source'.split(' '))

/** What needs a script, another file or a click. */
const leftOut = new Set('button input select template svg script style img audio video iframe form'.split(' '))

/**
 * Parses HTML that components rendered, which is well-formed. Several pages become parts of one, so IDs are only kept for pairing, and links
 * only if they lead to a website.
 */
export function parseRendered(html: string): Element {
  const root = toElement('div', '')
  const open = [root]
  for (const [part, end, name, attributes = ''] of html.matchAll(partPattern)) {
    const around = open.at(-1) ?? root
    if (name === undefined) around.children.push(part)
    else if (end === '/') {
      const closed = open.pop() ?? root
      closed.html = `<${name}${closed.attributes}>${closed.children.map(htmlOf).join('')}</${name}>`
    } else {
      const element = toElement(name, attributes)
      if (!leftOut.has(name) && !/\bclass="[^"]*\b(?:needs-js|row-filter)\b/.test(attributes)) around.children.push(element)
      if (!voidElements.has(name) && !attributes.endsWith('/')) open.push(element)
    }
  }
  return root
}

function toElement(name: string, attributes: string): Element {
  const [, id] = /\sid="([^"]*)"/.exec(attributes) ?? []
  const kept = attributes.match(/\s(?:class="[^"]*"|href="https?:[^"]*"|dir="auto")/gi) ?? []
  return { name, id, attributes: kept.join(''), children: [], html: `<${name}>`, isChanged: false }
}

function htmlOf(node: Node): string {
  return typeof node === 'string' ? node : node.html
}

/** The text in a node, escaped. */
export function textOf(node: Node): string {
  return typeof node === 'string' ? node : node.children.map(textOf).join('')
}

/** The first element with a name in a node. */
export function findNamed(node: Node, name: string): Element | undefined {
  if (typeof node === 'string') return undefined
  if (node.name === name) return node
  for (const child of node.children) {
    const found = findNamed(child, name)
    if (found) return found
  }
  return undefined
}

/** Prints a node. What readers open is open if something in it changed. */
export function printNode(node: Node): string {
  if (typeof node === 'string') return node
  const { name, attributes, children, isChanged } = node
  const start = `<${name}${attributes}${name === 'details' && isChanged ? ' open' : ''}>`
  return voidElements.has(name) ? start : `${start}${children.map(printNode).join('')}</${name}>`
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
  for (const toKey of [idOf, htmlOf, kindOf]) {
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
  return idOf(node) === undefined ? `${node.name}${node.attributes}` : undefined
}

/** Marks the words that differ: those of `before` with `del`, those of `after` with `ins`. */
export function markDifferences(before: Element, after: Element): void {
  before.isChanged = true
  after.isChanged = true
  const partners = pairNodes(before.children, after.children)
  const [from, to] = [before.children, [...after.children]]
  const added = after.children.map((node, index) => (partners.includes(index) ? [node] : [markWhole(node, 'ins')]))
  before.children = from.flatMap((node, index) => {
    const partner = partners[index] ?? -1
    const other = to[partner]
    if (other === undefined) return [markWhole(node, 'del')]
    if (typeof node === 'string' && typeof other === 'string') {
      const [deleted, inserted] = markWords(node, other)
      added[partner] = inserted
      return deleted
    }
    if (typeof node !== 'string' && typeof other !== 'string' && node.html !== other.html) markDifferences(node, other)
    return [node]
  })
  after.children = added.flat()
}

/** Elements in which only certain elements may be. */
const strictElements = new Set('ul ol dl table thead tbody tr details'.split(' '))

type Mark = 'ins' | 'del'

function markWhole(node: Node, name: Mark): Node {
  if (typeof node === 'string') return node.trim() === '' ? node : toMark(name, [node])
  node.isChanged = true
  if (strictElements.has(node.name)) node.children = node.children.map((child) => markWhole(child, name))
  else if (node.children.length > 0) node.children = [toMark(name, node.children)]
  return node
}

function toMark(name: Mark, children: Node[]): Element {
  return { ...toElement(name, ''), children }
}

/** An entity, a word, or another character, with the space before it. */
const wordPattern = /\s*(?:&#?\w+;|[\p{L}\p{N}_]+|\S)|\s+$/gu

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
