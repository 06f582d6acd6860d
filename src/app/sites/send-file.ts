import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type SiteEncoding, type SiteStore, type StoredSiteFile, sitePartBytes } from '../../store/stored-sites.ts'
import { chooseEncoding, chooseRange, listsTag } from './negotiate.ts'
import type { SiteFiles } from './site-files.ts'

export interface FileToSend {
  readonly file: StoredSiteFile
  /** 200, or 404 for the page that says so. */
  readonly status: 200 | 404
  readonly headers: OutgoingHttpHeaders
}

/**
 * Sends a file as it is stored: in the encoding that the reader takes, a part of it, or only the word that it is the one he has.
 *
 * @throws when a body ends too early; the connection is to be closed then.
 */
export async function sendFile(
  { file, status, headers }: FileToSend,
  request: IncomingMessage,
  response: ServerResponse,
  { files, sites }: { readonly files: SiteFiles; readonly sites: Pick<SiteStore, 'readBody'> },
): Promise<void> {
  const { 'accept-encoding': accept, 'if-none-match': known, 'if-match': expected, 'if-range': same } = request.headers
  // A part is one of the file itself; of what is kept compressed only whole bodies are sent.
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
  if (status === 200 && expected !== undefined && !listsTag(expected, tag)) return end(response, 412, headers)
  if (status === 200 && known !== undefined && listsTag(known, tag)) {
    const { 'Content-Type': _type, 'Content-Encoding': _encoding, ...kept } = all
    return end(response, 304, kept)
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
  response.writeHead(code, head)
  // Every stream is in the line: the fault of one that is not would end the process.
  if (encoding in file.bodies) await pipeline(readPart(sites, file, encoding, start, to), response)
  else await pipeline(sites.readBody(file.hash, 'gzip'), createGunzip(), response)
}

function end(response: ServerResponse, status: number, headers: OutgoingHttpHeaders): void {
  response.writeHead(status, { ...headers, ...(status === 304 ? {} : { 'Content-Length': 0 }) }).end()
}

/** The bytes of a large body, part by part as the reader takes them. */
function readPart(
  sites: Pick<SiteStore, 'readBody'>,
  file: StoredSiteFile,
  encoding: SiteEncoding,
  start: number,
  end: number,
): AsyncIterable<Uint8Array> {
  return cut(sites.readBody(file.hash, encoding, Math.floor(start / sitePartBytes)), start % sitePartBytes, end - start)
}

/** @throws {Error} where there are fewer bytes: an answer that is too short would look whole to some. */
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
