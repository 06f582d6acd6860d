import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { MdxReader } from '../content/mdx-reader.ts'
import type { Reference } from '../reference/create-reference.ts'
import { resolveLink } from './site-links.ts'
import type { DivisionNode, SiteFile, SitePage, SitePlan, SiteSettings } from './types.ts'

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
  /** Of images of the docs root, by their paths; absent where nobody read them. */
  readonly imageSizes?: ReadonlyMap<string, ImageSize>
  /** Told each link of a page as it is written, while that page is rendered. */
  readonly onLink?: (href: string) => void
  /** Takes the address of a part of a text and gives what stands for it until the page is whole: see `HeldIds`. Only while a page is rendered. */
  readonly holdId?: (id: string) => string
}

/** What pages are made from. */
export interface SiteSource {
  readonly context: SiteContext
  readonly reader: MdxReader
  /** By the document's source as bindings resolve to it. */
  readonly references: ReadonlyMap<string, Reference>
  /** The text of a page's file, planned ones included. */
  readonly textOf: (path: string) => string | undefined
  /** The docs root, relative to the boundary. */
  readonly root: string
  /** The page that shows `info.description` of its document, relative to the docs root; absent where none does. */
  readonly introduction: string | undefined
  /** Every file of the descriptions in the repository as a file of the site, by its path relative to the boundary. */
  readonly downloads: ReadonlyMap<string, SiteFile>
  /** What is wrong with the bindings of pages, by the page's path. */
  readonly bindingFaults: ReadonlyMap<string, Diagnostic>
  /** What is wrong with documents that nothing could be made of, by the document's source. */
  readonly documentFaults: ReadonlyMap<string, Diagnostic>
  /** Files that pages of this site need beside those of every site. */
  readonly files: readonly SiteFile[]
}

/** In pixels, both above 0. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** The files of the site that are no pages, relative to the output folder; their names carry a hash of their content. */
export interface AssetPaths {
  readonly stylesheet: string
  /** What docs.json asks of the look; absent where it asks for nothing. */
  readonly brand?: string
  /** Sets the theme before the first paint. */
  readonly theme: string
  /** Everything else that a page does before it is asked for more. */
  readonly page: string
  /** Of the page that a sign-in ends on. */
  readonly oauth: string
  /** The look of the playground, loaded with it. */
  readonly playground: string
}

/** The address of a page inside the site. A folder with a slash at its end is what every static server has. */
export function toHref({ base }: Pick<SiteContext, 'base'>, route: string): string {
  return route === '' ? base : `${base}${encodePath(route)}/`
}

/** The address of a file of the site. */
export function toAssetHref({ base }: Pick<SiteContext, 'base'>, path: string): string {
  return base + encodePath(path)
}

function encodePath(path: string): string {
  // Nearly all are nothing but these, and a page has hundreds.
  if (/^[\w./-]*$/.test(path)) return path
  return encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')
}

/**
 * The address of what a link of docs.json or a page leads to: a path that begins with `/` counts from the start of the site, one without from the
 * folder of the page's file; what leads to another site stays as it is. Links of a page are told to `onLink`.
 */
export function resolveHref(
  context: Pick<SiteContext, 'base' | 'pageByRoute' | 'onLink'>,
  href: string,
  from: SitePage | undefined,
): string {
  if (from !== undefined) context.onLink?.(href)
  const target = resolveLink(href, from, (route) => context.pageByRoute.has(route))
  if (target.kind === 'elsewhere') return href
  if (target.kind === 'page') return toHref(context, target.route) + target.rest
  return (target.kind === 'file' ? toAssetHref(context, target.path) : toHref(context, target.path)) + target.rest
}

/** The size of the image that an address of a page leads to; absent where it is of another site, or cannot be read. */
export function findImageSize(
  { imageSizes, pageByRoute }: Pick<SiteContext, 'imageSizes' | 'pageByRoute'>,
  href: string,
  from: SitePage,
): ImageSize | undefined {
  if (!imageSizes) return undefined
  const target = resolveLink(href, from, (route) => pageByRoute.has(route))
  return target.kind === 'file' ? imageSizes.get(target.path) : undefined
}

/** The settings that count on a page: those of the language it is in where that has its own, else those of the site. */
export function settingsOf({ trail }: Pick<SitePage, 'trail'>, settings: SiteSettings): SiteSettings {
  const language = trail.find((node): node is DivisionNode => node.kind === 'language')
  const own = language && Object.hasOwn(settings.languages, language.label) ? settings.languages[language.label] : undefined
  return own ? { ...settings, ...own } : settings
}

/**
 * Makes a place to keep what is the same on every page of a site. It has a map for each site, which lives as long as the site's plan does: a
 * site that is read again has a plan of its own, and begins with an empty one.
 */
export function createSiteMemo<Key, Value>(): (plan: SitePlan) => Map<Key, Value> {
  const memos = new WeakMap<SitePlan, Map<Key, Value>>()
  return (plan) => {
    let memo = memos.get(plan)
    if (!memo) {
      memo = new Map()
      memos.set(plan, memo)
    }
    return memo
  }
}
