import { parsePointer, pointerChild } from './json-pointer.ts'
import type { PointerPlace } from './locate-pointers.ts'

/** The pointers that are asked for, as a tree: what is not under a branch is skipped while scanning. */
export interface PointerTree {
  readonly pointer: string
  readonly children: Map<string, PointerTree>
}

/** Makes the tree of some pointers; its own pointers have every step escaped in the one way of RFC 6901. */
export function toPointerTree(pointers: Iterable<string>): PointerTree {
  const root: PointerTree = { pointer: '', children: new Map() }
  for (const pointer of pointers) {
    let node = root
    for (const segment of parsePointer(pointer)) {
      let child = node.children.get(segment)
      if (!child) {
        child = { pointer: pointerChild(node.pointer, segment), children: new Map() }
        node.children.set(segment, child)
      }
      node = child
    }
  }
  return root
}

/**
 * Notes where a value stands.
 *
 * Of two equal keys the last one counts, so what was found inside the value of an earlier one is forgotten.
 */
export function notePlace(found: Map<string, PointerPlace>, tree: PointerTree, place: PointerPlace): void {
  if (found.has(tree.pointer)) forget(found, tree)
  found.set(tree.pointer, place)
}

function forget(found: Map<string, PointerPlace>, tree: PointerTree): void {
  found.delete(tree.pointer)
  for (const child of tree.children.values()) forget(found, child)
}
