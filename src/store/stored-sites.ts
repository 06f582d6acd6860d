import type { Kysely } from 'kysely'
import type { Project } from '../status/types.ts'
import type { SiteBuildRow, Tables } from './tables.ts'

/**
 * The built sites: files by their content, each kept once however many sites have it, and for each commit the list of its paths.
 *
 * A build is put together in steps (`findMissing`, `addContents`, `stage`, `addFiles`) that nobody sees, and becomes a site in the
 * transaction
 * that ends its record: `UpdateQueue.finish` with `site`. What a build leaves that never gets there, `collect` takes away.
 */
export interface SiteStore {
  /** Of these hashes those whose content is not here; the others are safe from `collect` for as long as a run may take. */
  findMissing(hashes: readonly string[]): Promise<readonly string[]>
  /** Stores contents that are new; those that are here already are left as they are. */
  addContents(contents: readonly NewSiteContent[]): Promise<void>
  /** Begins a build; the id goes to `addFiles` and `finish`. `undefined` where the project is gone. */
  stage(build: NewSiteBuild): Promise<string | undefined>
  /**
   * Adds files to a staged build, no path twice.
   *
   * False where the build is gone, as after its project was deleted. @throws {StoreError} when a content is missing.
   */
  addFiles(buildId: string, files: readonly SitePath[]): Promise<boolean>
  /** The newest build of the ref, else of the default branch, to build only what changed since. */
  findEarlier(projectId: string, ref: string): Promise<EarlierSite | undefined>

  /**
   * Keeps the pictures of a build, and sets their addresses on the record that it was built for; both go when the build does. False,
   * and nothing
   * is kept, where the build is gone or has pictures.
   */
  addPictures(statusId: string, pictures: Readonly<Record<PictureTheme, SitePicture>>): Promise<boolean>
  /** A picture of the build of a record, for `readBody`. */
  findPicture(statusId: string, theme: PictureTheme): Promise<StoredSiteFile | undefined>

  /** Shows the build of a commit at the project's own address: rolls back, or forward. Writes an audit line. Takes effect at once. */
  publish(projectId: string, sha: string, actor: string): Promise<PublishResult>

  /**
   * Whose site a host is: asked before anything else, so that a visitor who may not read a private site costs as much as one who asks for a
   * name that does not exist. That is one statement with one row for either; what everyone may read is served from memory.
   */
  findOwner(host: SiteHost): Promise<SiteOwner>
  /** What a host shows; `undefined` where there is nothing. Served from memory while nobody wrote; never stale. */
  findShown(host: SiteHost): Promise<ShownSite | undefined>
  /** What the project's own address shows. */
  findPublished(projectId: string): Promise<PublishedSite | undefined>
  /** The build of a commit, by at least 12 digits of its sha. */
  find(projectId: string, sha: string): Promise<SiteBuild | undefined>
  /** The newest commit of a pull request that has a build. */
  findByPull(projectId: string, pullNumber: number): Promise<SiteBuild | undefined>
  /** Who approved the preview of a commit of a fork, and when; `undefined` where nobody did. */
  findApproval(projectId: string, sha: string): Promise<PreviewApproval | undefined>
  /** The builds of a project, newest record first; at most `limit` (20, to 100), those older than the record `before`. */
  list(
    projectId: string,
    options?: { readonly ref?: string; readonly limit?: number; readonly before?: string },
  ): Promise<readonly SiteBuild[]>
  /** Every file of a build but its pictures, sorted by path. */
  listFiles(buildId: string): Promise<readonly StoredSiteFile[]>
  findFile(buildId: string, path: string): Promise<StoredSiteFile | undefined>
  /** The bytes of a content in the order of their parts, each at most 1 MiB; `first` skips parts. None where there is no such body. */
  readBody(hash: string, encoding: SiteEncoding, first?: number): AsyncIterable<Uint8Array>

