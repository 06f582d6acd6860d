import { type Kysely, sql } from 'kysely'
import { appendLogs, toLostSummary, toSummary } from '../../status/update-record.ts'
import { maskSecrets } from '../../text/plain/escape-text.ts'
import type { Lease } from '../database/holds.ts'
import { type RecordSources, type StoreLimits, toTime } from '../database/store-database.ts'
import type { JobRow, Tables } from '../database/tables.ts'
import { toProject, toQueueInstallation } from '../records/project-changes.ts'
import { isBulk } from '../records/stored-records.ts'
import { findOpenUpdate, findUpdate, replaceOpenUpdate, toDetails } from '../records/update-rows.ts'
import {
  insertJobs,
  isServerTrouble,
  type LeasedJob,
  noLease,
  type Recovery,
  type RetryOptions,
  type RetryResult,
  readOrigin,
  serverTroubles,
  toJob,
  type WantedSubject,
} from './jobs.ts'
import { failInQueue, wantStates } from './wanted.ts'

/** Whether a job is due, and whether a lease has expired. */
export async function readDue(
  database: Kysely<Tables>,
  now: string,
): Promise<{ readonly isDue: boolean; readonly isLapsed: boolean }> {
  const { rows } = await sql<{ readonly due: number | boolean; readonly lapsed: number | boolean }>`
    select
      exists (select 1 from jobs where state = 'waiting' and available_at <= ${now}) as due,
      exists (select 1 from jobs where state = 'leased' and lease_until <= ${now}) as lapsed`.execute(database)
  return { isDue: Boolean(rows[0]?.due), isLapsed: Boolean(rows[0]?.lapsed) }
}

interface ClaimOptions {
  readonly worker: string
  readonly leaseMs: number
  /** By the clock of leases. */
  readonly now: number
  /** Whether a lease had expired before the transaction. */
  readonly isLapsed: boolean
  readonly limits: StoreLimits
}

/**
 * `Store.queue.claim`, inside its transaction.
 *
 * @param recovered Receives the changes to other jobs.
 */
export async function claimJob(
  transaction: Kysely<Tables>,
  options: ClaimOptions,
  recovered: Recovery[],
): Promise<LeasedJob | undefined> {
  if (options.isLapsed) recovered.push(...(await recoverLeases(transaction, options.now, options.limits)))
  const now = toTime(options.now)
  for (const installationId of await listInstallations(transaction, now)) {
    const found = await findFirst(transaction, installationId, now)
    if (!found) continue
    // Moves it to the end of the round.
    await transaction
      .updateTable('queue_turns')
      .set({ turn: sql<number>`(select coalesce(max(turn), 0) + 1 from queue_turns)` })
      .where('installation_id', '=', installationId)
      .execute()
    const job = { ...found, attempt: found.attempt + 1 }
    const leased = await toLeasedJob(transaction, job)
    if (!leased) {
      // A damaged row must not block the queue.
      const reason = 'the record or project of this job no longer exists'
      await transaction.deleteFrom('jobs').where('id', '=', job.id).execute()
      recovered.push({ jobId: job.id, kind: job.kind, outcome: 'given-up', reason, origin: readOrigin(job) })
      return await claimJob(transaction, options, recovered)
    }
    await transaction
      .updateTable('jobs')
      .set({
        state: 'leased',
        attempt: job.attempt,
        worker: options.worker,
        claimed_at: now,
        heartbeat_at: now,
        lease_until: toTime(options.now + options.leaseMs),
      })
      .where('id', '=', job.id)
      .execute()
    return leased
  }
  return undefined
}

/** Installations with a due job, in the order of their turns. The work grows with the installations that have jobs, not with all. */
async function listInstallations(transaction: Kysely<Tables>, now: string): Promise<number[]> {
  const { rows } = await sql<{ readonly installation_id: number }>`
    with recursive active (installation_id) as (
      select min(installation_id) from jobs
      union all
      select (select min(jobs.installation_id) from jobs where jobs.installation_id > active.installation_id)
      from active where active.installation_id is not null
    )
    select queue_turns.installation_id
    from active
    join queue_turns on queue_turns.installation_id = active.installation_id
    where exists (
      select 1 from jobs
      where jobs.installation_id = active.installation_id and jobs.state = 'waiting' and jobs.available_at <= ${now}
    )
    order by queue_turns.turn, queue_turns.installation_id`.execute(transaction)
  return rows.map((row) => row.installation_id)
}

