import { decodePercent, parentPath } from '../text/relative-path.ts'
import type { SitePage } from './types.ts'

/** Where a link of a page or of docs.json leads. */
export type LinkTarget =
  /** To another site, to a mail program, or within the page itself. */
  | { readonly kind: 'elsewhere' }
  /** `path` is relative to the docs root, without leading `/`; `rest` is query and fragment. */
  | { readonly kind: 'page'; readonly route: string; readonly rest: string }
  /** Its name has an extension that is none of a page, and there is no page there. */
  | { readonly kind: 'file'; readonly path: string; readonly rest: string }
  | { readonly kind: 'unknown'; readonly path: string; readonly rest: string }

/**
 * Finds out where a link leads: a path that begins with `/` counts from the start of the site, one without from the folder of the page's file
 * (of docs.json: from the start).
 */
export function resolveLink(
  href: string,
  from: Pick<SitePage, 'path' | 'route'> | undefined,
  hasPage: (route: string) => boolean,
): LinkTarget {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|\\\\|#|\?|$)/i.test(href)) return { kind: 'elsewhere' }
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(href) ?? []
  const folder = path.startsWith('/') || from === undefined ? '' : parentPath(from.path ?? from.route)
  const steps: string[] = []
  // Paths are kept decoded.
  for (const step of `${folder}/${decodePercent(path)}`.split('/')) {
    if (step === '' || step === '.') continue
    if (step === '..') steps.pop()
    else steps.push(step)
  }
  const joined = steps.join('/')
  const route = joined.replace(/\.mdx?$/i, '').replace(/(?:^|\/)index$/, '')
  if (hasPage(joined)) return { kind: 'page', route: joined, rest }
  if (hasPage(route)) return { kind: 'page', route, rest }
  return { kind: /\.[a-z0-9]{1,8}$/i.test(joined) && !/\.mdx?$/i.test(joined) ? 'file' : 'unknown', path: joined, rest }
}
