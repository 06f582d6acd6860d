import type { IncomingMessage } from 'node:http'
import { isObject } from '../text/json/json-values.ts'
import { parseSource } from '../text/parse-source.ts'
import { defaultLimits, type Limits, limitHint } from '../text/plain/limits.ts'
import { toSourceFile } from '../text/plain/source-file.ts'
import { acceptedEncodings, readWholeBytes, TooLargeError } from './disk-files.ts'
import {
  isProxyIgnored,
  NotPublicError,
  type ProxyVariables,
  type PublicNetwork,
  publicNetwork,
  sendChecked,
  toNetworkReason,
} from './network.ts'

/**
 * The URLs in files of a repository that are fetched. `none`: no URLs. `public`: https URLs of hosts with public IP addresses. `any`: also plain
 * http, and hosts with loopback or private addresses.
 */
type RepositoryUrls = 'none' | 'public' | 'any'

/** How documents are fetched. Who named a URL decides where it may point to. */
export interface FetchDocumentOptions {
  /** The URLs that the user named, such as arguments of a command. They may point anywhere. All others are from files of a repository. */
  readonly namedByUser?: ReadonlySet<string>
  /** Default: `public`. */
  readonly repositoryUrls?: RepositoryUrls
  /** How the user can allow a refused URL. Completes "To allow it, …". Default: there is no way. */
  readonly howToAllow?: string | undefined
  /** The environment variables that may name a proxy. Default: none. */
  readonly proxyVariables?: ProxyVariables
  /** Copies of documents, for requests that need no body and for work without a network. Default: none. */
  readonly copies?: DocumentCopies | undefined
  /** Default: the network of this machine. */
  readonly network?: PublicNetwork
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

/** The result of a fetch, also for checks of a description. `reason` completes "Cannot read `x`: …". */
type FetchResult =
  | {
      readonly kind: 'loaded'
      readonly bytes: Uint8Array
      /** Set for a stored copy of a URL that could not be read. */
      readonly outdated?: { readonly reason: string; readonly age: string }
    }
  | Failure

interface Failure {
  readonly kind: 'failed'
  readonly code: 'file-too-large' | 'url-unreachable' | 'url-refused'
  readonly reason: string
  readonly hint?: string | undefined
  readonly severity?: 'info'
  /** Whether there is a stored copy, which is not used. */
  readonly wasRead?: boolean
}

/**
 * Makes a function that loads documents by URL.
 *
 * A URL that the user named may be plain http, and point to any address. A URL in a file of the repository must be https, and all IP addresses
 * of its host must be public, unless `repositoryUrls` says otherwise. The addresses are checked after the name was resolved, and the connection
 * uses the checked ones. A proxy connects on its own: then a name is refused if this machine resolves it to another address.
 *
 * Follows at most five redirects. To another host, a redirect has only the rights of a URL in a file of the repository. It never leads from a
 * public address to another one, or from https to plain http unless `repositoryUrls` is `any`.
 *
 * Accepts compressed responses (gzip, deflate, br, zstd) and ignores the content type. Does not retry. Never rejects. Size and time, redirects
 * included, are limited.
 *
 * If the server is unreachable or overloaded, or its response is not a document, a copy is used instead, and the result has its age. If the
 * server refuses the document or does not find it, the copy is neither used nor removed.
 */
export function createFetchDocument(options: FetchDocumentOptions = {}): (url: string, limits?: Limits) => Promise<FetchResult> {
  const settings: Settings = {
    namedByUser: options.namedByUser ?? new Set(),
    repositoryUrls: options.repositoryUrls ?? 'public',
    howToAllow: options.howToAllow === undefined ? '' : `. To allow it, ${options.howToAllow}`,
    proxyVariables: options.proxyVariables,
    network: options.network ?? publicNetwork,
  }
  const { copies } = options
  const load = async (url: string, limits: Limits, copy: DocumentCopy | undefined): Promise<FetchedDocument> => {
    const signal = AbortSignal.timeout(limits.values['fetch-time'])
    try {
      return await fetchThroughRedirects(url, settings, { limits, signal, known: copy?.validators })
    } catch (error) {
      return explainFailure(error, settings, limits, signal)
    }
  }
  return async (url, limits = defaultLimits) => {
    const copy = await copies?.find(url, limits)
    const fetched = await load(url, limits, copy)
    if (fetched.kind === 'failed') {
      const { isTemporary, ...failure } = fetched
      if (!copy) return failure
      if (isTemporary) return toCopy(copy, failure.reason)
      return { ...failure, hint: `${failure.hint ?? checkUrl}. ${wasRead}`, wasRead: true }
    }
    const bytes = fetched.kind === 'loaded' ? fetched.bytes : copy?.bytes
    if (!bytes) return { kind: 'failed', code: 'url-unreachable', reason: '304 Not Modified' }
    const fault = copies && fetched.kind === 'loaded' ? await findFault(url, bytes, copy, limits) : undefined
    if (fault !== undefined) return copy ? toCopy(copy, fault) : { kind: 'loaded', bytes }
    await copies?.keep(url, { bytes, validators: fetched.validators })
    return { kind: 'loaded', bytes }
  }
}

/**
 * The reason why a response is no document that may replace the copy. Servers also send errors with status 200, as HTML or JSON, so that only
 * an OpenAPI document replaces one.
 */
async function findFault(
  url: string,
  bytes: Uint8Array,
  copy: DocumentCopy | undefined,
  limits: Limits,
): Promise<string | undefined> {
  if (copy && Buffer.compare(bytes, copy.bytes) === 0) return undefined
  const parse = async (text: Uint8Array) => await parseSource(toSourceFile(url, text), limits)
  const { value, faults } = await parse(bytes)
  if (!isObject(value) || faults[0]) return `its response is not a document${faults[0] ? `. ${faults[0].message}` : ''}`
  if (copy === undefined || Object.hasOwn(value, 'openapi')) return undefined
  const { value: known } = await parse(copy.bytes)
  return isObject(known) && Object.hasOwn(known, 'openapi') ? 'its response is not an OpenAPI document' : undefined
}

interface Settings {
  readonly namedByUser: ReadonlySet<string>
  readonly repositoryUrls: RepositoryUrls
  /** A sentence after the hint of a refused URL, or an empty string. */
  readonly howToAllow: string
  /** Undefined without a proxy. */
  readonly proxyVariables: ProxyVariables | undefined
  readonly network: PublicNetwork
}

function explainFailure(error: unknown, settings: Settings, limits: Limits, signal: AbortSignal): FetchedDocument {
  const timeMs = limits.values['fetch-time']
  if (error instanceof NotPublicError) return notPublic(error.host, settings)
  if (signal.aborted) {
    const hint = limitHint('fetch-time', limits, 'Commit the document and use its path')
    return failed('url-unreachable', toNetworkReason(signal.reason, timeMs), hint, 'temporary')
  }
  const isIgnored = isProxyIgnored(settings.proxyVariables ?? {})
  const hint = isIgnored ? 'Update Node.js to 22.21 or 24.5: this version does not use HTTPS_PROXY' : checkUrl
  return failed('url-unreachable', toNetworkReason(error, timeMs), hint, 'temporary')
}

type FetchedDocument =
  | { readonly kind: 'loaded'; readonly bytes: Uint8Array; readonly validators: Validators }
  /** The copy is up to date. */
  | { readonly kind: 'unchanged'; readonly validators: Validators }
  | FailedFetch

/** After a temporary failure, an earlier copy can be used. */
type FailedFetch = Failure & { readonly isTemporary?: boolean }

function toCopy({ bytes, confirmedAt }: DocumentCopy, reason: string): FetchResult {
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

/** What one request may do. */
interface Access {
  readonly mayUseHttp: boolean
  /** Whether it may connect to addresses that are not public. */
  readonly mayBePrivate: boolean
}

/** The access of a URL by who named it. Undefined if it must not be fetched. */
function toAccess(url: string, { namedByUser, repositoryUrls }: Settings): Access | undefined {
  if (namedByUser.has(url) || repositoryUrls === 'any') return { mayUseHttp: true, mayBePrivate: true }
  return repositoryUrls === 'none' ? undefined : { mayUseHttp: false, mayBePrivate: false }
}

/** The access of the target of a redirect. */
function toRedirectAccess(access: Access, { from, to, isPublic }: Hop, { repositoryUrls }: Settings): Access {
  const isOpen = repositoryUrls === 'any'
  const keeps = isOpen || from.hostname === to.hostname
  return {
    mayUseHttp: keeps && access.mayUseHttp && (isOpen || from.protocol === 'http:'),
    mayBePrivate: keeps && access.mayBePrivate && !isPublic,
  }
}

interface Hop {
  readonly from: URL
  readonly to: URL
  /** Whether the server that redirects has a public address. Also true if that is unknown. */
  readonly isPublic: boolean
}

interface FetchContext {
  readonly limits: Limits
  readonly signal: AbortSignal
  readonly known: Validators | undefined
}

const maxRedirects = 5

async function fetchThroughRedirects(documentUrl: string, settings: Settings, context: FetchContext): Promise<FetchedDocument> {
  const { limits, signal, known } = context
  const first = parseUrl(documentUrl)
  if (!first) return failed('url-refused', 'not an absolute URL', 'Write it with `https://` and a host')
  let access = toAccess(documentUrl, settings)
  if (!access) return notFetched(settings)
  let url = first
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const refusal = refuse(url, access, settings, redirects > 0)
    if (refusal) return redirects > 0 ? { ...refusal, isTemporary: true } : refusal
    // The validators of one URL mean nothing to another.
    const conditions = known?.url === url.href ? toConditions(known) : {}
    const { response, isPublic } = await get(url, { access, conditions, signal, settings })
    const { statusCode: status = 0, headers } = response
    if (status === 304 && known && Object.keys(conditions).length > 0) {
      response.destroy()
      return { kind: 'unchanged', validators: known }
    }
    const { location } = headers
    if (status < 300 || status >= 400 || location === undefined) return await readResponse(response, url, limits)
    response.destroy()
    const next = parseUrl(location, url)
    if (!next) return failed('url-unreachable', `${status} with a \`Location\` that is not a URL`, checkUrl, 'temporary')
    access = toRedirectAccess(access, { from: url, to: next, isPublic }, settings)
    url = next
  }
  return failed('url-unreachable', `more than ${maxRedirects} redirects`, 'Use the URL that it finally redirects to', 'temporary')
}

interface Get {
  readonly access: Access
  readonly conditions: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly settings: Settings
}

/** Sends one request. Rejects with a {@link NotPublicError} if the access forbids the address. */
async function get(url: URL, { access: { mayBePrivate }, conditions, signal, settings }: Get) {
  const { network, proxyVariables } = settings
  const headers = {
    accept: 'application/json, application/yaml, */*;q=0.5',
    'accept-encoding': acceptedEncodings,
    'user-agent': 'openapi-pages',
    ...conditions,
  }
  return await sendChecked(url, { headers, signal }, { network, mayBePrivate, proxyVariables })
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

/** The reason why a URL may not be requested, if any. The addresses of its host are checked later. */
function refuse(url: URL, access: Access, settings: Settings, isRedirected: boolean): FailedFetch | undefined {
  const redirected = isRedirected ? `it redirects to ${url.protocol}//${url.host}, and ` : ''
  if (url.username !== '' || url.password !== '') {
    return failed('url-refused', `${redirected}URLs with a user name or password are not allowed`, 'Remove them from the URL')
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && access.mayUseHttp)) return undefined
  if (url.protocol !== 'http:') return failed('url-refused', `${redirected}\`${url.protocol}\` is not supported`, 'Use `https:`')
  if (isRedirected) return failed('url-refused', `${redirected}only \`https:\` is allowed there`, useTarget)
  return failed(
    'url-refused',
    'only `https:` is allowed',
    `Use \`https:\`, or commit the document and use its path${settings.howToAllow}`,
  )
}

const useTarget = 'Use the URL of the document itself, or commit it and use its path'

function notPublic(host: string, { howToAllow }: Settings): FetchedDocument {
  return failed('url-refused', `\`${host}\` has no public IP address`, `Commit the document and use its path${howToAllow}`)
}

function notFetched({ howToAllow }: Settings): FetchedDocument {
  const hint = `Commit the document and use its path${howToAllow}`
  return { kind: 'failed', code: 'url-refused', severity: 'info', reason: 'this server fetches no URLs of the repository', hint }
}

async function readResponse(response: IncomingMessage, url: URL, limits: Limits): Promise<FetchedDocument> {
  const { statusCode: status = 0, statusMessage = '', headers } = response
  // Other responses of the 2xx class have a part of the document, or none.
  if (status !== 200 && status !== 203) {
    response.destroy()
    const isTemporary = status < 400 || status >= 500 || status === 408 || status === 429
    return failed('url-unreachable', `${status} ${statusMessage}`.trim(), hints[status], isTemporary ? 'temporary' : undefined)
  }
  try {
    const limitBytes = limits.values['document-size']
    const bytes = await readWholeBytes(response, { encoding: headers['content-encoding'], limitBytes })
    return { kind: 'loaded', bytes, validators: { url: url.href, etag: headers.etag, lastModified: headers['last-modified'] } }
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error
    return failed('file-too-large', error.message, limitHint('document-size', limits, 'Split the document'), 'temporary')
  } finally {
    response.destroy()
  }
}

const checkUrl = 'Check the URL, or commit the document and use its path'
const wasRead = 'The document was read before, so a site built from it stays as it is until the URL can be read or is replaced'

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
): FailedFetch {
  return { kind: 'failed', code, reason, hint, ...(duration && { isTemporary: true }) }
}
