import type { Tag } from '../openapi/types.ts'
import type { PageSubject, SubjectGroup } from './types.ts'

/** The group of operations without a tag. */
const untaggedLabel = 'API Reference'

const schemasLabel = 'Schemas'

/**
 * Puts subjects into groups by their first tag. `x-group` of a tag is the label of its group; tags with the same label share one.
 *
 * Groups are in the order of `tagOrder`, then in that of first use; schemas are in one of their own. The overview of a group comes first in it.
 */
export function groupSubjects(
  subjects: readonly PageSubject[],
  tags: readonly Tag[],
  tagOrder: readonly string[],
): SubjectGroup[] {
  const labels = new Map(tags.map(({ name, group }) => [name, group?.trim() || name]))
  const labelOf = (tag: string | undefined) => (tag === undefined ? untaggedLabel : (labels.get(tag) ?? tag))
  const groups = new Map<string, PageSubject[]>(tagOrder.map((tag) => [labelOf(tag), []]))
  for (const subject of subjects) {
    const label = subject.binding.kind === 'schema' ? schemasLabel : labelOf(subject.tag)
    const group = groups.get(label) ?? []
    groups.set(label, group)
    if (subject.binding.kind === 'overview') group.unshift(subject)
    else group.push(subject)
  }
  return [...groups].filter(([, members]) => members.length > 0).map(([label, members]) => ({ label, subjects: members }))
}
