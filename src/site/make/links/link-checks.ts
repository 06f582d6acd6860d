import type { Finding } from '../../../diagnostics/diagnostic.ts'
import type { Files } from '../../../files/files.ts'
import { listFirstPages } from '../../page/output/hosting-files.tsx'
import type { RenderedPage } from '../../page/output/render-site-page.tsx'
import type { SiteSource } from '../../page/site-context.ts'
import { checkLinks, type FragmentLink, type LinkTargets } from '../../plan/checks/check-links.ts'
import type { SitePage } from '../../plan/types.ts'
import { toLinkTargets } from './link-targets.ts'
import type { DescriptionLocations } from './locate-in-descriptions.ts'
import { hasFragment } from './suspect-urls.ts'

/**
 * Finds the valid link targets of a site: pages, redirects, and publishable files of the docs directory.
 *
 * @param reportsDirectories whether links to directories are reported.
 */
export async function findLinkTargets(
  { context, root, documentFiles }: SiteSource,
  files: Files,
  { reportsDirectories = false } = {},
): Promise<LinkTargets> {
  const unreadable = context.plan.pages.flatMap(({ route, path, subject }) =>
    subject.kind === 'unreadable' && path === undefined ? [route] : [],
  )
  const { redirects, site } = context.plan.settings
  // Other hosts do not have the pages that only our sites add.
  const onOtherHosts = context.plan.pages.filter(({ path, subject }) => path !== undefined || !siteOnly.has(subject.kind))
  return await toLinkTargets(
    {
      root,
      base: site.base,
      routes: context.plan.pageByRoute,
      redirects,
      operationRoutes: context.plan.operationRoutes,
      documents: new Set(documentFiles.map(({ path }) => path)),
      unreadable,
      firstPages: reportsDirectories ? onOtherHosts.map(({ route }) => route) : listFirstPages(context.plan),
      reportsDirectories,
    },
    files,
  )
}

/** What pages without a file show that only our sites have. */
const siteOnly: ReadonlySet<SitePage['subject']['kind']> = new Set(['description', 'tag', 'schema', 'schemas', 'changelog'])

/** Checks the links of a rendered page, and lists the files of the docs directory that it needs. */
export function checkPageLinks(
  page: SitePage,
  { links, files }: Pick<RenderedPage, 'links' | 'files'>,
  source: SiteSource,
  targets: LinkTargets,
  places: Pick<DescriptionLocations, 'ofLink'>,
) {
  const texts = files.flatMap((file) => {
    const text = source.textOf(file)
    return text === undefined ? [] : [{ file, text }]
  })
  return checkLinks(page, links, texts, targets, (href) => places.ofLink(page, href))
}

/** Checks links to page fragments once all pages are known. `idsOf` is called for each link. */
export function checkFragments(links: readonly FragmentLink[], idsOf: (route: string) => readonly string[]): Finding[] {
  return links.flatMap(({ route, id, toFinding }) => {
    const ids = idsOf(route)
    return hasFragment(id, ids) ? [] : (toFinding(ids) ?? [])
  })
}
