import { isDeepStrictEqual } from 'node:util'
import { type Kysely, type Nullable, sql } from 'kysely'
import type { Project, SiteAudience } from '../../status/update-record.ts'
import { StoreError } from '../../text/errors.ts'
import type { SiteBuildRow, SiteRow, Tables } from '../database/tables.ts'

/** Object storage for the contents of sites. Every method throws `BucketError`. */
export interface SiteBucket {
  /** `s3://name/prefix`, for messages. */
  readonly place: string
  put(name: string, bytes: Uint8Array, encoding: SiteEncoding): Promise<void>
  /** Exactly these bytes; `end` is exclusive. Default: all. `undefined` if there is no such object. */
  read(name: string, range?: { readonly start: number; readonly end: number }): Promise<Uint8Array | undefined>
  /** Deletes an object, if it exists. */
  delete(name: string): Promise<void>
  /** The next names after `after`, at most 1,000, sorted. Empty at the end. */
  list(after: string): Promise<readonly string[]>
  close(): void
}

export type ScreenshotTheme = (typeof screenshotThemes)[number]

export interface SiteScreenshot {
  readonly content: NewSiteContent
  /** Its public URL. */
  readonly url: string
}

/** The encoding of a body: `identity` for content that does not compress, otherwise `br` and `gzip`. */
export type SiteEncoding = 'identity' | 'br' | 'gzip'

export interface NewSiteContent {
  /** SHA-256 of the file's bytes, hexadecimal. */
  readonly hash: string
  /** Size of the file, not of its bodies. */
  readonly sizeBytes: number
  /** `identity` alone, or `br` and `gzip`. */
  readonly bodies: Readonly<Partial<Record<SiteEncoding, Uint8Array>>>
}

/** A complete build, the site of a commit. There is one per (project, sha): the newest. */
export interface SiteBuild extends NewSiteBuild {
  readonly id: string
  /** ISO 8601. */
  readonly createdAt: string
  /** The state of its record. A record that failed because of document errors has a site too. */
  readonly status: 'success' | 'failure'
  /** Whether it is the production site. */
  readonly isPublished: boolean
  readonly audiences: readonly SiteAudience[]
}

export interface PublishedSite {
  readonly build: SiteBuild
  /** ISO 8601. */
  readonly publishedAt: string
  /** `push`, or the actor who published it, as in audit lines. */
  readonly publishedBy: string
}

/** Passed to `Store.queue.finish`. */
export interface FinishedSite {
  readonly buildId: string
  /**
   * Whether to publish it, for the tip of the default branch. `until-success`: only if there is no production site, or one that a
   * push with a failed record published. A site that a person published is kept until the branch moves. The preview exists in any case.
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
  /** The sizes of its bodies. */
  readonly bodies: Readonly<Partial<Record<SiteEncoding, number>>>
}

/** The site that a request's host names. */
export interface SiteHost {
  readonly subdomain: string
  readonly preview?: { readonly kind: 'commit'; readonly sha: string } | { readonly kind: 'pull'; readonly pullNumber: number }
}

/**
 * The project that a host belongs to. Without one, `projectId` is `''` and `repositoryId` is 0, which no pass, link or person has
 * access to.
 */
export interface SiteOwner {
  readonly projectId: string
  readonly repositoryId: number
  /** Everyone may read its site. */
  readonly isPublic: boolean
  /** Those of the project, in order. */
  readonly audiences: readonly SiteAudience[]
  /** See `Project.issuers`. */
  readonly issuers: readonly string[]
}

/** The people who signed in to the site of a project and have an audience of it, with its name. Projects do not see the people of others. */
export function listReaders<
  Person extends { readonly projectId: string; readonly issuer: string; readonly groups: readonly string[] },
>({ id, audiences = [], issuers = [] }: Pick<Project, 'id' | 'audiences' | 'issuers'>, people: readonly Person[]) {
  const readers = people.filter(({ projectId, issuer }) => projectId === id && (issuer === 'github' || issuers.includes(issuer)))
  return readers.flatMap((person) => {
    const audience = audienceOf({ audiences }, person.groups)?.name
    return audience === undefined ? [] : [{ ...person, audience }]
  })
}

/** The audience of a reader: the first with one of their groups. */
export function audienceOf({ audiences }: Pick<SiteOwner, 'audiences'>, groups: readonly string[]): SiteAudience | undefined {
  return audiences.find((audience) => audience.groups.some((group) => groups.includes(group)))
}

/** Names the files of a build for its readers. There is no other way to name a file, so that no reader gets files of others. */
export interface BuildFiles {
  readonly buildId: string
  /** The name of an audience of the build, or `public` for those of readers without one. */
  readonly audience: string
}

/** The files that everyone who can open the site of a build may read. */
export function publicFilesOf({ id }: Pick<SiteBuild, 'id'>): BuildFiles {
  return { buildId: id, audience: 'public' }
}

/** The files of a build for the readers of an audience of the project. The groups of the audience may have been others when it was built. */
export function filesFor(build: Pick<SiteBuild, 'id' | 'audiences'>, audience: SiteAudience | undefined): BuildFiles {
  const isBuilt = audience !== undefined && build.audiences.some((one) => isDeepStrictEqual(one, audience))
  return isBuilt ? { buildId: build.id, audience: audience.name } : publicFilesOf(build)
}

export interface ShownSite {
  readonly project: Project
  readonly build: SiteBuild
}

/** The newest commit of a pull request, from its webhook. */
export interface PullHead {
  readonly projectId: string
  readonly pullNumber: number
  readonly sha: string
  /** When the pull request was changed, by GitHub's clock (ISO 8601): webhooks arrive in any order. Default: now. */
  readonly updatedAt?: string | undefined
}

