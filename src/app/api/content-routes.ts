import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readPagePath, type SitePages } from '../../site/agents/site-tools.ts'
import { findInAll } from '../../site/search/find-hits.ts'
import { type BuildFiles, filesFor } from '../../store/sites/stored-sites.ts'
import type { AppContext } from '../base/app-context.ts'
import { findCallerAudience, getCaller } from '../http/callers.ts'
import { Problem } from '../http/problem-details.ts'
import { toRoute } from './describe-api.ts'

interface Params {
  readonly domain: string
}

type SearchRequest = FastifyRequest<{
  Params: Params
  Body: { readonly query: string; readonly limit?: number; readonly from?: string }
}>
type PageRequest = FastifyRequest<{ Params: Params; Body: { readonly path: string } }>

/** `POST /v1/search/{domain}` and `POST /v1/page/{domain}`: the published sites, for programs. */
export function registerContentRoutes(
  server: FastifyInstance,
  { store }: AppContext,
  openPages: (files: BuildFiles) => SitePages,
): void {
  const find = async (request: SearchRequest | PageRequest): Promise<SitePages> => {
    const host = { subdomain: request.params.domain.toLowerCase() }
    const owner = await store.sites.findOwner(host)
    const reader = findCallerAudience(getCaller(request), owner)
    const site = owner.isPublic || reader ? await store.sites.findShown(host) : undefined
    if (!site) throw new Problem('not-found')
    return openPages(filesFor(site.build, reader?.audience))
  }

  server.route({
    ...toRoute('searchSite'),
    async handler(request: SearchRequest, reply) {
      const pages = await find(request)
      const { query, limit = 10, from = '' } = request.body
      const { route } = readPagePath(from)
      const results = findInAll(await pages.indexes(route), query, route, limit).map((hit) => {
        const { kind, title, method, detail } = hit
        const path = `/${hit.route}${hit.anchor === '' ? '' : `#${hit.anchor}`}`
        return { path, kind, title, ...(method !== '' && { method }), ...(detail !== '' && { detail }) }
      })
      return reply.header('Cache-Control', 'private, no-cache').send({ results })
    },
  })

  server.route({
    ...toRoute('getPage'),
    async handler(request: PageRequest, reply) {
      const pages = await find(request)
      const { route } = readPagePath(request.body.path)
      const content = await pages.markdown(route)
      if (content === undefined) throw new Problem('not-found', 'The site has no such page')
      return reply.header('Cache-Control', 'private, no-cache').send({ path: `/${route}`, content })
    },
  })
}
