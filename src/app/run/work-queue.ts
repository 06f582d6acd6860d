import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lease, LeasedJob } from '../../store/job-rows.ts'
import type { AppContext, AppPart } from '../app-context.ts'
import { type ChromiumPlace, chromiumFolder, findChromium } from '../pictures/find-chromium.ts'
import { createPictureTaker } from '../pictures/picture-taker.ts'
import { toCommitSite } from './built-site.ts'
import { reportJob, reportUpdate } from './report-run.ts'
import { findSiteProgram, type RunContext, toJobFailure } from './run-context.ts'
import { runTask } from './run-task.ts'
import { runUpdateJob } from './run-update-job.ts'

const pruneEveryMs = 3_600_000

/** TypeScript in a clone, JavaScript in the package. */
const usualCheckProgram = new URL(import.meta.url.endsWith('.ts') ? './check-child.ts' : './check-child.js', import.meta.url)

/**
 * The side of the app that runs updates: it works on the queue from the moment there are keys.
 *
 * @param checkProgram the program that checks documents, in a process of its own for each run.
 */
export function createRunPart(times?: QueueTimes, checkProgram = usualCheckProgram): (context: AppContext) => AppPart {
  return (app) => {
    const siteProgram = app.sitesPlace() && findSiteProgram()
    if (app.sitesPlace() && !siteProgram) app.log.warn('No sites are built: run `npm run build` once, or set SITES_DOMAIN=off')
    const chromium: ChromiumPlace = siteProgram ? findChromium(app.config) : { kind: 'off' }
    if (chromium.kind === 'unusable') app.log.warn({ fix: chromium.fix }, `No pictures of sites are taken: ${chromium.reason}`)
    const pictures = createPictureTaker(
      chromium,
      app.config.pictureTimeoutSeconds * 1000,
      join(app.config.dataDir, chromiumFolder),
    )
    const context: RunContext = {
      ...app,
      workFolder: join(app.config.dataDir, 'runs'),
      checkProgram,
      siteProgram,
      pictures,
    }
    let work: QueueWork | undefined
    let pruning: NodeJS.Timeout | undefined
    const collect = async () => {
      const collected = await context.store.sites.collect()
      if (collected.builds + collected.contents > 0) context.log.info(collected, 'Old sites were taken away')
    }
    const prune = () => {
      Promise.all([clearWorkFolder(context.workFolder, context.now()), context.store.prune(), collect()]).catch(
        (error: unknown) => context.log.warn({ err: error }, 'Cannot clear what is old'),
      )
    }
    return {
      connect() {
        prune()
        pruning = setInterval(prune, pruneEveryMs)
        work = workQueue(context, `${hostname()}:${process.pid}`, times)
      },
      async stop() {
        clearInterval(pruning)
        // A second is left to give back what did not end.
        await work?.stop(Math.max(0, context.config.stopTimeoutSeconds * 1000 - 1_000))
        await pictures.stop()
      },
    }
  }
}

export interface QueueTimes {
  /** A worker that is not heard of for so long has lost its job: the watchdog's bound. */
  readonly leaseMs: number
  readonly heartbeatMs: number
  /** How often an idle worker looks for a job. */
  readonly pollMs: number
  /** How often leases that lapsed and records without a job are looked for. */
  readonly recoverMs: number
}

export const usualQueueTimes: QueueTimes = { leaseMs: 30_000, heartbeatMs: 5_000, pollMs: 100, recoverMs: 5_000 }

interface QueueWork {
  /** Claims no more; lets jobs under way end for `graceMs`, then gives back those that have not. */
  stop(graceMs: number): Promise<void>
}

