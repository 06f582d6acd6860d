import { compareText, groupBy } from '../../text/plain/lists.ts'
import type { OrderSetting } from '../config/project-config.ts'
import { pageTitle } from '../pages/generated-page.ts'
import type { WantedBlock } from '../pages/list-wanted-pages.ts'
import type { WantedPage } from '../pages/match-locked-pages.ts'
import type { DeclaredDivision, NavigationGroup, PlannedDivision, PlannedGroup, PlannedPage } from '../pages/subjects.ts'
import { toGroupKey } from '../pages/wanted-subjects.ts'

/** The groups of a division in order, and the order they were listed in before, if that is different. */
export function orderDivision(
  division: DeclaredDivision,
  blocks: readonly WantedBlock[],
  planned: ReadonlyMap<WantedPage, PlannedPage>,
): Pick<PlannedDivision, 'groups' | 'formerGroups'> {
  const formerOrder = (source: string) => division.lockedSources.find((entry) => entry.source === source)?.order ?? division.order
  const arrange = (orderOf: (source: string) => OrderSetting) =>
    blocks.flatMap(({ source, pages, groups }): PlannedGroup[] => {
      const placed = pages.filter((page) => planned.has(page))
      return orderGroups(placed, groups, orderOf(source)).map((group) => {
        return { ...group, source, pages: group.pages.flatMap((page) => planned.get(page) ?? []) }
      })
    })
  const hasChanged = blocks.some(({ source }) => formerOrder(source) !== division.order)
  return { groups: arrange(() => division.order), formerGroups: hasChanged ? arrange(formerOrder) : undefined }
}

/** The pages of one navigation group. */
interface PageGroup extends NavigationGroup {
  readonly pages: readonly WantedPage[]
}

/**
 * Groups pages and orders the groups: by the `tags` of the document, by first use, or alphabetically.
 *
 * `pages` are in document order. They keep that order within a group unless the order is alphabetical. The overview of a
 * group always comes first, and the schemas group always last. Alphabetical order uses Unicode without case and accents,
 * independent of the locale.
 */
function orderGroups(pages: readonly WantedPage[], known: readonly NavigationGroup[], order: OrderSetting): PageGroup[] {
  const byKey = groupBy(pages, ({ group }) => group)
  const knownGroups = new Map(known.map((group) => [toGroupKey(group), group]))
  const keys = new Set([...(order === 'tags' ? knownGroups.keys() : []), ...byKey.keys()])
  const groups = [...keys].flatMap((key): PageGroup | [] => {
    const members = byKey.get(key)
    return members ? { label: key, parents: [], ...knownGroups.get(key), pages: orderPages(members, order) } : []
  })
  if (order !== 'alphabetical') return groups
  const isOfSchemas = ({ pages: [first] }: PageGroup) => first?.subject.binding.kind === 'schema'
  return [
    ...sortByName(
      groups.filter((group) => !isOfSchemas(group)),
      toGroupKey,
    ),
    ...groups.filter(isOfSchemas),
  ]
}

function orderPages(pages: readonly WantedPage[], order: OrderSetting): WantedPage[] {
  const isOverview = ({ subject }: WantedPage) => subject.binding.kind === 'overview'
  const others = pages.filter((page) => !isOverview(page))
  return [
    ...pages.filter(isOverview),
    ...(order === 'alphabetical' ? sortByName(others, ({ subject }) => pageTitle(subject)) : others),
  ]
}

function sortByName<Value>(values: readonly Value[], nameOf: (value: Value) => string): Value[] {
  const named = values.map((value) => ({ value, key: toSortKey(nameOf(value)) }))
  return named.sort((a, b) => compareText(a.key, b.key)).map(({ value }) => value)
}

function toSortKey(name: string): string {
  return name.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
