import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { CheckTerms, DocsAccess, Reporting } from '../../docs/types.ts'
import { cacheFileLists } from '../../files/files.ts'
import { getOrMake, lazy } from '../../text/plain/lists.ts'
import { joinPath } from '../../text/plain/paths.ts'
import { loadMessages } from '../messages/load-messages.ts'
import { listIds } from '../page/element-ids.ts'
import { createLlmsText, type LlmsFile, renderLlmsFile } from '../page/markdown/llms-files.ts'
import { renderSitePage } from '../page/output/render-site-page.tsx'
import type { SearchEntry } from '../page/search/search-entry.ts'
import { renderSearchIndex } from '../page/search/search-index.ts'
import { planSearchScopes } from '../page/search-scopes.ts'
import type { ImageSize, SiteSource } from '../page/site-context.ts'
import { listIconImages } from '../plan/checks/check-icons.ts'
import { checkSettingLinks, type FragmentLink, type LinkTargets } from '../plan/checks/check-links.ts'
import { reportOnce } from '../plan/checks/report-once.ts'
import { listSettingLinks, resolveLink } from '../plan/site-links.ts'
import type { SitePage, SitePlan } from '../plan/types.ts'
import { createAssetCopies, listPublicAssets } from './assets/copy-assets.ts'
import { findNamedImages } from './assets/read-image-sizes.ts'
import { collectFiles } from './collect-files.ts'
import type { DocumentConversion } from './documents/convert-document.ts'
import { guardOutput } from './guard-output.ts'
import { checkFragments, checkPageLinks, findLinkTargets } from './links/link-checks.ts'
import type { DescriptionLocations } from './links/locate-in-descriptions.ts'
import { loadCode } from './load-code.ts'
import { createPageKeys } from './page-keys.ts'
import { prepareContextFiles } from './publish-files.ts'
import { type ReadSite, type ReadSiteOptions, readSite } from './read-site.ts'
import {
  type EarlierBuild,
  type EmitFile,
  emptyMemory,
  noEarlierBuild,
  type RememberedPage,
  type RenderMemory,
} from './render-memory.ts'
import {
  createEarlierTexts,
  createFileGroups,
  findKnownIds,
  findOwnMarkdown,
  recordPage,
  reuseEarlierPage,
} from './reuse-pages.ts'

export interface BuiltSite extends Pick<ReadSite, 'diagnostics' | 'documents' | 'sourceOf'> {
  /** False without a readable `docs.json`, or if files of the site conflict: the site must not be published. */
  readonly isComplete: boolean
  readonly pageCount: number
  /** Number of pages for operations and webhooks, without those of operations with `x-hidden`. */
  readonly operationCount: number
  /** Pages with their own URL, in navigation order. */
  readonly pages: readonly BuiltPage[]
  /** Data for reusing pages in the next build. */
  readonly memory: RenderMemory
}

export interface BuiltPage {
  /** `''` for the start page. The Markdown is in `{route}.md`, or in `index.md` for the start page. */
  readonly route: string
  readonly title: string
  /** `operation`: also a webhook. */
  readonly kind: 'operation' | 'changelog' | 'other'
}

const emptySite = { isComplete: false, pageCount: 0, operationCount: 0, pages: [], memory: emptyMemory }

/**
 * Builds a complete site. Passes each file to `given` once, as soon as it is generated. Emits nothing without a readable
 * `docs.json`.
 */
