import type { DivisionNode, SitePage, SiteSettings } from './types.ts'

type Settings = Pick<SiteSettings, 'indexing' | 'metatags'>

/**
 * Whether `llms.txt`, the sitemap and the list of all pages contain a page. Hidden pages need `seo.indexing: all`: those with
 * `hidden`, those in a hidden division, and those outside of the navigation.
 */
export function isListed(page: SitePage, settings: Pick<Settings, 'indexing'>): boolean {
  if (page.externalUrl !== undefined || isExcluded(page, settings)) return false
  return settings.indexing === 'all' || page.trail.length > 0 || page.route === ''
}

/** Whether the search of the site contains a page. */
export function isSearchable(page: SitePage, settings: Pick<Settings, 'indexing'>): boolean {
  return isListed(page, settings) && page.frontmatter['searchable'] !== false
}

/** Whether search engines may list a page. They may list pages outside of the navigation, although the sitemap does not. */
export function isIndexed(page: SitePage, settings: Settings): boolean {
  return !isExcluded(page, settings) && !/\bnoindex\b/i.test(settings.metatags['robots'] ?? '')
}

function isExcluded(page: SitePage, { indexing }: Pick<Settings, 'indexing'>): boolean {
  if (indexing === 'all') return page.frontmatter['noindex'] === true
  return page.noindex || page.hidden || isInHiddenDivision(page)
}

/** The innermost hidden division decides, unless the page itself has `hidden: false`. */
function isInHiddenDivision({ trail, frontmatter }: SitePage): boolean {
  if (frontmatter['hidden'] === false) return false
  const inner = trail.findLast((node): node is DivisionNode => node.kind !== 'page' && node.kind !== 'link' && node.hidden)
  return inner !== undefined && !inner.searchable
}
