import type { SchemaPages } from '../docs-config/project-config.ts'
import type { Tag } from '../openapi/types.ts'
import { groupBy } from '../source/group-by.ts'
import type { DeclaredDivision, DescriptionIndex, PageSubject } from './types.ts'

/**
 * Lists the subjects with a page in a division: operations and webhooks, then schemas and overviews if enabled. Hidden and
 * excluded ones are left out. Overviews come last, since they link to the other pages.
 */
export function listWantedSubjects(
  { subjects, schemas, tags }: Pick<DescriptionIndex, 'subjects' | 'schemas' | 'tags'>,
  settings: Pick<DeclaredDivision, 'schemas' | 'overviews'>,
): PageSubject[] {
  const shown = subjects.filter(isShown)
  const wanted = [...shown, ...schemas.filter((schema) => isShown(schema) && isWanted(schema, settings.schemas))]
  if (!settings.overviews) return wanted
  const groups = groupSubjects(shown, tags)
  return [...wanted, ...groups.map((group) => toOverview(group, tags))]
}

export function isShown({ hidden, excluded }: PageSubject): boolean {
  return !hidden && !excluded
}

function isWanted({ binding }: PageSubject, pages: SchemaPages): boolean {
  if (typeof pages === 'boolean') return pages
  return binding.kind === 'schema' && pages.some((pattern) => matchesName(binding.name, pattern))
}

function toOverview({ label, subjects: members }: SubjectGroup, allTags: DescriptionIndex['tags']): PageSubject {
  const names = new Set(members.map((member) => member.tag))
  const tags = allTags.filter(({ name }) => names.has(name))
  const tag = tags[0]?.name ?? members[0]?.tag
  const { file = '', pointer = '' } = tags[0] ?? members[0] ?? {}
  return {
    binding: { kind: 'overview', tags, members },
    target: tag === undefined ? 'overview' : `overview ${tag}`,
    operationId: undefined,
    summary: label,
    description: undefined,
    tag,
    deprecated: undefined,
    hidden: false,
    excluded: false,
    mint: undefined,
    parameters: [],
    file,
    pointer,
  }
}

/** The group of operations without a tag. */
const untaggedLabel = 'API Reference'

/** The group of all schemas. */
const schemasLabel = 'Schemas'

/** The subjects of one navigation group. */
interface SubjectGroup {
  readonly label: string
  readonly subjects: readonly PageSubject[]
}

/** Groups subjects by their label, in order of first use. */
export function groupSubjects(subjects: readonly PageSubject[], tags: readonly Tag[]): SubjectGroup[] {
  return [...groupBy(subjects, toSubjectLabels(tags))].map(([label, members]) => ({ label, subjects: members }))
}

/**
 * Creates a function that returns the group label of a subject: the `x-group` of its first tag, or its name. Tags with the same label
 * share a group. Schemas have a separate group.
 */
export function toSubjectLabels(tags: readonly Tag[]): (subject: Pick<PageSubject, 'tag' | 'binding'>) => string {
  const labels = toTagLabels(tags)
  return ({ tag, binding }) => {
    if (binding.kind === 'schema') return schemasLabel
    return tag === undefined ? untaggedLabel : (labels.get(tag) ?? tag)
  }
}

/** The group label of each tag, in the order of the document. */
export function toTagLabels(tags: readonly Tag[]): ReadonlyMap<string, string> {
  return new Map(tags.map(({ name, group }) => [name, group?.trim() || name]))
}

/** Whether a name matches a pattern, with `*` for any characters. Takes linear time. */
export function matchesName(name: string, pattern: string): boolean {
  const parts = pattern.split('*')
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  if (parts.length === 1) return name === pattern
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  let from = first.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, from)
    if (found === -1 || found + part.length > name.length - last.length) return false
    from = found + part.length
  }
  return true
}
