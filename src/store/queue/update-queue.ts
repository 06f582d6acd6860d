import { type Kysely, sql } from 'kysely'
import type { EndedUpdate, RunningUpdate, UpdateStatus } from '../../status/update-record.ts'
import { findLeased, type Lease } from '../database/holds.ts'
import { type RecordSources, type StoreDatabase, type StoreLimits, toTime } from '../database/store-database.ts'
import type { JobRow, Tables } from '../database/tables.ts'
import { insertApiChanges, insertReport } from '../records/status-store.ts'
import { forgetLooks, isOnDefaultBranch, mergeDetails, replaceOpenUpdate, settleAudiences } from '../records/update-rows.ts'
import { finishSite } from '../sites/site-builds.ts'
import { claimJob, failAttempt, forgiveLoss, hurryRefused, log, readDue, recoverJobs, requeue } from './job-attempts.ts'
import {
  type EndResults,
  isServerTrouble,
  type JobGroup,
  type LeasedJob,
  noLease,
  type Recovery,
  type RetryOptions,
  type RetryResult,
  toQueueStats,
} from './jobs.ts'
import { wantEnd } from './wanted.ts'

/**
 * Leases jobs to workers, from a table next to the records, so that one transaction covers both. A job is a record to run, what GitHub should show of one, or a task.
 *
 * Order: installations take turns. Within one, promises to GitHub and tasks come first, then the newest update of each branch (oldest branch
 * first), then older ones, which only validate, and bulk work last. A push is older if it precedes another push on the branch, even if its webhook
 * arrives later. At most one update of a (project, ref) runs at a time. Beyond 50 waiting updates of one (project, ref), the
 * oldest end as `failure`, `Not run: superseded by …`.
 *
 * What GitHub should show of a record is wanted in the transaction that opens or ends it, also if the queue itself ends it (superseded, given
 * up), so that no check stays open. `finish` turns the run into the job of its check, under the same lease: the worker concludes the check and
 * calls `complete`. After a crash in between, the next worker gets this job.
 *
 * Every call with a `Lease` is fenced: it returns false and changes nothing if another attempt has begun, the lease was revoked,
 * or the record no longer exists. Other writes of a job are fenced by `withLease`.
 *
 * All times of jobs are those of one clock, `StoreDatabase.leaseNow`, so that a process whose clock is wrong cannot take over leases
 * or extend them.
 */
export function createUpdateQueue(database: StoreDatabase, options: QueueOptions) {
  const fenced: Fenced = (lease, work) =>
    database.write(async (transaction) => {
      const job = await findLeased(transaction, lease)
      return job ? await work(transaction, job) : false
    })
  return {
    ...createRunCalls(database, options, fenced),
    ...createReturnCalls(database, options, fenced),
    ...createRecovery(database, options),
  }
}

interface QueueOptions {
  readonly sources: RecordSources
  readonly limits: StoreLimits
}

/** Runs `work` on the job in one transaction if the lease still owns it. Otherwise returns false. */
type Fenced = (lease: Lease, work: (transaction: Kysely<Tables>, job: JobRow) => Promise<boolean>) => Promise<boolean>

