import type { IncomingMessage, ServerResponse } from 'node:http'
import { isForkRef, type ShownSite, type StoredSiteFile } from '../../store/stored-sites.ts'
import type { AppContext } from '../app-context.ts'
import { createMayRead, type MayRead, PrivateSiteAccess } from './private-sites.ts'
import { createSiteFiles, type SiteFiles } from './site-files.ts'
import { noRedirect, noSite, renderLeavingPage, renderPlainPage, type SiteAnswer, sendFile } from './site-responses.ts'
import { readPath, resolvePath, toCaching, toFileHeaders } from './site-rules.ts'
import { type HostReading, readHost, type SitesPlace, toSiteUrl } from './sites-domain.ts'

/** Answers a request where its host is that of a site. False: it is for the app, and nothing was done with it. */
export type ServeSite = (request: IncomingMessage, response: ServerResponse) => boolean

/** What every answer of a site has. */
const serverHeaders = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'strict-origin-when-cross-origin' }

/**
 * Of a site that is not for everybody: nothing of it is part of a page of another. Sites are below one domain, so that browsers send the cookies
 * of one with what a page of another embeds.
 */
const privateHeaders = { 'Cross-Origin-Resource-Policy': 'same-origin' }

/**
 * The server of the sites. It stands before the routes of the app and knows none of them: no path of a site's host reaches the app, and none of
 * the app's reaches a site.
 */
export function createSiteServer(context: AppContext, place: SitesPlace): ServeSite {
  const { log, metrics } = context
  const privateAccess = new PrivateSiteAccess(context)
  const answer = createAnswer(context, { place, privateAccess, mayRead: createMayRead(context, privateAccess) })
  return (request, response) => {
    const { host = '' } = request.headers
    const reading = readHost(host, place)
    if (reading.kind === 'app') return false
    const startedAt = performance.now()
    response.once('finish', () => {
      const seconds = (performance.now() - startedAt) / 1000
      metrics.httpSeconds.observe({ route: 'site', method: toMethod(request.method), status: response.statusCode }, seconds)
      if (log.isLevelEnabled('debug')) {
        const path = request.url?.split('?', 1)[0]
        log.debug({ method: request.method, route: 'site', host, path, status: response.statusCode }, 'Answered')
      }
    })
    answer(reading, request, response).catch((error: unknown) => {
      // Readers go away in the middle of an answer, and that is nothing to tell.
      if (!response.destroyed) log.error({ err: error, host }, 'Cannot answer for a site')
      if (response.headersSent) response.destroy()
      else send(request, response, broken)
    })
    return true
  }
}

function createAnswer(
  { store }: AppContext,
  { place, privateAccess, mayRead }: { place: SitesPlace; privateAccess: PrivateSiteAccess; mayRead: MayRead },
) {
  const files = createSiteFiles(store.sites)
  const secure = place.protocol === 'https:' ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}
  return async (reading: HostReading, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (hasTwoHosts(request)) return send(request, response, unclear)
    if (reading.kind !== 'site') return send(request, response, noSite)
    const { host } = reading
    const own = privateAccess.isOwn(request) && (await privateAccess.answer(request, host))
    if (own) return send(request, response, own)
    const access = await mayRead(await store.sites.findOwner(host), request, host)
    if (access.kind === 'refused') return send(request, response, access.answer)
    const site = await store.sites.findShown(host)
    if (!site) return send(request, response, privateAccess.turnAway(request, host))
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(request, response, notAllowed)
    const isPublic = access.kind === 'public'
    const base = {
      ...serverHeaders,
      ...secure,
      ...(isPublic && !reading.host.preview ? {} : { 'X-Robots-Tag': 'noindex' }),
      ...(isPublic ? {} : privateHeaders),
    }
    const target = readPath(request.url ?? '')
    const rules = await files.rules(site.build.id)
    const find = (path: string) => files.find(site.build.id, path)
    const wanted = target && (await preferMarkdown(target, request, find))
    const found = wanted && (await resolvePath(wanted, rules, find))
    if (found?.kind === 'redirect' && host.preview && leavesSite(found.to, toSiteUrl(place, host))) {
      const page = isForkRef(site.build.ref) ? noRedirect : renderLeavingPage(found.to)
      return send(request, response, { ...page, headers: { ...base, ...page.headers } })
    }
    if (found?.kind === 'redirect') {
      const headers = { ...base, Location: found.to, 'Cache-Control': toCaching(undefined, isPublic), 'Content-Length': 0 }
      response.writeHead(found.status, headers).end()
      return
    }
    const file = found?.kind === 'file' ? found : await findMissing(site, files)
    if (!file) return send(request, response, missing)
    const headers = { ...base, ...toFileHeaders(file.path, rules, isPublic, wanted !== target) }
    await sendFile({ file: file.file, status: found?.kind === 'file' ? 200 : 404, headers }, request, response, {
      files,
      sites: store.sites,
    })
  }
}

/** Whether the target of a redirect is not a page of the site, whose URL is `siteUrl`. */
function leavesSite(to: string, siteUrl: string): boolean {
  return !URL.canParse(to, siteUrl) || new URL(to, siteUrl).origin !== new URL(siteUrl).origin
}

/** A page is also there as Markdown: for those who ask for that and not for HTML. */
async function preferMarkdown<Target extends { readonly path: string }>(
  target: Target,
  { headers: { accept = '' } }: IncomingMessage,
  find: (path: string) => Promise<StoredSiteFile | undefined>,
): Promise<Target> {
  if (!accept.includes('text/markdown') || accept.includes('text/html')) return target
  const route = target.path.replace(/\/$/, '')
  const path = `${route === '' ? 'index' : route}.md`
  return (await find(`${route === '' ? '' : `${route}/`}index.html`)) && (await find(path)) ? { ...target, path } : target
}

async function findMissing({ build }: ShownSite, files: SiteFiles) {
  const file = await files.find(build.id, '404.html')
  return file && { path: '404.html', file }
}

/** Node keeps the first; a proxy may have looked at the other. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) if (rawHeaders[index]?.toLowerCase() === 'host') count++
  return count > 1
}

function toMethod(method: string | undefined): string {
  return method === 'GET' || method === 'HEAD' ? method : 'other'
}

function send({ method }: IncomingMessage, response: ServerResponse, { status, headers, body }: SiteAnswer): void {
  const length = { 'Content-Length': Buffer.byteLength(body) }
  const lists = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]),
  )
  response.writeHead(status, { ...serverHeaders, ...lists, ...length }).end(method === 'HEAD' ? undefined : body)
}

const missing = renderPlainPage(404, 'There is no such page', 'The site has no page at this address.')
const broken = renderPlainPage(500, 'The page cannot be shown now', 'Something went wrong on the server. Load the page again.')
const unclear = renderPlainPage(400, 'The request is unclear', 'It names more than one host.')
const plainNotAllowed = renderPlainPage(405, 'Sites are only read', 'Nothing can be sent to this address.')
const notAllowed = { ...plainNotAllowed, headers: { ...plainNotAllowed.headers, Allow: 'GET, HEAD' } }
