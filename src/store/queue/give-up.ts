import type { Kysely } from 'kysely'
import type { EndedUpdate } from '../../status/types.ts'
import { appendLogs, finishUpdate, toBrokenSummary, toLostSummary } from '../../status/update-record.ts'
import { maskSecrets } from '../../text/plain/escape-text.ts'
import { type RecordSources, type StoreLimits, toTime } from '../database/store-database.ts'
import type { JobRow, Tables } from '../database/tables.ts'
import { findOpenUpdate, replaceOpenUpdate } from '../records/update-rows.ts'
import {
  endInQueue,
  insertReportJob,
  markDead,
  noLease,
  type Recovery,
  type RetryOptions,
  type RetryResult,
  readOrigin,
} from './jobs.ts'

/** `UpdateQueue.retry` for a job with a valid lease. */
export async function failAttempt(
  transaction: Kysely<Tables>,
  job: JobRow,
  { reason, retryAfterMs = 0, keep = false }: RetryOptions,
  { now, limits, randomBytes }: { readonly now: number; readonly limits: StoreLimits } & Pick<RecordSources, 'randomBytes'>,
): Promise<RetryResult> {
  const errors = job.errors + 1
  const isRun = job.kind === 'run'
  if (!keep && errors >= (isRun ? limits.maxRunErrors : limits.maxReportErrors)) {
    const summary = toBrokenSummary(`${reason.replace(/(?<!\.)\.+$/, '')} (tried ${errors} times)`)
    const ended = await giveUp(transaction, job, { summary, reason, endedAt: toTime(now) })
    return { kind: 'given-up', ...(ended ? { ended } : {}) }
  }
  const availableAt = toTime(now + Math.max(retryAfterMs, addRandomPart(toBackOffMs(limits, errors), randomBytes)))
  const values = { errors, reason: maskSecrets(reason), available_at: availableAt, heartbeat_at: toTime(now) }
  await requeue(transaction, job, values)
  if (isRun) await log(transaction, job.id, `Attempt ${job.attempt} failed: ${reason}. The next attempt is at ${availableAt}.`)
  return { kind: 'waiting', availableAt }
}

/** `UpdateQueue.postpone`. */
export async function postponeJob(
  transaction: Kysely<Tables>,
  job: JobRow,
  { until, line }: { readonly until: string; readonly line: string },
): Promise<void> {
  await requeue(transaction, job, { available_at: until })
  const open = await findOpenUpdate(transaction, job.id)
  if (open && open.logs.at(-1) !== line) await replaceOpenUpdate(transaction, appendLogs(open, [line]))
}

/** `UpdateQueue.recover`: expired leases first, then open records without a job, which only a damaged or restored store has. */
export async function recoverJobs(transaction: Kysely<Tables>, now: number, limits: StoreLimits): Promise<Recovery[]> {
  await shiftFutureTimes(transaction, now)
  const recovered = await recoverLeases(transaction, now, limits)
  const orphans = await transaction
    .selectFrom('updates')
    .select('id')
    .where('ended_at', 'is', null)
    .where(({ exists, not, selectFrom }) =>
      not(exists(selectFrom('jobs').select('jobs.id').whereRef('jobs.id', '=', 'updates.id'))),
    )
    .orderBy('id')
    .limit(recoveryBatchSize)
    .execute()
  for (const { id } of orphans) {
    const reason = 'the job of this update no longer exists'
    const open = await findOpenUpdate(transaction, id)
    if (!open) continue
    const ended = finishUpdate(open, { status: 'failure', summary: toBrokenSummary(reason), endedAt: toTime(now) })
    await replaceOpenUpdate(transaction, ended)
    await insertReportJob(transaction, ended)
    recovered.push({ jobId: id, kind: 'run', outcome: 'ended-without-job', reason, origin: {} })
  }
  return recovered
}

/** Maximum number of jobs or records per transaction. The next call continues. */
const recoveryBatchSize = 200

/**
 * Shifts times that were written while the clock was ahead, keeping the length of leases and delays. Otherwise jobs would be
 * blocked for as long as the clock was set back.
 */