/** The methods for the work of one job, from its claim to its end. */
function createRunCalls({ write, reader, leaseNow }: StoreDatabase, { sources, limits }: QueueOptions, fenced: Fenced) {
  return {
    /**
     * Leases the next job; `undefined` if none is due. First revokes expired leases.
     *
     * @param options.worker Unique, of a worker without a job.
     * @param options.onRecovered Called with the jobs whose leases were revoked, if there are any, after that is on disk.
     */
    async claim(options: {
      readonly worker: string
      readonly leaseMs: number
      readonly onRecovered?: (recovered: readonly Recovery[]) => void
    }): Promise<LeasedJob | undefined> {
      const { worker, leaseMs, onRecovered } = options
      // Check without the write lock first: most polls find nothing.
      const { isDue, isLapsed } = await readDue(reader, toTime(await leaseNow(reader)))
      if (!isDue && !isLapsed) return undefined
      const claimed = await write(async (transaction) => {
        // A new list for each try of the transaction.
        const recovered: Recovery[] = []
        const now = await leaseNow(transaction)
        return { job: await claimJob(transaction, { worker, leaseMs, now, isLapsed, limits }, recovered), recovered }
      })
      if (claimed.recovered.length > 0) onRecovered?.(claimed.recovered)
      return claimed.job
    },

    /**
     * Extends the lease to `leaseMs` from now, but not beyond `maxRunMs` (15 minutes) after the claim. Returns the milliseconds that it lasts; 0 if
     * it is lost.
     */
    async heartbeat(lease: Lease, leaseMs: number) {
      return await write(async (transaction) => {
        const job = await findLeased(transaction, lease)
        return job ? await extendLease(transaction, job, { leaseMs, now: await leaseNow(transaction), limits }) : 0
      })
    },

    /** Writes the running record when it starts and when it has new log lines. */
    async save(lease: Lease, update: RunningUpdate) {
      checkLease(lease, update)
      return await fenced(
        lease,
        async (transaction, { kind }) => kind === 'run' && (await replaceOpenUpdate(transaction, update)),
      )
    },

    /**
     * Atomically writes the final record with its results, frees the branch, and turns the job into that of its check. A staged build becomes
     * the site of the commit, published if requested.
     */
    async finish(lease: Lease, update: EndedUpdate, results: EndResults = {}) {
      checkLease(lease, update)
      return await fenced(lease, async (transaction, job) => {
        if (job.kind !== 'run') return false
        if (!results.isPreview || !(await isOnDefaultBranch(transaction, update)))
          return await endRun(transaction, update, results, { sources, limits })
        await requeue(transaction, job, { available_at: toTime(await leaseNow(transaction)) })
        await log(transaction, job.id, 'Checked again: the branch has become the default branch')
        return false
      })
    },

    /**
     * Removes a finished job. False if its record has not ended.
     *
     * @param options.isAccepted GitHub accepted a write of the job. What it refused the installation a few times is due at once.
     */
    async complete(lease: Lease, { isAccepted = false } = {}) {
      return await fenced(lease, async (transaction, { kind, installation_id: installationId }) => {
        if (kind === 'run') return false
        await transaction.deleteFrom('jobs').where('id', '=', lease.jobId).execute()
        if (!isAccepted) return true
        const now = await leaseNow(transaction)
        await hurryRefused(transaction, installationId, toTime(now - limits.backOffMs))
        return true
      })
    },
  }
}

/** The methods that return a job to the queue. */
function createReturnCalls({ write, leaseNow }: StoreDatabase, { sources, limits }: QueueOptions, fenced: Fenced) {
  return {
    /**
     * The attempt failed for a reason other than its commit: schedules the next one after a back-off, and lists what stands in its way.
     */
    async retry(lease: Lease, options: RetryOptions): Promise<RetryResult> {
      return await write(async (transaction) => {
        const job = await findLeased(transaction, lease)
        if (!job) return { kind: 'lease-lost' }
        const { randomBytes } = sources
        return await failAttempt(transaction, job, options, { now: await leaseNow(transaction), limits, randomBytes })
      })
    },

    /**
     * Returns a run to the queue behind the waiting update of the commit that GitHub's branch points at, with validation only. False if no such
     * update waits, or if the lease is lost.
     */
    async yieldToTip(lease: Lease, tipSha: string) {
      return await fenced(lease, async (transaction, job) =>
        yieldToWaiting(transaction, job, { tipSha, now: await leaseNow(transaction) }),
      )
    },

    /** Returns the job to the queue for a graceful stop: due at once, not counted as a failure. */
    async release(lease: Lease) {
      return await fenced(lease, async (transaction, job) => {
        await requeue(transaction, job, { available_at: toTime(await leaseNow(transaction)) })
        return true
      })
    },
  }
}

/** The methods for the whole queue, and for jobs that no worker runs any more. */
function createRecovery({ write, reader, leaseNow }: StoreDatabase, { limits }: Pick<QueueOptions, 'limits'>) {
  return {
    /**
     * Repairs what only a clock that was ahead, a damaged or a restored store leaves behind: times in the future, and records without a job. Also
     * revokes expired leases, as `claim` does. Call it at start and every hour. Returns its changes, for the log.
     */
    async recover() {
      return await write(async (transaction) => await recoverJobs(transaction, await leaseNow(transaction), limits))
    },

    /**
     * Returns all jobs of a worker to the queue: it may have one by a claim that succeeded although it seemed to fail, because the answer was lost.
     * Not counted as a failure or loss. No claim of the worker may be running.
     *
     * @param lost The lease whose end the worker could not write, which did not end the worker.
     */
    async releaseAll(worker: string, lost?: Lease) {
      await write(async (transaction) => {
        if (lost) await forgiveLoss(transaction, worker, lost)
        await transaction
          .updateTable('jobs')
          .set({ ...noLease, state: 'waiting', available_at: toTime(await leaseNow(transaction)) })
          .where('worker', '=', worker)
          .where('state', '=', 'leased')
          .execute()
      })
    },

    /** All jobs in the queue, in groups, oldest first. */
    listGroups: () => listJobGroups(reader),

    stats: async () => toQueueStats(await listJobGroups(reader)),

    /** The number of jobs that could begin now, without bulk work. */
    async readDueCount() {
      const { due } = await reader
        .selectFrom('jobs')
        .select((expression) => expression.fn.countAll<number>().as('due'))
        .where('state', '=', 'waiting')
        .where('available_at', '<=', toTime(await leaseNow(reader)))
        .where('bulk', '=', 0)
        .executeTakeFirstOrThrow()
      return Number(due)
    },
  }
}

