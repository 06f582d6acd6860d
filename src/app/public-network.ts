import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import type { ClientRequest } from 'node:http'
import type { RequestOptions } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** How the app connects to servers that untrusted documents name. Tests use servers on this machine. */
export interface PublicNetwork {
  readonly lookUp: (
    host: string,
    options: LookupAllOptions,
    done: (error: Error | null, addresses: LookupAddress[]) => void,
  ) => void
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
 * The connection uses the IP addresses that were checked, which prevents DNS rebinding. Never follows redirects, and never uses a proxy.
 *
 * @throws {NotPublicError} for an IP address as host. For a hostname, the request emits it as `error`.
 */
export function requestPublic(
  url: URL,
  options: Pick<RequestOptions, 'method' | 'headers' | 'signal'>,
  network = publicNetwork,
): ClientRequest {
  if (url.protocol !== 'https:') throw new Error('Expected an https URL')
  // IP addresses as hosts are never looked up, so check them here.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !network.isAllowed(host)) throw new NotPublicError(url.hostname)
  const ca = network.certificates === undefined ? {} : { ca: network.certificates }
  // Loaded here, because the process of a check seldom needs it, and it takes a fifth of its start.
  const { request } = process.getBuiltinModule('node:https')
  // The global agent could reuse a connection to an unchecked address.
  return request(url, { ...options, ...ca, lookup: createPublicLookup(network), agent: false })
}

/** Resolves a name and rejects it if any of its IP addresses is not public. */
function createPublicLookup({ lookUp, isAllowed }: PublicNetwork): LookupFunction {
  return (host, options, done) => {
    lookUp(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0)
      const [first] = addresses
      if (!first || addresses.some(({ address }) => !isAllowed(address))) return done(new NotPublicError(host), '', 0)
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
