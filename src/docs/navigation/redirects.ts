import { isObject } from '../../text/json/json-values.ts'
import type { AllowedUrl } from '../../text/plain/urls.ts'
import type { DocsConfig } from './types.ts'

/** An entry of `redirects` in `docs.json`. */
export interface Redirect {
  /** Position in the list. */
  readonly index: number
  /** Source and destination as written: a URL path with a leading `/`, or a pattern. */
  readonly source: string
  readonly destination: string
}

/** A redirect that no site can serve. */
interface UnusableRedirect extends Redirect {
  /**
   * `fragment`, `query`: its source has one. Redirects match only paths, and browsers do not send fragments. `target`: its destination is neither a
   * path nor an `https` URL.
   */
  readonly problem: 'fragment' | 'query' | 'target'
}

/** Reads the redirects that a site can serve. Skips invalid entries. */
export function readRedirects(docsConfig: DocsConfig | undefined): Redirect[] {
  return listRedirects(docsConfig).filter((redirect) => findProblem(redirect) === undefined)
}

/** Reads the redirects that no site can serve. */
export function readUnusableRedirects(docsConfig: DocsConfig | undefined): UnusableRedirect[] {
  return listRedirects(docsConfig).flatMap((redirect) => {
    const problem = findProblem(redirect)
    return problem === undefined ? [] : [{ ...redirect, problem }]
  })
}

function listRedirects(docsConfig: DocsConfig | undefined): Redirect[] {
  const written = docsConfig?.value['redirects']
  if (!Array.isArray(written)) return []
  return written.flatMap((entry: unknown, index) => {
    if (!isObject(entry)) return []
    const { source, destination } = entry
    return typeof source === 'string' && typeof destination === 'string' ? [{ index, source, destination }] : []
  })
}

/** Why a site cannot serve a redirect; `undefined` if it can. */
export function findProblem({
  source,
  destination,
}: Pick<Redirect, 'source' | 'destination'>): UnusableRedirect['problem'] | undefined {
  // It would apply to the path without the fragment or query, for which another redirect may exist.
  if (source.includes('#')) return 'fragment'
  if (source.includes('?')) return 'query'
  return parseRedirectTarget(destination) === undefined ? 'target' : undefined
}

/** The target of a redirect: a path of the site, as written, or the normalized `https` URL of another site. */
export type RedirectTarget =
  | { readonly kind: 'path'; readonly path: AllowedUrl }
  | { readonly kind: 'url'; readonly url: AllowedUrl }

/** Some hosts serve a site over http. */
const anySite = ['https://site.invalid/', 'http://site.invalid/'] as const

/**
 * Parses the target of a redirect as browsers do: `\` is `/`, tabs and line breaks are ignored, and `https:/a` can be a path or a host.
 *
 * @returns `undefined` for a target that is neither a path of the site nor an `https` URL on every site.
 * @see https://url.spec.whatwg.org/#concept-basic-url-parser
 */
export function parseRedirectTarget(written: string): RedirectTarget | undefined {
  const [overHttps, overHttp] = anySite.map((site) => (URL.canParse(written, site) ? new URL(written, site) : undefined))
  if (!overHttps || !overHttp) return undefined
  if (overHttps.origin === new URL(anySite[0]).origin && overHttp.origin === new URL(anySite[1]).origin) {
    // The URL standard removes these characters. The rest stays on the site.
    return { kind: 'path', path: written.replace(/^[\0- ]+|[\0- ]+$|[\t\n\r]/g, '') as AllowedUrl }
  }
  const isUrl = overHttps.protocol === 'https:' && overHttps.href === overHttp.href
  const hasCredentials = overHttps.username !== '' || overHttps.password !== ''
  return isUrl && !hasCredentials ? { kind: 'url', url: overHttps.href as AllowedUrl } : undefined
}
