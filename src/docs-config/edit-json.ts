import { type Node, parseTree } from 'jsonc-parser'
import { parsePointer, pointerChild } from '../source/json-pointer.ts'
import type { OffsetRange } from '../source/position.ts'

/** One change of a JSON text. All pointers and indexes are those of the text before any of the edits. */
export type JsonEdit =
  /** Puts values into a list, before the element that has the index now; its length means at the end. */
  | { readonly kind: 'insert'; readonly array: string; readonly index: number; readonly values: readonly unknown[] }
  /** Puts another value in the place of an element of a list. */
  | { readonly kind: 'replace'; readonly array: string; readonly index: number; readonly value: unknown }
  /** Gives the elements of a list another order: `order` has for each place the index that its element has now. Insertions count in the new order. */
  | { readonly kind: 'reorder'; readonly array: string; readonly order: readonly number[] }
  /** Takes away an element of a list, or a property with its key. */
  | { readonly kind: 'remove'; readonly pointer: string }
  /** Sets a property: in place where it is there, else after the last one. */
  | { readonly kind: 'set'; readonly object: string; readonly key: string; readonly value: unknown }

/**
 * Edits a JSON text in place: everything that is not edited keeps its bytes, and what is new follows the indentation and line ends around it.
 *
 * The text has to be JSON. An edit whose place is not in the text is left out.
 */
export function editJson(text: string, edits: readonly JsonEdit[]): string {
  const root = edits.length === 0 ? undefined : parseTree(text)
  if (!root) return text
  const plan: EditPlan = { text, layout: detectLayout(text), containers: new Map(), touched: new Set() }
  for (const edit of edits) addEdit(plan, edit)
  return text.slice(0, root.offset) + printNode(plan, root, '') + text.slice(root.offset + root.length)
}

/** The edits of one list or object. */
interface ContainerEdits {
  /** New elements by the index they go before. */
  readonly inserted: Map<number, unknown[]>
  /** Indexes or keys. */
  readonly removed: Set<string>
  /** By key; of a list by index. */
  readonly set: Map<string, unknown>
  order: readonly number[] | undefined
}

interface EditPlan {
  readonly text: string
  readonly layout: JsonLayout
  readonly containers: Map<string, ContainerEdits>
  /** Pointers of everything that has an edit in it. */
  readonly touched: Set<string>
}

function addEdit(plan: EditPlan, edit: JsonEdit): void {
  if (edit.kind === 'insert') {
    const { inserted } = editsOf(plan, edit.array)
    inserted.set(edit.index, [...(inserted.get(edit.index) ?? []), ...edit.values])
  } else if (edit.kind === 'replace') {
    editsOf(plan, edit.array).set.set(String(edit.index), edit.value)
  } else if (edit.kind === 'reorder') {
    // Several parts of one list can each have an order of their own.
    const edits = editsOf(plan, edit.array)
    const before = edits.order
    edits.order = before ? edit.order.map((index, place) => (index === place ? (before[place] ?? place) : index)) : edit.order
  } else if (edit.kind === 'remove') {
    const slash = edit.pointer.lastIndexOf('/')
    editsOf(plan, edit.pointer.slice(0, slash)).removed.add(parsePointer(edit.pointer.slice(slash))[0] ?? '')
  } else {
    editsOf(plan, edit.object).set.set(edit.key, edit.value)
  }
}

function editsOf(plan: EditPlan, pointer: string): ContainerEdits {
  let edits = plan.containers.get(pointer)
  if (!edits) {
    edits = { inserted: new Map(), removed: new Set(), set: new Map(), order: undefined }
    plan.containers.set(pointer, edits)
    for (let path = pointer; ; path = path.slice(0, path.lastIndexOf('/'))) {
      plan.touched.add(path)
      if (path === '') break
    }
  }
  return edits
}

function printNode(plan: EditPlan, node: Node, pointer: string): string {
  const original = plan.text.slice(node.offset, node.offset + node.length)
  if (!plan.touched.has(pointer) || (node.type !== 'array' && node.type !== 'object')) return original
  const items = node.type === 'array' ? arrayItems(plan, node, pointer) : objectItems(plan, node, pointer)
  return printContainer(plan, node, items)
}

