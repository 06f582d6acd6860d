import { formatCount } from '../../../diagnostics/diagnostic.ts'
import { addTo } from '../../../text/plain/lists.ts'

/** An element of rendered HTML, with what a review shows of it. */
export interface Element {
  readonly name: string
  readonly id: string | undefined
  readonly className: string
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

/** A comment, a tag with its attributes, or text. */
const partPattern = /<!--[\s\S]*?-->|<(\/?)([a-z][\w-]*)((?:"[^"]*"|[^">])*)>|[^<]+|</gi

const voidElements = new Set('br hr img input wbr use col source'.split(' '))

/** What needs a script, another file or a click. */
const leftOut = new Set('button input select template svg script style img audio video iframe form'.split(' '))

/**
 * Parses HTML that components rendered, which is well-formed. Several pages become parts of one, so IDs are only kept for pairing, and links
 * only if they lead to a website.
 */
export function parseRendered(html: string): Element {
  const root = makeElement('div')
  const open = [root]
  for (const [part, end, name, attributes = ''] of html.matchAll(partPattern)) {
    const around = open.at(-1) ?? root
    if (name === undefined) {
      if (!part.startsWith('<!--')) around.children.push(part)
    } else if (end === '/') {
      const closed = open.length > 1 ? open.pop() : undefined
      if (closed) closed.html = toHtml(closed)
    } else {
      const element = readElement(name, attributes)
      if (!leftOut.has(name) && !/\b(?:needs-js|row-filter)\b/.test(element.className)) around.children.push(element)
      if (!voidElements.has(name) && !attributes.endsWith('/')) open.push(element)
    }
  }
  root.html = toHtml(root)
  return root
}

function readElement(name: string, attributes: string): Element {
  const [, id] = /\sid="([^"]*)"/.exec(attributes) ?? []
  const [classes = '', className = ''] = /\sclass="([^"]*)"/.exec(attributes) ?? []
  const [link = ''] = /\shref="https?:[^"]*"/i.exec(attributes) ?? []
  const [direction = ''] = /\sdir="auto"/.exec(attributes) ?? []
  return { name, id, className, attributes: classes + link + direction, children: [], html: `<${name}>`, isChanged: false }
}

/** Creates an element that is not part of a rendered page. */
export function makeElement(name: string, className = '', children: readonly Node[] = []): Element {
  const attributes = className === '' ? '' : ` class="${className}"`
  return { name, id: undefined, className, attributes, children: [...children], html: '', isChanged: false }
}

function toHtml({ name, attributes, children }: Element): string {
  let html = `<${name}${attributes}>`
  // The engine joins long strings only when they are compared.
  for (const child of children) html += htmlOf(child)
  return `${html}</${name}>`
}

function htmlOf(node: Node): string {
  return typeof node === 'string' ? node : node.html
}

/** Prints a node. What readers open is open if something in it changed. */
export function printNode(node: Node): string {
  if (typeof node === 'string') return node
  const { name, attributes, children, isChanged } = node
  const start = `<${name}${attributes}${name === 'details' && isChanged ? ' open' : ''}>`
  return voidElements.has(name) ? start : `${start}${children.map(printNode).join('')}</${name}>`
}

/** The element with an ID, and the elements around it, innermost first. */
export function findPath(root: Element, id: string): readonly Element[] {
  if (root.id === id) return [root]
  for (const child of root.children) {
    const path = typeof child === 'string' ? [] : findPath(child, id)
    if (path.length > 0) return [...path, root]
  }
  return []
}

/** Indexes of nodes that belong together. One of them can be absent. */
type IndexPair = readonly [before: number | undefined, after: number | undefined]

/** Pairs nodes by ID, then those that are equal, then those of the same kind. In the order of `after`, with removed nodes at their place. */
export function pairNodes(before: readonly Node[], after: readonly Node[]): readonly IndexPair[] {
  const [toAfter, toBefore] = [new Map<number, number>(), new Map<number, number>()]
  for (const toKey of [idOf, htmlOf, kindOf]) {
    const waiting = new Map<string, number[]>()
    for (const [index, node] of after.entries()) {
      const key = toBefore.has(index) ? undefined : toKey(node)
      if (key !== undefined) addTo(waiting, key, index)
    }
    for (const [index, node] of before.entries()) {
      const key = toAfter.has(index) ? undefined : toKey(node)
      const partner = key === undefined ? undefined : waiting.get(key)?.shift()
      if (partner === undefined) continue
      toAfter.set(index, partner)
      toBefore.set(partner, index)
    }
  }
  const removedAfter = new Map<number, number[]>()
  let last = -1
  for (const index of before.keys()) {
    const partner = toAfter.get(index)
    if (partner === undefined) addTo(removedAfter, last, index)
    else last = partner
  }
  const toRemoved = (index: number) => (removedAfter.get(index) ?? []).map((one): IndexPair => [one, undefined])
  return [...toRemoved(-1), ...[...after.keys()].flatMap((index) => [[toBefore.get(index), index] as const, ...toRemoved(index)])]
}

/** Sections have the ID of their heading. */
function idOf(node: Node): string | undefined {
  if (typeof node === 'string') return undefined
  const isSection = node.name === 'section' || node.className.startsWith('fold')
  if (node.id !== undefined || !isSection) return node.id
  const [head] = node.children
  if (head === undefined || typeof head === 'string') return undefined
  return head.id ?? head.children.map(idOf).find((id) => id !== undefined)
}

