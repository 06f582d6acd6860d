import type { Tag } from '../openapi/types.ts'
import type { PageSubject, SubjectGroup } from './types.ts'

/** The group of operations without a tag. */
const untaggedLabel = 'API Reference'

/**
 * Puts subjects into groups by their first tag. `x-group` of a tag is the label of its group; tags with the same label share one.
 *
 * Groups are in the order of `tagOrder`, then in that of first use.
 */
export function groupSubjects(
  subjects: readonly PageSubject[],
  tags: readonly Tag[],
  tagOrder: readonly string[],
): SubjectGroup[] {
  const labelOf = toGroupLabels(tags)
  const groups = new Map<string, PageSubject[]>(tagOrder.map((tag) => [labelOf(tag), []]))
  for (const subject of subjects) {
    const label = labelOf(subject.tag)
    const group = groups.get(label)
    if (group) group.push(subject)
    else groups.set(label, [subject])
  }
  return [...groups].filter(([, members]) => members.length > 0).map(([label, members]) => ({ label, subjects: members }))
}

/** Makes the function that gives the label of the group of a tag, or of operations without one. */
export function toGroupLabels(tags: readonly Tag[]): (tag: string | undefined) => string {
  const labels = new Map(tags.map(({ name, group }) => [name, group?.trim() || name]))
  return (tag) => (tag === undefined ? untaggedLabel : (labels.get(tag) ?? tag))
}
