import { joinDescription, splitSummary, toReadableName, toWordsOfId } from '../../openapi/read/titles.ts'
import type { Tag } from '../../openapi/types.ts'
import { countShared, groupBy } from '../../text/plain/lists.ts'
import type { DescriptionIndex, PageSubject } from './subjects.ts'
import { isShown } from './wanted-subjects.ts'

/**
 * Names and groups the operations of a description for a site of this one document, where no other tool depends on titles and paths. Titles are short, and
 * made from the `operationId` without a summary. Operations without tags are grouped by path, and so are many with the same tag. Webhooks without a tag
 * have their own group.
 */
export function nameForDocumentSite(index: DescriptionIndex): DescriptionIndex {
  const tagOf = groupByPath(index)
  const named = index.subjects.map((subject): PageSubject => {
    const { summary, operationId, description, binding } = subject
    const words = binding.kind === 'operation' && operationId !== undefined ? toWordsOfId(operationId) : undefined
    const title = summary === undefined ? words : splitSummary(summary).title
    return {
      ...subject,
      summary: title,
      ...(title !== undefined && { pathName: title.replace(/…$/, '').replace(/[[\]]/g, '') }),
      description: joinDescription(summary, description),
      tag: subject.tag ?? tagOf(subject),
    }
  })
  const { subjects, tags } = splitLargeGroups(named, index.tags)
  return { ...index, subjects, tags, byTarget: new Map(subjects.map((subject) => [subject.target, subject])) }
}

/** The most operations of a tag whose group is not split. */
const maxOperations = 40

/** Gives operations of a large group tags inside of its tag, by their paths. Their pages keep their paths. Without other groups, none is around them. */
function splitLargeGroups(
  all: readonly PageSubject[],
  tags: DescriptionIndex['tags'],
): Pick<DescriptionIndex, 'subjects' | 'tags'> {
  const subjects = new Map(all.map((subject) => [subject.target, subject]))
  const groups = groupBy(all.filter(isShown), ({ tag }) => tag)
  const isOnly = groups.size === 1
  // Only tags that are declared can contain others, and they come first.
  const groupNames = [...groups.keys()].filter((name) => name !== undefined)
  const made: Tag[] = []
  // The map grows during iteration.
  for (const [tag, members] of groups) {
    if (tag === undefined || members.length <= maxOperations) continue
    for (const [segment, inner] of groupBy(members, nameSegments(members))) {
      // One operation stays where it is, and so do those that paths do not tell apart.
      if (segment === undefined || inner.length < minOperations || inner.length === members.length) continue
      const name = `${tag} / ${segment}`
      const parent = isOnly && !made.some((one) => one.name === tag) ? undefined : tag
      made.push({ ...noTag, name, parent, group: toReadableName(segment) })
      for (const subject of inner) subjects.set(subject.target, { ...subject, tag: name, pathTag: subject.pathTag ?? tag })
      groups.set(name, inner)
    }
  }
  if (made.length === 0) return { subjects: all, tags }
  const declared = new Set(tags.map(({ name }) => name))
  const others = groupNames.filter((name) => !declared.has(name)).map((name) => ({ ...noTag, name, group: undefined }))
  return { subjects: [...subjects.values()], tags: [...tags, ...others, ...made] }
}

const noTag = { kind: undefined, description: undefined, externalDocs: undefined, file: '', pointer: '' } as const

/** Returns a function that names the first segment of an operation's path that differs between these operations. */
function nameSegments(members: readonly PageSubject[]): (subject: PageSubject) => string | undefined {
  const paths = new Map(
    members.map(({ target, binding }) => [target, binding.kind === 'operation' ? toSegments(binding.pathTemplate) : []] as const),
  )
  const shared = countSame([...paths.values()])
  return ({ target }) =>
    paths
      .get(target)
      ?.slice(shared)
      .find((segment) => segment !== parameter)
}

/** The number of segments that all paths start with. */
function countSame(paths: readonly (readonly string[])[]): number {
  return Math.min(...paths.map((segments) => countShared(segments, paths[0] ?? [])))
}

/** The group of webhooks without a tag. */
const webhooksTag = 'Webhooks'

/** The fewest operations per group, on average, without which a document has no groups. */
const minOperations = 2

/**
 * Returns the group of each operation without a tag: the first segment of its path that differs between them. Parameters, versions such as `v1` and file
 * extensions do not count. A tag with the same name is used. There are no groups if most of them would have one operation.
 */
function groupByPath({ subjects, tags }: DescriptionIndex): (subject: PageSubject) => string | undefined {
  const untagged = subjects.filter((subject) => subject.tag === undefined && isShown(subject))
  const paths = new Map(
    untagged.flatMap(({ target, binding }) =>
      binding.kind === 'operation' ? [[target, toSegments(binding.pathTemplate)] as const] : [],
    ),
  )
  const all = [...paths.values()]
  const shared = countSame(all)
  const names = [...subjects.flatMap(({ tag }) => tag ?? []), ...tags.map(({ name }) => name)]
  const known = new Map(names.map((name) => [toKey(name), name]))
  const groupOf = (segments: readonly string[]) => {
    const before = segments.slice(0, shared).findLast((segment) => segment !== parameter)
    const name = segments.slice(shared).find((segment) => segment !== parameter) ?? before
    return name === undefined ? undefined : (known.get(toKey(name)) ?? name)
  }
  const groups = new Set(all.map(groupOf))
  const hasGroups = subjects.some(({ tag }) => tag !== undefined) || all.length >= groups.size * minOperations
  return ({ target, binding }) => {
    if (binding.kind === 'webhook') return webhooksTag
    const segments = paths.get(target)
    return segments && hasGroups ? groupOf(segments) : undefined
  }
}

/** A segment that is a parameter, whatever its name. */
const parameter = '{}'

function toSegments(pathTemplate: string): string[] {
  const segments = pathTemplate.split(/[?#]/)[0]?.split('/') ?? []
  return segments
    .filter((segment) => segment !== '' && !/^v\d+(?:\.\d+)*(?:(?:alpha|beta)\d*)?$/i.test(segment))
    .map((segment) => (/^\{[^{}]*\}/.test(segment) ? parameter : segment.replace(/\.(?:json|xml|ya?ml)$/i, '')))
}

function toKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}
