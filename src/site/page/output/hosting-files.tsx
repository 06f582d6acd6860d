import { renderToString } from 'preact-render-to-string'
import { parseRedirectTarget, type RedirectTarget } from '../../../docs/navigation/docs-config.ts'
import { toSafeName } from '../../../docs/pages/generated-page.ts'
import { escapeXml } from '../../../text/plain/escape-text.ts'
import { getOrMake } from '../../../text/plain/lists.ts'
import { type AllowedUrl, encodeUrlPart } from '../../../text/plain/paths.ts'
import { fillMessage } from '../../messages/format-message.ts'
import { isPattern, toRedirectPath } from '../../plan/checks/check-redirects.ts'
import { listPageDirectories } from '../../plan/page-directories.ts'
import { isRightToLeft } from '../../plan/page-language.ts'
import type { SiteFile, SitePlan, SiteSettings } from '../../plan/types.ts'
import { isIndexed, isListed } from '../page-listing.ts'
import { listSiteLanguages } from '../shell/navigation-view.ts'
import { toPolicy } from '../shell/render-document.tsx'
import { resolveHref, type SiteContext, toHref } from '../site-context.ts'

/**
 * Renders `_headers` for Netlify and Cloudflare Pages. Pages also contain the policy, but some rules work only in headers, and other files need them.
 *
 * @param connect servers that pages may send requests to. @param settings see `toPolicy`.
 */
