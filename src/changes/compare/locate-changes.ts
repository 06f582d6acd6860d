import { parentPointer } from '../../text/json/json-values.ts'
import { locatePointers, type PointerPlaces } from '../../text/parse-source.ts'
import { groupBy } from '../../text/plain/lists.ts'
import { type PlacedRange, type Range, type SourceFile, startOfFile, toOrigin, toRangeIn } from '../../text/plain/source-file.ts'
import type { Change, ChangePlace, Comparison, LocatedPlace, UnlocatedComparison } from '../change.ts'

type Sources = ReadonlyMap<string, SourceFile>

/** Adds lines and columns to the places of changes. Each file is scanned at most once. */
export async function locateChanges(
  comparison: UnlocatedComparison,
  sources: { readonly base: Sources; readonly revision: Sources },
): Promise<Comparison> {
  const { changes } = comparison
  const locateBase = await toLocate(
    changes.map(({ base }) => base),
    sources.base,
  )
  const locateRevision = await toLocate(
    changes.map(({ revision }) => revision),
    sources.revision,
  )
  const located = changes.map(({ identity: _, ...change }): Change => {
    const base = change.base && locateBase(change.base)
    return { ...change, base, revision: change.revision && locateRevision(change.revision) }
  })
  return { ...comparison, changes: located }
}

async function toLocate(
  places: readonly (ChangePlace | null)[],
  sources: Sources,
): Promise<(place: ChangePlace) => LocatedPlace> {
  const sourceOf = (file: string) => sources.get(file)
  const files = await readFiles(
    places.flatMap((place) => (place ? toOrigin(place, sourceOf) : [])),
    sources,
  )
  return (written) => {
    const place = toOrigin(written, sourceOf)
    const file = files.get(place.file)
    const found = file?.found.get(place.pointer)
    const range = place.on === 'key' ? (found?.key ?? found?.value) : found?.value
    return { ...place, range: file && range ? file.toRange(range) : startOfFile }
  }
}

interface LocatedFile {
  readonly found: PointerPlaces
  readonly toRange: (range: PlacedRange) => Range
}

async function readFiles(places: readonly ChangePlace[], sources: Sources): Promise<ReadonlyMap<string, LocatedFile>> {
  const files = new Map<string, LocatedFile>()
  for (const [file, inFile] of groupBy(places, (place) => place.file)) {
    const source = sources.get(file)
    const pointers = new Set(inFile.map(({ pointer }) => pointer))
    if (source) files.set(file, { found: await locatePointers(source, pointers), toRange: toRangeIn(source) })
  }
  return files
}

/**
 * Adds the `surrounding` place to everything that was removed: the nearest object around it that still exists in the revision.
 *
 * For formats that show changes on the lines of the revision. Files must be as in `sources`. A removed file has no such place.
 */
export async function placeInRevision(comparison: Comparison, sources: Sources): Promise<Comparison> {
  const { base, revision, changes } = comparison
  const toFile = (file: string) => (file === base.document ? revision.document : file)
  const removed = changes.flatMap((change) => (change.revision || !change.base ? [] : change.base))
  const files = await readFiles(
    removed.flatMap(({ file, pointer }) => listParents(pointer).map((parent) => ({ file: toFile(file), pointer: parent }))),
    sources,
  )
  const place = (change: Change): Change => {
    if (change.revision || !change.base) return change
    const file = toFile(change.base.file)
    const located = files.get(file)
    return located ? { ...change, surrounding: findSurrounding(file, located, listParents(change.base.pointer)) } : change
  }
  return { ...comparison, changes: changes.map(place) }
}

function findSurrounding(file: string, { found, toRange }: LocatedFile, parents: readonly string[]): LocatedPlace {
  // A missing pointer has the place of the nearest existing object, whose pointer is the outermost one with this place. The key is
  // used because the object itself can have thousands of lines.
  const key = found.get(parents[0] ?? '')?.key
  const parent = parents.findLast((one) => found.get(one)?.key?.start === key?.start)
  if (key && parent !== undefined) return { file, pointer: parent, on: 'key', range: toRange(key) }
  return { file, pointer: '', range: startOfFile }
}

/** The pointers of the objects around a pointer, innermost first, without the document. */
function listParents(pointer: string): string[] {
  const parents: string[] = []
  for (let around = parentPointer(pointer); around !== ''; around = parentPointer(around)) parents.push(around)
  return parents
}
