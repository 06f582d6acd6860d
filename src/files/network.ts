import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { RequestOptions } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import failures from '../../texts/failures.json' with { type: 'json' }
import { codeOf } from '../text/errors.ts'
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
  return readOwn(failures.request, known) ?? (cause instanceof Error ? cause.message || code : String(cause))
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
  return { cause, code: codeOf(cause) ?? '' }
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

/** How the program connects to servers that untrusted files name. Tests use servers on this machine. */
export interface PublicNetwork {
  readonly lookUp: (
    host: string,
    options: LookupAllOptions,
    done: (error: Error | null, addresses: LookupAddress[]) => void,
  ) => void
  /** Whether an IP address is public. */
  readonly isAllowed: (address: string) => boolean
  /** Trusted certificates in PEM. Default: those of Node.js. */
  readonly certificates?: string
}

export const publicNetwork: PublicNetwork = { lookUp: lookup, isAllowed: isPublicAddress }

/** The host has an IP address that is not public. */
export class NotPublicError extends Error {
  readonly host: string
  constructor(host: string) {
    super(`${host} has an IP address that is not public`)
    this.host = host
  }
}

/**
 * Begins an https request that can only connect to public IP addresses. The caller handles the events of the request, and ends it.
 *
 * Never follows redirects, and never uses a proxy.
 *
 * @throws {NotPublicError} for an IP address as host. For a hostname, the request emits it as `error`.
 */
export function requestPublic(url: URL, options: RequestHead, network = publicNetwork): ClientRequest {
  if (url.protocol !== 'https:') throw new Error('Expected an https URL')
  return requestChecked(url, options, { network, mayConnect: (isPublic) => isPublic })
}

type RequestHead = Pick<RequestOptions, 'method' | 'headers' | 'signal'>

interface CheckedConnection {
  readonly network: PublicNetwork
  /** Decides before the connection, by whether all IP addresses of the host are public. Not called if a proxy connects. */
  readonly mayConnect: (isPublic: boolean) => boolean
  /** Variables that may name a proxy. Default: no proxy. */
  readonly proxyVariables?: ProxyVariables | undefined
}

/**
 * Begins an http or https request after a check of the IP addresses of its host. The connection uses the addresses that were checked, which
 * prevents DNS rebinding. Otherwise like {@link requestPublic}.
 *
 * @throws {NotPublicError} if `mayConnect` refuses the IP address that is the host.
 */
function requestChecked(
  url: URL,
  options: RequestHead,
  { network, mayConnect, proxyVariables }: CheckedConnection,
): ClientRequest {
  // IP addresses as hosts are never looked up, so check them here.
  const host = toHost(url)
  if (isIP(host) !== 0 && !mayConnect(network.isAllowed(host))) throw new NotPublicError(url.hostname)
  const ca = network.certificates === undefined ? {} : { ca: network.certificates }
  // Loaded here, because the process of a check seldom needs it, and it takes a fifth of its start.
  const { Agent, request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  // The global agent could reuse a connection to an unchecked address.
  const agent = proxyVariables === undefined ? false : new Agent({ proxyEnv: { ...proxyVariables } })
  const sent = request(url, { ...options, ...ca, lookup: createCheckedLookup(network, mayConnect), agent })
  // Without this, status 101 ends the request without an event that callers know.
  sent.once('upgrade', (_response, socket) => {
    socket.destroy()
    sent.emit('error', new Error('101 Switching Protocols'))
  })
  return sent
}

interface Access extends Pick<CheckedConnection, 'network' | 'proxyVariables'> {
  /** Whether it may connect to addresses that are not public. */
  readonly mayBePrivate: boolean
}

/** Sends a request without a body, see {@link requestChecked}. `isPublic`: whether the host has a public address. Also true if that is unknown. */
export async function sendChecked(url: URL, head: RequestHead, { network, mayBePrivate, proxyVariables: variables }: Access) {
  const proxyVariables = variables && hasProxy(variables) ? variables : undefined
  if (proxyVariables && !mayBePrivate) await rejectPrivateName(url, network)
  let isPublic = true
  const mayConnect = (found: boolean) => {
    isPublic = found
    return found || mayBePrivate
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    requestChecked(url, head, { network, mayConnect, proxyVariables }).once('response', resolve).on('error', reject).end()
  })
  return { response, isPublic }
}

/**
 * Rejects if this machine resolves a host to an address that is not public. A proxy resolves names itself, so this is the only check of
 * its connections.
 */
async function rejectPrivateName(url: URL, { lookUp, isAllowed }: PublicNetwork): Promise<void> {
  const host = toHost(url)
  if (isIP(host) !== 0) return
  await new Promise<void>((resolve, reject) => {
    // Behind a proxy, names can be unknown to this machine.
    lookUp(host, { all: true }, (error, addresses) => {
      if (error || addresses.every(({ address }) => isAllowed(address))) resolve()
      else reject(new NotPublicError(url.hostname))
    })
  })
}

function toHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** Resolves a name and checks its addresses: those of a public host are all public. */
function createCheckedLookup({ lookUp, isAllowed }: PublicNetwork, mayConnect: CheckedConnection['mayConnect']): LookupFunction {
  return (host, options, done) => {
    lookUp(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0)
      const [first] = addresses
      if (!first || !mayConnect(addresses.every(({ address }) => isAllowed(address))))
        return done(new NotPublicError(host), '', 0)
      if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
}

/** Whether an IP address is on the public internet: not loopback, private or reserved. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return false
  return family === 4 ? !reserved4.check(address, 'ipv4') : !reserved6.check(address, 'ipv6')
}

/** IANA, "Special-Purpose Address Registry" of IPv4 and IPv6. In a single list, the IPv6 rules would also match IPv4. */
const reserved4 = new BlockList()
const reserved6 = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  reserved4.addSubnet(network, prefix, 'ipv4')
}
// Of IPv6 only 2000::/3 is allocated. Within it, only the tunnels below contain IPv4 addresses.
for (const [network, prefix] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  reserved6.addSubnet(network, prefix, 'ipv6')
}
