import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { SiteHost, SiteOwner } from '../../store/stored-sites.ts'
import type { AppContext } from '../app-context.ts'
import { hostCookie, toOwnPath } from '../people/browser-requests.ts'
import { noSite, renderPlainPage, type SiteAnswer } from './site-responses.ts'
import { toSiteUrl } from './sites-domain.ts'

/** Where the app lets somebody through to a private site. */
export const enterPath = '/sites/enter'

/** Paths of ours on the host of every site, also of those that are not there. */
const ownPrefix = '/_openapi-pages/'

/** Where a link leads that somebody follows who is known to the app: through the door, without a question. */
export function toEntrance(site: string): string {
  return `${new URL(`${ownPrefix}sign-in`, site).href}?to=/`
}

/** How long somebody is let in; then the app is asked again, without a question to the person. */
const passSeconds = 3600

/** The browser keeps the name of an older pass for as long, which tells that it is worth asking the app. */
const rememberedSeconds = 30 * 24 * 3600

const nonceSeconds = 600

/**
 * The door of private sites, on their own hosts: from the app comes a code that is good once and for this host, and becomes a pass that is
 * good on this host alone.
 *
 * Who is not let in gets the same answer as where there is no site at all, so that nobody learns which there are. A code works only in the
 * browser that asked for it (it has the nonce of the challenge), so that nobody can be let in as somebody else.
 */
export class SiteDoor {
  readonly #context: AppContext

  constructor(context: AppContext) {
    this.#context = context
  }

  /** Whether a request is for a path that is ours. */
  isOwn({ url = '' }: IncomingMessage): boolean {
    return url.startsWith(ownPrefix)
  }

  /** The answer to a path that is ours. */
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

/** Whether somebody may see a site. */
type ReadAccess =
  /** As everybody may; it can be kept in caches that people share. */
  | { readonly kind: 'public' }
  /** As one of a few. */
  | { readonly kind: 'private' }
  /** Not, or not yet: this is what is said instead. */
  | { readonly kind: 'refused'; readonly answer: SiteAnswer }

/**
 * Asked for every request to a site, before its build is looked for.
 *
 * A host without a site takes the path of a private one whose visitor may not see it: what the store is asked, and in which order, is the
 * same for both, so that neither the response nor its time reveals which names exist.
 */
export type MayRead = (owner: SiteOwner, request: IncomingMessage, host: SiteHost) => ReadAccess | Promise<ReadAccess>

/** Lets in everybody, those with a pass from the door, and those with a link that was made for others. */
export function createMayRead({ baseUrl, store, now }: AppContext, door: SiteDoor): MayRead {
  const linkCookie = () => hostCookie('openapi-pages-link', baseUrl().startsWith('https:'))
  const decide = async (projectId: string, request: IncomingMessage, siteHost: SiteHost): Promise<ReadAccess> => {
    const host = door.nameHost(siteHost)
    if (await door.hasPass(request, { host, projectId })) return { kind: 'private' }
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
    return { kind: 'refused', answer: door.turnAway(request, siteHost) }
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
