import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { toSafeName } from '../../../pages/page-path.ts'
import { isIndexed } from '../shell/metatags.ts'
import { toPolicy } from '../shell/render-document.tsx'
import { resolveHref, type SiteContext, toHref } from '../site-context.ts'
import type { SiteFile, SiteSettings } from '../types.ts'

/**
 * `_headers`, which Netlify and Cloudflare Pages read. Pages carry the same policy in themselves; here is what only a header can say, and what
 * files without a page around them need.
 *
 * @param connect servers that pages may send requests to.
 */
export function renderHeaders(base: string, connect: readonly string[]): string {
  const rules: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    [
      '*',
      {
        'Content-Security-Policy': `${toPolicy(connect)}; frame-ancestors 'none'`,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'strict-origin-when-cross-origin',
        'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
        'Cross-Origin-Opener-Policy': 'same-origin',
      },
    ],
    // A drawing that is opened by itself is a document: nothing in it may run or load.
    ['*.svg', { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox" }],
    ['*.md', { 'Content-Type': 'text/markdown; charset=utf-8' }],
    ['_assets/*', { 'Cache-Control': 'public, max-age=31536000, immutable' }],
  ]
  const blocks = rules.map(([path, headers]) => {
    const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`)
    return `${base}${path}\n${lines.join('')}`
  })
  return blocks.join('\n')
}

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

type Redirect = SiteSettings['redirects'][number]

/**
 * The redirects of docs.json and of pages with a `url`, in both shapes: a page each (only those without a pattern), and `_redirects` for hosts
 * that read it (Netlify, Cloudflare Pages). A page that is there wins over a redirect from its address. Without a start page the site begins at
 * its first page.
 */
export function listRedirects(context: SiteContext): SiteFile[] {
  const { plan, pageByRoute } = context
  const { settings } = plan
  const files = new Map<string, SiteFile>()
  const add = (path: string, href: string) => {
    if (!files.has(path)) files.set(path, { path, content: renderRedirect(href, settings.language) })
  }
  const moved = settings.redirects.filter(({ source }) => !pageByRoute.has(toRoute(source)))
  for (const redirect of moved) {
    const route = toRoute(redirect.source)
    if (isPattern(redirect) || !isSafeRoute(route)) continue
    // A file of the site stands there: only a host that reads `_redirects` can send its readers on.
    if (/^(?:llms(?:-full)?|robots)\.txt$|^sitemap\.xml$|\.md$/i.test(route)) continue
    const isFile = /\.html?$/i.test(route)
    add(
      isFile ? route : route === '' ? 'index.html' : `${route}/index.html`,
      resolveHref(context, redirect.destination, undefined),
    )
  }
  const external = plan.pages.flatMap(({ route, externalUrl }) =>
    externalUrl === undefined ? [] : [{ source: `/${route}`, destination: externalUrl, permanent: false }],
  )
  for (const { source, destination } of external) {
    const route = toRoute(source)
    add(route === '' ? 'index.html' : `${route}/index.html`, resolveHref(context, destination, undefined))
  }
  const first = plan.pages.find(({ trail, hidden }) => trail.length > 0 && !hidden) ?? plan.pages[0]
  if (first && !pageByRoute.has('')) add('index.html', toHref(context, first.route))
  const lines = [...moved, ...external].map((redirect) => toLine(context, redirect))
  return lines.length === 0 ? [...files.values()] : [...files.values(), { path: '_redirects', content: `${lines.join('\n')}\n` }]
}

/** `:slug*` and `*` stand for any steps, `:slug` for one. */
function isPattern({ source }: Redirect): boolean {
  return /[*]|(?:^|\/):\w/.test(source)
}

function toRoute(source: string): string {
  return source.replace(/[?#].*$/s, '').replace(/^\/+|(?<!\/)\/+$/g, '')
}

/** Whether every disk can have a page there, and a file of ours does not stand there: on others only `_redirects` sends readers on. */
function isSafeRoute(route: string): boolean {
  return route === '' || route.split('/').every((step) => !step.startsWith('_') && toSafeName(step) === step)
}

/** Source: Netlify and Cloudflare Pages, "Redirects": `from to status`, with `*` at the end of the one and `:splat` in the other. */
function toLine(context: SiteContext, redirect: Redirect): string {
  const encode = (text: string) => text.replace(/[\s\u0000-\u001f]/g, (found) => encodeURIComponent(found))
  const from = context.base + toRoute(redirect.source).replace(/(?::\w+)?\*$/, '*')
  const destination = redirect.destination.replace(/(?::\w+)?\*$/, ':splat')
  const isInside = destination.startsWith('/') && !destination.startsWith('//')
  const to = isPattern(redirect)
    ? isInside
      ? context.base + destination.slice(1)
      : destination
    : resolveHref(context, destination, undefined)
  // Hosts take `//example.com/x` for a path of the site.
  const goal = to.startsWith('//') ? `https:${to}` : to
  return `${encode(from)} ${encode(goal)} ${redirect.permanent ? 301 : 302}`
}

/**
 * A page that only leads elsewhere, for hosts that know no redirects of their own: the browser follows it at once, a person without that by the
 * link. `href` has to be an address that `isAllowedUrl` allows.
 */
function renderRedirect(href: string, language: string): string {
  const html = h(
    'html',
    { lang: language },
    h(
      'head',
      null,
      h('meta', { charset: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { 'http-equiv': 'Content-Security-Policy', content: "default-src 'none'; base-uri 'none'; form-action 'none'" }),
      h('title', null, 'This page has moved'),
      h('meta', { name: 'robots', content: 'noindex' }),
      h('link', { rel: 'canonical', href }),
      h('meta', { 'http-equiv': 'refresh', content: `0; url=${href}` }),
    ),
    h('body', null, h('p', null, 'This page has moved to ', h('a', { href }, href), '.')),
  )
  return `<!doctype html>\n${renderToString(html)}\n`
}
