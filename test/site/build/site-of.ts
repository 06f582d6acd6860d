import { openDiskFiles } from '../../../src/files/disk-files.ts'
import { hashContent } from '../../../src/files/output-folder.ts'
import { type BuiltSite, buildSite } from '../../../src/site/build/build-site.ts'
import type { ReadSiteOptions } from '../../../src/site/build/read-site.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { siteAssets } from './site-assets.ts'

/** Builds a site from these files in memory. */
export async function siteOf(
  files: Readonly<Record<string, string>>,
  options: Partial<ReadSiteOptions> = {},
): Promise<BuiltSite & { readonly files: Readonly<Record<string, string>> }> {
  const emitted: Record<string, string> = {}
  const built = await buildSite(
    { root: '', base: '/', url: undefined, assets: siteAssets, isPreview: false, ...options },
    {
      files: openDiskFiles(makeTemporaryFolder(files)),
      fetchDocument: (url) => Promise.resolve({ kind: 'failed', code: 'url-unreachable', reason: `no network for ${url}` }),
    },
    ({ path, content }) => {
      emitted[path] = String(content)
      return hashContent(content)
    },
  )
  return { ...built, files: emitted }
}
