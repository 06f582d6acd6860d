import { groupBy } from '../text/group-by.ts'
import { suggest } from '../text/suggest.ts'
import { toOnce } from '../text/to-once.ts'

/** More of them are another path, not the same one mistyped. */
const mostChanges = 8

/**
 * Makes what finds the nearest of some paths, by the whole of it, else one of the same name in another folder.
 *
 * A link of a description stands on many pages, so what was found for a path is kept.
 */
export function createPathSuggester(candidates: () => Iterable<string>): (path: string) => string | undefined {
  const all = toOnce(() => [...candidates()])
  const byName = toOnce(() => groupBy(all(), nameOf))
  const found = new Map<string, string | undefined>()
  return (path) => {
    if (!found.has(path)) {
      const sameName = byName().get(nameOf(path))
      found.set(path, sameName ? nearestOf(path, sameName) : likelyOf(path, suggest(path, all(), mostChanges)))
    }
    return found.get(path)
  }
}

function nearestOf(path: string, candidates: readonly string[]): string | undefined {
  return candidates.length === 1 ? candidates[0] : suggest(path, candidates)
}

/** In a long path the folders alone make two near each other: what is meant has a name like the one that is written. */
function likelyOf(path: string, near: string | undefined): string | undefined {
  return near !== undefined && suggest(nameOf(path), [nameOf(near)]) !== undefined ? near : undefined
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase()
}
