import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type ClockReading, createTurns, type Hold, type Lease, readClocks, untilAborted } from '../../store/database/holds.ts'
import type { LeasedJob, Recovery } from '../../store/queue/jobs.ts'
import type { AppContext } from '../base/app-context.ts'
import { logFailures } from '../base/telemetry/create-log.ts'
import type { Metrics } from '../base/telemetry/metrics.ts'
import { runForJob, toOriginFields } from '../base/telemetry/work-scope.ts'
import { type DoJob, type LeaseTimes, runLeasedJob } from './run-leased-job.ts'

export interface QueueTimes extends LeaseTimes {
  /** How often an idle worker looks for a job. */
  readonly pollMs: number
  /** How often to look for other workers that ended: those that lost their lock and missed two heartbeats. Only with PostgreSQL. */
  readonly lookMs: number
}

export const defaultQueueTimes: QueueTimes = { leaseMs: 30_000, heartbeatMs: 2_000, pollMs: 100, lookMs: 250 }

/** How soon to try again to get the lock of this worker. */
const retryMs = 500

/** After a failure of the server, all workers that still run get their locks again in this time. */
const gatherMs = 5_000

export interface QueueWork {
  /** Stops claiming jobs, waits up to `graceMs` for running ones, then returns the rest to the queue. */
  stop(graceMs: number): Promise<void>
}

/** Processes the queue with `config.runsAtOnce` concurrent jobs, and recovers lost jobs. */
export function workQueue(
  context: AppContext,
  doJob: DoJob,
  metrics: Metrics,
  worker: string,
  times: QueueTimes = defaultQueueTimes,
): QueueWork {
  const { store, log, config } = context
  const report = (recovered: readonly Recovery[]) => reportRecovered(log, metrics, recovered)
  const stopping = new AbortController()
  const giveBack = new AbortController()
  const ended = new AbortController()
  const isAlone = config.databaseUrl === undefined
  /** Without the lock of its name, the jobs of this worker would be taken from it. */
  let mayClaim = isAlone
  const takeTurn = createTurns()
  const running = new Set<Lease>()
  /** Whether a claim failed that may have succeeded without an answer. */
  let isUnsure = false
  const claims = logFailures(log, 'claim a job')

  const workOn = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (!mayClaim && !isUnsure) {
        await pause(times.pollMs, stopping.signal)
        continue
      }
      let claimed: Claimed | undefined
      try {
        claimed = await claim()
        claims.succeeded()
      } catch (error) {
        claims.failed(error)
        // The next try right after it would hardly succeed.
        await pause(10 * times.pollMs, stopping.signal)
      }
      if (!claimed) {
        await pause(times.pollMs, stopping.signal)
        continue
      }
      const { job, since } = claimed
      await runForJob(job, () => runLeasedJob(context, doJob, metrics, job, { times, since, giveBack: giveBack.signal }))
      running.delete(job.lease)
    }
  }

  /** One at a time, so that it is known which jobs this worker has. */
  const claim = async (): Promise<Claimed | undefined> => {
    const endTurn = await takeTurn('claim', undefined)
    try {
      if (isUnsure) await releaseUnknown()
      if (!mayClaim || stopping.signal.aborted) return undefined
      // The lease begins later.
      const since = readClocks()
      isUnsure = true
      const job = await store.queue.claim({ worker, leaseMs: times.leaseMs, onRecovered: report })
      isUnsure = false
      if (!job) return undefined
      running.add(job.lease)
      return { job, since }
    } finally {
      endTurn()
    }
  }

  const releaseUnknown = async () => {
    await store.queue.releaseUnknown(worker, [...running])
    isUnsure = false
  }

  const onHold = (isHeld: boolean) => {
    mayClaim = isHeld
  }
  const holding = isAlone ? undefined : holdWorkerLock(context, { worker, times, onHold, report }, ended.signal)
  const loops = Promise.all(Array.from({ length: config.runsAtOnce }, workOn))
  return {
    async stop(graceMs) {
      stopping.abort()
      const timer = setTimeout(() => giveBack.abort(), graceMs)
      await loops
      clearTimeout(timer)
      if (isUnsure) await releaseUnknown().catch(claims.failed)
      ended.abort()
      await holding
    },
  }
}

type Report = (recovered: readonly Recovery[]) => void

interface WorkerLock {
  /** The name of the lock. */
  readonly worker: string
  readonly times: QueueTimes
  readonly onHold: (isHeld: boolean) => void
  readonly report: Report
}

/** Holds the lock that shows the other workers that this one runs, and takes the jobs of those that do not. */
async function holdWorkerLock(
  { store, log }: AppContext,
  { worker, times, onHold, report }: WorkerLock,
  ended: AbortSignal,
): Promise<void> {
  const locking = logFailures(log, 'hold the lock of this worker')
  const looks = logFailures(log, 'look for ended workers')
  /** Ends with the hold, also while a query is never answered. */
  const takeFromEndedWorkers = async (hold: Hold): Promise<void> => {
    const signal = AbortSignal.any([hold.signal, ended])
    signal.addEventListener('abort', () => onHold(false))
    onHold(!signal.aborted)
    locking.succeeded()
    await pause(gatherMs, signal)
    while (!signal.aborted) {
      try {
        report(await untilAborted(store.queue.recoverFromEndedWorkers(2 * times.heartbeatMs), signal))
        looks.succeeded()
      } catch (error) {
        if (signal.aborted) return
        looks.failed(error)
        await pause(gatherMs, signal)
      }
      await pause(times.lookMs, signal)
    }
  }
  while (!ended.aborted) {
    try {
      await store.locks(worker, takeFromEndedWorkers, { signal: ended })
    } catch (error) {
      if (!ended.aborted) locking.failed(error)
      await pause(retryMs, ended)
    }
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

interface Claimed {
  readonly job: LeasedJob
  /** Before the claim. */
  readonly since: ClockReading
}

/** Waits, and returns early once the signal is aborted. */
export async function pause(forMs: number, signal: AbortSignal): Promise<void> {
  await sleep(forMs, undefined, { signal }).catch(() => undefined)
}
