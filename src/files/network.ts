import { readOwn } from '../text/json/json-values.ts'

/** The environment variables that name a proxy, as `curl` reads them. */
export type ProxyVariables = { readonly [name: string]: string | undefined }

/** Explains why `fetch` got no complete response; its own message is only "fetch failed". */
export function toNetworkReason(error: unknown, timeoutMs: number): string {
  if (isTimeout(error)) return `no complete response within ${timeoutMs / 1000} s`
  const { cause, code } = toCause(error)
  // The Fetch standard blocks the ports of other services. This error has no code.
  if (cause instanceof Error && cause.message === 'bad port') return 'its port is blocked'
  // Each fault in data of Brotli and Zstandard has a code of its own.
  const known = /^(?:ZSTD_error|ERR__ERROR)_/.test(code) ? 'Z_DATA_ERROR' : code
  return readOwn(reasons, known) ?? (cause instanceof Error ? cause.message || code : String(cause))
}

/** Whether the request timed out. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}

/** Whether the certificate of the host caused the error, so that a retry does not help. */
export function isCertificateError(error: unknown): boolean {
  const { code } = toCause(error)
  return /CERT|^UNABLE_TO_VERIFY/.test(code)
}

function toCause(error: unknown): { readonly cause: unknown; readonly code: string } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return { cause, code: cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '' }
}

const reasons: { readonly [code: string]: string } = {
  ENOTFOUND: 'the host name cannot be resolved',
  EAI_AGAIN: 'the host name lookup failed temporarily',
  ECONNREFUSED: 'the host refused the connection',
  ECONNRESET: 'the host closed the connection',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the host closed the connection',
  Z_BUF_ERROR: 'its compressed response is cut off',
  Z_DATA_ERROR: 'its compressed response cannot be decoded',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate cannot be verified',
  ERR_PROXY_TUNNEL: 'the proxy refused the connection',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
}

const names = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']

let running = 0
let restore: (() => void) | undefined

/**
 * Runs work with `fetch` using the proxy in `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` (upper or lower case).
 *
 * Node can only switch this for the whole process, so it is switched back after the last such work. Before version 24.14 Node
 * reads the variables only if `NODE_USE_ENV_PROXY=1` is set.
 */
export async function throughProxy<Value>(variables: ProxyVariables, work: () => Promise<Value>): Promise<Value> {
  if (!hasProxy(variables)) return await work()
  // Loaded here, because few processes need it. The types describe the newest Node.
  const { setGlobalProxyFromEnv }: Partial<typeof import('node:http')> = process.getBuiltinModule('node:http')
  if (!setGlobalProxyFromEnv) return await work()
  if (running++ === 0) restore = setGlobalProxyFromEnv({ ...variables })
  try {
    return await work()
  } finally {
    if (--running === 0) restore?.()
  }
}

/** Whether a proxy is configured that the agents of this version of Node cannot use. */
export function isProxyIgnored(variables: ProxyVariables): boolean {
  // The option `proxyEnv` of agents came with this flag.
  return hasProxy(variables) && !process.allowedNodeEnvironmentFlags.has('--use-env-proxy')
}

/** Whether a proxy is configured. */
export function hasProxy(variables: ProxyVariables): boolean {
  return names.some((name) => readOwn(variables, name))
}

/** Whether a URL is on this machine, so that plain http cannot be intercepted. */
export function isLoopback(url: URL): boolean {
  return url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(url.hostname)
}
