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

type Decode = (source: Source) => AsyncIterable<Uint8Array>

/** The encodings that are decoded. Decoders are loaded on demand, because few processes need them. */
const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', (source) => decodeStream(source, zlib().createGunzip())],
  ['x-gzip', (source) => decodeStream(source, zlib().createGunzip())],
  ['deflate', (source) => decodeStream(source, zlib().createInflate())],
  ['br', (source) => decodeStream(source, zlib().createBrotliDecompress())],
  ['zstd', ({ chunks }) => decodeFrames(chunks)],
])

function findDecoder(encoding: string): Decode | undefined {
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
  const decode = findDecoder(encoding)
  if (!decode && !/^\s*(?:identity\s*)?$/i.test(encoding)) throw new IncompleteError('its content encoding is not supported')
  const received = { bytes: 0, hasEnded: false }
  const chunks = receive(stream, received, limitBytes)
  let size = 0
  for await (const chunk of decode?.({ chunks, received }) ?? chunks) {
    size += chunk.byteLength
    if (size > limitBytes) throw new TooLargeError(`more than ${limitBytes} bytes`)
    yield chunk
  }
  if (sizeBytes !== undefined && size !== sizeBytes) throw new IncompleteError(`it has ${size} bytes instead of ${sizeBytes}`)
}

/** Most decoders ignore what follows the end of the first stream. */
async function* decodeStream({ chunks, received }: Source, decoder: Transform & Zlib): AsyncGenerator<Uint8Array> {
  // The reader of the decoder gets the error.
  yield* process.getBuiltinModule('node:stream').pipeline(chunks, decoder, () => undefined)
  if (!received.hasEnded || decoder.bytesWritten !== received.bytes)
    throw new IncompleteError('its compressed response has data after its end')
}

/** The most frames of one response. An empty one has 9 bytes, and each needs a decoder. */
const maxFrames = 1_000

/** Zstandard has any number of frames, and its decoder reads one. */
async function* decodeFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = await readWholeBytes(chunks)
  let frames = 0
  do {
    if (++frames > maxFrames) throw new IncompleteError(`its compressed response has more than ${maxFrames} parts`)
    const decoder = zlib().createZstdDecompress()
    decoder.end(rest)
    yield* decoder
    rest = rest.subarray(decoder.bytesWritten)
  } while (rest.length > 0)
}

/** Collects what {@link readWhole} yields. */
export async function readWholeBytes(stream: AsyncIterable<Uint8Array>, options?: WholeOptions): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readWhole(stream, options)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

interface Received {
  bytes: number
  hasEnded: boolean
}

interface Source {
  readonly chunks: AsyncIterable<Uint8Array>
  /** What of it was read. */
  readonly received: Readonly<Received>
}

/** Yields the bytes of a stream as they arrive. */
async function* receive(stream: AsyncIterable<Uint8Array>, received: Received, limitBytes: number): AsyncGenerator<Uint8Array> {
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