function kindOf(node: Node): string | undefined {
  if (typeof node === 'string') return ''
  return idOf(node) === undefined ? `${node.name} ${node.className}` : undefined
}

/** Folds the rows that did not change. Before the change, they are only counted, because those after it are the same. */
export function foldUnchanged(element: Element, side: 'before' | 'after'): void {
  const folded: Node[] = []
  let same: Element[] = []
  const end = () => {
    const count = makeElement('summary', '', [formatCount(same.length, 'unchanged row')])
    const rows = side === 'before' ? [] : [makeElement('ul', 'props', same)]
    if (same.length > 0) folded.push(makeElement('li', 'same', [makeElement('details', 'same', [count, ...rows])]))
    same = []
  }
  for (const child of element.children) {
    const isText = typeof child === 'string'
    if (!isText && !child.isChanged && element.className === 'props') same.push(child)
    else {
      end()
      folded.push(child)
      if (isText) continue
      if (child.isChanged) foldUnchanged(child, side)
      else if (child.name === 'details' && side === 'before') child.children = child.children.slice(0, 1)
    }
  }
  end()
  element.children = folded
}

/** Marks the words that differ: those of `before` with `del`, those of `after` with `ins`. */
export function markDifferences(before: Element, after: Element): void {
  if (before.html === after.html) return
  before.isChanged = true
  after.isChanged = true
  const children = { before: before.children.map((node) => [node]), after: after.children.map((node) => [node]) }
  for (const [from, to] of pairNodes(before.children, after.children)) {
    const [one, other] = [before.children[from ?? -1], after.children[to ?? -1]]
    if (one === undefined || other === undefined) {
      if (from !== undefined && one !== undefined) children.before[from] = [markWhole(one, 'del')]
      if (to !== undefined && other !== undefined) children.after[to] = [markWhole(other, 'ins')]
    } else if (typeof one !== 'string' && typeof other !== 'string') markDifferences(one, other)
    else if (typeof one === 'string' && typeof other === 'string' && from !== undefined && to !== undefined) {
      const marked = markWords(one, other)
      children.before[from] = marked.before
      children.after[to] = marked.after
    }
  }
  before.children = children.before.flat()
  after.children = children.after.flat()
}

/** Elements in which only certain elements may be. */
const strictElements = new Set('ul ol dl table thead tbody tr details'.split(' '))

/** Marks all words of a node. */
export function markWhole(node: Node, name: 'ins' | 'del'): Node {
  if (typeof node === 'string') return node.trim() === '' ? node : makeElement(name, '', [node])
  node.isChanged = true
  if (voidElements.has(node.name)) return node
  if (strictElements.has(node.name)) node.children = node.children.map((child) => markWhole(child, name))
  else if (node.children.length > 0) node.children = [makeElement(name, '', node.children)]
  return node
}

/** A word, a character of an entity, or another character, with the space before it. */
const wordPattern = /\s*(?:&#?\w+;|[\p{L}\p{N}_]+|\S)|\s+$/gu

function markWords(before: string, after: string): { readonly before: Node[]; readonly after: Node[] } {
  const [from, to] = [before, after].map((text) => text.match(wordPattern) ?? [])
  if (!from || !to) return { before: [before], after: [after] }
  const kept = findCommon(
    from.map((word) => word.trim()),
    to.map((word) => word.trim()),
  )
  return {
    before: markOthers(from, new Set(kept.map(([index]) => index)), 'del'),
    after: markOthers(to, new Set(kept.map(([, index]) => index)), 'ins'),
  }
}

/** Marks the words that are not kept, without the spaces around them. */
function markOthers(words: readonly string[], kept: ReadonlySet<number>, name: 'ins' | 'del'): Node[] {
  const nodes: Node[] = []
  let marked: string[] = []
  const end = () => {
    const text = marked.join('')
    const word = text.trim()
    if (word === '') nodes.push(text)
    else
      nodes.push(text.slice(0, text.indexOf(word)), makeElement(name, '', [word]), text.slice(text.indexOf(word) + word.length))
    marked = []
  }
  for (const [index, word] of words.entries()) {
    if (!kept.has(index)) marked.push(word)
    else {
      end()
      nodes.push(word)
    }
  }
  end()
  return nodes
}

/** The most comparisons of words. Longer texts that differ at their start and at their end are marked as a whole. */
const maxComparisons = 1_000_000

/** The indexes of the longest common words, in order. */
function findCommon(before: readonly string[], after: readonly string[]): [number, number][] {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let end = 0
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const common = Array.from({ length: start }, (_, index): [number, number] => [index, index])
  const [rows, columns] = [before.length - start - end, after.length - start - end]
  if (rows * columns <= maxComparisons) {
    // The length of the longest common words of what follows each pair of words.
    const lengths = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1))
    const lengthAt = (row: number, column: number) => lengths[row]?.[column] ?? 0
    const isSame = (row: number, column: number) => before[start + row] === after[start + column]
    for (let row = rows - 1; row >= 0; row--) {
      const line = lengths[row]
      for (let column = columns - 1; line && column >= 0; column--) {
        line[column] = isSame(row, column)
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1))
      }
    }
    for (let row = 0, column = 0; row < rows && column < columns; ) {
      if (isSame(row, column)) common.push([start + row++, start + column++])
      else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row++
      else column++
    }
  }
  for (let index = end; index > 0; index--) common.push([before.length - index, after.length - index])
  return common
}