/** Starts to work on the queue: `config.runsAtOnce` jobs side by side, and the watchdog. */
function workQueue(context: RunContext, worker: string, times: QueueTimes = usualQueueTimes): QueueWork {
  const { store, log } = context
  const stopping = new AbortController()
  const giveBack = new AbortController()

  const workOn = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const job = await store.queue.claim({ worker, leaseMs: times.leaseMs }).catch((error: unknown) => {
        log.error({ err: error }, 'Cannot claim a job')
        return undefined
      })
      if (job) await holdJob(context, job, times, giveBack.signal)
      else await pause(times.pollMs, stopping.signal)
    }
  }

  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const recovered = await store.queue.recover().catch((error: unknown) => {
        log.error({ err: error }, 'Cannot look for lost jobs')
        return []
      })
      for (const { jobId, outcome, reason } of recovered) log.warn({ jobId, outcome, reason }, 'Job was lost')
      await pause(times.recoverMs, stopping.signal)
    }
  }

  const loops = Promise.all([watch(), ...Array.from({ length: context.config.runsAtOnce }, workOn)])
  return {
    async stop(graceMs) {
      stopping.abort()
      const timer = setTimeout(() => giveBack.abort(), graceMs)
      await loops
      clearTimeout(timer)
    },
  }
}

/** Does one job under its lease: keeps the lease alive, and settles the job whatever happens. Never rejects. */
async function holdJob(context: RunContext, job: LeasedJob, times: QueueTimes, giveBack: AbortSignal): Promise<void> {
  const { store, log } = context
  const { lease } = job
  const lost = new AbortController()
  const heart = setInterval(() => {
    store.queue.heartbeat(lease, times.leaseMs).then(
      (held) => held || lost.abort(new Error('The lease was lost')),
      // The store may be back before the lease ends.
      (error: unknown) => log.warn({ err: error, jobId: lease.jobId }, 'Cannot prolong a lease'),
    )
  }, times.heartbeatMs)
  const signal = AbortSignal.any([lost.signal, giveBack])
  try {
    await doJob(context, job, signal)
  } catch (error) {
    if (lost.signal.aborted) log.warn({ jobId: lease.jobId }, 'Another attempt has the job')
    else if (giveBack.aborted) await settle(context, lease, () => store.queue.release(lease))
    else await failJob(context, job, error)
  } finally {
    clearInterval(heart)
  }
}

async function doJob(context: RunContext, job: LeasedJob, signal: AbortSignal): Promise<void> {
  const { store, metrics, now } = context
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
    await reportUpdate(context, { update, details, project, findings, validationOnly: job.validationOnly, isRetry }, signal)
  }
  await store.queue.complete(job.lease)
}

async function failJob(context: RunContext, job: LeasedJob, error: unknown): Promise<void> {
  const { store, log } = context
  const { lease } = job
  const { mayPass, reason, retryAfterMs } = toJobFailure(error)
  const fields = { jobId: lease.jobId, kind: job.kind, attempt: lease.attempt, reason }
  // What GitHub refuses for good: the record has its end, and trying again would say the same.
  if (!mayPass && (await settle(context, lease, () => store.queue.complete(lease)))) {
    log.error(fields, 'GitHub refused a report or task')
    return
  }
  log.warn({ ...fields, err: error }, 'Attempt failed')
  await settle(context, lease, async () => {
    // These hold what a webhook said, however long GitHub is down.
    const keep = job.kind === 'task' && ['confirm', 'discover', 'reconcile'].includes(job.name)
    const result = await store.queue.retry(lease, { reason, keep, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })
    if (result.kind === 'given-up') log.error(fields, 'Given up')
    return result.kind !== 'lease-lost'
  })
}

/** A store that cannot be reached loses the lease in time, and another attempt follows. */
async function settle({ log }: RunContext, lease: Lease, act: () => Promise<boolean>): Promise<boolean> {
  try {
    return await act()
  } catch (error) {
    log.error({ err: error, jobId: lease.jobId }, 'Cannot settle a job')
    return false
  }
}

async function pause(forMs: number, signal: AbortSignal): Promise<void> {
  await sleep(forMs, undefined, { signal }).catch(() => undefined)
}

/** No run lives so long: what is older was left by a process that was killed. */
const oldMs = 2 * 3_600_000

/** Removes what runs that were killed have left in the folder of the archives. */
async function clearWorkFolder(folder: string, now: Date): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && now.getTime() - found.mtimeMs > oldMs) await rm(path, { recursive: true, force: true })
  }
}