  /**
   * Takes away builds that are too many or too old, and contents that no build has for an hour; in small steps, so that other calls
   * go on in between. What it costs depends on what there is to take away, not on what there is.
   */
  collect(): Promise<SiteCollection>
  sizes(): Promise<SiteSizes>
}

export type PictureTheme = (typeof pictureThemes)[number]

export interface SitePicture {
  readonly content: NewSiteContent
  /** Where it will be found. */
  readonly url: string
}

/** How a body is kept. `identity` is there for what compression does not make smaller; the two others otherwise. */
export type SiteEncoding = 'identity' | 'br' | 'gzip'

export interface NewSiteContent {
  /** SHA-256 of the file's bytes, hexadecimal. */
  readonly hash: string
  /** Of the file, not of its bodies. */
  readonly sizeBytes: number
  /** `identity` alone, or `br` and `gzip`. */
  readonly bodies: Readonly<Partial<Record<SiteEncoding, Uint8Array>>>
}

/** A build whose record ended with it: the whole site of a commit. There is one for a (project, sha), the newest. */
export interface SiteBuild extends NewSiteBuild {
  readonly id: string
  /** ISO 8601. */
  readonly createdAt: string
  /** Of the record that it was built for: a `failure` whose documents have errors has a site too. */
  readonly status: 'success' | 'failure'
  /** The project's own address shows it. */
  readonly isPublished: boolean
}

export interface PublishedSite {
  readonly build: SiteBuild
  /** ISO 8601. */
  readonly publishedAt: string
  /** `push`, or who published it by hand, as in audit lines. */
  readonly publishedBy: string
}

/** Given to `UpdateQueue.finish`. */
export interface FinishedSite {
  readonly buildId: string
  /**
   * Whether the project's own address is to show it, which is for the tip of the default branch. `until-success`: only while it shows
   * nothing, or
   * what a push published whose own record is a failure. Where a newer record, or a person since, has published there, that stays; the
   * build
   * has its own address in either case.
   */
  readonly publish: 'never' | 'until-success' | 'always'
  /** For `findEarlier` of the next build of the ref; opaque. */
  readonly memory?: Uint8Array
}

export interface EarlierSite {
  readonly build: SiteBuild
  readonly memory: Uint8Array | undefined
}

export interface SitePath {
  /** Relative to the site with `/`, as the builder names it. */
  readonly path: string
  readonly hash: string
}

export interface StoredSiteFile extends SitePath {
  readonly sizeBytes: number
  /** Which bodies there are, with their bytes. */
  readonly bodies: Readonly<Partial<Record<SiteEncoding, number>>>
}

/** What the host of a request asks for. */
export interface SiteHost {
  readonly subdomain: string
  readonly preview?: { readonly kind: 'commit'; readonly sha: string } | { readonly kind: 'pull'; readonly pullNumber: number }
}

/**
 * The project that a host belongs to. Without one, `projectId` is `''` and `repositoryId` 0, which no pass, link or person has access
 * to.
 */
export interface SiteOwner {
  readonly projectId: string
  readonly repositoryId: number
  /** Everyone may read its site. */
  readonly isPublic: boolean
}

export interface ShownSite {
  readonly project: Project
  readonly build: SiteBuild
}

/** The newest commit of a pull request, as its webhook told. */
export interface PullHead {
  readonly projectId: string
  readonly pullNumber: number
  readonly sha: string
}

/** Somebody with write access lets the app build and host one commit of a fork. Later commits of its pull request need their own. */
export interface NewPreviewApproval {
  readonly projectId: string
  /** 40 hexadecimal digits. */
  readonly sha: string
  /** As in audit lines: `github:<login>`. */
  readonly approvedBy: string
}

export interface SiteCollection {
  readonly builds: number
  readonly contents: number
  /** Of their bodies. */
  readonly storedBytes: number
}

export const pictureThemes = ['light', 'dark'] as const

/** Bytes of one part of a stored body. */
export const sitePartBytes = 1024 * 1024

