import type { Reference } from '../../reference/create-reference.ts'
import type { SchemaTarget } from '../../reference/types.ts'
import { type SiteContext, toHref } from '../site-context.ts'
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
}

/** Makes the context of a page from the pages of the site that are about the same description. */
export function toApiContext(site: SiteContext, page: SitePage, reference: Reference, source: string): ApiContext {
  const { schemas, operations } = indexSubjects(site, source)
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
  }
}

interface SubjectIndex {
  readonly schemas: ReadonlyMap<string, string>
  readonly operations: ReadonlyMap<string, string>
}

/** One index for all pages of a site. */
const indexes = new WeakMap<SiteContext, Map<string, SubjectIndex>>()

function indexSubjects(site: SiteContext, source: string): SubjectIndex {
  const bySource = indexes.get(site) ?? new Map<string, SubjectIndex>()
  indexes.set(site, bySource)
  const known = bySource.get(source)
  if (known) return known
  const schemas = new Map<string, string>()
  const operations = new Map<string, string>()
  for (const { route, subject } of site.plan.pages) {
    if (!('source' in subject) || subject.source !== source) continue
    if (subject.kind === 'schema') schemas.set(subject.name, schemas.get(subject.name) ?? route)
    else if (subject.kind === 'operation') operations.set(subject.target, operations.get(subject.target) ?? route)
  }
  const index = { schemas, operations }
  bySource.set(source, index)
  return index
}

function targetOfId({ operations }: Reference, operationId: string): string | undefined {
  for (const [target, { fields }] of operations) if (fields.operationId === operationId) return target
  return undefined
}
