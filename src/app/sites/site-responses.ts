import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type SiteEncoding, type StoredSiteFile, sitePartBytes } from '../../store/sites/stored-sites.ts'
import type { Store } from '../../store/store.ts'
import { escapeHtml } from '../../text/plain/escape-text.ts'
import { matchesETag } from '../http/waiting.ts'
import type { SiteFiles } from '../publish/site-files.ts'

interface FileToSend {
  readonly file: StoredSiteFile
  /** 404 for the error page of the site. */
  readonly status: 200 | 404
  readonly headers: OutgoingHttpHeaders
}

/**
 * Sends a file in an accepted encoding. Supports ranges and conditional requests.
 *
 * @throws {Error} if a body cannot be read or ends too early. If the head was already sent, the caller must close the connection.
 */
export async function sendFile(
  { file, status, headers }: FileToSend,
  request: IncomingMessage,
  response: ServerResponse,
  { files, sites }: { readonly files: SiteFiles; readonly sites: Pick<Store['sites'], 'readBody'> },
): Promise<void> {
  const { 'accept-encoding': accept, 'if-none-match': known, 'if-match': expected, 'if-range': same } = request.headers
  // Ranges refer to the uncompressed file, so files that are stored compressed are sent as a whole.
  const hasParts = 'identity' in file.bodies && status === 200
  const encoding = chooseEncoding(accept, file.bodies)
  const tag = `"${file.hash.slice(0, 32)}${encoding === 'identity' ? '' : `-${encoding}`}"`
  const lengthBytes = file.bodies[encoding] ?? file.sizeBytes
  const all: OutgoingHttpHeaders = {
    ...headers,
    ETag: tag,
    ...(hasParts
      ? { 'Accept-Ranges': 'bytes' }
      : { Vary: headers.Vary ? `${headers.Vary}, Accept-Encoding` : 'Accept-Encoding' }),
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  }
  if (status === 200 && expected !== undefined && !matchesETag(expected, tag)) return end(response, 412, headers)
  if (status === 200 && matchesETag(known, tag)) {
    const { 'Content-Type': _type, 'Content-Encoding': _encoding, ...keptHeaders } = all
    return end(response, 304, keptHeaders)
  }
  const mayRange = hasParts && request.method === 'GET' && (same === undefined || same === tag)
  const range = mayRange ? chooseRange(request.headers.range, file.sizeBytes) : undefined
  if (range === 'unsatisfiable') return end(response, 416, { ...headers, 'Content-Range': `bytes */${file.sizeBytes}` })
  const { start, end: to } = range ?? { start: 0, end: lengthBytes }
  const rangeHeaders = range ? { 'Content-Range': `bytes ${start}-${to - 1}/${file.sizeBytes}` } : {}
  const head = { ...all, ...rangeHeaders, 'Content-Length': to - start }
  const code = range ? 206 : status
  if (request.method === 'HEAD') {
    response.writeHead(code, head).end()
    return
  }
  const body = await files.small(file, encoding)
  if (body) {
    response.writeHead(code, head).end(range ? body.subarray(start, to) : body)
    return
  }
  const isStored = encoding in file.bodies
  // Read the first part before the head: without it, the response is an error.
  const parts = await readFirst(isStored ? readPart(sites, file, encoding, start, to) : sites.readBody(file.hash, 'gzip'))
  response.writeHead(code, head)
  // An error of a stream outside the pipeline would crash the process.
  if (isStored) await pipeline(parts, response)
  else await pipeline(parts, createGunzip(), response)
}

/** The same parts, of which the first is already read. */
async function readFirst(parts: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const left = parts[Symbol.asyncIterator]()
  const first = await left.next()
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await left.next()) yield next.value
    } finally {
      await left.return?.()
    }
  })()
}

function end(response: ServerResponse, status: number, headers: OutgoingHttpHeaders): void {
  response.writeHead(status, { ...headers, ...(status === 304 ? {} : { 'Content-Length': 0 }) }).end()
}

/** Streams a range of a large body. */
function readPart(
  sites: Pick<Store['sites'], 'readBody'>,
  file: StoredSiteFile,
  encoding: SiteEncoding,
  start: number,
  end: number,
): AsyncIterable<Uint8Array> {
  return cut(sites.readBody(file.hash, encoding, Math.floor(start / sitePartBytes)), start % sitePartBytes, end - start)
}

/** @throws {Error} if there are too few bytes, because some clients would accept a truncated response. */
async function* cut(parts: AsyncIterable<Uint8Array>, skip: number, count: number): AsyncIterable<Uint8Array> {
  let left = count
  let toSkip = skip
  for await (const part of parts) {
    const bytes = part.subarray(toSkip, toSkip + left)
    toSkip = 0
    left -= bytes.length
    if (bytes.length > 0) yield bytes
    if (left === 0) return
  }
  if (left > 0) throw new Error('A body of a site ended too early')
}

