import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { listPages, type Survey } from '../../../docs/check/survey-docs-directory.ts'
import { listEntries, readRedirects } from '../../../docs/navigation/docs-config.ts'
import { toRoute, withoutPageExtension } from '../../../docs/pages/generated-page.ts'
import type { CheckTerms, DocsAccess, Reporting } from '../../../docs/types.ts'
import { cacheFileLists, type Files } from '../../../files/files.ts'
import { listStrings } from '../../../text/json/json-values.ts'
import { getOrMake } from '../../../text/plain/lists.ts'
import { isPageFile, joinPath } from '../../../text/plain/paths.ts'
import { describeUnnamedImages, listWrittenUrls } from '../../../text/plain/scan-markdown.ts'
import { listPageFiles, listWrittenIds } from '../../content/page-urls.ts'
import { checkContent } from '../../page/components/check-content.ts'
import { type AssetPaths, readContent, type SiteSource } from '../../page/site-context.ts'
import type { SettingLink } from '../../plan/check-settings.ts'
import type { LinkTargets } from '../../plan/checks/check-links.ts'
import { reportOnce } from '../../plan/checks/report-once.ts'
import { assetType } from '../../plan/file-types.ts'
import { resolveLink } from '../../plan/site-links.ts'
import { listPublicAssets, reportRefused } from '../assets/copy-assets.ts'
import { readScripts } from '../read-scripts.ts'
import { readSite } from '../read-site.ts'
import { checkPageLinks, findLinkTargets } from './link-checks.ts'
import { toLinkTargets } from './link-targets.ts'
import type { DescriptionLocations } from './locate-in-descriptions.ts'
import { hasFragment, isSuspect, type LinkCheck, type SuspectUrl } from './suspect-urls.ts'

/**
 * Checks what a build checks in the files of a docs directory: settings, the content of pages, links, fragments, images and redirects. Most link targets are
 * found in the texts of pages, which takes little time. Pages with another URL are rendered, so that only the links that a page really has are reported.
 *
 * @param isChecked Whether the content of a page is checked that consists of these files, relative to the boundary.
 */
export async function checkLinks(
  survey: Survey,
  given: DocsAccess,
  terms: CheckTerms,
  reporting: Reporting,
  isChecked: (files: readonly string[]) => boolean = () => true,
): Promise<LinkCheck> {
  const { root, docsConfig, docsFiles } = survey
  if (!docsConfig) return { findings: [], sourceOf: survey.sourceOf }
  const access = { ...given, files: cacheFileLists(given.files) }
  reporting.onProgress?.('checking links')
  const scripts = await readScripts(root, docsFiles.pages, access.files, survey.config.limits)
  const textOf = (path: string) => docsFiles.pages.get(path) ?? scripts.get(path)
  const entries = listEntries(docsConfig)
  const pages = listPages(survey, entries)
  const byEntry = new Map(pages.map((path) => [withoutPageExtension(path), path]))
  const inOrder = entries.flatMap((entry) => byEntry.get(entry.path) ?? [])
  const pathByRoute = new Map([...inOrder, ...pages].map((path) => [toRoute(path), path]))
  const targets = await toLinkTargets(
    {
      root,
      base: docsConfig.base,
      routes: pathByRoute,
      redirects: readRedirects(docsConfig),
      documents: new Set(),
      unreadable: [],
      firstPages: pathByRoute.keys(),
      reportsDirectories: true,
    },
    access.files,
  )
  const urlsOf = remember((file: string) => listWrittenUrls(textOf(file) ?? ''))
  const texts = { pages, pathByRoute, textOf, urlsOf, targets }
  const suspects = findSuspects(texts)
  const site = await readSite({ root, base: '/', url: undefined, assets: noAssets, isPreview: false }, access, terms, reporting)
  const { sourceOf } = site
  const suspectPages = new Set(suspects.map(({ page }) => joinPath(root, page)))
  const source = site.source && rememberPages(site.source, suspectPages)
  const findings: Finding[] = [
    ...reportUnnamedImages(texts, root),
    ...(await reportRefused(root, listAssets(texts), access.files)),
    ...[...site.findings, ...(source ? checkContents(source, isChecked).map(site.places.ofFinding) : [])].map(toSourceFinding),
  ]
  if (source) findings.push(...(await checkDescriptionLinks(source, site.places, access.files)))
  const isOpen = ({ href }: SettingLink) => isSuspect(href, undefined, targets)
  if (!source || (suspects.length === 0 && !site.settingLinks.some(isOpen))) return { findings, sourceOf }
  const { checkSuspects } = await import('./check-site.ts')
  return { findings: [...findings, ...(await checkSuspects(source, suspects, site.settingLinks, access.files))], sourceOf }
}

