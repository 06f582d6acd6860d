import { readText } from '../../text/json/json-values.ts'
import { addTo, getOrMake, onceFor } from '../../text/plain/lists.ts'
import { isDivision } from '../plan/divisions.ts'
import { languageName } from '../plan/page-language.ts'
import type { SitePage, SitePlan, SiteSettings } from '../plan/types.ts'
import { claimId, toDivisionId } from './element-ids.ts'

type Settings = Pick<SiteSettings, 'indexing' | 'metatags' | 'metatagPaths'>

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
  return !isExcluded(page, settings) && !/\b(?:noindex|none)\b/i.test(writtenRobots(page, settings) ?? '')
}

/** The content of the `robots` meta tag of a page, if it has one. */
export function robotsOf(page: SitePage, settings: Settings): string | undefined {
  const written = writtenRobots(page, settings)
  return isExcluded(page, settings) ? 'noindex' : written === '' ? undefined : written
}

/** `robots` of the page, else of the site. */
function writtenRobots({ route, frontmatter }: SitePage, settings: Settings): string | undefined {
  return readText(frontmatter, 'robots') ?? siteMetatagsOf(route, settings)['robots']
}

/** The meta tags that `docs.json` has for a page: those of the site, then those of its directories, outermost first. */
export function siteMetatagsOf(
  route: string,
  { metatags, metatagPaths }: Pick<SiteSettings, 'metatags' | 'metatagPaths'>,
): Readonly<Record<string, string>> {
  const around = metatagPaths.filter(({ path }) => `${route}/`.startsWith(`${path}/`))
  return Object.assign({}, metatags, ...around.map((one) => one.metatags))
}

/** Whether the navigation does not show a page that it lists. */
function isHidden(page: SitePage): boolean {
  return page.hidden || isInHiddenDivision(page)
}

function isExcluded(page: SitePage, { indexing }: Pick<Settings, 'indexing'>): boolean {
  if (page.isUnlisted) return true
  if (indexing === 'all') return page.frontmatter['noindex'] === true
  return page.noindex || isHidden(page)
}

/** The innermost hidden division decides, unless the page itself has `hidden: false`. */
function isInHiddenDivision({ trail, frontmatter }: SitePage): boolean {
  if (frontmatter['hidden'] === false) return false
  const inner = trail.filter(isDivision).findLast(({ hidden }) => hidden)
  return inner !== undefined && !inner.searchable
}

/** The label of pages outside of the navigation. Pages show it in their language. */
export const otherPages = 'Other pages'

/** Groups pages by the labels of their divisions, in navigation order. */
export function groupPages({ pages, settings }: SitePlan): Map<string, { readonly id: string; readonly pages: SitePage[] }> {
  const groups = new Map<string, { readonly id: string; readonly pages: SitePage[] }>()
  for (const page of pages) {
    if (!isListed(page, settings)) continue
    const labels = page.trail
      .filter(isDivision)
      .map(({ kind, label }) => (kind === 'language' ? languageName(label) : label))
      .filter((label) => label !== '')
    const label = labels.length === 0 ? otherPages : labels.join(' / ')
    getOrMake(groups, label, () => ({ id: toDivisionId(labels.at(-1) ?? label), pages: [] as SitePage[] })).pages.push(page)
  }
  return groups
}

/** Pages that `print.html` prints together. */
export interface PrintSection {
  /** The element ID in `print.html`, unique there. */
  readonly id: string
  readonly label: string
  readonly pages: readonly SitePage[]
  readonly inner: readonly PrintSection[]
}

/** The path of the page that prints sections, relative to the output directory. */
export const printPath = 'print.html'

/** The ID of the section with all pages. */
export const wholeSiteId = 'all'

/** Lists the outermost divisions, each with its groups, in navigation order. A division with pages outside of groups has a group without a label. */
export const listPrintSections = onceFor((plan: SitePlan): readonly PrintSection[] => {
  const tops = new Map<string, PrintSection[]>()
  for (const [path, { id, pages }] of groupPages(plan)) {
    const [top = path, ...inner] = path.split(' / ')
    addTo(tops, top, { id, label: inner.join(' / '), pages, inner: [] })
  }
  const used = new Set<string>()
  const claim = (id: string) => claimId(id, used)
  return [...tops].map(([label, inner]) => {
    const id = claim(toDivisionId(label))
    const pages = inner.flatMap((one) => one.pages)
    return { id, label, pages, inner: inner.map((one) => (one.label === '' ? one : { ...one, id: claim(one.id) })) }
  })
})

/** Returns the sections of `print.html` that contain a page: its group and its outermost division. */
export function findPrintSections(page: SitePage, plan: SitePlan): PrintSection[] {
  const has = (section: PrintSection) => routesOf(section).has(page.route)
  const top = listPrintSections(plan).find(has)
  const group = top?.inner.find((one) => one.label !== '' && has(one))
  return [group, top].filter((one) => one !== undefined)
}

/** The routes of a section, computed once because every page looks for its own. */
const routesOf = onceFor(({ pages }: PrintSection) => new Set(pages.map(({ route }) => route)))