/** `Store.queue.heartbeat` for a job with a valid lease. */
async function extendLease(
  transaction: Kysely<Tables>,
  job: JobRow,
  { leaseMs, now, limits }: { readonly leaseMs: number; readonly now: number; readonly limits: StoreLimits },
): Promise<number> {
  const lastsMs = Math.min(leaseMs, Date.parse(job.claimed_at ?? '') + limits.maxRunMs - now)
  if (!(lastsMs > 0)) return 0
  await transaction
    .updateTable('jobs')
    .set({ heartbeat_at: toTime(now), lease_until: toTime(now + lastsMs) })
    .where('id', '=', job.id)
    .execute()
  return lastsMs
}

/** Writes the final record of a run with its results, and what GitHub should show of it. False if the record has ended. */
async function endRun(
  transaction: Kysely<Tables>,
  update: EndedUpdate,
  { details = {}, report, results, site, isTip, audiences, apiChanges }: EndResults,
  { sources, limits }: QueueOptions,
): Promise<boolean> {
  if (!(await replaceOpenUpdate(transaction, update))) return false
  await mergeDetails(transaction, update._id, details)
  if (site) await finishSite(transaction, update, site, { now: sources.now(), limits })
  if (isTip) await settleAudiences(transaction, sources, { projectId: update.projectId, ...update.commit, audiences })
  // Storage may become free at any time.
  if (details.noSite === 'quota') await forgetLooks(transaction, [update.projectId])
  await insertReport(transaction, update._id, { report, results })
  if (apiChanges) await insertApiChanges(transaction, update, apiChanges)
  await wantEnd(transaction, update._id)
  return true
}

/** Returns a run to the queue behind the waiting updates of the tip. False if there are none. */
async function yieldToWaiting(
  transaction: Kysely<Tables>,
  job: JobRow,
  { tipSha, now }: { readonly tipSha: string; readonly now: number },
): Promise<boolean> {
  const waiting = await transaction
    .selectFrom('jobs')
    .innerJoin('updates', 'updates.id', 'jobs.id')
    .select('jobs.id')
    .where('jobs.project_id', '=', job.project_id)
    .where('jobs.ref', '=', job.ref)
    .where('jobs.kind', '=', 'run')
    .where('jobs.state', '=', 'waiting')
    .where('updates.sha', '=', tipSha)
    .execute()
  if (waiting.length === 0) return false
  await requeue(transaction, job, { available_at: toTime(now) })
  await log(transaction, job.id, `Waiting for the update of ${tipSha.slice(0, 7)}, which the branch points at`)
  const ids = waiting.map(({ id }) => id)
  await transaction.updateTable('jobs').set({ validation_only: 0 }).where('id', 'in', ids).execute()
  await transaction.updateTable('jobs').set({ validation_only: 1 }).where('id', '=', job.id).execute()
  return true
}

function checkLease({ jobId }: Lease, { _id }: UpdateStatus): void {
  if (_id !== jobId) throw new Error(`Cannot write update \`${_id}\` under the lease of \`${jobId}\``)
}

/** The only query about the queue as a whole: metrics, the page for administrators and the command show its result. */
async function listJobGroups(reader: Kysely<Tables>): Promise<readonly JobGroup[]> {
  const { rows } = await sql<
    Pick<JobRow, 'kind' | 'name' | 'state' | 'project_id' | 'installation_id' | 'reason' | 'answer'> & {
      readonly count: number
      readonly since: string
    }
  >`
    select
      kind, case when kind = 'wanted' then name end as name, state, project_id, installation_id,
      case when answer is not null then reason end as reason, answer, count(*) as count, min(created_at) as since
    from jobs
    where state in ('waiting', 'leased')
    group by 1, 2, 3, 4, 5, 6, 7
    order by since, 1, 2, 4`.execute(reader)
  return rows.map(({ kind, name, state, project_id: projectId, installation_id, reason, answer, count, since }) => ({
    // The store wrote both from these types.
    kind: (name ?? kind) as JobGroup['kind'],
    state: state as JobGroup['state'],
    projectId,
    installationId: Number(installation_id),
    ...(answer === null
      ? {}
      : { refusal: { by: isServerTrouble(reason) ? 'server' : 'github', reason: reason ?? '', words: answer } }),
    count: Number(count),
    since,
  }))
}
