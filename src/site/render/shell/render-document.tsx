import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { withoutControls } from '../../../source/escape-text.ts'
import { frameHosts } from '../../content/allowed-html.ts'
import { toStyleFiles } from '../components/page-styles.ts'
import { NamedIcon, renderSprite } from '../icons/page-icons.tsx'
import { resolveHref, type SiteContext, settingsOf, toAssetHref } from '../site-context.ts'
import { fontHref } from '../theme/render-brand.ts'
import type { SiteFile, SitePage } from '../types.ts'
import { bannerId, Header, hasTwoRows } from './header.tsx'
import { isIndexed, listAlternates, listMetatags, toPlainDescription, toWholeAddress } from './metatags.ts'
import type { NavigationView } from './navigation-view.ts'
import { isRightToLeft, languageOf } from './page-language.ts'
import { Sidebar } from './sidebar.tsx'

interface DocumentInput {
  readonly context: SiteContext
  readonly page: SitePage
  readonly view: NavigationView
  /** The page's own part, inside `<main>`. */
  readonly children: ComponentChildren
  /** Servers that the page may send requests to, for its policy. */
  readonly connect?: readonly string[]
  /** An address that the page leads to by itself. */
  readonly refresh?: string | undefined
}

interface RenderedDocument {
  readonly html: string
  /** The stylesheet of what only this page looks like, where it has any. */
  readonly styles: readonly SiteFile[]
}

/** An attribute that Preact's types do not know yet. */
const blocking = { blocking: 'render' }

/** A whole HTML document. Everything in it comes from components, which escape; only the sheet of icons, made of our own texts, is put in as it is. */
export function renderDocument({ context, page, view, children, connect = [], refresh }: DocumentInput): RenderedDocument {
  const { plan, assets } = context
  const settings = settingsOf(page, plan.settings)
  const title = page.route === '' ? settings.name : `${page.title} · ${settings.name}`
  const canonical = page.hidden ? undefined : toWholeAddress(context, page.route)
  const description = toPlainDescription(page) ?? settings.description
  const language = languageOf(page) ?? settings.language
  const isBare = page.mode === 'custom' || page.mode === 'center'
  const body = renderToString(
    <body>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Header context={context} page={page} view={view} />
      <div class={isBare ? 'wrap bare' : 'wrap shell'}>
        <Sidebar context={context} page={page} view={view} />
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      {page.mode !== 'custom' && <Footer context={context} page={page} />}
    </body>,
  )
  const styles = toStyleFiles(page, body)
  const head = renderToString(
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta http-equiv="Content-Security-Policy" content={toPolicy(connect)} />
      {refresh !== undefined && <meta http-equiv="refresh" content={`0; url=${refresh}`} />}
      <title>{title}</title>
      {description !== undefined && <meta name="description" content={description} />}
      {!isIndexed(page, settings) && <meta name="robots" content="noindex" />}
      {canonical !== undefined && <link rel="canonical" href={canonical} />}
      {listAlternates(context, page).map(({ language: hreflang, href }) => (
        <link rel="alternate" hreflang={hreflang} href={href} />
      ))}
      {listMetatags(context, page).map(({ name, content }) =>
        // Open Graph says `property` where everybody else says `name`.
        /^(?:og|article|book|profile|fb):/.test(name) ? (
          <meta property={name} content={content} />
        ) : (
          <meta name={name} content={content} />
        ),
      )}
      <meta name="base" content={context.base} />
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-default" content={`${settings.appearance.default}${settings.appearance.strict ? ' strict' : ''}`} />
      {settings.banner?.dismissible && <meta name="banner" content={bannerId(settings.banner)} />}
      <Favicon context={context} />
      <link rel="stylesheet" href={toAssetHref(context, assets.stylesheet)} />
      {/* Reading goes on while both are on their way; nothing is painted before them. Browsers that know no `blocking`: see base.css. */}
      <script async {...blocking} src={toAssetHref(context, assets.theme)} />
      {assets.brand !== undefined && <link rel="stylesheet" href={toAssetHref(context, assets.brand)} />}
      {settings.fonts.body && (
        <link rel="preload" as="font" crossorigin="anonymous" href={fontHref(context, settings.fonts.body.source)} />
      )}
      {styles.map(({ path }) => (
        <link rel="stylesheet" href={toAssetHref(context, path)} />
      ))}
      {context.pageByRoute.get(page.route) === page && (
        <link
          rel="alternate"
          type="text/markdown"
          href={toAssetHref(context, `${page.route === '' ? 'index' : page.route}.md`)}
        />
      )}
      <script type="module" src={toAssetHref(context, assets.page)} />
    </head>,
  )
  const bodyEnd = '</body>'
  const withSprite = body.slice(0, -bodyEnd.length) + renderSprite(body) + bodyEnd
  const opening = renderToString(
    <html
      lang={language}
      dir={isRightToLeft(language) ? 'rtl' : undefined}
      class={hasTwoRows(context, page, view) ? 'two-rows' : undefined}
      data-theme={settings.appearance.default === 'system' ? undefined : settings.appearance.default}
    />,
  ).replace(/<\/html>$/, '')
  return { html: withoutControls(`<!doctype html>\n${opening}${head}${withSprite}</html>\n`), styles }
}

/** Browsers ask for `/favicon.ico` of pages that name none. */
function Favicon({ context }: { readonly context: SiteContext }) {
  const { favicon } = context.plan.settings
  if (!favicon) return <link rel="icon" href="data:," />
  const { light, dark } = favicon
  if (light === dark) return <link rel="icon" href={resolveHref(context, light, undefined)} />
  return (
    <>
      <link rel="icon" href={resolveHref(context, light, undefined)} media="(prefers-color-scheme: light)" />
      <link rel="icon" href={resolveHref(context, dark, undefined)} media="(prefers-color-scheme: dark)" />
    </>
  )
}

/**
 * What a page may load, for hosts that send no headers; `_headers` says the same. Nothing inline and no code from elsewhere.
 *
 * Source: Content Security Policy Level 3; `frame-ancestors` counts only in a header.
 */
export function toPolicy(connect: readonly string[]): string {
  const frames = frameHosts.map((host) => `https://${host}`).join(' ')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' https: data: blob:",
    "media-src 'self' https:",
    "font-src 'self'",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    `frame-src ${frames}`,
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
  ].join('; ')
}

/** What docs.json puts under every page; nothing where it has nothing. */
function Footer({ context, page }: { readonly context: SiteContext; readonly page: SitePage }) {
  const { socials, columns } = settingsOf(page, context.plan.settings).footer
  if (socials.length === 0 && columns.length === 0) return null
  return (
    <footer class="foot">
      <div class="wrap">
        {columns.map(({ header, links }) => (
          <nav aria-label={header === '' ? 'Links' : header}>
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
          <nav class="socials" aria-label="Elsewhere">
            <ul>
              {socials.map(({ label, href, icon }) => (
                <li>
                  <a href={resolveHref(context, href, undefined)}>
                    <NamedIcon name={icon} /> {label}
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
