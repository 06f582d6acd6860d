import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { finishUpdate, type OpenUpdate, type UpdateEnd, type UpdateStatus } from '../../status/update-record.ts'
import { toTime } from '../database/store-database.ts'
import type { JobRow, Tables } from '../database/tables.ts'
import { selectLiveProject, toQueueInstallation } from '../records/project-changes.ts'
import type { UpdateDetails } from '../records/stored-records.ts'
import { findOpenUpdate, findUpdate, mergeDetails, replaceOpenUpdate } from '../records/update-rows.ts'
import {
  insertJobs,
  listWanted,
  type NewJob,
  noLease,
  readOrigin,
  toJob,
  type WantedState,
  type WantedSubject,
  type WorkOrigin,
} from './jobs.ts'

/** The only writer of promises, in the transaction that opens, changes or ends their records. Those of unknown records are ignored. */
export async function wantStates(
  transaction: Kysely<Tables>,
  wanted: readonly WantedState[],
  { origin }: { readonly origin?: WorkOrigin | undefined } = {},
): Promise<void> {
  for (const { statusId, subject, details, payload } of wanted) {
    if (details) await mergeDetails(transaction, statusId, details)
    const stored = await findUpdate(transaction, statusId)
    if (!stored || !(subject === 'button' || listWanted(stored.update, stored.details).includes(subject))) continue
    // Each press of a button has a result of its own.
    if (subject !== 'button') await deleteWaiting(transaction, stored.update, [subject])
    await insertWanted(transaction, stored.update, [subject], { origin, payload })
  }
}

/** Does nothing if the project is deleted. */
async function insertWanted(
  transaction: Kysely<Tables>,
  { _id: statusId, projectId, createdAt }: UpdateStatus,
  subjects: readonly WantedSubject[],
  job: Pick<Parameters<typeof toJob>[1], 'isBulk' | 'origin' | 'payload'>,
): Promise<void> {
  const project = await selectLiveProject(transaction, projectId).select('installation_id').executeTakeFirst()
  if (!project) return
  const shared = { projectId, installationId: toQueueInstallation(project.installation_id), createdAt, ...job }
  await insertJobs(
    transaction,
    subjects.map((subject) => toWantedJob(statusId, subject, shared)),
  )
}

/** IDs are not used again, because they fence off earlier attempts. */
export function toWantedJob(statusId: string, subject: WantedSubject, job: Omit<Parameters<typeof toJob>[1], 'id'>): NewJob {
  return toJob('wanted', { ...job, id: `${statusId} ${subject} ${randomUUID()}`, ref: statusId, name: subject })
}

/** A running one does not count: it may have read the record before it changed. */
async function deleteWaiting(
  transaction: Kysely<Tables>,
  { _id: statusId, projectId }: UpdateStatus,
  subjects: readonly WantedSubject[],
): Promise<void> {
  await transaction
    .deleteFrom('jobs')
    .where('project_id', '=', projectId)
    .where('ref', '=', statusId)
    .where('kind', '=', 'wanted')
    .where('name', 'in', subjects)
    .where('state', '=', 'waiting')
    .execute()
}

/**
 * Wants everything that GitHub should show of a record that has ended. Its run becomes the job of its check, so that a worker that has leased it
 * goes on with it.
 *
 * @param values Other values of this job.
 */
export async function wantEnd(transaction: Kysely<Tables>, statusId: string, values: Partial<JobRow> = {}): Promise<void> {
  const stored = await findUpdate(transaction, statusId)
  if (!stored) return
  const subjects = listWanted(stored.update, stored.details)
  await deleteWaiting(transaction, stored.update, subjects)
  const run = await transaction
    .updateTable('jobs')
    .set({ kind: 'wanted', name: 'check', ref: statusId, errors: 0, losses: 0, reason: null, answer: null, ...values })
    .where('id', '=', statusId)
    .returning(['origin', 'bulk'])
    .executeTakeFirst()
  const others = subjects.filter((subject) => !run || subject !== 'check')
  await insertWanted(transaction, stored.update, others, { origin: run && readOrigin(run), isBulk: run?.bulk === 1 })
}

/** Fails the record of a run that ends without one, or without the rest of it. */
export async function failInQueue(
  transaction: Kysely<Tables>,
  statusId: string,
  end: Omit<UpdateEnd<OpenUpdate>, 'status'> & { readonly details?: Partial<UpdateDetails> },
): Promise<void> {
  const { summary, endedAt, logs = [], details = {} } = end
  const open = await findOpenUpdate(transaction, statusId)
  if (open) await replaceOpenUpdate(transaction, finishUpdate(open, { status: 'failure', summary, endedAt, logs }))
  await mergeDetails(transaction, statusId, details)
  await wantEnd(transaction, statusId, { ...noLease, state: 'waiting', available_at: toTime(0) })
}
