import { isWithin } from '../../text/json/json-values.ts'
import { countShared, groupBy } from '../../text/plain/lists.ts'
import { parentPath } from '../../text/plain/paths.ts'
import type { Division, DocsConfig } from '../navigation/docs-config.ts'
import { withoutPageExtension } from '../pages/generated-page.ts'

/** A page bound to a target in one document. */
export interface PlacedPage {
  /** Relative to the docs directory, with extension. */
  readonly path: string
  readonly target: string
}

/** The pages of one document that form one reference. Usually each operation has one page in it. */
interface Area<Page extends PlacedPage> {
  readonly division: Division
  readonly pages: readonly Page[]
}

interface ListedPage<Page> {
  readonly page: Page
  /** Pointer of the entry in `docs.json`. */
  readonly pointer: string
}

/**
 * Finds the parts of the navigation that list the pages of one document.
 *
 * An area is the nearest common division of the pages that is not a group. If two of its children list pages of the same
 * operations, as with languages and versions, each child is a separate area. Unlisted pages belong to the area with the nearest
 * directories.
 */
export function findAreas<Page extends PlacedPage>(docsConfig: DocsConfig, pages: readonly Page[]): Area<Page>[] {
  const entries = docsConfig.divisions.flatMap((division) => division.entries)
  // The first entry of a page comes last, so it remains.
  const pointers = new Map(
    entries.toReversed().flatMap((entry) => (entry.kind === 'page' ? [[entry.path, entry.pointer] as const] : [])),
  )
  const listed = pages.flatMap((page) => {
    const pointer = pointers.get(withoutPageExtension(page.path))
    return pointer === undefined ? [] : { page, pointer }
  })
  const root = docsConfig.divisions[0]
  if (!root) return []
  const areas = listed.length === 0 ? [{ division: root, pages: [] }] : splitArea(docsConfig, root, listed)
  const isListed = new Set(listed.map(({ page }) => page))
  const added = new Map<Area<Page>, Page[]>()
  for (const page of pages.filter((other) => !isListed.has(other))) {
    const nearest = areas.toSorted((a, b) => rateNearness(b, page) - rateNearness(a, page))[0]
    if (nearest) added.set(nearest, [...(added.get(nearest) ?? []), page])
  }
  return areas
    .map((area) => ({ ...area, pages: [...area.pages, ...(added.get(area) ?? [])] }))
    .filter((area) => area.pages.length > 0)
}

function splitArea<Page extends PlacedPage>(
  docsConfig: DocsConfig,
  top: Division,
  listed: readonly ListedPage<Page>[],
): Area<Page>[] {
  let division = top
  for (;;) {
    const byChild = groupBy(listed, ({ pointer }) => findChild(docsConfig, division, pointer))
    const [only] = [...byChild.keys()]
    if (byChild.size !== 1 || !only) {
      if (!isRepeated([...byChild.values()])) break
      return [...byChild].flatMap(([child, own]) =>
        child ? splitArea(docsConfig, child, own) : { division, pages: own.map(({ page }) => page) },
      )
    }
    division = only
  }
  return [{ division: liftFromGroups(docsConfig, division, top), pages: listed.map(({ page }) => page) }]
}

/** Returns the child of a division that contains the pointer, or `undefined` if the division itself does. */
function findChild({ divisions }: DocsConfig, around: Division, pointer: string): Division | undefined {
  return divisions.find(
    (child) => child !== around && isWithin(child.pointer, around.pointer) && isWithin(pointer, child.pointer),
  )
}

/**
 * Whether areas repeat each other: they share at least half of the operations of the smallest one. A single repeated page does
 * not count.
 */
function isRepeated<Page extends PlacedPage>(parts: readonly (readonly ListedPage<Page>[])[]): boolean {
  const targets = parts.map((part) => new Set(part.map(({ page }) => page.target)))
  return targets.some((own, index) =>
    targets.slice(index + 1).some((other) => {
      const shared = [...own].filter((target) => other.has(target)).length
      return shared > 0 && shared * 2 >= Math.min(own.size, other.size)
    }),
  )
}

/** Groups usually correspond to tags, so new groups are added next to them. */
function liftFromGroups({ divisions }: DocsConfig, from: Division, top: Division): Division {
  let division = from
  while (division.kind === 'group' && division !== top) {
    const around = divisions.findLast((other) => other !== division && isWithin(division.pointer, other.pointer))
    if (!around) break
    division = around
  }
  return division
}

function rateNearness<Page extends PlacedPage>({ pages }: Area<Page>, { path }: PlacedPage): number {
  const steps = parentPath(path).split('/')
  return Math.max(0, ...pages.map((page) => countShared(steps, parentPath(page.path).split('/'))))
}