/** An element or property of the result. `original` is its index among the children of the text. */
interface Item {
  readonly original: number | undefined
  /** New values need to know how deep they stand. */
  readonly print: (indent: string, isOnSharedLine: boolean) => string
  /** A list or object, which does not go on the line of others. */
  readonly isNewBlock: boolean
}

function arrayItems(plan: EditPlan, node: Node, pointer: string): Item[] {
  const edits = plan.containers.get(pointer)
  const children = node.children ?? []
  const items: Item[] = []
  for (let place = 0; place <= children.length; place++) {
    for (const value of edits?.inserted.get(place) ?? []) items.push(toNewItem(plan, value))
    const index = edits?.order?.[place] ?? place
    const child = children[index]
    if (!child || edits?.removed.has(String(index))) continue
    const print = edits?.set.has(String(index))
      ? (...where: Parameters<Item['print']>) => printJson(edits.set.get(String(index)), plan.layout, ...where)
      : () => printNode(plan, child, pointerChild(pointer, index))
    items.push({ original: index, print, isNewBlock: false })
  }
  return items
}

function objectItems(plan: EditPlan, node: Node, pointer: string): Item[] {
  const edits = plan.containers.get(pointer)
  const remaining = new Map(edits?.set)
  const items: Item[] = []
  node.children?.forEach((property, index) => {
    const [keyNode, valueNode] = property.children ?? []
    const key = String(keyNode?.value)
    if (!valueNode || edits?.removed.has(key)) return
    const before = plan.text.slice(property.offset, valueNode.offset)
    if (remaining.has(key)) {
      const value = remaining.get(key)
      remaining.delete(key)
      items.push({ original: index, print: (...where) => before + printJson(value, plan.layout, ...where), isNewBlock: false })
      return
    }
    items.push({
      original: index,
      print: () => before + printNode(plan, valueNode, pointerChild(pointer, key)),
      isNewBlock: false,
    })
  })
  for (const [key, value] of remaining) items.push(toNewItem(plan, value, `${JSON.stringify(key)}:${plan.layout.afterColon}`))
  return items
}

function toNewItem({ layout }: EditPlan, value: unknown, before = ''): Item {
  const isNewBlock = typeof value === 'object' && value !== null
  return { original: undefined, print: (...where) => before + printJson(value, layout, ...where), isNewBlock }
}

/** Longest line to which new elements are added instead of giving each its own line. */
const maxLineWidth = 100

function printContainer(plan: EditPlan, node: Node, items: readonly Item[]): string {
  const { text, layout } = plan
  const [open, close] = node.type === 'array' ? '[]' : '{}'
  if (items.length === 0) return `${open}${close}`
  const children = node.children ?? []
  const leads = children.map((child, index) => text.slice(endOfPrevious(text, node, children[index - 1]), child.offset))
  const lastChild = children.at(-1)
  const tail = text.slice(lastChild ? lastChild.offset + lastChild.length : node.offset + 1, node.offset + node.length - 1)
  const baseIndent = lineIndent(text, node.offset)
  const firstLead = leads[0]
  const onLines = firstLead?.includes('\n') ?? false
  const childIndent = onLines ? (firstLead ?? '').slice((firstLead ?? '').lastIndexOf('\n') + 1) : baseIndent + layout.unit
  const printed = items.map((item) => item.print(onLines ? childIndent : baseIndent, !onLines))
  const isNew = items.some(({ original }) => original === undefined)
  const width = printed.reduce((sum, part) => sum + part.length + 2, baseIndent.length)
  const breaks =
    isNew &&
    !onLines &&
    !layout.compact &&
    (children.length === 0 || items.some((item) => item.isNewBlock) || width > maxLineWidth)
  if (onLines || breaks) {
    const ownLine = layout.eol + childIndent
    const parts = (breaks ? items.map((item) => item.print(childIndent, false)) : printed).map((part, index) => {
      const original = items[index]?.original
      const lead = original === undefined || breaks || index === 0 ? undefined : leads[original]
      return (lead ?? (index === 0 && onLines ? firstLead : undefined) ?? ownLine) + part
    })
    return open + parts.join(',') + (breaks || !tail.includes('\n') ? layout.eol + baseIndent : tail) + close
  }
  const between = leads[1] ?? layout.afterColon
  const parts = printed.map((part, index) => {
    const original = items[index]?.original
    return (index === 0 ? (firstLead ?? '') : original ? (leads[original] ?? between) : between) + part
  })
  return open + parts.join(',') + tail + close
}

