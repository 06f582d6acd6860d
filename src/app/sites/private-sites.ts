import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { audienceOf, type SiteHost, type SiteOwner } from '../../store/sites/stored-sites.ts'
import { encodeUrlPart } from '../../text/plain/paths.ts'
import type { AppContext } from '../base/app-context.ts'
import { toSiteUrl } from '../base/sites-domain.ts'
import { hostCookie, toOwnPath } from '../http/browser-requests.ts'
import { noSite, renderNoSite, renderPlainPage, type SiteAnswer } from './site-responses.ts'

/** The page of the app that redirects a signed-in user to a private site. */
export const enterPath = '/sites/enter'

/** Paths reserved on every host of a site, whether the site exists or not. */
const ownPrefix = '/_openapi-pages/'

/** The URL that opens a page of a private site for a user who is signed in to the app. */
export function toSiteEntryUrl(page: string): string {
  const { pathname } = new URL(page)
  return `${new URL(`${ownPrefix}sign-in`, page).href}?to=${encodeUrlPart(pathname).replaceAll('%2F', '/')}`
}

/** How long the browser keeps an expired pass. It proves earlier access, so the site redirects to the app for a new pass. */
const rememberedSeconds = 30 * 24 * 3600
const nonceSeconds = 600

/**
 * Access to private sites, on their hosts. The app issues a single-use code for one host, and the host exchanges it for a pass that is
 * valid only there.
 *
 * A visitor without access gets the same response as for a host without a site, so that responses do not reveal which sites exist. A code
 * works only in the browser that requested it, which has the nonce of the challenge. This prevents login CSRF.
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
    if (pathname === `${ownPrefix}sign-in`) return this.#redirectToApp(request, host, to)
    // A user who reads what everyone reads needs no pass.
    if (pathname === `${ownPrefix}leave`) return redirect(to, [this.#pass().endLine])
    if (pathname === `${ownPrefix}enter`)
      return await this.#enter(request, siteHost, { code: searchParams.get('code') ?? '', to })
    return noSite
  }

  /** The response to a visitor without access, and for a host without a site. */
  denyAccess(request: IncomingMessage, host: SiteHost): SiteAnswer {
    const { url = '/' } = request
    const { github, config } = this.#context
    if (!asksForPage(request) || !(github.credentials?.oauth || config.oidcIssuers)) return noSite
    const to = toSitePath(url)
    if (this.#pass().read(request) !== undefined) return this.#redirectToApp(request, this.nameHost(host), to)
    return renderNoSite(`If the site is private, <a href="${toSignInLink(to)}">sign in</a> to see it.`)
  }

  /** The answer of a public site with audiences where it has no page. The same for everyone, because an audience may have the page. */
  offerSignIn({ url = '/' }: IncomingMessage, host: SiteHost): SiteAnswer {
    // A custom domain has no sign-in.
    const page = `${this.#context.urls.sites()?.protocol}//${this.nameHost(host)}${toSitePath(url)}`
    const link = `<a href="${toSiteEntryUrl(page)}">sign in</a>`
    return renderPlainPage(
      404,
      'Page not found',
      `This site has no page at this URL. Some readers see more: ${link} if you are one.`,
    )
  }

  /** On a public site: sends a browser whose pass has ended to the app, which renews it, or ends it without asking the user. */
  renewPass(request: IncomingMessage, host: SiteHost): ReadAccess | undefined {
    if (!asksForPage(request) || this.#pass().read(request) === undefined) return undefined
    const answer = this.#redirectToApp(request, this.nameHost(host), toSitePath(request.url ?? '/'), { renews: '1' })
    return { kind: 'refused', answer }
  }

  /** The user whose browser has a valid pass, with their audience. Only users of GitHub read a private site without one. */
  async findReader(
    request: IncomingMessage,
    siteHost: SiteHost,
    owner: SiteOwner,
  ): Promise<({ readonly userId: number } & SiteReader) | undefined> {
    const secret = this.#pass().read(request)
    const host = this.nameHost(siteHost)
    const pass = secret === undefined ? undefined : await this.#context.store.passes.check(secret, { host, ...owner })
    if (!pass) return undefined
    const { userId, groups } = pass
    const audience = audienceOf(owner, groups)
    return owner.isPublic || audience || userId !== 0 ? { userId, audience } : undefined
  }

  /** The canonical name of a host with its port, for passes and links. */
  nameHost(host: SiteHost): string {
    const place = this.#context.urls.sites()
    if (!place) throw new Error('Unexpected request to a site: this server does not host sites')
    return new URL(toSiteUrl(place, host)).host
  }

  #redirectToApp(request: IncomingMessage, host: string, to: string, more: { readonly renews?: '1' } = {}): SiteAnswer {
    // Tabs opened at the same time share the cookie, so reuse its nonce.
    const nonce = this.#nonce().read(request) ?? randomBytes(24).toString('base64url')
    const query = new URLSearchParams({ host, to, challenge: toChallenge(nonce), ...more })
    return redirect(`${this.#context.urls.base()}${enterPath}?${query}`, [this.#nonce().line(nonce, nonceSeconds)])
  }

  async #enter(request: IncomingMessage, siteHost: SiteHost, { code, to }: { code: string; to: string }): Promise<SiteAnswer> {
    const host = this.nameHost(siteHost)
    const nonce = this.#nonce().read(request) ?? ''
    const secret = randomBytes(32).toString('base64url')
    const isRedeemed =
      /^[\w-]{43}$/.test(code) && (await this.#context.store.passes.redeem(code, { host, challenge: toChallenge(nonce), secret }))
    if (!isRedeemed) {
      // Another tab may have redeemed its code first.
      if (await this.findReader(request, siteHost, await this.#context.store.sites.findOwner(siteHost))) return redirect(to, [])
      return renderPlainPage(
        403,
        'Sign-in failed',
        `The sign-in expired, was already used, or started in another browser. <a href="${toSignInLink(to)}">Try again</a>.`,
      )
    }
    return redirect(to, [this.#pass().line(secret, rememberedSeconds), this.#nonce().endLine])
  }

  #pass() {
    return hostCookie('openapi-pages-site', this.#context.urls.base())
  }

  #nonce() {
    return hostCookie('openapi-pages-door', this.#context.urls.base())
  }
}

export function asksForPage({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '')
}

function redirect(to: string, cookies: readonly string[]): SiteAnswer {
  return { status: 303, headers: { Location: to, 'Cache-Control': 'no-store', 'Set-Cookie': cookies }, body: '' }
}

function toSignInLink(to: string): string {
  return `${ownPrefix}sign-in?to=${encodeUrlPart(to)}`
}

/** SHA-256 of the nonce that the browser has. */
function toChallenge(nonce: string): string {
  return createHash('sha256').update(nonce).digest('base64url')
}

/** A path of this site. Paths to other hosts and reserved paths become `/`. */
function toSitePath(text: string | null): string {
  const path = toOwnPath(text ?? undefined) ?? '/'
  return path.startsWith(ownPrefix) ? '/' : path
}

/** Who reads a site. */
export interface SiteReader {
  /** Absent for those who read what everyone reads. */
  readonly audience: ReturnType<typeof audienceOf>
}

/** Whether a visitor may read a site. */
type ReadAccess =
  /** Every visitor may read it, and shared caches may store the response. */
  | ({ readonly kind: 'public' } & SiteReader)
  /** This visitor may read it: after signing in, or with a share link. On a public site with audiences: what this visitor gets is for them. */
  | ({ readonly kind: 'private'; readonly isSignedIn: boolean } & SiteReader)
  /** `answer` is sent instead of the site. */
  | { readonly kind: 'refused'; readonly answer: SiteAnswer }

/**
 * Decides on every request to a site, before its build is looked up.
 *
 * A host without a site is treated like a private site without access. The store receives the same queries in the same order, so that neither
 * the response nor its timing reveals which names exist.
 */
export type MayRead = (owner: SiteOwner, request: IncomingMessage, host: SiteHost) => ReadAccess | Promise<ReadAccess>

const everyone = { kind: 'public', audience: undefined } as const

/** Allows every visitor of a public site, and visitors of a private site with a pass or a share link. */
export function createMayRead({ urls, store, now }: AppContext, privateAccess: PrivateSiteAccess): MayRead {
  const linkCookie = () => hostCookie('openapi-pages-link', urls.base())
  const decide = async (owner: SiteOwner, request: IncomingMessage, siteHost: SiteHost): Promise<ReadAccess> => {
    const reader = await privateAccess.findReader(request, siteHost, owner)
    if (reader) return { kind: 'private', isSignedIn: true, audience: reader.audience }
    if (owner.isPublic) return privateAccess.renewPass(request, siteHost) ?? everyone
    const { projectId } = owner
    const host = privateAccess.nameHost(siteHost)
    const find = (secret: string) => store.tokens.checkLink(secret, { host, projectId })
    const linkSecret = linkCookie().read(request)
    if (linkSecret !== undefined && (await find(linkSecret))) return { kind: 'private', isSignedIn: false, audience: undefined }
    const given = takeLink(request.url ?? '/')
    const link = given && (await find(given.secret))
    if (given && link) {
      const seconds = Math.max(1, Math.ceil((Date.parse(link.expiresAt) - now().getTime()) / 1000))
      return { kind: 'refused', answer: redirect(given.rest, [linkCookie().line(given.secret, seconds)]) }
    }
    return { kind: 'refused', answer: privateAccess.denyAccess(request, siteHost) }
  }
  return (owner, request, host) => (owner.isPublic && owner.audiences.length === 0 ? everyone : decide(owner, request, host))
}

/** Splits a URL into the secret of a share link and the rest, so that the secret leaves the address bar and never reaches a `Referer`. */
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

/** The query parameter with the secret of a share link. */
const linkParameter = 'openapi-pages-link'

/** The share link of a site: anyone with it can read the site. */
export function toSiteLink(site: string, secret: string): string {
  const url = new URL(site)
  url.searchParams.set(linkParameter, secret)
  return url.href
}
