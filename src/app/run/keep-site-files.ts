import { isReadByUpdate } from '../../github/archive.ts'
import { assetType } from '../../site/files/asset-types.ts'

/** Pictures and other files of one archive; the builder publishes no more bytes of them either. */
const maxBytes = 200 * 1024 * 1024
const maxFiles = 20_000

/**
 * Makes the question which files of an archive are wanted where a site is built of it: what an update reads, and what a site may publish. More of
 * the latter than there is room for is left out, and the site says so; the check goes on as without them.
 */
export function createKeepSiteFiles(): (path: string, sizeBytes: number) => boolean {
  // A lost connection brings the same files again.
  const taken = new Set<string>()
  let left = maxBytes
  return (path, sizeBytes) => {
    if (isReadByUpdate(path) || taken.has(path)) return true
    if (assetType(path) === undefined || taken.size >= maxFiles || sizeBytes > left) return false
    taken.add(path)
    left -= sizeBytes
    return true
  }
}
