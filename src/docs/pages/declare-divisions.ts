import { isWithin } from '../../text/json/json-values.ts'
import { groupBy } from '../../text/plain/lists.ts'
import { type Config, settingOf } from '../config/project-config.ts'
import type { Division, DocsConfig } from '../navigation/docs-config.ts'
import type { LockedDivision, LockedSource, LockFile } from './lock-file.ts'
import { toEntry } from './navigation-entries.ts'
import type { DeclaredDivision, DeclaredSource } from './subjects.ts'

/**
 * Lists the divisions that have or had generated pages, in document order.
 *
 * A division declares its documents in its `openapi` key, or in the lock file once the key has moved there. Putting a key back
 * declares the division again, unless the key was left for documents that could not be moved yet.
 */
export function declareDivisions(docsConfig: DocsConfig, lock: LockFile, config: Config): DeclaredDivision[] {
  const locked = matchLockedDivisions(docsConfig, lock)
  const lockedIds = new Set(lock.divisions.map(({ id }) => id))
  const controlled = findManualDivisions(docsConfig)
  return docsConfig.divisions.flatMap((division) => {
    const lockedDivision = locked.get(division.id)
    const sources = declareSources(division, lockedDivision)
    if (sources.length === 0) return []
    // The key can be there for some documents only, and its division still has pages of the others.
    const isKeyThere = sources.some(({ isInKey }) => isInKey) && sources.every(({ isInKey, adopted }) => isInKey || adopted)
    const isListed = controlled.has(division.pointer)
    const isVirtual = isKeyThere && (!canContainGroups(division) || !settingOf(config.materialize, division))
    return {
      id: division.id,
      // The lock file can have this ID for another division.
      lockedId: lockedDivision?.id ?? (lockedIds.has(division.id) ? `${division.id}#new` : division.id),
      label: division.label,
      pointer: division.pointer,
      version: division.version,
      mode: isVirtual ? 'virtual' : isListed && settingOf(config.unlisted, division) !== 'add' ? 'listed' : 'automatic',
      keepsKey: isListed,
      schemas: settingOf(config.schemas, division),
      overviews: settingOf(config.overviews, division) === true,
      sources,
      order: settingOf(config.order, division),
      lockedSources: lockedDivision?.sources ?? [],
    }
  })
}

/** Hosts show no groups of `navigation` next to lists of other divisions. */
export function canContainGroups({ kind, keys }: Division): boolean {
  return kind !== 'navigation' || keys.every((key) => !siblingDivisionLists.has(key))
}

const siblingDivisionLists = new Set(['products', 'languages', 'versions', 'tabs', 'dropdowns', 'anchors', 'menu'])

function declareSources(division: Division, locked: LockedDivision | undefined): DeclaredSource[] {
  const inKey = new Map<string, DeclaredSource>()
  for (const { source, directory } of division.sources) {
    if (!inKey.has(source)) inKey.set(source, { source, directory, isInKey: true })
  }
  const known = locked?.sources ?? []
  const isLeftOver = [...inKey.keys()].every((source) => known.some((entry) => entry.source === source && entry.pending))
  if (!isLeftOver) return [...inKey.values(), ...known.flatMap((entry) => keepAdoption(entry, inKey))]
  // Keep the order from the lock file, which is the order of the key before a part of it was moved. Page names depend on it.
  return known.flatMap(({ source, directory, pending, adopted }) => {
    if (adopted) return { source, directory, isInKey: inKey.has(source), adopted }
    const entry = pending ? inKey.get(source) : { source, directory, isInKey: false }
    return entry ?? []
  })
}

/** A key on an adopted division takes over the document it names. The other documents are unchanged. */
function keepAdoption(
  { source, directory, adopted }: LockedSource,
  inKey: ReadonlyMap<string, DeclaredSource>,
): DeclaredSource[] {
  return adopted && !inKey.has(source) ? [{ source, directory, isInKey: false, adopted }] : []
}

/**
 * Returns pointers of divisions with an `openapi` key that explicit entries without a file depend on. The user manages these
 * divisions.
 */
function findManualDivisions(docsConfig: DocsConfig): Set<string> {
  const owners = new Set<string>()
  for (const { inherited, entries } of docsConfig.divisions) {
    const relies = entries.some((entry) => entry.kind === 'explicit' && entry.binding.file === undefined)
    if (inherited && relies) owners.add(inherited.owner)
  }
  return owners
}

/**
 * Matches divisions of the lock file by ID. A division with a changed label or location is found by the pages it lists. So are
 * divisions with the same label, whose IDs depend on their order.
 */
function matchLockedDivisions(docsConfig: DocsConfig, lock: LockFile): Map<string, LockedDivision> {
  const matched = new Map<string, LockedDivision>()
  const open = new Set(lock.divisions)
  const match = (division: Division | undefined, locked: LockedDivision) => {
    if (!division || matched.has(division.id)) return
    matched.set(division.id, locked)
    open.delete(locked)
  }
  const matchByPages = (locked: LockedDivision, candidates: readonly Division[]) => {
    const paths = new Set(lock.pages.filter(({ division }) => division === locked.id).map(({ path }) => toEntry(path)))
    const [best] = candidates
      .filter(({ id }) => !matched.has(id))
      .map((division) => ({ division, count: countListed(docsConfig, division, paths) }))
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.count - a.count || Number(b.division.id === locked.id) - Number(a.division.id === locked.id))
    match(best?.division, locked)
  }
  const byName = groupBy(docsConfig.divisions, ({ id }) => toNames(id))
  const byId = new Map(docsConfig.divisions.map((division) => [division.id, division]))
  const byKind = groupBy(docsConfig.divisions, ({ id }) => kindOf(id))
  for (const locked of open) {
    const candidates = byName.get(toNames(locked.id)) ?? []
    if (candidates.length > 1) matchByPages(locked, candidates)
  }
  for (const locked of open) match(byId.get(locked.id), locked)
  for (const locked of open) matchByPages(locked, byKind.get(kindOf(locked.id)) ?? [])
  return matched
}

/** Removes the numbers of divisions with the same label or none from an ID. */
function toNames(id: string): string {
  return id.replace(/#\d+(?=\/|$)/g, '')
}

function kindOf(id: string): string | undefined {
  return id.split('/').at(-2)
}

function countListed(docsConfig: DocsConfig, { pointer }: Division, paths: ReadonlySet<string>): number {
  return docsConfig.divisions
    .filter((division) => isWithin(division.pointer, pointer))
    .flatMap(({ entries }) => entries)
    .filter((entry) => entry.kind === 'page' && paths.has(entry.path)).length
}
