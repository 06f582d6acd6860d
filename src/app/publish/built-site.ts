import type { OwnPath } from '../../files/boundary.ts'
import type { UnpackedArchive } from '../../github/repositories/archives.ts'
import type { BuiltPage } from '../../site/make/build-site.ts'
import type { ReviewSiteOptions } from '../../site/make/review-site.ts'
import { reviewRoute } from '../../site/plan/file-types.ts'
import type { EndedUpdate, Project, SiteAudience, UpdateStatus } from '../../status/update-record.ts'
import type { ChangedPage, SiteChanges, UpdateDetails } from '../../store/records/stored-records.ts'
import { publicFilesOf, type SitePath } from '../../store/sites/stored-sites.ts'
import type { Store } from '../../store/store.ts'
import type { AppContext } from '../base/app-context.ts'
import { toSiteUrl } from '../base/sites-domain.ts'
import { toUrlPath } from './site-rules.ts'

export { reviewRoute }

/** The request to the process that builds a site. Plain data. */
export interface SiteRequest extends UnpackedArchive {
  /** The docs directory, relative to the repository. */
  readonly root: string
  /** The URL of the site, with a trailing `/`. */
  readonly url: string
  /** Scripts of forks never run, and everyone reads the same of them. */
  readonly isFork: boolean
  /** Those of the default branch, each with files of its own. Absent: there are none, and the configuration of the commit says what is hidden. */
  readonly audiences: readonly SiteAudience[] | undefined
  /** An empty folder for new files of the site, named by their hashes. */
  readonly output: OwnPath
  readonly maxFiles: number
  readonly maxBytes: number
  /** Identifies the version of the renderer. */
  readonly stamp: string
  readonly earlier: EarlierSiteFiles | undefined
  /** The URL of a commit on GitHub, without its SHA. */
  readonly commitUrl: string
  /** The commit. */
  readonly sha: string
}

/** The request to the same process for the review of a commit, which it adds to the files of its built site. Plain data. */
export interface ReviewRequest extends SiteRequest {
  readonly review: ReviewSource
  readonly built: BuiltSiteFiles
}

/** What the review of a commit is made from. Plain data. */
export type ReviewSource = ReviewSiteOptions & { readonly base: UnpackedArchive }

/** The files of a site: hash and size by path. */
export type KnownFiles = ReadonlyMap<string, { readonly hash: string; readonly sizeBytes: number }>

/** An earlier site for an incremental build. */
export interface EarlierSiteFiles {
  /** The build cache. */
  readonly memory: string
  /** By the names of audiences, in the order of the build cache. */
  readonly sites: ReadonlyMap<string, KnownFiles>
  /** A folder with the `llms.txt` files, named by their hashes. */
  readonly folder: OwnPath
}

/** A built site. Plain data. */
export interface BuiltSiteFiles {
  readonly pageCount: number
  readonly pages: readonly BuiltPage[]
  /** Those that everyone reads. */
  readonly files: readonly SitePath[]
  /** The files of each audience. */
  readonly audiences: readonly { readonly audience: SiteAudience; readonly files: readonly SitePath[] }[]
  /** Of all files. */
  readonly sizeBytes: number
  /** The build cache for the next build. */
  readonly memory: string
  /** Why a changelog is incomplete, one line each. */
  readonly changelogProblems: readonly string[]
  /** Problems, one line each, up to a limit. Includes those of the check. */
  readonly findings: readonly string[]
  /** Why the review was left out, a sentence without a full stop. */
  readonly noReview?: string
}

/** The number of files for all readers. */
export function countFiles({ files, audiences }: Pick<BuiltSiteFiles, 'files' | 'audiences'>): number {
  return audiences.reduce((count, one) => count + one.files.length, files.length)
}

/** The response of the process that builds a site. */
export type SiteAnswer =
  | { readonly kind: 'built'; readonly site: BuiltSiteFiles }
  /** `reason` is a clause for the summary. The same files would fail again, so there is no retry. */
  | { readonly kind: 'refused'; readonly reason: string; readonly setting?: 'SITE_MAX_FILES' | 'SITE_MAX_MB' }

/** Further changed pages are only counted. */
const listedPages = 100
const listedChangelogs = 20

