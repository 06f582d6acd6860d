import { parentPointer } from '../../text/json/json-values.ts'
import { locatePointers, type PointerPlaces } from '../../text/parse-source.ts'
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
  const pointersByFile = new Map<string, Set<string>>()
  for (const written of places) {
    if (!written) continue
    const place = toOrigin(written, sourceOf)
    const pointers = pointersByFile.get(place.file)
    if (pointers) pointers.add(place.pointer)
    else pointersByFile.set(place.file, new Set([place.pointer]))
  }
  const files = new Map<string, { readonly found: PointerPlaces; readonly toRange: (range: PlacedRange) => Range }>()
  for (const [file, pointers] of pointersByFile) {
    const source = sources.get(file)
    if (!source) continue
    files.set(file, { found: await locatePointers(source, pointers), toRange: toRangeIn(source) })
  }
  return (written) => {
    const place = toOrigin(written, sourceOf)
    const file = files.get(place.file)
    const found = file?.found.get(place.pointer)
    const range = place.on === 'key' ? (found?.key ?? found?.value) : found?.value
    return { ...place, range: file && range ? file.toRange(range) : startOfFile }
  }
}

/**
 * Adds the `surrounding` place to everything that was removed: the nearest object around it that still exists in the revision.
 *
 * For formats that show changes on the lines of the revision. Files must be as in `sources`. A removed file has no such place.
 */
export async function placeInRevision(comparison: Comparison, sources: ReadonlyMap<string, SourceFile>): Promise<Comparison> {
  const { base, revision, changes } = comparison
  const toFile = (file: string) => (file === base.document ? revision.document : file)
  const wanted = new Map<string, Set<string>>()
  for (const change of changes) {
    if (change.revision || !change.base) continue
    const file = toFile(change.base.file)
    const pointers = wanted.get(file) ?? new Set()
    for (const pointer of listParents(change.base.pointer)) pointers.add(pointer)
    wanted.set(file, pointers)
  }
  const placesOf = new Map<string, (pointer: string) => LocatedPlace>()
  for (const [file, pointers] of wanted) {
    const source = sources.get(file)
    if (source) placesOf.set(file, await findPlaces(file, source, pointers))
  }
  const place = (change: Change): Change => {
    if (change.revision || !change.base) return change
    const find = placesOf.get(toFile(change.base.file))
    return find ? { ...change, surrounding: find(change.base.pointer) } : change
  }
  return { ...comparison, changes: changes.map(place) }
}

async function findPlaces(
  file: string,
  source: SourceFile,
  pointers: ReadonlySet<string>,
): Promise<(pointer: string) => LocatedPlace> {
  const found = await locatePointers(source, pointers)
  const toRange = toRangeIn(source)
  return (pointer) => {
    const parents = listParents(pointer)
    // A missing pointer has the place of the nearest existing object, whose pointer is the outermost one with this place. The key is
    // used because the object itself can have thousands of lines.
    const key = found.get(parents[0] ?? '')?.key
    const parent = parents.findLast((one) => found.get(one)?.key?.start === key?.start)
    if (key && parent !== undefined) return { file, pointer: parent, on: 'key', range: toRange(key) }
    return { file, pointer: '', range: startOfFile }
  }
}

/** The pointers of the objects around a pointer, innermost first, without the document. */
function listParents(pointer: string): string[] {
  const parents: string[] = []
  for (let around = parentPointer(pointer); around !== ''; around = parentPointer(around)) parents.push(around)
  return parents
}