/** Where the gap before a child begins: after the bracket, or after the comma that follows the child before it. */
function endOfPrevious(text: string, node: Node, previous: Node | undefined): number {
  if (!previous) return node.offset + 1
  return text.indexOf(',', previous.offset + previous.length) + 1
}

function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

/** A key that an object of a JSON text has already. */
export interface DuplicateKey {
  readonly key: string
  /** Of the value that counts, the last one. */
  readonly pointer: string
  readonly offsets: OffsetRange
  readonly firstOffsets: OffsetRange
}

/**
 * Finds keys that stand twice in one object of a JSON text, in document order; below the root only inside the values of
 * `rootKeys`, where these are given.
 *
 * A parser silently keeps the last of equal keys, so an edit would not know which of them is meant.
 */
export function findDuplicateKeys(text: string, rootKeys: readonly string[] | 'all'): DuplicateKey[] {
  const found: DuplicateKey[] = []
  const root = parseTree(text)
  const open: { readonly node: Node; readonly pointer: string }[] = root ? [{ node: root, pointer: '' }] : []
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, pointer } = next
    const first = new Map<string, Node>()
    const inside = (node.children ?? []).flatMap((child, index) => {
      if (node.type === 'array') return { node: child, pointer: pointerChild(pointer, index) }
      const [keyNode, valueNode] = node.type === 'object' ? (child.children ?? []) : []
      if (!keyNode || !valueNode) return []
      const key = String(keyNode.value)
      if (node === root && rootKeys !== 'all' && !rootKeys.includes(key)) return []
      const earlier = first.get(key)
      if (!earlier) first.set(key, keyNode)
      else found.push({ key, pointer: pointerChild(pointer, key), offsets: toOffsets(keyNode), firstOffsets: toOffsets(earlier) })
      return { node: valueNode, pointer: pointerChild(pointer, key) }
    })
    for (const one of inside) open.push(one) // Not spread: a list can have more entries than a call can have arguments.
  }
  return found.sort((a, b) => a.offsets.start - b.offsets.start)
}

function toOffsets({ offset, length }: Node): OffsetRange {
  return { start: offset, end: offset + length }
}

/** How a JSON text is laid out, so that new parts can look alike. */
interface JsonLayout {
  /** One level of indentation. */
  readonly unit: string
  readonly eol: string
  readonly afterColon: string
  /** All on one line, without blanks. */
  readonly compact: boolean
}

/** Finds the layout of a JSON text: that of its first indented line; two spaces where there is none. */
function detectLayout(text: string): JsonLayout {
  const eol = /\r\n|\n|\r/.exec(text.trim())?.[0]
  const compact = eol === undefined && text.trim().length > 2
  const unit = /[\r\n]([ \t]+)\S/.exec(text)?.[1] ?? '  '
  return {
    unit: unit.startsWith('\t') ? '\t' : unit,
    eol: eol ?? '\n',
    afterColon: compact && !/":\s/.test(text) ? '' : ' ',
    compact,
  }
}

/**
 * Writes a value in a layout; `indent` is that of the line it begins on. On a line that it shares with others, a short list of plain values
 * stays on that line.
 */
function printJson(value: unknown, layout: JsonLayout, indent: string, isOnSharedLine: boolean): string {
  if (layout.compact) return JSON.stringify(value)
  if (isOnSharedLine && Array.isArray(value) && value.every((element) => typeof element !== 'object')) {
    const line = `[${value.map((element) => JSON.stringify(element)).join(', ')}]`
    if (indent.length + line.length <= maxLineWidth) return line
  }
  return JSON.stringify(value, undefined, layout.unit).replaceAll('\n', layout.eol + indent)
}