/** The files of a build: hash by path. */
type BuildHashes = ReadonlyMap<string, string>

/** The site that a site is compared with. */
interface SiteBefore {
  readonly sha: string
  readonly files: BuildHashes
}

/**
 * Compares a built site with the previous one by the Markdown of its pages, which does not change with the navigation.
 *
 * @param before The previous site of the default branch; absent for the first site, which lists no pages as changed.
 */
export function summarizeSite(
  { pages, files, noReview }: Pick<BuiltSiteFiles, 'pages' | 'files' | 'noReview'>,
  before: SiteBefore | undefined,
): SiteChanges {
  const hashes = new Map(files.map(({ path, hash }) => [path, hash]))
  const first = pages.find(({ kind }) => kind === 'operation') ?? pages[0]
  const changelogs = pages.filter(({ kind }) => kind === 'changelog').map(({ route, title }) => ({ route, title }))
  const summary: SiteChanges = {
    mainRoute: first?.route ?? '',
    changedPages: [],
    changedCount: 0,
    ...(changelogs.length > 0 && { changelogs: changelogs.slice(0, listedChangelogs) }),
    ...(hashes.has(`${reviewRoute}/index.html`) && { hasReview: true }),
    ...(noReview !== undefined && { noReview }),
  }
  if (!before) return summary
  const changed = pages.flatMap(({ route, title, kind: pageKind }) => {
    const path = route === '' ? 'index.md' : `${route}.md`
    const [hash, old] = [hashes.get(path), before.files.get(path)]
    if (hash === undefined || hash === old) return []
    const page: ChangedPage = { kind: old === undefined ? 'added' : 'modified', route, title }
    return [{ page, rank: (pageKind === 'operation' ? 0 : 2) + (page.kind === 'added' ? 0 : 1) }]
  })
  // Operations before guides, new pages before modified ones, otherwise in navigation order.
  const sorted = changed.sort((a, b) => a.rank - b.rank).map(({ page }) => page)
  const routes = new Set(pages.map(({ route }) => route))
  const removed = listPages(before.files).filter((route) => !routes.has(route))
  return {
    ...summary,
    mainRoute: sorted[0]?.route ?? summary.mainRoute,
    changedPages: [...sorted, ...removed.map((route): ChangedPage => ({ kind: 'removed', route }))].slice(0, listedPages),
    changedCount: sorted.length + removed.length,
    beforeSha: before.sha,
  }
}

/** The latest site of the default branch, except that of the commit itself. */
export async function findBefore(
  sites: Store['sites'],
  projectId: string,
  { defaultRef, sha }: { readonly defaultRef: string; readonly sha: string },
): Promise<SiteBefore | undefined> {
  const builds = await sites.list(projectId, { ref: defaultRef, limit: 2 })
  const build = builds.find((candidate) => candidate.sha !== sha)
  if (!build) return undefined
  const files = await sites.listFiles(publicFilesOf(build))
  return { sha: build.sha, files: new Map(files.map(({ path, hash }) => [path, hash])) }
}

/** The URL of a page. The URL of the site ends with `/`. */
export function toPageUrl(site: string, route: string): string {
  return new URL(toUrlPath(route === '' ? '' : `${route}/`), site).href
}

function listPages(hashes: BuildHashes): string[] {
  return [...hashes.keys()].flatMap((path) => {
    if (path === 'index.md') return hashes.has('index.html') ? [''] : []
    const route = path.endsWith('.md') ? path.slice(0, -3) : undefined
    return route !== undefined && hashes.has(`${route}/index.html`) ? [route] : []
  })
}

/** A record, by default one that has ended, with its project. */
export interface ProjectUpdate<Update extends UpdateStatus = EndedUpdate> {
  readonly update: Update
  readonly details: UpdateDetails
  readonly project: Project
}

/** The URL of the site of a record's commit; `undefined` if none was built. */
export function toCommitSite(
  { urls }: Pick<AppContext, 'urls'>,
  { update, details, project }: ProjectUpdate<UpdateStatus>,
): string | undefined {
  const place = urls.sites()
  if (!details.site || !place) return undefined
  return toSiteUrl(place, { subdomain: project.subdomain, preview: { kind: 'commit', sha: update.commit.sha } })
}
