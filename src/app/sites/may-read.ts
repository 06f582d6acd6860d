import type { IncomingMessage } from 'node:http'
import type { SiteHost, SiteOwner } from '../../store/stored-sites.ts'
import type { AppContext } from '../app-context.ts'
import { hostCookie } from '../people/cookies.ts'
import { toOwnPath } from '../people/return-path.ts'
import type { SiteAnswer } from './site-answer.ts'
import type { SiteDoor } from './site-door.ts'
import { linkParameter } from './site-link.ts'

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