/** Permission from a person with write access to build and host one commit of a fork. Every later commit needs its own. */
export interface NewPreviewApproval {
  readonly projectId: string
  /** 40 hexadecimal digits. */
  readonly sha: string
  /** As in audit lines: `github:<login>`. */
  readonly approvedBy: string
}

export const screenshotThemes = ['light', 'dark'] as const

/** Bytes of one part of a stored body. */
export const sitePartBytes = 1024 * 1024

export interface NewSiteBuild {
  readonly projectId: string
  /** The record that it is built for. */
  readonly statusId: string
  /** 40 hexadecimal digits. */
  readonly sha: string
  /** Full ref. */
  readonly ref: string
  readonly pageCount: number
  readonly fileCount: number
  /** Total size of the files, uncompressed. */
  readonly sizeBytes: number
  /** Those with files of their own, as they were configured. `fileCount` and `sizeBytes` include these. Default: none. */
  readonly audiences?: readonly SiteAudience[] | undefined
}

/** Whether everyone may read a project's site: its repository is public, or the project's settings make the site public. */
export function isPublicSite({ private: isPrivate, siteAccess }: Pick<Project, 'private' | 'siteAccess'>): boolean {
  return !isPrivate || siteAccess === 'public'
}

export type PublishResult =
  | { readonly kind: 'published'; readonly site: PublishedSite }
  /** That build is already published. */
  | { readonly kind: 'unchanged'; readonly site: PublishedSite }
  /** The commit no longer has a build, or the project no longer exists. */
  | { readonly kind: 'not-found' }

/** Whether a record is about a pull request from a fork, whose files are untrusted. */
export function isForkRef(ref: string): boolean {
  return ref.startsWith('refs/pull/')
}

/** Selects builds with their site and record, to find out whether they are published and how their update ended. */
export function selectBuilds(database: Kysely<Tables>) {
  return database
    .selectFrom('site_builds')
    .leftJoin('sites', 'sites.project_id', 'site_builds.project_id')
    .leftJoin('updates', 'updates.id', 'site_builds.update_id')
    .selectAll('site_builds')
    .select(['sites.build_id as published_id', 'sites.published_at', 'sites.published_by', 'updates.state as update_state'])
}

/** Selects the build that is the production site of a project. */
export function selectPublished(database: Kysely<Tables>, projectId: string) {
  return selectBuilds(database)
    .where('site_builds.project_id', '=', projectId)
    .where('site_builds.state', '=', 'whole')
    .whereRef('sites.build_id', '=', 'site_builds.id')
}

type SelectedBuild = SiteBuildRow & { readonly published_id: string | null; readonly update_state: string | null }

export function toPublished(row: SelectedBuild & Nullable<Pick<SiteRow, 'published_at' | 'published_by'>>): PublishedSite {
  return { build: toSiteBuild(row), publishedAt: row.published_at ?? '', publishedBy: row.published_by ?? '' }
}

export function toSiteBuild(row: SelectedBuild): SiteBuild {
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
    // The store wrote it from this type.
    audiences: JSON.parse(row.audiences) as SiteAudience[],
    status: row.update_state === 'failure' ? 'failure' : 'success',
    isPublished: row.published_id === row.id,
  }
}

/** Drops builds; `collect` deletes their files. */
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

/**
 * Changes the stored size of a project by those of the contents that none of its files has: before its files are added, or after they are deleted.
 * Nothing sums files at any other time.
 */
export async function changeStored(
  transaction: Kysely<Tables>,
  { projectId, hashes, sign }: { readonly projectId: string; readonly hashes: readonly string[]; readonly sign: 1 | -1 },
): Promise<void> {
  const { rows } = await sql<{ readonly bytes: number | null }>`
    select sum(coalesce(identity_bytes, 0) + coalesce(br_bytes, 0) + coalesce(gzip_bytes, 0)) as bytes from site_contents
    where hash in (${sql.join(hashes)}) and not exists (
      select 1 from site_files where site_files.hash = site_contents.hash
        and build_id in (select id from site_builds where project_id = ${projectId})
    )`.execute(transaction)
  const change = sign * Number(rows[0]?.bytes ?? 0)
  const row = { project_id: projectId, stored_bytes: change }
  const { numUpdatedRows } = await transaction
    .updateTable('site_sizes')
    .set((expression) => ({ stored_bytes: expression('stored_bytes', '+', change) }))
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  // The project may have been purged before its files.
  if (numUpdatedRows === 0n && sign === 1) await transaction.insertInto('site_sizes').values(row).execute()
}

/**
 * Whether only a successful record or a person may replace the production site, because a successful record or a person published
 * it.
 */
export function needsSuccessToReplaceSite(published: Pick<PublishedSite, 'build' | 'publishedBy'> | undefined): boolean {
  return published !== undefined && (published.build.status === 'success' || published.publishedBy !== 'push')
}

/** The custom domain of a project. A project has at most one. */
export interface SiteDomain {
  readonly projectId: string
  /** Lower case, without a port: `docs.example.com`. */
  readonly domain: string
  /** The value of the TXT record that proves the ownership. */
  readonly token: string
  /** ISO 8601; absent until its DNS records were checked, and after they were wrong for too long. */
  readonly verifiedAt?: string
  /** ISO 8601; the first check that found wrong DNS records, without a good one since. */
  readonly failingSince?: string
}

/** The bucket cannot be used. */
export class BucketError extends StoreError {
  /** Whether a later attempt can succeed without a change by the operator. */
  readonly isTemporary: boolean
  constructor(message: string, options: { code: string; isTemporary: boolean; hint?: string; cause?: unknown }) {
    super(message, options)
    this.isTemporary = options.isTemporary
  }
}
