import { createSingleDocumentDocs } from '../../../src/cli/open/single-document.ts'
import type { CheckTerms } from '../../../src/docs/types.ts'
import { openDiskFiles } from '../../../src/files/disk-files.ts'
import type { Files } from '../../../src/files/files.ts'
import { hashContent } from '../../../src/files/output-folder.ts'
import { type BuiltSite, buildSite } from '../../../src/site/make/build-site.ts'
import { type ReadSiteOptions, readSite } from '../../../src/site/make/read-site.ts'
import type { EmitFile } from '../../../src/site/make/render-memory.ts'
import type { SitePlan } from '../../../src/site/plan/types.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { siteAssets } from './assets/site-assets.ts'

type SiteInMemory = BuiltSite & {
  readonly files: Readonly<Record<string, string>>
  readonly readPlan: () => Promise<SitePlan | undefined>
}

/** Builds a site from these files in memory, for an audience of their configuration. */
export async function siteOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<ReadSiteOptions> = {},
  audience?: string,
): Promise<SiteInMemory> {
  return buildInMemory(openDiskFiles(makeTemporaryFolder(files)), options, { audience })
}

/** Builds the site of a single document in memory. */
export async function siteOfDocument(name: string, text: string): Promise<SiteInMemory> {
  const bytes = new TextEncoder().encode(text)
  const alone: Files = {
    read: async (path) => (path === name ? { kind: 'file', bytes } : { kind: 'missing' }),
    list: async () => [name],
  }
  const { files, madeFiles } = await createSingleDocumentDocs(name, bytes, alone, '')
  return buildInMemory(files, { madeFiles })
}

async function buildInMemory(files: Files, options: Partial<ReadSiteOptions>, terms: CheckTerms = {}): Promise<SiteInMemory> {
  const emitted: Record<string, string> = {}
  const settings = { root: '', base: '/', url: undefined, assets: siteAssets, isPreview: false, ...options }
  const access = {
    files,
    fetchDocument: (url: string) =>
      Promise.resolve({ kind: 'failed' as const, code: 'url-unreachable' as const, reason: `no network for ${url}` }),
  }
  const emit: EmitFile = ({ path, content }) => {
    emitted[path] = typeof content === 'string' ? content : Buffer.from(content).toString()
    return hashContent(content)
  }
  const built = await buildSite(settings, access, emit, undefined, terms)
  return { ...built, files: emitted, readPlan: async () => (await readSite(settings, access, terms)).source?.context.plan }
}
