import { entriesOf, readText } from '../../../text/json/json-values.ts'
import { type AllowedUrl, isAllowedUrl, joinPath } from '../../../text/plain/paths.ts'
import { replaceTags } from '../../content/allowed/allowed-html.ts'
import { isDivision, listDivisions } from '../../plan/divisions.ts'
import { findCounterpart, toLanguageTag } from '../../plan/page-language.ts'
import type { SitePage } from '../../plan/types.ts'
import { siteMetatagsOf } from '../page-listing.ts'
import { resolveHref, type SiteContext, toHref } from '../site-context.ts'

/** Frontmatter keys that become meta tags. Other keys are page settings. */
const pageNames = /^(?:(?:og|twitter|article):[\w:-]+|keywords|author|google-site-verification)$/

/** Meta tags with a URL. */
const urlNames = /^(?:og|twitter):(?:image|video|audio|url|player)(?::(?:src|url|secure_url|stream))?$/

/**
 * The meta tags of a page: the defaults, `seo.metatags` and `seo.paths` of `docs.json`, and the page's frontmatter. Later values win. Tags that change how browsers treat
 * the page, such as `charset`, are not allowed. An empty value removes a default.
 */
export function listMetatags(context: SiteContext, page: SitePage): { name: string; content: string }[] {
  const { settings } = context.plan
  const tags = new Map<string, string>([
    ['og:title', page.title],
    ['og:type', 'website'],
    ['og:site_name', settings.name],
  ])
  const description = toPlainDescription(page) ?? settings.description
  if (description !== undefined) tags.set('og:description', description)
  const url = toAbsoluteUrl(context, page.route)
  if (url !== undefined) tags.set('og:url', url)
  const add = (name: string, value: unknown) => {
    if (typeof value !== 'string' && typeof value !== 'number') return
    if (!/^[\w:.-]+$/.test(name) || ['canonical', 'charset', 'viewport', 'description', 'robots'].includes(name)) return
    const content = urlNames.test(name) ? toAbsoluteLink(context, String(value)) : String(value)
    if (value === '') tags.delete(name)
    else if (content !== undefined) tags.set(name, content)
  }
  for (const [name, content] of Object.entries(siteMetatagsOf(page.route, settings))) add(name, content)
  for (const [name, content] of Object.entries(page.frontmatter)) if (pageNames.test(name)) add(name, content)
  for (const [name, content] of entriesOf(page.frontmatter['metatags'])) add(name, content)
  return [...tags].map(([name, content]) => ({ name, content }))
}

/** The description of a page as one line of plain text. */
export function toPlainDescription({ description }: Pick<SitePage, 'description'>): string | undefined {
  const plain = replaceTags(description ?? '', '')
    .replace(/\{%[^%\n]*%\}/g, '')
    .replace(/!?\[([^[\]]*)\]\([^)[]*\)/g, '$1')
    .replace(/[*`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (plain === '') return undefined
  return plain.length <= 300 ? plain : `${plain.slice(0, 299).replace(/\s\S*$/, '')}…`
}

/** The absolute URL of a page; `undefined` if the URL of the site is not known. */
export function toAbsoluteUrl({ hosting, plan }: Pick<SiteContext, 'hosting' | 'plan'>, route: string): AllowedUrl | undefined {
  const start = hosting.url ?? toCanonicalUrl(plan.settings.metatags['canonical'])
  return start === undefined ? undefined : (new URL(toHref({ base: './' }, route), start).href as AllowedUrl)
}

/** The URL that search engines show for a page: `canonical` of its frontmatter, else that of the page that it is a copy of, else its own. `undefined` if the URL of the site is not known. */
export function toCanonical(context: Pick<SiteContext, 'hosting' | 'plan'>, page: SitePage): AllowedUrl | undefined {
  if (page.hidden) return undefined
  const home = toAbsoluteUrl(context, '')
  const written = readText(page.frontmatter, 'canonical')
  const own = written !== undefined && URL.canParse(written, home) ? new URL(written, home) : undefined
  return own && /^https?:$/.test(own.protocol) && isAllowedUrl(own.href, 'link')
    ? own.href
    : toAbsoluteUrl(context, page.copyOf ?? page.route)
}

/** The feeds of a changelog, or of a page with `rss: true`, relative to the output directory. Absent without the URL of the site, because feeds need absolute links. */
export function toFeedPaths(
  context: Pick<SiteContext, 'hosting' | 'plan'>,
  { route, subject, frontmatter }: Pick<SitePage, 'route' | 'subject' | 'frontmatter'>,
): { readonly rss: string; readonly json: string } | undefined {
  const hasFeed = subject.kind === 'changelog' || (subject.kind === 'guide' && frontmatter['rss'] === true)
  if (!hasFeed || toAbsoluteUrl(context, route) === undefined) return undefined
  return { rss: joinPath(route, 'rss.xml'), json: joinPath(route, 'feed.json') }
}

/** Reads `seo.metatags.canonical`, the URL of the site if the build has no `--url`. */
function toCanonicalUrl(canonical: string | undefined): string | undefined {
  if (canonical === undefined || !URL.canParse(canonical) || !/^https?:/i.test(canonical)) return undefined
  return canonical.endsWith('/') ? canonical : `${canonical}/`
}

function toAbsoluteLink(context: SiteContext, href: string): string | undefined {
  if (!isAllowedUrl(href, 'media')) return undefined
  const resolved = resolveHref(context, href, undefined)
  const { url } = context.hosting
  return url === undefined || !URL.canParse(resolved, url) ? resolved : new URL(resolved, url).href
}

/** The same page in other languages, for search engines; empty if the URL of the site is not known. */
export function listAlternates(context: SiteContext, page: SitePage): { language: string; href: AllowedUrl }[] {
  const at = page.trail.findIndex(({ kind }) => kind === 'language')
  const current = page.trail[at]
  const around = page.trail[at - 1]
  if (at < 1 || current?.kind !== 'language' || !isDivision(around)) return []
  return listDivisions(around.children, 'language').flatMap((other) => {
    const route = other === current ? page.route : findCounterpart(page, current, other, context.plan.pageByRoute)
    const href = route === undefined ? undefined : toAbsoluteUrl(context, route)
    const language = toLanguageTag(other.label)
    return href === undefined || language === undefined ? [] : [{ language, href }]
  })
}