/** Chooses the stored encoding that `Accept-Encoding` prefers, or the smaller of two equal ones; else `identity` (RFC 9110, section 12.5.3). */
function chooseEncoding(accept: string | undefined, bodies: Readonly<Partial<Record<SiteEncoding, number>>>): SiteEncoding {
  const weights = new Map<string, number>()
  for (const part of (accept ?? '').split(',', 20)) {
    const [, name, weight] = /^\s*([\w*-]+)\s*(?:;\s*q=([\d.]+)\s*)?$/i.exec(part) ?? []
    if (name !== undefined) weights.set(name.toLowerCase(), weight === undefined ? 1 : Number(weight))
  }
  const weightOf = (encoding: SiteEncoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  const [best] = (['br', 'gzip'] as const)
    .filter((encoding) => bodies[encoding] !== undefined && weightOf(encoding) > 0)
    .sort((a, b) => weightOf(b) - weightOf(a) || (bodies[a] ?? 0) - (bodies[b] ?? 0))
  return best ?? 'identity'
}

/**
 * Chooses the type of a page: Markdown if a client names it and prefers nothing else, plain text if it is preferred to HTML (RFC 9110, section
 * 12.5.1). Many programs name plain text before any type without preferring it.
 */
export function choosePageType(accept: string): 'text/html' | 'text/markdown' | 'text/plain' {
  const ranges = accept.split(',', 20).map((part) => {
    const [range = '', ...parameters] = part.split(';', 10).map((text) => text.trim().toLowerCase())
    const weight = parameters.find((parameter) => /^q=[\d.]+$/.test(parameter))
    return { range, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
  })
  const find = (range: string) => ranges.findIndex((one) => one.range === range)
  const weigh = (type: string) => ranges[[type, 'text/*', '*/*'].map(find).find((index) => index !== -1) ?? -1]?.weight ?? 0
  const [html, markdown, plain] = [weigh('text/html'), weigh('text/markdown'), weigh('text/plain')]
  const [htmlAt, markdownAt] = [find('text/html'), find('text/markdown')]
  const isFirst = htmlAt === -1 || markdownAt < htmlAt
  if (markdownAt !== -1 && markdown > 0 && (markdown > html || (markdown === html && isFirst))) return 'text/markdown'
  return plain > html ? 'text/plain' : 'text/html'
}

/** Parses a `Range` header. Returns `undefined` (send the whole file) for no range, several ranges or unknown syntax (RFC 9110, section 14.2). */
function chooseRange(
  header: string | undefined,
  sizeBytes: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes)
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes }
  }
  const [start, end] = [Number(first), last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes)]
  if (last !== '' && Number(last) < start) return undefined
  return start >= sizeBytes ? 'unsatisfiable' : { start, end }
}

/** A response that is not a file of a site. */
export interface SiteAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string
}

/** The look of a site without a brand. */
const plainStyle = [
  ':root{color-scheme:light dark}',
  'body{margin:0;background:light-dark(#fff,#0e1116);color:light-dark(#434a59,#b8becb);font:1rem/1.625 system-ui,sans-serif;overflow-wrap:anywhere}',
  'main{max-width:34rem;margin:16vh auto 4rem;padding:0 1.5rem}',
  'h1{margin:0;color:light-dark(#12151c,#eceef2);font-size:1.75rem;line-height:1.3;letter-spacing:-.02em}',
  'p{margin:.5rem 0 0}',
  'ul{margin:1.5rem 0 0;padding:1.25rem 0 0 1.25rem;border-top:1px solid light-dark(#e4e7ec,#252b35)}',
  'li{margin-bottom:.5rem}',
  'a{color:light-dark(#2548c4,#9ab0ff)}',
].join('')

/**
 * A page that is not part of a site, for example because the site does not exist. Nothing is escaped.
 *
 * @param steps What readers can do.
 */
export function renderPlainPage(status: number, title: string, text: string, steps: readonly string[] = []): SiteAnswer {
  const list = steps.length === 0 ? '' : `<ul>${steps.map((step) => `<li>${step}</li>`).join('')}</ul>`
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${plainStyle}</style></head><body><main><h1>${title}</h1><p>${text}</p>${list}</main></body></html>`
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
    body,
  }
}

/**
 * The same page for a missing site and for a private site without access.
 *
 * @param access What readers can do if the site is private.
 */
export const renderNoSite = (access: string): SiteAnswer =>
  renderPlainPage(404, 'Site not found', 'There is no site at this URL, or you have no access to it.', [
    'Check the URL for typing errors.',
    'If you followed a link to a preview, open the pull request again. Old previews are deleted.',
    access,
  ])

export const noSite = renderNoSite('If the site is private, open it from the dashboard, or ask its owner for a link.')

/** Replaces a redirect from a preview to another site, so that readers see the target first. */
export function renderLeavingPage(to: string): SiteAnswer {
  const target = escapeHtml(to)
  return renderPlainPage(
    200,
    'This page redirects to another site',
    `The target is <a href="${target}" rel="nofollow noreferrer noopener">${target}</a>. Previews do not follow redirects to other sites.`,
  )
}

/** Replaces a redirect with an unsupported target, and one from the preview of a fork, which an untrusted author may have written. */
export const noRedirect = renderPlainPage(
  404,
  'Redirect disabled',
  'Sites redirect only to their own pages and to <code>https</code> URLs. Previews of pull requests from forks redirect only to their own pages.',
)
