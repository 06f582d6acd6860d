import { getOrMake, onceFor } from '../../../text/plain/lists.ts'
import type { AllowedUrl } from '../../../text/plain/paths.ts'
import type { SitePage, SitePlan } from '../../plan/types.ts'
import type { Reference } from '../../reference/create-reference.ts'
import type { SchemaPart, SchemaUse } from '../../reference/types.ts'
import { claimId } from '../element-ids.ts'
import { type SiteContext, toHref } from '../site-context.ts'
import { findPartRoute } from './part-pages.ts'

/** The functions and settings that the sections of an API page share. */
export interface ApiContext {
  readonly site: SiteContext
  readonly page: SitePage
  readonly reference: Reference
  readonly routes: PageRoutes
  /** Whether rows also have the IDs of other tools. Only one response can have them. */
  readonly hasForeignIds: boolean
  /** Returns an element ID that is unique on the page: the given one, with a number if it is taken. */
  readonly claim: (id: string) => string
}

interface ApiContextInput extends Pick<ApiContext, 'site' | 'page' | 'reference'> {
  /** The page that a part page is published with. By default, `page`. */
  readonly owner?: SitePage
  /** The OpenAPI document that the page is bound to. */
  readonly source: string
  /** The heading IDs of the page's own text. */
  readonly headingIds: readonly string[]
}

/** Creates the context of a page from all pages of the site that document the same API description. */
export function toApiContext({ site, page, owner = page, reference, source, headingIds }: ApiContextInput): ApiContext {
  const routes = findRoutes(site, owner, reference, source)
  return { site, page, reference, routes, hasForeignIds: true, claim: toClaim([...shellIds, ...headingIds], site) }
}

/** The URL of the page of a schema, operation or webhook in this API description; `undefined` if it has none. */
export function findPageHref(
  { site, routes }: Pick<ApiContext, 'site' | 'routes'>,
  kind: SchemaUse['kind'],
  target: string,
): AllowedUrl | undefined {
  const route = routes.routeOf(kind, target)
  return route === undefined ? undefined : toHref(site.hosting, route)
}

/** The routes of the pages that a page can link to. */
interface PageRoutes {
  /** The route of the page of a schema, operation (by `GET /path` or `operationId`) or webhook. */
  readonly routeOf: (kind: SchemaUse['kind'], target: string) => string | undefined
  readonly findPart: (part: SchemaPart) => string | undefined
  /** Whether the page shows the URLs and all scopes of security schemes: the start page of the API, else each page. */
  readonly showsSchemes: boolean
}

/** Finds the pages of an API description for the HTML and the Markdown of a page. */
export function findRoutes(
  { plan }: Pick<SiteContext, 'plan'>,
  page: SitePage,
  reference: Reference,
  source: string,
): PageRoutes {
  const routes = getOrMake(indexesOf(plan), source, () => indexSubjects(plan, source))
  const start = routes.get('description ')
  const routeOf: PageRoutes['routeOf'] = (kind, target) =>
    routes.get(`${kind} ${target}`) ??
    (kind === 'operation' ? routes.get(`operation ${targetOfId(reference, target)}`) : undefined)
  return {
    routeOf,
    findPart: (part) => findPartRoute(part, page, reference, (name) => routeOf('schema', name)),
    showsSchemes: start === undefined || start === page.route,
  }
}

/** Element IDs of the layout that every page has. */
const shellIds = ['main', 'samples', 'toc', 'search', 'navigation']

function toClaim(taken: readonly string[], { notes }: SiteContext): ApiContext['claim'] {
  const ids = new Set(taken)
  // `i-` and `l-` are the prefixes of icon IDs.
  return (wanted) => (notes?.hasIds?.() ? wanted : claimId(wanted === '' || /^[il]-/.test(wanted) ? `at-${wanted}` : wanted, ids))
}

/** The changelog of the API that a page documents. */
export function findChangelogPage(
  { plan }: Pick<SiteContext, 'plan'>,
  { subject }: Pick<SitePage, 'subject'>,
): SitePage | undefined {
  if (!('source' in subject)) return undefined
  return changelogsOf(plan).get(subject.source)
}

const changelogsOf = onceFor(
  ({ pages }: SitePlan) =>
    new Map(pages.flatMap((page) => (page.subject.kind === 'changelog' ? [[page.subject.source, page]] : []))),
)

/** One index per source, shared by all pages of a site. */
const indexesOf = onceFor((_: SitePlan) => new Map<string, ReadonlyMap<string, string>>())

/** The first route of each subject of an API, by its kind and name. */
function indexSubjects({ pages }: SitePlan, source: string): ReadonlyMap<string, string> {
  const routes = new Map<string, string>()
  for (const { route, subject, isUnlisted } of pages) {
    if (!('source' in subject) || subject.source !== source || isUnlisted) continue
    const name = subject.kind === 'operation' ? subject.target : 'name' in subject ? subject.name : ''
    getOrMake(routes, `${subject.kind} ${name}`, () => route)
  }
  return routes
}

function targetOfId({ operations }: Reference, operationId: string): string | undefined {
  for (const [target, { fields }] of operations) if (fields.operationId === operationId) return target
  return undefined
}

/** The path of the OpenAPI document that contains only the page's operation, relative to the output directory. */
export function toSlicePath({ route }: Pick<SitePage, 'route'>): string {
  return `${route === '' ? 'index' : route}.openapi.json`
}