export async function buildSite(
  options: ReadSiteOptions,
  access: DocsAccess,
  given: EmitFile,
  last: EarlierBuild = noEarlierBuild,
  terms: CheckTerms = {},
  { onProgress }: Reporting = {},
): Promise<BuiltSite> {
  const reading = { ...options, loadTexts: loadMessages }
  const site = await readSite(reading, { ...access, files: cacheFileLists(access.files) }, terms, { onProgress })
  const { source: read, diagnostics, places, finish, settingLinks, limits, documents } = site
  const sourceOf = (file: string) => documents.flatMap(({ check }) => check.sources.get(file) ?? [])[0]
  if (!read) return { ...emptySite, diagnostics, documents, sourceOf }
  const { root } = read
  const { plan } = read.context
  const { emit, earlier } = await guardOutput(site, given, last)
  const collected = collectFiles(emit, earlier.keep)
  const output = collected.from({})
  // Before files of the repository: pages can link to a document, whose overlays and restricted parts count.
  for (const file of read.documentFiles) collected.from({ name: 'an OpenAPI document' }).emit(file)
  const targets = await findLinkTargets(read, site.files)
  const images = findNamedImages(
    targets.files,
    plan.pages.flatMap(({ path }) => (path === undefined ? [] : (read.textOf(joinPath(root, path)) ?? []))),
  )
  const assetFiles = collected.from({ name: 'a file of the docs directory' })
  const copies = createAssetCopies(
    { root, files: site.files, limits, images: new Set(images), isTraffic: site.isTraffic, emit: assetFiles.emit },
    { ...earlier, keep: assetFiles.keep },
  )
  onProgress?.('copying files')
  await copies.copy(listPublicAssets(targets.files))
  const imageSizes = await readSizes(images, copies)
  const groups = createFileGroups(earlier, output.keep, output.emit)
  const otherFormats = await convertDocuments(site, groups)
  const source: SiteSource = { ...read, otherFormats, context: { ...read.context, media: { ...read.context.media, imageSizes } } }
  // Without a stamp of the program, nothing is recorded for the next build.
  const keyOf = earlier.stamp === '' ? () => undefined : createPageKeys(source, earlier.stamp, site.documents)
  const rendered = new Map<string, RememberedPage>()
  const llms = createLlmsText(source.context)
  const earlierText = createEarlierTexts(earlier)
  const addTexts = async (file: LlmsFile) => {
    const routes = file.texts.map(({ page }) => page.route)
    const contents = () => [file.path, file.start, file.end, routes.map((route) => [route, rendered.get(route)?.text.hash])]
    const pages = { routes, startLength: file.start.length }
    await groups.add(file.path, contents, async () => [await renderLlmsFile(file)], pages)
  }
  const loadSiteCode = lazy(() => loadCode(site.pageTexts))
  const render = async (page: SitePage) => {
    await loadSiteCode()
    return renderSitePage(page, source)
  }
  for (const [index, page] of plan.pages.entries()) {
    if (index % 50 === 0) onProgress?.(`rendering page ${index + 1} of ${plan.pages.length}`)
    if (page.externalUrl !== undefined) continue
    const key = keyOf(page)
    const ofPage = collected.from({ page })
    const known = key === undefined ? undefined : reuseEarlierPage(page, key, source, earlier.memory, ofPage.keep)
    const made = known ? undefined : await render(page)
    const remembered = made ? recordPage(page, key, source, made, ofPage.emit) : known
    if (!remembered) continue
    rendered.set(page.route, remembered)
    // Not taken from `made`, so that those texts can be garbage-collected.
    const markdown = made && findOwnMarkdown(page, made, source)
    const readText = async () => markdown ?? earlierText(page.route) ?? findOwnMarkdown(page, await render(page), source)
    llms.add({ page, length: remembered.text.length, read: readText })
  }
  await addTexts(llms.toFile())
  const { findings, fragments, assets } = checkRenderedPages(rendered, source, targets, places)
  await addTargetIds(fragments, rendered, earlier.memory, async (route) => {
    const page = source.context.plan.pageByRoute.get(route)
    return page ? listIds((await render(page)).html) : []
  })
  for (const [scope, entries] of listSearchEntries(plan, rendered).entries()) {
    await groups.add(
      `search ${scope}`,
      () => entries,
      async () => renderSearchIndex(entries, scope),
    )
  }
  for (const file of source.files) output.emit(file)
  const { contents, make } = prepareContextFiles(source)
  await groups.add('context', contents, async () => make())
  await copies.copy([...assets.keys(), ...site.customAssets])
  findings.push(...checkFragments(fragments, (route) => rendered.get(route)?.ids ?? []))
  const conflicts = collected.findConflicts((path) => joinPath(root, path))
  const refused = copies.findings((path) => assets.get(path) ?? [])
  findings.push(...checkSettingLinks(settingLinks, targets), ...refused, ...conflicts)
  const found = await finish(reportOnce(findings, diagnostics))
  const pages = new Map([...rendered].filter(([, { key }]) => key !== ''))
  const memory = { pages, groups: groups.remembered(), assets: copies.remembered() }
  const isComplete = conflicts.length === 0 && !copies.isTooLarge()
  return { ...summarize(plan), isComplete, diagnostics: [...diagnostics, ...found], memory, documents, sourceOf }
}

