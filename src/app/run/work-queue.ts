import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withRequestFence } from '../../github/request-fence.ts'
import { LeaseLostError, withLease } from '../../store/fenced-writes.ts'
import { type ClockReading, type Hold, keepHold, readClocks, untilAborted } from '../../store/keep-hold.ts'
import { createTurns } from '../../store/named-locks.ts'
import { type Lease, type LeasedJob, type Recovery, toWorkerName } from '../../store/queue/job-rows.ts'
import type { AppContext, AppPart } from '../app-context.ts'
import { type ChromiumStatus, chromiumFolder, findChromium } from '../screenshots/find-chromium.ts'
import { createScreenshotTaker } from '../screenshots/screenshot-taker.ts'
import { traceJob, traceProgram } from '../telemetry/trace-work.ts'
import type { OpenSpan } from '../telemetry/tracing.ts'
import { runForJob, toOriginFields } from '../telemetry/work-scope.ts'
import { toCommitSite } from './built-site.ts'
import { logFailures } from './log-failures.ts'
import { reportJob, reportUpdate } from './report-run.ts'
import { findSiteProgram, type RunContext, toJobFailure } from './run-context.ts'
import { runTask } from './run-task.ts'
import { runUpdateJob } from './run-update-job.ts'
import { type RunProgram, runUntrusted } from './untrusted-process.ts'

const pruneEveryMs = 3_600_000

/** TypeScript in a clone, the bundle in the package. */
const checkProgram = new URL(import.meta.url.endsWith('.ts') ? './check-child.ts' : '../app/check-child.js', import.meta.url)

/** Runs the program in a child process for each check. */
export function toRunCheck(program: URL): RunProgram {
  return (work, limits, control) => runUntrusted({ ...work, program }, limits, control)
}

/**
 * The part of the app that runs updates. It processes the queue once a GitHub App is set up.
 *
 * @param runCheck Checks documents. Tests replace the child process, which takes most of the time of a small check.
 * @param findProgram Finds the program that builds sites, which tests replace too.
 */
export function createRunPart(
  times?: QueueTimes,
  runCheck = toRunCheck(checkProgram),
  findProgram = findSiteProgram,
): (context: AppContext) => AppPart {
  return (app) => {
    const siteProgram = app.sitesPlace() && findProgram()
    if (app.sitesPlace() && !siteProgram) app.log.warn('Cannot build sites: run `npm run build` once, or set SITES_DOMAIN=off')
    const chromium: ChromiumStatus = siteProgram ? findChromium(app.config) : { kind: 'off' }
    if (chromium.kind === 'unusable') app.log.warn({ fix: chromium.fix }, `Cannot take screenshots: ${chromium.reason}`)
    const pictures = createScreenshotTaker(
      chromium,
      app.config.pictureTimeoutSeconds * 1000,
      join(app.config.dataDir, chromiumFolder),
    )
    const context: RunContext = {
      ...app,
      workFolder: join(app.config.dataDir, 'runs'),
      runCheck: traceProgram(app.tracing, runCheck),
      siteProgram,
      pictures,
    }
    let work: QueueWork | undefined
    let clearing: NodeJS.Timeout | undefined
    const collect = async () => {
      const collected = await context.store.sites.collect()
      if (collected.builds + collected.contents > 0) context.log.info(collected, 'Deleted old sites')
    }
    const prune = () => Promise.all([context.store.prune(), collect()])
    const warn = (error: unknown) => context.log.warn({ err: error }, 'Cannot delete old data')
    return {
      work() {
        const clear = () => void clearWorkFolder(context.workFolder, context.now()).catch(warn)
        clear()
        clearing = setInterval(clear, pruneEveryMs)
        work = workQueue(context, toWorkerName(hostname(), process.pid), times)
      },
      async lead(signal) {
        while (!signal.aborted) {
          await prune().catch(warn)
          await pause(pruneEveryMs, signal)
        }
      },
      async stop() {
        clearInterval(clearing)
        // Leave a second to return unfinished jobs to the queue.
        await work?.stop(Math.max(0, context.config.stopTimeoutSeconds * 1000 - 1_000))
        await pictures.stop()
      },
    }
  }
}

