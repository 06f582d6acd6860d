/**
 * The format in which the playground sends a request through the app, when the browser blocks the direct one.
 *
 * Both directions have one line of JSON, a line break, and then the bytes of the body. The call contains credentials, so nothing of it is in the URL
 * or in headers, which proxies log.
 */

/** The path on each host of a site. */
export const relayPath = '/_openapi-pages/relay'

/** Other sites cannot send this media type without a preflight, which the app rejects. */
export const relayMediaType = 'application/vnd.openapi-pages.relay'

/** The metric in the `Server-Timing` header of pages whose playground may use the relay. Pages can read it without a request. */
export const relayMetric = 'openapi-pages-relay'

/** The first line of a call. */
export interface RelayCall {
  /** The path of the slice in the site: the part of the OpenAPI document that describes the operation. */
  readonly slice: string
  readonly method: string
  readonly url: string
  /** Values have one character for each byte. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** The first line of a response. */
export type RelayHead =
  | { readonly status: number; readonly statusText: string; readonly headers: RelayCall['headers'] }
  /** There is no response. `failure` is a sentence for the reader, with names in backticks. */
  | { readonly failure: string }

/**
 * Whether a source of a Content Security Policy allows a URL. `self` is the URL of the page.
 *
 * Source: Content Security Policy Level 3, 6.7.2 "URL Matching". Ignores paths, because the generated policies have none.
 */
export function matchesSource(source: string, url: URL, self: URL): boolean {
  if (source === "'self'") return url.origin === self.origin
  if (source === '*') return /^(?:https?|wss?):$/.test(url.protocol) || url.protocol === self.protocol
  if (/^[a-z][a-z0-9+.-]*:$/.test(source)) return matchesScheme(source, url)
  const parts = /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(\*|(?:\*\.)?[a-z0-9_.-]+)(?::(\d+|\*))?(?:\/.*)?$/.exec(source)
  if (!parts) return false
  const [, scheme = self.protocol, host = '', port] = parts
  const isHost = host === '*' || (host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host)
  const ownPort = url.port || (url.protocol === 'https:' ? '443' : '80')
  const isPort = port === '*' || ownPort === (port ?? (scheme === 'https:' || url.protocol === 'https:' ? '443' : '80'))
  return matchesScheme(scheme, url) && isHost && isPort
}

/** `http:` also allows `https:`. */
function matchesScheme(scheme: string, { protocol }: URL): boolean {
  return scheme === protocol || (scheme === 'http:' && protocol === 'https:')
}

/** The `BroadcastChannel` through which the redirect page sends the authorization response to the page that started the sign-in. */
export const oauthChannel = 'openapi-pages-oauth'
