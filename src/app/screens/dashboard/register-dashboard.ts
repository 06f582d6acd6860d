import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { maxGroupsAgeMs } from '../../../store/records/stored-records.ts'
import { audienceOf, type SiteOwner } from '../../../store/sites/stored-sites.ts'
import { encodeUrlPart } from '../../../text/plain/paths.ts'
import type { AppContext } from '../../base/app-context.ts'
import { readHost, toSiteUrl } from '../../base/sites-domain.ts'
import { acceptForms, homePath, type Pages, typed } from '../../http/browser-requests.ts'
import type { RateLimits } from '../../http/callers.ts'
import { Problem } from '../../http/problem-details.ts'
import type { StatusWaiters } from '../../http/waiting.ts'
import type { DomainResolver } from '../../sites/custom-domains.ts'
import { enterPath } from '../../sites/private-sites.ts'
import { type CheckedGroups, mayDo, type People, SignedOut } from '../people/people.ts'
import type { SignInAttempts } from '../people/sign-in.ts'
import { registerActions } from './register-actions.tsx'
import { registerLists } from './register-lists.tsx'
import { registerProject } from './register-project.tsx'
import { registerSettings } from './register-settings.tsx'
import { registerServerPage } from './server-page.tsx'
import { type OpenVisit, startVisit, type Visit } from './visit.ts'

/** `/projects` and `/updates`: the dashboard pages and forms for signed-in users. */
export async function registerDashboard(
  server: FastifyInstance,
  context: AppContext,
  {
    people,
    attempts,
    limits,
    waiters,
    resolver,
  }: {
    readonly people: People
    readonly attempts: SignInAttempts
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
      if (error.issuer !== undefined) return await attempts.start(reply, { issuer: error.issuer, to, isSilent: true })
      return reply.redirect(`/sign-in?to=${encodeUrlPart(to)}`, 303)
    })
    const openVisit = (request: FastifyRequest) => startVisit(context, people, waiters, request)
    pages.get('/', (_request, reply) => reply.redirect(homePath, 303))
    registerLists(pages, context, openVisit)
    registerProject(pages, openVisit)
    registerActions(pages, context, openVisit)
    registerSettings(pages, context, resolver, openVisit)
    registerSiteEntry(pages, context, people, openVisit)
    registerServerPage(pages, openVisit)
  })
}

const EnterQuery = Type.Object({
  host: Type.String({ maxLength: 300 }),
  to: Type.String({ maxLength: 2000, pattern: '^/(?![/\\\\])[\\x21-\\x7e]*$' }),
  challenge: Type.String({ pattern: '^[\\w-]{43}$' }),
  /** A pass for a public site has ended. A user who has signed out meanwhile reads what everyone reads. */
  renews: Type.Optional(Type.Literal('1')),
})

/** The redirect that carries the code follows immediately. */
const codeSeconds = 60

/** The longest lifetime of a pass. Afterwards, the browser gets a new one from the app. */
const passSeconds = 3600

/** Sends users who may read a private site, or have an audience of their own, to its host with a one-time code. */
function registerSiteEntry(pages: Pages, context: AppContext, people: People, openVisit: OpenVisit): void {
  pages.get(enterPath, { schema: { querystring: EnterQuery } }, async (request, reply) => {
    const { host: named, to, challenge, renews } = request.query
    const place = context.urls.sites()
    const reading = place && readHost(named, place)
    if (!place || reading?.kind !== 'site') throw new Problem('not-found')
    const url = new URL(toSiteUrl(place, reading.host))
    const leave = () => reply.redirect(`${url.origin}/_openapi-pages/leave?${new URLSearchParams({ to })}`, 303)
    if (renews && !(await people.find(request))) return leave()
    const visit = await openVisit(request)
    // Asked before the host is looked up, so that the time of the answer does not depend on it.
    const groups = visit.person.issuer === 'github' ? undefined : await visit.person.groups()
    const owner = await context.store.sites.findOwner(reading.host)
    const reader = await findReader(visit, owner, groups)
    // Unknown names and sites without access take the same path and get the same response.
    if (!owner.isPublic && !reader) throw new Problem('not-found')
    if (!(await context.store.sites.findShown(reading.host))) throw new Problem('not-found')
    if (!reader) return leave()
    const code = randomBytes(32).toString('base64url')
    await context.store.passes.createCode(code, {
      host: url.host,
      projectId: owner.projectId,
      sessionId: visit.person.sessionId,
      challenge,
      expiresAt: new Date(visit.now.getTime() + codeSeconds * 1000).toISOString(),
      passExpiresAt: reader.until,
    })
    return reply.redirect(`${url.origin}/_openapi-pages/enter?${new URLSearchParams({ code, to })}`, 303)
  })
}

/**
 * Whether a user gets a pass for a site, and until when; `undefined` if not. A public site has passes for its audiences only.
 *
 * A user of GitHub reads a private site if they can read the repository. A user of another issuer reads it if administrators of the project
 * chose the issuer, and if the user has one of the audiences.
 *
 * @param checked The groups of a user who did not sign in with GitHub.
 */
async function findReader(
  { person, access, now }: Visit,
  owner: SiteOwner,
  checked: CheckedGroups | undefined,
): Promise<{ readonly until: string } | undefined> {
  const mayRead = checked ? owner.issuers.includes(person.issuer) : owner.isPublic || mayDo(access, owner, 'read')
  if (!mayRead) return undefined
  const hasTeams = owner.audiences.some(({ groups }) => groups.some((group) => group.startsWith('github:')))
  const known = checked ?? (hasTeams ? await person.groups() : undefined)
  const hasAudience = known !== undefined && audienceOf(owner, known.groups) !== undefined
  if ((checked || owner.isPublic) && !hasAudience) return undefined
  const from = known ? Date.parse(known.checkedAt) + maxGroupsAgeMs : now.getTime() + passSeconds * 1000
  return { until: new Date(from).toISOString() }
}
