import type { IncomingMessage } from 'node:http'
import { canDecode, readWhole, TooLargeError } from '../../files/disk-files.ts'
import { NotPublicError, type PublicNetwork, requestPublic, toNetworkReason } from '../../files/network.ts'
import { isForbiddenHeader } from '../../playground/request/http-request.ts'
import type { RelayCall, RelayHead } from '../../playground/request/relay-format.ts'
import { codeOf } from '../../text/errors.ts'

/** The limits of one relayed request. */
export const relayLimits = {
  /** The first line of a call: its URL and headers. */
  headBytes: 64 * 1024,
  requestBytes: 4 * 1024 * 1024,
  /** After decompression. */
  responseBytes: 20 * 1024 * 1024,
  /** From the connection to the last byte. */
  timeMs: 60_000,
}
export type RelayLimits = Readonly<typeof relayLimits>

/** How a relayed request ended. Label of a metric. */
export type RelayOutcome = 'answered' | 'not-public' | 'unreachable' | 'timeout' | 'too-large' | 'stopped'

interface RelayTarget {
  readonly head: RelayHead
  /** The body, decompressed. Throws at a limit. */
  readonly body: AsyncIterable<Uint8Array>
  /** Known when the body has ended. */
  readonly outcome: () => RelayOutcome
}

/**
 * Sends a call to its server and returns the response. Never follows redirects: the reader sees them. Does not reject because of the server.
 *
 * Errors may contain parts of the request, so the caller must not log them. `signal` aborts when the reader is gone.
 */
export async function sendToTarget(
  call: RelayCall,
  body: Uint8Array,
  options: { readonly network: PublicNetwork; readonly limits: RelayLimits; readonly signal: AbortSignal },
): Promise<RelayTarget> {
  const { network, limits, signal } = options
  const url = new URL(call.url)
  const timeout = AbortSignal.timeout(limits.timeMs)
  /** The outcome of an error, before or after the first byte. */
  const classify = (error: unknown): RelayOutcome => {
    if (signal.aborted) return 'stopped'
    if (timeout.aborted) return 'timeout'
    if (error instanceof TooLargeError) return 'too-large'
    return isUnresolved(error) ? 'not-public' : 'unreachable'
  }
  let response: IncomingMessage
  try {
    response = await new Promise((resolve, reject) => {
      const ends = AbortSignal.any([signal, timeout])
      requestPublic(url, { method: call.method, headers: toTargetHeaders(call.headers, body), signal: ends }, network)
        .once('response', resolve)
        // It can also fail after the response has begun.
        .on('error', reject)
        .end(body)
    })
  } catch (error) {
    const outcome = classify(error)
    return { head: { failure: toFailure(outcome, url, error, limits) }, body: nothing(), outcome: () => outcome }
  }
  const { statusCode = 0, statusMessage = '' } = response
  if (call.method !== 'HEAD' && Number(response.headers['content-length']) > limits.responseBytes) {
    response.destroy()
    const failure = `The response of \`${url.hostname}\` is larger than ${limits.responseBytes / 1024 / 1024} MB.`
    return { head: { failure }, body: nothing(), outcome: () => 'too-large' }
  }
  // Some servers compress although the request does not accept it. The playground cannot decompress.
  const encoding = response.headers['content-encoding']
  const isDecoded = encoding !== undefined && canDecode(encoding)
  const { responseBytes: limitBytes } = limits
  let outcome: RelayOutcome = 'stopped'
  const read = async function* (): AsyncIterable<Uint8Array> {
    try {
      yield* readWhole(response, { ...(isDecoded && { encoding }), limitBytes })
      outcome = 'answered'
    } catch (error) {
      outcome = classify(error)
      throw new Error(`The relayed response is incomplete: ${outcome}`)
    } finally {
      response.destroy()
    }
  }
  const head = { status: statusCode, statusText: statusMessage, headers: toReaderHeaders(response, isDecoded) }
  return { head, body: read(), outcome: () => outcome }
}

async function* nothing(): AsyncIterable<Uint8Array> {}

/** A missing name and a private address look the same, so that documents cannot explore the names of an internal network. */
function isUnresolved(error: unknown): boolean {
  if (error instanceof NotPublicError) return true
  return ['ENOTFOUND', 'EAI_AGAIN'].includes(codeOf(error) ?? '')
}

function toFailure(outcome: RelayOutcome, { hostname }: URL, error: unknown, { timeMs }: RelayLimits): string {
  if (outcome === 'not-public') return `\`${hostname}\` has no public IP address.`
  if (outcome === 'timeout') return `\`${hostname}\` did not respond within ${timeMs / 1000} s.`
  return `Cannot get a response from \`${hostname}\`: ${toNetworkReason(error, timeMs)}.`
}

/** Headers with which a proxy describes its client. Servers may trust those of the app. */
const proxyHeader = /^(?:forwarded|x-forwarded-.*|x-real-ip)$/i

/** The headers for the server: those that a browser could send, never cookies of the site. */
function toTargetHeaders(headers: RelayCall['headers'], body: Uint8Array): Record<string, string> {
  const found = new Map([
    ['accept', '*/*'],
    ['user-agent', 'openapi-pages'],
  ])
  for (const [name, value] of headers) {
    if (!isForbiddenHeader(name) && !proxyHeader.test(name)) found.set(name.toLowerCase(), value)
  }
  found.set('accept-encoding', 'identity').set('via', '1.1 openapi-pages')
  if (body.length > 0) found.set('content-length', String(body.length))
  return Object.fromEntries(found)
}

/** Headers of a connection, and cookies, which only the server may read. */
const droppedHeader = /^(?:connection|keep-alive|proxy-.*|set-cookie2?|te|trailer|transfer-encoding|upgrade)$/i

function toReaderHeaders({ rawHeaders }: IncomingMessage, isDecoded: boolean): RelayCall['headers'] {
  const pairs = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : []))
  return pairs.filter(([name]) => !droppedHeader.test(name) && !(isDecoded && /^content-(?:encoding|length)$/i.test(name)))
}
