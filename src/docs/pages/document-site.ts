import { joinDescription, splitSummary, toWordsOfId } from '../../openapi/read/titles.ts'
import { countShared } from '../../text/plain/lists.ts'
import type { DescriptionIndex, PageSubject } from './subjects.ts'
import { isShown } from './wanted-subjects.ts'

/**
 * Names and groups the operations of a description for a site of this one document, where no other tool depends on titles and paths. Titles are short, and
 * made from the `operationId` without a summary. Operations without tags are grouped by path. Webhooks without a tag have their own group.
 */
export function nameForDocumentSite(index: DescriptionIndex): DescriptionIndex {
  const tagOf = groupByPath(index)
  const subjects = index.subjects.map((subject): PageSubject => {
    const { summary, operationId, description, binding } = subject
    const words = binding.kind === 'operation' && operationId !== undefined ? toWordsOfId(operationId) : undefined
    const title = summary === undefined ? words : splitSummary(summary).title
    return {
      ...subject,
      summary: title,
      ...(title !== undefined && { pathName: title.replace(/…$/, '') }),
      description: joinDescription(summary, description),
      tag: subject.tag ?? tagOf(subject),
    }
  })
  return { ...index, subjects, byTarget: new Map(subjects.map((subject) => [subject.target, subject])) }
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
  // The number of segments that all paths start with.
  const shared = Math.min(...all.map((segments) => countShared(segments, all[0] ?? [])))
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
