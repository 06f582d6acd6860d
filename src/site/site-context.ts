import type { SitePage, SitePlan } from './types.ts'

/** What every part of a page may need of the site around it. */
export interface SiteContext {
  readonly plan: SitePlan
  readonly pageByRoute: ReadonlyMap<string, SitePage>
  /** Where the site stands on its host: `/`, or `/docs/`. */
  readonly base: string
  /** Its whole address with the base, ending in `/`; absent where nobody told it. For canonical links and the sitemap. */
  readonly url: string | undefined
  readonly assets: AssetPaths
  /** Only in a preview: hints for the author are shown. */
  readonly isPreview: boolean
}

/** The files of the site that are no pages, relative to the output folder; their names carry a hash of their content. */
export interface AssetPaths {
  readonly stylesheet: string
  /** Sets the theme before the first paint. */
  readonly theme: string
  /** Everything else that a page does before it is asked for more. */
  readonly page: string
}

/** The address of a page inside the site. A folder with a slash at its end is what every static server has. */
export function toHref({ base }: Pick<SiteContext, 'base'>, route: string): string {
  return route === '' ? base : `${base}${encodeURI(route).replaceAll('?', '%3F').replaceAll('#', '%23')}/`
}

/** The address of a file of the site. */
export function toAssetHref({ base }: Pick<SiteContext, 'base'>, path: string): string {
  return base + encodeURI(path)
}

/**
 * Where a link of docs.json or a page leads: a path that begins with `/` counts from the start of the site, one without from the page's
 * folder; what leads to another site stays as it is.
 */
export function resolveHref(context: SiteContext, href: string, from: SitePage | undefined): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(href)) return href
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(href) ?? []
  const folder = path.startsWith('/') || from === undefined ? '' : from.route.split('/').slice(0, -1).join('/')
  const steps: string[] = []
  for (const step of `${folder}/${path}`.split('/')) {
    if (step === '' || step === '.') continue
    if (step === '..') steps.pop()
    else steps.push(step)
  }
  const joined = steps.join('/')
  const route = joined.replace(/\.mdx?$/i, '').replace(/(?:^|\/)index$/, '')
  if (context.pageByRoute.has(route)) return toHref(context, route) + rest
  const isFile = /\.[a-z0-9]{1,8}$/i.test(joined)
  return isFile ? toAssetHref(context, joined) + rest : toHref(context, joined) + rest
}
