import type { SiteStore } from '../../store/stored-sites.ts'
import { toFileHeaders } from '../sites/file-headers.ts'
import { readSiteContent } from '../sites/read-content.ts'
import { readPath } from '../sites/read-path.ts'
import { resolvePath } from '../sites/resolve-path.ts'
import { createSiteFiles } from '../sites/site-files.ts'
import type { SiteResponse } from './picture-taker.ts'

/** Bytes that one page may load. */
const maxBytes = 32 * 1024 * 1024

/**
 * Answers for the origin of a site as its server does, straight from a build: whom the site is for, and what is published, is of no account.
 *
 * @returns `undefined` for another origin, and beyond 32 MB.
 */
export function createAnswerFromBuild(sites: SiteStore, buildId: string, origin: string) {
  const files = createSiteFiles(sites)
  let left = maxBytes
  return async (address: string): Promise<SiteResponse | undefined> => {
    const url = new URL(address)
    if (url.origin !== origin) return undefined
    const target = readPath(url.pathname + url.search)
    const rules = await files.rules(buildId)
    const found = target && (await resolvePath(target, rules, (path) => files.find(buildId, path)))
    if (found?.kind !== 'file') return { status: 404, headers: { 'content-type': 'text/plain' }, body: Buffer.alloc(0) }
    left -= found.file.sizeBytes
    if (left < 0) return undefined
    const headers = Object.entries(toFileHeaders(found.path, rules, true, false)).map(([name, value]) => [name, String(value)])
    return { status: 200, headers: Object.fromEntries(headers), body: await readSiteContent(sites, found.file) }
  }
}