export function renderHeaders(base: string, connect: readonly string[], settings?: Parameters<typeof toPolicy>[1]): string {
  const rules: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    [
      '*',
      {
        'Content-Security-Policy': `${toPolicy(connect, settings)}; frame-ancestors 'none'`,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'strict-origin-when-cross-origin',
        'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
        'Cross-Origin-Opener-Policy': 'same-origin',
      },
    ],
    // An SVG that is opened directly is a document. Nothing in it may run or load resources.
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

/** `robots.txt`, and `sitemap.xml` if the URL of the site is known. Sitemaps need absolute URLs. */
export function listCrawlerFiles(context: SiteContext): SiteFile[] {
  const { plan } = context
  const { url } = context.hosting
  const urls =
    url === undefined
      ? []
      : plan.pages
          .filter((page) => isListed(page, plan.settings) && isIndexed(page, plan.settings))
          .map(({ route }) => new URL(toHref({ base: './' }, route), url).href)
  const robots = ['User-agent: *', 'Allow: /', ...(urls.length === 0 ? [] : [`Sitemap: ${url}sitemap.xml`])]
  return [
    { path: 'robots.txt', content: `${robots.join('\n')}\n` },
    ...(urls.length === 0 ? [] : [{ path: 'sitemap.xml', content: renderSitemap(urls) }]),
  ]
}

function renderSitemap(urls: readonly string[]): string {
  const entries = urls.map((pageUrl) => `  <url><loc>${escapeXml(pageUrl)}</loc></url>\n`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`
}

/**
 * `_languages` for the server of the app, which chooses the language of `/` for readers: a BCP 47 tag and the path of the start page per line, the default
 * language first. Only for sites with several languages.
 */
export function listLanguages(context: SiteContext): SiteFile[] {
  const lines = listSiteLanguages(context).map(({ tag, href }) => `${tag} ${href}`)
  return lines.length < 2 ? [] : [{ path: '_languages', content: `${lines.join('\n')}\n` }]
}

type Redirect = SiteSettings['redirects'][number]

/**
 * The redirects of `docs.json` and of pages with a `url`, in two forms: a redirect page each (except for patterns), and `_redirects` for Netlify and
 * Cloudflare Pages. Existing pages win over redirects. Directories without a page redirect to their first page, also the root.
 *
 * A server that applies `_redirects` itself decides whether readers may leave the site, so its sites have no pages that redirect to other sites.
 */
export function listRedirects(context: SiteContext): SiteFile[] {
  const { plan } = context
  const { settings } = plan
  const files = new Map<string, SiteFile>()
  const put = (path: string, href: AllowedUrl) => {
    getOrMake(files, path, () => ({ path, content: renderRedirect(href, context) }))
  }
  const add = (route: string, destination: string) => {
    const target = parseRedirectTarget(destination)
    if (!target || (target.kind === 'url' && context.hosting.appliesRedirects)) return
    const isFile = /\.html?$/i.test(route)
    put(isFile ? route : route === '' ? 'index.html' : `${route}/index.html`, toTargetHref(context, target))
  }
  const moved = settings.redirects.filter(({ source }) => !plan.pageByRoute.has(toRedirectPath(source)))
  for (const redirect of moved) {
    const route = toRedirectPath(redirect.source)
    if (isPattern(redirect.source) || !isSafeRoute(route)) continue
    // The site has a file with this path, so the redirect works only on hosts that support `_redirects`.
    if (/^(?:llms(?:-full)?|robots)\.txt$|^sitemap\.xml$|\.md$/i.test(route)) continue
    add(route, redirect.destination)
  }
  const external = plan.pages.flatMap(({ route, externalUrl }) =>
    externalUrl === undefined || !parseRedirectTarget(externalUrl)
      ? []
      : [{ source: `/${route}`, destination: externalUrl, permanent: false }],
  )
  for (const { source, destination } of external) add(toRedirectPath(source), destination)
  for (const [directory, route] of listPageDirectories(listFirstPages(plan))) {
    if (!isSafeRoute(directory) || moved.some((redirect) => isPattern(redirect.source) && startsBefore(redirect, directory)))
      continue
    put(`${directory}/index.html`, toHref(context.hosting, route))
  }
  const first = plan.pages.find(({ trail, hidden }) => trail.length > 0 && !hidden) ?? plan.pages[0]
  if (first && !plan.pageByRoute.has('')) put('index.html', toHref(context.hosting, first.route))
  const lines = [...moved, ...external].flatMap((redirect) => toLine(context, redirect))
  return lines.length === 0 ? [...files.values()] : [{ path: '_redirects', content: `${lines.join('\n')}\n` }, ...files.values()]
}

/** Whether a redirect pattern can match a directory or a path below it. */
function startsBefore({ source }: Redirect, directory: string): boolean {
  return `${directory}/`.startsWith(toRedirectPath(source).replace(/[:*].*$/s, ''))
}

/** The pages that a directory can open: in the order of the navigation, then the hidden pages of authors. */
export function listFirstPages({ pages }: SitePlan): string[] {
  const last = pages.filter(({ hidden, path, isUnlisted }) => hidden && path !== undefined && !isUnlisted)
  return [...pages.filter(({ hidden }) => !hidden), ...last].map(({ route }) => route)
}

/** Whether a redirect page can be written: the path must be valid on every file system and not used by generated files. */
function isSafeRoute(route: string): boolean {
  return route === '' || route.split('/').every((step) => !step.startsWith('_') && toSafeName(step) === step)
}

/** Source: Netlify and Cloudflare Pages, "Redirects": `from to status`, with `*` at the end of the one and `:splat` in the other. */
function toLine(context: SiteContext, redirect: Redirect): readonly string[] {
  const encode = (text: string) => text.replace(/[\s\u0000-\u001f]/g, (found) => encodeUrlPart(found))
  const from = context.hosting.base + toRedirectPath(redirect.source).replace(/(?::\w+)?\*$/, '*')
  const target = parseRedirectTarget(redirect.destination.replace(/(?::\w+)?\*$/, ':splat'))
  if (!target) return []
  const isPatternPath = target.kind === 'path' && isPattern(redirect.source) && target.path.startsWith('/')
  const to = isPatternPath ? context.hosting.base + target.path.slice(1) : toTargetHref(context, target)
  return [`${encode(from)} ${encode(to)} ${redirect.permanent ? 301 : 302}`]
}

function toTargetHref(context: SiteContext, target: RedirectTarget): AllowedUrl {
  return target.kind === 'url' ? target.url : resolveHref(context, target.path, undefined)
}

/**
 * A redirect page for hosts without redirects. It redirects immediately and also contains a link.
 */
function renderRedirect(href: AllowedUrl, { messages: { redirect: texts, language } }: Pick<SiteContext, 'messages'>): string {
  const html = renderToString(
    <html lang={language} dir={isRightToLeft(language) ? 'rtl' : undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'" />
        <title>{texts.title}</title>
        <meta name="robots" content="noindex" />
        <link rel="canonical" href={href} />
        <meta http-equiv="refresh" content={`0; url=${href}`} />
      </head>
      <body>
        <p>{fillMessage(texts.text, (name) => (name === 'link' ? <a href={href}>{href}</a> : undefined))}</p>
      </body>
    </html>,
  )
  return `<!doctype html>\n${html}\n`
}
