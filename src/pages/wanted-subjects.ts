import type { Finding } from '../diagnostics/diagnostic.ts'
import type { SchemaPages } from '../docs-config/project-config.ts'
import type { Tag } from '../openapi/types.ts'
import { isDeeperThan } from '../source/is-object.ts'
import type { DeclaredDivision, DescriptionIndex, PageSubject, SubjectGroup } from './types.ts'

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
  const groups = groupSubjects(shown, tags, [])
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

/**
 * Groups subjects by their first tag. The label is the `x-group` of the tag. Tags with the same label share a group.
 *
 * Groups are in the order of `tagOrder`, then by first use. Schemas have a separate group. The overview of a group comes first.
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

/** Creates a function that returns the group label of a subject. */
export function toSubjectLabels(
  tags: readonly Tag[],
): (subject: Pick<PageSubject, 'tag'> & { readonly binding: PageSubject['binding'] | undefined }) => string {
  const labels = new Map(tags.map(({ name, group }) => [name, group?.trim() || name]))
  return ({ tag, binding }) => {
    if (binding?.kind === 'schema') return schemasLabel
    return tag === undefined ? untaggedLabel : (labels.get(tag) ?? tag)
  }
}

/** Maximum nesting of `x-mint.metadata` in frontmatter, including the top level. */
const maxNesting = 100

/** Removes metadata that is nested too deep to be written, and reports it. */
export function dropDeepMetadata(subject: PageSubject, findings: Finding[]): PageSubject {
  const { mint, file, pointer } = subject
  if (!mint || !isDeeperThan(mint.metadata, maxNesting)) return subject
  findings.push({
    code: 'too-complex',
    message: `Unexpected \`metadata\` nesting of more than ${maxNesting} levels`,
    file,
    pointer: `${pointer}/x-mint/metadata`,
    on: 'key',
    hint: 'Reduce the nesting. Until then, the page has no metadata',
    severity: 'warning',
  })
  return { ...subject, mint: { ...mint, metadata: undefined } }
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
