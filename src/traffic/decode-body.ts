import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { isContainer, listTexts, parseJson, readOwn, stringOf } from '../text/json/json-values.ts'
import { addTo } from '../text/plain/lists.ts'
import { decodeUtf8 } from '../text/plain/source-file.ts'
import type { RecordedBody, RecordedMessage } from './exchange.ts'

/** The largest body after decompression. */
const maxBodyBytes = 64 * 1024 * 1024

/** Reads headers: a mapping from names to a value or several, or a list of mappings with `name` and `value`. */
export function readHeaders(written: unknown): RecordedMessage['headers'] {
  const headers = new Map<string, string[]>()
  for (const [name, value] of readFields(written)) addTo(headers, name.toLowerCase(), value)
  return headers
}

/** A text, also one that YAML has as bytes. */
export function textOf(value: unknown): string | undefined {
  return value instanceof Uint8Array ? Buffer.from(value).toString() : stringOf(value)
}

/** Puts a message together. A header that announces content shows that a body is lost, as recorders of asynchronous clients lose them. */
export function toMessage(headers: RecordedMessage['headers'], body: RecordedBody, mediaType?: string): RecordedMessage {
  const length = Number(headers.get('content-length')?.[0] ?? 0)
  const isLost = body.kind === 'none' && length > 0
  const written = mediaType || headers.get('content-type')?.[0]
  const parts = body.kind === 'text' && isMultipart.test(written ?? '') ? readParts(Buffer.from(body.text)) : undefined
  return {
    headers,
    mediaType: written,
    body: isLost ? { kind: 'lost', reason: 'the body was not recorded' } : (parts ?? body),
  }
}

const isMultipart = /^multipart\/form-data\b/i

/** The parts of a multipart form as its fields. Those of a list in JSON are its items. `undefined` if there are no parts. */
function readParts(bytes: Buffer): RecordedBody | undefined {
  const text = bytes.toString('latin1')
  const [, boundary] = /^\s*--([^\r\n]+)/.exec(text) ?? []
  if (boundary === undefined) return undefined
  const fields = text.split(`--${boundary}`).flatMap((part): (readonly [string, string])[] => {
    const gap = /\r?\n\r?\n/.exec(part)
    const head = part.slice(0, gap?.index)
    const [, name] = /;[ \t]*name="?([^";\r\n]*)/i.exec(head) ?? []
    if (!gap || name === undefined) return []
    const content = part.slice(gap.index + gap[0].length).replace(/\r?\n$/, '')
    const value = decodeUtf8(Buffer.from(content, 'latin1')) ?? content
    const items = /^content-type:.*json/im.test(head) ? parseJson(value) : undefined
    const values = Array.isArray(items) ? items.map((item) => stringOf(item) ?? JSON.stringify(item)) : [value]
    return values.map((one) => [name, one])
  })
  return { kind: 'form', fields }
}

/** What a recorder stored of a body: a text, bytes, or a value. `encoding`: how its text is encoded. */
export function decodeBody(written: unknown, headers: RecordedMessage['headers'], encoding?: 'base64' | 'hex'): RecordedBody {
  if (written === undefined || written === null || written === '') return none
  if (written instanceof Uint8Array) return decodeBytes(Buffer.from(written), headers)
  if (typeof written !== 'string') return { kind: 'value', value: written }
  if (encoding) return decodeBytes(decodeChunks(written, encoding), headers)
  // Some recorders write compressed bytes as characters. One that is no byte is a sign of damage.
  if (!written.startsWith('\x1f')) return { kind: 'text', text: written }
  return decodeBytes(Buffer.from(written, 'latin1'), headers)
}

const none: RecordedBody = { kind: 'none' }

/** Polly.js has one text for each chunk, in a JSON list. They are encoded one by one, or cut anywhere. */
function decodeChunks(text: string, encoding: 'base64' | 'hex'): Buffer {
  const chunks = text.startsWith('[') ? listTexts(parseJson(text)) : [text]
  const isCut = chunks.some((chunk) => chunk.length % 4 !== 0)
  return Buffer.concat((isCut ? [chunks.join('')] : chunks).map((chunk) => Buffer.from(chunk, encoding)))
}

/** The bytes say whether they are compressed with gzip: recorders keep the header, and may have decompressed the content. */
function decodeBytes(bytes: Buffer, headers: RecordedMessage['headers']): RecordedBody {
  if (bytes.length === 0) return none
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  const text = isGzip ? undefined : decodeUtf8(bytes)
  if (text !== undefined) return { kind: 'text', text }
  const parts = isMultipart.test(headers.get('content-type')?.[0] ?? '') ? readParts(bytes) : undefined
  if (parts) return parts
  const coding = isGzip ? 'gzip' : (headers.get('content-encoding')?.[0] ?? '')
  const decompress = Object.hasOwn(decompressors, coding) ? decompressors[coding as keyof typeof decompressors] : undefined
  if (!decompress) return { kind: 'bytes' }
  try {
    const decoded = decodeUtf8(decompress(bytes, { maxOutputLength: maxBodyBytes }))
    return decoded === undefined ? { kind: 'bytes' } : { kind: 'text', text: decoded }
  } catch {
    return { kind: 'lost', reason: 'its compressed body is damaged or too large' }
  }
}

const decompressors = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync }

/** The fields of a form: a mapping from names to a value or several, or a list of mappings with `name` and `value`. */
export function readForm(written: unknown): RecordedBody {
  const fields = [...readFields(written)]
  return fields.length === 0 ? none : { kind: 'form', fields }
}

/** Names and values of a form, a query or headers. A value that is no text is empty. */
export function* readFields(written: unknown): Generator<readonly [name: string, value: string]> {
  if (!isContainer(written)) return
  for (const [key, value] of Object.entries(written)) {
    const name = Array.isArray(written) ? stringOf(readOwn(value, 'name')) : key
    const given: unknown = Array.isArray(written) ? readOwn(value, 'value') : value
    if (name !== undefined)
      for (const one of Array.isArray(given) ? given : [given])
        yield [name, textOf(one) ?? (isContainer(one) ? '' : String(one ?? ''))]
  }
}

/** A date in one spelling. Without a zone, it is UTC, wherever this runs. */
export function toDate(written: unknown): string | undefined {
  const text = textOf(written) ?? ''
  const time = Date.parse(/^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(text) ? `${text.replace(' ', 'T')}Z` : text)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
}
