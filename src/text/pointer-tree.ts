import { parentPointer, parsePointer } from './json-pointer.ts'
import type { PointerPlace } from './locate-pointers.ts'

/** The pointers that are asked for, as a tree: what is not under a branch is skipped while scanning. */
export interface PointerTree {
  /** As the first of those that lead here is written. */
  readonly pointer: string
  readonly parent: PointerTree | undefined
  /** By the unescaped step. */
  children: Map<string, PointerTree>
}

/** Most nodes are leaves; nothing is made for their children. */
const noChildren = new Map<string, PointerTree>()

/**
 * Makes the tree of some pointers.
 *
 * @param nodes is filled with the node of each pointer, and of each above it.
 */
export function toPointerTree(pointers: Iterable<string>, nodes: Map<string, PointerTree> = new Map()): PointerTree {
  const root: PointerTree = { pointer: '', parent: undefined, children: noChildren }
  nodes.set('', root)
  for (const pointer of pointers) addNode(pointer, nodes, root)
  return root
}

function addNode(pointer: string, nodes: Map<string, PointerTree>, root: PointerTree): PointerTree {
  const known = nodes.get(pointer)
  if (known) return known
  const above = parentPointer(pointer)
  const parent = above === '' ? root : addNode(above, nodes, root)
  const segment = parsePointer(pointer.slice(above.length))[0] ?? ''
  let node = parent.children.get(segment)
  if (!node) {
    node = { pointer, parent, children: noChildren }
    if (parent.children === noChildren) parent.children = new Map()
    parent.children.set(segment, node)
  }
  nodes.set(pointer, node)
  return node
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
