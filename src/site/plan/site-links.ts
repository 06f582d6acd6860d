import { withoutBase } from '../../docs/navigation/docs-config.ts'
import { toRoute } from '../../docs/pages/generated-page.ts'
import { groupBy, lazy } from '../../text/plain/lists.ts'
import { baseName, decodePercent, parentPath } from '../../text/plain/paths.ts'
import { hasSimilarWords, suggest } from '../../text/plain/suggest.ts'
import type { SitePage, SiteSettings } from './types.ts'

/** The target of a link. */
export type LinkTarget =
  /** An external URL, another scheme such as `mailto:`, or a fragment of the page itself. */
  | { readonly kind: 'elsewhere' }
  /** `rest` is the query and fragment. */
  | { readonly kind: 'page'; readonly route: string; readonly rest: string }
  /** A path with an extension that is not a page. `path` is relative to the docs directory, without a leading `/`. */
  | { readonly kind: 'file'; readonly path: string; readonly rest: string }
  | { readonly kind: 'unknown'; readonly path: string; readonly rest: string }

/** The pages that links lead to. */
export interface LinkedPages {
  readonly hasPage: (route: string) => boolean
  /** The path of the site on its host, which links can start with. */
  readonly base: string | undefined
  /** The page of an operation, by its `operationId`. */
  readonly operationRoutes?: ReadonlyMap<string, string>
}

/** A link to an operation on the page that Redoc makes of a document: `#operation/listPets`, `/api#tag/Pets/operation/listPets`. */
const redocLink = /^(?![a-z][a-z0-9+.-]*:|\/\/)[^#]*#(?:tag\/[^/]+\/)?operation\/([^/]+)$/i

/**
 * Resolves a link. Paths with a leading `/` are relative to the site, other paths to the directory of the page file, or to the site for links of
 * `docs.json`.
 */
export function resolveLink(
  href: string,
  from: Pick<SitePage, 'path' | 'route'> | undefined,
  { hasPage, base, operationRoutes }: LinkedPages,
): LinkTarget {
  const operation = operationRoutes?.get(decodePercent(redocLink.exec(href)?.[1] ?? ''))
  if (operation !== undefined) return { kind: 'page', route: operation, rest: '' }
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|\\\\|#|\?|$)/i.test(href)) return { kind: 'elsewhere' }
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(href) ?? []
  const folder = path.startsWith('/') || from === undefined ? '' : parentPath(from.path ?? from.route)
  const steps: string[] = []
  // Paths are stored decoded.
  for (const step of `${folder}/${decodePercent(path)}`.split('/')) {
    if (step === '' || step === '.') continue
    if (step === '..') steps.pop()
    else steps.push(step)
  }
  const joined = steps.join('/')
  const below = withoutBase(`/${joined}`, base).slice(1)
  if (path.startsWith('/') && below !== joined && !hasPage(joined))
    return resolveLink(`/${below}${rest}`, from, { hasPage, base: undefined })
  const route = toRoute(joined)
  if (hasPage(joined)) return { kind: 'page', route: joined, rest }
  if (hasPage(route)) return { kind: 'page', route, rest }
  return { kind: /\.[a-z0-9]{1,8}$/i.test(joined) && !/\.mdx?$/i.test(joined) ? 'file' : 'unknown', path: joined, rest }
}

/** The offset of a URL in a text, between quotes, in Markdown brackets or after `=`; -1 if the text does not contain it. */
export function findUrlOffset(text: string, href: string): number {
  for (let at = text.indexOf(href); at !== -1; at = text.indexOf(href, at + 1)) {
    if (/["'`(<\s:=]/.test(text[at - 1] ?? '\n') && /["'`)>\s]/.test(text[at + href.length] ?? '\n')) return at
  }
  return -1
}

/** The most typos in a path that still get a suggestion. */
const maxTypos = 8

/**
 * Creates a function that suggests the most similar path: the same file name in another directory, else a similar path.
 *
 * Results are cached, because the same link can occur on many pages.
 */
export function createPathSuggester(candidates: () => Iterable<string>): (path: string) => string | undefined {
  const all = lazy(() => [...candidates()])
  const byName = lazy(() => groupBy(all(), nameOf))
  const found = new Map<string, string | undefined>()
  return (path) => {
    if (!found.has(path)) {
      const sameName = byName().get(nameOf(path))
      found.set(path, sameName ? nearestOf(path, sameName) : keepIfLikely(path, suggest(path, all(), maxTypos)))
    }
    return found.get(path)
  }
}

function nearestOf(path: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 1) return candidates[0]
  const near = suggest(path, candidates)
  // Many directories have an `overview`.
  return near !== undefined && hasSimilarWords(path, near, '/') ? near : undefined
}

/** Rejects a suggestion if the file names are not similar. Long paths in the same directory are always similar. */
function keepIfLikely(path: string, near: string | undefined): string | undefined {
  return near !== undefined && suggest(nameOf(path), [nameOf(near)]) !== undefined ? near : undefined
}

function nameOf(path: string): string {
  return baseName(path).toLowerCase()
}

/** Every site-wide link and file of `docs.json`, as written. */
export function listSettingLinks({ logo, favicon, navbar, footer, metatags, languages }: SiteSettings): string[] {
  return [
    ...[logo?.light, logo?.dark, logo?.href, favicon?.light, favicon?.dark],
    ...[{ navbar, footer }, ...Object.values(languages)].flatMap(listFrameLinks),
    ...Object.entries(metatags).flatMap(([name, content]) => (/^(?:og|twitter):image$/.test(name) ? [content] : [])),
  ].filter((href): href is string => href !== undefined)
}

function listFrameLinks({ navbar, footer }: Partial<Pick<SiteSettings, 'navbar' | 'footer'>>): string[] {
  const inNavbar = navbar ? [...navbar.links, ...(navbar.primary ? [navbar.primary] : [])] : []
  const inFooter = footer ? [...footer.socials, ...footer.columns.flatMap(({ links }) => links)] : []
  return [...inNavbar, ...inFooter].map(({ href }) => href)
}
