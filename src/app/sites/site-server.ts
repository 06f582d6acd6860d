import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http'
import { relayMetric, relayPath } from '../../playground/request/relay-format.ts'
import { integrationsPath } from '../../site/plan/file-types.ts'
import { filesFor, isForkRef, type StoredSiteFile } from '../../store/sites/stored-sites.ts'
import { StoreError } from '../../text/errors.ts'
import type { AppContext } from '../base/app-context.ts'
import { type HostReading, readHost, type SitesPlace, toSiteUrl } from '../base/sites-domain.ts'
import type { Metrics } from '../base/telemetry/metrics.ts'
import { withTimeout } from '../http/waiting.ts'
import { createSiteFiles } from '../publish/site-files.ts'
import { findStart, languageHeaders } from '../publish/site-languages.ts'
import { readPath, resolvePath, toCaching, toFileHeaders } from '../publish/site-rules.ts'
import { readCustomDomain } from './custom-domains.ts'
import { passToApp } from './passed-requests.ts'
import { asksForPage, createMayRead, type MayRead, PrivateSiteAccess } from './private-sites.ts'
import { mayRelay } from './relay.ts'
import { isMcpRequest } from './site-mcp.ts'
import {
  choosePageType,
  noRedirect,
  noSite,
  renderLeavingPage,
  renderPlainPage,
  type SiteAnswer,
  sendFile,
} from './site-responses.ts'

/** Handles a request to a host of a site, and passes other requests to the app. */
type ServeSite = (
  request: IncomingMessage,
  response: ServerResponse,
  answerAsApp: (request: IncomingMessage, response: ServerResponse) => void,
) => void

/** A host of a site, or a verified custom domain. */
type SiteReading =
  | Exclude<HostReading, { kind: 'app' }>
  | { readonly kind: 'custom'; readonly host: { readonly subdomain: string; readonly preview?: never } }

/** Headers of every response of a site. */
const serverHeaders = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'strict-origin-when-cross-origin' }

/**
 * Headers of private sites, so that other pages cannot embed their files. All sites share a parent domain, so browsers send cookies with
 * embedded requests from other sites.
 */
const privateHeaders = { 'Cross-Origin-Resource-Policy': 'same-origin' }

/**
 * The server of the sites. It handles requests before the routes of the app, so that a site's host never reaches the app, and vice versa.
 *
 * @param limitMs How long a request may wait for the database before it gets 503.
 */
export function createSiteServer(context: AppContext, { httpSeconds }: Metrics, place: SitesPlace, limitMs = 10_000): ServeSite {
  const { config, log } = context
  const privateAccess = new PrivateSiteAccess(context)
  const answer = createAnswer(context, { place, privateAccess, mayRead: createMayRead(context, privateAccess) })
  const serve = (reading: SiteReading, request: IncomingMessage, response: ServerResponse) => {
    const { host = '' } = request.headers
    const startedAt = performance.now()
    response.once('finish', () => {
      const seconds = (performance.now() - startedAt) / 1000
      const method = request.method === 'GET' || request.method === 'HEAD' ? request.method : 'other'
      httpSeconds.observe({ route: 'site', method, status: response.statusCode }, seconds)
      if (log.isLevelEnabled('debug')) {
        const path = request.url?.split('?', 1)[0]
        log.debug({ method: request.method, route: 'site', host, path, status: response.statusCode }, 'Request completed')
      }
    })
    // A large file may take its client longer.
    const limit = setTimeout(() => {
      if (response.headersSent || response.destroyed) return
      log.error({ host }, 'Request to a site took too long')
      send(request, response, unavailable)
    }, limitMs)
    response.once('close', () => clearTimeout(limit))
    answer(reading, request, response).catch((error: unknown) => {
      // The limit has passed.
      if (response.writableEnded) return
      // Do not log clients that close the connection.
      if (!response.destroyed) log.error({ err: error, host }, 'Request to a site failed')
      if (response.headersSent) response.destroy()
      else send(request, response, error instanceof StoreError ? unavailable : broken)
    })
  }
  return (request, response, answerAsApp) => {
    const serveOrPass = (reading: SiteReading) => {
      const isCall = request.method === 'POST' && request.url === relayPath && config.playgroundRelay !== 'off'
      const isForApp = isMcpRequest(request) || isCall
      if (!isForApp || reading.kind === 'nothing' || hasTwoHosts(request)) return serve(reading, request, response)
      passToApp(request, reading.host, reading.kind === 'custom')
      answerAsApp(request, response)
    }
    const reading = readHost(request.headers.host, place)
    if (reading.kind !== 'app') return serveOrPass(reading)
    const domain = readCustomDomain(request.headers.host, place)
    if (domain === undefined) return answerAsApp(request, response)
    const createError = () => new StoreError('The database is not responding')
    withTimeout(context.store.domains.findSubdomain(domain), limitMs, createError).then(
      (subdomain) => {
        if (subdomain === undefined) answerAsApp(request, response)
        else serveOrPass({ kind: 'custom', host: { subdomain } })
      },
      (error: unknown) => {
        log.error({ err: error, domain }, 'Cannot look up a custom domain')
        send(request, response, error instanceof StoreError ? unavailable : broken)
      },
    )
  }
}

