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
export interface EncodingFault {
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
  const replaced = text.indexOf('\ufffd')
  // A replacement character may really stand in the file; only then are the bytes looked at again.
  if (replaced !== -1 && !isUtf8(buffer)) {
    const kind = text.includes('\0') ? 'binary' : 'invalid-utf8'
    return { path, text, encodingFault: { kind, offset: replaced } }
  }
  const nul = text.indexOf('\0')
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
