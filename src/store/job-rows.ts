import type { Kysely } from 'kysely'
import { maskSecrets } from '../status/mask-secrets.ts'
import type { EndedUpdate, QueuedUpdate } from '../status/types.ts'
import { ensureTurn } from './project-changes.ts'
import type { JobRow, Tables } from './tables.ts'
import type { Lease, NewTask } from './types.ts'
import { replaceOpenUpdate } from './update-rows.ts'

export async function insertRunJob(
  transaction: Kysely<Tables>,
  job: {
    readonly update: QueuedUpdate
    readonly installationId: number
    readonly validationOnly: boolean
    readonly availableAt: string
  },
): Promise<void> {
  const { update, installationId, availableAt } = job
  await ensureTurn(transaction, installationId)
  await transaction
    .insertInto('jobs')
    .values({
      ...newJob,
      id: update._id,
      kind: 'run',
      project_id: update.projectId,
      ref: update.commit.ref,
      installation_id: installationId,
      validation_only: job.validationOnly ? 1 : 0,
      created_at: update.createdAt,
      available_at: availableAt,
    })
    .execute()
}

export async function insertTask(transaction: Kysely<Tables>, task: NewTask, createdAt: string): Promise<void> {
  const { id, name, installationId, payload } = task
  await ensureTurn(transaction, installationId)
  await transaction
    .insertInto('jobs')
    .values({
      ...newJob,
      id,
      kind: 'task',
      project_id: '',
      ref: '',
      installation_id: installationId,
      validation_only: 0,
      created_at: createdAt,
      available_at: createdAt,
      name,
      payload,
    })
    .execute()
}

/** The job, where this lease still holds it. */
export async function findLeased(transaction: Kysely<Tables>, lease: Lease): Promise<JobRow | undefined> {
  return await transaction
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', lease.jobId)
    .where('attempt', '=', lease.attempt)
    .where('state', '=', 'leased')
    .executeTakeFirst()
}

/** Ends a record from inside the queue, and makes its job the report of that. `ended` is absent where the record has ended before. */
export async function endInQueue(
  transaction: Kysely<Tables>,
  jobId: string,
  ended: EndedUpdate | undefined,
  availableAt: string,
): Promise<void> {
  if (ended) await replaceOpenUpdate(transaction, ended)
  await transaction
    .updateTable('jobs')
    .set({ ...noLease, kind: 'report', state: 'waiting', available_at: availableAt, errors: 0, losses: 0 })
    .where('id', '=', jobId)
    .execute()
}

/** Puts a job aside for good, with the reason. */
export async function bury(transaction: Kysely<Tables>, jobId: string, reason: string): Promise<void> {
  await transaction
    .updateTable('jobs')
    .set({ ...noLease, state: 'dead', reason: maskSecrets(reason) })
    .where('id', '=', jobId)
    .execute()
}

/** Makes the job that reports the end of a record which has none. */
export async function insertReportJob(transaction: Kysely<Tables>, update: EndedUpdate, installationId: number): Promise<void> {
  await ensureTurn(transaction, installationId)
  await transaction
    .insertInto('jobs')
    .values({
      ...newJob,
      id: update._id,
      kind: 'report',
      project_id: update.projectId,
      ref: update.commit.ref,
      installation_id: installationId,
      validation_only: 0,
      created_at: update.createdAt,
      available_at: update.endedAt,
    })
    .execute()
}

/** The columns of a job that nobody holds. */
export const noLease = { worker: null, claimed_at: null, heartbeat_at: null, lease_until: null } as const

const newJob = {
  ...noLease,
  state: 'waiting',
  attempt: 0,
  errors: 0,
  losses: 0,
  name: null,
  payload: null,
  reason: null,
} as const
