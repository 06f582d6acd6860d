import type { FetchDocument, LoadedDocument } from '../openapi/document-set.ts'
import { defaultLimits, type Limits, limitHint } from '../source/limits.ts'
import { isLoopback, isProxyIgnored, isTimeout, type ProxyVariables, throughProxy, toNetworkReason } from './network.ts'

/** How documents are fetched. */
export interface FetchDocumentOptions {
  /** Allow plain http to every host. Plain http to this machine is always allowed. */
  readonly allowHttp?: boolean
  /** The environment variables that may name a proxy. Default: none. */
  readonly proxyVariables?: ProxyVariables
  /** Copies of documents, for requests that need no body and for work without a network. Default: none. */
  readonly copies?: DocumentCopies | undefined
}

/** Stores the last copy of each document. */
export interface DocumentCopies {
  find(url: string, limits: Limits): Promise<DocumentCopy | undefined>
  /** Stores a document that was just read or confirmed. Never rejects. */
  keep(url: string, document: Pick<DocumentCopy, 'bytes' | 'validators'>): Promise<void>
}

export interface DocumentCopy {
  readonly bytes: Uint8Array
  readonly validators: Validators
  /** When the server last confirmed the document, as milliseconds since 1970. */
  readonly confirmedAt: number
}

/** What a server needs to confirm that a document is unchanged. Source: RFC 9110, 8.8. */
interface Validators {
  /** The URL after redirects. */
  readonly url: string
  readonly etag: string | undefined
  readonly lastModified: string | undefined
}

/**
 * Makes a function that loads documents over https.
 *
 * Accepts compressed responses (gzip, deflate, br, zstd) and ignores the content type. Follows at most five redirects, each under
 * the same rules as the first URL, and does not retry. Never rejects. Size and time, redirects included, are limited.
 *
 * If the server is unreachable or overloaded, a copy is used instead, and the result tells its age. If the server reports that the
 * document does not exist any more, the copy is not used.
 */
export function createFetchDocument(options: FetchDocumentOptions = {}): FetchDocument {
  const settings = {
    allowHttp: options.allowHttp ?? false,
    proxyVariables: options.proxyVariables ?? {},
  }
  const { copies } = options
  const load = async (url: string, limits: Limits, copy: DocumentCopy | undefined): Promise<FetchedDocument> => {
    try {
      return await throughProxy(settings.proxyVariables, () => fetchThroughRedirects(url, settings, limits, copy?.validators))
    } catch (error) {
      const timeMs = limits.values['fetch-time']
      if (isTimeout(error))
        return failed(
          'url-unreachable',
          toNetworkReason(error, timeMs),
          limitHint('fetch-time', limits, 'Commit the document and use its path'),
          'temporary',
        )
      const isIgnored = isProxyIgnored(settings.proxyVariables)
      const hint = isIgnored ? 'Set NODE_USE_ENV_PROXY=1: this version of Node.js needs it to use HTTPS_PROXY' : checkUrl
      return failed('url-unreachable', toNetworkReason(error, timeMs), hint, 'temporary')
    }
  }
  return async (url, limits = defaultLimits) => {
    const copy = await copies?.find(url, limits)
    const fetched = await load(url, limits, copy)
    if (fetched.kind === 'failed') {
      const { isTemporary, ...failure } = fetched
      return isTemporary && copy ? toCopy(copy, failure.reason) : failure
    }
    const bytes = fetched.kind === 'loaded' ? fetched.bytes : copy?.bytes
    if (!bytes) return { kind: 'failed', code: 'url-unreachable', reason: '304 Not Modified' }
    await copies?.keep(url, { bytes, validators: fetched.validators })
    return { kind: 'loaded', bytes }
  }
}

type FetchedDocument =
  | { readonly kind: 'loaded'; readonly bytes: Uint8Array; readonly validators: Validators }
  /** The copy is up to date. */
  | { readonly kind: 'unchanged'; readonly validators: Validators }
  /** After a temporary failure, an earlier copy can be used. */
  | (Extract<LoadedDocument, { readonly kind: 'failed' }> & { readonly isTemporary?: boolean })

function toCopy({ bytes, confirmedAt }: DocumentCopy, reason: string): LoadedDocument {
  const date = new Date(confirmedAt).toISOString().slice(0, 10)
  return { kind: 'loaded', bytes, outdated: { reason, age: `${formatAge(Date.now() - confirmedAt)} old, from ${date}` } }
}

/** Formats a time as minutes, hours or days. */
export function formatAge(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000))
  const [count, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 2_880
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 1_440), 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

type Settings = Required<Omit<FetchDocumentOptions, 'copies'>>

const maxRedirects = 5

async function fetchThroughRedirects(
  documentUrl: string,
  settings: Settings,
  limits: Limits,
  known: Validators | undefined,
): Promise<FetchedDocument> {
  const signal = AbortSignal.timeout(limits.values['fetch-time'])
  const first = parseUrl(documentUrl)
  if (!first) return failed('url-refused', 'not an absolute URL', 'Write it with `https://` and a host')
  let url = first
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const refusal = refuse(url, first, settings)
    if (refusal) return refusal
    // The validators of one URL mean nothing to another.
    const conditions = known?.url === url.href ? toConditions(known) : {}
    const response = await fetch(url, {
      redirect: 'manual',
      signal,
      headers: { accept: 'application/json, application/yaml, */*;q=0.5', ...conditions },
    })
    if (response.status === 304 && known && Object.keys(conditions).length > 0) {
      await response.body?.cancel()
      return { kind: 'unchanged', validators: known }
    }
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
    if (location === null) return await readResponse(response, url, limits)
    await response.body?.cancel()
    const next = parseUrl(location, url)
    if (!next) return failed('url-unreachable', `${response.status} with a \`Location\` that is not a URL`)
    url = next
  }
  return failed('url-unreachable', `more than ${maxRedirects} redirects`, 'Use the URL that it finally redirects to')
}

function toConditions({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  }
}

function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** The reason why a URL may not be requested, if any. */
function refuse(url: URL, first: URL, settings: Settings): FetchedDocument | undefined {
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

async function readResponse(response: Response, url: URL, limits: Limits): Promise<FetchedDocument> {
  const { status, statusText, headers } = response
  if (!response.ok) {
    await response.body?.cancel()
    const isTemporary = status >= 500 || status === 408 || status === 429
    return failed('url-unreachable', `${status} ${statusText}`.trim(), hints[status], isTemporary ? 'temporary' : undefined)
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
  const validators = {
    url: url.href,
    etag: headers.get('etag') ?? undefined,
    lastModified: headers.get('last-modified') ?? undefined,
  }
  return { kind: 'loaded', bytes: Buffer.concat(chunks), validators }
}

const checkUrl = 'Check the URL, or commit the document and use its path'

const hints: { readonly [status: number]: string } = {
  401: 'Commit the document and use its path. The URL requires authentication',
  403: 'Commit the document and use its path. The URL requires authentication',
  404: checkUrl,
  410: checkUrl,
  429: 'Run again later. The server limits the number of requests',
}

function failed(
  code: 'url-refused' | 'url-unreachable' | 'file-too-large',
  reason: string,
  hint?: string,
  duration?: 'temporary',
): FetchedDocument {
  return { kind: 'failed', code, reason, ...(hint === undefined ? {} : { hint }), ...(duration && { isTemporary: true }) }
}
