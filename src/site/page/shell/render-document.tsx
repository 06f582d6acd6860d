import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { readOwn } from '../../../text/json/json-values.ts'
import { withoutControls } from '../../../text/plain/escape-text.ts'
import { frameHosts } from '../../content/allowed/allowed-html.ts'
import { findPageLanguage, isRightToLeft } from '../../plan/page-language.ts'
import type { SiteFile, SitePage, SiteSettings } from '../../plan/types.ts'
import { diagramTag } from '../code/diagram.tsx'
import { toStyleFiles } from '../components/page-styles.ts'
import type { DeferredIds } from '../element-ids.ts'
import { Html, Raw } from '../html.tsx'
import { NamedIcon, renderSprite, spriteId } from '../icons/page-icons.tsx'
import { isIndexed, robotsOf } from '../page-listing.ts'
import { planSearchScopes } from '../search-scopes.ts'
import { resolveHref, type SiteContext, settingsOf, toAssetHref, toHref, toMarkdownPath } from '../site-context.ts'
import { listFontPreloads } from '../theme/font-faces.ts'
import { bannerId } from '../theme/render-brand.ts'
import { Header, hasTwoRows } from './header.tsx'
import { toMessageFiles } from './message-files.ts'
import { listAlternates, listMetatags, toAbsoluteUrl, toCanonical, toFeedPaths, toPlainDescription } from './metatags.ts'
import type { NavigationView, PageView } from './navigation-view.ts'
import { readChangeDate } from './page-end.tsx'
import { Sidebar } from './sidebar.tsx'

interface DocumentInput extends PageView {
  /** The content of `<main>`. */
  readonly children: ComponentChildren
  /** Servers for the `connect-src` of the Content Security Policy. */
  readonly connect?: readonly string[]
  /** A URL to redirect to. */
  readonly refresh?: string | undefined
  /** See `DeferredIds`. Absent if nothing is deferred. */
  readonly settle?: DeferredIds['settle']
}

interface RenderedDocument {
  readonly html: string
  /** The stylesheet for styles of this page only, if any. */
  readonly styles: readonly SiteFile[]
}

/** An attribute that is missing in Preact's types. */
const blocking = { blocking: 'render' }

/** The longest body that is painted only when all of it has arrived, in UTF-16 code units. Compressed, it is about 40 kB. */
const maxWholeBody = 500_000

/** Renders a complete HTML document. Components escape all content. Only the icon sprite, which is static, is inserted as raw HTML. */
export function renderDocument({ children, connect = [], settle, refresh, ...shown }: DocumentInput): RenderedDocument {
  const { context, page, view } = shown
  const settings = settingsOf(page, context.plan.settings)
  const language = findPageLanguage(page, settings)
  const isBare = page.mode === 'custom' || page.mode === 'center'
  const body = renderToString(
    <body>
      <a class="skip" href="#main">
        {context.messages.page.skip}
      </a>
      <Header {...shown} />
      <div class={isBare ? 'wrap bare' : 'wrap shell'}>
        <Sidebar {...shown} />
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      {page.mode !== 'custom' && <Footer context={context} page={page} />}
    </body>,
  )
  const styles = toStyleFiles(page, body)
  const head = renderToString(<Head {...shown} body={body} styles={styles} connect={connect} refresh={refresh} />)
  const bodyEnd = '</body>'
  const opening = renderToString(
    <html
      lang={language}
      dir={isRightToLeft(language) ? 'rtl' : undefined}
      class={hasTwoRows(context, page, view) ? 'two-rows' : undefined}
      // Documented by Mintlify for stylesheets.
      data-current-path={context.assets.custom === undefined ? undefined : `/${page.route}`}
      data-theme={settings.appearance.default === 'system' ? undefined : settings.appearance.default}
    />,
  ).replace(/<\/html>$/, '')
  const content = withoutControls(body.slice(0, -bodyEnd.length))
  const around = {
    start: withoutControls(`<!doctype html>\n${opening}${head}`),
    end: `${renderSprite(body, context.media.icons)}${bodyEnd}</html>\n`,
  }
  return { html: settle ? settle(content, around) : around.start + content + around.end, styles }
}

interface HeadProps extends Pick<DocumentInput, 'context' | 'page' | 'view' | 'refresh'> {
  readonly connect: readonly string[]
  /** The rendered body, which decides what else the page loads. */
  readonly body: string
  readonly styles: readonly SiteFile[]
}

