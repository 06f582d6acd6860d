import type { OrderSetting } from '../docs-config/project-config.ts'
import { groupBy } from '../source/group-by.ts'
import type { WantedBlock } from './list-wanted-pages.ts'
import type { WantedPage } from './match-locked-pages.ts'
import { pageTitle } from './render-page.ts'
import type { DeclaredDivision, PlannedDivision, PlannedGroup, PlannedPage } from './types.ts'

/** The groups of a division in order, and the order they were listed in before, if that is different. */
export function orderDivision(
  division: DeclaredDivision,
  blocks: readonly WantedBlock[],
  planned: ReadonlyMap<WantedPage, PlannedPage>,
): Pick<PlannedDivision, 'groups' | 'formerGroups'> {
  const formerOrder = (source: string) => division.lockedSources.find((entry) => entry.source === source)?.order ?? division.order
  const arrange = (orderOf: (source: string) => OrderSetting) =>
    blocks.flatMap(({ source, pages, tagLabels }): PlannedGroup[] => {
      const placed = pages.filter((page) => planned.has(page))
      return orderGroups(placed, tagLabels, orderOf(source)).map((group) => {
        return { label: group.label, source, pages: group.pages.flatMap((page) => planned.get(page) ?? []) }
      })
    })
  const hasChanged = blocks.some(({ source }) => formerOrder(source) !== division.order)
  return { groups: arrange(() => division.order), formerGroups: hasChanged ? arrange(formerOrder) : undefined }
}

/** The pages of one navigation group. */
interface PageGroup {
  readonly label: string
  readonly pages: readonly WantedPage[]
}

/**
 * Groups pages and orders the groups: by the `tags` of the document, by first use, or alphabetically.
 *
 * `pages` are in document order. They keep that order within a group unless the order is alphabetical. The overview of a
 * group always comes first, and the schemas group always last. Alphabetical order uses Unicode without case and accents,
 * independent of the locale.
 */
function orderGroups(pages: readonly WantedPage[], tagLabels: readonly string[], order: OrderSetting): PageGroup[] {
  const byLabel = groupBy(pages, ({ group }) => group)
  const labels = new Set([...(order === 'tags' ? tagLabels : []), ...byLabel.keys()])
  const groups = [...labels].flatMap((label): PageGroup | [] => {
    const members = byLabel.get(label)
    return members ? { label, pages: orderPages(members, order) } : []
  })
  if (order !== 'alphabetical') return groups
  const isOfSchemas = ({ pages: [first] }: PageGroup) => first?.subject.binding.kind === 'schema'
  return [
    ...sortByName(
      groups.filter((group) => !isOfSchemas(group)),
      ({ label }) => label,
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
  return named.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ value }) => value)
}

function toSortKey(name: string): string {
  return name.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
