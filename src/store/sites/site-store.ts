import { type Kysely, sql } from 'kysely'
import { toFirstId } from '../../status/update-record.ts'
import { createReadCache } from '../database/read-caches.ts'
import { type RecordSources, type StoreDatabase, type StoreLimits, toTime } from '../database/store-database.ts'
import type { Tables } from '../database/tables.ts'
import { toAudiences, toProject } from '../records/project-changes.ts'
import { claimBucket, deleteObjects, listObjects, sweepBucket } from './bucket-contents.ts'
import { createSiteBuilds, dropExcessPreviews } from './site-builds.ts'
import { clearMadeOfSite, createMadeOfSite, createSiteContents, isMadeOfSite, toStoredFile } from './site-contents.ts'
import {
  addToTotals,
  type BuildFiles,
  changeStored,
  dropBuilds,
  isPublicSite,
  type ShownSite,
  type SiteBucket,
  type SiteBuild,
  type SiteHost,
  type SiteOwner,
  selectBuilds,
  selectPublished,
  toPublished,
  toSiteBuild,
} from './stored-sites.ts'

/**
 * Built sites: file contents, each stored once, and the list of paths of each commit, in tables beside the records, so that one
 * transaction covers a record and its site.
 *
 * A build is assembled in invisible steps (`findMissing`, `addContents`, `stage`, `addFiles`) and becomes a site in the
 * transaction that ends its record: `Store.queue.finish` with `site`. `collect` deletes the remains of unfinished builds.
 */
export function createSiteStore(
  database: StoreDatabase,
  sources: RecordSources,
  { limits, bucket }: { readonly limits: StoreLimits; readonly bucket: SiteBucket | undefined },
) {
  const reads = createSiteReads(database)
  const files = createFileReads(database)
  return {
    ...createSiteContents(database, sources, bucket),
    ...createSiteBuilds(database, sources),
    ...reads,
    ...files,
    ...createHostReads(database, reads),
    ...createMadeOfSite(database, { sources, bucket }, files.findFile),
    /** Ends the previews of a ref: `collect` deletes them. A published site stays. */
    async dropPreviews(projectId: string, ref: string) {
      await database.write(async (transaction) => {
        const previews = selectOld(transaction, 'whole', toTime(sources.now())).where('site_builds.project_id', '=', projectId)
        await dropBuilds(transaction, await previews.where('site_builds.ref', '=', ref).execute())
      })
    },
    /**
     * Deletes builds that are over the limit or too old, and contents unused for an hour. Works in small steps so that other calls
     * can continue. The cost depends on the deleted data, not on the size of the store.
     */
    collect: () => collectSites(database, { now: sources.now, limits, bucket }),
    /**
     * Checks that contents can be stored where they belong: that the bucket is reachable and belongs to this store, or that there is no
     * content in a bucket.
     *
     * @throws {StoreError}
     */
    checkPlace: () => claimBucket(database, bucket),
  }
}

/** Number of commits of a pull request to search for a build. */
const maxHeads = 20

/** Number of SHA digits in a preview URL. */
const shaDigits = 12

