import { lookup as lookUp } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { FetchDocument, LoadedDocument } from '../../openapi/document-set.ts'
import { defaultLimits, type Limits, limitHint } from '../../source/limits.ts'

const maxRedirects = 5

/**
 * Creates the loader for documents that a repository references by URL. It allows only https and hosts with public IP addresses.
 *
 * It checks the IP address of each connection, including redirects, which prevents DNS rebinding. Never rejects.
 */
export function createFetchPublicDocument(): FetchDocument {
  return async (address, limits = defaultLimits) => {
    const timeoutMs = limits.values['fetch-time']
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      let url = new URL(address)
      for (let redirects = 0; redirects <= maxRedirects; redirects++) {
        if (url.protocol !== 'https:') return refused('only `https:` is allowed', 'Use `https:`, or commit the document')
        if (url.username !== '' || url.password !== '') {
          return refused('the URL contains a user name or password', 'Remove them from the URL')
        }
        // IP addresses as hosts are never looked up, so check them here.
        const host = url.hostname.replace(/^\[|\]$/g, '')
        if (isIP(host) !== 0 && !isPublicAddress(host)) return notPublic(url.hostname)
        const response = await get(url, signal)
        const { statusCode = 0, headers } = response
        if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) return await readAnswer(response, limits)
        response.destroy()
        url = new URL(headers.location, url)
      }
      return unreachable(`more than ${maxRedirects} redirects`)
    } catch (error) {
      if (error instanceof NotPublicError) return notPublic(error.host)
      if (signal.aborted) return unreachable(`no complete response within ${timeoutMs / 1000} s`)
      return unreachable(error instanceof Error ? error.message : String(error))
    }
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

class NotPublicError extends Error {
  readonly host: string
  constructor(host: string) {
    super(`${host} has an IP address that is not public`)
    this.host = host
  }
}

/** Resolves a name and rejects it if any of its IP addresses is not public. */
const lookUpPublic: LookupFunction = (host, options, done) => {
  lookUp(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, '', 0)
    const [first] = addresses
    if (!first || addresses.some(({ address }) => !isPublicAddress(address))) return done(new NotPublicError(host), '', 0)
    if (options.all) done(null, addresses)
    else done(null, first.address, first.family)
  })
}

function get(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'application/json, application/yaml, */*;q=0.5', 'user-agent': 'openapi-pages' }
    // The global agent could reuse a connection to an unchecked address.
    request(url, { signal, headers, lookup: lookUpPublic, agent: false }, resolve).once('error', reject).end()
  })
}

async function readAnswer(response: IncomingMessage, limits: Limits): Promise<LoadedDocument> {
  const { statusCode = 0, statusMessage = '' } = response
  if (statusCode < 200 || statusCode >= 300) {
    response.destroy()
    return unreachable(`${statusCode} ${statusMessage}`.trim())
  }
  const limitBytes = limits.values['document-size']
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes > limitBytes) {
      response.destroy()
      const hint = limitHint('document-size', limits, 'Split the document')
      return { kind: 'failed', code: 'file-too-large', reason: `more than ${limitBytes} bytes`, hint }
    }
    chunks.push(chunk)
  }
  return { kind: 'loaded', bytes: Buffer.concat(chunks) }
}

function notPublic(host: string): LoadedDocument {
  return refused(`\`${host}\` has no public IP address`, 'Commit the document and reference it by path')
}

function refused(reason: string, hint: string): LoadedDocument {
  return { kind: 'failed', code: 'url-refused', reason, hint }
}

function unreachable(reason: string): LoadedDocument {
  return { kind: 'failed', code: 'url-unreachable', reason }
}
