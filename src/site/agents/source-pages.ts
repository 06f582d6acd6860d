import { stringOf } from '../../text/json/json-values.ts'
import { getOrMake, onceFor } from '../../text/plain/lists.ts'
import { readSite } from '../make/read-site.ts'
import { findMarkdown } from '../make/reuse-pages.ts'
import { loadMessages } from '../messages/load-messages.ts'
import { toSlicePath } from '../page/api/api-context.ts'
import { findPartOwner } from '../page/api/part-pages.ts'
import { renderSitePage } from '../page/output/render-site-page.tsx'
import { findSearchFile } from '../page/search/search-index.ts'
import { planSearchScopes } from '../page/search-scopes.ts'
import type { SiteSource } from '../page/site-context.ts'
import { openSiteIndex, type SearchIndex } from '../search/find-hits.ts'
import type { SitePages } from './site-tools.ts'

/** Reads a docs directory for agents, in the language of its pages. */
export const readSourceSite: typeof readSite = async (options, ...given) =>
  await readSite({ ...options, loadTexts: loadMessages }, ...given)

/** The pages of a site that is not built. @param read returns the same source until a file changes. */
export function createSourcePages(read: () => Promise<SiteSource>): SitePages {
  const opened = onceFor((_: SiteSource) => new Map<number, Promise<SearchIndex | undefined>>())
  return {
    async indexes(route) {
      const source = await read()
      const { plan } = source.context
      const page = plan.pageByRoute.get(route) ?? plan.pages[0]
      const scopes = page ? planSearchScopes(plan).scopesFor(page) : [0]
      const readFile = async (path: string) => stringOf(findSearchFile(path, source)?.content)
      const indexes = scopes.map((scope) => getOrMake(opened(source), scope, () => openSiteIndex(scope, readFile)))
      return (await Promise.all(indexes)).filter((index) => index !== undefined)
    },
    async markdown(route) {
      const source = await read()
      const page = source.context.plan.pageByRoute.get(route) ?? findByFile(route, source)
      if (page) return page.externalUrl === undefined ? findMarkdown(page, renderSitePage(page, source)) : undefined
      // Pages of parts of schemas are rendered with the page that contains them.
      const owner = source.context.plan.pageByRoute.get(findPartOwner(route) ?? '\0')
      const part = owner && renderSitePage(owner, source).attachments.find(({ path }) => path === `${route}.md`)
      return stringOf(part?.content)
    },
    async document(route) {
      const source = await read()
      const page = source.context.plan.pageByRoute.get(route) ?? findByFile(route, source)
      if (!page || page.externalUrl !== undefined) return undefined
      const found = renderSitePage(page, source).attachments.find(({ path }) => path === toSlicePath(page))
      return stringOf(found?.content)
    },
  }
}

/** Agents also name pages by file. */
function findByFile(route: string, { context, root }: SiteSource) {
  const inside = root !== '' && route.startsWith(`${root}/`) ? route.slice(root.length + 1) : route
  return context.plan.pages.find(({ path }) => path !== undefined && path.replace(/\.mdx?$/, '') === inside)
}