async function shiftFutureTimes(transaction: Kysely<Tables>, now: number): Promise<void> {
  const ahead = await transaction
    .selectFrom('jobs')
    .select(['id', 'state', 'available_at', 'created_at', 'claimed_at', 'heartbeat_at', 'lease_until'])
    .where((expression) =>
      expression.or([
        expression.and([expression('state', '=', 'leased'), expression('heartbeat_at', '>', toTime(now))]),
        expression.and([
          expression('state', '=', 'waiting'),
          expression('available_at', '>', toTime(now)),
          expression(expression.fn.coalesce('heartbeat_at', 'created_at'), '>', toTime(now)),
        ]),
      ]),
    )
    .limit(recoveryBatchSize)
    .execute()
  for (const job of ahead) {
    const writtenAt = Date.parse(job.heartbeat_at ?? job.created_at)
    const shift = (time: string | null) => (time === null ? null : toTime(now + Math.max(0, Date.parse(time) - writtenAt)))
    const values =
      job.state === 'leased'
        ? { heartbeat_at: toTime(now), lease_until: shift(job.lease_until), claimed_at: shift(job.claimed_at) }
        : { heartbeat_at: toTime(now), available_at: shift(job.available_at) ?? toTime(now) }
    await transaction.updateTable('jobs').set(values).where('id', '=', job.id).execute()
  }
}

/**
 * Requeues jobs whose lease has expired, or gives them up.
 *
 * @param ended Recovers the jobs of these workers instead, before the leases end, if they sent no heartbeat since then.
 */
export async function recoverLeases(
  transaction: Kysely<Tables>,
  nowMs: number,
  limits: StoreLimits,
  ended?: { readonly workers: readonly string[]; readonly silentSince: string },
): Promise<Recovery[]> {
  const now = toTime(nowMs)
  const jobs = await transaction
    .selectFrom('jobs')
    .selectAll()
    .where('state', '=', 'leased')
    .where((expression) =>
      ended
        ? expression.and([expression('worker', 'in', ended.workers), expression('heartbeat_at', '<=', ended.silentSince)])
        : expression('lease_until', '<=', now),
    )
    .orderBy('lease_until')
    .limit(recoveryBatchSize)
    .execute()
  const recovered: Recovery[] = []
  for (const job of jobs) {
    const losses = job.losses + 1
    const lastSeenAt = job.heartbeat_at ?? now
    const reason = `last heartbeat of the worker at ${lastSeenAt}`
    const isRun = job.kind === 'run'
    const isGivenUp = losses >= (isRun ? limits.maxRunLosses : limits.maxReportErrors)
    if (isGivenUp) {
      await giveUp(transaction, job, { summary: toLostSummary(losses, lastSeenAt), reason, endedAt: now })
    } else {
      await requeue(transaction, job, { losses, reason, available_at: now })
      if (isRun) await log(transaction, job.id, `Attempt ${job.attempt} was lost: ${reason}. The run will be retried.`)
    }
    const outcome = isGivenUp ? 'given-up' : 'requeued'
    recovered.push({ jobId: job.id, kind: job.kind, outcome, reason, origin: readOrigin(job) })
  }
  return recovered
}

/**
 * Ends a job that failed too often. Fails the record of a run and queues its report. Marks a report or task as `dead`, with the
 * reason.
 */
async function giveUp(
  transaction: Kysely<Tables>,
  job: JobRow,
  { summary, reason, endedAt }: { readonly summary: string; readonly reason: string; readonly endedAt: string },
): Promise<EndedUpdate | undefined> {
  if (job.kind !== 'run') {
    await markDead(transaction, job.id, reason)
    return undefined
  }
  const open = await findOpenUpdate(transaction, job.id)
  const ended = open && finishUpdate(open, { status: 'failure', summary, endedAt, logs: [summary] })
  await endInQueue(transaction, job.id, ended, endedAt)
  return ended
}

async function requeue(
  transaction: Kysely<Tables>,
  job: JobRow,
  values: Partial<Pick<JobRow, 'errors' | 'losses' | 'reason' | 'available_at' | 'heartbeat_at'>>,
): Promise<void> {
  await transaction
    .updateTable('jobs')
    .set({ ...noLease, state: 'waiting', ...values })
    .where('id', '=', job.id)
    .execute()
}

async function log(transaction: Kysely<Tables>, id: string, line: string): Promise<void> {
  const open = await findOpenUpdate(transaction, id)
  if (open) await replaceOpenUpdate(transaction, appendLogs(open, [line]))
}

/** Quadruples the wait after each error, up to the limit. */
function toBackOffMs({ backOffMs, maxBackOffMs }: StoreLimits, errors: number): number {
  return Math.min(backOffMs * 4 ** (errors - 1), maxBackOffMs)
}

/** Adds up to a fifth at random, so that jobs that failed together do not return together. */
function addRandomPart(waitMs: number, randomBytes: RecordSources['randomBytes']): number {
  return Math.round(waitMs * (1 + (randomBytes(1)[0] ?? 0) / 255 / 5))
}
