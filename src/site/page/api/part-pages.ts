import { toSafeName } from '../../../docs/pages/generated-page.ts'
import { getOrMake, onceFor } from '../../../text/plain/lists.ts'
import type { SitePage } from '../../plan/types.ts'
import type { Reference } from '../../reference/create-reference.ts'
import { listOperationViews, listParts } from '../../reference/schema-parts.ts'
import type { SchemaPart } from '../../reference/types.ts'
import { claimId, toElementId } from '../element-ids.ts'

/** The page of a part of a schema, see `SchemaPart`. It is not planned: it is published with the page that contains the part. */
export interface PartPage {
  readonly part: SchemaPart
  readonly route: string
  readonly title: string
}

/** The directory of part pages, below the route of the page that contains them. No page of a docs directory has this path. */
const partsFolder = '_parts'

/** The route of the page that a part page is published with; `undefined` for other routes. */
export function findPartOwner(route: string): string | undefined {
  const found = /^(?:(.+)\/)?_parts\/[^/]+$/.exec(route)
  return found ? (found[1] ?? '') : undefined
}

type PartOwner = Pick<SitePage, 'route' | 'subject'>

/** Part pages are listed once for each page, because its HTML and Markdown link to them, and those of schemas are linked by many pages. */
const listed = onceFor((_: Reference) => new Map<string, readonly PartPage[]>())

/** Lists the part pages that are published with a page. */
export function listPartPages({ route, subject }: PartOwner, reference: Reference): readonly PartPage[] {
  return getOrMake(listed(reference), route, () => namePages(route, findParts(subject, reference)))
}

function findParts(subject: SitePage['subject'], reference: Reference): readonly SchemaPart[] {
  if (subject.kind === 'schema') return reference.schemaParts(subject.name)
  if (subject.kind === 'webhook') return listParts(reference.webhookViews(subject.name).flatMap(listOperationViews), undefined)
  const operation = subject.kind === 'operation' ? reference.operationView(subject.target) : undefined
  return operation ? listParts(listOperationViews(operation), undefined) : []
}

/**
 * The route of a part's page.
 *
 * @param page the page that shows the part. @param routeOf returns the route of a named schema's page.
 */
export function findPartRoute(
  part: SchemaPart,
  page: PartOwner,
  reference: Reference,
  routeOf: (name: string) => string | undefined,
): string | undefined {
  const { owner } = part
  const route = owner ? routeOf(owner.name) : page.route
  if (route === undefined) return undefined
  const subject: SitePage['subject'] = owner ? { kind: 'schema', source: '', name: owner.name } : page.subject
  return listPartPages({ route, subject }, reference).find(({ part: { key } }) => key === part.key)?.route
}

function namePages(route: string, parts: readonly SchemaPart[]): PartPage[] {
  const taken = new Set<string>()
  const folder = route === '' ? partsFolder : `${route}/${partsFolder}`
  return parts.map((part) => {
    const slug = claimId(toSafeName(toElementId(...part.names).toLowerCase()) || 'part', taken)
    return { part, route: `${folder}/${slug}`, title: part.names.join('.') || 'Schema' }
  })
}

/** A part page as a page of the site, in the same place of the navigation as the page that it is published with. */
export function toPartPage(owner: SitePage, { route, title }: PartPage): SitePage {
  return {
    ...owner,
    ...{ route, title, sidebarTitle: title },
    // Its group would list the first of many pages.
    trail: owner.trail.filter(({ kind }) => kind !== 'group'),
    path: undefined,
    description: undefined,
    icon: undefined,
    tag: undefined,
    deprecated: false,
    mode: 'default',
    hidden: true,
    noindex: true,
    frontmatter: { noindex: true },
  }
}
