import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { readWholeBytes } from '../../files/disk-files.ts'
import type { BuildFiles, NewSiteContent, SiteEncoding, StoredSiteFile } from '../../store/sites/stored-sites.ts'
import type { Store } from '../../store/store.ts'
import { readSiteRules, type SiteRules } from './site-rules.ts'

/** Bodies up to this size are cached, 64 MB in total. */
const smallBytes = 256 * 1024
const cachedBytes = 64 * 1024 * 1024
const cachedFiles = 50_000
/** Cache size for rules, measured by their source text: a site may have tens of thousands of redirects. */
const cachedRulesBytes = 16 * 1024 * 1024

export type SiteFiles = ReturnType<typeof createSiteFiles>

/** Reads files of sites through a cache. Builds and contents are immutable, so cached data is never stale. */
export function createSiteFiles(sites: Pick<Store['sites'], 'findFile' | 'readBody'>) {
  const files = new LRUCache<string, StoredSiteFile | 'none'>({ max: cachedFiles })
  const bodies = new LRUCache<string, Buffer>({ maxSize: cachedBytes, sizeCalculation: (body, key) => body.length + key.length })
  const rules = new LRUCache<string, SiteRules>({ maxSize: cachedRulesBytes })

  const find = async (of: BuildFiles, path: string): Promise<StoredSiteFile | undefined> => {
    const key = `${toFilesKey(of)}/${path}`
    const known = files.get(key)
    if (known !== undefined) return known === 'none' ? undefined : known
    const found = await sites.findFile(of, path)
    // Long paths that do not exist come from untrusted requests: do not let them fill the cache.
    if (found || path.length < 200) files.set(key, found ?? 'none')
    return found
  }

  /** A body of at most 256 kB; `undefined` if it is larger or no longer exists. */
  const small = async (file: StoredSiteFile, encoding: SiteEncoding): Promise<Buffer | undefined> => {
    if (file.sizeBytes > smallBytes) return undefined
    const key = `${encoding}/${file.hash}`
    const known = bodies.get(key)
    if (known) return known
    const stored = encoding in file.bodies ? encoding : 'gzip'
    const body = await readWholeBytes(sites.readBody(file.hash, stored), stored === encoding ? {} : { encoding: stored })
    if (body.length !== (file.bodies[encoding] ?? file.sizeBytes)) return undefined
    bodies.set(key, body)
    return body
  }

  const readText = async (of: BuildFiles, path: string): Promise<string> => {
    const file = await find(of, path)
    return file ? (await readSiteContent(sites, file)).toString() : ''
  }

  return {
    find,
    small,
    async rules(of: BuildFiles): Promise<SiteRules> {
      const key = toFilesKey(of)
      const known = rules.get(key)
      if (known) return known
      const headers = await readText(of, '_headers')
      const redirects = await readText(of, '_redirects')
      const languages = await readText(of, '_languages')
      const read = readSiteRules(headers, redirects, languages)
      rules.set(key, read, { size: 1_000 + headers.length + redirects.length + languages.length })
      return read
    },
  }
}

/** Identifies the files of a build for one audience in caches. */
export function toFilesKey({ buildId, audience }: BuildFiles): string {
  return `${buildId}/${audience}`
}

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
  sites: Pick<Store['sites'], 'readBody'>,
  { hash, bodies }: Pick<StoredSiteFile, 'hash' | 'bodies'>,
): Promise<Buffer> {
  const encoding = 'identity' in bodies ? 'identity' : 'br'
  return await readWholeBytes(sites.readBody(hash, encoding), { encoding })
}
