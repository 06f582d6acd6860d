import { syntaxOf } from './parse-source.ts'
import { type PointerTree, toPointerTree } from './pointer-tree.ts'
import type { OffsetRange } from './position.ts'
import type { SourceFile } from './source-file.ts'

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
 * Finds the places of many values in one pass over the text.
 *
 * Ranges are not kept while parsing, since keeping them for all values costs ten times the parse; they are looked up here for the few
 * that are reported. A pointer whose value is not in the text (a missing key, a key merged in by `<<`) gets the place of the nearest
 * ancestor that is.
 */
export async function locatePointers(source: SourceFile, pointers: Iterable<string>): Promise<PointerPlaces> {
  const { root, ends } = toPointerTree(pointers)
  if (syntaxOf(source) === 'json') (await import('./locate-in-json.ts')).locateInJson(source, root)
  else (await import('./locate-in-yaml.ts')).locateInYaml(source.text, root)
  return {
    get: (pointer) => {
      const end = ends.get(pointer)
      return end && nearestPlace(end)
    },
  }
}

/** The places of the pointers that were asked for; `undefined` for any other. */
export interface PointerPlaces {
  get(pointer: string): PointerPlace | undefined
}

function nearestPlace(end: PointerTree): PointerPlace {
  for (let node: PointerTree | undefined = end; node; node = node.parent) if (node.place) return node.place
  return { value: { start: 0, end: 0 } }
}
