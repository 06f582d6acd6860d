import type { IncomingHttpHeaders } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyInstance, FastifyRequest, FastifyTypeProvider } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { readOwn } from '../../text/json/json-values.ts'
import type { AppContext } from '../base/app-context.ts'
import { Problem } from './problem-details.ts'

/**
 * Rejects forms from other origins, including hosted sites on subdomains of the same domain.
 *
 * Browsers send `Sec-Fetch-Site`, and `Origin` with every POST. A request with neither header is rejected.
 *
 * @throws {Problem} `forbidden`.
 */
export function requireOwnPage({ urls }: Pick<AppContext, 'urls'>, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isOwn = site === undefined ? origin === urls.base() : site === 'same-origin'
  if (!isOwn) throw new Problem('forbidden', 'The form was submitted from another site')
}

/** Infers the types of requests from the schemas of a route. */
interface SchemaTypes extends FastifyTypeProvider {
  readonly validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

/** Routes whose requests have the types of their schemas. */
export const typed = (server: FastifyInstance) => server.withTypeProvider<SchemaTypes>()
export type Pages = ReturnType<typeof typed>

/** Parses URL-encoded forms; the last value of a duplicate field wins. Register it only for pages with forms. */
export function acceptForms(server: FastifyInstance): void {
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
}

/** The default page after a sign-in. */
export const homePath = '/projects'

/** The path to return to after the sign-in. A value that could point to another host becomes the home page. */
export function toReturnPath(text: string | undefined): string {
  return toOwnPath(text) ?? homePath
}

/** A path and query on the same host; `undefined` for a value that could point to another host. */
export function toOwnPath(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 2000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes('\\')) return undefined
  // Parse the URL as browsers do, to catch forms that the pattern misses.
  const base = 'https://own.invalid'
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined
  return url?.origin === base && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}` : undefined
}

/**
 * A cookie of one host, without access for its parent domain or scripts. Browsers send it when a user follows a link to the host.
 *
 * Over TLS, the name prefix `__Host-` makes browsers enforce this (RFC 6265bis, section 4.1.3). Plain HTTP, as on `localhost`, does not
 * allow the prefix.
 *
 * @param baseUrl The URL of the app, which browsers reach by the same protocol as the host.
 */
export function hostCookie(name: string, baseUrl: string) {
  const isSecure = baseUrl.startsWith('https:')
  const fullName = isSecure ? `__Host-${name}` : name
  const line = (value: string, maxAge: number) =>
    stringifySetCookie({ name: fullName, value, maxAge, path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure })
  return {
    read: ({ headers }: { readonly headers: IncomingHttpHeaders }) =>
      readOwn(parseCookie(headers.cookie ?? '', { decode: toOwnValue }), fullName),
    /** A `Set-Cookie` value that sets the cookie. */
    line,
    /** A `Set-Cookie` value that removes the cookie. */
    endLine: line('', 0),
  }
}

/** Ignores cookies with characters that this server never sets. */
function toOwnValue(value: string): string | undefined {
  return /^[\w.~-]+$/.test(value) ? value : undefined
}