function createAnswer(
  { config, store }: AppContext,
  { place, privateAccess, mayRead }: { place: SitesPlace; privateAccess: PrivateSiteAccess; mayRead: MayRead },
) {
  const files = createSiteFiles(store.sites)
  const secure = place.protocol === 'https:' ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}
  return async (reading: SiteReading, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (hasTwoHosts(request)) return send(request, response, unclear)
    if (reading.kind === 'nothing') return send(request, response, noSite)
    const { host } = reading
    // Private sites have only the URL that the app can sign users in to.
    if (reading.kind === 'custom' && !(await store.sites.findOwner(host)).isPublic) return send(request, response, noSite)
    const own = reading.kind === 'site' && privateAccess.isOwn(request) && (await privateAccess.answer(request, host))
    if (own) return send(request, response, own)
    const owner = await store.sites.findOwner(host)
    const access = await mayRead(owner, request, host)
    if (access.kind === 'refused') return send(request, response, access.answer)
    const site = await store.sites.findShown(host)
    if (!site) return send(request, response, privateAccess.denyAccess(request, host))
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(request, response, notAllowed)
    const isPublic = access.kind === 'public'
    const hasPublicAudiences = owner.isPublic && owner.audiences.length > 0
    const base = {
      ...serverHeaders,
      ...secure,
      ...(isPublic && !reading.host.preview ? {} : { 'X-Robots-Tag': 'noindex' }),
      ...(isPublic ? {} : privateHeaders),
      ...(hasPublicAudiences && { Vary: 'Cookie' }),
    }
    const of = filesFor(site.build, access.audience)
    const target = readPath(request.url ?? '')
    const rules = await files.rules(of)
    const find = (path: string) => files.find(of, path)
    const isChoice = target?.path === '' && target.query === '' && rules.languages.length > 1
    const start = isChoice ? findStart(rules.languages, request.headers) : undefined
    if (start !== undefined) {
      // Shared caches cannot store a response that depends on so many headers.
      const headers = {
        ...base,
        Location: start,
        'Cache-Control': 'private, no-cache',
        ...toVary(base.Vary, languageHeaders),
      }
      return send(request, response, { status: 302, headers, body: '' })
    }
    const wanted = target && (await preferMarkdown(target, request.headers.accept ?? '', find))
    const found = wanted && (await resolvePath(wanted, rules, find))
    if (found?.kind === 'redirect' && host.preview && leavesSite(found.to, toSiteUrl(place, host))) {
      const page = isForkRef(site.build.ref) ? noRedirect : renderLeavingPage(found.to)
      return send(request, response, { ...page, headers: { ...base, ...page.headers } })
    }
    if (found?.kind === 'refused') return send(request, response, { ...noRedirect, headers: { ...base, ...noRedirect.headers } })
    if (found?.kind === 'redirect') {
      const headers = { ...base, Location: found.to, 'Cache-Control': toCaching(undefined, isPublic) }
      return send(request, response, { status: found.status, headers, body: '' })
    }
    // Services of other companies do not learn who reads a preview or a private site.
    const isOpen = isPublic && !reading.host.preview
    const isWithheld = found?.kind === 'file' && found.path.startsWith(integrationsPath) && !isOpen
    const file = found?.kind === 'file' && !isWithheld ? found : await findMissing(find)
    if (file !== found && hasPublicAudiences && asksForPage(request))
      return send(request, response, privateAccess.offerSignIn(request, host))
    if (!file) return send(request, response, missing)
    const isSignedIn = access.kind === 'private' && access.isSignedIn
    const hasRelay = file.path.endsWith('.html') && mayRelay(config.playgroundRelay, site, { isPublic, isSignedIn })
    const fileHeaders = toFileHeaders(file.path, rules, isPublic, wanted && 'type' in wanted ? wanted.type : undefined)
    const headers = {
      ...base,
      ...(hasRelay && { 'Server-Timing': relayMetric }),
      ...fileHeaders,
      ...toVary(base.Vary, fileHeaders.Vary, isChoice ? languageHeaders : undefined),
    }
    await sendFile({ file: file.file, status: file === found ? 200 : 404, headers }, request, response, {
      files,
      sites: store.sites,
    })
  }
}

