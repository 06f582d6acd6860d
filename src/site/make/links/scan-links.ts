import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { type DocsDirectoryLinks, listPages, type Survey } from '../../../docs/check/survey-docs-directory.ts'
import { listEntries } from '../../../docs/navigation/docs-config.ts'
import type { CheckTerms, DocsAccess, Reporting } from '../../../docs/types.ts'
import { cacheFileLists } from '../../../files/files.ts'
import { getOrMake, onceFor } from '../../../text/plain/lists.ts'
import { isPageFile, joinPath } from '../../../text/plain/paths.ts'
import { describeUnnamedImages, listWrittenUrls } from '../../../text/plain/scan-markdown.ts'
import { markdownToNodes } from '../../content/mdx-reader.ts'
import { listPageFiles, listWrittenIds } from '../../content/page-urls.ts'
import { checkContent } from '../../page/components/check-content.ts'
import { listPageIds } from '../../page/output/page-body.tsx'
import { noAssets, readContent, type SiteSource } from '../../page/site-context.ts'
import { checkSettingLinks, type FragmentLink, type LinkTargets } from '../../plan/checks/check-links.ts'
import { reportOnce } from '../../plan/checks/report-once.ts'
import { isImagePath } from '../../plan/icon-sets.ts'
import type { SitePage } from '../../plan/types.ts'
import { listPublicAssets, reportRefused } from '../assets/copy-assets.ts'
import { type ReadSiteOptions, readSite } from '../read-site.ts'
import { checkFragments, checkPageLinks, findLinkTargets, hasFragment } from './link-checks.ts'
import type { DescriptionLocations } from './locate-in-descriptions.ts'

export interface LinkCheckOptions extends Pick<ReadSiteOptions, 'knowsIcons'> {
  /** Whether a page is checked that consists of these files, relative to the boundary. Of other pages, only links are checked, and only if their text has a broken one. */
  readonly isChecked?: (files: readonly string[]) => boolean
}

/**
 * Checks what a build checks in the files of a docs directory: settings, the content of pages, links, fragments, images and redirects. Parses pages, and renders
 * only API pages that links with a fragment lead to, because no plan has their elements.
 */
export async function checkLinks(
  survey: Survey,
  given: DocsAccess,
  terms: CheckTerms,
  reporting: Reporting,
  { isChecked = () => true, knowsIcons = true }: LinkCheckOptions = {},
): Promise<DocsDirectoryLinks> {
  const { root, docsConfig } = survey
  if (!docsConfig) return { documents: [], findings: [], sourceOf: survey.sourceOf }
  const access = { ...given, files: cacheFileLists(given.files) }
  reporting.onProgress?.('checking links')
  const options = { root, base: '/', url: undefined, assets: noAssets, isPreview: false, knowsIcons }
  const site = await readSite(options, access, terms, reporting)
  const { documents, source, sourceOf, places, settingLinks, isTraffic } = site
  const unnamed = reportUnnamedImages(survey, listPages(survey, listEntries(docsConfig)))
  if (!source) return { documents, findings: [...site.findings.map(toSourceFinding), ...unnamed], sourceOf }
  const targets = await findLinkTargets(source, access.files, { reportsDirectories: true })
  const { contents, links, assets } = checkPages(source, targets, isChecked)
  const paths = [...new Set([...listPublicAssets(targets.files), ...assets])]
  const refused = await reportRefused(paths, { root, files: access.files, isTraffic })
  const findings = [
    ...unnamed,
    ...refused,
    ...[...site.findings, ...reportOnce(contents, []).map(places.ofFinding)].map(toSourceFinding),
    ...checkDescriptionLinks(source, places, targets),
    ...links,
    ...checkSettingLinks(settingLinks, targets),
  ]
  return { documents, findings, sourceOf }
}

