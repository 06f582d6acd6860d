import type { BindableDocument } from '../../docs/pages/page-bindings.ts'
import type { DescriptionIndex } from '../../docs/pages/subjects.ts'
import { toReadableName } from '../../openapi/read/titles.ts'
import type { Description } from '../../openapi/types.ts'
import { mapDivisions } from './divisions.ts'
import type { DivisionNode, NavigationNode, SitePage, SitePlan } from './types.ts'

/** A group of the navigation that the build added for a tag. */
interface TagGroup {
  readonly group: DivisionNode
  /** The division that contains the group. */
  readonly parent: DivisionNode | undefined
  readonly source: string
  readonly tag: string
  /** The Tag Object, if the document has one. */
  readonly described: DescriptionIndex['tags'][number] | undefined
  /** Whether it is a part of a large group, see `splitLargeGroups`. */
  readonly isPart: boolean
}

interface TagGroupInput {
  /** Whether `docs.json` contains a group. Its label is not changed. */
  readonly isWritten: (group: DivisionNode) => boolean
  readonly pageByRoute: ReadonlyMap<string, Pick<SitePage, 'subject'>>
  readonly documents: readonly BindableDocument[]
}

/** Replaces the groups that the build added for tags, wherever they are in the navigation, the inner ones first. */
export function replaceTagGroups(
  node: DivisionNode,
  input: TagGroupInput,
  replace: (group: TagGroup) => DivisionNode,
  parent?: DivisionNode,
): DivisionNode {
  // The division around a group of `x-tagGroups` decides about the groups inside it.
  const around = node.kind === 'group' && !input.isWritten(node) ? parent : node
  const children = mapDivisions(node, (child) => replaceTagGroups(child, input, replace, around))
  const found = findTagGroup(node, input)
  return found ? replace({ ...found, group: { ...node, children }, parent }) : { ...node, children }
}

/** Finds the tag of a group: that of its operations, or the tag with its label if it has only inner groups. */
function findTagGroup(
  group: DivisionNode,
  { isWritten, pageByRoute, documents }: TagGroupInput,
): Omit<TagGroup, 'parent' | 'group'> | undefined {
  if (group.kind !== 'group' || isWritten(group)) return undefined
  for (const route of listRoutes(group)) {
    const subject = pageByRoute.get(route)?.subject
    if (subject?.kind !== 'operation' && subject?.kind !== 'webhook') continue
    const { source } = subject
    const index = documents.find((document) => document.source === source)?.index
    const target = subject.kind === 'operation' ? subject.target : `webhook ${subject.name}`
    const isDirect = group.children.some((child) => child.kind === 'page' && child.route === route)
    const described = isDirect ? undefined : index?.tags.find((tag) => (tag.group?.trim() || tag.name) === group.label)
    const page = isDirect ? index?.byTarget.get(target) : undefined
    const tag = isDirect ? page?.tag : described?.name
    const isPart = page?.pathTag !== undefined
    return tag === undefined ? undefined : { source, tag, described: index?.tags.find(({ name }) => name === tag), isPart }
  }
  return undefined
}

/** The routes of a group's pages, its own before those of inner groups. */
function listRoutes({ children }: DivisionNode): string[] {
  const own = children.flatMap((child) => (child.kind === 'page' ? child.route : []))
  return [...own, ...children.flatMap((child) => (child.kind === 'group' ? listRoutes(child) : []))]
}

/** Lists the documents with operations in groups that the build added directly to a division. */
export function listGeneratedSources(
  { children }: DivisionNode,
  { isWritten, pageByRoute }: Pick<TagGroupInput, 'isWritten' | 'pageByRoute'>,
): string[] {
  const routes = children.flatMap((child) => (child.kind === 'group' && !isWritten(child) ? listRoutes(child) : []))
  const sources = routes.flatMap((route) => {
    const subject = pageByRoute.get(route)?.subject
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

/** The described tags of a document that no page is about, for its start page. What is left out of the site has no text in it either. */
export function listOtherTags(
  description: Description,
  plan: Pick<SitePlan, 'pages'>,
  { subject: start }: SitePage,
): Description['tags'] {
  const source = 'source' in start ? start.source : undefined
  const shown = plan.pages.flatMap(({ subject }) => (subject.kind === 'tag' && subject.source === source ? subject.name : []))
  const operations = [...description.operations, ...description.webhooks.flatMap((webhook) => webhook.operations)]
  return description.tags.filter(({ name, description: text, externalDocs }) => {
    const users = operations.filter(({ tags }) => tags.includes(name))
    const isLeftOut = users.length > 0 && users.every(({ hidden, excluded }) => hidden || excluded)
    return (text?.trim() || externalDocs) && !shown.includes(name) && !isLeftOut
  })
}

/** The listed operations and webhooks of a group, without those of inner groups. */
export function listOwnPages({ children }: DivisionNode, pageByRoute: ReadonlyMap<string, SitePage>): SitePage[] {
  return children.flatMap((child) => {
    const page = child.kind === 'page' ? pageByRoute.get(child.route) : undefined
    return page && !page.hidden && (page.subject.kind === 'operation' || page.subject.kind === 'webhook') ? [page] : []
  })
}

/** The listed operations and webhooks of a group, its own before those of its inner groups. */
export function listGroupPages(group: NavigationNode | undefined, pageByRoute: ReadonlyMap<string, SitePage>): SitePage[] {
  if (group?.kind !== 'group') return []
  return [...listOwnPages(group, pageByRoute), ...group.children.flatMap((child) => listGroupPages(child, pageByRoute))]
}
