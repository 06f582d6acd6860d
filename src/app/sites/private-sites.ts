import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { SiteHost, SiteOwner } from '../../store/stored-sites.ts'
import type { AppContext } from '../app-context.ts'
import { hostCookie, toOwnPath } from '../people/browser-requests.ts'
import { noSite, renderPlainPage, type SiteAnswer } from './site-responses.ts'
import { toSiteUrl } from './sites-domain.ts'

/** The page of the app that lets a signed-in person into a private site. */
export const enterPath = '/sites/enter'

/** Paths that every host of a site reserves, whether the site exists or not. */
const ownPrefix = '/_openapi-pages/'

/** The URL that lets a person who is signed in to the app into a site without asking again. */
export function toEntrance(site: string): string {
  return `${new URL(`${ownPrefix}sign-in`, site).href}?to=/`
}

/** How long a pass is valid. After that the browser is sent to the app for a new one. */
const passSeconds = 3600

/** How long the browser keeps an expired pass. It shows that the person was let in before, so the app is asked again. */
const rememberedSeconds = 30 * 24 * 3600
const nonceSeconds = 600

/**
 * Access to private sites, on their hosts. The app issues a code that can be used once and for one host; the host exchanges it for a pass
 * that is valid there only.
 *
 * A visitor without access gets the same response as for a host without a site, so that responses do not reveal which sites exist. A code
 * works only in the browser that requested it, which has the nonce of the challenge, so that it cannot be used to sign another person in.
 */
export class PrivateSiteAccess {
  readonly #context: AppContext

  constructor(context: AppContext) {
    this.#context = context
  }

  /** Whether a request is for a reserved path. */
  isOwn({ url = '' }: IncomingMessage): boolean {
    return url.startsWith(ownPrefix)
  }

  /** Responds to a request for a reserved path. */
  async answer(request: IncomingMessage, siteHost: SiteHost): Promise<SiteAnswer> {
    const { url = '', method } = request
    const host = this.nameHost(siteHost)
    const { pathname, searchParams } = new URL(url, 'https://own.invalid')
    const to = toSitePath(searchParams.get('to'))
    if (method !== 'GET') return noSite
    if (pathname === `${ownPrefix}sign-in`) return this.#askApp(request, host, to)
    if (pathname === `${ownPrefix}enter`)
      return await this.#enter(request, siteHost, { code: searchParams.get('code') ?? '', to })
    return noSite
  }

