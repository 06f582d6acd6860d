import type { Finding } from '../diagnostics/diagnostic.ts'
import { formatCount, formatNumber } from '../diagnostics/diagnostic.ts'
import type { PageEntry } from '../docs-config/config-entries.ts'
import { groupBy } from '../source/group-by.ts'
import { joinPath, parentPath } from '../source/relative-path.ts'
import { suggest } from '../source/suggest.ts'
import { toPathKey } from './page-path.ts'

/** The entries of the navigation that name a page which is not there. `pages` have no extension. */
export function findMissingEntries(entries: readonly PageEntry[], pages: ReadonlySet<string>): PageEntry[] {
  return entries.filter(({ path }) => !pages.has(path))
}

/** Missing pages of one list that have findings of their own. More of them are missing for one reason, such as a translation that is not there yet. */
const mostApart = 3

/**
 * Reports entries that name a page which is not there; the nearest page that nothing lists is named. `pages` have no extension; `listed` are
 * those that the navigation lists.
 */
export function checkMissingEntries(
  missing: readonly PageEntry[],
  pages: ReadonlySet<string>,
  listed: ReadonlySet<string>,
  file: string,
): Finding[] {
  if (missing.length === 0) return []
  const free = [...pages].filter((path) => !listed.has(path))
  const byName = groupBy(free, (path) => toPathKey(nameOf(path)))
  const byFolder = groupBy(free, parentPath)
  const findNear = (path: string): string | undefined => {
    const namesakes = byName.get(toPathKey(nameOf(path))) ?? []
    const sameButCase = namesakes.find((page) => toPathKey(page) === toPathKey(path))
    const neighbour = suggest(nameOf(path), (byFolder.get(parentPath(path)) ?? []).map(nameOf))
    if (sameButCase !== undefined) return sameButCase
    if (neighbour !== undefined) return joinPath(parentPath(path), neighbour)
    // A name alone says little: every second folder has an `overview`.
    const moved = namesakes.filter((page) => nameOf(parentPath(page)) === nameOf(parentPath(path)))
    return moved.length === 1 ? moved[0] : undefined
  }
  return [...groupBy(missing, ({ division }) => division).values()].flatMap((ofList): Finding[] => {
    const [first] = ofList
    if (first && ofList.length > mostApart) {
      const named = ofList.slice(0, mostApart).map(({ path }) => `\`${path}\``)
      const message = `Cannot find ${ofList.length} pages of this list: ${named.join(', ')} and ${ofList.length - mostApart} more`
      return [{ code: 'page-missing', message, file, pointer: first.pointer, hint: 'write the pages, or remove the entries' }]
    }
    return ofList.map(({ path, pointer }) => {
      // As a path an address has lost one of its slashes.
      const address = /^(https?):\/+(.*)$/is.exec(path)
      if (address) {
        const message = `Unexpected address \`${address[1]}://${address[2]}\` among pages, expected the path of a page`
        const hint = 'write a page that has it as `url` in its frontmatter, or a tab or an anchor with `href`'
        return { code: 'page-missing', message, file, pointer, hint }
      }
      const near = findNear(path)
      const hint = near === undefined ? 'write the page, or remove the entry' : `did you mean \`${near}\`?`
      return { code: 'page-missing', message: `Cannot find the page \`${path}\``, file, pointer, hint }
    })
  })
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Reports a page that one division lists more than once: the sidebar shows it twice. In several divisions that is often meant. */
export function checkRepeatedEntries(entries: readonly PageEntry[], file: string): Finding[] {
  return [...groupBy(entries, ({ division, path }) => `${division}\n${path}`).values()].flatMap(([first, ...others]) =>
    others.map(({ path, pointer }): Finding => {
      const related = first ? [{ pointer: first.pointer, message: 'first listed here' }] : []
      const message = `Unexpected second entry for the page \`${path}\` in one list`
      return { code: 'page-listed-twice', message, file, pointer, related, hint: 'remove one of the two' }
    }),
  )
}

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

/** Reports pages that have one address: they differ only in extension or case, and a host shows one of them. `pages` have their extension. */
export function checkPageUrls(pages: Iterable<string>, toFile: (path: string) => string): Finding[] {
  return [...groupBy(pages, toPathKey).values()].flatMap(([first = '', ...others]) =>
    others.map((path): Finding => {
      const message = `Unexpected page \`${path}\` at the address of \`${first}\``
      const related = [{ file: toFile(first), pointer: '', message: 'this page has the same address' }]
      return {
        code: 'page-url-conflict',
        message,
        file: toFile(path),
        pointer: '',
        related,
        hint: 'rename or remove one of the two',
      }
    }),
  )
}