/** The parts of `Store.sites` that read builds. */
function createSiteReads({ reader }: StoreDatabase) {
  const builds = selectBuilds(reader).where('site_builds.state', '=', 'whole')
  const buildsOf = (projectId: string) => builds.where('site_builds.project_id', '=', projectId)
  return {
    /** The newest build of the ref, otherwise of the default branch, so that only changes since then need to be built. */
    async findEarlier(projectId: string, ref: string) {
      const row =
        (await buildsOf(projectId).where('site_builds.ref', '=', ref).orderBy('update_id', 'desc').limit(1).executeTakeFirst()) ??
        (await selectPublished(reader, projectId).executeTakeFirst())
      if (!row) return undefined
      const remembered = await reader
        .selectFrom('site_memories')
        .select('memory')
        .where('project_id', '=', projectId)
        .where('ref', '=', row.ref)
        .where('build_id', '=', row.id)
        .executeTakeFirst()
      return { build: toSiteBuild(row), memory: remembered?.memory }
    },

    /** The production site of a project. */
    async findPublished(projectId: string) {
      const row = await selectPublished(reader, projectId).executeTakeFirst()
      return row && toPublished(row)
    },

    /** The build of a commit, by at least 12 digits of its sha. */
    find: findByCommit,

    /** The newest commit of a pull request that has a build. */
    async findByPull(projectId: string, pullNumber: number) {
      const heads = await reader
        .selectFrom('site_pulls')
        .select('sha')
        .where('project_id', '=', projectId)
        .where('pull_number', '=', pullNumber)
        .orderBy('seen_id', 'desc')
        .limit(maxHeads)
        .execute()
      for (const { sha } of heads) {
        const build = await findByCommit(projectId, sha)
        if (build) return build
      }
      return undefined
    },

    /** The approval of a fork commit's preview; `undefined` if there is none. */
    async findApproval(projectId: string, sha: string) {
      const row = await reader
        .selectFrom('site_approvals')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('sha', '=', sha)
        .executeTakeFirst()
      return row && { projectId, sha, approvedBy: row.approved_by, approvedAt: row.approved_at }
    },

    /** The builds of a project, newest record first: at most `limit`, older than the record `before`. */
    async list(
      projectId: string,
      { ref, limit = 20, before }: { readonly ref?: string; readonly limit?: number; readonly before?: string } = {},
    ) {
      let query = buildsOf(projectId).orderBy('update_id', 'desc')
      if (ref !== undefined) query = query.where('site_builds.ref', '=', ref)
      if (before !== undefined) query = query.where('site_builds.update_id', '<', before)
      const rows = await query.limit(limit).execute()
      return rows.map(toSiteBuild)
    },
  }

  async function findByCommit(projectId: string, sha: string): Promise<SiteBuild | undefined> {
    if (!/^[0-9a-f]+$/.test(sha) || sha.length < shaDigits) return undefined
    const rows = await buildsOf(projectId)
      // Every SHA with this prefix sorts between the two. Usually there is one.
      .where('site_builds.sha', '>=', sha)
      .where('site_builds.sha', '<', `${sha}g`)
      .limit(20)
      .execute()
    const [row] = rows.sort((a, b) => (a.update_id > b.update_id ? -1 : 1))
    return row && toSiteBuild(row)
  }
}

/** The parts of `Store.sites` that read the files of builds. */
function createFileReads({ reader }: StoreDatabase) {
  const files = reader
    .selectFrom('site_files')
    .innerJoin('site_contents', 'site_contents.hash', 'site_files.hash')
    .selectAll('site_contents')
    .select('site_files.path')
  const filesOf = ({ buildId, audience }: BuildFiles) =>
    files.where('site_files.build_id', '=', buildId).where('site_files.audience', '=', audience)

  return {
    /** The files of the site of a build, sorted by path. */
    async listFiles(of: BuildFiles) {
      const rows = await filesOf(of).orderBy('site_files.path').execute()
      return rows.filter(({ path }) => !isMadeOfSite(path)).map(toStoredFile)
    },

    async findFile(of: BuildFiles, path: string) {
      const row = await filesOf(of).where('site_files.path', '=', path).executeTakeFirst()
      return row && toStoredFile(row)
    },

    /** The numbers of builds and of distinct contents of all projects, unused ones included; the size of the files, then the stored size. */
    async sizes() {
      const totals = await reader.selectFrom('site_totals').selectAll().executeTakeFirstOrThrow()
      return {
        builds: totals.builds,
        contents: totals.contents,
        sizeBytes: totals.size_bytes,
        storedBytes: totals.stored_bytes,
      }
    },
  }
}

/** Number of cached hosts: a visitor requests the same one many times. */
const maxCachedHosts = 2_000

