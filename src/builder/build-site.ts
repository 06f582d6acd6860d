import type { Diagnostic, Finding } from '../diagnostic/diagnostic.ts'
import { hashContent, type StandingFile } from '../files/output-folder.ts'
import type { FragmentLink } from '../site/check-links.ts'
import { listSettingLinks } from '../site/list-setting-links.ts'
import { createLlmsText } from '../site/markdown/render-llms-files.ts'
import { renderSitePage, type SiteSource } from '../site/render-site-page.tsx'
import { resolveLink } from '../site/resolve-link.ts'
import { renderSearchIndex } from '../site/search/render-search-index.ts'
import type { SearchEntry } from '../site/search/search-entry.ts'
import type { SiteFile, SitePage } from '../site/types.ts'
import type { UpdateEnvironment } from '../update/types.ts'
import { checkFragments, listIds } from './check-fragments.ts'
import { checkPageLinks } from './check-page-links.ts'
import { copyAssets, listPublicAssets } from './copy-assets.ts'
import { findLinkTargets } from './find-link-targets.ts'
import { listOtherFiles } from './list-other-files.ts'
import { createPageKeys } from './page-keys.ts'
import { type ReadSiteOptions, readSite } from './read-site.ts'
import type { RememberedFile, RememberedPage, RenderMemory } from './render-memory.ts'

export interface BuiltSite {
  readonly diagnostics: readonly Diagnostic[]
  readonly pageCount: number
  /** Pages about an operation or a webhook. */
  readonly operationCount: number
  /** Those with an address of their own, in the order of the navigation. */
  readonly pages: readonly BuiltPage[]
  /** What the next build may take over. */
  readonly memory: RenderMemory
}

export interface BuiltPage {
  /** `''` is the start page. Its Markdown is in `{route}.md`, that of the start page in `index.md`. */
  readonly route: string
  readonly title: string
  /** About an operation or a webhook. */
  readonly isOperation: boolean
}

/** Pages of an earlier build, for one that renders only what changed. */
export interface EarlierBuild {
  /** Names the program that renders: what another one made is not taken over. */
  readonly stamp: string
  readonly memory: RenderMemory
  /** Leaves files as they stand in the output; absent where one of them does not stand there. */
  readonly keep: (files: readonly RememberedFile[]) => readonly StandingFile[] | undefined
}

const nothingEarlier: EarlierBuild = { stamp: '', memory: new Map(), keep: () => undefined }

/**
 * Builds a whole site, file by file as they are made: `emit` is told each, no path twice. None where there is no `docs.json` that can be read.
 */
