import { formatOperation } from '../../changes/show/changes-text.ts'
import { withoutControls } from '../../text/plain/escape-text.ts'
import { listEntries } from '../page/api/changelog-entries.ts'
import { readConnections } from '../page/api/connect-sources.ts'
import { type ListedDocument, renderLlmsIndexes } from '../page/markdown/llms-files.ts'
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

/** The changelogs of a site for the tool `list_changes` of its MCP server, see `src/site/agents/site-tools.ts`. */
function renderAgentChanges({ context: { plan }, changelogs }: SiteSource): SiteFile[] {
  const found = plan.pages.flatMap(({ subject, route, title }) => {
    const changelog = subject.kind === 'changelog' ? changelogs.get(subject.source) : undefined
    if (!changelog) return []
    const versions = listEntries(changelog).map(({ entry, listed, left }) => ({
      name: entry.name,
      ...(entry.date !== undefined && { date: entry.date.slice(0, 10) }),
      changes: listed.map(({ level, code, message, operation, operations }) => ({
        level,
        code,
        message,
        operations: (operation ? [operation] : operations).map(formatOperation),
      })),
      left,
    }))
    return [{ route, title, versions }]
  })
  return found.length === 0 ? [] : [{ path: '_agents/changes.json', content: `${withoutControls(JSON.stringify(found))}\n` }]
}
