/**
 * A file as text, with what went wrong while decoding it.
 *
 * A leading byte order mark is not part of `text`; line ends are kept as they are in the file.
 */
export interface SourceFile {
  /** Relative to the boundary with `/`, or an absolute URL. */
  readonly path: string
  readonly text: string
  readonly encodingFault?: EncodingFault
}

/** Why bytes are not text. `offset` counts UTF-16 units of `SourceFile.text`. */
interface EncodingFault {
  readonly kind: 'binary' | 'invalid-utf8' | 'utf-16'
  readonly offset: number
}

/**
 * Decodes bytes as UTF-8, without the byte order mark.
 *
 * Never throws: bytes that are not UTF-8 give text with replacement characters and an `encodingFault` at the first one.
 */
export function toSourceFile(path: string, bytes: Uint8Array): SourceFile {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = buffer[0]
  if ((first === 0xff && buffer[1] === 0xfe) || (first === 0xfe && buffer[1] === 0xff)) {
    return { path, text: '', encodingFault: { kind: 'utf-16', offset: 0 } }
  }
  let text = buffer.toString('utf8')
  if (text.charCodeAt(0) === 0xfeff) text = text.slice(1)
  // A replacement character may really stand in the file; only then are the bytes looked at again.
  if (text.includes('\ufffd') && !isUtf8(buffer)) {
    const kind = text.includes('\0') ? 'binary' : 'invalid-utf8'
    return { path, text, encodingFault: { kind, offset: firstReplaced(text, buffer) } }
  }
  // Looked for in the bytes first: in text of two bytes a character the search stops at every second byte.
  const nul = buffer.includes(0) ? text.indexOf('\0') : -1
  return nul === -1 ? { path, text } : { path, text, encodingFault: { kind: 'binary', offset: nul } }
}

function isUtf8(buffer: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(buffer)
    return true
  } catch {
    return false
  }
}

/** The offset of the first replacement character that does not stand in the file itself. */
function firstReplaced(text: string, buffer: Buffer): number {
  const written = Buffer.from('\ufffd')
  let byte = buffer.subarray(0, 3).equals(Buffer.from('\ufeff')) ? 3 : 0
  let from = 0
  for (;;) {
    const offset = text.indexOf('\ufffd', from)
    byte += Buffer.byteLength(text.slice(from, offset))
    if (!buffer.subarray(byte, byte + written.length).equals(written)) return offset
    byte += written.length
    from = offset + 1
  }
}
