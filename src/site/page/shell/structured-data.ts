import { findPageLanguage } from '../../plan/page-language.ts'
import type { SitePage } from '../../plan/types.ts'
import { isIndexed } from '../page-listing.ts'
import { resolveHref, type SiteContext, toHref } from '../site-context.ts'
import { toAbsoluteUrl } from './metatags.ts'
import type { NavigationView } from './navigation-view.ts'
import { readChangeDate } from './page-end.tsx'

/**
 * The structured data of a page, as JSON for a `script` element. Describes the page, its place in the navigation, the site and its publisher to
 * search engines. `undefined` for pages that they must not list.
 *
 * Source: schema.org, JSON-LD 1.1. Relative URLs are resolved against the URL of the page.
 */
export function renderStructuredData(
  context: SiteContext,
  page: SitePage,
  { crumbs }: Pick<NavigationView, 'crumbs'>,
): string | undefined {
  const { settings } = context.plan
  if (context.plan.pageByRoute.get(page.route) !== page || !isIndexed(page, settings)) return undefined
  const siteUrl = toAbsoluteUrl(context, '') ?? context.hosting.base
  const url = toAbsoluteUrl(context, page.route) ?? toHref(context.hosting, page.route)
  const { organization, name } = settings
  const origin = URL.canParse(siteUrl) ? new URL(siteUrl).origin : ''
  const publisher = { '@id': organization.id ?? `${origin}/#organization` }
  const logo = organization.logo ?? settings.logo?.light
  const site = { '@id': `${siteUrl}#website` }
  const breadcrumb = {
    '@type': 'BreadcrumbList',
    itemListElement: [...crumbs, { label: page.title, href: undefined }].map(({ label, href }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: label,
      item: href === undefined ? undefined : toWhole(href, siteUrl),
    })),
  }
  // Pages of APIs are many, and refer to what the other pages describe.
  const whole = [
    {
      '@type': 'Organization',
      ...publisher,
      name: organization.name ?? name,
      legalName: organization.legalName,
      url: organization.url ?? siteUrl,
      logo: logo === undefined ? undefined : toWhole(resolveHref(context, logo, undefined), siteUrl),
      sameAs: organization.sameAs.length === 0 ? undefined : organization.sameAs,
    },
    { '@type': 'WebSite', ...site, name, url: siteUrl, description: settings.description, publisher },
  ]
  const graph = [
    ...(page.route === '' || page.subject.kind === 'guide' ? whole : []),
    {
      '@type': page.subject.kind === 'guide' ? 'TechArticle' : 'APIReference',
      headline: page.title,
      url,
      inLanguage: findPageLanguage(page, settings),
      dateModified: readChangeDate(page),
      isPartOf: site,
      publisher,
      breadcrumb: crumbs.length === 0 ? undefined : breadcrumb,
    },
  ]
  // Nothing in a text can end the element, or start a comment that hides its end.
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replaceAll('<', '\\u003c')
}

/** Completes a URL if the URL of the site is known. */
function toWhole(href: string, siteUrl: string): string {
  return URL.canParse(siteUrl) && URL.canParse(href, siteUrl) ? new URL(href, siteUrl).href : href
}
