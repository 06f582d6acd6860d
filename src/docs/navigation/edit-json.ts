import { type Node, parseTree } from 'jsonc-parser'
import { isContainer, parsePointer, pointerChild } from '../../text/json/json-values.ts'
import { applyEdits } from '../../text/plain/source-file.ts'

/** An edit to a JSON text. All pointers and indexes refer to the text before any edit. */
export type JsonEdit =
  /** Inserts values into a list before the element at `index`, or at the end if `index` is the length. */
  | { readonly kind: 'insert'; readonly array: string; readonly index: number; readonly values: readonly unknown[] }
  /** Replaces an element of a list. */
  | { readonly kind: 'replace'; readonly array: string; readonly index: number; readonly value: unknown }
  /** Reorders a list. `order` gives the current index of the element for each position. Insertions use the new order. */
  | { readonly kind: 'reorder'; readonly array: string; readonly order: readonly number[] }
  /** Removes a list element, or a property with its key. */
  | { readonly kind: 'remove'; readonly pointer: string }
  /** Sets a property in place, or appends it after the last property. */
  | { readonly kind: 'set'; readonly object: string; readonly key: string; readonly value: unknown }

/**
 * Edits a JSON text in place. Everything else is preserved byte for byte, and new values follow the surrounding indentation and
 * line endings.
 *
 * The text must be valid JSON. Edits with a pointer that does not exist are ignored.
 */
export function editJson(text: string, edits: readonly JsonEdit[]): string {
  const root = edits.length === 0 ? undefined : parseTree(text)
  if (!root) return text
  const plan: EditPlan = { text, layout: detectLayout(text), containers: new Map(), touched: new Set() }
  for (const edit of edits) addEdit(plan, edit)
  return text.slice(0, root.offset) + printNode(plan, root, '') + text.slice(root.offset + root.length)
}

/** The edits to one list or object. */
interface ContainerEdits {
  /** New elements by the index of the element they precede. */
  readonly inserted: Map<number, unknown[]>
  /** Indexes or keys. */
  readonly removed: Set<string>
  /** By key, or by index for a list. */
  readonly set: Map<string, unknown>
  order: readonly number[] | undefined
}

interface EditPlan {
  readonly text: string
  readonly layout: JsonLayout
  readonly containers: Map<string, ContainerEdits>
  /** Pointers of all containers with an edit inside. */
  readonly touched: Set<string>
}

function addEdit(plan: EditPlan, edit: JsonEdit): void {
  if (edit.kind === 'insert') {
    const { inserted } = editsOf(plan, edit.array)
    inserted.set(edit.index, [...(inserted.get(edit.index) ?? []), ...edit.values])
  } else if (edit.kind === 'replace') {
    editsOf(plan, edit.array).set.set(String(edit.index), edit.value)
  } else if (edit.kind === 'reorder') {
    // Each part of a list can be reordered separately.
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

/** An element or property of the result. `original` is its index among the children in the text. */
interface Item {
  readonly original: number | undefined
  /** The layout of a new value depends on its indentation. */
  readonly print: (indent: string, isOnSharedLine: boolean) => string
  /** A list or object, which always starts on its own line. */
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
  const print: Item['print'] = (...where) => before + printJson(value, layout, ...where)
  return { original: undefined, print, isNewBlock: isContainer(value) }
}

/** Lists are kept on one line up to this width. Longer lists get one line per element. */
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

/** Returns where the gap before a child begins: after the opening bracket, or after the comma that follows the previous child. */
function endOfPrevious(text: string, node: Node, previous: Node | undefined): number {
  if (!previous) return node.offset + 1
  return text.indexOf(',', previous.offset + previous.length) + 1
}

function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

/**
 * Replaces list elements, and properties with their keys, with spaces. Everything else keeps its line and column.
 *
 * The text must be valid JSON without duplicate keys. Pointers that do not exist are ignored, and none may be inside another.
 */
export function blankJson(text: string, pointers: readonly string[]): string {
  const root = pointers.length === 0 ? undefined : parseTree(text)
  if (!root) return text
  const removed = new Set(pointers.flatMap((pointer) => findNode(root, pointer) ?? []))
  const containers = new Set(Array.from(removed, ({ parent }) => parent?.children ?? []))
  const edits = Array.from(containers).flatMap((children) => {
    const lastKept = children.findLastIndex((child) => !removed.has(child))
    return children.flatMap((child, index) => {
      if (!removed.has(child)) return []
      const [before, after] = [children[index - 1], children[index + 1]]
      // With the comma: the one after it, unless nothing follows.
      const start = index > lastKept && before ? before.offset + before.length : child.offset
      const end = index < lastKept && after ? after.offset : child.offset + child.length
      return [{ offsets: { start, end }, newText: text.slice(start, end).replace(/[^\r\n]/g, ' ') }]
    })
  })
  return applyEdits(text, edits)
}

/** A list element or a property. */
function findNode(root: Node, pointer: string): Node | undefined {
  let found: Node | undefined = root
  for (const step of parsePointer(pointer)) {
    const value: Node | undefined = found?.type === 'property' ? found.children?.[1] : found
    found =
      value?.type === 'array'
        ? value.children?.[Number(step)]
        : value?.children?.find(({ children }) => children?.[0]?.value === step)
  }
  return found === root ? undefined : found
}

/** The layout of a JSON text, which new parts follow. */
interface JsonLayout {
  /** One level of indentation. */
  readonly unit: string
  readonly eol: string
  readonly afterColon: string
  /** The text has no line breaks or spaces. */
  readonly compact: boolean
}

/** Detects the layout of a JSON text from its first indented line. The default is two spaces. */
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
 * Prints a value in the given layout. `indent` is the indentation of the line it starts on. On a shared line, a short list of
 * plain values stays on that line.
 */
function printJson(value: unknown, layout: JsonLayout, indent: string, isOnSharedLine: boolean): string {
  if (layout.compact) return JSON.stringify(value)
  if (isOnSharedLine && Array.isArray(value) && value.every((element) => typeof element !== 'object')) {
    const line = `[${value.map((element) => JSON.stringify(element)).join(', ')}]`
    if (indent.length + line.length <= maxLineWidth) return line
  }
  return JSON.stringify(value, undefined, layout.unit).replaceAll('\n', layout.eol + indent)
}
