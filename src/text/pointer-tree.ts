import { parsePointer } from './json-pointer.ts'
import type { PointerPlace } from './locate-pointers.ts'

/** One step of the pointers that are asked for: what is not under a branch is skipped while scanning. */
export interface PointerTree {
  readonly parent: PointerTree | undefined
  /** By the unescaped step; `undefined` for most, as nothing is asked for below them. */
  children: Map<string, PointerTree> | undefined
  /** One bit for each length that the name of a child has, modulo 32: by it most names in the text are passed over unread. */
  childLengths: number
  /** Where the value stands, once it is found. */
  place: PointerPlace | undefined
}

/** Makes the tree of some pointers, and tells the step at which each of them ends. */
export function toPointerTree(pointers: Iterable<string>): {
  readonly root: PointerTree
  readonly ends: ReadonlyMap<string, PointerTree>
} {
  const root: PointerTree = { parent: undefined, children: undefined, childLengths: 0, place: undefined }
  const ends = new Map<string, PointerTree>()
  // Findings come in the order of the document, so a pointer mostly begins as the one before it, and is taken apart from there on.
  const above = [{ prefix: '', node: root }]
  for (const pointer of pointers) {
    let nearest = above.pop()
    while (nearest && !(pointer.startsWith(nearest.prefix) && (pointer[nearest.prefix.length] ?? '/') === '/'))
      nearest = above.pop()
    let { prefix, node } = nearest ?? { prefix: '', node: root }
    above.push({ prefix, node })
    for (const segment of parsePointer(pointer.slice(prefix.length))) {
      node = childOf(node, segment)
      const slash = pointer.indexOf('/', prefix.length + 1)
      prefix = slash === -1 ? pointer : pointer.slice(0, slash)
      above.push({ prefix, node })
    }
    ends.set(pointer, node)
  }
  return { root, ends }
}

function childOf(node: PointerTree, segment: string): PointerTree {
  node.children ??= new Map()
  let child = node.children.get(segment)
  if (!child) {
    child = { parent: node, children: undefined, childLengths: 0, place: undefined }
    node.children.set(segment, child)
    node.childLengths |= 1 << (segment.length & 31)
  }
  return child
}

/**
 * Notes where a value stands.
 *
 * Of two equal keys the last one counts, so what was found inside the value of an earlier one is forgotten.
 */
export function notePlace(tree: PointerTree, place: PointerPlace): void {
  if (tree.place) forget(tree)
  tree.place = place
}

function forget(tree: PointerTree): void {
  tree.place = undefined
  if (tree.children) for (const child of tree.children.values()) forget(child)
}
