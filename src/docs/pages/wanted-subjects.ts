import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { Tag } from '../../openapi/types.ts'
import { groupBy } from '../../text/plain/lists.ts'
import { matchWildcards } from '../../text/plain/paths.ts'
import type { MethodOrder, SchemaPages } from '../config/config-setting.ts'
import type { WantedPage } from './match-locked-pages.ts'
import {
  type DeclaredDivision,
  type DescriptionIndex,
  dropDeepMetadata,
  type NavigationGroup,
  type PageSubject,
  type PlanPagesInput,
} from './subjects.ts'

/**
 * Lists the subjects with a page in a division: operations and webhooks, then schemas and overviews if enabled. Hidden and
 * excluded ones are left out. Overviews come last, since they link to the other pages.
 */
export function listWantedSubjects(
  { subjects, schemas, tags, tagGroups }: Pick<DescriptionIndex, 'subjects' | 'schemas' | 'tags' | 'tagGroups'>,
  settings: Pick<DeclaredDivision, 'schemas' | 'overviews' | 'methodOrder'>,
): PageSubject[] {
  const shown = subjects.filter(isShown)
  const wanted = [...shown, ...schemas.filter((schema) => isShown(schema) && isWanted(schema, settings.schemas))]
  if (!settings.overviews) return wanted
  const groupOf = toSubjectGroups({ tags, tagGroups })
  const ordered = orderMethods(shown, (subject) => subject, settings.methodOrder)
  const groups = groupBy(ordered, (subject) => toGroupKey(groupOf(subject))).values()
  return [...wanted, ...Array.from(groups, (members) => toOverview(members, groupOf, tags))]
}

/** Orders the operations of each path. `values` have them in the order of `methods`. */
export function orderMethods<Value>(
  values: readonly Value[],
  subjectOf: (value: Value) => PageSubject,
  order: MethodOrder,
): readonly Value[] {
  if (order === 'fixed') return values
  const positionOf = (value: Value) => subjectOf(value).position ?? 0
  const byPath = groupBy(values, (value) => {
    const { binding, target } = subjectOf(value)
    return binding.kind === 'operation' ? binding.pathTemplate : target
  })
  return [...byPath.values()].flatMap((same) => same.toSorted((a, b) => positionOf(a) - positionOf(b)))
}

export function isShown({ hidden, excluded }: PageSubject): boolean {
  return !hidden && !excluded
}

function isWanted({ binding }: PageSubject, pages: SchemaPages): boolean {
  if (typeof pages === 'boolean') return pages
  return binding.kind === 'schema' && pages.some((pattern) => matchWildcards(binding.name, pattern, '*'))
}

