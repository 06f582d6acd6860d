import type { Diagnostic, Finding } from '../diagnostic/diagnostic.ts'
import { parseIgnoreFile } from '../docs/parse-ignore-file.ts'
import type { Files } from '../files/files.ts'
import { checkLinks, type LinkTargets } from '../site/check-links.ts'
import { listCrawlerFiles } from '../site/files/list-crawler-files.ts'
import { listRedirects } from '../site/files/list-redirects.ts'
import { renderHeaders } from '../site/files/render-headers.ts'
import { pageListPath, renderNotFound, renderPageList } from '../site/files/render-not-found.tsx'
import { listSettingLinks } from '../site/list-setting-links.ts'
import { type RenderedPage, renderSitePage, type SiteSource } from '../site/render-site-page.tsx'
import { resolveLink } from '../site/resolve-link.ts'
import type { SiteFile, SitePage } from '../site/types.ts'
import { joinPath } from '../text/relative-path.ts'
import { toSourceFile } from '../text/source-file.ts'
import type { UpdateEnvironment } from '../update/types.ts'
import { copyAssets, listPublicAssets } from './copy-assets.ts'
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
  const targets = await findLinkTargets(source, environment)
  const assets = new Set(listPublicAssets(targets.files))
  const findings: Finding[] = []
  for (const [index, page] of plan.pages.entries()) {
    if (index % 50 === 0) environment.onProgress?.(`rendering page ${index + 1} of ${plan.pages.length}`)
    if (page.externalUrl !== undefined) continue
    const rendered = renderSitePage(page, source)
    const checked = checkRendered(page, rendered, source, targets)
    findings.push(...rendered.findings, ...checked.findings)
    for (const asset of checked.assets) assets.add(asset)
    emitOnce({ path: page.route === '' ? 'index.html' : `${page.route}/index.html`, content: rendered.html })
    for (const file of rendered.attachments) emitOnce(file)
  }
  for (const href of listSettingLinks(plan.settings)) {
    const target = resolveLink(href, undefined, targets.hasPage)
    if (target.kind === 'file' && targets.files.has(target.path)) assets.add(target.path)
  }
  for (const file of source.files) emitOnce(file)
  for (const file of source.downloads.values()) emitOnce(file)
  for (const file of listRedirects(context)) emitOnce(file)
  for (const file of listCrawlerFiles(context)) emitOnce(file)
  emitOnce({ path: pageListPath, content: renderPageList(context) })
  emitOnce({ path: '404.html', content: renderNotFound(context) })
  emitOnce({ path: '_headers', content: renderHeaders(context.base, []) })
  // GitHub Pages would leave out what begins with `_`.
  emitOnce({ path: '.nojekyll', content: '' })
  environment.onProgress?.('copying files')
  findings.push(...(await copyAssets(root, assets, environment.files, emitOnce)))
  const found = await finish(findings)
  const operationCount = plan.pages.filter(({ subject }) => subject.kind === 'operation' || subject.kind === 'webhook').length
  return { diagnostics: [...diagnostics, ...found], pageCount: plan.pages.length, operationCount }
}

async function findLinkTargets({ context, root }: SiteSource, { files }: UpdateEnvironment): Promise<LinkTargets> {
  const prefix = root === '' ? '' : `${root}/`
  const listed = (await files.list(root)).map((path) => path.slice(prefix.length))
  const isIgnored = await readIgnored(root, files)
  const isPublic = (path: string) => !/(?:^|\/)\.(?!well-known\/)/.test(path) && !isIgnored(path)
  const sources = context.plan.settings.redirects.map(({ source }) => source.replace(/^\/+|\/+$/g, ''))
  const exact = new Set(sources)
  const patterns = sources.filter((source) => /[:*]/.test(source)).map((source) => source.replace(/[:*].*$/s, ''))
  return {
    hasPage: (route) => context.pageByRoute.has(route),
    routes: [...context.pageByRoute.keys()],
    files: new Set(listed.filter(isPublic)),
    isRedirected: (path) => exact.has(path) || patterns.some((start) => path.startsWith(start)),
  }
}

function checkRendered(page: SitePage, { links, files }: RenderedPage, { root, textOf }: SiteSource, targets: LinkTargets) {
  const prefix = root === '' ? '' : `${root}/`
  const texts = files.flatMap((file) => {
    const text = textOf(file.slice(prefix.length))
    return text === undefined ? [] : [{ file, text }]
  })
  return checkLinks(page, links, texts, targets)
}

async function readIgnored(root: string, files: Files): Promise<(path: string) => boolean> {
  const result = await files.read(joinPath(root, '.mintignore'))
  return parseIgnoreFile(result.kind === 'file' ? toSourceFile('', result.bytes).text : '')
}
