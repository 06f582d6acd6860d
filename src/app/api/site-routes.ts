import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Project } from '../../status/update-record.ts'
import { fromCursor, toPage } from '../../store/records/stored-records.ts'
import type { PublishedSite, SiteBuild } from '../../store/sites/stored-sites.ts'
import type { AppContext } from '../base/app-context.ts'
import { toSiteUrl } from '../base/sites-domain.ts'
import { findProjectForCaller, getCaller, requireScope } from '../http/callers.ts'
import { invalidCursor, Problem } from '../http/problem-details.ts'
import { publishSite } from '../publish/publish-site.ts'
import { errorResponses, jsonResponse, ProjectParameters, PublishBody, SiteListQuery, SiteParameters } from './api-schemas.ts'

const shared = { tags: ['Sites'], security: [{ token: [] }, { workflow: [] }], params: ProjectParameters }

const listSchema = {
  operationId: 'listSites',
  summary: 'List sites',
  description:
    'Returns the stored sites of a project, one per commit, newest update first. `isPublished` marks the production site.',
  ...shared,
  querystring: SiteListQuery,
  response: {
    200: jsonResponse('One page of sites.', Type.Ref('SiteList#')),
    ...errorResponses(400, 401, 404, 429, 500, 503),
  },
}

const oneSchema = {
  operationId: 'getSite',
  summary: 'Get the site of a commit',
  description:
    'Returns the site of one commit. `sha` is the full commit SHA, or at least its first 12 digits. Older sites are removed and return `not-found`.',
  ...shared,
  params: SiteParameters,
  response: { 200: jsonResponse('The site.', Type.Ref('Site#')), ...errorResponses(400, 401, 404, 429, 500, 503) },
}

const publishedSchema = {
  operationId: 'getPublishedSite',
  summary: 'Get the published site',
  description: 'Returns the project’s production site, or `not-found` if none is published.',
  ...shared,
  response: {
    200: jsonResponse('The site, when it was published, and by whom.', Type.Ref('PublishedSite#')),
    ...errorResponses(400, 401, 404, 429, 500, 503),
  },
}

const publishSchema = {
  operationId: 'publishSite',
  summary: 'Publish a site',
  description:
    'Publishes the site of a commit as the production site. The change is immediate, and repeating the request changes nothing. Publish an ' +
    'earlier commit to roll back. The next push to the default branch replaces it, unless the documents have errors.',
  ...shared,
  security: [{ token: [] }],
  body: PublishBody,
  response: {
    200: jsonResponse('The site is published.', Type.Ref('PublishedSite#')),
    ...errorResponses(400, 401, 403, 404, 413, 415, 422, 429, 500, 503),
  },
}

type Params = Static<typeof ProjectParameters>

/** `…/sites`, `…/sites/{sha}`, and `…/site` for the production site. */
export function registerSiteRoutes(server: FastifyInstance, context: AppContext): void {
  const { store } = context
  const find = (request: FastifyRequest<{ Params: Params }>) =>
    findProjectForCaller(context, getCaller(request), request.params.projectId)

  server.get(
    '/project/:projectId/sites',
    { schema: listSchema },
    async (request: FastifyRequest<{ Params: Params; Querystring: SiteListQuery }>, reply) => {
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
  )

  server.get(
    '/project/:projectId/sites/:sha',
    { schema: oneSchema },
    async (request: FastifyRequest<{ Params: Static<typeof SiteParameters> }>, reply) => {
      const project = await find(request)
      const build = await store.sites.find(project.id, request.params.sha)
      if (!build) throw new Problem('not-found')
      return reply.header('Cache-Control', 'private, no-cache').send(toSite(context, project, build))
    },
  )

  server.get(
    '/project/:projectId/site',
    { schema: publishedSchema },
    async (request: FastifyRequest<{ Params: Params }>, reply) => {
      const project = await find(request)
      const published = await store.sites.findPublished(project.id)
      if (!published) throw new Problem('not-found')
      return reply.header('Cache-Control', 'private, no-cache').send(toPublishedSite(context, project, published))
    },
  )

  server.put(
    '/project/:projectId/site',
    { schema: publishSchema },
    async (request: FastifyRequest<{ Params: Params; Body: PublishBody }>, reply) => {
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
  )
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
