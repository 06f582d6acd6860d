import { type Node, parseTree } from 'jsonc-parser'
import { pointerChild } from '../text/json-pointer.ts'
import type { OffsetRange } from '../text/position.ts'

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
