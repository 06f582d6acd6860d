import { isIndexed } from '../is-indexed.ts'
import { type SiteContext, toHref } from '../site-context.ts'
import type { SiteFile } from '../types.ts'

/** `robots.txt`, and `sitemap.xml` where the whole address of the site is known: a sitemap has no relative addresses. */
export function listCrawlerFiles(context: SiteContext): SiteFile[] {
  const { url, plan } = context
  const addresses =
    url === undefined
      ? []
      : plan.pages
          .filter((page) => isIndexed(page, plan.settings) && page.externalUrl === undefined)
          .map(({ route }) => new URL(toHref({ base: '' }, route), url).href)
  const robots = ['User-agent: *', 'Allow: /', ...(addresses.length === 0 ? [] : [`Sitemap: ${url}sitemap.xml`])]
  return [
    { path: 'robots.txt', content: `${robots.join('\n')}\n` },
    ...(addresses.length === 0 ? [] : [{ path: 'sitemap.xml', content: renderSitemap(addresses) }]),
  ]
}

function renderSitemap(addresses: readonly string[]): string {
  const urls = addresses.map((address) => `  <url><loc>${escapeXml(address)}</loc></url>\n`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('')}</urlset>\n`
}

function escapeXml(text: string): string {
  return text.replace(/[<>&'"]/g, (found) => `&#${found.charCodeAt(0)};`)
}
