import { locatePointers, type PointerPlaces } from '../text/parse-source.ts'
import { type PlacedRange, type Range, type SourceFile, startOfFile, toOrigin, toRangeIn } from '../text/plain/source-file.ts'
import type { Change, ChangePlace, Comparison, LocatedPlace, UnlocatedComparison } from './types.ts'

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
