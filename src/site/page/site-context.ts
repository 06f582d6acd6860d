import { hash } from 'node:crypto'
import type { Changelog } from '../../changes/compare/changelog.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { readOwn } from '../../text/json/json-values.ts'
import { getOrMake, onceFor } from '../../text/plain/lists.ts'
import { type AllowedUrl, encodeUrl, joinPath } from '../../text/plain/paths.ts'
import type { MdxReader } from '../content/mdx-reader.ts'
import type { Messages } from '../messages/messages.ts'
import { findLanguage } from '../plan/divisions.ts'
import type { IconSets } from '../plan/icon-sets.ts'
import { type LinkedPages, resolveLink } from '../plan/site-links.ts'
import type { FontFiles, SiteFile, SitePage, SitePlan, SiteSettings } from '../plan/types.ts'
import type { Reference } from '../reference/create-reference.ts'
import type { PropertyView } from '../reference/types.ts'
import type { DeferredIds } from './element-ids.ts'

/** Site-wide data that components need. */
export interface SiteContext {
  readonly plan: SitePlan
  readonly hosting: SiteHosting
  readonly assets: AssetPaths
  readonly media: SiteMedia
  /** The texts of the interface in the language of the page that is rendered, else of the site. */
  readonly messages: Messages
  /** Absent outside of a page. */
  readonly notes?: PageNotes
}

/** Where and how a site is served. */
export interface SiteHosting {
  /** The base path of the site, such as `/` or `/docs/`. */
  readonly base: string
  /** The absolute URL of the site with a trailing `/`, if known. Used for canonical links and the sitemap. */
  readonly url: string | undefined
  /** Whether this is a local preview, which shows hints for authors. */
  readonly isPreview: boolean
  /** The URL of the MCP server of the site; absent if it has none, or if the URL of the site is not known. */
  readonly mcpUrl?: string
  /** Whether the server of the site applies `_redirects`. */
  readonly appliesRedirects?: boolean
}

/** What authors can name in pages. */
interface SiteMedia {
  readonly icons: IconSets
  /** The class names in the stylesheet of the repository. */
  readonly customClasses?: ReadonlySet<string>
  /** Sizes of images in the docs directory, by path; absent if they were not read. */
  readonly imageSizes?: ReadonlyMap<string, ImageSize>
}

/** Receives what is found while a page is rendered. */
interface PageNotes extends Partial<Omit<DeferredIds, 'settle'>> {
  /** Called for each link, as written, while a page is rendered. */
  readonly onLink?: (href: string) => void
  /** Called for each row of a property with its element ID and where it is written. */
  readonly onRow?: (id: string, place: PropertyView['place']) => void
}

/** The data that pages are rendered from. */
export interface SiteSource {
  readonly context: SiteContext
  readonly reader: MdxReader
  /** References by the source of their OpenAPI document. */
  readonly references: ReadonlyMap<string, Reference>
  /** The changelogs of OpenAPI documents, by source. */
  readonly changelogs: ReadonlyMap<string, Changelog>
  /** The text of a page file, by its path relative to the boundary. Also of pages that are not written yet. */
  readonly textOf: (path: string) => string | undefined
  /** The docs directory, relative to the boundary. */
  readonly root: string
  /** The published OpenAPI documents, by their path relative to the boundary or their URL. */
  readonly downloads: ReadonlyMap<string, SiteFile>
  /** These documents and the files that they reference. */
  readonly documentFiles: readonly SiteFile[]
  /** The output paths of documents in the other format, JSON or YAML, by the path of the original relative to the boundary. */
  readonly otherFormats?: ReadonlyMap<string, string>
  /** Errors in the bindings of pages, by page path. */
  readonly bindingErrors: ReadonlyMap<string, Diagnostic>
  /** Errors in unreadable OpenAPI documents, by source. */
  readonly documentErrors: ReadonlyMap<string, Diagnostic>
  /** The skills of the repository: texts of `skill.md` and of `.mintlify/skills`. */
  readonly skills?: readonly string[]
  readonly files: readonly SiteFile[]
}

/** A size in pixels, always positive. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Asset paths relative to the output directory. File names contain a content hash. */
export interface AssetPaths {
  readonly stylesheet: string
  /** The stylesheet for the appearance settings of `docs.json`, if any. */
  readonly brand?: string
  /** The favicon that was drawn for a site without one. */
  readonly favicon?: string
  /** The fonts of the brand, which its stylesheet names. */
  readonly fonts?: FontFiles
  /** The stylesheet of the repository, if any. */
  readonly custom?: string
  /** The scripts of the repository, if the configuration allows them. */
  readonly scripts?: readonly string[]
  /** Sets the theme before the first paint. */
  readonly theme: string
  /** The main script of every page. */
  readonly page: string
  /** The script of the OAuth redirect page. */
  readonly oauth: string
  /** The script of pages with diagrams. */
  readonly diagrams: string
  /** The script that sends feedback, of sites that ask for it. */
  readonly feedback: string
  /** The stylesheet of the playground, loaded on demand. */
  readonly playground: string
}