/** The parts of `Store.sites` that find the site of a host. */
function createHostReads(
  { reader, readVersion }: StoreDatabase,
  { findPublished, find, findByPull }: ReturnType<typeof createSiteReads>,
) {
  const shown = createReadCache<ShownSite>(
    { readVersion, tables: ['projects', 'sites', 'site_builds', 'site_pulls'], maxSize: maxCachedHosts },
    async (key) => {
      // The store wrote it from this type.
      const { subdomain, preview } = JSON.parse(key) as SiteHost
      const row = await reader
        .selectFrom('projects')
        .selectAll()
        .where('subdomain', '=', subdomain)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      const build = row && (await findBuildOf(row.id, preview))
      return build && { project: toProject(row), build }
    },
  )

  const owners = createReadCache<SiteOwner>(
    {
      readVersion,
      tables: ['projects'],
      maxSize: maxCachedHosts,
      // If private sites were cached, they would respond faster than a name that does not exist.
      isKept: ({ isPublic }) => isPublic,
    },
    async (subdomain) => {
      // Aggregates return one row, whether the project exists or not.
      const row = await reader
        .selectFrom('projects')
        .select(({ fn }) => [
          fn.max('id').as('id'),
          fn.max('repository_id').as('repository_id'),
          fn.max('private').as('private'),
          fn.max('site_access').as('site_access'),
          fn.max('audiences').as('audiences'),
          fn.max('issuers').as('issuers'),
        ])
        .where('subdomain', '=', subdomain)
        .executeTakeFirstOrThrow()
      const isPublic =
        row.id !== null &&
        isPublicSite({ private: row.private === 1, siteAccess: row.site_access === 'public' ? 'public' : 'repository' })
      const issuers = JSON.parse(row.issuers ?? '[]') as string[]
      return { projectId: row.id ?? '', repositoryId: row.repository_id ?? 0, isPublic, audiences: toAudiences(row), issuers }
    },
  )

  async function findBuildOf(projectId: string, preview: SiteHost['preview']): Promise<SiteBuild | undefined> {
    if (!preview) return (await findPublished(projectId))?.build
    return preview.kind === 'commit' ? await find(projectId, preview.sha) : await findByPull(projectId, preview.pullNumber)
  }

  return {
    /** The site of a host; `undefined` if there is none. Cached until the next write; never stale. */
    findShown: (host: SiteHost) => shown(JSON.stringify(host)),
    /**
     * The owner of a host's site, read before anything else. One statement with one row, so that a private site without access
     * takes as long as a name that does not exist. Public sites are cached.
     */
    async findOwner({ subdomain }: SiteHost): Promise<SiteOwner> {
      return (await owners(subdomain)) ?? { projectId: '', repositoryId: 0, isPublic: false, audiences: [], issuers: [] }
    },
  }
}

/** Rows per transaction, which limits how long one can block the process. */
const batchSize = 500

/** `collect`. */
async function collectSites(
  database: StoreDatabase,
  options: { readonly now: RecordSources['now']; readonly limits: StoreLimits; readonly bucket: SiteBucket | undefined },
) {
  const { write, leaseNow } = database
  const { now, limits, bucket } = options
  await repeat(() =>
    write(async (transaction) => {
      const old = await selectOld(transaction, 'whole', toTime(now() - limits.keepPreviewsMs)).execute()
      const unfinishedBefore = toTime((await leaseNow(transaction)) - limits.keepUnusedMs)
      const left = await selectOld(transaction, 'staged', unfinishedBefore).execute()
      await dropBuilds(transaction, [...old, ...left])
      return old.length + left.length
    }),
  )
  await dropOverProjectLimits(database, now, limits)
  let builds = 0
  await repeat(async () => {
    const ids = await write(async (transaction) => deleteBuildFiles(transaction, toTime(await leaseNow(transaction))))
    builds += ids.gone
    return ids.gone + ids.files
  })
  const oldHead = toFirstId(now() - limits.keepPreviewsMs)
  await write((transaction) => transaction.deleteFrom('site_pulls').where('seen_id', '<', oldHead).execute())
  const taken = { contents: 0, storedBytes: 0 }
  await repeat(async () => {
    const step = await write(async (transaction) => {
      const unusedBefore = toTime((await leaseNow(transaction)) - limits.keepUnusedMs)
      return await deleteUnused(transaction, unusedBefore)
    })
    taken.contents += step.contents
    taken.storedBytes += step.storedBytes
    if (bucket) await deleteObjects(bucket, step.objects)
    return step.seen
  })
  if (bucket) {
    await claimBucket(database, bucket)
    await sweepBucket(database, now, bucket)
  }
  return { builds, ...taken }
}

/** Drops the previews of projects with their own limits. */
async function dropOverProjectLimits(
  { write, reader }: StoreDatabase,
  now: RecordSources['now'],
  limits: StoreLimits,
): Promise<void> {
  const counted = await reader.selectFrom('projects').select('id').where('max_previews', 'is not', null).execute()
  for (const { id } of counted) await repeat(() => write((transaction) => dropExcessPreviews(transaction, limits, id)))
  const dated = await reader.selectFrom('projects').select(['id', 'preview_days']).where('preview_days', 'is not', null).execute()
  for (const { id, preview_days: days } of dated) {
    const before = toTime(now() - (days ?? 0) * 24 * 3_600_000)
    await repeat(() =>
      write(async (transaction) => {
        const old = await selectOld(transaction, 'whole', before).where('site_builds.project_id', '=', id).execute()
        await dropBuilds(transaction, old)
        return old.length
      }),
    )
  }
}

