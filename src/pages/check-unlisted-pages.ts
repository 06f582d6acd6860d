import { formatCount, formatNumber } from '../diagnostic/count-findings.ts'
import type { Finding } from '../diagnostic/diagnostic.ts'
import { parentPath } from '../text/relative-path.ts'

/** Places that are named in the finding; the pages of the others are counted. */
const namedPlaces = 5

/**
 * Reports pages that no navigation lists: one finding at `navigation`, as many sites leave pages out by intention. A folder of which nothing is
 * listed is named with its count instead of its pages. `pages` and `unlisted` have their extension.
 */
export function checkUnlistedPages(pages: Iterable<string>, unlisted: ReadonlySet<string>, file: string): Finding[] {
  if (unlisted.size === 0) return []
  const whole = findWholeFolders(pages, unlisted)
  const counts = new Map<string, number>()
  for (const path of [...unlisted].sort()) {
    const folder = topmostWhole(path, whole)
    const place = folder === undefined ? path : `${folder}/`
    counts.set(place, (counts.get(place) ?? 0) + 1)
  }
  const places = [...counts]
  const named = places
    .slice(0, namedPlaces)
    .map(([place, count]) => (count === 1 ? `\`${place}\`` : `\`${place}\` (${formatNumber(count)})`))
  const left = places.slice(namedPlaces).reduce((sum, [, count]) => sum + count, 0)
  const names = left === 0 ? named.join(', ') : `${named.join(', ')} and ${formatCount(left, 'other')}`
  const are = unlisted.size === 1 ? 'is' : 'are'
  return [
    {
      code: 'page-unlisted',
      message: `${formatCount(unlisted.size, 'page')} ${are} in no navigation: ${names}`,
      file,
      pointer: '/navigation',
      on: 'key',
      hint: 'list them, or write `hidden: true` into pages that are meant to be found by their address only',
    },
  ]
}

/** Folders that have more than one page, none of which is listed. The docs root itself is none of them. */
function findWholeFolders(pages: Iterable<string>, unlisted: ReadonlySet<string>): Set<string> {
  const counts = new Map<string, number>()
  const listed = new Set<string>()
  for (const path of pages) {
    for (let folder = parentPath(path); folder !== ''; folder = parentPath(folder)) {
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
      if (!unlisted.has(path)) listed.add(folder)
    }
  }
  return new Set([...counts].filter(([folder, count]) => count > 1 && !listed.has(folder)).map(([folder]) => folder))
}

function topmostWhole(path: string, whole: ReadonlySet<string>): string | undefined {
  let found: string | undefined
  for (let folder = parentPath(path); folder !== ''; folder = parentPath(folder)) if (whole.has(folder)) found = folder
  return found
}