/** The header `Vary` with all of these values, if there are any. */
function toVary(...all: readonly (OutgoingHttpHeader | undefined)[]): { readonly Vary?: string } {
  const names = all.filter((one) => one !== undefined)
  return names.length === 0 ? {} : { Vary: names.join(', ') }
}

/** Whether a redirect points outside the site at `siteUrl`. */
function leavesSite(to: string, siteUrl: string): boolean {
  return !URL.canParse(to, siteUrl) || new URL(to, siteUrl).origin !== new URL(siteUrl).origin
}

/** Serves the Markdown version of a page to clients that prefer Markdown or plain text to HTML. */
async function preferMarkdown<Target extends { readonly path: string }>(
  target: Target,
  accept: string,
  find: (path: string) => Promise<StoredSiteFile | undefined>,
): Promise<Target | (Target & { readonly type: string })> {
  const type = choosePageType(accept)
  if (type === 'text/html') return target
  const route = target.path.replace(/\/$/, '')
  const path = `${route === '' ? 'index' : route}.md`
  const hasBoth = (await find(`${route === '' ? '' : `${route}/`}index.html`)) && (await find(path))
  return hasBoth ? { ...target, path, type } : target
}

async function findMissing(find: (path: string) => Promise<StoredSiteFile | undefined>) {
  const file = await find('404.html')
  return file && { path: '404.html', file }
}

/** Node.js uses the first `Host` header, but a proxy may have used another one. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) if (rawHeaders[index]?.toLowerCase() === 'host') count++
  return count > 1
}

function send({ method }: IncomingMessage, response: ServerResponse, { status, headers, body }: SiteAnswer): void {
  const length = { 'Content-Length': Buffer.byteLength(body) }
  const lists = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]),
  )
  response.writeHead(status, { ...serverHeaders, ...lists, ...length }).end(method === 'HEAD' ? undefined : body)
}

const missing = renderPlainPage(404, 'Page not found', 'This site has no page at this URL.')
const broken = renderPlainPage(500, 'Server error', 'The page cannot be shown. Try again in a moment.')
const plainUnavailable = renderPlainPage(503, 'Temporarily unavailable', 'The page cannot be read. Try again in a moment.')
const unavailable = { ...plainUnavailable, headers: { ...plainUnavailable.headers, 'Retry-After': '5' } }
const unclear = renderPlainPage(400, 'Bad request', 'The request has more than one Host header.')
const plainNotAllowed = renderPlainPage(405, 'Method not allowed', 'Sites accept only GET and HEAD requests.')
const notAllowed = { ...plainNotAllowed, headers: { ...plainNotAllowed.headers, Allow: 'GET, HEAD' } }
