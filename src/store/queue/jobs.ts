import { randomUUID } from 'node:crypto'
import type { Insertable, Kysely } from 'kysely'
import type { EndedUpdate, Project, QueuedUpdate } from '../../status/update-record.ts'
import type { Lease } from '../database/holds.ts'
import { chunk, toTime } from '../database/store-database.ts'
import type { JobRow, Tables } from '../database/tables.ts'
import { ensureTurns, toQueueInstallation } from '../records/project-changes.ts'
import type { AuditEntry } from '../records/store-journal.ts'
import type { ProjectChange, StoredUpdate, UpdateDetails } from '../records/stored-records.ts'
import { replaceOpenUpdate } from '../records/update-rows.ts'
import type { NewPreviewApproval, PullHead } from '../sites/stored-sites.ts'

/**
 * Background work without a record, such as a search for the docs directories of a new repository.
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
      /** GitHub's words, if it refused the last try. */
      readonly answer: string | undefined
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
  /** GitHub refused it. Only time can tell whether it accepts the same later. */
  readonly isRefused?: boolean
  /** Retry a report or task without a limit: no answer ends a promise. */
  readonly keep?: boolean
}

export type RetryResult =
  | { readonly kind: 'waiting'; readonly availableAt: string }
  /** `ended` is the failed record; absent for a task. */
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
  answer: null,
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

/** A record to write and the job that runs it. */
export interface NewUpdate {
  /** Created by `queueUpdate` with an ID of `newId`. */
  readonly update: QueuedUpdate
  readonly details: UpdateDetails
  /**
   * - `push`: the key (project, ref, before, after) finds the record of the same push, unless the branch was moved back to
   *   `before` since. Supersedes older waiting updates of the branch. Needs `details.before`.
   * - `head`: no record when the project already has one for this sha.
   * - `tip`: no record when `findForTip` finds one. For a branch whose tip was read from GitHub.
   * - `always`: re-runs, retries, API triggers.
   */
  readonly once: 'push' | 'head' | 'tip' | 'always'
  /** True for a re-run of a commit that is no longer the tip of its branch. */
  readonly validationOnly?: boolean
  /** The installation of the project when the work was planned; 0 if it has none. PostgreSQL accepts work faster if it is known. */
  readonly installationId?: number
}

/** `statusId` is the created or existing record; `undefined` if the project is unknown, deleted or disabled. */
export interface AcceptedUpdate {
  readonly projectId: string
  readonly outcome: 'created' | 'same-push' | 'same-head' | 'no-project'
  readonly statusId: string | undefined
}

export interface AcceptInput {
  /** The webhook delivery; absent for triggers, re-runs and catch-up. */
  readonly delivery?: { readonly id: string; readonly event: string }
  readonly idempotency?: IdempotencyKey
  readonly projectChanges?: readonly ProjectChange[]
  readonly updates?: readonly NewUpdate[]
  readonly tasks?: readonly NewTask[]
  /** Entries of deleted projects are ignored. */
  readonly pullHeads?: readonly PullHead[]
  /** Entries of deleted projects are ignored. */
  readonly previewApprovals?: readonly NewPreviewApproval[]
  /** GitHub IDs of users who revoked the app's authorization. Their sessions end. */
  readonly endSessionsOf?: readonly number[]
  readonly audit?: readonly AuditEntry[]
  /** Stored with each job. */
  readonly origin?: WorkOrigin
}

/** Valid for 24 hours per project. */
export interface IdempotencyKey {
  readonly projectId: string
  /** At most 255 characters. */
  readonly key: string
  /** SHA-256 of the request body, hexadecimal. Distinguishes a repeated request from a different one. */
  readonly bodyHash: string
}

export type AcceptResult =
  | { readonly kind: 'repeated-delivery' }
  | { readonly kind: 'key-conflict' }
  /** In the order of the first call. */
  | { readonly kind: 'repeated-key'; readonly statusIds: readonly string[] }
  /** In the order of `updates`. `superseded` has the IDs of older records that this call ended. */
  | { readonly kind: 'accepted'; readonly updates: readonly AcceptedUpdate[]; readonly superseded: readonly string[] }

/** A record of an update that ended elsewhere. */
export interface EndedInput {
  readonly update: EndedUpdate
  readonly details: UpdateDetails
  /** JSON text. */
  readonly report?: string
  readonly idempotency?: IdempotencyKey
}
