import type { Tag } from '../openapi/types.ts'
import type { PageSubject, SubjectGroup } from './types.ts'

/** The group of operations without a tag. */
const untaggedLabel = 'API Reference'

/** The group of all schemas. */
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
  const labelOf = toSubjectLabels(tags)
  const groups = new Map<string, PageSubject[]>(tagOrder.map((tag) => [labelOf({ tag, binding: undefined }), []]))
  for (const subject of subjects) {
    const label = labelOf(subject)
    const group = groups.get(label) ?? []
    groups.set(label, group)
    if (subject.binding.kind === 'overview') group.unshift(subject)
    else group.push(subject)
  }
  return [...groups].filter(([, members]) => members.length > 0).map(([label, members]) => ({ label, subjects: members }))
}

/** Makes the function that gives the label of the group of a subject. */
export function toSubjectLabels(
  tags: readonly Tag[],
): (subject: Pick<PageSubject, 'tag'> & { readonly binding: PageSubject['binding'] | undefined }) => string {
  const labels = new Map(tags.map(({ name, group }) => [name, group?.trim() || name]))
  return ({ tag, binding }) => {
    if (binding?.kind === 'schema') return schemasLabel
    return tag === undefined ? untaggedLabel : (labels.get(tag) ?? tag)
  }
}
