import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { encodeUrlPart } from '../../../text/plain/paths.ts'
import type { AppContext } from '../../base/app-context.ts'
import { readHost, toSiteUrl } from '../../base/sites-domain.ts'
import { acceptForms, homePath, type Pages, typed } from '../../http/browser-requests.ts'
import type { RateLimits } from '../../http/callers.ts'
import { Problem } from '../../http/problem-details.ts'
import type { StatusWaiters } from '../../http/waiting.ts'
import type { DomainResolver } from '../../sites/custom-domains.ts'
import { enterPath } from '../../sites/private-sites.ts'
import { mayDo, type People, SignedOut } from '../people/people.ts'
import { registerActions } from './register-actions.tsx'
import { registerLists } from './register-lists.tsx'
import { registerProject } from './register-project.tsx'
import { registerSettings } from './register-settings.tsx'
import { registerServerPage } from './server-page.tsx'
import { type OpenVisit, startVisit } from './visit.ts'

/** `/projects` and `/updates`: the dashboard pages and forms for signed-in users. */
export async function registerDashboard(
  server: FastifyInstance,
  context: AppContext,
  {
    people,
    limits,
    waiters,
    resolver,
  }: {
    readonly people: People
    readonly limits: RateLimits
    readonly waiters: StatusWaiters
    readonly resolver: DomainResolver
  },
): Promise<void> {
  await server.register(async (routes) => {
    acceptForms(routes)
    const pages = typed(routes)
    pages.addHook('onRequest', async (request) => limits.countAddress(request))
    pages.setErrorHandler(async (error, request, reply) => {
      if (!(error instanceof SignedOut)) throw error
      const to = request.method === 'GET' ? request.url : homePath
      return reply.redirect(`/sign-in?to=${encodeUrlPart(to)}`, 303)
    })
    const openVisit = (request: FastifyRequest) => startVisit(context, people, waiters, request)
    pages.get('/', (_request, reply) => reply.redirect(homePath, 303))
    registerLists(pages, context, openVisit)
    registerProject(pages, openVisit)
    registerActions(pages, context, openVisit)
    registerSettings(pages, context, resolver, openVisit)
    registerSiteEntry(pages, context, openVisit)
    registerServerPage(pages, openVisit)
  })
}

const EnterQuery = Type.Object({
  host: Type.String({ maxLength: 300 }),
  to: Type.String({ maxLength: 2000, pattern: '^/(?![/\\\\])[\\x21-\\x7e]*$' }),
  challenge: Type.String({ pattern: '^[\\w-]{43}$' }),
})

/** The redirect that carries the code follows immediately. */
const codeSeconds = 60

/** The lifetime of a pass. Afterwards, the browser gets a new one from the app. */
const passSeconds = 3600

/** Sends users who may read a private site to its host with a one-time code. */
function registerSiteEntry(pages: Pages, context: AppContext, openVisit: OpenVisit): void {
  pages.get(enterPath, { schema: { querystring: EnterQuery } }, async (request, reply) => {
    const { person, access, now } = await openVisit(request)
    const { host: named, to, challenge } = request.query
    const place = context.urls.sites()
    const reading = place && readHost(named, place)
    if (!place || reading?.kind !== 'site') throw new Problem('not-found')
    const owner = await context.store.sites.findOwner(reading.host)
    // Unknown names and sites without access take the same path and get the same response.
    if (!owner.isPublic && !mayDo(access, owner, 'read')) throw new Problem('not-found')
    if (!(await context.store.sites.findShown(reading.host))) throw new Problem('not-found')
    const url = new URL(toSiteUrl(place, reading.host))
    if (owner.isPublic) return reply.redirect(new URL(to, url).href, 303)
    const code = randomBytes(32).toString('base64url')
    const after = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString()
    await context.store.passes.createCode(code, {
      host: url.host,
      projectId: owner.projectId,
      sessionId: person.sessionId,
      challenge,
      expiresAt: after(codeSeconds),
      passExpiresAt: after(passSeconds),
    })
    return reply.redirect(`${url.origin}/_openapi-pages/enter?${new URLSearchParams({ code, to })}`, 303)
  })
}
