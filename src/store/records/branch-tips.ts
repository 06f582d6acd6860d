import type { Kysely } from 'kysely'
import { isNotRunSummary } from '../../status/update-record.ts'
import type { Tables } from '../database/tables.ts'
import { storedUpdateColumns, toDetails, toStoredUpdate } from './update-rows.ts'

/** The commit that a branch points at on GitHub. */
export interface BranchTip {
  readonly projectId: string
  /** `refs/heads/…`. */
  readonly ref: string
  readonly sha: string
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
export async function findForTip(database: Kysely<Tables>, { projectId, ref, sha }: BranchTip): Promise<string | undefined> {
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
  const ran = records.find(
    ({ update, details }) =>
      !details.overtaken && !details.unread && details.trigger !== 'report' && !isNotRunSummary(update.summary),
  )
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

/** Records the tip of the default branch for which the production site is decided. */
export async function settleTip(transaction: Kysely<Tables>, { projectId, ref, sha }: BranchTip): Promise<void> {
  const project = await transaction.selectFrom('projects').select('default_branch').where('id', '=', projectId).executeTakeFirst()
  // The default branch may have changed since the caller read it.
  if (ref !== `refs/heads/${project?.default_branch}`) return
  await transaction.updateTable('projects').set({ settled_tip: sha }).where('id', '=', projectId).execute()
}
