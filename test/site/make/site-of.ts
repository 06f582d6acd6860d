import { createSingleDocumentDocs } from '../../../src/cli/open/single-document.ts'
import { openDiskFiles } from '../../../src/files/disk-files.ts'
import type { Files } from '../../../src/files/files.ts'
import { hashContent } from '../../../src/files/output-folder.ts'
import { type BuiltSite, buildSite } from '../../../src/site/make/build-site.ts'
import type { ReadSiteOptions } from '../../../src/site/make/read-site.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { siteAssets } from './assets/site-assets.ts'

type SiteInMemory = BuiltSite & { readonly files: Readonly<Record<string, string>> }

/** Builds a site from these files in memory. */
export async function siteOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<ReadSiteOptions> = {},
): Promise<SiteInMemory> {
  return buildInMemory(openDiskFiles(makeTemporaryFolder(files)), options)
}

/** Builds the site of a single document in memory. */
export async function siteOfDocument(name: string, text: string): Promise<SiteInMemory> {
  const disk = openDiskFiles(makeTemporaryFolder({ [name]: text }))
  const { files, madeFiles } = await createSingleDocumentDocs(name, new TextEncoder().encode(text), disk, '')
  return buildInMemory(files, { madeFiles })
}

async function buildInMemory(files: Files, options: Partial<ReadSiteOptions>): Promise<SiteInMemory> {
  const emitted: Record<string, string> = {}
  const built = await buildSite(
    { root: '', base: '/', url: undefined, assets: siteAssets, isPreview: false, ...options },
    {
      files,
      fetchDocument: (url) => Promise.resolve({ kind: 'failed', code: 'url-unreachable', reason: `no network for ${url}` }),
    },
    ({ path, content }) => {
      emitted[path] = typeof content === 'string' ? content : Buffer.from(content).toString()
      return hashContent(content)
    },
  )
  return { ...built, files: emitted }
}