/**
 * Promises, then tasks, then the newest due run of each branch without a running one, in order of creation. Runs that became
 * validation-only because of a newer push come last, on their branch and overall. Bulk work comes after everything else.
 */
async function findFirst(transaction: Kysely<Tables>, installationId: number, now: string): Promise<JobRow | undefined> {
  return await transaction
    .selectFrom('jobs')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('installation_id', '=', installationId)
    // These expressions prevent SQLite from using the index on times, which would sort all due jobs to find one row.
    .where(sql<string>`jobs.available_at || ''`, '<=', now)
    .where(({ and, eb, exists, not, or, selectFrom }) => {
      const ofBranch = (state: JobRow['state']) =>
        selectFrom('jobs as other')
          .select('other.id')
          .whereRef('other.project_id', '=', 'jobs.project_id')
          .whereRef('other.ref', '=', 'jobs.ref')
          .where('other.kind', '=', 'run')
          .where('other.state', '=', state)
      const before = ofBranch('waiting')
        .where(sql<string>`other.available_at || ''`, '<=', now)
        .where((other) =>
          other.or([
            other('other.validation_only', '<', other.ref('jobs.validation_only')),
            other.and([
              other('other.validation_only', '=', other.ref('jobs.validation_only')),
              other('other.id', '>', other.ref('jobs.id')),
            ]),
          ]),
        )
      return or([eb('kind', '!=', 'run'), and([not(exists(ofBranch('leased'))), not(exists(before))])])
    })
    .orderBy('bulk')
    // `wanted`, `task`, `run`.
    .orderBy('kind', 'desc')
    .orderBy('validation_only')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** `undefined` if the job's record or project is missing, which happens only in a damaged store. */
async function toLeasedJob(transaction: Kysely<Tables>, job: JobRow): Promise<LeasedJob | undefined> {
  const lease = { jobId: job.id, attempt: job.attempt }
  const origin = readOrigin(job)
  const isBulk = job.bulk === 1
  if (job.kind === 'task') {
    const { installation_id: installationId, name, payload } = job
    return { kind: 'task', lease, name: name ?? '', installationId, payload: payload ?? '', isBulk, origin }
  }
  const isRun = job.kind === 'run'
  const stored = await findUpdate(transaction, isRun ? job.id : job.ref)
  const project = await transaction.selectFrom('projects').selectAll().where('id', '=', job.project_id).executeTakeFirst()
  if (!stored || !project) return undefined
  const answer = isServerTrouble(job.reason) ? undefined : (job.answer ?? undefined)
  const shared = { lease, stored, project: toProject(project), answer, isBulk, origin }
  if (isRun) return { ...shared, kind: 'run', validationOnly: job.validation_only === 1 }
  // The store wrote it from this type.
  return { ...shared, kind: 'wanted', subject: job.name as WantedSubject, payload: job.payload ?? undefined }
}

/** `Store.queue.retry` for a job with a valid lease: without a limit, because no answer of GitHub and no trouble of the server ends a promise or a run. */
export async function failAttempt(
  transaction: Kysely<Tables>,
  job: JobRow,
  { reason, retryAfterMs = 0, refusal }: RetryOptions,
  { now, limits, randomBytes }: { readonly now: number; readonly limits: StoreLimits } & Pick<RecordSources, 'randomBytes'>,
): Promise<RetryResult> {
  const errors = job.errors + 1
  const failedMs = errors <= earlyTries ? limits.maxEarlyBackOffMs : limits.maxBackOffMs
  const slowestMs = refusal === undefined ? failedMs : limits.maxRefusedMs
  const longestMs = isServerTrouble(refusal) ? serverTroubles[refusal] : slowestMs
  // Up to a fifth more, so that jobs that failed together do not return together.
  const waitMs = limits.backOffMs * 1.5 ** (errors - 1) * (1 + (randomBytes(1)[0] ?? 0) / 255 / 5)
  const availableAt = toTime(now + Math.max(retryAfterMs, Math.min(Math.round(waitMs), longestMs)))
  const words = maskSecrets(reason)
  const values = {
    errors,
    available_at: availableAt,
    heartbeat_at: toTime(now),
    // What GitHub refuses comes after everything else.
    ...(refusal !== undefined && { reason: refusal, answer: words, bulk: 1 }),
    // An incident does not end a refusal. A limit hides whether it goes on.
    ...(refusal === undefined &&
      (job.answer === null || isServerTrouble(job.reason) || retryAfterMs > 0) && { reason: words, answer: null }),
  }
  await requeue(transaction, job, values)
  if (job.kind === 'run') {
    const what = refusal === 'quota' ? 'Waiting' : `Attempt ${job.attempt} failed`
    await log(transaction, job.id, `${what}: ${reason}. The next attempt is at ${availableAt}.`)
    const often = longestMs === 60_000 ? 'minute' : `${Math.round(longestMs / 60_000)} minutes`
    // One short failure is not worth a request to GitHub.
    if (refusal !== undefined && (errors > 1 || retryAfterMs > limits.maxBackOffMs))
      await showWaiting(transaction, job, `${words} (tried again every ${often})`, { now, limits })
  }
  return { kind: 'waiting', availableAt }
}

/** See `maxEarlyBackOffMs`. */
const earlyTries = 20

/** What was refused more often keeps its pace: it may be refused for good. */
const hurriedErrors = 10

/**
 * Makes due at once what GitHub refused an installation a few times, because an outage seems to be over.
 *
 * @param refusedUntil What was refused later waits: GitHub may need some seconds to show a new commit, and two looks that do not find it end its
 *   promises.
 */
export async function hurryRefused(transaction: Kysely<Tables>, installationId: number, refusedUntil: string): Promise<void> {
  await transaction
    .updateTable('jobs')
    .set({ available_at: toTime(0) })
    .where('state', '=', 'waiting')
    .where('answer', 'is not', null)
    .where('reason', 'not in', Object.keys(serverTroubles))
    .where('installation_id', '=', installationId)
    .where('errors', '<=', hurriedErrors)
    .where('available_at', '>', toTime(0))
    .where('heartbeat_at', '<=', refusedUntil)
    .execute()
}

/** `Store.queue.recover`: expired leases first, then open records without a job, which only a damaged or restored store has. */
export async function recoverJobs(transaction: Kysely<Tables>, now: number, limits: StoreLimits): Promise<Recovery[]> {
  await replaceFutureTimes(transaction, now)
  const recovered = await recoverLeases(transaction, now, limits)
  const orphans = await transaction
    .selectFrom('updates')
    .innerJoin('projects', 'projects.id', 'updates.project_id')
    .select(['updates.id', 'project_id', 'ref', 'updates.created_at', 'details', 'installation_id'])
    .where('ended_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where(({ exists, not, selectFrom }) =>
      not(exists(selectFrom('jobs').select('jobs.id').whereRef('jobs.id', '=', 'updates.id'))),
    )
    .orderBy('updates.id')
    .limit(recoveryBatchSize)
    .execute()
  for (const { id, ref, project_id: projectId, created_at: createdAt, installation_id, ...row } of orphans) {
    const installationId = toQueueInstallation(installation_id)
    await insertJobs(transaction, [
      toJob('run', { id, ref, projectId, createdAt, installationId, isBulk: isBulk(toDetails(row)) }),
    ])
    recovered.push({ jobId: id, kind: 'run', outcome: 'requeued', reason: 'its job no longer exists', origin: {} })
  }
  return recovered
}

/** Maximum number of jobs or records per transaction. The next call continues. */
const recoveryBatchSize = 200

/** A job whose clock was ahead is recovered after this time. */
const aheadLeaseMs = 60_000

/**
 * Replaces times that were written while the clock was ahead. Otherwise, jobs would be blocked for as long as the clock was set back. A worker that
 * still runs its job extends its lease.
 */
async function replaceFutureTimes(transaction: Kysely<Tables>, nowMs: number): Promise<void> {
  const now = toTime(nowMs)
  await transaction
    .updateTable('jobs')
    .set({ claimed_at: now, heartbeat_at: now, lease_until: toTime(nowMs + aheadLeaseMs) })
    .where('state', '=', 'leased')
    .where('heartbeat_at', '>', now)
    .execute()
  await transaction
    .updateTable('jobs')
    .set({ heartbeat_at: now, available_at: now })
    .where('state', '=', 'waiting')
    .where('available_at', '>', now)
    .where(({ fn }) => fn.coalesce('heartbeat_at', 'created_at'), '>', now)
    .execute()
}

/** Requeues jobs whose lease has expired, or gives them up. */
async function recoverLeases(transaction: Kysely<Tables>, nowMs: number, limits: StoreLimits): Promise<Recovery[]> {
  const now = toTime(nowMs)
  const jobs = await transaction
    .selectFrom('jobs')
    .selectAll()
    .where('state', '=', 'leased')
    .where('lease_until', '<=', now)
    .orderBy('lease_until')
    .limit(recoveryBatchSize)
    .execute()
  const recovered: Recovery[] = []
  for (const job of jobs) {
    const losses = job.losses + 1
    const lastSeenAt = job.heartbeat_at ?? now
    const reason = `last heartbeat of the worker at ${lastSeenAt}`
    const isRun = job.kind === 'run'
    const isOften = losses >= limits.maxRunErrors
    const isGivenUp = isRun && isOften
    if (isGivenUp) {
      const summary = toLostSummary(losses, lastSeenAt)
      await failInQueue(transaction, job.id, { summary, endedAt: now, logs: [summary] })
    } else {
      // It may crash its worker.
      const availableAt = isOften ? toTime(nowMs + limits.maxBackOffMs) : now
      await requeue(transaction, job, { losses, reason, answer: null, available_at: availableAt })
      if (isRun) await log(transaction, job.id, `Attempt ${job.attempt} was lost: ${reason}. The run will be retried.`)
    }
    const outcome = isGivenUp ? 'given-up' : 'requeued'
    recovered.push({ jobId: job.id, kind: job.kind, outcome, reason, origin: readOrigin(job) })
  }
  return recovered
}

/** A job whose worker lost its lease and still runs: the job did not end it. Before the worker returns what it has. */
export async function forgiveLoss(transaction: Kysely<Tables>, worker: string, { jobId }: Lease): Promise<void> {
  await transaction
    .updateTable('jobs')
    .set((expression) => ({ losses: expression('losses', '-', 1) }))
    .where('id', '=', jobId)
    .where('losses', '>', 0)
    .where(({ eb, or }) => or([eb('worker', 'is', null), eb('worker', '!=', worker)]))
    .execute()
}

/** Says what a run waits for in its record and its check, which does not block a pull request for more than a day. */
async function showWaiting(
  transaction: Kysely<Tables>,
  { id: statusId }: JobRow,
  what: string,
  { now, limits }: { readonly now: number; readonly limits: StoreLimits },
): Promise<void> {
  const stored = await findUpdate(transaction, statusId)
  if (!stored) return
  const { since = toTime(now) } = stored.details.waiting ?? {}
  const line = toSummary(`Waiting since ${since.slice(0, 16).replace('T', ' ')} UTC: ${what}`)
  if (stored.update.status === 'in_progress') await replaceOpenUpdate(transaction, { ...stored.update, summary: line })
  const waiting = { since, line, ...(now - Date.parse(since) >= limits.maxPendingMs && { isLong: true as const }) }
  if (JSON.stringify(waiting) === JSON.stringify(stored.details.waiting)) return
  await wantStates(transaction, [
    { statusId, subject: 'check', details: { waiting } },
    { statusId, subject: 'status' },
  ])
}

export async function requeue(
  transaction: Kysely<Tables>,
  job: JobRow,
  values: Partial<Pick<JobRow, 'errors' | 'losses' | 'reason' | 'answer' | 'bulk' | 'available_at' | 'heartbeat_at'>>,
): Promise<void> {
  await transaction
    .updateTable('jobs')
    .set({ ...noLease, state: 'waiting', ...values })
    .where('id', '=', job.id)
    .execute()
}

export async function log(transaction: Kysely<Tables>, id: string, line: string): Promise<void> {
  const open = await findOpenUpdate(transaction, id)
  if (open) await replaceOpenUpdate(transaction, appendLogs(open, [line]))
}
