import { toReadableName } from '../../openapi/readable-names.ts'
import type { BindableDocument } from '../../pages/page-bindings.ts'
import type { DescriptionIndex } from '../../pages/types.ts'
import type { DivisionNode, NavigationNode, SitePage } from './types.ts'

/** A group of the navigation that the build added for a tag. */
interface TagGroup {
  readonly group: DivisionNode
  /** The division that contains the group. */
  readonly parent: DivisionNode | undefined
  readonly source: string
  readonly tag: string
  /** The Tag Object, if the document has one. */
  readonly described: DescriptionIndex['tags'][number] | undefined
}

interface TagGroupInput {
  /** Whether `docs.json` contains a group. Its label is not changed. */
  readonly isWritten: (group: DivisionNode) => boolean
  readonly pageByRoute: ReadonlyMap<string, Pick<SitePage, 'subject'>>
  readonly documents: readonly BindableDocument[]
}

/** Replaces the groups that the build added for tags, wherever they are in the navigation. */
export function replaceTagGroups(
  node: DivisionNode,
  input: TagGroupInput,
  replace: (group: TagGroup) => DivisionNode,
  parent?: DivisionNode,
): DivisionNode {
  const found = findTagGroup(node, input)
  if (found) return replace({ ...found, parent })
  return {
    ...node,
    children: node.children.map((child) =>
      child.kind === 'page' || child.kind === 'link' ? child : replaceTagGroups(child, input, replace, node),
    ),
  }
}

function findTagGroup(
  group: DivisionNode,
  { isWritten, pageByRoute, documents }: TagGroupInput,
): Omit<TagGroup, 'parent'> | undefined {
  if (group.kind !== 'group' || isWritten(group)) return undefined
  for (const child of group.children) {
    const subject = child.kind === 'page' ? pageByRoute.get(child.route)?.subject : undefined
    if (subject?.kind !== 'operation' && subject?.kind !== 'webhook') continue
    const index = documents.find(({ source }) => source === subject.source)?.index
    const target = subject.kind === 'operation' ? subject.target : `webhook ${subject.name}`
    const tag = index?.byTarget.get(target)?.tag
    return tag === undefined
      ? undefined
      : { group, source: subject.source, tag, described: index?.tags.find(({ name }) => name === tag) }
  }
  return undefined
}

/** Lists the documents with operations in groups that the build added directly to a division. */
export function listGeneratedSources(
  { children }: DivisionNode,
  { isWritten, pageByRoute }: Pick<TagGroupInput, 'isWritten' | 'pageByRoute'>,
): string[] {
  const entries = children.flatMap((child) => (child.kind === 'group' && !isWritten(child) ? child.children : []))
  const sources = entries.flatMap((entry) => {
    const subject = entry.kind === 'page' ? pageByRoute.get(entry.route)?.subject : undefined
    return subject?.kind === 'operation' || subject?.kind === 'webhook' ? [subject.source] : []
  })
  return [...new Set(sources)]
}

/** The name of an overview in the sidebar, next to the label of the division that contains it. */
export function toOverviewLabel(division: string): string {
  return division.trim().toLowerCase() === 'overview' ? 'Introduction' : 'Overview'
}

/** The label of a tag's group: `x-group`, `x-displayName`, or a readable form of the name. */
export function toTagLabel({ tag, described }: Pick<TagGroup, 'tag' | 'described'>): string {
  return described?.group?.trim() || described?.displayName?.trim() || toReadableName(tag)
}

/** The listed operations and webhooks of a group, without those of inner groups. */
export function listGroupPages(group: NavigationNode | undefined, pageByRoute: ReadonlyMap<string, SitePage>): SitePage[] {
  if (group?.kind !== 'group') return []
  return group.children.flatMap((child) => {
    const page = child.kind === 'page' ? pageByRoute.get(child.route) : undefined
    return page && !page.hidden && (page.subject.kind === 'operation' || page.subject.kind === 'webhook') ? [page] : []
  })
}
