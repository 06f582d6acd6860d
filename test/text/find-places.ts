import type { PointerPlace } from '../../src/text/locate-pointers.ts'
import { type PointerTree, toPointerTree } from '../../src/text/pointer-tree.ts'

/** The places of those of the pointers that are in a text. */
export function findPlaces<Text>(
  locate: (text: Text, tree: PointerTree) => void,
  text: Text,
  pointers: Iterable<string>,
): Map<string, PointerPlace> {
  const { root, ends } = toPointerTree(pointers)
  locate(text, root)
  const places = new Map<string, PointerPlace>()
  for (const [pointer, { place }] of ends) if (place) places.set(pointer, place)
  return places
}
