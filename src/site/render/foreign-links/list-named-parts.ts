import { toLooseId } from '../../../source/to-loose-id.ts'
import type { MdxNode } from '../../content/types.ts'
import type { Reference } from '../../reference/create-reference.ts'
import { createSiteMemo, type SiteSource } from '../site-context.ts'
import type { SitePage } from '../types.ts'
import type { NamedParts } from './foreign-links.ts'

/** The API descriptions that the links of a page can refer to: its own, or all of the site for a guide. */
export function listNamedParts({ subject }: SitePage, source: SiteSource): readonly NamedParts[] {
  const known = partsOf(source.context.plan)
  const sources = 'source' in subject ? [subject.source] : [...source.references.keys()]
  return sources.flatMap((name) => {
    const reference = source.references.get(name)
    if (!reference) return []
    const parts = known.get(name) ?? readNamedParts(name, reference, source)
    known.set(name, parts)
    return [parts]
  })
}

/** One list per API description, shared by all pages of a site. */
const partsOf = createSiteMemo<string, NamedParts>()

function readNamedParts(name: string, reference: Reference, site: SiteSource): NamedParts {
  const operations: NamedParts['operations'][number][] = []
  const schemas: NamedParts['schemas'][number][] = []
  const tags = new Map<string, string>()
  const labels = new Map(reference.description.tags.map(({ name: tag, group }) => [tag, group ?? tag]))
  for (const page of site.context.plan.pages) {
    const { route, subject } = page
    if (!('source' in subject) || subject.source !== name) continue
    if (subject.kind === 'schema') schemas.push({ name: subject.name, route })
    for (const { target, operationId, tags: own } of listOperations(subject, reference)) {
      operations.push({ target, operationId, route })
      if (page.isUnlisted) continue
      for (const tag of own) if (!tags.has(tag)) tags.set(tag, findOverview(labels.get(tag) ?? tag, page, site) ?? route)
    }
  }
  return {
    operations,
    schemas,
    tags: Array.from(tags, ([tag, route]) => ({ name: tag, route })),
    introduction: findIntroduction(site),
  }
}

function listOperations(subject: SitePage['subject'], { operations, webhooks }: Reference) {
  if (subject.kind === 'webhook') {
    return (webhooks.get(subject.name) ?? []).map(({ fields }) => ({ target: `WEBHOOK ${subject.name}`, ...fields }))
  }
  const operation = subject.kind === 'operation' ? operations.get(subject.target) : undefined
  return operation && subject.kind === 'operation' ? [{ target: subject.target, ...operation.fields }] : []
}

/** The first page of a tag's group if it is a guide. */
function findOverview(label: string, { trail }: SitePage, { context: { pageByRoute } }: SiteSource): string | undefined {
  const group = trail.at(-1)
  if (group?.kind !== 'group' || toLooseId(group.tagName ?? group.label) !== toLooseId(label)) return undefined
  const [first] = group.children
  const route = group.root ?? (first?.kind === 'page' ? first.route : undefined)
  const kind = pageByRoute.get(route ?? '')?.subject.kind
  return route !== undefined && (kind === 'guide' || kind === 'tag') ? route : undefined
}

function findIntroduction({
  introduction: path,
  context: { plan },
  reader,
  root,
  textOf,
}: SiteSource): NamedParts['introduction'] {
  const text = path === undefined ? undefined : textOf(path)
  const page = plan.pages.find((one) => one.path === path)
  if (path === undefined || text === undefined || !page) return undefined
  return { route: page.route, ids: listNodeIds(reader.readPage(root === '' ? path : `${root}/${path}`, text).nodes) }
}

function listNodeIds(nodes: readonly MdxNode[]): string[] {
  return nodes.flatMap((node) => {
    if (node.kind !== 'element') return []
    const { id } = node.props
    return [...(typeof id === 'string' ? [id] : []), ...listNodeIds(node.children)]
  })
}
