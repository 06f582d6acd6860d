import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { readIgnoreFile } from '../../../docs/read/read-docs-directory.ts'
import { type Files, listBelow } from '../../../files/files.ts'
import { lazy, onceFor } from '../../../text/plain/lists.ts'
import { toForeignFieldId } from '../../page/field-anchors.ts'
import { listFirstPages } from '../../page/output/hosting-files.tsx'
import type { RenderedPage } from '../../page/output/render-site-page.tsx'
import type { SiteSource } from '../../page/site-context.ts'
import { checkLinks, type FragmentLink, type LinkTargets } from '../../plan/checks/check-links.ts'
import { createPageSearch } from '../../plan/checks/check-redirects.ts'
import { assetType, isGeneratedFile } from '../../plan/file-types.ts'
import { listPageDirectories } from '../../plan/page-directories.ts'
import { createPathSuggester } from '../../plan/site-links.ts'
import type { SitePage } from '../../plan/types.ts'
import type { DescriptionLocations } from './locate-in-descriptions.ts'

/**
 * Finds the valid link targets of a site: pages, redirects, and publishable files of the docs directory.
 *
 * @param reportsDirectories whether links to directories are reported. Otherwise, they are valid: a site redirects them.
 */
export async function findLinkTargets(
  { context: { plan }, root, documentFiles }: SiteSource,
  files: Files,
  { reportsDirectories = false } = {},
): Promise<LinkTargets> {
  const { pageByRoute, operationRoutes, settings } = plan
  // The pages of divisions whose OpenAPI document could not be read are not known.
  const unreadable = plan.pages.filter(({ path, subject }) => subject.kind === 'unreadable' && path === undefined)
  const documents = new Set(documentFiles.map(({ path }) => path))
  const listed = await listBelow(root, files)
  const { isIgnored } = await readIgnoreFile(root, files)
  const isPublic = (path: string) => !/(?:^|\/)\.(?!well-known\/)/.test(path) && !isIgnored(path)
  const sources = settings.redirects.map(({ source }) => source.replace(/^\/+|(?<!\/)\/+$/g, ''))
  const exact = new Set(sources)
  const patterns = sources.filter((source) => /[:*]/.test(source)).map((source) => source.replace(/[:*].*$/s, ''))
  // Other hosts do not have the pages that only our sites add.
  const onOtherHosts = plan.pages.filter(({ path, subject }) => path !== undefined || !siteOnly.has(subject.kind))
  const directories = lazy(() =>
    listPageDirectories(reportsDirectories ? onOtherHosts.map(({ route }) => route) : listFirstPages(plan)),
  )
  const published = new Set(listed.filter(isPublic))
  const all = new Set(listed)
  return {
    base: settings.site.base,
    hasPage: createPageSearch(pageByRoute, published),
    operationRoutes,
    files: published,
    nearestPage: createPathSuggester(() => pageByRoute.keys()),
    nearestFile: createPathSuggester(() => [...published].filter((path) => assetType(path) !== undefined)),
    isRedirected: (path) =>
      exact.has(path) || patterns.some((start) => path.startsWith(start)) || (!reportsDirectories && directories().has(path)),
    firstPageIn: (path) => (reportsDirectories ? directories().get(path) : undefined),
    isGenerated: (path) => isGeneratedFile(path) || documents.has(path),
    exclusionOf: (path) => {
      const file = [path, `${path}.mdx`, `${path}.md`].find((one) => all.has(one))
      if (file === undefined || !isIgnored(file)) return undefined
      const steps = file.split('/')
      const around = steps.slice(1).map((_, index) => steps.slice(0, index + 1).join('/'))
      return around.find((directory) => isIgnored(`${directory}/_`)) ?? file
    },
    isUnknown: (path) => unreadable.some(({ route }) => path.startsWith(`${route}/`)),
  }
}

/** What pages without a file show that only our sites have. */
const siteOnly: ReadonlySet<SitePage['subject']['kind']> = new Set(['description', 'tag', 'schema', 'schemas', 'changelog'])

/**
 * Checks the links of a page, and lists the files of the docs directory that it needs. Leaves out fragments of pages that lack elements because their OpenAPI
 * document cannot be used, which is already reported.
 */
export function checkPageLinks(
  page: SitePage,
  { links, files }: Pick<RenderedPage, 'links' | 'files'>,
  source: SiteSource,
  targets: LinkTargets,
  places?: Pick<DescriptionLocations, 'ofLink'>,
) {
  const texts = files.flatMap((file) => {
    const text = source.textOf(file)
    return text === undefined ? [] : [{ file, text }]
  })
  const checked = checkLinks(page, links, texts, targets, (href) => places?.ofLink(page, href))
  const isComplete = ({ route }: FragmentLink) => {
    const kind = source.context.plan.pageByRoute.get(route)?.subject.kind
    return kind !== 'unreadable' && kind !== 'unbound'
  }
  return { ...checked, fragments: checked.fragments.filter(isComplete) }
}

/** Checks links to page fragments once all pages are known. `idsOf` is called for each link. */
export function checkFragments(links: readonly FragmentLink[], idsOf: (route: string) => readonly string[]): Finding[] {
  return links.flatMap(({ route, id, toFinding }) => {
    const ids = idsOf(route)
    return hasFragment(id, ids) ? [] : (toFinding(ids) ?? [])
  })
}

/** The fragments of pages, by the list of their IDs. */
const fragmentsOf = onceFor((ids: readonly string[]) => new Set(ids.flatMap((id) => [id, toForeignFieldId(id) ?? id])))

/**
 * Whether a page with these IDs has the target of a fragment. A page has our IDs, which are those of GitHub, and the IDs that Mintlify gives
 * to headings. It lacks those that Mintlify gives to nested properties.
 */
export function hasFragment(fragment: string, ids: readonly string[]): boolean {
  return fragmentsOf(ids).has(fragment)
}