interface NewSiteBuild {
  readonly projectId: string
  /** The record that it is built for. */
  readonly statusId: string
  /** 40 hexadecimal digits. */
  readonly sha: string
  /** Full ref. */
  readonly ref: string
  readonly pageCount: number
  readonly fileCount: number
  /** All files together, as they were made. */
  readonly sizeBytes: number
}

/** Whether everyone may read a project's site: its repository is public, or the project's settings make the site public. */
export function isPublicSite({ private: isPrivate, siteAccess }: Pick<Project, 'private' | 'siteAccess'>): boolean {
  return !isPrivate || siteAccess === 'public'
}

type PublishResult =
  | { readonly kind: 'published'; readonly site: PublishedSite }
  /** The address shows that build already. */
  | { readonly kind: 'unchanged'; readonly site: PublishedSite }
  /** The commit has no build, or not any more; or the project is gone. */
  | { readonly kind: 'not-found' }

/** Whether a record is about the head of a pull request whose branch is not one of the repository: anyone may have written its files. */
export function isForkRef(ref: string): boolean {
  return ref.startsWith('refs/pull/')
}

interface PreviewApproval extends NewPreviewApproval {
  /** ISO 8601. */
  readonly approvedAt: string
}

interface SiteSizes {
  /** Of all projects. */
  readonly builds: number
  /** Different ones, used or not yet taken away. */
  readonly contents: number
  /** As their files were made; as they are stored. */
  readonly sizeBytes: number
  readonly storedBytes: number
}

/** Builds with their sites and records, so that one can tell which is published, and how its update ended. */
export function selectBuilds(database: Kysely<Tables>) {
  return database
    .selectFrom('site_builds')
    .leftJoin('sites', 'sites.project_id', 'site_builds.project_id')
    .leftJoin('updates', 'updates.id', 'site_builds.update_id')
    .selectAll('site_builds')
    .select(['sites.build_id as published_id', 'updates.state as update_state'])
}

export function toSiteBuild(
  row: SiteBuildRow & { readonly published_id: string | null; readonly update_state: string | null },
): SiteBuild {
  return {
    id: row.id,
    projectId: row.project_id,
    statusId: row.update_id,
    sha: row.sha,
    ref: row.ref,
    pageCount: row.page_count,
    fileCount: row.file_count,
    sizeBytes: row.size_bytes,
    createdAt: row.created_at,
    status: row.update_state === 'failure' ? 'failure' : 'success',
    isPublished: row.published_id === row.id,
  }
}

/** Gives up builds that are no longer to be found; `collect` takes their files away. */
export async function dropBuilds(
  transaction: Kysely<Tables>,
  builds: readonly Pick<SiteBuildRow, 'id' | 'state'>[],
): Promise<void> {
  if (builds.length === 0) return
  await transaction
    .updateTable('site_builds')
    .set({ state: 'dropped' })
    .where(
      'id',
      'in',
      builds.map(({ id }) => id),
    )
    .execute()
  await addToTotals(transaction, { builds: -builds.filter(({ state }) => state === 'whole').length })
}

export async function addToTotals(
  transaction: Kysely<Tables>,
  change: Partial<Omit<Tables['site_totals'], 'id'>>,
): Promise<void> {
  const { builds = 0, contents = 0, size_bytes: size = 0, stored_bytes: stored = 0 } = change
  if (builds === 0 && contents === 0) return
  await transaction
    .updateTable('site_totals')
    .set((expression) => ({
      builds: expression('builds', '+', builds),
      contents: expression('contents', '+', contents),
      size_bytes: expression('size_bytes', '+', size),
      stored_bytes: expression('stored_bytes', '+', stored),
    }))
    .where('id', '=', 1)
    .execute()
}

/** Whether what a project's address shows is for a success, or a person, to replace: itself a success, or published by hand. */
export function isHeld(published: Pick<PublishedSite, 'build' | 'publishedBy'> | undefined): boolean {
  return published !== undefined && (published.build.status === 'success' || published.publishedBy !== 'push')
}
