import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  isPublicSite,
  publicFilesOf,
  type ScreenshotTheme,
  type SiteBuild,
  type SiteScreenshot,
} from '../../store/sites/stored-sites.ts'
import type { Store } from '../../store/store.ts'
import type { AppContext } from '../base/app-context.ts'
import { picturePath, readPictureName, toPictureLink } from '../base/signed-links.ts'
import type { Metrics } from '../base/telemetry/metrics.ts'
import type { RateLimits } from '../http/callers.ts'
import { Problem } from '../http/problem-details.ts'
import { matchesETag } from '../http/waiting.ts'
import { type ProjectUpdate, toCommitSite, toPageUrl } from './built-site.ts'
import type { Answer, ScreenshotTaker, SiteResponse } from './screenshot-taker.ts'
import { createSiteFiles, readSiteContent, toPlainContent } from './site-files.ts'
import { readPath, resolvePath, toFileHeaders } from './site-rules.ts'

/** `/pictures/{statusId}/{name}-{signature}.png`: the screenshots of sites, for anyone with the link. */
export async function registerScreenshots(server: FastifyInstance, context: AppContext, limits: RateLimits): Promise<void> {
  const { store, urls } = context
  await server.register(async (routes) => {
    routes.addHook('onRequest', async (request) => limits.countAddress(request))
    routes.get(
      `${picturePath}:statusId/:name`,
      async (request: FastifyRequest<{ Params: { statusId: string; name: string } }>, reply) => {
        const { statusId, name } = request.params
        const picture = readPictureName(urls.linkKey, statusId, name)
        const stored = picture && (await store.statuses.find(statusId))
        const project = stored && (await store.projects.find(stored.update.projectId))
        const file = picture && project && (await store.sites.findScreenshot(statusId, picture))
        // A missing screenshot and an invalid signature get the same response.
        if (!file) throw new Problem('not-found')
        const etag = `"${file.hash.slice(0, 32)}"`
        reply.headers({
          ETag: etag,
          // The screenshots of a record never change.
          'Cache-Control': `${isPublicSite(project) ? 'public' : 'private'}, max-age=31536000, immutable`,
          // GitHub loads the image through a proxy, but other pages may embed it.
          'Cross-Origin-Resource-Policy': 'cross-origin',
          'X-Robots-Tag': 'noindex',
        })
        if (matchesETag(request.headers['if-none-match'], etag)) return reply.code(304).send()
        return reply.type('image/png').send(await readSiteContent(store.sites, file))
      },
    )
  })
}

/** Maximum bytes that a page may load. */
const maxBytes = 32 * 1024 * 1024

/**
 * Serves the files of a build like the site server, but without access checks and whether or not the build is published.
 *
 * @returns A function that returns `undefined` for other origins, and after 32 MB.
 */
function createAnswerFromBuild(sites: Store['sites'], build: SiteBuild, origin: string): Answer {
  const files = createSiteFiles(sites)
  const shown = publicFilesOf(build)
  let left = maxBytes
  return async (address: string): Promise<SiteResponse | undefined> => {
    const url = new URL(address)
    if (url.origin !== origin) return undefined
    const target = readPath(url.pathname + url.search)
    const rules = await files.rules(shown)
    const found = target && (await resolvePath(target, rules, (path) => files.find(shown, path)))
    if (found?.kind !== 'file') return { status: 404, headers: { 'content-type': 'text/plain' }, body: Buffer.alloc(0) }
    left -= found.file.sizeBytes
    if (left < 0) return undefined
    const headers = Object.entries(toFileHeaders(found.path, rules, true)).map(([name, value]) => [name, String(value)])
    return { status: 200, headers: Object.fromEntries(headers), body: await readSiteContent(sites, found.file) }
  }
}

/**
 * Takes the screenshots of a record's site once and adds them to the record. Errors are only logged.
 *
 * @throws {StoreError}
 */
export type AddScreenshots = (pictured: ProjectUpdate, signal: AbortSignal) => Promise<void>

/** {@link AddScreenshots} with a browser. */
export async function addScreenshots(
  context: AppContext,
  taker: ScreenshotTaker,
  { pictureSeconds }: Metrics,
  { update, details, project }: ProjectUpdate,
  signal: AbortSignal,
): Promise<void> {
  const { store, log, urls } = context
  const site = toCommitSite(context, { update, details, project })
  if (details.pictures !== 'awaited' || !details.site || site === undefined) return
  const statusId = update._id
  const build = await store.sites.find(project.id, update.commit.sha)
  if (build?.statusId !== statusId) return
  await store.statuses.addDetails(statusId, { pictures: 'begun' })
  const startedAt = performance.now()
  const observe = (outcome: string) => pictureSeconds.observe({ outcome }, (performance.now() - startedAt) / 1000)
  const order = {
    url: toPageUrl(site, details.site.mainRoute),
    answer: createAnswerFromBuild(store.sites, build, new URL(site).origin),
  }
  let taken: Readonly<Record<ScreenshotTheme, Buffer>>
  try {
    taken = await taker.take(order, signal)
  } catch (error) {
    observe('failure')
    await store.statuses.addDetails(statusId, { pictures: 'failed' })
    signal.throwIfAborted()
    log.warn({ err: error, statusId, projectId: project.id }, 'Cannot take screenshots of a site')
    return
  }
  const toPicture = (theme: ScreenshotTheme): SiteScreenshot => ({
    content: toPlainContent(taken[theme]),
    url: toPictureLink(urls.linkKey, urls.base(), statusId, theme),
  })
  await store.sites.addScreenshots(statusId, { light: toPicture('light'), dark: toPicture('dark') })
  await store.statuses.addDetails(statusId, { pictures: 'taken' })
  observe('success')
}
