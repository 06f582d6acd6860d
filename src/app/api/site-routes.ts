import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Project } from '../../status/update-record.ts'
import { fromCursor, toPage } from '../../store/records/stored-records.ts'
import type { PublishedSite, SiteBuild } from '../../store/sites/stored-sites.ts'
import type { AppContext } from '../base/app-context.ts'
import { toSiteUrl } from '../base/sites-domain.ts'
import { findProjectForCaller, getCaller, requireScope } from '../http/callers.ts'
import { invalidCursor, Problem } from '../http/problem-details.ts'
import { publishSite } from '../publish/publish-site.ts'
import { toRoute } from './describe-api.ts'

interface Params {
  readonly projectId: string
}

type ListRequest = FastifyRequest<{
  Params: Params
  Querystring: { readonly ref?: string; readonly limit?: number; readonly cursor?: string }
}>

/** `…/sites`, `…/sites/{sha}`, and `…/site` for the production site. */
export function registerSiteRoutes(server: FastifyInstance, context: AppContext): void {
  const { store } = context
  const find = (request: FastifyRequest<{ Params: Params }>) =>
    findProjectForCaller(context, getCaller(request), request.params.projectId)

  server.route({
    ...toRoute('listSites'),
    async handler(request: ListRequest, reply) {
      const project = await find(request)
      const { ref, limit = 20, cursor } = request.query
      const before = fromCursor(cursor)
      if (before === undefined) throw invalidCursor()
      const builds = await store.sites.list(project.id, { limit: limit + 1, before, ...(ref !== undefined && { ref }) })
      const { page, next } = toPage(builds, limit, ({ statusId }) => statusId)
      return reply
        .header('Cache-Control', 'private, no-cache')
        .send({ sites: page.map((build) => toSite(context, project, build)), ...next })
    },
  })

  server.route({
    ...toRoute('getSite'),
    async handler(request: FastifyRequest<{ Params: Params & { readonly sha: string } }>, reply) {
      const project = await find(request)
      const build = await store.sites.find(project.id, request.params.sha)
      if (!build) throw new Problem('not-found')
      return reply.header('Cache-Control', 'private, no-cache').send(toSite(context, project, build))
    },
  })

  server.route({
    ...toRoute('getPublishedSite'),
    async handler(request: FastifyRequest<{ Params: Params }>, reply) {
      const project = await find(request)
      const published = await store.sites.findPublished(project.id)
      if (!published) throw new Problem('not-found')
      return reply.header('Cache-Control', 'private, no-cache').send(toPublishedSite(context, project, published))
    },
  })

  server.route({
    ...toRoute('publishSite'),
    async handler(request: FastifyRequest<{ Params: Params; Body: { readonly sha: string } }>, reply) {
      const caller = getCaller(request)
      const project = await find(request)
      requireScope(caller, 'write', 'admin')
      if (caller.kind === 'workflow')
        throw new Problem('forbidden', 'Publishing requires an API token; workflow tokens cannot publish')
      const { sha } = request.body
      const result = await publishSite(context, project, sha, `token:${caller.token.id}`)
      if (result.kind === 'not-found') throw new Problem('unprocessable', 'This commit has no site, or its site was removed')
      request.log.info({ projectId: project.id, headSha: sha, outcome: result.kind }, 'Site published manually')
      return reply.send(toPublishedSite(context, project, result.site))
    },
  })
}

function toSite({ urls }: AppContext, { subdomain }: Project, build: SiteBuild) {
  const place = urls.sites()
  const { sha, ref, statusId, createdAt, status, isPublished, pageCount, fileCount, sizeBytes } = build
  return {
    sha,
    ref,
    statusId,
    createdAt,
    status,
    isPublished,
    pageCount,
    fileCount,
    sizeBytes,
    ...(place && { url: toSiteUrl(place, { subdomain, preview: { kind: 'commit', sha } }) }),
  }
}

/** Production belongs to a branch: a push of another branch to the same commit builds the site again. */
function toPublishedSite(context: AppContext, project: Project, { build, publishedAt, publishedBy }: PublishedSite) {
  const place = context.urls.sites()
  return {
    site: { ...toSite(context, project, build), ...(publishedBy === 'push' && { ref: `refs/heads/${project.defaultBranch}` }) },
    publishedAt,
    publishedBy,
    ...(place && { url: toSiteUrl(place, { subdomain: project.subdomain }) }),
  }
}
