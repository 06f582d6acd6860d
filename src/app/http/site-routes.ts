import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Project } from '../../status/types.ts'
import { fromCursor, toCursor } from '../../store/status-store.ts'
import type { PublishedSite, SiteBuild } from '../../store/stored-sites.ts'
import type { AppContext } from '../app-context.ts'
import { toSiteUrl } from '../sites/sites-domain.ts'
import { errorAnswers, jsonAnswer, ProjectParameters, PublishBody, SiteListQuery, SiteParameters } from './api-schemas.ts'
import { callerOf, findProjectForCaller, requireScope } from './callers.ts'
import { Problem } from './problem-details.ts'

const tags = ['Sites']
const security = [{ token: [] }, { workflow: [] }]

const listSchema = {
  operationId: 'listSites',
  summary: 'List sites',
  description:
    'The sites of a project that are kept, one for a commit, newest update first. A site that the address of the project shows has `isPublished`.',
  tags,
  security,
  params: ProjectParameters,
  querystring: SiteListQuery,
  response: {
    200: jsonAnswer('One page of sites.', Type.Ref('SiteList#')),
    ...errorAnswers(400, 401, 404, 429, 500, 503),
  },
}

const oneSchema = {
  operationId: 'getSite',
  summary: 'Get the site of a commit',
  description:
    'By the whole sha or its first 12 digits or more. Sites are kept for a number of commits; an older one is `not-found`.',
  tags,
  security,
  params: SiteParameters,
  response: { 200: jsonAnswer('The site.', Type.Ref('Site#')), ...errorAnswers(400, 401, 404, 429, 500, 503) },
}

const publishedSchema = {
  operationId: 'getPublishedSite',
  summary: 'Get the published site',
  description: 'What the address of the project shows; `not-found` while it shows nothing.',
  tags,
  security,
  params: ProjectParameters,
  response: {
    200: jsonAnswer('The site, since when it is shown, and by whom.', Type.Ref('PublishedSite#')),
    ...errorAnswers(400, 401, 404, 429, 500, 503),
  },
}

const publishSchema = {
  operationId: 'publishSite',
  summary: 'Publish a site',
  description:
    'Shows the site of a commit at the address of the project, at once: an earlier one rolls back. Repeating it changes nothing. The next ' +
    'push to the default branch without errors publishes again.',
  tags,
  security: [{ token: [] }],
  params: ProjectParameters,
  body: PublishBody,
  response: {
    200: jsonAnswer('The address shows the site.', Type.Ref('PublishedSite#')),
    ...errorAnswers(400, 401, 403, 404, 413, 415, 422, 429, 500, 503),
  },
}

type Params = Static<typeof ProjectParameters>

/** The sites of a project: `…/sites`, `…/sites/{sha}`, and `…/site`, which is what its address shows. */
export function registerSiteRoutes(server: FastifyInstance, context: AppContext): void {
  const { store } = context
  const find = (request: FastifyRequest<{ Params: Params }>) =>
    findProjectForCaller(context, callerOf(request), request.params.projectId)

  server.get(
    '/project/:projectId/sites',
    { schema: listSchema },
    async (request: FastifyRequest<{ Params: Params; Querystring: SiteListQuery }>, reply) => {
      const project = await find(request)
      const { ref, limit = 20, cursor } = request.query
      const before = cursor === undefined ? undefined : fromCursor(cursor)
      if (cursor !== undefined && before === undefined) {
        const message = 'is not a `nextCursor` of this list'
        throw new Problem('invalid-request', `Unexpected querystring/cursor: ${message}`, {
          errors: [{ at: 'querystring/cursor', message }],
        })
      }
      const builds = await store.sites.list(project.id, {
        limit,
        ...(ref !== undefined && { ref }),
        ...(before !== undefined && { before }),
      })
      const last = builds.at(-1)
      // One more look, so that the last page says that it is the last.
      const more =
        last &&
        builds.length === limit &&
        (await store.sites.list(project.id, { limit: 1, before: last.statusId, ...(ref !== undefined && { ref }) }))
      return reply.header('Cache-Control', 'private, no-cache').send({
        sites: builds.map((build) => toSite(context, project, build)),
        ...(last && more && more.length > 0 && { nextCursor: toCursor(last.statusId) }),
      })
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
      const caller = callerOf(request)
      const project = await find(request)
      requireScope(caller, 'write', 'admin')
      if (caller.kind === 'workflow') throw new Problem('forbidden', 'Publishing by hand needs an API token')
      const { sha } = request.body
      const result = await store.sites.publish(project.id, sha, `token:${caller.token.id}`)
      if (result.kind === 'not-found') throw new Problem('unprocessable', 'There is no site of this commit, or not any more')
      request.log.info({ projectId: project.id, headSha: sha, outcome: result.kind }, 'Published by hand')
      return reply.send(toPublishedSite(context, project, result.site))
    },
  )
}

function toSite({ sitesPlace }: AppContext, { subdomain }: Project, build: SiteBuild) {
  const place = sitesPlace()
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

function toPublishedSite(context: AppContext, project: Project, { build, publishedAt, publishedBy }: PublishedSite) {
  const place = context.sitesPlace()
  return {
    site: toSite(context, project, build),
    publishedAt,
    publishedBy,
    ...(place && { url: toSiteUrl(place, { subdomain: project.subdomain }) }),
  }
}
