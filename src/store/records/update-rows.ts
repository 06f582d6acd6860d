import type { Kysely } from 'kysely'
import { isNotRunSummary, type OpenUpdate, type SiteAudience, type UpdateStatus } from '../../status/update-record.ts'
import type { RecordSources } from '../database/store-database.ts'
import type { ProjectRow, Tables, UpdateRow } from '../database/tables.ts'
import { insertAudit } from './store-journal.ts'
import type { MissingSite, StoredUpdate, UpdateDetails } from './stored-records.ts'

export type StoredRow = Pick<UpdateRow, (typeof storedUpdateColumns)[number]>

/** The columns of a record. The rest of `UpdateRow` is for indexes. */
export const storedUpdateColumns = ['record', 'revision', 'details'] as const

export function toStoredUpdate(row: StoredRow): StoredUpdate {
  return {
    // The store wrote it from this type.
    update: JSON.parse(row.record) as UpdateStatus,
    json: row.record,
    revision: row.revision,
    details: toDetails(row),
  }
}

/** Reads the column `details`. */
export function toDetails({ details }: Pick<UpdateRow, 'details'>): UpdateDetails {
  return JSON.parse(details) as UpdateDetails // The store wrote it from this type.
}

export async function findUpdate(database: Kysely<Tables>, id: string): Promise<StoredUpdate | undefined> {
  const row = await database.selectFrom('updates').select(storedUpdateColumns).where('id', '=', id).executeTakeFirst()
  return row && toStoredUpdate(row)
}

export async function insertUpdates(
  database: Kysely<Tables>,
  updates: readonly Pick<StoredUpdate, 'update' | 'details'>[],
): Promise<void> {
  const rows = updates.map(
    ({ update, details }): UpdateRow => ({
      id: update._id,
      project_id: update.projectId,
      state: update.status,
      ref: update.commit.ref,
      sha: update.commit.sha,
      created_at: update.createdAt,
      ended_at: update.endedAt ?? null,
      revision: 1,
      record: JSON.stringify(update),
      details: JSON.stringify(details),
    }),
  )
  await database.insertInto('updates').values(rows).execute()
}