function toOverview(
  members: readonly PageSubject[],
  groupOf: (subject: PageSubject) => NavigationGroup,
  allTags: DescriptionIndex['tags'],
): PageSubject {
  const names = new Set(members.map((member) => member.tag))
  const tags = allTags.filter(({ name }) => names.has(name))
  const tag = tags[0]?.name ?? members[0]?.tag
  const { file = '', pointer = '' } = tags[0] ?? members[0] ?? {}
  return {
    binding: { kind: 'overview', tags, members },
    target: tag === undefined ? 'overview' : `overview ${tag}`,
    operationId: undefined,
    summary: members[0] && groupOf(members[0]).label,
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
 * Creates a function that returns the group label of a subject: the `x-group` of its first tag, or its name. Tags with the same label
 * share a group. Schemas have a separate group.
 */
export function toSubjectLabels(tags: readonly Tag[]): (subject: Pick<PageSubject, 'tag' | 'binding'>) => string {
  const groupOf = toSubjectGroups({ tags: tags.map((tag) => ({ ...tag, parent: undefined })), tagGroups: [] })
  return (subject) => groupOf(subject).label
}

/** Like `toSubjectLabels`, with the groups that contain the group, see `toTagGroups`. */
function toSubjectGroups(
  description: Pick<DescriptionIndex, 'tags' | 'tagGroups'>,
): (subject: Pick<PageSubject, 'tag' | 'binding'>) => NavigationGroup {
  const groups = toTagGroups(description)
  return ({ tag, binding }) => {
    if (binding.kind === 'schema') return { label: schemasLabel, parents: [] }
    return tag === undefined ? { label: untaggedLabel, parents: [] } : (groups.get(tag) ?? { label: tag, parents: [] })
  }
}

/** Identifies a group in a division, and in the lock file: `Pets`, or `Animals / Pets` inside another group. */
export function toGroupKey({ label, parents }: NavigationGroup): string {
  return [...parents, label].join(' / ')
}

/**
 * The group of each tag by the tag's name, in navigation order: the order of `x-tagGroups`, then of the document, with inner groups after the group that contains
 * them. `x-tagGroups` and `parent` (3.2) nest groups. Tags in a cycle of parents have no parents.
 */
function toTagGroups({ tags, tagGroups }: Pick<DescriptionIndex, 'tags' | 'tagGroups'>): ReadonlyMap<string, NavigationGroup> {
  const labels = toTagLabels(tags)
  const byName = new Map(tags.map((tag) => [tag.name, tag]))
  const inner = groupBy(tags, (tag) => findParent(tag, byName))
  const groups = new Map<string, NavigationGroup>()
  const place = (name: string, parents: readonly string[]) => {
    if (groups.has(name)) return
    const label = labels.get(name) ?? name
    groups.set(name, { label, parents })
    for (const child of inner.get(name) ?? []) place(child.name, [...parents, label])
  }
  for (const { name: group, tags: names } of tagGroups) {
    // A group of one tag with the same name is this tag.
    const isSame = names.every((name) => (labels.get(name) ?? name).toLowerCase() === group.toLowerCase())
    for (const name of names) place(name, isSame ? [] : [group])
  }
  for (const { name } of inner.get(undefined) ?? []) place(name, [])
  return groups
}

/** The most groups around a group. Tags that are nested deeper have no parents. */
const maxParents = 20

/** The name of the tag that contains a tag; `undefined` for an undeclared one and in a cycle, which a check reports. */
function findParent(tag: Tag, byName: ReadonlyMap<string, Tag>): string | undefined {
  let step: Tag | undefined = tag
  for (let count = 0; step && count <= maxParents; count++) step = byName.get(step.parent ?? '')
  return step || !byName.has(tag.parent ?? '') ? undefined : tag.parent
}

/** The group label of each tag, in the order of the document. */
export function toTagLabels(tags: readonly Tag[]): ReadonlyMap<string, string> {
  return new Map(tags.map(({ name, group }) => [name, group?.trim() || name]))
}

/** The pages that a division needs for one document. */
export interface WantedBlock {
  readonly division: DeclaredDivision
  readonly source: string
  readonly pages: readonly WantedPage[]
  /** The groups of the document's tags in navigation order. */
  readonly groups: readonly NavigationGroup[]
  /** See `PlannedDivision.served`. */
  readonly isServed: boolean
}

/**
 * Lists the pages that a division needs; see `listWantedSubjects`. Operations with a hand-written page or entry are left out. A virtual
 * division needs no new pages, but keeps some, see `matchLockedPages`.
 */
export function listWantedPages(input: PlanPagesInput, division: DeclaredDivision, findings: Finding[]): WantedBlock[] {
  if (division.mode === 'listed') return []
  const isOnlyMatched = division.mode === 'virtual'
  const { lockedId } = division
  if (isOnlyMatched && !input.lockedPages.some((page) => page.division === lockedId)) return []
  return division.sources
    .filter(({ adopted }) => !adopted)
    .map((source) => {
      const description = input.descriptions.get(source.source)
      const { tags, tagGroups } = description ?? { tags: [], tagGroups: [] }
      const groupOf = toSubjectGroups({ tags, tagGroups })
      const subjects = description ? listWantedSubjects(description, division) : []
      const pages = subjects.flatMap((found): WantedPage | readonly WantedPage[] => {
        const subject = dropDeepMetadata(found, findings)
        if (input.replacementOf(division, source.source, subject.target)) return []
        return { division, source, subject, group: toGroupKey(groupOf(subject)), isOnlyMatched }
      })
      const isServed = subjects.some(({ target }) => !input.isAffected(source.source, target))
      return { division, source: source.source, pages, groups: [...toTagGroups({ tags, tagGroups }).values()], isServed }
    })
}

/**
 * Lists the pages that only a site has: those of entries such as `GET /pets`, and those of hidden operations without one, which no navigation
 * lists. They come after all others, whose paths do not depend on them.
 */
export function listSitePages(input: PlanPagesInput, findings: Finding[]): WantedBlock[] {
  const { divisions, descriptions, entriesOf, replacementOf } = input
  if (!entriesOf) return []
  const bound = new Set(Array.from(input.boundPages.values(), ({ source, target }) => `${source} ${target}`))
  const blocks = divisions.flatMap((division) =>
    division.sources.map((source) => {
      const isOwn = division.mode === 'automatic' && !source.adopted
      const pages = (descriptions.get(source.source)?.subjects ?? []).flatMap((found): WantedPage[] => {
        const entries = entriesOf(division, source.source, found.target)
        const isAlone = isOwn && found.hidden && !replacementOf(division, source.source, found.target)
        if (found.excluded || (entries.length === 0 && (!isAlone || bound.has(`${source.source} ${found.target}`)))) return []
        return [{ division, source, subject: dropDeepMetadata(found, findings), group: '', entries }]
      })
      return { division, source: source.source, pages, groups: [], isServed: false }
    }),
  )
  const pick = (isListed: boolean) =>
    blocks.map((block) => ({ ...block, pages: block.pages.filter(({ entries }) => (entries?.length !== 0) === isListed) }))
  return [...pick(true), ...pick(false)]
}
