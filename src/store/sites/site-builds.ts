import type { Kysely } from 'kysely'
import type { EndedUpdate } from '../../status/update-record.ts'
import { StoreError } from '../../text/errors.ts'
import { chunk, type RecordSources, type StoreDatabase, type StoreLimits, toTime } from '../database/store-database.ts'
import type { SiteBuildRow, SiteRow, Tables } from '../database/tables.ts'
import { selectLiveProject } from '../records/project-changes.ts'
import { insertAudit } from '../records/store-journal.ts'
import { type BranchTip, findUpdate, settleTip, toDetails } from '../records/update-rows.ts'
import {
  addToTotals,
  type BuildFiles,
  changeStored,
  dropBuilds,
  type FinishedSite,
  type NewPreviewApproval,
  type NewSiteBuild,
  needsSuccessToReplaceSite,
  type PublishResult,
  type PullHead,
  type SitePath,
  selectBuilds,
  selectPublished,
  toPublished,
} from './stored-sites.ts'

/** Paths per transaction, which limits how long one can block the process. */
const batchSize = 500

/** The methods of `Store.sites` that change builds. */
export function createSiteBuilds({ write, leaseNow }: StoreDatabase, sources: RecordSources) {
  const { now, newId, randomBytes } = sources
  return {
    /** Begins a build and returns its ID for `addFiles` and `finish`; `undefined` if the project no longer exists. */
    async stage(build: NewSiteBuild) {
      return await write(async (transaction) => {
        const project = await selectLiveProject(transaction, build.projectId).select('id').executeTakeFirst()
        if (!project) return undefined
        // Short, because each file row contains it. Random, so that an ID is never reused for another build.
        const id = Buffer.from(randomBytes(12)).toString('base64url')
        const row: SiteBuildRow = {
          id,
          project_id: build.projectId,
          update_id: build.statusId,
          sha: build.sha,
          ref: build.ref,
          state: 'staged',
          page_count: build.pageCount,
          file_count: build.fileCount,
          size_bytes: build.sizeBytes,
          created_at: toTime(await leaseNow(transaction)),
          audiences: JSON.stringify(build.audiences ?? []),
        }
        await transaction.insertInto('site_builds').values(row).execute()
        return id
      })
    },

    /**
     * Adds files to a staged build. Each path may be added only once for an audience.
     *
     * False if the build no longer exists, for example because its project was deleted. @throws {StoreError} when a content is
     * missing.
     */
    async addFiles({ buildId, audience }: BuildFiles, files: readonly SitePath[]) {
      for (const some of chunk(files, batchSize)) {
        const isThere = await write(async (transaction) => {
          const staged = await findStaged(transaction, buildId)
          if (!staged) return false
          const hashes = [...new Set(some.map(({ hash }) => hash))]
          await rejectMissingContents(transaction, hashes)
          await changeStored(transaction, { projectId: staged.project_id, hashes, sign: 1 })
          await transaction
            .insertInto('site_files')
            .values(some.map(({ path, hash }) => ({ build_id: buildId, audience, path, hash })))
            .execute()
          return true
        })
        if (!isThere) return false
      }
      return true
    },

    /**
     * Publishes the build of a commit as the production site, to roll back or forward. Takes effect immediately, and lasts until the default branch
     * moves. Writes an audit line.
     *
     * @param tip GitHub's default branch; absent if it is unknown. The site then lasts until an update runs for another tip than the last one.
     */
    async publish(projectId: string, sha: string, actor: string, tip?: Omit<BranchTip, 'projectId'>) {
      return await write(async (transaction): Promise<PublishResult> => {
        const build = await selectBuilds(transaction)
          .where('site_builds.project_id', '=', projectId)
          .where('site_builds.sha', '=', sha)
          .where('site_builds.state', '=', 'whole')
          .executeTakeFirst()
        if (!build) return { kind: 'not-found' }
        if (build.published_id === build.id) return { kind: 'unchanged', site: toPublished(build) }
        const row = {
          project_id: projectId,
          build_id: build.id,
          published_at: toTime(now()),
          published_by: actor,
          after_id: newId(),
        }
        await upsertSite(transaction, row)
        if (tip !== undefined) await settleTip(transaction, { projectId, ...tip })
        await insertAudit(transaction, sources, { actor, action: 'site.publish', subject: projectId, detail: sha })
        return { kind: 'published', site: toPublished({ ...build, ...row, published_id: build.id }) }
      })
    },
  }
}

/**
 * Makes a staged build the site of its commit, inside the transaction that ends its record. @throws {StoreError} when it is
 * incomplete.
 */
