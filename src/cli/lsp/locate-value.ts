import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml'
import type { OffsetRange } from '../../source/position.ts'

/** A key or value of a JSON or YAML text. */
export interface LocatedValue {
  readonly path: readonly string[]
  readonly on: 'key' | 'value'
  /** Of the scalar with its quotes, or of the whole list or mapping. */
  readonly offsets: OffsetRange
  /** The value of a scalar as a string. */
  readonly text: string | undefined
}

/** A parsed JSON or YAML text with the places of all values. */
export interface ValueTree {
  /** The innermost key or value at an offset. */
  readonly at: (offset: number) => LocatedValue | undefined
  /** The value at a path; the nearest one around it if it does not exist. */
  readonly find: (path: readonly string[]) => LocatedValue
  /** The keys of a mapping with their places and those of their values. */
  readonly entries: (path: readonly string[]) => readonly { readonly key: LocatedValue; readonly value: OffsetRange }[]
  readonly value: unknown
}

/** Longer texts are not parsed for positions: that takes seconds. */
const maxLength = 2_000_000

/** Parses a text. `undefined` if it is too long. JSON is parsed as YAML, which includes it. */
export function parseValueTree(text: string): ValueTree | undefined {
  if (text.length > maxLength) return undefined
  const document = parseDocument(text, { logLevel: 'silent', strict: false, uniqueKeys: false })
  const root = document.contents
  let plain: { readonly value: unknown } | undefined
  const find = (path: readonly string[]): { readonly node: Node | null; readonly path: readonly string[] } => {
    let node: Node | null = root
    for (const [index, step] of path.entries()) {
      const next: Node | undefined = childOf(node, step)
      if (!next) return { node, path: path.slice(0, index) }
      node = next
    }
    return { node, path }
  }
  return {
    at: (offset) => locate(root, offset, []),
    find: (path) => {
      const found = find(path)
      return toLocated(found.node, found.path, 'value')
    },
    entries: (path) => {
      const found = find(path)
      if (found.path.length < path.length || !isMap(found.node)) return []
      return found.node.items.flatMap(({ key, value }) => {
        if (!isScalar(key)) return []
        const place = toLocated(key, [...path, String(key.value)], 'key')
        return { key: place, value: isNode(value) ? rangeOf(value) : place.offsets }
      })
    },
    get value() {
      // Anchors can multiply, so their number is limited.
      plain ??= { value: toPlain(() => document.toJS({ maxAliasCount: 1_000 })) }
      return plain.value
    },
  }
}

function toPlain(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return undefined
  }
}

function isNode(value: unknown): value is Node {
  return isMap(value) || isSeq(value) || isScalar(value) || isAlias(value)
}

function childOf(node: Node | null, step: string): Node | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(step)]
    return isNode(item) ? item : undefined
  }
  if (!isMap(node)) return undefined
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step)
  return isNode(pair?.value) ? pair.value : undefined
}

function locate(node: Node | null, offset: number, path: readonly string[]): LocatedValue | undefined {
  if (!node || !covers(node, offset)) return undefined
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue
      const inside = [...path, String(key.value)]
      if (covers(key, offset)) return toLocated(key, inside, 'key')
      const found = isNode(value) ? locate(value, offset, inside) : undefined
      if (found) return found
    }
  }
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      const found = isNode(item) ? locate(item, offset, [...path, String(index)]) : undefined
      if (found) return found
    }
  }
  return toLocated(node, path, 'value')
}

function covers(node: Node, offset: number): boolean {
  const { start, end } = rangeOf(node)
  return start <= offset && offset <= end
}

function rangeOf({ range }: Node): OffsetRange {
  return { start: range?.[0] ?? 0, end: range?.[1] ?? 0 }
}

function toLocated(node: Node | null, path: readonly string[], on: LocatedValue['on']): LocatedValue {
  const text = isScalar(node) && node.value !== null && node.value !== undefined ? String(node.value) : undefined
  return { path, on, offsets: node ? rangeOf(node) : { start: 0, end: 0 }, text }
}
