import type { ExtractedArchive } from '../../github/extract-archive.ts'
import type { BuiltPage } from '../../site/build/build-site.ts'
import type { Project, UpdateStatus } from '../../status/types.ts'
import type { SiteStore } from '../../store/stored-sites.ts'
import type { ChangedPage, SiteChanges, UpdateDetails } from '../../store/update-rows.ts'
import type { AppContext } from '../app-context.ts'
import { toAddress } from '../sites/site-rules.ts'
import { toSiteUrl } from '../sites/sites-domain.ts'

/** What the thread that builds a site is asked to do. Plain data. */
export interface SiteRequest {
  /** The folder that the files of the archive were written to. */
  readonly folder: string
  readonly archive: Pick<ExtractedArchive, 'kept' | 'leftOut' | 'links' | 'refused'>
  readonly limitBytes: number
  /** The docs root, relative to the repository. */
  readonly root: string
  /** Where the site is to be, with its final `/`. */
  readonly url: string
  /** An empty folder for the files of the site, each under its hash; those of `earlier` are left out. */
  readonly output: string
  readonly maxFiles: number
  readonly maxBytes: number
  /** Names the program that renders. */
  readonly stamp: string
  readonly earlier: EarlierSiteFiles | undefined
}

/** An earlier site that this one may go on from. */
export interface EarlierSiteFiles {
  /** What the builder remembers of it. */
  readonly memory: string
  /** Hash and size by path. */
  readonly files: ReadonlyMap<string, { readonly hash: string; readonly sizeBytes: number }>
  /** A folder with the files that have the Markdown of many pages, each under its hash. */
  readonly folder: string
}

/** What was built. Plain data. */
export interface BuiltSiteFiles {
  readonly pageCount: number
  readonly pages: readonly BuiltPage[]
  readonly files: readonly BuiltFile[]
  readonly sizeBytes: number
  /** For the next build. */
  readonly memory: string
  /** What was found, a line each: what the check finds as well, and what only the pages show; bounded. */
  readonly findings: readonly string[]
}

export interface BuiltFile {
  readonly path: string
  readonly hash: string
}

/** What the thread answers. */
export type SiteAnswer =
  | { readonly kind: 'built'; readonly site: BuiltSiteFiles }
  /** `reason` is a clause for the summary. The same files would end the same way, so there is no second try. */
  | { readonly kind: 'refused'; readonly reason: string; readonly setting?: 'SITE_MAX_FILES' | 'SITE_MAX_MB' }

/** More than a person reads; they are counted all the same. */
const listedPages = 100

/** The files of a build: hash by path. */
type BuildHashes = ReadonlyMap<string, string>

/**
 * What a built site shows that the site before it did not: by the Markdown of its pages, which changes with what a page says and not with the
 * navigation around it.
 *
 * @param before What the default branch had; absent for a first site, where everything is new and nothing stands out.
 */
export function toSiteNews(
  { pages, files }: Pick<BuiltSiteFiles, 'pages' | 'files'>,
  before: BuildHashes | undefined,
): SiteChanges {
  const hashes = new Map(files.map(({ path, hash }) => [path, hash]))
  const first = pages.find(({ isOperation }) => isOperation) ?? pages[0]
  const news = { mainRoute: first?.route ?? '', changedPages: [], changedCount: 0 }
  if (!before) return news
  const changed = pages.flatMap(({ route, title, isOperation }) => {
    const path = toMarkdownPath(route)
    const [hash, old] = [hashes.get(path), before.get(path)]
    if (hash === undefined || hash === old) return []
    const page: ChangedPage = { kind: old === undefined ? 'added' : 'modified', route, title }
    return [{ page, rank: (isOperation ? 0 : 2) + (page.kind === 'added' ? 0 : 1) }]
  })
  // An operation before a guide, what is new before what is different; else in the order of the navigation.
  const sorted = changed.sort((a, b) => a.rank - b.rank).map(({ page }) => page)
  const routes = new Set(pages.map(({ route }) => route))
  const removed = listPages(before).filter((route) => !routes.has(route))
  return {
    mainRoute: sorted[0]?.route ?? news.mainRoute,
    changedPages: [...sorted, ...removed.map((route): ChangedPage => ({ kind: 'removed', route }))].slice(0, listedPages),
    changedCount: sorted.length + removed.length,
  }
}

/** The newest site of the default branch but that of the commit itself. */
export async function findBefore(
  sites: SiteStore,
  projectId: string,
  { defaultRef, sha }: { readonly defaultRef: string; readonly sha: string },
): Promise<BuildHashes | undefined> {
  const builds = await sites.list(projectId, { ref: defaultRef, limit: 2 })
  const build = builds.find((one) => one.sha !== sha)
  return build && new Map((await sites.listFiles(build.id)).map(({ path, hash }) => [path, hash]))
}

/** The address of a page of a site, whose own address ends in `/`. */
export function toPageUrl(site: string, route: string): string {
  return new URL(toAddress(route === '' ? '' : `${route}/`), site).href
}

function toMarkdownPath(route: string): string {
  return route === '' ? 'index.md' : `${route}.md`
}

function listPages(hashes: BuildHashes): string[] {
  return [...hashes.keys()].flatMap((path) => {
    if (path === 'index.md') return hashes.has('index.html') ? [''] : []
    const route = path.endsWith('.md') ? path.slice(0, -3) : undefined
    return route !== undefined && hashes.has(`${route}/index.html`) ? [route] : []
  })
}

/** Where the site that was built for a record is looked at, whatever the project's own address shows; `undefined` where none was built. */
export function toCommitSite(
  { sitesPlace }: Pick<AppContext, 'sitesPlace'>,
  { update, details, project }: { readonly update: UpdateStatus; readonly details: UpdateDetails; readonly project: Project },
): string | undefined {
  const place = sitesPlace()
  if (!details.site || !place) return undefined
  return toSiteUrl(place, { subdomain: project.subdomain, preview: { kind: 'commit', sha: update.commit.sha } })
}
