import type { Reference } from '../../reference/create-reference.ts'
import type { SchemaTarget, SchemaUse } from '../../reference/types.ts'
import { claimId } from '../element-ids.ts'
import { createSiteMemo, type SiteContext, toHref } from '../site-context.ts'
import type { SitePage } from '../types.ts'

/** The functions and settings that the sections of an API page share. */
export interface ApiContext {
  readonly site: SiteContext
  readonly page: SitePage
  readonly reference: Reference
  /** The URL of a schema's page in this API description; `undefined` if it has none. */
  readonly schemaHref: (target: SchemaTarget) => string | undefined
  /** The URL of an operation's page in this API description, by `GET /path` or `operationId`. */
  readonly operationHref: (target: string) => string | undefined
  /** The route of the page of a schema, operation or webhook; `undefined` if it has none. */
  readonly routeOf: (kind: SchemaUse['kind'], target: string) => string | undefined
  readonly hrefOf: (route: string) => string
  /** A prefix for element IDs if a page has several operations, else `''`. */
  readonly prefix: string
  /** Whether rows also have the IDs of other tools. Only one response can have them. */
  readonly hasForeignIds: boolean
  /** Returns an element ID that is unique on the page: the given one, with a number if it is taken. */
  readonly claim: (id: string) => string
}

interface ApiContextInput {
  readonly site: SiteContext
  readonly page: SitePage
  readonly reference: Reference
  /** The OpenAPI document that the page is bound to. */
  readonly source: string
  /** The heading IDs of the page's own text. */
  readonly headingIds: readonly string[]
}

/** Creates the context of a page from all pages of the site that document the same API description. */
export function toApiContext({ site, page, reference, source, headingIds }: ApiContextInput): ApiContext {
  const { schemas, operations, webhooks } = indexSubjects(site, source)
  return {
    site,
    page,
    reference,
    schemaHref: ({ name }) => {
      const route = schemas.get(name)
      return route === undefined ? undefined : toHref(site, route)
    },
    operationHref: (target) => {
      const route = operations.get(target) ?? operations.get(targetOfId(reference, target) ?? '')
      return route === undefined ? undefined : toHref(site, route)
    },
    routeOf: (kind, target) => ({ schema: schemas, operation: operations, webhook: webhooks })[kind].get(target),
    hrefOf: (route) => toHref(site, route),
    prefix: '',
    hasForeignIds: true,
    claim: toClaim([...shellIds, ...headingIds]),
  }
}

/** Element IDs of the layout that every page has. */
const shellIds = ['main', 'samples', 'toc', 'search', 'navigation']

function toClaim(taken: readonly string[]): ApiContext['claim'] {
  const ids = new Set(taken)
  // `i-` and `l-` are the prefixes of icon IDs.
  return (wanted) => claimId(wanted === '' || /^[il]-/.test(wanted) ? `at-${wanted}` : wanted, ids)
}

interface SubjectIndex {
  readonly schemas: ReadonlyMap<string, string>
  readonly operations: ReadonlyMap<string, string>
  readonly webhooks: ReadonlyMap<string, string>
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

function indexSubjects(site: SiteContext, source: string): SubjectIndex {
  const bySource = indexesOf(site.plan)
  const known = bySource.get(source)
  if (known) return known
  const schemas = new Map<string, string>()
  const operations = new Map<string, string>()
  const webhooks = new Map<string, string>()
  for (const { route, subject } of site.plan.pages) {
    if (!('source' in subject) || subject.source !== source) continue
    if (subject.kind === 'schema') schemas.set(subject.name, schemas.get(subject.name) ?? route)
    else if (subject.kind === 'operation') operations.set(subject.target, operations.get(subject.target) ?? route)
    else if (subject.kind === 'webhook') webhooks.set(subject.name, webhooks.get(subject.name) ?? route)
  }
  const index = { schemas, operations, webhooks }
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