function Head({ context, page, view, body, styles, connect, refresh }: HeadProps) {
  const { plan, assets } = context
  const settings = settingsOf(page, plan.settings)
  const title = page.route === '' ? settings.name : `${page.title} · ${settings.name}`
  const feeds = toFeedPaths(context, page)
  const structuredData = renderStructuredData(context, page, view)
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta http-equiv="Content-Security-Policy" content={toPolicy(connect, settings, body.includes('<iframe'))} />
      {refresh !== undefined && <meta http-equiv="refresh" content={`0; url=${refresh}`} />}
      <title>{title}</title>
      <Description context={context} page={page} />
      <ScriptSettings context={context} page={page} />
      <Favicon context={context} />
      <link rel="stylesheet" href={toAssetHref(context.hosting, assets.stylesheet)} />
      {/* The sprite is the last element. If a part of the page was painted earlier, some of its content would move. */}
      {body.length <= maxWholeBody && <link rel="expect" href={`#${spriteId}`} {...blocking} />}
      {/* Parsing continues while both load, but nothing is painted before. For browsers without `blocking`, see base.css. */}
      <script async {...blocking} src={toAssetHref(context.hosting, assets.theme)} />
      {assets.brand !== undefined && <link rel="stylesheet" href={toAssetHref(context.hosting, assets.brand)} />}
      {assets.custom !== undefined && <link rel="stylesheet" href={toAssetHref(context.hosting, assets.custom)} />}
      {listFontPreloads(assets.fonts ?? {}).map(({ path, type }) => (
        <link rel="preload" as="font" type={type} crossorigin="anonymous" href={toAssetHref(context.hosting, path)} />
      ))}
      {styles.map(({ path }) => (
        <link rel="stylesheet" href={toAssetHref(context.hosting, path)} />
      ))}
      {context.plan.pageByRoute.get(page.route) === page && (
        <link rel="alternate" type="text/markdown" href={toAssetHref(context.hosting, toMarkdownPath(page))} />
      )}
      {feeds && (
        <>
          <link rel="alternate" type="application/rss+xml" title={title} href={toAssetHref(context.hosting, feeds.rss)} />
          <link rel="alternate" type="application/feed+json" title={title} href={toAssetHref(context.hosting, feeds.json)} />
        </>
      )}
      {/* Data, which browsers do not execute, so the policy need not allow it. */}
      {structuredData !== undefined && (
        <script type="application/ld+json">
          <Raw html={new Html(structuredData)} />
        </script>
      )}
      <script type="module" src={toAssetHref(context.hosting, assets.page)} />
      {body.includes(diagramTag) && <script type="module" src={toAssetHref(context.hosting, assets.diagrams)} />}
      {settings.site.feedback !== false && <script type="module" src={toAssetHref(context.hosting, assets.feedback)} />}
      {assets.scripts?.map((path) => (
        <script defer src={toAssetHref(context.hosting, path)} />
      ))}
    </head>
  )
}

/** What search engines and other sites show of a page. */
function Description({ context, page }: Pick<HeadProps, 'context' | 'page'>) {
  const settings = settingsOf(page, context.plan.settings)
  const description = toPlainDescription(page) ?? settings.description
  const robots = robotsOf(page, settings)
  const canonical = toCanonical(context, page)
  const tags = listMetatags(context, page)
  // One element for both.
  const shared = tags.find(({ name, content }) => name === 'og:description' && content === description)
  return (
    <>
      {description !== undefined && <meta name="description" property={shared?.name} content={description} />}
      {robots !== undefined && <meta name="robots" content={robots} />}
      {canonical !== undefined && <link rel="canonical" href={canonical} />}
      {listAlternates(context, page).map(({ language: hreflang, href }) => (
        <link rel="alternate" hreflang={hreflang} href={href} />
      ))}
      {tags.map(
        (tag) =>
          tag !== shared && <meta {...{ [openGraph.test(tag.name) ? 'property' : 'name']: tag.name }} content={tag.content} />,
      )}
    </>
  )
}

/** Open Graph uses `property` instead of `name`. */
const openGraph = /^(?:og|article|book|profile|fb):/