export async function finishSite(
  transaction: Kysely<Tables>,
  update: EndedUpdate,
  { buildId, publish, memory }: FinishedSite,
  { now, limits }: { readonly now: number; readonly limits: StoreLimits },
): Promise<void> {
  const { projectId } = update
  const staged = await findStaged(transaction, buildId)
  if (staged?.project_id !== projectId || staged.update_id !== update._id) {
    throw new StoreError(`Cannot publish build \`${buildId}\`: it does not belong to update \`${update._id}\``)
  }
  const { count } = await transaction
    .selectFrom('site_files')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('build_id', '=', buildId)
    .executeTakeFirstOrThrow()
  if (Number(count) !== staged.file_count) {
    throw new StoreError(`Cannot publish build \`${buildId}\`: only ${count} of its ${staged.file_count} files are stored`)
  }
  const wholeOf = (sha?: string) => {
    const builds = transaction.selectFrom('site_builds').select(['id', 'state']).where('project_id', '=', projectId)
    return (sha === undefined ? builds : builds.where('sha', '=', sha)).where('state', '=', 'whole')
  }
  const replaced = await wholeOf(staged.sha).execute()
  const site = await transaction.selectFrom('sites').selectAll().where('project_id', '=', projectId).executeTakeFirst()
  const mayPublish =
    (publish === 'always' || (publish === 'until-success' && !(await needsSuccessToReplace(transaction, projectId)))) &&
    (await mayReplaceSite(transaction, update, staged, site))
  if (!mayPublish && update.status === 'failure' && replaced.some(({ id }) => id === site?.build_id)) {
    // A re-run of the published commit found errors: keep the published site.
    await dropBuilds(transaction, [staged])
    return
  }
  await dropBuilds(transaction, replaced)
  const at = toTime(now)
  await transaction.updateTable('site_builds').set({ state: 'whole', created_at: at }).where('id', '=', buildId).execute()
  await addToTotals(transaction, { builds: 1 })
  if (mayPublish) {
    const row = { project_id: projectId, build_id: buildId, published_at: at, published_by: 'push', after_id: update._id }
    await upsertSite(transaction, row)
  } else if (replaced.some(({ id }) => id === site?.build_id)) {
    await transaction.updateTable('sites').set({ build_id: buildId }).where('project_id', '=', projectId).execute()
  }
  const values = { build_id: buildId, memory: memory ?? new Uint8Array() }
  await transaction
    .insertInto('site_memories')
    .values({ project_id: projectId, ref: staged.ref, ...values })
    .onConflict((conflict) => conflict.columns(['project_id', 'ref']).doUpdateSet(values))
    .execute()
  await dropExcessPreviews(transaction, limits, projectId)
}

/** Drops the oldest previews beyond the limit of the project. Returns their number, at most 1,000. */
export async function dropExcessPreviews(
  transaction: Kysely<Tables>,
  limits: Pick<StoreLimits, 'maxPreviews'>,
  projectId: string,
): Promise<number> {
  const project = await transaction.selectFrom('projects').select('max_previews').where('id', '=', projectId).executeTakeFirst()
  const site = await transaction.selectFrom('sites').select('build_id').where('project_id', '=', projectId).executeTakeFirst()
  const excess = await transaction
    .selectFrom('site_builds')
    .select(['id', 'state'])
    .where('project_id', '=', projectId)
    .where('state', '=', 'whole')
    // The published build is not a preview.
    .where('id', '!=', site?.build_id ?? '')
    .orderBy('update_id', 'desc')
    .offset(Math.min(limits.maxPreviews, project?.max_previews ?? limits.maxPreviews))
    .limit(1_000)
    .execute()
  await dropBuilds(transaction, excess)
  return excess.length
}

/**
 * Whether an update may replace the production site. The order of updates does not matter: the run has compared the commit with GitHub's branch.
 * The default branch may have changed during the run. What a person published stays until the branch moves, another branch becomes the default
 * branch, or a person or an API request updates the commit again. Another push of a commit says that the branch moved and came back, also if the pushes between were lost.
 */
async function mayReplaceSite(
  transaction: Kysely<Tables>,
  update: EndedUpdate,
  { ref, sha }: SiteBuildRow,
  site: SiteRow | undefined,
): Promise<boolean> {
  const { default_branch: defaultBranch, settled_tip: settledTip } = await transaction
    .selectFrom('projects')
    .select(['default_branch', 'settled_tip'])
    .where('id', '=', update.projectId)
    .executeTakeFirstOrThrow()
  if (ref !== `refs/heads/${defaultBranch}`) return false
  if (!site || site.published_by === 'push') return true
  const trigger = (await findUpdate(transaction, update._id))?.details.trigger
  const isRequested = trigger === 'api' || trigger === 'rerun'
  const others = await listOtherRecords(transaction, update)
  const isPushedAgain = trigger === 'push' && others.some(({ id }) => id < update._id)
  if (update._id > site.after_id && (isRequested || isPushedAgain)) return true
  // The branch has moved since, but the commit got no site then.
  if (others.some((record) => record.id > site.after_id && toDetails(record).noSite !== undefined)) return true
  return trigger !== 'api' && sha !== settledTip
}

