import type { SitePage } from '../../plan/types.ts'
import { hasSampleValues } from '../../reference/code-samples.ts'
import type { OperationView, ServerView } from '../../reference/types.ts'
import { toHref } from '../site-context.ts'
import type { ApiContext } from './api-context.ts'

/** An operation with a page that readers find in the navigation. */
interface Candidate {
  readonly target: string
  readonly page: SitePage
}

/** The operations that the first request can be of. */
interface Candidates {
  /** `GET` operations without path parameters, those with short paths first. */
  readonly simple: readonly Candidate[]
  /** The one to show if readers cannot call any of these: the first `GET` operation, or the first operation. */
  readonly other: Candidate | undefined
}

/** The most operations that are considered for the first request. */
const maxConsidered = 30

/** Lists the operations that `findFirstOperation` chooses from, without reading them. */
export function listCandidates({ reference, site, routes }: Pick<ApiContext, 'reference' | 'site' | 'routes'>): Candidates {
  const pages = [...reference.operations].flatMap(([target, { fields }]) => {
    const route = routes.routeOf('operation', target)
    const page = route === undefined ? undefined : site.plan.pageByRoute.get(route)
    return page && !page.hidden ? [{ target, page, isOld: fields.deprecated === true }] : []
  })
  const simple = pages
    .filter(({ target, isOld }) => target.startsWith('GET ') && !isOld && !/[{?]/.test(target))
    .toSorted((a, b) => countSegments(a.target) - countSegments(b.target))
  return { simple: simple.slice(0, maxConsidered), other: pages.find(({ target }) => target.startsWith('GET ')) ?? pages[0] }
}

/**
 * An operation that readers can call without knowing anything about their data: a `GET` request to the base URL that needs no unknown values, preferably without
 * required parameters and with a short path. Otherwise, the first `GET` operation, or the first operation.
 */
export function findFirstOperation(api: ApiContext, server: ServerView | undefined) {
  const { reference, site } = api
  const { simple, other } = listCandidates(api)
  const isCallable = (operation: OperationView | undefined) =>
    hasSampleValues(operation) && (server === undefined || operation?.servers[0]?.url === server.url)
  let found = other
  let isCallableFound = false
  for (const candidate of simple) {
    const view = reference.operationView(candidate.target)
    if (!isCallable(view)) continue
    const isPlain = view?.parameters.every(({ required }) => !required) === true
    if (isPlain || !isCallableFound) found = candidate
    if (isPlain) break
    isCallableFound = true
  }
  const operation = found && reference.operationView(found.target)
  const described = found && reference.describe(found.target)?.operation
  if (!found || !operation || !described) return undefined
  return { operation, described, title: found.page.title, href: toHref(site.hosting, found.page.route) }
}

function countSegments(target: string): number {
  return target.split('/').filter(Boolean).length
}