export interface QueueTimes {
  /** A worker without a heartbeat for this long loses its job. */
  readonly leaseMs: number
  readonly heartbeatMs: number
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

interface QueueWork {
  /** Stops claiming jobs, waits up to `graceMs` for running ones, then returns the rest to the queue. */
  stop(graceMs: number): Promise<void>
}

/** Processes the queue with `config.runsAtOnce` concurrent jobs, and recovers lost jobs. */
function workQueue(context: RunContext, worker: string, times: QueueTimes = defaultQueueTimes): QueueWork {
  const { store, log, metrics } = context
  const stopping = new AbortController()
  const giveBack = new AbortController()
  const ended = new AbortController()
  const isAlone = context.config.databaseUrl === undefined
  /** Without the lock of its name, the jobs of this worker would be taken from it. */
  let mayClaim = isAlone
  const takeTurn = createTurns()
  const running = new Set<Lease>()
  /** Whether a claim failed that may have succeeded without an answer. */
  let isUnsure = false
  const claims = logFailures(log, 'claim a job')
  const recoveries = logFailures(log, 'recover lost jobs')
  const locking = logFailures(log, 'hold the lock of this worker')
  const looks = logFailures(log, 'look for ended workers')

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
      await runForJob(job, () => holdJob(context, job, { times, since, giveBack: giveBack.signal }))
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

  // All processes look, so that jobs of a process that ended do not wait for a new leader.
  const recover = async () => {
    const isTurn = isAlone || (await store.notes.takeTurn('recovered-at', times.recoverMs))
    return isTurn ? await store.queue.recover() : []
  }

  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        report(await recover())
        recoveries.succeeded()
      } catch (error) {
        recoveries.failed(error)
      }
      await pause(times.recoverMs, stopping.signal)
    }
  }

  const report = (recovered: readonly Recovery[]) => {
    for (const { jobId, kind, outcome, reason, origin } of recovered) {
      metrics.recoveredJobs.inc({ outcome })
      const fields = { ...toOriginFields(origin), jobId, ...(kind !== 'task' && { statusId: jobId }), kind, outcome, reason }
      if (outcome === 'given-up') log.error(fields, 'Gave up on a job')
      else log.warn(fields, 'Recovered a lost job')
    }
  }

  /** Holds the lock that shows the other workers that this one runs, and takes the jobs of those that do not. */
  const attend = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      try {
        await store.locks(worker, lookAfterOthers, { signal: ended.signal })
      } catch (error) {
        if (!ended.signal.aborted) locking.failed(error)
        await pause(retryMs, ended.signal)
      }
    }
  }

  /** Ends with the hold, also while a query is never answered. */
  const lookAfterOthers = async (hold: Hold): Promise<void> => {
    const signal = AbortSignal.any([hold.signal, ended.signal])
    signal.addEventListener('abort', () => {
      mayClaim = false
    })
    mayClaim = !signal.aborted
    locking.succeeded()
    await pause(gatherMs, signal)
    while (!signal.aborted) {
      try {
        report(await untilAborted(store.queue.recoverFromEndedWorkers(2 * times.heartbeatMs), signal))
        looks.succeeded()
      } catch (error) {
        if (signal.aborted) return
        looks.failed(error)
        await pause(times.recoverMs, signal)
      }
      await pause(times.lookMs, signal)
    }
  }

  const attending = isAlone ? undefined : attend()
  const loops = Promise.all([watch(), ...Array.from({ length: context.config.runsAtOnce }, workOn)])
  return {
    async stop(graceMs) {
      stopping.abort()
      const timer = setTimeout(() => giveBack.abort(), graceMs)
      await loops
      clearTimeout(timer)
      if (isUnsure) await releaseUnknown().catch(claims.failed)
      ended.abort()
      await attending
    },
  }
}

interface Claimed {
  readonly job: LeasedJob
  /** Before the claim. */
  readonly since: ClockReading
}

interface JobTimes {
  readonly times: QueueTimes
  /** Before the claim. */
  readonly since: ClockReading
  /** Aborted when the job must return to the queue. */
  readonly giveBack: AbortSignal
}

/**
 * Runs a job under its lease, with heartbeats, and always releases or completes it. Never rejects.
 *
 * Once the lease is lost, the job cannot write to the store or to GitHub: see `docs/decisions/0022-fencing.md`.
 */