  /** For who may not see what is at this address, or where nothing is. */
  turnAway(request: IncomingMessage, host: SiteHost): SiteAnswer {
    const { method, url = '/', headers } = request
    const isPage = method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '')
    if (!isPage || !this.#context.github.credentials?.oauth) return noSite
    const to = toSitePath(url)
    if (this.#pass().read(request) !== undefined) return this.#askApp(request, this.nameHost(host), to)
    const link = `${ownPrefix}sign-in?to=${encodeURIComponent(to)}`
    return renderPlainPage(
      404,
      'There is no site here',
      `The address may be mistyped, or its site is not for everybody. <a href="${link}">Sign in</a> to see a private site.`,
    )
  }

  /** Whether the browser was let in here. */
  async hasPass(request: IncomingMessage, place: { readonly host: string; readonly projectId: string }): Promise<boolean> {
    const secret = this.#pass().read(request)
    return secret !== undefined && (await this.#context.store.passes.check(secret, place))
  }

  /** The one name of a host that passes and links are made for, with its port. */
  nameHost(host: SiteHost): string {
    const place = this.#context.sitesPlace()
    if (!place) throw new Error('Unexpected request to a site: none are hosted')
    return new URL(toSiteUrl(place, host)).host
  }

  #askApp(request: IncomingMessage, host: string, to: string): SiteAnswer {
    // Tabs that open at once share the nonce of the first: they share the cookie.
    const nonce = this.#nonce().read(request) ?? randomBytes(24).toString('base64url')
    const query = new URLSearchParams({ host, to, challenge: toChallenge(nonce) })
    return redirect(`${this.#context.baseUrl()}${enterPath}?${query}`, [this.#nonce().line(nonce, nonceSeconds)])
  }

  async #enter(request: IncomingMessage, siteHost: SiteHost, { code, to }: { code: string; to: string }): Promise<SiteAnswer> {
    const host = this.nameHost(siteHost)
    const nonce = this.#nonce().read(request) ?? ''
    const secret = randomBytes(32).toString('base64url')
    const expiresAt = new Date(this.#context.now().getTime() + passSeconds * 1000).toISOString()
    const isGood =
      /^[\w-]{43}$/.test(code) &&
      (await this.#context.store.passes.redeem(code, { host, challenge: toChallenge(nonce), secret, expiresAt }))
    if (!isGood) {
      // The code of another tab was here first.
      const { projectId } = await this.#context.store.sites.findOwner(siteHost)
      if (await this.hasPass(request, { host, projectId })) return redirect(to, [])
      const link = `${ownPrefix}sign-in?to=${encodeURIComponent(to)}`
      return renderPlainPage(
        403,
        'You are not let in yet',
        `The link was used before, is older than a minute, or was begun in another browser. <a href="${link}">Try again</a>.`,
      )
    }
    return redirect(to, [this.#pass().line(secret, rememberedSeconds), this.#nonce().endLine])
  }

  #pass() {
    return hostCookie('openapi-pages-site', this.#isSecure())
  }

  #nonce() {
    return hostCookie('openapi-pages-door', this.#isSecure())
  }

  #isSecure(): boolean {
    return this.#context.baseUrl().startsWith('https:')
  }
}

function redirect(to: string, cookies: readonly string[]): SiteAnswer {
  return { status: 303, headers: { Location: to, 'Cache-Control': 'no-store', 'Set-Cookie': cookies }, body: '' }
}

/** SHA-256 of the nonce that the browser has. */
function toChallenge(nonce: string): string {
  return createHash('sha256').update(nonce).digest('base64url')
}

/** A path of this site; what could lead elsewhere, or here again, becomes its start. */
function toSitePath(text: string | null): string {
  const path = toOwnPath(text ?? undefined) ?? '/'
  return path.startsWith(ownPrefix) ? '/' : path
}

/** Whether a visitor may read a site. */
type ReadAccess =
  /** Every visitor may; shared caches may keep the response. */
  | { readonly kind: 'public' }
  /** This visitor may. */
  | { readonly kind: 'private' }
  /** `answer` is sent instead of the site. */
  | { readonly kind: 'refused'; readonly answer: SiteAnswer }

/**
 * Asked for every request to a site, before its build is looked for.
 *
 * A host without a site is treated like a private site that the visitor may not read: the queries to the store and their order are the
 * same, so that neither the response nor its time reveals which names exist.
 */
export type MayRead = (owner: SiteOwner, request: IncomingMessage, host: SiteHost) => ReadAccess | Promise<ReadAccess>

/** Allows every visitor of a public site; for a private one, visitors with a pass or with a shared link. */
export function createMayRead({ baseUrl, store, now }: AppContext, privateAccess: PrivateSiteAccess): MayRead {
  const linkCookie = () => hostCookie('openapi-pages-link', baseUrl().startsWith('https:'))
  const decide = async (projectId: string, request: IncomingMessage, siteHost: SiteHost): Promise<ReadAccess> => {
    const host = privateAccess.nameHost(siteHost)
    if (await privateAccess.hasPass(request, { host, projectId })) return { kind: 'private' }
    const find = (secret: string) => store.links.check(secret, { host, projectId })
    const kept = linkCookie().read(request)
    if (kept !== undefined && (await find(kept))) return { kind: 'private' }
    const given = takeLink(request.url ?? '/')
    const link = given && (await find(given.secret))
    if (given && link) {
      const seconds = Math.max(1, Math.ceil((Date.parse(link.expiresAt) - now().getTime()) / 1000))
      const headers = {
        Location: given.rest,
        'Cache-Control': 'no-store',
        'Set-Cookie': linkCookie().line(given.secret, seconds),
      }
      return { kind: 'refused', answer: { status: 303, headers, body: '' } }
    }
    return { kind: 'refused', answer: privateAccess.turnAway(request, siteHost) }
  }
  // Of most sites there is nothing to ask.
  return ({ isPublic, projectId }, request, host) => (isPublic ? { kind: 'public' } : decide(projectId, request, host))
}

/** The secret of a link, and the address without it: it is not to stay in the address bar, nor to leave by the `Referer`. */
function takeLink(url: string): { readonly secret: string; readonly rest: string } | undefined {
  const [path = '/', query = ''] = url.split('?', 2)
  if (!query.includes(linkParameter)) return undefined
  const parameters = new URLSearchParams(query)
  const secret = parameters.get(linkParameter)
  parameters.delete(linkParameter)
  const left = parameters.toString()
  const rest = toOwnPath(left === '' ? path : `${path}?${left}`)
  return secret === null || rest === undefined ? undefined : { secret, rest }
}

/** The parameter of an address that lets in whoever has it. */
const linkParameter = 'openapi-pages-link'

/** The address of a site that lets in whoever has it. */
export function toSiteLink(site: string, secret: string): string {
  const url = new URL(site)
  url.searchParams.set(linkParameter, secret)
  return url.href
}
