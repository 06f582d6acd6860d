import type { Finding } from '../diagnostic/diagnostic.ts'
import type { FragmentLink } from '../site/check-links.ts'
import { toLooseId } from '../text/to-loose-id.ts'

/**
 * Checks links to parts of pages, when all pages are known; `idsOf` is asked once for each page that one
 * leads to. An address that another host would write counts as well: see `openTarget`.
 */
export function checkFragments(links: readonly FragmentLink[], idsOf: (route: string) => readonly string[]): Finding[] {
  const known = new Map<string, { readonly ids: readonly string[]; readonly loose: ReadonlySet<string> }>()
  const partsOf = (route: string) => {
    const ids = idsOf(route)
    const parts = { ids, loose: new Set(ids.map(toLooseId)) }
    known.set(route, parts)
    return parts
  }
  return links.flatMap(({ route, id, toFinding }) => {
    const { ids, loose } = known.get(route) ?? partsOf(route)
    return loose.has(toLooseId(id)) ? [] : (toFinding(ids) ?? [])
  })
}
