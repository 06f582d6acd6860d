import type { IncomingHttpHeaders } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { Problem } from '../http/problem-details.ts'

/**
 * Lets a form through only when a page of ours sent it: neither another site nor one of the sites that we host, whose hosts lie below
 * the same domain.
 *
 * Browsers say where a request comes from (`Sec-Fetch-Site`, and `Origin` with every POST); one that says nothing is refused.
 *
 * @throws {Problem} `forbidden`.
 */
export function requireOwnPage({ baseUrl }: Pick<AppContext, 'baseUrl'>, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isOwn = site === undefined ? origin === baseUrl() : site === 'same-origin'
  if (!isOwn) throw new Problem('forbidden', 'The form was not sent by a page of this server')
}

/** Forms without files; of a field that comes twice the last one counts. Register it where pages take forms, and nowhere else. */
export function acceptForms(server: FastifyInstance): void {
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
}

/** Where to go after a sign-in when nothing else was asked for. */
export const homePath = '/projects'

/** The path that a person requested before the sign-in. Anything that could lead to another host becomes the home page. */
export function toReturnPath(text: string | undefined): string {
  return toOwnPath(text) ?? homePath
}

/** A path with its query on the host that it is read on; `undefined` for what could lead elsewhere. */
export function toOwnPath(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 2000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes('\\')) return undefined
  // The browser's own reading of the address has the last word.
  const base = 'https://own.invalid'
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined
  return url?.origin === base && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}` : undefined
}

/**
 * A cookie of one host: not for its parent domain or scripts, and sent when a person follows a link to the host.
 *
 * Over TLS its name has the prefix `__Host-`, by which browsers enforce that (RFC 6265bis, section 4.1.3). Over plain HTTP, as on
 * `localhost`, the prefix is not allowed.
 */
export interface HostCookie {
  read(request: { readonly headers: IncomingHttpHeaders }): string | undefined
  /** For `Set-Cookie`. */
  line(value: string, maxAgeSeconds: number): string
  /** For `Set-Cookie`: removes the cookie. */
  readonly endLine: string
}

/** @param isSecure Whether browsers reach the host by `https`. */
export function hostCookie(name: string, isSecure: boolean): HostCookie {
  const fullName = isSecure ? `__Host-${name}` : name
  const line = (value: string, maxAge: number) =>
    stringifySetCookie({ name: fullName, value, maxAge, path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure })
  return {
    read: ({ headers }) => parseCookie(headers.cookie ?? '', { decode: toOwnValue })[fullName],
    line,
    endLine: line('', 0),
  }
}

/** Every value that this server sets has these characters only; a cookie with others is skipped. */
function toOwnValue(value: string): string | undefined {
  return /^[\w.~-]+$/.test(value) ? value : undefined
}
