import {
  NotPublicError,
  type ProxyVariables,
  type PublicNetwork,
  publicNetwork,
  sendChecked,
  toNetworkReason,
} from '../../files/network.ts'

/** Whether the target of a link exists. `unknown`: the server refuses programs, is overloaded or cannot be reached at the moment. */
export interface LinkState {
  readonly kind: 'found' | 'missing' | 'unknown'
  /** The status or network error, for example `404 Not Found`. Empty if it was found. */
  readonly reason: string
  /** Whether the name of the host cannot be resolved. Without a network, this is so for all hosts. */
  readonly isUnresolved?: boolean
}

export interface RequestLinkOptions {
  /** Whether the host may have a loopback or private address. Default: false. */
  readonly mayBePrivate?: boolean
  /** For all requests together. */
  readonly signal: AbortSignal
  /** For one link, redirects included. */
  readonly timeoutMs: number
  /** The environment variables that may name a proxy. */
  readonly proxyVariables?: ProxyVariables
  /** Default: the network of this machine. */
  readonly network?: PublicNetwork
}

const maxRedirects = 5

/**
 * Finds whether the target of an `http` or `https` link exists, without reading it. Asks with HEAD, and with GET if the server refuses that. Follows
 * redirects. Never rejects.
 */
export async function requestLink(link: string, options: RequestLinkOptions): Promise<LinkState> {
  const { timeoutMs, mayBePrivate = false, proxyVariables, network = publicNetwork } = options
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)])
  const headers = { accept: '*/*', 'user-agent': 'openapi-pages' }
  try {
    let method: 'HEAD' | 'GET' = 'HEAD'
    let url = new URL(link)
    for (let requests = 0; requests <= maxRedirects; requests++) {
      if (url.protocol !== 'https:' && url.protocol !== 'http:') break
      const { response } = await sendChecked(url, { method, headers, signal }, { network, mayBePrivate, proxyVariables })
      response.on('error', () => {}).destroy()
      const { statusCode: status = 0, statusMessage = '' } = response
      const { location } = response.headers
      const reason = `${status} ${statusMessage}`.trim()
      if (status >= 300 && status < 400 && location !== undefined) url = new URL(location, url)
      else if (status < 400) return { kind: 'found', reason: '' }
      // Many servers answer HEAD with an error.
      else if (method === 'HEAD' && status !== 429) method = 'GET'
      else return { kind: status === 404 || status === 410 ? 'missing' : 'unknown', reason }
    }
    return { kind: 'unknown', reason: 'too many redirects' }
  } catch (error) {
    if (error instanceof NotPublicError) return { kind: 'unknown', reason: 'the host has no public IP address' }
    const isUnresolved = error instanceof Error && 'code' in error && error.code === 'ENOTFOUND'
    const reason = toNetworkReason(signal.aborted ? signal.reason : error, timeoutMs)
    return { kind: isUnresolved ? 'missing' : 'unknown', reason, ...(isUnresolved && { isUnresolved }) }
  }
}
