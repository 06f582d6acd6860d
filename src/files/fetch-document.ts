import type { FetchDocument, LoadedDocument } from '../openapi/document-set.ts'
import { defaultLimits, type Limits, limitHint } from '../source/limits.ts'
import { isLoopback, isProxyIgnored, isTimeout, type ProxyVariables, throughProxy, toNetworkReason } from './network.ts'

/** How documents are fetched. */
export interface FetchDocumentOptions {
  /** Allow plain http to every host. Plain http to this machine is always allowed. */
  readonly allowHttp?: boolean
  /** The environment variables that may name a proxy. Default: none. */
  readonly proxyVariables?: ProxyVariables
}

/**
 * Makes a function that loads documents over https.
 *
 * Accepts compressed responses (gzip, deflate, br, zstd) and ignores the content type. Follows at most five redirects, each under
 * the same rules as the first URL, and does not retry. Never rejects. Size and time, redirects included, are limited.
 */
export function createFetchDocument(options: FetchDocumentOptions = {}): FetchDocument {
  const settings = {
    allowHttp: options.allowHttp ?? false,
    proxyVariables: options.proxyVariables ?? {},
  }
  return async (url, limits = defaultLimits) => {
    try {
      return await throughProxy(settings.proxyVariables, () => fetchThroughRedirects(url, settings, limits))
    } catch (error) {
      const timeMs = limits.values['fetch-time']
      if (isTimeout(error))
        return failed(
          'url-unreachable',
          toNetworkReason(error, timeMs),
          limitHint('fetch-time', limits, 'Commit the document and use its path'),
        )
      const isIgnored = isProxyIgnored(settings.proxyVariables)
      const hint = isIgnored ? 'Set NODE_USE_ENV_PROXY=1: this version of Node.js needs it to use HTTPS_PROXY' : checkUrl
      return failed('url-unreachable', toNetworkReason(error, timeMs), hint)
    }
  }
}

type Settings = Required<FetchDocumentOptions>

const maxRedirects = 5

async function fetchThroughRedirects(documentUrl: string, settings: Settings, limits: Limits): Promise<LoadedDocument> {
  const signal = AbortSignal.timeout(limits.values['fetch-time'])
  const first = parseUrl(documentUrl)
  if (!first) return failed('url-refused', 'not an absolute URL', 'Write it with `https://` and a host')
  let url = first
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const refusal = refuse(url, first, settings)
    if (refusal) return refusal
    const response = await fetch(url, {
      redirect: 'manual',
      signal,
      headers: { accept: 'application/json, application/yaml, */*;q=0.5' },
    })
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
    if (location === null) return await readResponse(response, limits)
    await response.body?.cancel()
    const next = parseUrl(location, url)
    if (!next) return failed('url-unreachable', `${response.status} with a \`Location\` that is not a URL`)
    url = next
  }
  return failed('url-unreachable', `more than ${maxRedirects} redirects`, 'Use the URL that it finally redirects to')
}

function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** The reason why a URL may not be requested, if any. */
function refuse(url: URL, first: URL, settings: Settings): LoadedDocument | undefined {
  const redirected = url === first ? '' : `it redirects to ${url.protocol}//${url.host}, and `
  if (url.username !== '' || url.password !== '') {
    return failed('url-refused', `${redirected}URLs with a user name or password are not allowed`, 'Remove them from the URL')
  }
  if (url.protocol === 'https:') return undefined
  if (url.protocol !== 'http:') return failed('url-refused', `${redirected}\`${url.protocol}\` is not supported`, 'Use `https:`')
  // A remote document must not redirect to a service of this machine.
  if (settings.allowHttp || (isLoopback(url) && isLoopback(first))) return undefined
  return failed(
    'url-refused',
    `${redirected}plain http is only allowed to localhost`,
    'Use `https:`, or commit the document and use its path',
  )
}

async function readResponse(response: Response, limits: Limits): Promise<LoadedDocument> {
  if (!response.ok) {
    await response.body?.cancel()
    return failed('url-unreachable', `${response.status} ${response.statusText}`.trim(), hints[response.status])
  }
  const limitBytes = limits.values['document-size']
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  // `Content-Length` is the compressed size, so count the bytes that arrive.
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > limitBytes)
      return failed('file-too-large', `more than ${limitBytes} bytes`, limitHint('document-size', limits, 'Split the document'))
    chunks.push(chunk)
  }
  return { kind: 'loaded', bytes: Buffer.concat(chunks) }
}

const checkUrl = 'Check the URL, or commit the document and use its path'

const hints: { readonly [status: number]: string } = {
  401: 'Commit the document and use its path. The URL requires authentication',
  403: 'Commit the document and use its path. The URL requires authentication',
  404: checkUrl,
  410: checkUrl,
  429: 'Run again later. The server limits the number of requests',
}

function failed(code: 'url-refused' | 'url-unreachable' | 'file-too-large', reason: string, hint?: string): LoadedDocument {
  return { kind: 'failed', code, reason, ...(hint === undefined ? {} : { hint }) }
}
