import { randomUUID } from 'node:crypto'
import type { Insertable, Kysely } from 'kysely'
import type { EndedUpdate, Project, QueuedUpdate } from '../../status/types.ts'
import { maskSecrets } from '../../text/plain/escape-text.ts'
import { chunk, toTime } from '../database/store-context.ts'
import type { JobRow, Tables } from '../database/tables.ts'
import { replaceOpenUpdate, type StoredUpdate } from './update-rows.ts'

/**
 * Background work without a record, such as a search for the docs directories of a new repository. Retried like a report, then marked
 * `dead`.
 */
export interface NewTask {
  /** From `newId`. */
  readonly id: string
  readonly name: string
  /** For fair turns; 0 if there is no installation. */
  readonly installationId: number
  /** JSON text. */
  readonly payload: string
  /** Whether all other work of the installation comes first. */
  readonly isBulk?: boolean
}

/** What caused work, for logs. Plain JSON. */
export interface WorkOrigin {
  /** `X-GitHub-Delivery` of the webhook. */
  readonly deliveryId?: string
  /** The request to this server, if it was not a webhook. */
  readonly requestId?: string
}

export const workerPrefix = 'locked:'

/** A unique name for a worker that has the lock of this name while it runs. */
export function toWorkerName(host: string, processId: number): string {
  return `${workerPrefix}${host}:${processId}:${randomUUID()}`
}

/** Proves that an attempt owns a job. Plain data that can be sent to a worker thread. */
export interface Lease {
  readonly jobId: string
  /** 0 if there is no installation. */
  readonly installationId: number
  /** Counts from 1. Fences off earlier attempts. */
  readonly attempt: number
}

export type LeasedJob =
  | {
      readonly kind: 'run' | 'report'
      readonly lease: Lease
      /** At the time of the claim. `run`: `queued`, or `in_progress` after a lost attempt. `report`: ended. */
      readonly stored: StoredUpdate
      readonly project: Project
      /** The branch has a newer push: validate, but publish nothing. */
      readonly validationOnly: boolean
      /** All other work of the installation comes first. */
      readonly isBulk: boolean
      readonly origin: WorkOrigin
    }
  | {
      readonly kind: 'task'
      readonly lease: Lease
      readonly name: string
      readonly installationId: number
      readonly payload: string
      readonly isBulk: boolean
      readonly origin: WorkOrigin
    }

export interface RetryOptions {
  readonly reason: string
  /** The shortest wait, such as a `Retry-After` of GitHub. */
  readonly retryAfterMs?: number
  /** Retry without a limit. */
  readonly keep?: boolean
}

export type RetryResult =
  | { readonly kind: 'waiting'; readonly availableAt: string }
  /** `ended` is the failed record; absent for a report or task. */
  | { readonly kind: 'given-up'; readonly ended?: EndedUpdate }
  | { readonly kind: 'lease-lost' }

export interface Recovery {
  readonly jobId: string
  /** `run` and `report`: the job has the ID of its record. */
  readonly kind: JobRow['kind']
  readonly outcome: 'requeued' | 'given-up' | 'ended-without-job'
  readonly reason: string
  readonly origin: WorkOrigin
}

/** A waiting job to insert. */
export type NewJob = Insertable<JobRow>

export function toRunJob({
  update,
  ...job
}: {
  readonly update: QueuedUpdate
  readonly installationId: number
  readonly validationOnly: boolean
  readonly isBulk: boolean
  readonly origin: WorkOrigin
}): NewJob {
  return {
    ...newJob,
    id: update._id,
    kind: 'run',
    project_id: update.projectId,
    ref: update.commit.ref,
    installation_id: job.installationId,
    validation_only: job.validationOnly ? 1 : 0,
    bulk: job.isBulk ? 1 : 0,
    created_at: update.createdAt,
    origin: toOriginColumn(job.origin),
  }
}

export function toTaskJob(
  { id, name, installationId, payload, isBulk = false }: NewTask,
  createdAt: string,
  origin: WorkOrigin = {},
): NewJob {
  return {
    ...newJob,
    id,
    kind: 'task',
    project_id: '',
    ref: '',
    installation_id: installationId,
    validation_only: 0,
    bulk: isBulk ? 1 : 0,
    created_at: createdAt,
    name,
    payload,
    origin: toOriginColumn(origin),
  }
}

/** Inserts jobs, and adds their installations to the round. */
export async function insertJobs(transaction: Kysely<Tables>, jobs: readonly NewJob[]): Promise<void> {
  for (const some of chunk(jobs, maxInserted)) {
    await ensureTurns(transaction, [...new Set(some.map((job) => job.installation_id))])
    await transaction.insertInto('jobs').values(some).execute()
  }
}

/** Limits the size of a statement. */
const maxInserted = 200

/** The job, if this lease still owns it. */
export async function findLeased(transaction: Kysely<Tables>, lease: Lease): Promise<JobRow | undefined> {
  return await transaction
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', lease.jobId)
    .where('attempt', '=', lease.attempt)
    .where('state', '=', 'leased')
    .executeTakeFirst()
}

/** Ends a record inside the queue and turns its job into the report. `ended` is undefined if the record had already ended. */
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

/** Marks a job as `dead`, with the reason. */
export async function markDead(transaction: Kysely<Tables>, jobId: string, reason: string): Promise<void> {
  await transaction
    .updateTable('jobs')
    .set({ ...noLease, state: 'dead', reason: maskSecrets(reason) })
    .where('id', '=', jobId)
    .execute()
}

/** Inserts the report job of a record, unless the record has a job or no project. */
export async function insertReportJob(transaction: Kysely<Tables>, update: EndedUpdate): Promise<void> {
  const job = await transaction.selectFrom('jobs').select('id').where('id', '=', update._id).executeTakeFirst()
  const project = await transaction
    .selectFrom('projects')
    .select('installation_id')
    .where('id', '=', update.projectId)
    .executeTakeFirst()
  if (job || !project) return
  const report: NewJob = {
    ...newJob,
    id: update._id,
    kind: 'report',
    project_id: update.projectId,
    ref: update.commit.ref,
    installation_id: toQueueInstallation(project.installation_id),
    validation_only: 0,
    bulk: 0,
    created_at: update.createdAt,
    available_at: update.endedAt,
  }
  await insertJobs(transaction, [report])
}

/** The columns of a job without a lease. */
export const noLease = { worker: null, claimed_at: null, heartbeat_at: null, lease_until: null } as const

const newJob = {
  state: 'waiting',
  // At once. Not the time of this process, because others, with other clocks, claim the job.
  available_at: toTime(0),
  attempt: 0,
  errors: 0,
  losses: 0,
  name: null,
  payload: null,
  origin: null,
} as const

function toOriginColumn(origin: WorkOrigin): string | null {
  return Object.keys(origin).length === 0 ? null : JSON.stringify(origin)
}

/** Reads the column `origin`. */
export function readOrigin({ origin }: Pick<JobRow, 'origin'>): WorkOrigin {
  // `toOriginColumn` wrote it.
  return origin === null ? {} : (JSON.parse(origin) as WorkOrigin)
}

/** The ID of an installation in the queue; 0 if there is none. */
export function toQueueInstallation(installationId: number | null | undefined): number {
  return installationId ?? 0
}

/** Adds installations to the round. Existing turns are kept. */
export async function ensureTurns(transaction: Kysely<Tables>, installationIds: readonly number[]): Promise<void> {
  await transaction
    .insertInto('queue_turns')
    .values(installationIds.map((id) => ({ installation_id: id, turn: 0 })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
