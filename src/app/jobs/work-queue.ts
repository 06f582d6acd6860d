import { setTimeout as sleep } from 'node:timers/promises'
import { type ClockReading, createTurns, type Hold, type Lease, readClocks, untilAborted } from '../../store/database/holds.ts'
import type { LeasedJob, Recovery } from '../../store/queue/jobs.ts'
import { logFailures } from '../base/log-failures.ts'
import { runForJob, toOriginFields } from '../base/telemetry/work-scope.ts'
import type { RunContext } from '../isolate/run-context.ts'
import { type LeaseTimes, runLeasedJob } from './run-leased-job.ts'

export interface QueueTimes extends LeaseTimes {
  /** How often an idle worker looks for a job. */
  readonly pollMs: number
  /** How often to look for expired leases and records without a job. */
  readonly recoverMs: number
  /** How often to look for other workers that ended: those that lost their lock and missed two heartbeats. Only with PostgreSQL. */
  readonly lookMs: number
}

export const defaultQueueTimes: QueueTimes = { leaseMs: 30_000, heartbeatMs: 2_000, pollMs: 100, recoverMs: 5_000, lookMs: 250 }

/** How soon to try again to get the lock of this worker. */
const retryMs = 500

/** After a failure of the server, all workers that still run get their locks again in this time. */
const gatherMs = 5_000

export interface QueueWork {
  /** Stops claiming jobs, waits up to `graceMs` for running ones, then returns the rest to the queue. */
  stop(graceMs: number): Promise<void>
}

/** Processes the queue with `config.runsAtOnce` concurrent jobs, and recovers lost jobs. */
export function workQueue(context: RunContext, worker: string, times: QueueTimes = defaultQueueTimes): QueueWork {
  const stopping = new AbortController()
  const giveBack = new AbortController()
  const ended = new AbortController()
  const isAlone = context.config.databaseUrl === undefined
  const name = isAlone ? undefined : holdName(context, worker, times, ended.signal)
  // Without the lock of its name, the jobs of this worker would be taken from it.
  const claims = createClaims(context, worker, times, { mayClaim: name?.isHeld ?? (() => true), stopping: stopping.signal })
  const workOn = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const claimed = await claims.next()
      if (claimed) {
        const { job, since } = claimed
        await runForJob(job, () => runLeasedJob(context, job, { times, since, giveBack: giveBack.signal }))
        claims.end(job)
      } else await pause(times.pollMs, stopping.signal)
    }
  }
  const loops = Promise.all([
    recoverLostJobs(context, times, stopping.signal),
    ...Array.from({ length: context.config.runsAtOnce }, workOn),
  ])
  return {
    async stop(graceMs) {
      stopping.abort()
      const timer = setTimeout(() => giveBack.abort(), graceMs)
      await loops
      clearTimeout(timer)
      await claims.releaseUnsure()
      ended.abort()
      await name?.holding
    },
  }
}

/** The jobs that a worker claims and has. */
function createClaims(
  context: RunContext,
  worker: string,
  { leaseMs, pollMs }: QueueTimes,
  { mayClaim, stopping }: { readonly mayClaim: () => boolean; readonly stopping: AbortSignal },
) {
  const { store, log } = context
  const claims = logFailures(log, 'claim a job')
  const takeTurn = createTurns()
  const running = new Set<Lease>()
  /** Whether a claim failed that may have succeeded without an answer. */
  let isUnsure = false

  const releaseUnknown = async () => {
    await store.queue.releaseUnknown(worker, [...running])
    isUnsure = false
  }

  /** One at a time, so that it is known which jobs this worker has. */
  const claim = async (): Promise<Claimed | undefined> => {
    const endTurn = await takeTurn('claim', undefined)
    try {
      if (isUnsure) await releaseUnknown()
      if (!mayClaim() || stopping.aborted) return undefined
      // The lease begins later.
      const since = readClocks()
      isUnsure = true
      const job = await store.queue.claim({ worker, leaseMs, onRecovered: (recovered) => report(context, recovered) })
      isUnsure = false
      if (!job) return undefined
      running.add(job.lease)
      return { job, since }
    } finally {
      endTurn()
    }
  }

  return {
    async next(): Promise<Claimed | undefined> {
      if (!mayClaim() && !isUnsure) return undefined
      try {
        const claimed = await claim()
        claims.succeeded()
        return claimed
      } catch (error) {
        claims.failed(error)
        // The next try right after it would hardly succeed.
        await pause(10 * pollMs, stopping)
        return undefined
      }
    },
    end: ({ lease }: LeasedJob) => running.delete(lease),
    async releaseUnsure() {
      if (isUnsure) await releaseUnknown().catch(claims.failed)
    },
  }
}

/** Holds the lock that shows the other workers that this one runs, and takes the jobs of those that do not. */
function holdName(context: RunContext, worker: string, times: QueueTimes, ended: AbortSignal) {
  const { store, log } = context
  const locking = logFailures(log, 'hold the lock of this worker')
  const looks = logFailures(log, 'look for ended workers')
  let isHeld = false

  /** Ends with the hold, also while a query is never answered. */
  const takeFromEndedWorkers = async (hold: Hold): Promise<void> => {
    const signal = AbortSignal.any([hold.signal, ended])
    signal.addEventListener('abort', () => {
      isHeld = false
    })
    isHeld = !signal.aborted
    locking.succeeded()
    await pause(gatherMs, signal)
    while (!signal.aborted) {
      try {
        report(context, await untilAborted(store.queue.recoverFromEndedWorkers(2 * times.heartbeatMs), signal))
        looks.succeeded()
      } catch (error) {
        if (signal.aborted) return
        looks.failed(error)
        await pause(times.recoverMs, signal)
      }
      await pause(times.lookMs, signal)
    }
  }

  const hold = async (): Promise<void> => {
    while (!ended.aborted) {
      try {
        await store.locks(worker, takeFromEndedWorkers, { signal: ended })
      } catch (error) {
        if (!ended.aborted) locking.failed(error)
        await pause(retryMs, ended)
      }
    }
  }
  return { holding: hold(), isHeld: () => isHeld }
}

/** All processes look, so that jobs of a process that ended do not wait for a new leader. */
async function recoverLostJobs(context: RunContext, { recoverMs }: QueueTimes, signal: AbortSignal): Promise<void> {
  const { store, log, config } = context
  const recoveries = logFailures(log, 'recover lost jobs')
  while (!signal.aborted) {
    try {
      const isTurn = config.databaseUrl === undefined || (await store.notes.takeTurn('recovered-at', recoverMs))
      if (isTurn) report(context, await store.queue.recover())
      recoveries.succeeded()
    } catch (error) {
      recoveries.failed(error)
    }
    await pause(recoverMs, signal)
  }
}

function report({ log, metrics }: RunContext, recovered: readonly Recovery[]): void {
  for (const { jobId, kind, outcome, reason, origin } of recovered) {
    metrics.recoveredJobs.inc({ outcome })
    const fields = { ...toOriginFields(origin), jobId, ...(kind !== 'task' && { statusId: jobId }), kind, outcome, reason }
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
