import { readConnections } from '../page/api/connect-sources.ts'
import { type ListedDocument, renderLlmsIndexes } from '../page/markdown/llms-files.ts'
import { renderAgentChanges } from '../page/output/agent-changes.ts'
import { listFeeds } from '../page/output/changelog-feeds.ts'
import { listPageIndex, pageListPath, renderNotFound, renderOAuthPage, renderPageList } from '../page/output/generated-pages.tsx'
import { listCrawlerFiles, listLanguages, listRedirects, renderHeaders } from '../page/output/hosting-files.tsx'
import { listPrintPage } from '../page/output/print-page.tsx'
import { renderSkillFiles } from '../page/output/skill-files.ts'
import { isListed } from '../page/page-listing.ts'
import type { SiteSource } from '../page/site-context.ts'
import type { SiteFile } from '../plan/types.ts'

/** Lists generated files of a site that belong to no single page. */
export function listOtherFiles(source: SiteSource): SiteFile[] {
  return [...source.files, ...source.documentFiles, ...prepareContextFiles(source).make()]
}

/** Prepares files that depend on the site-wide context of pages. `contents` returns all inputs as plain data. */
export function prepareContextFiles(source: SiteSource): { readonly contents: () => unknown; readonly make: () => SiteFile[] } {
  const { context } = source
  const connections = readConnections(source)
  const documents = listDocuments(source)
  return {
    contents() {
      const { plan, hosting, assets, media } = context
      const pages = plan.pages.map(({ trail: _trail, ...page }) => page)
      const skills = renderSkillFiles(source, documents)
      return [
        hosting,
        assets,
        plan.settings,
        plan.navigation,
        pages,
        [...(media.imageSizes ?? [])],
        connections,
        documents,
        skills,
        [...source.changelogs],
      ]
    },
    make: () => [
      ...listLanguages(context),
      ...listCrawlerFiles(context),
      ...listPageIndex(context),
      ...listPrintPage(context),
      ...renderLlmsIndexes(context, documents),
      ...renderSkillFiles(source, documents),
      ...listFeeds(source),
      ...renderAgentChanges(source),
      { path: pageListPath, content: renderPageList(context) },
      ...(connections.hasSignIn ? [renderOAuthPage(context)] : []),
      { path: '404.html', content: renderNotFound(context) },
      { path: '_headers', content: renderHeaders(context.hosting.base, connections.connect, context.plan.settings) },
      // Without this file, GitHub Pages omits names that start with `_`.
      { path: '.nojekyll', content: '' },
      // A redirect to the place of another file works only on hosts that support `_redirects`.
      ...listRedirects(context),
    ],
  }
}

/** The published documents with pages that `llms.txt` lists, in the order of the documents. */
function listDocuments({ context: { plan }, references, downloads }: SiteSource): ListedDocument[] {
  const sources = new Set(
    plan.pages.flatMap((page) => ('source' in page.subject && isListed(page, plan.settings) ? [page.subject.source] : [])),
  )
  return [...references].flatMap(([source, { description }]) => {
    const { entryPath, title } = description
    const file = downloads.get(entryPath)
    return file && sources.has(source) ? [{ source, title, path: file.path }] : []
  })
}
