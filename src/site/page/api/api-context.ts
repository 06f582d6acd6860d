import type { AllowedUrl } from '../../../text/plain/paths.ts'
import type { SitePage } from '../../plan/types.ts'
import type { Reference } from '../../reference/create-reference.ts'
import type { SchemaPart, SchemaUse } from '../../reference/types.ts'
import { claimId } from '../element-ids.ts'
import { createSiteMemo, type SiteContext, toHref } from '../site-context.ts'
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
export function findRoutes(site: Pick<SiteContext, 'plan'>, page: SitePage, reference: Reference, source: string): PageRoutes {
  const { schemas, operations, webhooks, start } = indexSubjects(site, source)
  return {
    routeOf(kind, target) {
      if (kind === 'schema') return schemas.get(target)
      return kind === 'webhook'
        ? webhooks.get(target)
        : (operations.get(target) ?? operations.get(targetOfId(reference, target) ?? ''))
    },
    findPart: (part) => findPartRoute(part, page, reference, (name) => schemas.get(name)),
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

interface SubjectIndex {
  readonly schemas: ReadonlyMap<string, string>
  readonly operations: ReadonlyMap<string, string>
  readonly webhooks: ReadonlyMap<string, string>
  /** The start page of the API, if it has one. */
  readonly start: string | undefined
}

/** The changelog of the API that a page documents. */
export function findChangelogPage(
  { plan }: Pick<SiteContext, 'plan'>,
  { subject }: Pick<SitePage, 'subject'>,
): SitePage | undefined {
  if (!('source' in subject)) return undefined
  const known = changelogsOf(plan)
  if (!known.has(subject.source)) {
    const page = plan.pages.find((one) => one.subject.kind === 'changelog' && one.subject.source === subject.source)
    known.set(subject.source, page)
  }
  return known.get(subject.source)
}

const changelogsOf = createSiteMemo<string, SitePage | undefined>()

/** One index per source, shared by all pages of a site. */
const indexesOf = createSiteMemo<string, SubjectIndex>()

function indexSubjects(site: Pick<SiteContext, 'plan'>, source: string): SubjectIndex {
  const bySource = indexesOf(site.plan)
  const known = bySource.get(source)
  if (known) return known
  const schemas = new Map<string, string>()
  const operations = new Map<string, string>()
  const webhooks = new Map<string, string>()
  let start: string | undefined
  for (const { route, subject, isUnlisted } of site.plan.pages) {
    if (!('source' in subject) || subject.source !== source || isUnlisted) continue
    if (subject.kind === 'schema') schemas.set(subject.name, schemas.get(subject.name) ?? route)
    else if (subject.kind === 'operation') operations.set(subject.target, operations.get(subject.target) ?? route)
    else if (subject.kind === 'description') start ??= route
    else if (subject.kind === 'webhook') webhooks.set(subject.name, webhooks.get(subject.name) ?? route)
  }
  const index = { schemas, operations, webhooks, start }
  bySource.set(source, index)
  return index
}

function targetOfId({ operations }: Reference, operationId: string): string | undefined {
  for (const [target, { fields }] of operations) if (fields.operationId === operationId) return target
  return undefined
}

/** The path of the OpenAPI document that contains only the page's operation, relative to the output directory. */
export function toSlicePath({ route }: Pick<SitePage, 'route'>): string {
  return `${route === '' ? 'index' : route}.openapi.json`
}
