import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { readWholeBytes } from '../../files/read-whole.ts'
import type { NewSiteContent, SiteStore, StoredSiteFile } from '../../store/sites/stored-sites.ts'

/** Smaller responses fit into one packet anyway. */
const minCompressedBytes = 256

/** Formats that are already compressed. */
const compressed =
  /\.(?:png|jpe?g|gif|webp|avif|jxl|mp4|m4v|webm|mov|ogv|mp3|m4a|og[ga]|flac|woff2?|zip|gz|tgz|7z|xlsx|docx|pptx|epub)$/i

/** Higher levels save a few percent and take many times as long. */
const brotliQuality = 5
const gzipLevel = 6

/** The hash that identifies a content in the store. */
export function hashSiteContent(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** A content that is stored without compression. */
export function toPlainContent(bytes: Uint8Array, hash = hashSiteContent(bytes)): NewSiteContent {
  return { hash, sizeBytes: bytes.length, bodies: { identity: bytes } }
}

/** A file as stored: compressed if that saves space. Compression runs in the thread pool. */
export async function toSiteContent(path: string, bytes: Uint8Array, hash = hashSiteContent(bytes)): Promise<NewSiteContent> {
  const plain = toPlainContent(bytes, hash)
  if (bytes.length < minCompressedBytes || compressed.test(path)) return plain
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const br = await promisify(brotliCompress)(bytes, { params })
  if (br.length > bytes.length * 0.9) return plain
  return { ...plain, bodies: { br, gzip: await promisify(gzip)(bytes, { level: gzipLevel }) } }
}

/** Reads and decompresses a file of a site. */
export async function readSiteContent(
  sites: Pick<SiteStore, 'readBody'>,
  { hash, bodies }: Pick<StoredSiteFile, 'hash' | 'bodies'>,
): Promise<Buffer> {
  const encoding = 'identity' in bodies ? 'identity' : 'br'
  return await readWholeBytes(sites.readBody(hash, encoding), { encoding })
}
