import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { readPagePath, type SitePages } from '../../site/agents/site-tools.ts'
import { findInAll } from '../../site/search/find-hits.ts'
import type { ShownSite } from '../../store/sites/stored-sites.ts'
import type { AppContext } from '../base/app-context.ts'
import { canSeeProject, getCaller } from '../http/callers.ts'
import { Problem } from '../http/problem-details.ts'
import { DomainParameters, errorResponses, jsonResponse, PageBody, SearchBody, type SearchResult } from './api-schemas.ts'

const common = { tags: ['Content'], security: [{ token: [] }, { workflow: [] }], params: DomainParameters }
const failures = errorResponses(400, 401, 404, 413, 415, 422, 429, 500, 503)

const searchSchema = {
  ...common,
  operationId: 'searchSite',
  summary: 'Search a site',
  description: 'Searches the published site, as its own search does. Best results first.',
  body: SearchBody,
  response: { 200: jsonResponse('The results.', Type.Ref('SearchResults#')), ...failures },
}

const pageSchema = {
  ...common,
  operationId: 'getPage',
  summary: 'Get a page',
  description: 'Returns a page of the published site as Markdown.',
  body: PageBody,
  response: { 200: jsonResponse('The page.', Type.Ref('Page#')), ...failures },
}

type SearchRequest = FastifyRequest<{ Params: Static<typeof DomainParameters>; Body: SearchBody }>
type PageRequest = FastifyRequest<{ Params: Static<typeof DomainParameters>; Body: PageBody }>

/** `POST /v1/search/{domain}` and `POST /v1/page/{domain}`: the published sites, for programs. */
export function registerContentRoutes(
  server: FastifyInstance,
  { store }: AppContext,
  openPages: (site: ShownSite) => SitePages,
): void {
  const find = async (request: SearchRequest | PageRequest): Promise<SitePages> => {
    const host = { subdomain: request.params.domain.toLowerCase() }
    const { isPublic, projectId: id, repositoryId } = await store.sites.findOwner(host)
    const isAllowed = isPublic || canSeeProject(getCaller(request), { id, repositoryId })
    const site = isAllowed ? await store.sites.findShown(host) : undefined
    if (!site) throw new Problem('not-found')
    return openPages(site)
  }

  server.post('/search/:domain', { schema: searchSchema }, async (request: SearchRequest, reply) => {
    const pages = await find(request)
    const { query, limit = 10, from = '' } = request.body
    const { route } = readPagePath(from)
    const results = findInAll(await pages.indexes(route), query, route, limit).map((hit): SearchResult => {
      const { kind, title, method, detail } = hit
      const path = `/${hit.route}${hit.anchor === '' ? '' : `#${hit.anchor}`}`
      return { path, kind, title, ...(method !== '' && { method }), ...(detail !== '' && { detail }) }
    })
    return reply.header('Cache-Control', 'private, no-cache').send({ results })
  })

  server.post('/page/:domain', { schema: pageSchema }, async (request: PageRequest, reply) => {
    const pages = await find(request)
    const { route } = readPagePath(request.body.path)
    const content = await pages.markdown(route)
    if (content === undefined) throw new Problem('not-found', 'The site has no such page')
    return reply.header('Cache-Control', 'private, no-cache').send({ path: `/${route}`, content })
  })
}