/** What the scripts of a page read. */
function ScriptSettings({ context, page }: Pick<HeadProps, 'context' | 'page'>) {
  const settings = settingsOf(page, context.plan.settings)
  const texts = toMessageFiles(context.messages)
  const scopes = planSearchScopes(context.plan)
  const versions = scopes.versionsFor(page).map(([label, own]) => [label, own.join(' ')])
  return (
    <>
      <meta name="base" content={context.hosting.base} />
      {texts && <meta name="messages" content={toAssetHref(context.hosting, texts.client.path)} />}
      {settings.site.feedback !== false && <meta name="feedback" content={settings.site.feedback} />}
      {scopes.count > 1 && <meta name="search" content={scopes.scopesFor(page).join(' ')} />}
      {versions.length > 0 && <meta name="search-versions" content={JSON.stringify(versions)} />}
      {settings.searchPrompt !== undefined && <meta name="search-prompt" content={settings.searchPrompt} />}
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-default" content={`${settings.appearance.default}${settings.appearance.strict ? ' strict' : ''}`} />
      {settings.banner?.dismissible && <meta name="banner" content={bannerId(settings.banner)} />}
    </>
  )
}

/** The favicon. An empty one prevents browsers from requesting `/favicon.ico`. */
function Favicon({ context }: { readonly context: SiteContext }) {
  const { favicon } = context.plan.settings
  const drawn = context.assets.favicon
  if (!favicon) return <link rel="icon" href={drawn === undefined ? 'data:,' : toAssetHref(context.hosting, drawn)} />
  const { light, dark } = favicon
  if (light === dark) return <link rel="icon" href={resolveHref(context, light, undefined)} />
  return (
    <>
      <link rel="icon" href={resolveHref(context, light, undefined)} media="(prefers-color-scheme: light)" />
      <link rel="icon" href={resolveHref(context, dark, undefined)} media="(prefers-color-scheme: dark)" />
    </>
  )
}

interface PolicySettings extends Partial<Pick<SiteSettings, 'integrations'>> {
  readonly site: Pick<SiteSettings['site'], 'allowedOrigins' | 'feedback'>
}

/**
 * The Content Security Policy of a page. Forbids inline code and code from other hosts. `_headers` has the same policy for hosts that support it.
 *
 * Source: Content Security Policy Level 3. `frame-ancestors` works only in a header.
 *
 * @param connect servers for requests. @param settings add servers. @param hasFrames whether videos of other hosts are allowed.
 */
export function toPolicy(
  connect: readonly string[],
  settings: PolicySettings = { site: { allowedOrigins: [], feedback: false } },
  hasFrames = true,
): string {
  const { allowedOrigins, feedback } = settings.site
  const feedbackOrigins = feedback === false ? [] : [new URL(feedback).origin]
  const sources: Readonly<Record<string, readonly string[]>> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...allowedOrigins],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'https:', 'data:', 'blob:'],
    'media-src': ["'self'", 'https:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...allowedOrigins, ...connect, ...feedbackOrigins],
    ...(hasFrames && { 'frame-src': frameHosts.map((host) => `https://${host}`) }),
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'object-src': ["'none'"],
  }
  const added = settings.integrations?.sources ?? {}
  return Object.entries(sources)
    .map(([name, own]) => [name, ...new Set([...own, ...(readOwn(added, name) ?? [])])].join(' '))
    .join('; ')
}

/** The footer from `docs.json`, if any. */
function Footer({ context, page }: { readonly context: SiteContext; readonly page: SitePage }) {
  const { socials, columns } = settingsOf(page, context.plan.settings).footer
  if (socials.length === 0 && columns.length === 0) return null
  return (
    <footer class="foot">
      <div class="wrap">
        {columns.map(({ header, links }) => (
          <nav aria-label={header === '' ? context.messages.page.links : header}>
            {header !== '' && <h2>{header}</h2>}
            <ul>
              {links.map(({ label, href }) => (
                <li>
                  <a href={resolveHref(context, href, undefined)}>{label}</a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        {socials.length > 0 && (
          <nav class="socials" aria-label={context.messages.page.socialLinks}>
            <ul>
              {socials.map(({ label, href, icon }) => (
                <li>
                  <a href={resolveHref(context, href, undefined)}>
                    <NamedIcon name={icon} context={context} /> {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
    </footer>
  )
}

/**
 * The structured data of a page, as JSON for a `script` element. Describes the page, its place in the navigation, the site and its publisher to
 * search engines. `undefined` for pages that they must not list.
 *
 * Source: schema.org, JSON-LD 1.1. Relative URLs are resolved against the URL of the page.
 */
function renderStructuredData(
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
