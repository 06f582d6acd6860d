import { toProject } from './project-changes.ts'
import { createReadCache } from './read-cache.ts'
import { toPublished } from './site-builds.ts'
import { toStoredFile } from './site-contents.ts'
import { isPicturePath } from './site-pictures.ts'
import { selectBuilds, toSiteBuild } from './site-rows.ts'
import { isPublicSite, type ShownSite, type SiteBuild, type SiteHost, type SiteOwner, type SiteStore } from './site-types.ts'
import type { StoreContext } from './store-context.ts'

/** Hosts that are kept in memory: a visit asks for the same one many times. */
const maxShown = 2_000

/** Commits of a pull request that are looked through for one that has a build. */
const maxHeads = 20

/** Digits of a sha that name a commit in an address. */
const shaDigits = 12

/** The parts of `SiteStore` that read. */
export function createSiteReads(context: StoreContext) {
  const { reader } = context
  const builds = selectBuilds(reader).where('site_builds.state', '=', 'whole')
  const buildsOf = (projectId: string) => builds.where('site_builds.project_id', '=', projectId)
  const files = reader
    .selectFrom('site_files')
    .innerJoin('site_contents', 'site_contents.hash', 'site_files.hash')
    .selectAll('site_contents')
    .select('site_files.path')

  const reads = {
    async findEarlier(projectId, ref) {
      const row =
        (await buildsOf(projectId).where('site_builds.ref', '=', ref).orderBy('update_id', 'desc').limit(1).executeTakeFirst()) ??
        (await findPublishedRow(projectId))
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

    async findPublished(projectId) {
      const site = await reader.selectFrom('sites').selectAll().where('project_id', '=', projectId).executeTakeFirst()
      const build = site && (await builds.where('site_builds.id', '=', site.build_id).executeTakeFirst())
      return build && toPublished(site, build)
    },

    find: findByCommit,

    async findByPull(projectId, pullNumber) {
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

    async findApproval(projectId, sha) {
      const row = await reader
        .selectFrom('site_approvals')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('sha', '=', sha)
        .executeTakeFirst()
      return row && { projectId, sha, approvedBy: row.approved_by, approvedAt: row.approved_at }
    },

    async list(projectId, { ref, limit = 20, before } = {}) {
      let query = buildsOf(projectId).orderBy('update_id', 'desc')
      if (ref !== undefined) query = query.where('site_builds.ref', '=', ref)
      if (before !== undefined) query = query.where('site_builds.update_id', '<', before)
      const rows = await query.limit(Math.min(Math.max(1, limit), 100)).execute()
      return rows.map(toSiteBuild)
    },

    async listFiles(buildId) {
      const rows = await files.where('site_files.build_id', '=', buildId).orderBy('site_files.path').execute()
      return rows.filter(({ path }) => !isPicturePath(path)).map(toStoredFile)
    },

    async findFile(buildId, path) {
      const row = await files.where('site_files.build_id', '=', buildId).where('site_files.path', '=', path).executeTakeFirst()
      return row && toStoredFile(row)
    },

    async sizes() {
      const totals = await reader.selectFrom('site_totals').selectAll().executeTakeFirstOrThrow()
      return {
        builds: totals.builds,
        contents: totals.contents,
        sizeBytes: totals.size_bytes,
        storedBytes: totals.stored_bytes,
      }
    },
  } satisfies Partial<SiteStore>

  async function findByCommit(projectId: string, sha: string): Promise<SiteBuild | undefined> {
    if (!/^[0-9a-f]+$/.test(sha) || sha.length < shaDigits) return undefined
    const rows = await buildsOf(projectId)
      // Every sha that begins so sorts between the two; as good as ever there is one.
      .where('site_builds.sha', '>=', sha)
      .where('site_builds.sha', '<', `${sha}g`)
      .limit(20)
      .execute()
    const [row] = rows.sort((a, b) => (a.update_id > b.update_id ? -1 : 1))
    return row && toSiteBuild(row)
  }

  async function findPublishedRow(projectId: string) {
    const site = await reader.selectFrom('sites').select('build_id').where('project_id', '=', projectId).executeTakeFirst()
    return site && (await builds.where('site_builds.id', '=', site.build_id).executeTakeFirst())
  }

  async function findBuildOf(projectId: string, preview: SiteHost['preview']): Promise<SiteBuild | undefined> {
    if (!preview) return (await reads.findPublished(projectId))?.build
    return preview.kind === 'commit'
      ? await findByCommit(projectId, preview.sha)
      : await reads.findByPull(projectId, preview.pullNumber)
  }

  const { readRecentDataVersion: readDataVersion } = context
  const shown = createReadCache<ShownSite>(readDataVersion ? { readDataVersion } : {}, maxShown, async (key) => {
    // We made it from this type.
    const { subdomain, preview } = JSON.parse(key) as SiteHost
    const row = await reader
      .selectFrom('projects')
      .selectAll()
      .where('subdomain', '=', subdomain)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    const build = row && (await findBuildOf(row.id, preview))
    return build && { project: toProject(row), build }
  })

  const owners = createReadCache<SiteOwner>(
    readDataVersion ? { readDataVersion } : {},
    maxShown,
    async (subdomain) => {
      // Aggregates give one row, whether there is a project or not.
      const row = await reader
        .selectFrom('projects')
        .select(({ fn }) => [
          fn.max('id').as('id'),
          fn.max('repository_id').as('repository_id'),
          fn.max('private').as('private'),
          fn.max('site_access').as('site_access'),
        ])
        .where('subdomain', '=', subdomain)
        .executeTakeFirstOrThrow()
      const isPublic =
        row.id !== null &&
        isPublicSite({ private: row.private === 1, siteAccess: row.site_access === 'public' ? 'public' : 'repository' })
      return { projectId: row.id ?? '', repositoryId: row.repository_id ?? 0, isPublic }
    },
    // A private site in memory would get its response sooner than a name that does not exist.
    ({ isPublic }) => isPublic,
  )

  return {
    ...reads,
    findShown: (host: SiteHost) => shown(JSON.stringify(host)),
    async findOwner({ subdomain }: SiteHost) {
      return (await owners(subdomain)) ?? { projectId: '', repositoryId: 0, isPublic: false }
    },
  }
}
