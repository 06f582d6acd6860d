import type { PointerPlace } from '../plain/source-file.ts'
import { isWithin, unescapePointerSegment } from './json-values.ts'

/**
 * A segment of the requested pointers. Branches without a requested pointer are skipped while scanning.
 *
 * A tree can have more than ten thousand nodes. Nodes with few children use a list, which needs far less memory than a map.
 */
export interface PointerTree {
  readonly parent: PointerTree | undefined
  /** The unescaped segment. */
  readonly name: string
  /** `undefined` if nothing below is requested. */
  children: PointerTree[] | undefined
  /** The children by name, if there are many. */
  byName: Map<string, PointerTree> | undefined
  /** One bit per length of a child name, modulo 32. Most names in the text can be skipped by their length. */
  childLengths: number
  /** The location of the value, once found. */
  place: PointerPlace | undefined
}

/** Nodes with more children than this use a map. */
const maxListed = 8

/** Creates the tree of some pointers, and returns the node of each pointer. */
export function toPointerTree(pointers: Iterable<string>): {
  readonly root: PointerTree
  readonly ends: ReadonlyMap<string, PointerTree>
} {
  const root = toNode(undefined, '')
  const ends = new Map<string, PointerTree>()
  // Diagnostics are in document order, so a pointer usually shares its prefix with the previous one.
  const above: PointerTree[] = []
  const prefixes: string[] = []
  for (const pointer of pointers) {
    while (prefixes.length > 0 && !isWithin(pointer, prefixes.at(-1) ?? '')) {
      above.pop()
      prefixes.pop()
    }
    let node = above.at(-1) ?? root
    for (let length = prefixes.at(-1)?.length ?? 0; length < pointer.length; ) {
      const slash = pointer.indexOf('/', length + 1)
      const end = slash === -1 ? pointer.length : slash
      const name = unescapePointerSegment(pointer.slice(length + 1, end))
      node = findChild(node, name) ?? addChild(node, name)
      length = end
      above.push(node)
      prefixes.push(pointer.slice(0, length))
    }
    ends.set(pointer, node)
  }
  return { root, ends }
}

/** The child of a node, by its unescaped name. */
export function findChild({ children, byName }: PointerTree, name: string): PointerTree | undefined {
  if (byName) return byName.get(name)
  if (children) for (const child of children) if (child.name === name) return child
  return undefined
}

function addChild(parent: PointerTree, name: string): PointerTree {
  const child = toNode(parent, name)
  // `push` into an empty list would allocate room for 17 entries.
  if (parent.children) parent.children.push(child)
  else parent.children = [child]
  parent.childLengths |= 1 << (name.length & 31)
  if (parent.byName) parent.byName.set(name, child)
  else if (parent.children.length > maxListed) parent.byName = new Map(parent.children.map((one) => [one.name, one]))
  return child
}

function toNode(parent: PointerTree | undefined, name: string): PointerTree {
  return { parent, name, children: undefined, byName: undefined, childLengths: 0, place: undefined }
}

/**
 * Records the location of a value.
 *
 * The last of two equal keys applies, so locations inside the earlier value are cleared.
 */
export function recordPlace(tree: PointerTree, place: PointerPlace): void {
  if (tree.place) clearPlaces(tree)
  tree.place = place
}

function clearPlaces(tree: PointerTree): void {
  tree.place = undefined
  if (tree.children) for (const child of tree.children) clearPlaces(child)
}
