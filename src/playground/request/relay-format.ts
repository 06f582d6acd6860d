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

/** The `BroadcastChannel` through which the redirect page sends the authorization response to the page that started the sign-in. */
export const oauthChannel = 'openapi-pages-oauth'