/** No file of a site is needed for its checks. */
const noAssets: AssetPaths = { stylesheet: '', theme: '', page: '', oauth: '', diagrams: '', feedback: '', playground: '' }

/** Keeps these pages when they are parsed, because their links are checked, too. */
function rememberPages(source: SiteSource, files: ReadonlySet<string>): SiteSource {
  const known = new Map<string, ReturnType<SiteSource['reader']['readPage']>>()
  const readPage: SiteSource['reader']['readPage'] = (file, text) =>
    files.has(file) ? getOrMake(known, file, () => source.reader.readPage(file, text)) : source.reader.readPage(file, text)
  return { ...source, reader: { readPage } }
}

/** Checks the content of pages as a build does. */
function checkContents(source: SiteSource, isChecked: (files: readonly string[]) => boolean): Finding[] {
  const { plan, media } = source.context
  const textOf = (path: string) => source.textOf(joinPath(source.root, path))
  const found = plan.pages.flatMap((page) => {
    const { path = '' } = page
    const files = path === '' ? [] : listPageFiles(path, textOf).map((file) => joinPath(source.root, file))
    if (page.externalUrl !== undefined || !isChecked(files)) return []
    const texts = files.map((file) => ({ file, text: source.textOf(file) ?? '' }))
    return checkContent(readContent(page, source), texts, { icons: media.icons, plan })
  })
  return reportOnce(found, [])
}

/** Checks the links in the descriptions of documents, each once. Does not check whether the page of a link has its fragment. */
async function checkDescriptionLinks(source: SiteSource, places: DescriptionLocations, files: Files): Promise<Finding[]> {
  const targets = await findLinkTargets(source, files, { reportsDirectories: true })
  const known = new Set<string>()
  return places.listLinks().flatMap(({ page, href }) => {
    const key = href.startsWith('/') ? href : `${page.route}\0${href}`
    const isNew = known.size < known.add(key).size
    if (!isNew || !isSuspect(href, page, targets)) return []
    return checkPageLinks(page, { links: [href], files: [] }, source, targets, places).findings
  })
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
  const isRestriction = finding.code === 'content-restricted' && finding.severity !== 'error'
  return isRestriction || ofOwnSites.has(finding.code) ? { ...finding, severity: 'info' } : finding
}

