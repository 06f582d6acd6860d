import type { OrderSetting } from '../docs/project-config.ts'
import { groupBy } from '../text/group-by.ts'
import type { WantedPage } from './match-locked-pages.ts'
import { orderGroups } from './order-groups.ts'
import type { PlanPagesInput } from './plan-pages-input.ts'
import type { DeclaredDivision, PlannedDivision, PlannedGroup, PlannedPage } from './types.ts'
import type { WantedBlock } from './want-pages.ts'

/** The groups of a division in its order; and in the one that they were listed by, where that is another. */
export function orderDivision(
  division: DeclaredDivision,
  blocks: readonly WantedBlock[],
  planned: ReadonlyMap<WantedPage, PlannedPage>,
  { descriptions }: Pick<PlanPagesInput, 'descriptions'>,
): Pick<PlannedDivision, 'groups' | 'formerGroups'> {
  const formerOrder = (source: string) => division.lockedSources.find((entry) => entry.source === source)?.order ?? division.order
  const arrange = (orderOf: (source: string) => OrderSetting) =>
    blocks.flatMap(({ source, pages }): PlannedGroup[] => {
      const bySubject = groupBy(pages, ({ subject }) => subject)
      const groups = orderGroups([...bySubject.keys()], descriptions.get(source)?.tags ?? [], orderOf(source))
      return groups.map(({ label, subjects }) => {
        const members = subjects.flatMap((subject) => bySubject.get(subject) ?? [])
        return { label, source, pages: members.flatMap((page) => planned.get(page) ?? []) }
      })
    })
  const hasChanged = blocks.some(({ source }) => formerOrder(source) !== division.order)
  return { groups: arrange(() => division.order), formerGroups: hasChanged ? arrange(formerOrder) : undefined }
}