/** Checks the content and the links of pages as a build does. Reports each URL in a file once, as several pages can include the file. */
function checkPages(source: SiteSource, targets: LinkTargets, isChecked: (files: readonly string[]) => boolean) {
  const { root, context } = source
  const { pages, pageByRoute } = context.plan
  const textOf = (path: string) => source.textOf(joinPath(root, path))
  const contentOf = onceFor((page: SitePage) => {
    const { nodes, findings, uses } = readContent(page, source)
    const files = [joinPath(root, page.path ?? ''), ...uses]
    const content = { nodes: [...markdownToNodes(page.description ?? ''), ...nodes], findings }
    const checked = checkContent(content, source)
    const icons = page.icon !== undefined && isImagePath(page.icon) ? [page.icon] : []
    return { ...checked, links: [...icons, ...checked.links], ids: [...checked.ids], files }
  })
  const idsOf = onceFor((page: SitePage) => (page.subject.kind === 'guide' ? contentOf(page).ids : listPageIds(page, source)))
  const idsOfRoute = (route: string) => {
    const page = pageByRoute.get(route)
    return page && page.externalUrl === undefined ? idsOf(page) : []
  }
  const writtenIdsOf = onceFor((page: SitePage) =>
    listPageFiles(page.path ?? '', textOf).flatMap((file) => listWrittenIds(textOf(file) ?? '')),
  )
  const tried = new Set<string>()
  const hasBroken = (page: SitePage, files: readonly string[]) => {
    const links = files.filter((file) => !tried.has(file)).flatMap((file) => listWrittenUrls(source.textOf(file) ?? ''))
    for (const file of files) tried.add(file)
    const hrefs = new Set(links.map(({ href }) => href))
    const { findings, fragments } = checkPageLinks(page, { links: [...hrefs], files }, source, targets)
    const isMissing = ({ route, id }: FragmentLink) => {
      const target = pageByRoute.get(route)
      return !target || !(hasFragment(id, writtenIdsOf(target)) || hasFragment(id, idsOfRoute(route)))
    }
    return findings.length > 0 || fragments.some(isMissing)
  }
  const contents: Finding[] = []
  const found: Finding[] = []
  const fragments: FragmentLink[] = []
  const assets: string[] = []
  for (const page of pages) {
    if (page.path === undefined || page.externalUrl !== undefined) continue
    const files = listPageFiles(page.path, textOf).map((file) => joinPath(root, file))
    const isOpen = isChecked(files)
    if (!isOpen && !hasBroken(page, files)) continue
    const content = contentOf(page)
    const checked = checkPageLinks(page, content, source, targets)
    if (isOpen) contents.push(...content.findings)
    found.push(...checked.findings)
    fragments.push(...checked.fragments)
    assets.push(...checked.assets)
  }
  const links = new Map<string, Finding>()
  for (const finding of [...found, ...checkFragments(fragments, idsOfRoute)]) {
    const { start, end } = finding.offsets ?? { start: 0, end: 0 }
    const key = `${finding.file}\0${source.textOf(finding.file)?.slice(start, end) || finding.message}`
    if (!links.has(key)) links.set(key, finding)
  }
  return { contents, links: [...links.values()], assets }
}

/** Checks the links in the descriptions of documents, each once. Does not check whether the page of a link has its fragment. */
function checkDescriptionLinks(source: SiteSource, places: DescriptionLocations, targets: LinkTargets): Finding[] {
  const links = new Map<string, { readonly page: SitePage; readonly href: string }>()
  for (const link of places.listLinks())
    getOrMake(links, link.href.startsWith('/') ? link.href : `${link.page.route}\0${link.href}`, () => link)
  return [...links.values()].flatMap(
    ({ page, href }) => checkPageLinks(page, { links: [href], files: [] }, source, targets, places).findings,
  )
}

/** Problems that only sites of this project have. They warn about them, and another host may serve the docs. */
const ofOwnSites: ReadonlySet<Finding['code']> = new Set([
  // Another host may have other icons.
  'icon-unknown',
  'unread-expression',
  'refused-html',
  'style-refused',
])

function toSourceFinding(finding: Finding): Finding {
  const isRestriction = finding.code === 'content-restricted' && finding.severity === undefined
  return isRestriction || ofOwnSites.has(finding.code) ? { ...finding, severity: 'info' } : finding
}

/** Reports images without alternative text once in each page or snippet. */
function reportUnnamedImages({ root, docsFiles }: Survey, pages: readonly string[]): Finding[] {
  const textOf = (path: string) => docsFiles.pages.get(path)
  const files = new Set(pages.flatMap((page) => listPageFiles(page, textOf)).filter(isPageFile))
  return [...files].flatMap((file): Finding[] => {
    const found = describeUnnamedImages(textOf(file) ?? '')
    return found ? [{ code: 'image-alt', ...found, file: joinPath(root, file), pointer: '' }] : []
  })
}