/** Writes a new version of an open record. Returns false and changes nothing if the record has ended or no longer exists. */
export async function replaceOpenUpdate(database: Kysely<Tables>, update: UpdateStatus): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('updates')
    .set((expression) => ({
      state: update.status,
      ended_at: update.endedAt ?? null,
      revision: expression('revision', '+', 1),
      record: JSON.stringify(update),
    }))
    .where('id', '=', update._id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Merges details; `undefined` fields are ignored. False if there is no such record. */
export async function mergeDetails(
  transaction: Kysely<Tables>,
  statusId: string,
  details: Partial<UpdateDetails>,
): Promise<boolean> {
  const row = await transaction.selectFrom('updates').select('details').where('id', '=', statusId).executeTakeFirst()
  if (!row) return false
  const given = Object.entries(details).filter(([, value]) => value !== undefined)
  if (given.length === 0) return true
  const merged: UpdateDetails = { ...toDetails(row), ...Object.fromEntries(given) }
  await transaction
    .updateTable('updates')
    .set({ details: JSON.stringify(merged) })
    .where('id', '=', statusId)
    .execute()
  return true
}

/** The record with this id if it has not ended. */
export async function findOpenUpdate(database: Kysely<Tables>, id: string): Promise<OpenUpdate | undefined> {
  const stored = await findUpdate(database, id)
  return stored && isOpen(stored.update) ? stored.update : undefined
}

function isOpen(update: UpdateStatus): update is OpenUpdate {
  return update.endedAt === undefined
}

/** The commit that a branch points at on GitHub. */
export interface BranchTip {
  readonly projectId: string
  /** `refs/heads/…`. */
  readonly ref: string
  readonly sha: string
}

/** A tip, with the reasons for a missing site that no longer hold: a record without a site for one of them is not enough. */
export interface WantedTip extends BranchTip {
  readonly overcome?: readonly MissingSite[] | undefined
}

/** Number of records of a commit, and of a branch, to search. */
const searchedRecords = 50

/**
 * The record that makes another update of the tip of a branch unnecessary: it has not ended, or this app ran it for this tip. `undefined` if the
 * tip needs an update. The order in which records were created does not matter.
 *
 * For the default branch, the production site must have been decided for the tip. If the branch moved back to a commit that failed before, that
 * commit would fail again.
 */
export async function findForTip(
  database: Kysely<Tables>,
  { projectId, ref, sha, overcome = [] }: WantedTip,
): Promise<string | undefined> {
  const rows = await database
    .selectFrom('updates')
    .select(['id', 'ref', ...storedUpdateColumns])
    .where('project_id', '=', projectId)
    .where('sha', '=', sha)
    .orderBy('id', 'desc')
    .limit(searchedRecords)
    .execute()
  const project = await database
    .selectFrom('projects')
    .select(['default_branch', 'settled_tip'])
    .where('id', '=', projectId)
    .executeTakeFirst()
  const isDefault = ref === `refs/heads/${project?.default_branch}`
  // A record of another branch publishes nothing.
  const records = rows.filter((row) => !isDefault || row.ref === ref).map((row) => ({ id: row.id, ...toStoredUpdate(row) }))
  const open = records.find(({ update }) => update.endedAt === undefined)
  if (open) return open.id
  const ran = records.find(({ update, details: { overtaken, trigger } }) => {
    return !overtaken && trigger !== 'report' && !isNotRunSummary(update.summary)
  })
  // Its site is missing, or that of an earlier record was replaced since.
  if (ran?.details.noSite && overcome.includes(ran.details.noSite)) return undefined
  if (!ran || !isDefault || project?.settled_tip === sha || ran.update.status === 'failure') return ran?.id
  // Nothing has been decided since the project exists: its newest record decides.
  return project?.settled_tip === null && (await isNewestRun(database, { projectId, ref, sha })) ? ran.id : undefined
}

async function isNewestRun(database: Kysely<Tables>, { projectId, ref, sha }: BranchTip): Promise<boolean> {
  const rows = await database
    .selectFrom('updates')
    .select(['sha', 'details'])
    .where('project_id', '=', projectId)
    .where('ref', '=', ref)
    .orderBy('id', 'desc')
    .limit(searchedRecords)
    .execute()
  return rows.find((row) => toDetails(row).overtaken !== true)?.sha === sha
}

/** Lets the next comparison with GitHub look at the branches of these projects again, because their tips may need an update. */
export async function forgetLooks(transaction: Kysely<Tables>, projectIds: readonly string[]): Promise<void> {
  await transaction
    .deleteFrom('repository_looks')
    .where('repository_id', 'in', (expression) =>
      expression.selectFrom('projects').select('repository_id').where('id', 'in', projectIds),
    )
    .execute()
}

/**
 * Records the tip of the default branch for which the production site is decided.
 *
 * @returns the audiences before, or `undefined` if the default branch has changed since the caller read it.
 */
export async function settleTip(
  transaction: Kysely<Tables>,
  { projectId, ref, sha }: BranchTip,
): Promise<Pick<ProjectRow, 'audiences'> | undefined> {
  const columns = ['default_branch', 'audiences'] as const
  const project = await transaction.selectFrom('projects').select(columns).where('id', '=', projectId).executeTakeFirst()
  if (ref !== `refs/heads/${project?.default_branch}`) return undefined
  await transaction.updateTable('projects').set({ settled_tip: sha }).where('id', '=', projectId).execute()
  return project
}

export async function isOnDefaultBranch(transaction: Kysely<Tables>, { projectId, commit }: UpdateStatus): Promise<boolean> {
  const project = await transaction.selectFrom('projects').select('default_branch').where('id', '=', projectId).executeTakeFirst()
  return commit.ref === `refs/heads/${project?.default_branch}`
}

/** Settles a tip whose configuration has these audiences: from now on, their readers get their files. Writes an audit line for a change. */
export async function settleAudiences(
  transaction: Kysely<Tables>,
  sources: RecordSources,
  { audiences, ...tip }: BranchTip & { readonly audiences: readonly SiteAudience[] | 'none' | undefined },
): Promise<void> {
  const before = await settleTip(transaction, tip)
  const after = audiences === 'none' ? null : JSON.stringify(audiences)
  if (!before || after === undefined || before.audiences === after) return
  await transaction.updateTable('projects').set({ audiences: after }).where('id', '=', tip.projectId).execute()
  const detail = `${tip.sha}: ${after ?? 'none'}`
  await insertAudit(transaction, sources, { actor: 'push', action: 'site.audiences', subject: tip.projectId, detail })
}

/** Updates per transaction, which limits how long one can block the process. */
const deletedAtOnce = 200

/**
 * Deletes updates with everything that is stored about them, except those of sites: previews end sooner, and a published site shows its update.
 *
 * @returns The number of updates.
 */
export async function deleteOldUpdates(transaction: Kysely<Tables>, beforeId: string): Promise<number> {
  const old = await transaction
    .selectFrom('updates')
    .select(['id', 'project_id', 'sha'])
    .where('id', '<', beforeId)
    .where('ended_at', 'is not', null)
    .where('id', 'not in', (query) => query.selectFrom('site_builds').select('update_id').where('state', '=', 'whole'))
    .orderBy('id')
    .limit(deletedAtOnce)
    .execute()
  if (old.length === 0) return 0
  const ids = old.map(({ id }) => id)
  for (const table of ['reports', 'api_changes'] as const)
    await transaction.deleteFrom(table).where('update_id', 'in', ids).execute()
  for (const { project_id: projectId, sha } of old) {
    await transaction.deleteFrom('site_approvals').where('project_id', '=', projectId).where('sha', '=', sha).execute()
  }
  await transaction.deleteFrom('updates').where('id', 'in', ids).execute()
  return old.length
}
