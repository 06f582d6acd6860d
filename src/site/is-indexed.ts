import type { SitePage, SiteSettings } from './types.ts'

/** Whether search engines may list a page: not where it says otherwise, and those in no navigation only with `seo.indexing: all`. */
export function isIndexed(page: SitePage, settings: Pick<SiteSettings, 'indexing' | 'metatags'>): boolean {
  if (page.noindex || page.hidden || /\bnoindex\b/i.test(settings.metatags['robots'] ?? '')) return false
  return settings.indexing === 'all' || page.trail.length > 0 || page.route === ''
}
