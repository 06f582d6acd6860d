import type { SchemaPages } from '../docs/project-config.ts'
import { fitsName } from './fits-name.ts'
import { groupSubjects } from './group-subjects.ts'
import type { DeclaredDivision, DescriptionIndex, PageSubject, SubjectGroup } from './types.ts'

/**
 * Lists what a description has pages for in a division: operations and webhooks, then schemas and overviews where the settings want them.
 * Hidden and excluded ones are left out. Overviews come last, since they link to the others.
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

function isShown({ hidden, excluded }: PageSubject): boolean {
  return !hidden && !excluded
}

function isWanted({ binding }: PageSubject, pages: SchemaPages): boolean {
  if (typeof pages === 'boolean') return pages
  return binding.kind === 'schema' && pages.some((pattern) => fitsName(binding.name, pattern))
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
