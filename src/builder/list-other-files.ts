import { readConnections } from '../site/api/read-connections.ts'
import { listCrawlerFiles } from '../site/files/list-crawler-files.ts'
import { listRedirects } from '../site/files/list-redirects.ts'
import { renderHeaders } from '../site/files/render-headers.ts'
import { pageListPath, renderNotFound, renderPageList } from '../site/files/render-not-found.tsx'
import { renderOAuthPage } from '../site/files/render-oauth-page.tsx'
import { renderLlmsIndex } from '../site/markdown/render-llms-files.ts'
import type { SiteSource } from '../site/render-site-page.tsx'
import { listPageIndex } from '../site/search/render-page-index.tsx'
import type { SiteFile } from '../site/types.ts'

/** The files of a site that belong to no single page and are made, not copied. */
export function listOtherFiles(source: SiteSource): SiteFile[] {
  return [...source.files, ...source.downloads.values(), ...prepareContextFiles(source).make()]
}

/** Those that are made of what pages know of the site around them; `contents` names all of it, as plain data. */
export function prepareContextFiles(source: SiteSource): { readonly contents: () => unknown; readonly make: () => SiteFile[] } {
  const { context } = source
  const connections = readConnections(source)
  return {
    contents() {
      const { plan, pageByRoute: _, imageSizes = [], onLink: _onLink, ...site } = context
      const pages = plan.pages.map(({ trail: _trail, ...page }) => page)
      return [site, plan.settings, plan.navigation, pages, [...imageSizes], connections]
    },
    make: () => [
      ...listRedirects(context),
      ...listCrawlerFiles(context),
      ...listPageIndex(context),
      renderLlmsIndex(context),
      { path: pageListPath, content: renderPageList(context) },
      ...(connections.hasSignIn ? [renderOAuthPage(context)] : []),
      { path: '404.html', content: renderNotFound(context) },
      { path: '_headers', content: renderHeaders(context.base, connections.connect) },
      // GitHub Pages would leave out what begins with `_`.
      { path: '.nojekyll', content: '' },
    ],
  }
}