/** For what needs no file of a site, such as its checks. */
export const noAssets: AssetPaths = { stylesheet: '', theme: '', page: '', oauth: '', diagrams: '', feedback: '', playground: '' }

/** The URL of a page within the site. It ends in a slash, which every static host supports. */
export function toHref({ base }: Pick<SiteHosting, 'base'>, route: string): AllowedUrl {
  return (route === '' ? base : `${base}${encodePath(route)}/`) as AllowedUrl // A path of the site.
}

/** The part of a file name that changes with the content of the file. */
export function hashForName(content: string | Uint8Array): string {
  return hash('sha256', content).slice(0, 8)
}

/** The URL of a file within the site. */
export function toAssetHref({ base }: Pick<SiteHosting, 'base'>, path: string): AllowedUrl {
  return (base + encodePath(path)) as AllowedUrl // A path of the site.
}

/** The path of a page's Markdown, relative to the output directory. */
export function toMarkdownPath({ route }: Pick<SitePage, 'route'>): string {
  return `${route === '' ? 'index' : route}.md`
}

/** The URL of a file of the site for readers elsewhere: absolute if the URL of the site is known. */
export function toFileUrl({ base, url }: Pick<SiteHosting, 'base' | 'url'>, path: string): string {
  const href = toAssetHref({ base }, path)
  return url === undefined ? href : new URL(href, url).href
}

function encodePath(path: string): string {
  // Fast path: a page has hundreds of links, and most need no encoding.
  if (/^[\w./-]*$/.test(path)) return path
  return encodeUrl(path).replaceAll('?', '%3F').replaceAll('#', '%23')
}

/** Reads the content of a page. It is empty without a file. */
export function readContent({ path }: SitePage, { reader, textOf, root }: SiteSource): ReturnType<MdxReader['readPage']> {
  const file = path === undefined ? '' : joinPath(root, path)
  return reader.readPage(file, textOf(file) ?? '')
}

/**
 * Resolves a link of `docs.json` or a page. Paths with a leading `/` are relative to the site, other paths to the directory of the page file. External links
 * are unchanged. Calls `onLink` for links of pages.
 */
export function resolveHref(
  { plan, hosting, notes }: Pick<SiteContext, 'plan' | 'hosting' | 'notes'>,
  href: AllowedUrl,
  from: SitePage | undefined,
): AllowedUrl {
  if (from !== undefined) notes?.onLink?.(href)
  const target = resolveLink(href, from, toLinkedPages(plan))
  if (target.kind === 'elsewhere') return href
  if (target.kind === 'page') return withRest(toHref(hosting, target.route), target.rest)
  return withRest(target.kind === 'file' ? toAssetHref(hosting, target.path) : toHref(hosting, target.path), target.rest)
}

/** The pages of a site that links lead to. */
export function toLinkedPages({ pageByRoute, operationRoutes, settings }: SitePlan): LinkedPages {
  return { hasPage: (route) => pageByRoute.has(route), base: settings.site.base, operationRoutes }
}

/** Adds a query and a fragment, which cannot change where a URL points. */
export function withRest(url: AllowedUrl, rest: string): AllowedUrl {
  return (url + rest) as AllowedUrl
}

/** The size of an image by its URL on a page; `undefined` for external and unreadable images. */
export function findImageSize(
  { plan, media: { imageSizes } }: Pick<SiteContext, 'plan' | 'media'>,
  href: string,
  from: SitePage,
): ImageSize | undefined {
  if (!imageSizes) return undefined
  const target = resolveLink(href, from, toLinkedPages(plan))
  return target.kind === 'file' ? imageSizes.get(target.path) : undefined
}

/** The settings that apply to a page: those of the site, overridden by those of its language. */
export function settingsOf({ trail }: Pick<SitePage, 'trail'>, settings: SiteSettings): SiteSettings {
  const own = readOwn(settings.languages, findLanguage(trail)?.label ?? '')
  return own ? { ...settings, ...own } : settings
}

/**
 * Creates a cache for values that all pages of a site share. Each site plan has its own map, so reloading a site starts with an empty cache. Values with
 * texts of the interface have one map for each language.
 */
export function createSiteMemo<Key, Value>(): (plan: SitePlan, language?: string) => Map<Key, Value> {
  const memos = onceFor((_: SitePlan) => new Map<string, Map<Key, Value>>())
  return (plan, language = '') => getOrMake(memos(plan), language, () => new Map())
}
