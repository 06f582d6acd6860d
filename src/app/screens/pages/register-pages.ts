import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Project } from '../../../status/update-record.ts'
import type { StoredUpdate } from '../../../store/records/stored-records.ts'
import type { AppContext } from '../../base/app-context.ts'
import { isSignedLink } from '../../base/signed-links.ts'
import { readReport } from '../../base/stored-report.ts'
import { typed } from '../../http/browser-requests.ts'
import type { RateLimits } from '../../http/callers.ts'
import { Problem } from '../../http/problem-details.ts'
import { matchesETag, parseWait, type StatusWaiters, toETag, waitForChange } from '../../http/waiting.ts'
import { toCommitSite, toPageUrl } from '../../publish/built-site.ts'
import { toUpdatePath } from '../dashboard/visit.ts'
import { mayDo, type People, SignedOut } from '../people/people.ts'
import { type AssetName, assets } from './assets.ts'
import { pagePolicy, sendPage } from './send-page.ts'
import { renderUpdatePage } from './update-page.tsx'

const schema = {
  params: Type.Object({ statusId: Type.String() }),
  querystring: Type.Object({ expires: Type.Optional(Type.String()), signature: Type.Optional(Type.String()) }),
}

/** `/updates/{statusId}` and the assets of its page. */
export async function registerPages(
  server: FastifyInstance,
  context: AppContext,
  { limits, waiters, people }: { readonly limits: RateLimits; readonly waiters: StatusWaiters; readonly people: People },
): Promise<void> {
  await server.register(async (pages) => {
    pages.addHook('onRequest', async (request) => limits.countAddress(request))
    typed(pages).get('/updates/:statusId', { schema }, async (request, reply) => {
      const { statusId } = request.params
      const found = await context.store.statuses.find(statusId)
      // An unknown record and an invalid signature get the same response.
      if (!isSignedLink(context.urls.linkKey, { statusId, ...request.query }, context.now())) {
        if (found && (await mayReadRecord(context, people, request, found))) return reply.redirect(toUpdatePath(found), 303)
        throw new Problem('not-found')
      }
      const stored = found && (await waitIfCurrent(context, waiters, request, found))
      const project = stored && (await context.store.projects.find(stored.update.projectId))
      if (!stored || !project) throw new Problem('not-found')
      const etag = toETag(stored)
      // A 304 updates the headers of the cached page, including its policy.
      reply.headers({ ETag: etag, 'Cache-Control': 'private, no-cache', 'Content-Security-Policy': pagePolicy })
      if (matchesETag(request.headers['if-none-match'], etag)) return reply.code(304).send()
      const page = await readUpdatePage(context, stored, project)
      // Not everyone with the link may read all sources, which a report quotes.
      return sendPage(reply, renderUpdatePage(project.audiences ? { ...page, report: undefined } : page))
    })
  })
  for (const [name, { hash, type, text }] of Object.entries(assets) as [AssetName, (typeof assets)[AssetName]][]) {
    server.get(`/assets/${hash}/${name}`, (_request, reply) =>
      reply.header('Cache-Control', 'public, max-age=31536000, immutable').type(type).send(text),
    )
  }
}

/** Whether a signed-in user has access to the project of a record, whose page the dashboard has without a signature. */
async function mayReadRecord(
  { store }: AppContext,
  people: People,
  request: FastifyRequest,
  { update }: StoredUpdate,
): Promise<boolean> {
  const person = await people.find(request)
  const project = person && (await store.projects.find(update.projectId))
  const access = await person?.access().catch((error: unknown) => {
    if (error instanceof SignedOut) return undefined
    throw error
  })
  return project !== undefined && access !== undefined && mayDo(access, project, 'read')
}

/** An open page waits this long for screenshots, because the server may have stopped before taking them. */
const screenshotWaitMs = 60_000

/** Whether the record may still change: the update has not ended, or its screenshots are pending. */
export function mayStillChange({ update, details }: StoredUpdate, now: Date): boolean {
  if (update.endedAt === undefined) return true
  const waitedMs = now.getTime() - Date.parse(update.endedAt)
  const isPending = details.pictures === 'awaited' || details.pictures === 'begun'
  return isPending && waitedMs < screenshotWaitMs
}

/**
 * Waits as long as `Prefer: wait` allows for a change of an update whose page is current in the browser.
 *
 * @returns The update as it is now, or `undefined` if it no longer exists.
 */
export async function waitIfCurrent(
  { now }: AppContext,
  waiters: StatusWaiters,
  request: FastifyRequest,
  stored: StoredUpdate,
): Promise<StoredUpdate | undefined> {
  const { prefer, 'if-none-match': known } = request.headers
  const seconds = parseWait(prefer)
  if (seconds === 0 || !matchesETag(known, toETag(stored)) || !mayStillChange(stored, now())) return stored
  return await waitForChange(waiters, request, stored, { seconds, of: 'revision' })
}

/** What the page of an update shows with and without the dashboard. */
export async function readUpdatePage(
  context: AppContext,
  stored: StoredUpdate,
  project: Project,
): Promise<Omit<Parameters<typeof renderUpdatePage>[0], 'dashboard'>> {
  const { store, config, now } = context
  const { update, details } = stored
  const site = toCommitSite(context, { update, details, project })
  return {
    stored,
    project,
    report: await readReport(store, stored),
    apiChanges: await store.apiChanges.find(update._id),
    githubUrl: config.githubUrl,
    etag: toETag(stored),
    mayStillChange: mayStillChange(stored, now()),
    pageUrl: (route) => (site === undefined ? undefined : toPageUrl(site, route)),
  }
}