async function holdJob(context: RunContext, job: LeasedJob, { times, since, giveBack }: JobTimes): Promise<void> {
  const { store, log, metrics } = context
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
    const fence = { signal, confirm: held.confirm, isBulk: job.isBulk }
    const work = () => withLease(lease, () => traceJob(context.tracing, job, (span) => doJob(context, job, signal, span)))
    await withRequestFence(fence, work)
  } catch (error) {
    if (held.signal.aborted || error instanceof LeaseLostError) {
      metrics.lostLeases.inc()
      const { reason } = held.signal
      log.warn(
        { jobId: lease.jobId, reason: reason instanceof Error ? reason.message : undefined },
        'Another attempt has the job',
      )
    } else if (giveBack.aborted) await writeOutcome(context, lease, () => store.queue.release(lease))
    else await failJob(context, job, error)
  } finally {
    held.end()
  }
}

async function doJob(context: RunContext, job: LeasedJob, signal: AbortSignal, span: OpenSpan): Promise<void> {
  const { store, metrics, now, tracing } = context
  if (job.kind === 'task') {
    await runTask(context, job, signal)
  } else if (job.kind === 'report') {
    await reportJob(context, job, signal)
  } else {
    const { createdAt } = job.stored.update
    const startedAt = now().getTime()
    metrics.waitSeconds.observe(Math.max(0, startedAt - Date.parse(createdAt)) / 1000)
    const end = await runUpdateJob(context, job, signal)
    if (end.kind !== 'finished') return
    const { update, details, project, findings } = end
    metrics.runSeconds.observe({ outcome: update.status }, Math.max(0, now().getTime() - startedAt) / 1000)
    const { _id: statusId, commit, status, summary } = update
    const site = toCommitSite(context, { update, details, project })
    const fields = { statusId, projectId: project.id, headSha: commit.sha, outcome: status, summary, ...(site && { site }) }
    context.log.info(fields, 'Update ended')
    const isRetry = job.lease.attempt > 1
    span.set({ 'openapi_pages.outcome': status })
    const report = { update, details, project, findings, isRetry }
    await tracing.span({ name: 'report' }, () => reportUpdate(context, report, signal))
  }
  await store.queue.complete(job.lease)
}

async function failJob(context: RunContext, job: LeasedJob, error: unknown): Promise<void> {
  const { store, log, metrics } = context
  metrics.failedAttempts.inc({ kind: job.kind })
  const { lease } = job
  const { mayPass, reason, retryAfterMs } = toJobFailure(error)
  const fields = { jobId: lease.jobId, kind: job.kind, attempt: lease.attempt, reason }
  // GitHub rejected it permanently. The record has already ended, so a retry cannot help.
  if (!mayPass && (await writeOutcome(context, lease, () => store.queue.complete(lease)))) {
    log.error(fields, 'GitHub rejected a report or task')
    return
  }
  log.warn({ ...fields, err: error }, 'Attempt failed')
  await writeOutcome(context, lease, async () => {
    // Never give up on these tasks, because they carry the content of webhooks.
    const keep = job.kind === 'task' && ['confirm', 'discover', 'reconcile'].includes(job.name)
    const result = await store.queue.retry(lease, { reason, keep, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })
    if (result.kind === 'given-up') log.error(fields, 'Gave up on a job')
    else if (result.kind === 'lease-lost') log.warn({ jobId: lease.jobId }, 'Another attempt has the job')
    return result.kind !== 'lease-lost'
  })
}

/** Writes the outcome of a job. If the store is unreachable, the lease expires and another attempt follows. */
async function writeOutcome({ log }: RunContext, lease: Lease, act: () => Promise<boolean>): Promise<boolean> {
  try {
    return await act()
  } catch (error) {
    log.error({ err: error, jobId: lease.jobId }, 'Cannot write the outcome of a job')
    return false
  }
}

async function pause(forMs: number, signal: AbortSignal): Promise<void> {
  await sleep(forMs, undefined, { signal }).catch(() => undefined)
}

/** Longer than any run: older folders were left by killed processes. */
const oldMs = 2 * 3_600_000

/** Removes archives that killed processes left behind. */
async function clearWorkFolder(folder: string, now: Date): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && now.getTime() - found.mtimeMs > oldMs) await rm(path, { recursive: true, force: true })
  }
}