/** The files that a build publishes because of their folder, or because a page links to them. */
function listAssets({ pages, textOf, urlsOf, targets }: PageTexts): readonly string[] {
  const assets = new Set(listPublicAssets(targets.files))
  for (const page of pages) {
    const from = { path: page, route: toRoute(page) }
    const hrefs = listPageFiles(page, textOf).flatMap((file) => urlsOf(file).map(({ href }) => href))
    for (const href of hrefs.filter((one) => assetType(one.replace(/[?#].*$/s, '')) !== undefined)) {
      const target = resolveLink(href, from, targets)
      if (target.kind === 'file' && targets.files.has(target.path)) assets.add(target.path)
    }
  }
  return [...assets]
}

/** Reports images without alternative text once in each page or snippet. */
function reportUnnamedImages({ pages, textOf }: PageTexts, root: string): Finding[] {
  const files = new Set(pages.flatMap((page) => listPageFiles(page, textOf)).filter(isPageFile))
  return [...files].flatMap((file) => {
    const found = describeUnnamedImages(textOf(file) ?? '')
    if (!found) return []
    const { offsets, ...described } = found
    return [{ code: 'image-alt', ...described, file: root === '' ? file : `${root}/${file}`, pointer: '', offsets }]
  })
}

interface PageTexts {
  /** Relative to the docs directory. */
  readonly pages: readonly string[]
  readonly pathByRoute: ReadonlyMap<string, string>
  readonly textOf: (path: string) => string | undefined
  /** The URLs in the text of a file. */
  readonly urlsOf: (file: string) => ReturnType<typeof listWrittenUrls>
  readonly targets: LinkTargets
}

function findSuspects({ pages, pathByRoute, textOf, urlsOf, targets }: PageTexts): SuspectUrl[] {
  const filesOf = remember((page: string) => listPageFiles(page, textOf))
  /** The IDs in the texts of a page and of the files that it imports. */
  const idsOf = remember((page: string) => filesOf(page).flatMap((file) => listWrittenIds(textOf(file) ?? '')))
  const hasId = (route: string, fragment: string) => hasFragment(fragment, idsOf(pathByRoute.get(route) ?? ''))
  const known = new Map<string, boolean>()
  return pages.flatMap((page) =>
    filesOf(page).flatMap((file) => {
      const seen = new Set<string>()
      return urlsOf(file).flatMap(({ href }) => {
        if (seen.has(href)) return []
        seen.add(href)
        // Most links have absolute paths, so they have the same target on every page.
        const key = href.startsWith('/') ? href : `${page}\0${href}`
        const from = { path: page, route: toRoute(page) }
        const isOpen = getOrMake(known, key, () => isSuspect(href, from, targets, hasId))
        return isOpen ? [{ page, file, href }] : []
      })
    }),
  )
}

function remember<Value>(read: (path: string) => Value): (path: string) => Value {
  const known = new Map<string, Value>()
  return (path) => getOrMake(known, path, () => read(path))
}

/** A link to another site. */
export interface ExternalLink {
  /** Without a fragment. */
  readonly url: string
  readonly place: Pick<Finding, 'file' | 'pointer' | 'offsets'>
}

/** Lists the links and images of the pages and of `docs.json` at other sites, each URL of a file once. Omits example hosts. */
export function listExternalLinks({
  root,
  docsFiles,
  docsConfig,
}: Pick<Survey, 'root' | 'docsFiles' | 'docsConfig'>): ExternalLink[] {
  const inPages = [...docsFiles.pages].flatMap(([path, text]) => {
    const seen = new Set<string>()
    return listWrittenUrls(text).flatMap(({ href, start }) => {
      const url = toExternalUrl(href)
      if (url === undefined || seen.has(url)) return []
      seen.add(url)
      return [{ url, place: { file: joinPath(root, path), pointer: '', offsets: { start, end: start + href.length } } }]
    })
  })
  if (!docsConfig) return inPages
  const inSettings = listStrings(docsConfig.value).flatMap(({ pointer, text }): ExternalLink[] => {
    const url = /\/href$|^\/footer\/socials\/[^/]+$/.test(pointer) ? toExternalUrl(text) : undefined
    return url === undefined ? [] : [{ url, place: { file: docsConfig.source.path, pointer } }]
  })
  return [...inPages, ...inSettings]
}

/** Hosts that are reserved for examples and tests. Source: RFC 2606, RFC 6761. */
const exampleHosts = /(?:^|\.)(?:example|test|invalid|localhost|local|internal|example\.(?:com|net|org))$/

function toExternalUrl(href: string): string | undefined {
  const written = href.replaceAll('&amp;', '&')
  if (!/^https?:\/\//i.test(written) || !URL.canParse(written)) return undefined
  const url = new URL(written)
  // Placeholders, such as `https://<your-domain>` and `https://{tenant}.acme.com`.
  if (exampleHosts.test(url.hostname) || /[<>{}$]|%7B|%3C/i.test(written) || url.username !== '') return undefined
  url.hash = ''
  return url.href
}
