import { toSafeName } from '../../pages/page-path.ts'
import { resolveHref, type SiteContext, toHref } from '../site-context.ts'
import type { SiteFile, SiteSettings } from '../types.ts'
import { renderRedirect } from './render-redirect.ts'

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
