import type { Reference } from '../../reference/create-reference.ts'
import type { SchemaTarget, SchemaUse } from '../../reference/types.ts'
import { claimId } from '../part-ids.ts'
import { createSiteMemo, type SiteContext, toHref } from '../site-context.ts'
import type { SitePage } from '../types.ts'

/** What the parts of an API page need besides what they show. */
export interface ApiContext {
  readonly site: SiteContext
  readonly page: SitePage
  readonly reference: Reference
  /** The page of a schema of this description; absent where it has none. */
  readonly schemaHref: (target: SchemaTarget) => string | undefined
  /** The page of an operation of this description, by `GET /path` or by its operationId. */
  readonly operationHref: (target: string) => string | undefined
  /** The route of the page of a part of this description; absent where it has none. */
  readonly routeOf: (kind: SchemaUse['kind'], target: string) => string | undefined
  readonly hrefOf: (route: string) => string
  /** Begins the addresses of parts, where a page has several operations; else `''`. */
  readonly prefix: string
  /** Gives an address that nothing else on the page has: this one, else with a number. */
  readonly claim: (id: string) => string
}

interface ApiContextInput {
  readonly site: SiteContext
  readonly page: SitePage
  readonly reference: Reference
  /** The document as bindings resolve to it. */
  readonly source: string
  /** Addresses that the page's own text has. */
  readonly headingIds: readonly string[]
}

/** Makes the context of a page from the pages of the site that are about the same description. */
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
    claim: toClaim([...shellIds, ...headingIds]),
  }
}

/** Addresses of what stands around every page. */
const shellIds = ['main', 'samples', 'toc', 'search', 'navigation']

function toClaim(taken: readonly string[]): ApiContext['claim'] {
  const ids = new Set(taken)
  // Icons have addresses that begin so.
  return (wanted) => claimId(wanted === '' || /^[il]-/.test(wanted) ? `at-${wanted}` : wanted, ids)
}

interface SubjectIndex {
  readonly schemas: ReadonlyMap<string, string>
  readonly operations: ReadonlyMap<string, string>
  readonly webhooks: ReadonlyMap<string, string>
}

/** One index of each source for all pages of a site. */
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

/** Where the description of a page's operation alone stands, relative to the output folder. */
export function toSlicePath({ route }: Pick<SitePage, 'route'>): string {
  return `${route === '' ? 'index' : route}.openapi.json`
}
