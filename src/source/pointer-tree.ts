import { unescapePointerSegment } from './json-pointer.ts'
import type { OffsetRange } from './position.ts'

/** Where a value stands in its text. `key` is absent for the top value and for elements of a list. */
export interface PointerPlace {
  readonly key?: PlacedRange
  /** A scalar with its quotes; of a list or mapping the first character only. */
  readonly value: PlacedRange
}

/** A range with its line, where that is known without counting. It is then within this line. */
export interface PlacedRange extends OffsetRange {
  /** Counts from 1. */
  readonly line?: number
  /** The offset at which the line starts. */
  readonly lineStart?: number
}

/**
 * One step of the pointers that are asked for: what is not under a branch is skipped while scanning.
 *
 * A document can have ten thousand faults, so that a tree has more steps than that: those with few children, which are nearly all, have
 * them in a list, which takes a fraction of the memory of a map.
 */
export interface PointerTree {
  readonly parent: PointerTree | undefined
  /** The unescaped step from the parent. */
  readonly name: string
  /** `undefined` for most, as nothing is asked for below them. */
  children: PointerTree[] | undefined
  /** The children by their names, where there are many. */
  byName: Map<string, PointerTree> | undefined
  /** One bit for each length that the name of a child has, modulo 32: by it most names in the text are passed over unread. */
  childLengths: number
  /** Where the value stands, once it is found. */
  place: PointerPlace | undefined
}

/** With more children than these they are looked up by their names. */
const maxListed = 8

/** Makes the tree of some pointers, and tells the step at which each of them ends. */
export function toPointerTree(pointers: Iterable<string>): {
  readonly root: PointerTree
  readonly ends: ReadonlyMap<string, PointerTree>
} {
  const root = toNode(undefined, '')
  const ends = new Map<string, PointerTree>()
  // Findings come in the order of the document, so a pointer mostly begins as the one before it, and is taken apart from there on.
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

function isWithin(pointer: string, prefix: string): boolean {
  return pointer.startsWith(prefix) && (pointer.length === prefix.length || pointer[prefix.length] === '/')
}

/** The step below a step, by its unescaped name. */
export function findChild({ children, byName }: PointerTree, name: string): PointerTree | undefined {
  if (byName) return byName.get(name)
  if (children) for (const child of children) if (child.name === name) return child
  return undefined
}

function addChild(parent: PointerTree, name: string): PointerTree {
  const child = toNode(parent, name)
  // Not by `push` into an empty list, which makes room for 17.
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
 * Notes where a value stands.
 *
 * Of two equal keys the last one counts, so what was found inside the value of an earlier one is forgotten.
 */
export function recordPlace(tree: PointerTree, place: PointerPlace): void {
  if (tree.place) clearPlaces(tree)
  tree.place = place
}

function clearPlaces(tree: PointerTree): void {
  tree.place = undefined
  if (tree.children) for (const child of tree.children) clearPlaces(child)
}
