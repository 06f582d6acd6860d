import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib'
import type { NewSiteContent, SiteStore, StoredSiteFile } from '../../store/stored-sites.ts'

/** Below this an answer is one packet in any case. */
const leastBytes = 256

/** These are compressed by what they are. */
const compressed =
  /\.(?:png|jpe?g|gif|webp|avif|jxl|mp4|m4v|webm|mov|ogv|mp3|m4a|og[ga]|flac|woff2?|zip|gz|tgz|7z|xlsx|docx|pptx|epub)$/i

/** More makes files a few percent smaller and takes many times as long. */
const brotliQuality = 5
const gzipLevel = 6

/** The hash that a content is kept by. */
export function hashSiteContent(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Bytes that are compressed by what they are, as they are stored. */
export function toPlainContent(bytes: Uint8Array, hash = hashSiteContent(bytes)): NewSiteContent {
  return { hash, sizeBytes: bytes.length, bodies: { identity: bytes } }
}

/** A file as it is stored: compressed where that is worth it. The work is done beside the event loop. */
export async function toSiteContent(path: string, bytes: Uint8Array, hash = hashSiteContent(bytes)): Promise<NewSiteContent> {
  const plain = toPlainContent(bytes, hash)
  if (bytes.length < leastBytes || compressed.test(path)) return plain
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const br = await promisify(brotliCompress)(bytes, { params })
  if (br.length > bytes.length * 0.9) return plain
  return { ...plain, bodies: { br, gzip: await promisify(gzip)(bytes, { level: gzipLevel }) } }
}

/** The bytes of a file of a site, as it was made. */
export async function readSiteContent(
  sites: Pick<SiteStore, 'readBody'>,
  { hash, bodies }: Pick<StoredSiteFile, 'hash' | 'bodies'>,
): Promise<Buffer> {
  const encoding = 'identity' in bodies ? 'identity' : 'br'
  const parts: Uint8Array[] = []
  for await (const part of sites.readBody(hash, encoding)) parts.push(part)
  const bytes = Buffer.concat(parts)
  return encoding === 'identity' ? bytes : await promisify(brotliDecompress)(bytes)
}
