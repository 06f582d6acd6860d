import type { Config } from '../docs-config/project-config.ts'
import { settingOf } from '../docs-config/project-config.ts'
import type { Division, DocsConfig, DocumentSource, LockedDivision, LockedSource, LockFile } from '../docs-config/types.ts'
import { isObject } from '../source/is-object.ts'
import type { DeclaredDivision, DeclaredSource } from './types.ts'

/**
 * Lists the divisions that have, or had, pages of ours, in document order.
 *
 * A division declares its documents by its `openapi` key; where the key has moved to the lock file, by what stands there. A key that is
 * put back on a division declares it anew, except for one that was left there for documents that could not be moved yet.
 */
export function declareDivisions(docsConfig: DocsConfig, lock: LockFile, config: Config): DeclaredDivision[] {
  const locked = matchLockedDivisions(docsConfig, lock)
  const controlled = divisionsListedByHand(docsConfig)
  return docsConfig.divisions.flatMap((division) => {
    const lockedDivision = locked.get(division.id)
    const sources = declareSources(division, lockedDivision)
    if (sources.length === 0) return []
    const isKeyThere = sources.some(({ isInKey }) => isInKey)
    const isListed = controlled.has(division.pointer)
    const isMadeByHost = !hasPlaceForGroups(division) || findOverlays(division).length > 0
    const isVirtual = isKeyThere && (isMadeByHost || !settingOf(config.materialise, division))
    return {
      id: division.id,
      lockedId: lockedDivision?.id,
      label: division.label,
      pointer: division.pointer,
      version: division.version,
      mode: isVirtual ? 'virtual' : isListed && settingOf(config.unlisted, division) !== 'add' ? 'listed' : 'automatic',
      keepsKey: isListed,
      schemas: settingOf(config.schemas, division),
      overviews: settingOf(config.overviews, division),
      sources,
      order: settingOf(config.order, division),
      lockedSources: lockedDivision?.sources ?? [],
    }
  })
}

/** Beside lists of other divisions on `navigation` itself, a host shows no groups. */
export function hasPlaceForGroups({ kind, keys }: Division): boolean {
  return kind !== 'navigation' || keys.every((key) => !listsOfOthers.has(key))
}

const listsOfOthers = new Set(['products', 'languages', 'versions', 'tabs', 'dropdowns', 'anchors', 'menu'])

/** The documents of a division that have overlays. They change what the host shows, and we do not apply them. */
export function findOverlays({ sources }: Division): DocumentSource[] {
  return sources.filter(({ raw }) => {
    const overlays = isObject(raw) ? raw['overlays'] : undefined
    return overlays !== undefined && !(Array.isArray(overlays) && overlays.length === 0)
  })
}

function declareSources(division: Division, locked: LockedDivision | undefined): DeclaredSource[] {
  const inKey = new Map<string, DeclaredSource>()
  for (const { source, directory } of division.sources) {
    if (!inKey.has(source)) inKey.set(source, { source, directory, isInKey: true })
  }
  const known = locked?.sources ?? []
  const isLeftOver = [...inKey.keys()].every((source) => known.some((entry) => entry.source === source && entry.pending))
  if (!isLeftOver) return [...inKey.values(), ...known.flatMap((entry) => toAdopted(entry, inKey))]
  // The order of the lock file is that of the key before a part of it was moved; names of pages depend on it.
  return known.flatMap(({ source, directory, pending, adopted }) => {
    if (adopted) return { source, directory, isInKey: inKey.has(source), adopted }
    const entry = pending ? inKey.get(source) : { source, directory, isInKey: false }
    return entry ?? []
  })
}

/** A key that comes to an adopted division takes over the document that it names, and leaves the others as they are. */
function toAdopted({ source, directory, adopted }: LockedSource, inKey: ReadonlyMap<string, DeclaredSource>): DeclaredSource[] {
  return adopted && !inKey.has(source) ? [{ source, directory, isInKey: false, adopted }] : []
}

/** Pointers of the divisions whose `openapi` an entry without a file relies on: the user has taken control there. */
function divisionsListedByHand(docsConfig: DocsConfig): Set<string> {
  const owners = new Set<string>()
  for (const { inherited, entries } of docsConfig.divisions) {
    const relies = entries.some((entry) => entry.kind === 'explicit' && entry.binding.file === undefined)
    if (inherited && relies) owners.add(inherited.owner)
  }
  return owners
}

/** Finds the divisions of the lock file, also one whose label or place has changed: by the pages that it lists. */
function matchLockedDivisions(docsConfig: DocsConfig, lock: LockFile): Map<string, LockedDivision> {
  const byId = new Map(lock.divisions.map((division) => [division.id, division]))
  const matched = new Map<string, LockedDivision>()
  for (const { id } of docsConfig.divisions) {
    const locked = byId.get(id)
    if (locked) matched.set(id, locked)
    byId.delete(id)
  }
  for (const locked of byId.values()) {
    const paths = new Set(
      lock.pages.filter(({ division }) => division === locked.id).map(({ path }) => path.replace(/\.mdx?$/, '')),
    )
    const kindOf = (id: string) => id.split('/').at(-2)
    const found = docsConfig.divisions
      .filter(({ id }) => !matched.has(id) && kindOf(id) === kindOf(locked.id))
      .map((division) => ({ division, count: countListed(docsConfig, division, paths) }))
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.count - a.count)[0]
    if (found) matched.set(found.division.id, locked)
  }
  return matched
}

function countListed(docsConfig: DocsConfig, { pointer }: Division, paths: ReadonlySet<string>): number {
  return docsConfig.divisions
    .filter((division) => isWithin(division.pointer, pointer))
    .flatMap(({ entries }) => entries)
    .filter((entry) => entry.kind === 'page' && paths.has(entry.path)).length
}

/** Whether the value at a pointer is the one at `around`, or inside it. */
export function isWithin(pointer: string, around: string): boolean {
  return pointer === around || pointer.startsWith(`${around}/`)
}