/** The display sizes of images, as far as they are known. */
async function readSizes(paths: readonly string[], { sizeOf }: Pick<ReturnType<typeof createAssetCopies>, 'sizeOf'>) {
  const sizes = new Map<string, ImageSize>()
  for (const path of paths) {
    const size = await sizeOf(path)
    if (size) sizes.set(path, size)
  }
  return sizes
}

/** Publishes documents in the other format too. Returns the output paths by the paths of the originals. */
async function convertDocuments(
  { conversions, standardDocument }: Pick<ReadSite, 'conversions' | 'standardDocument'>,
  groups: ReturnType<typeof createFileGroups>,
): Promise<ReadonlyMap<string, string>> {
  const convertDocument = ({ entryPath, path, hash, isTooLarge, convert }: DocumentConversion) =>
    groups.add(
      `conversion ${path}`,
      () => [entryPath, hash()],
      async () => (isTooLarge() ? [] : [convert()]),
    )
  const otherFormats = new Map<string, string>()
  for (const conversion of conversions) {
    const files = await convertDocument(conversion)
    if (files.length > 0) otherFormats.set(conversion.entryPath, conversion.path)
  }
  if (standardDocument) await convertDocument(standardDocument)
  return otherFormats
}

/** Checks the links of all pages, and lists the files of the docs directory that pages and settings need, with these pages. */
function checkRenderedPages(
  rendered: ReadonlyMap<string, RememberedPage>,
  source: SiteSource,
  targets: LinkTargets,
  places: DescriptionLocations,
) {
  const { plan } = source.context
  const findings: Finding[] = []
  const fragments: FragmentLink[] = []
  const assets = new Map<string, string[]>()
  for (const page of plan.pages) {
    const remembered = rendered.get(page.route)
    if (!remembered) continue
    const checked = checkPageLinks(page, { links: remembered.links, files: remembered.uses }, source, targets, places)
    findings.push(...remembered.findings, ...checked.findings)
    fragments.push(...checked.fragments)
    for (const asset of checked.assets) getOrMake(assets, asset, () => []).push(page.path ?? page.route)
  }
  for (const href of [...listSettingLinks(plan.settings), ...listIconImages(plan)]) {
    const target = resolveLink(href, undefined, targets)
    if (target.kind === 'file' && targets.files.has(target.path)) getOrMake(assets, target.path, () => [])
  }
  return { findings, fragments, assets }
}

/** Adds the IDs of elements to pages with links to them. */
async function addTargetIds(
  fragments: readonly FragmentLink[],
  rendered: Map<string, RememberedPage>,
  earlier: RenderMemory,
  listIdsOf: (route: string) => Promise<readonly string[]>,
): Promise<void> {
  for (const { route } of fragments) {
    const known = rendered.get(route)
    if (!known || known.ids) continue
    const ids = findKnownIds(known, earlier.pages.get(route)) ?? (await listIdsOf(route))
    rendered.set(route, { ...known, ids })
  }
}

function listSearchEntries(plan: SitePlan, rendered: ReadonlyMap<string, RememberedPage>): SearchEntry[][] {
  const { count, scopesOf } = planSearchScopes(plan)
  const entries: SearchEntry[][] = Array.from({ length: count }, () => [])
  for (const page of plan.pages) {
    const search = rendered.get(page.route)?.search
    if (search) for (const scope of scopesOf(page)) entries[scope]?.push(search)
  }
  return entries
}

function summarize({ pages }: SitePlan): Pick<BuiltSite, 'pageCount' | 'operationCount' | 'pages'> {
  return {
    pageCount: pages.length,
    operationCount: pages.filter((page) => toPageKind(page) === 'operation' && !page.isUnlisted).length,
    pages: pages
      .filter(({ externalUrl }) => externalUrl === undefined)
      .map((page) => ({ route: page.route, title: page.title, kind: toPageKind(page) })),
  }
}

function toPageKind({ subject: { kind } }: SitePage): BuiltPage['kind'] {
  if (kind === 'changelog') return kind
  return kind === 'operation' || kind === 'webhook' ? 'operation' : 'other'
}
