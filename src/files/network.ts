import * as http from 'node:http'

/** The environment variables that name a proxy, as `curl` reads them. */
export type ProxyVariables = { readonly [name: string]: string | undefined }

/** Explains why `fetch` got no complete response; its own message is only "fetch failed". */
export function toNetworkReason(error: unknown, timeoutMs: number): string {
  if (isTimeout(error)) return `no complete answer within ${timeoutMs / 1000} s`
  const { cause, code } = toCause(error)
  // The Fetch standard blocks ports of other services; this error has no code.
  if (cause instanceof Error && cause.message === 'bad port') return 'its port is one that no document is read from'
  return reasons[code] ?? (cause instanceof Error ? cause.message || code : String(cause))
}

/** Whether the request timed out. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}

/** Whether the certificate of the host is the reason, so that a retry does not help. */
export function isCertificateFault(error: unknown): boolean {
  const { code } = toCause(error)
  return /CERT|^UNABLE_TO_VERIFY/.test(code)
}

function toCause(error: unknown): { readonly cause: unknown; readonly code: string } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return { cause, code: cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '' }
}

const reasons: { readonly [code: string]: string } = {
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host cannot be looked up right now',
  ECONNREFUSED: 'the host refused the connection',
  ECONNRESET: 'the host broke the connection',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the host did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'the host did not answer in time',
  UND_ERR_SOCKET: 'the host broke the connection',
  Z_DATA_ERROR: 'its compressed answer cannot be read',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate cannot be verified',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
}

const names = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']

let running = 0
let restore: (() => void) | undefined

/**
 * Runs work with `fetch` using the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name (in upper or lower case).
 *
 * Node switches this for the whole process only, so it is switched back after the last such work. Before version 24.14 Node reads
 * the variables only when `NODE_USE_ENV_PROXY=1` is set.
 */
export async function throughProxy<Value>(variables: ProxyVariables, work: () => Promise<Value>): Promise<Value> {
  if (!hasProxy(variables) || !canSwitchProxy) return await work()
  if (running++ === 0) restore = http.setGlobalProxyFromEnv({ ...variables })
  try {
    return await work()
  } finally {
    if (--running === 0) restore?.()
  }
}

/** Whether a proxy is configured that this version of Node will not use. */
export function isProxyIgnored(variables: ProxyVariables): boolean {
  return hasProxy(variables) && !canSwitchProxy && variables['NODE_USE_ENV_PROXY'] !== '1'
}

function hasProxy(variables: ProxyVariables): boolean {
  return names.some((name) => variables[name])
}

// The types describe the newest Node.
const canSwitchProxy = typeof (http as Partial<typeof http>).setGlobalProxyFromEnv === 'function'

/** Whether a URL is on this machine, so that plain http cannot be intercepted. */
export function isLoopback(url: URL): boolean {
  return url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(url.hostname)
}
