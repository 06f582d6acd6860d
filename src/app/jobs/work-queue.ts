import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Lease, readClocks } from '../../store/database/holds.ts'
import type { LeasedJob, Recovery } from '../../store/queue/jobs.ts'
import type { AppContext } from '../base/app-context.ts'
import { logFailures } from '../base/telemetry/create-log.ts'
import type { Metrics } from '../base/telemetry/metrics.ts'
import { runForJob, toOriginFields } from '../base/telemetry/work-scope.ts'
import { type DoJob, type LeaseTimes, runLeasedJob } from './run-leased-job.ts'

export interface QueueTimes extends LeaseTimes {
  /** How often an idle worker looks for a job. */
  readonly pollMs: number
}

/** A lease is longer than a query may wait for its answer, so that one dead connection to the database loses no job. */
export const defaultQueueTimes: QueueTimes = { leaseMs: 15_000, heartbeatMs: 2_000, pollMs: 100 }

export interface QueueWork {
  /** Stops claiming jobs, waits up to `graceMs` for running ones, then returns the rest to the queue. */
  stop(graceMs: number): Promise<void>
}

/**
 * Processes the queue with `config.runsAtOnce` concurrent jobs, and recovers lost jobs.
 *
 * @param name Unique among all processes.
 */
export function workQueue(
  context: AppContext,
  doJob: DoJob,
  metrics: Metrics,
  name: string,
  times: QueueTimes = defaultQueueTimes,
): QueueWork {
  const { store, log, config } = context
  const report = (recovered: readonly Recovery[]) => reportRecovered(log, metrics, recovered)
  const stopping = new AbortController()
  const giveBack = new AbortController()
  const claims = logFailures(log, 'claim a job')

  /** @param worker Has one job at a time. */
  const workOn = async (worker: string): Promise<void> => {
    /** Whether a claim failed that may have succeeded without an answer, or a job of this worker has no end. */
    let isUnsure = false
    let lost: Lease | undefined
    const claim = async (): Promise<LeasedJob | undefined> => {
      if (isUnsure) await store.queue.releaseAll(worker, lost)
      lost = undefined
      isUnsure = true
      const job = await store.queue.claim({ worker, leaseMs: times.leaseMs, onRecovered: report })
      isUnsure = false
      return job
    }
    while (!stopping.signal.aborted) {
      // The lease begins later.
      const since = readClocks()
      let job: LeasedJob | undefined
      try {
        job = await claim()
        claims.succeeded()
      } catch (error) {
        claims.failed(error)
        // The next try right after it would hardly succeed.
        await pause(10 * times.pollMs, stopping.signal)
      }
      const given = { times, since, giveBack: giveBack.signal }
      if (!job) await pause(times.pollMs, stopping.signal)
      else if (!(await runForJob(job, () => runLeasedJob(context, doJob, metrics, job, given)))) {
        lost = job.lease
        isUnsure = true
      }
    }
    if (isUnsure) await store.queue.releaseAll(worker, lost).catch(claims.failed)
  }

  const loops = Promise.all(Array.from({ length: config.runsAtOnce }, (_, index) => workOn(`${name}:${index}`)))
  return {
    async stop(graceMs) {
      stopping.abort()
      const timer = setTimeout(() => giveBack.abort(), graceMs)
      await loops
      clearTimeout(timer)
    },
  }
}

/** Logs and counts the jobs of workers that ended. */
export function reportRecovered(log: Logger, metrics: Metrics, recovered: readonly Recovery[]): void {
  for (const { jobId, kind, outcome, reason, origin } of recovered) {
    metrics.recoveredJobs.inc({ outcome })
    const fields = { ...toOriginFields(origin), jobId, ...(kind === 'run' && { statusId: jobId }), kind, outcome, reason }
    if (outcome === 'given-up') log.error(fields, 'Gave up on a job')
    else log.warn(fields, 'Recovered a lost job')
  }
}

/** Waits, and returns early once the signal is aborted. */
export async function pause(forMs: number, signal: AbortSignal): Promise<void> {
  await sleep(forMs, undefined, { signal }).catch(() => undefined)
}
