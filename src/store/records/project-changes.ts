import type { Kysely } from 'kysely'
import { toSubdomain } from '../../status/subdomain.ts'
import type { Project, SiteAudience } from '../../status/update-record.ts'
import { type RecordSources, toTime } from '../database/store-database.ts'
import type { ProjectRow, Tables } from '../database/tables.ts'
import type { DeletedProject, ProjectChange, ProjectFacts } from './stored-records.ts'
import { forgetLooks } from './update-rows.ts'

/** Applies changes in order, inside the caller's transaction. */
export async function applyProjectChanges(
  transaction: Kysely<Tables>,
  sources: RecordSources,
  changes: readonly ProjectChange[],
): Promise<void> {
  for (const change of changes) {
    switch (change.kind) {
      case 'upsert':
        await upsertProject(transaction, sources, change.project)
        break
      case 'tighten':
        await transaction
          .updateTable('projects')
          .set((expression) => ({ private: 1, tightened: expression('tightened', '+', 1) }))
          .where('repository_id', '=', change.repositoryId)
          .execute()
        break
      case 'tighten-all':
        await transaction
          .updateTable('projects')
          .set((expression) => ({ private: 1, tightened: expression('tightened', '+', 1) }))
          .where('private', '=', 0)
          .where('installation_id', 'is not', null)
          .execute()
        break
      case 'confirm-repository':
        await confirmRepository(transaction, change)
        break
      case 'move-root':
        await moveRoot(transaction, change)
        break
      case 'delete-repository':
        await hideProjects(transaction, 'repository_id', change.repositoryId, sources.now())
        break
      case 'delete-project':
        await hideProjects(transaction, 'id', change.projectId, sources.now())
        break
      case 'detach-repository':
        await transaction
          .updateTable('projects')
          .set({ installation_id: null })
          .where('repository_id', '=', change.repositoryId)
          .execute()
        break
      default:
        change satisfies never
    }
  }
}

/** Selects a project, unless it is deleted. */
export function selectLiveProject(database: Kysely<Tables>, id: string) {
  return database.selectFrom('projects').where('id', '=', id).where('deleted_at', 'is', null)
}

export function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    ...(row.installation_id === null ? {} : { installationId: row.installation_id }),
    repositoryId: row.repository_id,
    owner: row.owner,
    repo: row.repo,
    root: row.root,
    hasDocsConfig: row.has_docs_config === 1,
    defaultBranch: row.default_branch,
    private: row.private === 1,
    subdomain: row.subdomain,
    siteAccess: row.site_access === 'public' ? 'public' : 'repository',
    ...(row.issuers !== '[]' && { issuers: JSON.parse(row.issuers) as string[] }),
    enabled: row.enabled === 1,
    ...(row.max_previews !== null && { maxPreviews: row.max_previews }),
    ...(row.preview_days !== null && { previewDays: row.preview_days }),
    ...(row.audiences !== null && { audiences: toAudiences(row) }),
    createdAt: row.created_at,
  }
}

/** Returns none for a project without audiences. */
export function toAudiences({ audiences }: Pick<ProjectRow, 'audiences'>): readonly SiteAudience[] {
  // The store wrote it from this type.
  return audiences === null ? [] : (JSON.parse(audiences) as SiteAudience[])
}

export function toDeletedProject(row: ProjectRow): DeletedProject {
  const { deleted_at: deletedAt, removed_by: removedBy } = row
  return { ...toProject(row), deletedAt: deletedAt ?? '', ...(removedBy !== null && { removedBy }) }
}

async function upsertProject(transaction: Kysely<Tables>, sources: RecordSources, facts: ProjectFacts): Promise<void> {
  const rows = await transaction
    .selectFrom('projects')
    .select(['id', 'root', 'deleted_at', 'removed_by', 'private', 'default_branch'])
    .where('repository_id', '=', facts.repositoryId)
    .execute()
  const known = rows.find(({ root }) => root === facts.root)
  // A person deleted the project, or all projects of the repository, so a push does not bring them back.
  const isRemoved = rows.some(({ removed_by: by }) => by !== null) && rows.every(({ deleted_at: at }) => at !== null)
  if (isRemoved || (known && known.removed_by !== null)) return
  const columns = {
    owner: facts.owner,
    repo: facts.repo,
    default_branch: facts.defaultBranch,
    // The facts may be older than a webhook that made the repository private.
    private: facts.private || rows.some((row) => row.private === 1) ? 1 : 0,
    installation_id: facts.installationId ?? null,
    has_docs_config: facts.hasDocsConfig ? 1 : 0,
  }
  if (!known) {
    const row: ProjectRow = {
      ...columns,
      id: `prj_${Buffer.from(sources.randomBytes(12)).toString('hex')}`,
      repository_id: facts.repositoryId,
      root: facts.root,
      subdomain: await findFreeSubdomain(transaction, facts),
      enabled: 1,
      site_access: 'repository',
      created_at: toTime(sources.now()),
      deleted_at: null,
      removed_by: null,
      tightened: 0,
      max_previews: null,
      preview_days: null,
      settled_tip: null,
      audiences: null,
      issuers: '[]',
    }
    await transaction.insertInto('projects').values(row).execute()
  } else {
    const undecided = known.default_branch === facts.defaultBranch ? {} : undecidedTip
    await transaction
      .updateTable('projects')
      .set({ ...columns, ...undecided })
      .where('id', '=', known.id)
      .execute()
    if (known.deleted_at !== null) await showProject(transaction, known.id)
    await moveJobs(transaction, facts.repositoryId, columns.installation_id)
  }
}

