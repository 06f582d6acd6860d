import { listCrawlerFiles } from '../site/files/list-crawler-files.ts'
import { listRedirects } from '../site/files/list-redirects.ts'
import { renderHeaders } from '../site/files/render-headers.ts'
import { pageListPath, renderNotFound, renderPageList } from '../site/files/render-not-found.tsx'
import { renderLlmsIndex } from '../site/markdown/render-llms-files.ts'
import type { SiteSource } from '../site/render-site-page.tsx'
import { listPageIndex } from '../site/search/render-page-index.tsx'
import type { SiteFile } from '../site/types.ts'

/** The files of a site that belong to no single page and are made, not copied. */
export function listOtherFiles({ context, files, downloads }: SiteSource): SiteFile[] {
  return [
    ...files,
    ...downloads.values(),
    ...listRedirects(context),
    ...listCrawlerFiles(context),
    ...listPageIndex(context),
    renderLlmsIndex(context),
    { path: pageListPath, content: renderPageList(context) },
    { path: '404.html', content: renderNotFound(context) },
    { path: '_headers', content: renderHeaders(context.base, []) },
    // GitHub Pages would leave out what begins with `_`.
    { path: '.nojekyll', content: '' },
  ]
}
