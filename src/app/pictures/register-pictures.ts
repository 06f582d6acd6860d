import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isPublicSite } from '../../store/stored-sites.ts'
import type { AppContext } from '../app-context.ts'
import type { RateLimits } from '../http/callers.ts'
import { Problem } from '../http/problem-details.ts'
import { isListed } from '../http/status-routes.ts'
import { readSiteContent } from '../sites/read-content.ts'
import { picturePath, readPictureName } from './picture-link.ts'

/** `/pictures/{statusId}/{theme}-{signature}.png`: the pictures of sites, for whoever has the address. */
export async function registerPictures(server: FastifyInstance, context: AppContext, limits: RateLimits): Promise<void> {
  const { store, linkKey } = context
  await server.register(async (routes) => {
    routes.addHook('onRequest', (request) => limits.countAddress(request))
    routes.get(
      `${picturePath}:statusId/:name`,
      async (request: FastifyRequest<{ Params: { statusId: string; name: string } }>, reply) => {
        const { statusId, name } = request.params
        const theme = readPictureName(linkKey, statusId, name)
        const stored = theme && (await store.statuses.find(statusId))
        const project = stored && (await store.projects.find(stored.update.projectId))
        const file = theme && project && (await store.sites.findPicture(statusId, theme))
        // A picture that is gone and an address that is not ours get the same answer.
        if (!file) throw new Problem('not-found')
        const etag = `"${file.hash.slice(0, 32)}"`
        reply.headers({
          ETag: etag,
          // A record gets its pictures once.
          'Cache-Control': `${isPublicSite(project) ? 'public' : 'private'}, max-age=31536000, immutable`,
          // GitHub's own pages show it by a proxy; those of others may.
          'Cross-Origin-Resource-Policy': 'cross-origin',
          'X-Robots-Tag': 'noindex',
        })
        const known = request.headers['if-none-match']
        if (known !== undefined && isListed(known, etag)) return reply.code(304).send()
        return reply.type('image/png').send(await readSiteContent(store.sites, file))
      },
    )
  })
}