export async function buildSite(
  options: ReadSiteOptions,
  environment: UpdateEnvironment,
  emit: (file: SiteFile) => void,
  earlier: EarlierBuild = nothingEarlier,
): Promise<BuiltSite> {
  const { source, diagnostics, places, finish } = await readSite(options, environment)
  if (!source) return { diagnostics, pageCount: 0, operationCount: 0, pages: [], memory: new Map() }
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
  // Without a program that is known, nothing is remembered for the next build.
  const keyOf = earlier.stamp === '' ? () => undefined : createPageKeys(source, earlier.stamp)
  const memory = new Map<string, RememberedPage>()
  const entries: SearchEntry[] = []
  const llms = createLlmsText(context)
  const fragments: FragmentLink[] = []
  const ids = new Map<string, readonly string[]>()
  for (const [index, page] of plan.pages.entries()) {
    if (index % 50 === 0) environment.onProgress?.(`rendering page ${index + 1} of ${plan.pages.length}`)
    if (page.externalUrl !== undefined) continue
    const key = keyOf(page)
    const { remembered, readFile } =
      (key === undefined ? undefined : takeOver(page, key, source, earlier, taken)) ?? renderPage(page, key, source, emitOnce)
    if (key !== undefined) memory.set(page.route, remembered)
    const checked = checkPageLinks(page, { links: remembered.links, files: remembered.uses }, source, targets, places)
    findings.push(...remembered.findings, ...checked.findings)
    fragments.push(...checked.fragments)
    if (remembered.ids) ids.set(page.route, remembered.ids)
    for (const asset of checked.assets) assets.add(asset)
    const full = llms.add(page, readFile)
    if (full) emitOnce(full)
    if (remembered.search) entries.push(remembered.search)
  }
  const idsOf = (route: string) => {
    const page = context.pageByRoute.get(route)
    return ids.get(route) ?? (page && page.externalUrl === undefined ? listIds(renderSitePage(page, source).html) : [])
  }
  findings.push(...checkFragments(fragments, idsOf))
  for (const href of listSettingLinks(plan.settings)) {
    const target = resolveLink(href, undefined, targets.hasPage)
    if (target.kind === 'file' && targets.files.has(target.path)) assets.add(target.path)
  }
  for (const file of [...renderSearchIndex(entries), llms.last()]) emitOnce(file)
  for (const file of listOtherFiles(source)) emitOnce(file)
  environment.onProgress?.('copying files')
  findings.push(...(await copyAssets(root, assets, environment.files, emitOnce)))
  const found = await finish(findings)
  const isOperation = ({ subject }: SitePage) => subject.kind === 'operation' || subject.kind === 'webhook'
  const pages = plan.pages
    .filter(({ externalUrl }) => externalUrl === undefined)
    .map((page) => ({ route: page.route, title: page.title, isOperation: isOperation(page) }))
  const operationCount = plan.pages.filter(isOperation).length
  return { diagnostics: [...diagnostics, ...found], pageCount: plan.pages.length, operationCount, pages, memory }
}

interface PageOfBuild {
  readonly remembered: RememberedPage
  /** A file of the page; absent where it has none such, or another page had it first. */
  readonly readFile: (path: string) => string | Uint8Array | undefined
}

/** What was remembered of a page, where it would be rendered the same and its files stand in the output. */
function takeOver(
  { route }: SitePage,
  key: string,
  { root, textOf }: SiteSource,
  { memory, keep }: EarlierBuild,
  taken: Set<string>,
): PageOfBuild | undefined {
  const known = memory.get(route)
  if (known?.key !== key || known.texts !== hashTexts(known.uses, root, textOf)) return undefined
  // Several pages may have the same file beside them.
  const files = known.files.filter(({ path }) => !taken.has(path.toLowerCase()))
  const standing = keep(files)
  if (!standing) return undefined
  for (const { path } of files) taken.add(path.toLowerCase())
  return { remembered: withoutStamps(known), readFile: (path) => standing.find((file) => file.path === path)?.read() }
}

function renderPage(page: SitePage, key = '', source: SiteSource, emit: (file: SiteFile) => void): PageOfBuild {
  const { html, attachments, findings, links, search, files: uses } = renderSitePage(page, source)
  const files = [{ path: page.route === '' ? 'index.html' : `${page.route}/index.html`, content: html }, ...attachments]
  for (const file of files) emit(file)
  const remembered = {
    key,
    texts: hashTexts(uses, source.root, source.textOf),
    uses,
    links,
    findings,
    search,
    // Pages of operations are long, and few links lead into them: they are looked at when one does.
    ...('source' in page.subject ? {} : { ids: listIds(html) }),
    files: files.map(({ path, content }) => ({ path, hash: hashContent(content) })),
  }
  return { remembered, readFile: (path) => attachments.find((file) => file.path === path)?.content }
}

/** Stamps are of an earlier build; those of this one are read when it is done. */
function withoutStamps({ files, ...page }: RememberedPage): RememberedPage {
  return { ...page, files: files.map(({ path, hash }) => ({ path, hash })) }
}

function hashTexts(files: readonly string[], root: string, textOf: SiteSource['textOf']): string {
  const prefix = root === '' ? '' : `${root}/`
  return hashContent(JSON.stringify(files.map((file) => textOf(file.slice(prefix.length)) ?? null)))
}