/** Repeats a step until it finds nothing, with one transaction each. */
async function repeat(step: () => Promise<number>): Promise<void> {
  while ((await step()) > 0);
}

/** Builds that are not published, at most `batchSize`. */
function selectOld(transaction: Kysely<Tables>, state: 'whole' | 'staged', before: string) {
  return transaction
    .selectFrom('site_builds')
    .leftJoin('sites', 'sites.project_id', 'site_builds.project_id')
    .select(['site_builds.id', 'site_builds.state'])
    .where('site_builds.state', '=', state)
    .where('site_builds.created_at', '<', before)
    .where((expression) =>
      expression.or([
        expression('sites.build_id', 'is', null),
        expression('sites.build_id', '!=', expression.ref('site_builds.id')),
      ]),
    )
    .limit(batchSize)
}

/** Deletes some files of a dropped build and marks their contents for a check. Deletes the build when no files are left. */
async function deleteBuildFiles(transaction: Kysely<Tables>, at: string): Promise<{ files: number; gone: number }> {
  const build = await transaction
    .selectFrom('site_builds')
    .select(['id', 'update_id', 'project_id'])
    .where('state', '=', 'dropped')
    .limit(1)
    .executeTakeFirst()
  if (!build) return { files: 0, gone: 0 }
  const some = await transaction
    .selectFrom('site_files')
    .select(['audience', 'path', 'hash'])
    .where('build_id', '=', build.id)
    .orderBy('audience')
    .limit(batchSize)
    .execute()
  const audience = some[0]?.audience
  if (audience !== undefined) {
    const files = some.filter((file) => file.audience === audience)
    const hashes = [...new Set(files.map(({ hash }) => hash))]
    await transaction
      .updateTable('site_contents')
      .set({ unused_since: at })
      .where('hash', 'in', hashes)
      .where('unused_since', 'is', null)
      .execute()
    const paths = files.map(({ path }) => path)
    await transaction
      .deleteFrom('site_files')
      .where('build_id', '=', build.id)
      .where('audience', '=', audience)
      .where('path', 'in', paths)
      .execute()
    await changeStored(transaction, { projectId: build.project_id, hashes, sign: -1 })
    return { files: files.length, gone: 0 }
  }
  await clearMadeOfSite(transaction, build.update_id)
  await transaction.deleteFrom('site_memories').where('build_id', '=', build.id).execute()
  await transaction.deleteFrom('site_builds').where('id', '=', build.id).execute()
  return { files: 0, gone: 1 }
}

/** Deletes contents that no build uses any more. */
async function deleteUnused(transaction: Kysely<Tables>, before: string) {
  const seen = await transaction
    .selectFrom('site_contents')
    .selectAll()
    .where('unused_since', '<', before)
    .limit(batchSize)
    .execute()
  if (seen.length === 0) return { seen: 0, contents: 0, storedBytes: 0, objects: [] }
  const hashes = seen.map(({ hash }) => hash)
  const used = await transaction
    .selectFrom('site_contents')
    .select('hash')
    .where('hash', 'in', hashes)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('site_files').select(sql`1`.as('one')).whereRef('site_files.hash', '=', 'site_contents.hash')),
    )
    .execute()
  const usedHashes = new Set(used.map(({ hash }) => hash))
  if (used.length > 0) {
    await transaction
      .updateTable('site_contents')
      .set({ unused_since: null })
      .where('hash', 'in', [...usedHashes])
      .execute()
  }
  const unused = seen.filter(({ hash }) => !usedHashes.has(hash))
  if (unused.length > 0) {
    const gone = unused.map(({ hash }) => hash)
    await transaction.deleteFrom('site_parts').where('hash', 'in', gone).execute()
    await transaction.deleteFrom('site_contents').where('hash', 'in', gone).execute()
  }
  const sum = (of: (row: (typeof unused)[number]) => number) => unused.reduce((total, row) => total + of(row), 0)
  const storedBytes = sum((row) => (row.identity_bytes ?? 0) + (row.br_bytes ?? 0) + (row.gzip_bytes ?? 0))
  const sizeBytes = sum((row) => row.size_bytes)
  await addToTotals(transaction, { contents: -unused.length, size_bytes: -sizeBytes, stored_bytes: -storedBytes })
  const objects = unused.flatMap(listObjects)
  return { seen: seen.length, contents: unused.length, storedBytes, objects }
}
