import { type Finding, formatCount } from '../../diagnostics/diagnostic.ts'
import { formatNumber, groupBy, listFirst } from '../../text/plain/lists.ts'
import { baseName, joinPath, parentPath } from '../../text/plain/paths.ts'
import { suggest } from '../../text/plain/suggest.ts'
import type { PageEntry } from '../navigation/docs-config.ts'
import { toPathKey } from '../pages/generated-page.ts'

/** Lists navigation entries without a page. `pages` have no extension. */
export function findMissingEntries(entries: readonly PageEntry[], pages: ReadonlySet<string>): PageEntry[] {
  return entries.filter(({ path }) => !pages.has(path))
}

/**
 * Up to this many missing pages of a list are reported separately. More usually have a common cause, such as a missing
 * translation.
 */
const maxSeparateReports = 3

/**
 * Reports navigation entries without a page, and suggests the nearest unlisted page. `pages` have no extension. `listed` are the
 * pages in the navigation.
 */
export function checkMissingEntries(
  missing: readonly PageEntry[],
  pages: ReadonlySet<string>,
  listed: ReadonlySet<string>,
  file: string,
): Finding[] {
  if (missing.length === 0) return []
  const free = [...pages].filter((path) => !listed.has(path))
  const byName = groupBy(free, (path) => toPathKey(baseName(path)))
  const byFolder = groupBy(free, parentPath)
  const findNear = (path: string): string | undefined => {
    const namesakes = byName.get(toPathKey(baseName(path))) ?? []
    const sameButCase = namesakes.find((page) => toPathKey(page) === toPathKey(path))
    const neighbor = suggest(baseName(path), (byFolder.get(parentPath(path)) ?? []).map(baseName))
    if (sameButCase !== undefined) return sameButCase
    if (neighbor !== undefined) return joinPath(parentPath(path), neighbor)
    // The name alone is not enough: many directories have an `overview`.
    const moved = namesakes.filter((page) => baseName(parentPath(page)) === baseName(parentPath(path)))
    return moved.length === 1 ? moved[0] : undefined
  }
  return [...groupBy(missing, ({ division }) => division).values()].flatMap((ofList): Finding[] => {
    const [first] = ofList
    if (first && ofList.length > maxSeparateReports) {
      const named = listFirst(ofList, maxSeparateReports, ({ path }) => `\`${path}\``)
      const message = `Cannot find ${ofList.length} pages that this list names: ${named}`
      return [{ code: 'page-missing', message, file, pointer: first.pointer, hint: 'Create the pages, or remove the entries' }]
    }
    return ofList.map(({ path, pointer }) => {
      // Path normalization removed one of the slashes of the URL.
      const address = /^(https?):\/+(.*)$/is.exec(path)
      if (address) {
        const message = `Unexpected URL \`${address[1]}://${address[2]}\`, expected a page path`
        const hint = 'Create a page with this `url` in its frontmatter, or use a tab or anchor with `href`'
        return { code: 'page-missing', message, file, pointer, hint }
      }
      const near = findNear(path)
      const hint = near === undefined ? 'Create the page, or remove the entry' : `Did you mean \`${near}\`?`
      return { code: 'page-missing', message: `Cannot find page \`${path}\``, file, pointer, hint }
    })
  })
}

/**
 * Reports a page that a division lists more than once, since the sidebar shows it twice. Listing a page in several divisions is
 * often intended.
 */
export function checkRepeatedEntries(entries: readonly PageEntry[], file: string): Finding[] {
  return [...groupBy(entries, ({ division, path }) => `${division}\n${path}`).values()].flatMap(([first, ...others]) =>
    others.map(({ path, pointer }): Finding => {
      const related = first ? [{ pointer: first.pointer, message: 'first listed here' }] : []
      const message = `Unexpected duplicate entry for page \`${path}\``
      return { code: 'page-listed-twice', message, file, pointer, related, hint: 'Remove one of them' }
    }),
  )
}

/** Maximum number of paths in the message. The other pages are counted. */
const maxNamedPaths = 5

/**
 * Reports pages missing from the navigation in a single diagnostic, since many sites omit pages on purpose. A directory without
 * any listed page is named with its page count. `pages` and `unlisted` have their extension.
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
    .slice(0, maxNamedPaths)
    .map(([place, count]) => (count === 1 ? `\`${place}\`` : `\`${place}\` (${formatNumber(count)})`))
  const left = places.slice(maxNamedPaths).reduce((sum, [, count]) => sum + count, 0)
  const names = left === 0 ? named.join(', ') : `${named.join(', ')} and ${formatCount(left, 'other')}`
  const are = unlisted.size === 1 ? 'is' : 'are'
  return [
    {
      code: 'page-unlisted',
      message: `${formatCount(unlisted.size, 'page')} ${are} not in the navigation: ${names}`,
      file,
      pointer: '/navigation',
      on: 'key',
      hint: 'Add each page to the navigation, or set `hidden: true` on pages that should only be reachable by URL',
    },
  ]
}

/** Finds directories with more than one page, none of which is listed. The docs directory itself is excluded. */
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

/**
 * Reports pages with the same URL. They differ only in extension or case, so a host shows just one of them. `pages` have their
 * extension.
 */
export function checkPageUrls(pages: Iterable<string>, toFile: (path: string) => string): Finding[] {
  return [...groupBy(pages, toPathKey).values()].flatMap(([first = '', ...others]) =>
    others.map((path): Finding => {
      const message = `Unexpected page \`${path}\` with the same URL as \`${first}\``
      const related = [{ file: toFile(first), pointer: '', message: 'this page has the same URL' }]
      return {
        code: 'page-url-conflict',
        message,
        file: toFile(path),
        pointer: '',
        related,
        hint: 'Rename or remove one of them',
      }
    }),
  )
}
