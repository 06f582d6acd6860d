import type { OrderSetting } from '../docs-config/project-config.ts'
import { groupBy } from '../source/group-by.ts'
import type { WantedBlock } from './list-wanted-pages.ts'
import type { WantedPage } from './match-locked-pages.ts'
import { pageTitle } from './render-page.ts'
import type {
  DeclaredDivision,
  DescriptionIndex,
  PageSubject,
  PlannedDivision,
  PlannedGroup,
  PlannedPage,
  PlanPagesInput,
  SubjectGroup,
} from './types.ts'
import { groupSubjects } from './wanted-subjects.ts'

/** The groups of a division in order, and the order they were listed in before, if that is different. */
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

/**
 * Groups subjects and orders the groups: by the `tags` of the document, by first use, or alphabetically.
 *
 * `subjects` are in document order. Pages keep that order within a group unless the order is alphabetical. The overview of a
 * group always comes first, and the schemas group always last. Alphabetical order uses Unicode without case and accents,
 * independent of the locale.
 */
function orderGroups(
  subjects: readonly PageSubject[],
  tags: DescriptionIndex['tags'],
  order: OrderSetting,
): readonly SubjectGroup[] {
  const groups = groupSubjects(subjects, tags, order === 'tags' ? tags.map(({ name }) => name) : [])
  if (order !== 'alphabetical') return groups
  const sorted = groups.map(({ label, subjects: members }) => {
    const [first] = members
    const isFirst = (subject: PageSubject) => subject === first && subject.binding.kind === 'overview'
    return {
      label,
      subjects: [
        ...members.filter(isFirst),
        ...sortByName(
          members.filter((subject) => !isFirst(subject)),
          pageTitle,
        ),
      ],
    }
  })
  const isOfSchemas = ({ subjects: [first] }: SubjectGroup) => first?.binding.kind === 'schema'
  return [
    ...sortByName(
      sorted.filter((group) => !isOfSchemas(group)),
      ({ label }) => label,
    ),
    ...sorted.filter(isOfSchemas),
  ]
}

function sortByName<Value>(values: readonly Value[], nameOf: (value: Value) => string): Value[] {
  const named = values.map((value) => ({ value, key: toSortKey(nameOf(value)) }))
  return named.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ value }) => value)
}

function toSortKey(name: string): string {
  return name.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
