import type { Finding } from '../diagnostic/diagnostic.ts'
import type { PageEntry } from '../docs/config-entries.ts'
import { groupBy } from '../text/group-by.ts'
import { joinPath, parentPath } from '../text/relative-path.ts'
import { suggest } from '../text/suggest.ts'
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
