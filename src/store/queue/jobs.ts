import type { Insertable, Kysely } from 'kysely'
import type { EndedUpdate, Project, QueuedUpdate, SiteAudience, UpdateStatus } from '../../status/update-record.ts'
import type { Lease } from '../database/holds.ts'
import { chunk, toTime } from '../database/store-database.ts'
import type { JobRow, Tables } from '../database/tables.ts'
import { ensureTurns } from '../records/project-changes.ts'
import type { AuditEntry } from '../records/store-journal.ts'
import type { MissingSite, ProjectChange, StoredApiChanges, StoredUpdate, UpdateDetails } from '../records/stored-records.ts'
import type { FinishedSite, NewPreviewApproval, PullHead } from '../sites/stored-sites.ts'

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

/** What GitHub shows of a record. `button` is the result of a pressed button, in a check of its own. */
export type WantedSubject = 'check' | 'status' | 'comment' | 'deployment' | 'button'

/**
 * A promise: GitHub will show what the record says about a subject.
 *
 * What that is follows from the record at the time of writing, so a promise cannot be outdated. It is a job that ends only when it is kept,
 * when a newer record of the commit overtakes it, or when the commit is gone.
 */
export interface WantedState {
  readonly statusId: string
  readonly subject: WantedSubject
  /** Facts for the record, stored first. */
  readonly details?: Partial<UpdateDetails>
  /** What is not in the record, as JSON text: for a button. */
  readonly payload?: string
}

/** What GitHub should show of a record now. A check is always shown, and first. */
export function listWanted({ endedAt }: UpdateStatus, details: UpdateDetails): readonly WantedSubject[] {
  const { trigger, overtaken, commentOff, changedPull, changeCount, checkConclusion, commitStatus, statusBegun, deployment } =
    details
  const shown: readonly WantedSubject[] = commitStatus || statusBegun ? ['check', 'status'] : ['check']
  // Readers never see older pushes and branches of merge queues.
  if (endedAt === undefined || overtaken || trigger === 'merge_group') return shown
  // A changed pull request may need another comparison.
  const mayComment = changeCount !== undefined && (!commentOff || changedPull !== undefined)
  return [
    ...shown,
    ...(mayComment ? (['comment'] as const) : []),
    ...(deployment && checkConclusion !== 'skipped' ? (['deployment'] as const) : []),
  ]
}

/** What caused work, for logs. Plain JSON. */
export interface WorkOrigin {
  /** `X-GitHub-Delivery` of the webhook. */
  readonly deliveryId?: string
  /** The request to this server, if it was not a webhook. */
  readonly requestId?: string
}

interface Leased {
  readonly lease: Lease
  /** All other work of the installation comes first. */
  readonly isBulk: boolean
  readonly origin: WorkOrigin
}

interface LeasedRecord extends Leased {
  /** At the time of the claim. */
  readonly stored: StoredUpdate
  readonly project: Project
  /** GitHub's words, if it refused the last try. */
  readonly answer: string | undefined
}

export type LeasedJob =
  /** Its record is `queued`, or `in_progress` after a lost attempt. `validationOnly`: the branch has a newer push, so publish nothing. */
  | (LeasedRecord & { readonly kind: 'run'; readonly validationOnly: boolean })
  /** A `WantedState`. */
  | (LeasedRecord & { readonly kind: 'wanted'; readonly subject: WantedSubject; readonly payload: string | undefined })
  | (Leased & { readonly kind: 'task'; readonly name: string; readonly installationId: number; readonly payload: string })

export interface RetryOptions {
  readonly reason: string
  /** The shortest wait, such as a `Retry-After` of GitHub. */
  readonly retryAfterMs?: number | undefined
  /** What stands in the way for now: the kind of GitHub's refusal, such as `forbidden`, or one of `serverTroubles`. */
  readonly refusal?: string | undefined
}

/** What of the server itself stands in the way of a job, with the longest time between two tries. */
export const serverTroubles = { storage: 60_000, system: 60_000, unexpected: 600_000, quota: 3_600_000 } as const

export type ServerTrouble = keyof typeof serverTroubles

export function isServerTrouble(reason: string | null | undefined): reason is ServerTrouble {
  return typeof reason === 'string' && Object.hasOwn(serverTroubles, reason)
}

export type RetryResult = { readonly kind: 'waiting'; readonly availableAt: string } | { readonly kind: 'lease-lost' }

export interface Recovery {
  /** The ID of its record, if it is a run. */
  readonly jobId: string
  readonly kind: JobRow['kind']
  readonly outcome: 'requeued' | 'given-up'
  readonly reason: string
  readonly origin: WorkOrigin
}

