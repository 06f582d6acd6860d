import { withRequestFence } from '../../github/requests/github-client.ts'
import { type ClockReading, keepHold, type Lease, LeaseLostError, withLease } from '../../store/database/holds.ts'
import type { LeasedJob } from '../../store/queue/jobs.ts'
import type { AppContext } from '../base/app-context.ts'
import { toJobFailure } from '../base/projects.ts'
import { isButton } from '../base/tasks.ts'
import type { Metrics } from '../base/telemetry/metrics.ts'
import { keepPromise } from '../github-events/report/report-run.ts'
import { toCommitSite } from '../publish/built-site.ts'
import { type AddScreenshots, addScreenshots } from '../publish/screenshots.ts'
import { runTask } from './run-task.ts'
import { type JobPrograms, runUpdateJob } from './run-update-job.ts'

export interface LeaseTimes {
  /** A worker without a heartbeat for this long loses its job. */
  readonly leaseMs: number
  readonly heartbeatMs: number
}

interface JobTimes {
  readonly times: LeaseTimes
  /** Before the claim. */
  readonly since: ClockReading
  /** Aborted when the job must return to the queue. */
  readonly giveBack: AbortSignal
}

/**
 * Runs a job under its lease, with heartbeats, and always releases or completes it. Never rejects.
 *
 * @returns False if the lease was lost, or its end could not be written: the next worker would count it as one that the job ended.
 * Once the lease is lost, the job cannot write to the store or to GitHub: see `docs/decisions/0022-fencing.md`.
 */
export async function runLeasedJob(
  context: AppContext,
  doJob: DoJob,
  metrics: Metrics,
  job: LeasedJob,
  { times, since, giveBack }: JobTimes,
): Promise<boolean> {
  const { store, log } = context
  const { lease } = job
  const held = keepHold({
    since,
    lastsMs: times.leaseMs,
    everyMs: times.heartbeatMs,
    renew: () => store.queue.heartbeat(lease, times.leaseMs),
    // The store may recover before the lease expires.
    onError: (error) => log.warn({ err: error, jobId: lease.jobId }, 'Cannot extend a lease'),
  })
  const signal = AbortSignal.any([held.signal, giveBack])
  try {
    let hasWritten = false
    const confirm = async () => {
      await held.confirm()
      hasWritten = true
    }
    const work = () => withLease(lease, () => doJob(job, signal))
    const isDone = await withRequestFence({ signal, confirm, isBulk: job.isBulk }, work)
    // GitHub accepted what was written: a refusal is an error.
    if (isDone) await store.queue.complete(lease, { isAccepted: hasWritten })
    return isDone || !held.signal.aborted
  } catch (error) {
    if (held.signal.aborted || error instanceof LeaseLostError) {
      metrics.lostLeases.inc()
      const { reason } = held.signal
      log.warn(
        { jobId: lease.jobId, reason: reason instanceof Error ? reason.message : undefined },
        'Another attempt has the job',
      )
      return false
    }
    if (giveBack.aborted) return await writeOutcome(context, lease, () => store.queue.release(lease))
    return await failJob(context, metrics, job, error)
  } finally {
    held.end()
  }
}

/** Does the work of a job. Resolves with false if it is queued again, and rejects if it may be tried again. */
export type DoJob = (job: LeasedJob, signal: AbortSignal) => Promise<boolean>

export function createDoJob(context: AppContext, programs: JobPrograms, metrics: Metrics): DoJob {
  const { runCheck, pictures } = programs
  const takePictures: AddScreenshots = (pictured, signal) => addScreenshots(context, pictures, metrics, pictured, signal)
  return async (job, signal) => {
    if (job.kind === 'task') {
      await runTask(context, runCheck, metrics, job, signal)
    } else if (job.kind === 'wanted') {
      await keepPromise(context, takePictures, job, signal)
    } else {
      const { createdAt } = job.stored.update
      const startedAt = context.now().getTime()
      metrics.waitSeconds.observe(Math.max(0, startedAt - Date.parse(createdAt)) / 1000)
      const end = await runUpdateJob(context, programs, metrics, job, signal)
      if (!end) return false
      const { update, details, project } = end
      metrics.runSeconds.observe({ outcome: update.status }, Math.max(0, context.now().getTime() - startedAt) / 1000)
      const { _id: statusId, commit, status, summary } = update
      const site = toCommitSite(context, { update, details, project })
      const fields = { statusId, projectId: project.id, headSha: commit.sha, outcome: status, summary, ...(site && { site }) }
      context.log.info(fields, 'Update ended')
      // The end of the record made this the job of its check.
      await keepPromise(context, takePictures, { stored: job.stored, project, subject: 'check' }, signal)
    }
    return true
  }
}

/** Attempts to do what a button asks for, which take about a minute. */
const maxPressAttempts = 10

async function failJob(context: AppContext, metrics: Metrics, job: LeasedJob, error: unknown): Promise<boolean> {
  const { store, log } = context
  metrics.failedAttempts.inc({ kind: job.kind })
  const { lease } = job
  const { mayPass, reason, refusal, retryAfterMs } = toJobFailure(error)
  const fields = { jobId: lease.jobId, kind: job.kind, attempt: lease.attempt, reason }
  if (mayPass) log.warn({ ...fields, err: error }, 'Attempt failed')
  else log.warn(fields, 'GitHub refused an attempt')
  return await writeOutcome(context, lease, async () => {
    if (job.kind === 'task' && isButton(job.name) && lease.attempt >= maxPressAttempts) {
      log.error(fields, 'Gave up on a job')
      await store.queue.complete(lease)
    } else await store.queue.retry(lease, { reason, refusal, retryAfterMs })
  })
}

/** Writes the outcome of a job. False if the store is unreachable: the lease expires, and another attempt follows. */
async function writeOutcome({ log }: AppContext, lease: Lease, act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    log.error({ err: error, jobId: lease.jobId }, 'Cannot write the outcome of a job')
    return false
  }
}
