import type { Diagnostic, Finding } from '../diagnostic/diagnostic.ts'
import { listSettingLinks } from '../site/list-setting-links.ts'
import { createLlmsText } from '../site/markdown/render-llms-files.ts'
import { renderSitePage } from '../site/render-site-page.tsx'
import { resolveLink } from '../site/resolve-link.ts'
import { renderSearchIndex } from '../site/search/render-search-index.ts'
import type { SearchEntry } from '../site/search/search-entry.ts'
import type { SiteFile } from '../site/types.ts'
import type { UpdateEnvironment } from '../update/types.ts'
import { checkPageLinks } from './check-page-links.ts'
import { copyAssets, listPublicAssets } from './copy-assets.ts'
import { findLinkTargets } from './find-link-targets.ts'
import { listOtherFiles } from './list-other-files.ts'
import { type ReadSiteOptions, readSite } from './read-site.ts'

export interface BuiltSite {
  readonly diagnostics: readonly Diagnostic[]
  readonly pageCount: number
  /** Pages about an operation or a webhook. */
  readonly operationCount: number
}

/**
 * Builds a whole site, file by file as they are made: `emit` is told each, no path twice. None where there is no `docs.json` that can be read.
 */
export async function buildSite(
  options: ReadSiteOptions,
  environment: UpdateEnvironment,
  emit: (file: SiteFile) => void,
): Promise<BuiltSite> {
  const { source, diagnostics, finish } = await readSite(options, environment)
  if (!source) return { diagnostics, pageCount: 0, operationCount: 0 }
  const { context, root } = source
  const { plan } = context
  const taken = new Set<string>()
  // Two pages whose address differs in case have been told by the check of docs.json; the first one is there.
  const emitOnce = (file: SiteFile) => {
    const key = file.path.toLowerCase()
    if (!taken.has(key)) emit(file)
    taken.add(key)
  }
  const targets = await findLinkTargets(source, environment.files)
  const assets = new Set(listPublicAssets(targets.files))
  const findings: Finding[] = []
  const entries: SearchEntry[] = []
  const llms = createLlmsText(context)
  for (const [index, page] of plan.pages.entries()) {
    if (index % 50 === 0) environment.onProgress?.(`rendering page ${index + 1} of ${plan.pages.length}`)
    if (page.externalUrl !== undefined) continue
    const rendered = renderSitePage(page, source)
    const checked = checkPageLinks(page, rendered, source, targets)
    findings.push(...rendered.findings, ...checked.findings)
    for (const asset of checked.assets) assets.add(asset)
    emitOnce({ path: page.route === '' ? 'index.html' : `${page.route}/index.html`, content: rendered.html })
    for (const file of rendered.attachments) emitOnce(file)
    llms.add(page, rendered.attachments)
    if (rendered.search) entries.push(rendered.search)
  }
  for (const href of listSettingLinks(plan.settings)) {
    const target = resolveLink(href, undefined, targets.hasPage)
    if (target.kind === 'file' && targets.files.has(target.path)) assets.add(target.path)
  }
  for (const file of [...renderSearchIndex(entries), ...llms.files()]) emitOnce(file)
  for (const file of listOtherFiles(source)) emitOnce(file)
  environment.onProgress?.('copying files')
  findings.push(...(await copyAssets(root, assets, environment.files, emitOnce)))
  const found = await finish(findings)
  const operationCount = plan.pages.filter(({ subject }) => subject.kind === 'operation' || subject.kind === 'webhook').length
  return { diagnostics: [...diagnostics, ...found], pageCount: plan.pages.length, operationCount }
}
