import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { SiteStore, StoredSiteFile } from '../../store/stored-sites.ts'

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
