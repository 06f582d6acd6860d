import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import type { Zlib } from 'node:zlib'

/** The bytes ended without a proof that they are complete. */
class IncompleteError extends Error {}

/** More bytes arrived than the limit allows. */
export class TooLargeError extends Error {}

interface WholeOptions {
  /** The value of `Content-Encoding`. Default: not encoded. */
  readonly encoding?: string | undefined
  /** The most bytes, encoded or decoded. Default: no limit. */
  readonly limitBytes?: number
  /** The number of decoded bytes, if it is known. */
  readonly sizeBytes?: number
}

/** The encodings that are decoded. Loaded on demand, because few processes need them. */
const decoders: ReadonlyMap<string, () => Transform & Zlib> = new Map([
  ['gzip', () => zlib().createGunzip()],
  ['x-gzip', () => zlib().createGunzip()],
  ['deflate', () => zlib().createInflate()],
  ['br', () => zlib().createBrotliDecompress()],
  ['zstd', () => zlib().createZstdDecompress()],
])

function findDecoder(encoding: string): (() => Transform & Zlib) | undefined {
  return decoders.get(encoding.trim().toLowerCase())
}

/** Whether a value of `Content-Encoding` is decoded. */
export function canDecode(encoding: string): boolean {
  return findDecoder(encoding) !== undefined
}

export const acceptedEncodings = 'gzip, deflate, br, zstd'

/**
 * Yields the decoded bytes of a response, an archive or another stream. They are whole only if it ends without an error: then the announced
 * length, the last chunk or the end of the encoding was reached, or the connection ended in order and the request was not aborted.
 *
 * @throws {IncompleteError} without this proof, or for an unknown encoding. @throws {TooLargeError}
 */
export async function* readWhole(
  stream: AsyncIterable<Uint8Array>,
  { encoding = 'identity', limitBytes = Number.POSITIVE_INFINITY, sizeBytes }: WholeOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const received = { bytes: 0, hasEnded: false }
  const source = receive(stream, received, limitBytes)
  const decoder = findDecoder(encoding)?.()
  if (!decoder && !/^\s*(?:identity\s*)?$/i.test(encoding)) throw new IncompleteError('its content encoding is not supported')
  // The reader of the decoder gets the error.
  const decoded = decoder ? process.getBuiltinModule('node:stream').pipeline(source, decoder, () => undefined) : source
  let size = 0
  for await (const chunk of decoded as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > limitBytes) throw new TooLargeError(`more than ${limitBytes} bytes`)
    yield chunk
  }
  // Decoders ignore what follows the end of the first stream.
  if (decoder && (!received.hasEnded || decoder.bytesWritten !== received.bytes))
    throw new IncompleteError('its compressed response has data after its end')
  if (sizeBytes !== undefined && size !== sizeBytes) throw new IncompleteError(`it has ${size} bytes instead of ${sizeBytes}`)
}

/** Collects what {@link readWhole} yields. */
export async function readWholeBytes(stream: AsyncIterable<Uint8Array>, options?: WholeOptions): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readWhole(stream, options)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Yields the bytes of a stream as they arrive. */
async function* receive(
  stream: AsyncIterable<Uint8Array>,
  received: { bytes: number; hasEnded: boolean },
  limitBytes: number,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    received.bytes += chunk.byteLength
    if (received.bytes > limitBytes) throw new TooLargeError(`more than ${limitBytes} bytes`)
    yield chunk
  }
  if ('complete' in stream && !isWhole(stream as unknown as IncomingMessage))
    throw new IncompleteError('the host closed the connection')
  received.hasEnded = true
}

/** Node also calls a response without a length complete after a reset, or after the request was aborted. */
function isWhole({ complete, headers, socket }: IncomingMessage): boolean {
  const hasLength = headers['content-length'] !== undefined || headers['transfer-encoding']?.toLowerCase() === 'chunked'
  return complete && (hasLength || !socket.errored)
}

function zlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib')
}
