import { groupBy } from '../../source/group-by.ts'
import { decodePercent, parentPath } from '../../source/relative-path.ts'
import { suggest } from '../../source/suggest.ts'
import { toOnce } from '../../source/to-once.ts'
import type { SitePage, SiteSettings } from './types.ts'

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

/** Where an address stands in a text as a value of its own, between quotes, in the brackets of Markdown or behind an attribute's `=`; -1 where it does not. */
export function findAddress(text: string, href: string): number {
  for (let at = text.indexOf(href); at !== -1; at = text.indexOf(href, at + 1)) {
    if (/["'`(<\s:=]/.test(text[at - 1] ?? '\n') && /["'`)>\s]/.test(text[at + href.length] ?? '\n')) return at
  }
  return -1
}

/** More of them are another path, not the same one mistyped. */
const mostChanges = 8

/**
 * Makes what finds the nearest of some paths, by the whole of it, else one of the same name in another folder.
 *
 * A link of a description stands on many pages, so what was found for a path is kept.
 */
export function createPathSuggester(candidates: () => Iterable<string>): (path: string) => string | undefined {
  const all = toOnce(() => [...candidates()])
  const byName = toOnce(() => groupBy(all(), nameOf))
  const found = new Map<string, string | undefined>()
  return (path) => {
    if (!found.has(path)) {
      const sameName = byName().get(nameOf(path))
      found.set(path, sameName ? nearestOf(path, sameName) : likelyOf(path, suggest(path, all(), mostChanges)))
    }
    return found.get(path)
  }
}

function nearestOf(path: string, candidates: readonly string[]): string | undefined {
  return candidates.length === 1 ? candidates[0] : suggest(path, candidates)
}

/** In a long path the folders alone make two near each other: what is meant has a name like the one that is written. */
function likelyOf(path: string, near: string | undefined): string | undefined {
  return near !== undefined && suggest(nameOf(path), [nameOf(near)]) !== undefined ? near : undefined
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase()
}

/** Every link and file that docs.json names for the whole site, as it is written. */
export function listSettingLinks({ logo, favicon, navbar, footer, fonts, metatags, languages }: SiteSettings): string[] {
  return [
    ...[logo?.light, logo?.dark, logo?.href, favicon?.light, favicon?.dark, fonts.body?.source, fonts.heading?.source],
    ...[{ navbar, footer }, ...Object.values(languages)].flatMap(listFrameLinks),
    ...Object.entries(metatags).flatMap(([name, content]) => (/^(?:og|twitter):image$/.test(name) ? [content] : [])),
  ].filter((href): href is string => href !== undefined)
}

function listFrameLinks({ navbar, footer }: Partial<Pick<SiteSettings, 'navbar' | 'footer'>>): string[] {
  const inNavbar = navbar ? [...navbar.links, ...(navbar.primary ? [navbar.primary] : [])] : []
  const inFooter = footer ? [...footer.socials, ...footer.columns.flatMap(({ links }) => links)] : []
  return [...inNavbar, ...inFooter].map(({ href }) => href)
}
