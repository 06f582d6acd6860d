import type { Finding } from '../../../diagnostics/diagnostic.ts'
import type { Files } from '../../../files/files.ts'
import { getOrMake, groupBy, onceFor } from '../../../text/plain/lists.ts'
import { joinPath } from '../../../text/plain/paths.ts'
import { markdownToNodes } from '../../content/mdx-reader.ts'
import { listContentTargets } from '../../page/components/content-targets.ts'
import { listIds } from '../../page/element-ids.ts'
import { renderSitePage } from '../../page/output/render-site-page.tsx'
import { readContent, type SiteSource } from '../../page/site-context.ts'
import type { SettingLink } from '../../plan/check-settings.ts'
import { checkSettingLinks } from '../../plan/checks/check-links.ts'
import { isImagePath } from '../../plan/icon-sets.ts'
import type { SitePage } from '../../plan/types.ts'
import { checkFragments, checkPageLinks, findLinkTargets } from './link-checks.ts'
import { hasFragment, isSuspect, type SuspectUrl } from './suspect-urls.ts'

/** A URL in a shared snippet is looked for on this many pages, because a page can hide it. */
const mostTries = 3

/**
 * Checks the pages with suspect URLs as a build does, and the links of `docs.json`. Parses only these pages and the targets of their fragments.
 * Renders only API pages that are such targets, because no plan has their elements.
 */
export async function checkSuspects(
  source: SiteSource,
  suspects: readonly SuspectUrl[],
  settingLinks: readonly SettingLink[],
  files: Files,
): Promise<Finding[]> {
  const { root } = source
  const { plan } = source.context
  const targets = await findLinkTargets(source, files, { reportsDirectories: true })
  const pageByPath = new Map(plan.pages.map((page) => [page.path, page]))
  const listed = new Map<string, readonly string[]>()
  const contentOf = onceFor((page: SitePage) => {
    const { nodes, uses } = readContent(page, source)
    const { links, ids } = listContentTargets([...markdownToNodes(page.description ?? ''), ...nodes])
    const icons = page.icon !== undefined && isImagePath(page.icon) ? [page.icon] : []
    return { links: [...icons, ...links], ids, uses }
  })
  const idsOf = (route: string) =>
    getOrMake(listed, route, () => {
      const page = plan.pageByRoute.get(route)
      if (!page || page.externalUrl !== undefined) return []
      const isGuide = page.subject.kind === 'guide'
      return isGuide ? [...contentOf(page).ids] : listIds(renderSitePage(page, source).html)
    })
  const hasId = (route: string, fragment: string) =>
    isIncomplete(plan.pageByRoute.get(route)) || hasFragment(fragment, idsOf(route))
  const findings: Finding[] = []
  const prefix = root === '' ? '' : `${root}/`
  const tries = new Map<string, number>()
  const isOpen = ({ page, file, href }: SuspectUrl) =>
    (tries.get(`${prefix}${file}\0${href}`) ?? 0) < mostTries && isSuspect(href, pageByPath.get(page), targets, hasId)
  for (const [path, urls] of groupBy(suspects, ({ page }) => page)) {
    const page = pageByPath.get(path)
    const open = urls.filter(isOpen)
    if (!page || page.externalUrl !== undefined || open.length === 0) continue
    const { links, uses } = contentOf(page)
    const shown = { links, files: [joinPath(root, path), ...uses] }
    const { findings: broken, fragments } = checkPageLinks(page, shown, source, targets, { ofLink: () => undefined })
    const complete = fragments.filter(({ route }) => !isIncomplete(plan.pageByRoute.get(route)))
    const reported = [...broken, ...checkFragments(complete, idsOf)]
    for (const { file, href } of open) tries.set(`${prefix}${file}\0${href}`, (tries.get(`${prefix}${file}\0${href}`) ?? 0) + 1)
    for (const finding of reported) {
      const { start, end } = finding.offsets ?? { start: 0, end: 0 }
      const key = `${finding.file}\0${source.textOf(finding.file)?.slice(start, end)}`
      if (tries.get(key) === Number.POSITIVE_INFINITY) continue
      tries.set(key, Number.POSITIVE_INFINITY)
      findings.push(finding)
    }
  }
  return [...findings, ...checkSettingLinks(settingLinks, targets)]
}

/** Whether a page lacks elements because its OpenAPI document cannot be used, which is already reported. */
export function isIncomplete(page: SitePage | undefined): boolean {
  return page?.subject.kind === 'unreadable' || page?.subject.kind === 'unbound'
}
