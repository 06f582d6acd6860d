import type { OrderSetting } from '../docs/project-config.ts'
import { groupSubjects } from './group-subjects.ts'
import { pageTitle } from './page-title.ts'
import type { DescriptionIndex, PageSubject, SubjectGroup } from './types.ts'

/**
 * Puts subjects into groups and these in order: by the `tags` of the document, by first use, or both groups and pages by their names.
 *
 * `subjects` are in the order of the document; inside a group they stay in it unless the order is alphabetical. The overview of a group stays the
 * first in it, and the group of the schemas the last. The alphabet is that of
 * Unicode without case and accents, the same on every machine.
 */
export function orderGroups(
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
