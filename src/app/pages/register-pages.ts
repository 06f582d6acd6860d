import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { StoredUpdate } from '../../store/update-rows.ts'
import type { AppContext } from '../app-context.ts'
import type { RateLimits } from '../http/callers.ts'
import { Problem } from '../http/problem-details.ts'
import { isListed, parseWait, toETag, waitForChange } from '../http/waiting.ts'
import { isSignedLink } from '../signed-links.ts'
import { readReport } from '../stored-report.ts'
import { type AssetName, assets } from './assets.ts'
import { pagePolicy, sendPage } from './send-page.ts'
import { renderUpdatePage } from './update-page.ts'

const LinkQuery = Type.Object({ expires: Type.Optional(Type.String()), signature: Type.Optional(Type.String()) })

type PageRequest = FastifyRequest<{ Params: { statusId: string }; Querystring: Static<typeof LinkQuery> }>

/** `/updates/{statusId}` and what its page loads. */
export async function registerPages(server: FastifyInstance, context: AppContext, limits: RateLimits): Promise<void> {
  await server.register(async (pages) => {
    pages.addHook('onRequest', (request) => limits.countAddress(request))
    pages.get('/updates/:statusId', { schema: { querystring: LinkQuery } }, async (request: PageRequest, reply) => {
      const { statusId } = request.params
      // A record that is not there and a link that is not ours get the same answer.
      if (!isSignedLink(context.linkKey, { statusId, ...request.query }, context.now())) throw new Problem('not-found')
      let stored = await context.store.statuses.find(statusId)
      const { prefer, 'if-none-match': known } = request.headers
      const seconds = typeof prefer === 'string' ? parseWait(prefer) : 0
      if (stored && seconds > 0 && known !== undefined && isMoving(stored, context.now()) && isListed(known, toETag(stored))) {
        stored = await waitForChange(context, request, stored, { seconds, of: 'revision' })
      }
      const project = stored && (await context.store.projects.find(stored.update.projectId))
      if (!stored || !project) throw new Problem('not-found')
      const etag = toETag(stored)
      // A 304 renews the headers of the kept page, its policy among them.
      reply.headers({ ETag: etag, 'Cache-Control': 'private, no-cache', 'Content-Security-Policy': pagePolicy })
      if (known !== undefined && isListed(known, etag)) return reply.code(304).send()
      const report = await readReport(context.store, stored)
      return sendPage(
        reply,
        renderUpdatePage({
          stored,
          project,
          report,
          githubUrl: context.config.githubUrl,
          etag,
          isMoving: isMoving(stored, context.now()),
        }),
      )
    })
  })
  for (const [name, { hash, type, text }] of Object.entries(assets) as [AssetName, (typeof assets)[AssetName]][]) {
    server.get(`/assets/${hash}/${name}`, (_request, reply) =>
      reply.header('Cache-Control', 'public, max-age=31536000, immutable').type(type).send(text),
    )
  }
}

/** After this time an open page stops waiting for screenshots: the server may have stopped before it took them. */
const picturesMs = 60_000

/** Whether an open page of a record follows it: until it has ended, and has its pictures where some are to come. */
export function isMoving({ update, details }: StoredUpdate, now: Date): boolean {
  if (update.endedAt === undefined) return true
  const isAwaited = details.pictures === 'awaited' || details.pictures === 'begun'
  return isAwaited && now.getTime() - Date.parse(update.endedAt) < picturesMs
}