/** The jobs in the queue that have everything but their age in common. */
export interface JobGroup {
  /** A run of an update, a task, or what a promise is about. */
  readonly kind: 'run' | 'task' | WantedSubject
  readonly state: 'waiting' | 'leased'
  /** `''` for tasks. */
  readonly projectId: string
  readonly installationId: number
  /** What stood in the way of the last try: GitHub, which refused it, or the server. The kind for metrics, then words. Absent if nothing did. */
  readonly refusal?: { readonly by: 'github' | 'server'; readonly reason: string; readonly words: string }
  readonly count: number
  /** When the oldest one was created (ISO 8601). */
  readonly since: string
}

/** Counts jobs. `refused` and `delayed` ones, which GitHub refused or the server could not do the last time, do not count as `waiting`. */
export function toQueueStats(groups: readonly JobGroup[]) {
  const ofWaiting = (by?: 'github' | 'server') => groups.filter(({ state, refusal }) => state === 'waiting' && refusal?.by === by)
  const waiting = ofWaiting()
  const oldestWaitingAt = waiting.find(({ kind }) => kind === 'run')?.since
  return {
    waiting: countJobs(waiting),
    leased: countJobs(groups.filter(({ state }) => state === 'leased')),
    refused: countJobs(ofWaiting('github')),
    delayed: countJobs(ofWaiting('server')),
    /** When the oldest waiting update was created; absent if none is waiting. */
    ...(oldestWaitingAt === undefined ? {} : { oldestWaitingAt }),
  }
}

export function countJobs(groups: readonly JobGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0)
}

/** A waiting job to insert. */
export type NewJob = Insertable<JobRow>

/** @param job `ref` is the branch of a run, and the record of a promise. */
export function toJob(
  kind: LeasedJob['kind'],
  job: Pick<NewTask, 'id' | 'installationId' | 'isBulk'> & {
    readonly projectId?: string
    readonly ref?: string
    readonly validationOnly?: boolean
    readonly createdAt: string
    readonly name?: string
    readonly payload?: string | undefined
    readonly origin?: WorkOrigin | undefined
  },
): NewJob {
  const { origin = {} } = job
  return {
    id: job.id,
    kind,
    state: 'waiting',
    project_id: job.projectId ?? '',
    ref: job.ref ?? '',
    installation_id: job.installationId,
    validation_only: job.validationOnly ? 1 : 0,
    bulk: job.isBulk ? 1 : 0,
    created_at: job.createdAt,
    // At once. Not the time of this process, because others, with other clocks, claim the job.
    available_at: toTime(0),
    attempt: 0,
    errors: 0,
    losses: 0,
    name: job.name ?? null,
    payload: job.payload ?? null,
    answer: null,
    origin: Object.keys(origin).length === 0 ? null : JSON.stringify(origin),
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

/** The columns of a job without a lease. */
export const noLease = { worker: null, claimed_at: null, heartbeat_at: null, lease_until: null } as const

/** Reads the column `origin`. */
export function readOrigin({ origin }: Pick<JobRow, 'origin'>): WorkOrigin {
  // `toJob` wrote it.
  return origin === null ? {} : (JSON.parse(origin) as WorkOrigin)
}

/** A record to write and the job that runs it. */
export interface NewUpdate {
  /** Created by `queueUpdate` with an ID of `newId`. */
  readonly update: QueuedUpdate
  readonly details: UpdateDetails
  /**
   * - `push`: the key (project, ref, before, after) and `details.pushedAt` find the record of the same push. Supersedes older waiting updates of
   *   the branch. Needs `details.before`.
   * - `head`: no record when the project already has one for this sha.
   * - `tip`: no record when `findForTip` finds one. For a branch whose tip was read from GitHub.
   * - `always`: re-runs, retries, API triggers.
   */
  readonly once: 'push' | 'head' | 'tip' | 'always'
  /** For `tip`: as `WantedTip.overcome`. */
  readonly overcome?: readonly MissingSite[] | undefined
  /** True for a re-run of a commit that is no longer the tip of its branch. */
  readonly validationOnly?: boolean
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
  /** What GitHub should show of existing records. New ones want their checks. */
  readonly wanted?: readonly WantedState[]
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

/** The results of a run beside its record. */
export interface EndResults {
  readonly details?: Partial<UpdateDetails>
  /** JSON text. */
  readonly report?: string | undefined
  /** For `Store.statuses.findResults`. Stored only with a report. */
  readonly results?: Uint8Array | undefined
  readonly site?: FinishedSite | undefined
  /** Whether GitHub's default branch pointed at the commit when it ran, so that the production site is decided for it. */
  readonly isTip?: boolean | undefined
  /** Whether the run took its branch for another one than the default branch. If it has become that meanwhile, the run begins again. */
  readonly isPreview?: boolean
  /** The audiences that the configuration of a tip has. Absent if they are not known: those of the project stay. */
  readonly audiences?: readonly SiteAudience[] | 'none' | undefined
  readonly apiChanges?: StoredApiChanges | undefined
}

/** A record of an update that ended elsewhere. */
export interface EndedInput {
  readonly update: EndedUpdate
  readonly details: UpdateDetails
  /** JSON text. */
  readonly report?: string
  readonly idempotency?: IdempotencyKey
}