/** The newest other records of a commit of a branch. An older one may run again after them. */
async function listOtherRecords(transaction: Kysely<Tables>, { _id, projectId, commit }: EndedUpdate) {
  return await transaction
    .selectFrom('updates')
    .select(['id', 'details'])
    .where('project_id', '=', projectId)
    .where('sha', '=', commit.sha)
    .where('ref', '=', commit.ref)
    .where('id', '!=', _id)
    .orderBy('id', 'desc')
    .limit(50)
    .execute()
}

async function needsSuccessToReplace(transaction: Kysely<Tables>, projectId: string): Promise<boolean> {
  const published = await selectPublished(transaction, projectId).executeTakeFirst()
  return needsSuccessToReplaceSite(published && toPublished(published))
}

/** Records the heads of pull requests, inside the transaction of `accept`. */
export async function recordPullHeads(
  transaction: Kysely<Tables>,
  heads: readonly PullHead[],
  newId: () => string,
): Promise<void> {
  for (const { projectId, pullNumber, sha, updatedAt } of heads) {
    if (!(await selectLiveProject(transaction, projectId).select('id').executeTakeFirst())) continue
    const values = { seen_id: toSeenId(newId(), updatedAt) }
    await transaction
      .insertInto('site_pulls')
      .values({ project_id: projectId, pull_number: pullNumber, sha, ...values })
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'pull_number', 'sha'])
          .doUpdateSet(values)
          .where('site_pulls.seen_id', '<', values.seen_id),
      )
      .execute()
  }
}

/**
 * An ID that sorts by this time instead of that of its creation: the first 48 bits of a UUIDv7 are its time. GitHub's times have no milliseconds, so
 * within a second the order of creation decides.
 */
function toSeenId(id: string, updatedAt: string | undefined): string {
  const updatedMs = updatedAt === undefined ? Number.NaN : Date.parse(updatedAt)
  if (!(updatedMs >= 0)) return id
  const createdMs = Number.parseInt(`${id.slice(0, 8)}${id.slice(9, 13)}`, 16)
  const time = (updatedMs + Math.min(999, Math.max(0, createdMs - updatedMs))).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${id.slice(13)}`
}

/** Records approved previews, inside the transaction of `accept`. Idempotent. */
export async function recordApprovals(
  transaction: Kysely<Tables>,
  approvals: readonly NewPreviewApproval[],
  approvedAt: string,
): Promise<void> {
  for (const { projectId, sha, approvedBy } of approvals) {
    const project = await transaction.selectFrom('projects').select('id').where('id', '=', projectId).executeTakeFirst()
    if (!project) continue
    await transaction
      .insertInto('site_approvals')
      .values({ project_id: projectId, sha, approved_by: approvedBy, approved_at: approvedAt })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Deletes the sites of a project. */
export async function deleteSites(transaction: Kysely<Tables>, projectId: string): Promise<void> {
  for (const table of ['sites', 'site_memories', 'site_pulls', 'site_approvals'] as const) {
    await transaction.deleteFrom(table).where('project_id', '=', projectId).execute()
  }
  const builds = await transaction
    .selectFrom('site_builds')
    .select(['id', 'state'])
    .where('project_id', '=', projectId)
    .where('state', 'in', ['staged', 'whole'])
    .execute()
  for (const some of chunk(builds, batchSize)) await dropBuilds(transaction, some)
}

async function findStaged(transaction: Kysely<Tables>, buildId: string): Promise<SiteBuildRow | undefined> {
  return await transaction
    .selectFrom('site_builds')
    .selectAll()
    .where('id', '=', buildId)
    .where('state', '=', 'staged')
    .executeTakeFirst()
}

/** Every file needs its content. */
async function rejectMissingContents(transaction: Kysely<Tables>, hashes: readonly string[]): Promise<void> {
  const { count } = await transaction
    .selectFrom('site_contents')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('hash', 'in', hashes)
    .executeTakeFirstOrThrow()
  const missing = hashes.length - Number(count)
  if (missing > 0) throw new StoreError(`Cannot add files to a build: ${missing} of their contents are not stored`)
}

async function upsertSite(transaction: Kysely<Tables>, row: SiteRow): Promise<void> {
  await transaction
    .insertInto('sites')
    .values(row)
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
    .execute()
}