async function confirmRepository(
  transaction: Kysely<Tables>,
  { repositoryId, values, tightened, restore }: Extract<ProjectChange, { kind: 'confirm-repository' }>,
): Promise<void> {
  const { installationId, private: isPrivate, owner, repo, defaultBranch } = values
  const rows = await transaction
    .selectFrom('projects')
    .select(['id', 'deleted_at', 'removed_by', 'tightened', 'default_branch'])
    .where('repository_id', '=', repositoryId)
    .execute()
  const mayLoosen = sumTightened(rows) === tightened
  for (const { id, deleted_at: deletedAt, removed_by: removedBy, default_branch: knownBranch } of rows) {
    if (deletedAt !== null && (!restore || removedBy !== null)) continue
    if (deletedAt !== null) await showProject(transaction, id)
    const isMoved = defaultBranch !== knownBranch
    if (isMoved) await forgetLooks(transaction, [id])
    await transaction
      .updateTable('projects')
      .set({
        owner,
        repo,
        default_branch: defaultBranch,
        ...(isPrivate || mayLoosen ? { private: isPrivate ? 1 : 0 } : {}),
        ...(installationId === undefined ? {} : { installation_id: installationId }),
        ...(isMoved ? undecidedTip : {}),
      })
      .where('id', '=', id)
      .execute()
  }
  if (installationId !== undefined) await moveJobs(transaction, repositoryId, installationId)
}

/** Nothing has been decided for the tip of a new default branch, even if the one before points at the same commit. */
const undecidedTip = { settled_tip: '' } as const

export function sumTightened(rows: readonly Pick<ProjectRow, 'tightened'>[]): number {
  return rows.reduce((sum, { tightened }) => sum + tightened, 0)
}

async function moveRoot(
  transaction: Kysely<Tables>,
  { projectId, root, hasDocsConfig }: Extract<ProjectChange, { kind: 'move-root' }>,
): Promise<void> {
  const project = await transaction.selectFrom('projects').select('repository_id').where('id', '=', projectId).executeTakeFirst()
  if (!project) return
  const taken = await transaction
    .selectFrom('projects')
    .select('id')
    .where('repository_id', '=', project.repository_id)
    .where('root', '=', root)
    .executeTakeFirst()
  if (taken && taken.id !== projectId) return
  await transaction
    .updateTable('projects')
    .set({ root, has_docs_config: hasDocsConfig ? 1 : 0 })
    .where('id', '=', projectId)
    .execute()
}

async function findFreeSubdomain(transaction: Kysely<Tables>, facts: ProjectFacts): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const subdomain = toSubdomain(facts, attempt)
    const taken = await transaction.selectFrom('projects').select('id').where('subdomain', '=', subdomain).executeTakeFirst()
    if (!taken) return subdomain
  }
}

/** Moves waiting jobs to the repository's current installation. */
async function moveJobs(transaction: Kysely<Tables>, repositoryId: number, installationId: number | null): Promise<void> {
  const queueInstallation = toQueueInstallation(installationId)
  const { numUpdatedRows } = await transaction
    .updateTable('jobs')
    .set({ installation_id: queueInstallation })
    .where('project_id', 'in', (query) => query.selectFrom('projects').select('id').where('repository_id', '=', repositoryId))
    .where('installation_id', '!=', queueInstallation)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await ensureTurns(transaction, [queueInstallation])
}

/** Soft-deletes projects: reads exclude them, and their jobs are parked. */
export async function hideProjects(
  transaction: Kysely<Tables>,
  column: 'id' | 'repository_id',
  value: string | number,
  now: number,
): Promise<void> {
  const live = await transaction
    .updateTable('projects')
    .set({ deleted_at: toTime(now) })
    .where(column, '=', value)
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute()
  if (live.length === 0) return
  const ids = live.map(({ id }) => id)
  // This also ends the lease of a running job.
  await transaction
    .updateTable('jobs')
    .set({ state: 'parked', worker: null, claimed_at: null, heartbeat_at: null, lease_until: null })
    .where('project_id', 'in', ids)
    .where('state', 'in', ['waiting', 'leased'])
    .execute()
}

/** Undoes `hideProjects`. */
export async function showProject(transaction: Kysely<Tables>, id: string): Promise<void> {
  await transaction.updateTable('projects').set({ deleted_at: null, removed_by: null }).where('id', '=', id).execute()
  await transaction
    .updateTable('jobs')
    .set({ state: 'waiting' })
    .where('project_id', '=', id)
    .where('state', '=', 'parked')
    .execute()
  // Its pushes were ignored.
  await forgetLooks(transaction, [id])
}

/** Adds installations to the round. Existing turns are kept. */
export async function ensureTurns(transaction: Kysely<Tables>, installationIds: readonly number[]): Promise<void> {
  await transaction
    .insertInto('queue_turns')
    .values(installationIds.map((id) => ({ installation_id: id, turn: 0 })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The ID of an installation in the queue; 0 if there is none. */
export function toQueueInstallation(installationId: number | null | undefined): number {
  return installationId ?? 0
}
