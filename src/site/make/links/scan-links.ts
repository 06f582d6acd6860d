import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { listPages, type Survey, toPageSource } from '../../../docs/check/survey-docs-directory.ts'
import { listEntries, readRedirects } from '../../../docs/navigation/docs-config.ts'
import { toRoute, withoutPageExtension } from '../../../docs/pages/generated-page.ts'
import type { CheckTerms, DocsAccess, Reporting } from '../../../docs/types.ts'
import { hideRestricted } from '../../../docs/update/public-files.ts'
import { cacheFileLists } from '../../../files/files.ts'
import { listStrings } from '../../../text/json/json-values.ts'
import { getOrMake } from '../../../text/plain/lists.ts'
import { decodePercent, isPageFile, joinPath } from '../../../text/plain/paths.ts'
import { describeUnnamedImages, listWrittenUrls } from '../../../text/plain/scan-markdown.ts'
import { listPageFiles, listWrittenIds } from '../../content/page-urls.ts'
import type { LinkTargets } from '../../plan/checks/check-links.ts'
import { checkRedirects } from '../../plan/checks/check-redirects.ts'
import { assetType } from '../../plan/file-types.ts'
import { resolveLink } from '../../plan/site-links.ts'
import { listPublicAssets, reportPointers } from '../assets/copy-assets.ts'
import { readScripts } from '../read-scripts.ts'
import { toLinkTargets } from './link-targets.ts'
import { hasFragment, isSuspect, type LinkCheck, type SuspectUrl } from './suspect-urls.ts'

/**
 * Checks links, fragments, images and redirects of a docs directory. Most targets are found in the texts of pages, which takes little time.
 * Pages with another URL are rendered, so that only the links that a page really has are reported. Does not check links in OpenAPI documents.
 */
export async function checkLinks(survey: Survey, given: DocsAccess, terms: CheckTerms, reporting: Reporting): Promise<LinkCheck> {
  const { root, docsConfig, docsFiles, sourceOf } = survey
  if (!docsConfig) return { findings: [], sourceOf }
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
  const restricted = (await hideRestricted(root, access, terms, reporting.onProgress)).report(survey.documents)
  const findings: Finding[] = [
    ...reportUnnamedImages(texts, root),
    ...(await reportPointers(root, listAssets(texts), access.files)),
    // A build warns about it. A repository whose docs another host serves has nothing to do, apart from errors in documents.
    ...restricted.map((finding) =>
      finding.file === docsConfig.source.path ? { ...finding, severity: 'info' as const } : finding,
    ),
  ]
  if (suspects.length === 0 && !listSettingPaths(docsConfig.value).some((href) => isSuspect(href, undefined, targets))) {
    return {
      findings: [...findings, ...checkRedirects(docsConfig, targets.hasPage)],
      sourceOf: (file) => toPageSource(root, file, textOf),
    }
  }
  const { checkSuspects } = await import('./check-site.ts')
  const rendered = await checkSuspects(root, suspects, access, terms, reporting)
  return { ...rendered, findings: [...findings, ...rendered.findings] }
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

const notUrls = new Set(['pages', 'openapi', 'source', 'directory', 'root', '$ref', '$schema'])

/** Lists the strings in `docs.json` that can be links or images of the site. */
function listSettingPaths(docsConfig: unknown): string[] {
  const isPath = (text: string) => /^\/(?!\/)/.test(text) || assetType(decodePercent(text)) !== undefined
  return listStrings(docsConfig).flatMap(({ key, text }) =>
    notUrls.has(key) || !isPath(text) || /\/:|\*/.test(text) ? [] : text,
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
