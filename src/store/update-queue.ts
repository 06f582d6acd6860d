import type { Kysely } from 'kysely'
import type { UpdateState, UpdateStatus } from '../status/types.ts'
import { claimJob, hasDueJob } from './claim-job.ts'
import { failAttempt, postponeJob, recoverJobs } from './give-up.ts'
import { findLeased, noLease } from './job-rows.ts'
import { finishSite } from './site-builds.ts'
import { type StoreContext, toTime } from './store-context.ts'
import type { JobRow, Tables } from './tables.ts'
import type { Lease, QueueStats, UpdateQueue } from './types.ts'
import { replaceOpenUpdate } from './update-rows.ts'

/** The queue on a table of jobs beside the records, so that a record and its job are one transaction. */
export function createUpdateQueue(context: StoreContext): UpdateQueue {
  const { write, reader, now, limits } = context

  /** Runs `work` on the job, in one transaction, where the lease still holds it; false otherwise. */
  async function fenced(lease: Lease, work: (transaction: Kysely<Tables>, job: JobRow) => Promise<boolean>): Promise<boolean> {
    return await write(async (transaction) => {
      const job = await findLeased(transaction, lease)
      return job ? await work(transaction, job) : false
    })
  }

  return {
    async claim(options) {
      // Without the write lock first: most polls find nothing.
      if (!(await hasDueJob(reader, toTime(now())))) return undefined
      return await write((transaction) => claimJob(transaction, context, options))
    },

    async heartbeat(lease, leaseMs) {
      return await fenced(lease, async (transaction, { claimed_at: claimedAt }) => {
        const endMs = Date.parse(claimedAt ?? '') + limits.maxRunMs
        if (!(now() < endMs)) return false
        await transaction
          .updateTable('jobs')
          .set({ heartbeat_at: toTime(now()), lease_until: toTime(Math.min(now() + leaseMs, endMs)) })
          .where('id', '=', lease.jobId)
          .execute()
        return true
      })
    },

    async save(lease, update) {
      refuseOther(lease, update, ['in_progress'])
      return await fenced(
        lease,
        async (transaction, { kind }) => kind === 'run' && (await replaceOpenUpdate(transaction, update)),
      )
    },

    async finish(lease, update, report, site) {
      refuseOther(lease, update, ['success', 'failure'])
      return await fenced(lease, async (transaction, { kind }) => {
        if (kind !== 'run' || !(await replaceOpenUpdate(transaction, update))) return false
        if (site) await finishSite(transaction, context, update, site)
        if (report !== undefined) await transaction.insertInto('reports').values({ update_id: update._id, report }).execute()
        await transaction
          .updateTable('jobs')
          .set({ kind: 'report', errors: 0, losses: 0, reason: null })
          .where('id', '=', lease.jobId)
          .execute()
        return true
      })
    },

    async complete(lease) {
      return await fenced(lease, async (transaction, { kind }) => {
        if (kind === 'run') return false
        await transaction.deleteFrom('jobs').where('id', '=', lease.jobId).execute()
        return true
      })
    },

    async retry(lease, options) {
      return await write(async (transaction) => {
        const job = await findLeased(transaction, lease)
        return job ? await failAttempt(transaction, context, job, options) : { kind: 'lease-lost' }
      })
    },

    async release(lease) {
      return await fenced(lease, async (transaction) => {
        await transaction
          .updateTable('jobs')
          .set({ ...noLease, state: 'waiting', available_at: toTime(now()) })
          .where('id', '=', lease.jobId)
          .execute()
        return true
      })
    },

    async postpone(lease, { until, line }) {
      return await fenced(lease, async (transaction, job) => {
        await postponeJob(transaction, job, { until: toTime(until), line })
        return true
      })
    },

    async recover() {
      return await write((transaction) => recoverJobs(transaction, context))
    },

    async stats() {
      return await readStats(reader)
    },
  }
}

/** What the types forbid already, for a record that came from somewhere else. */
function refuseOther(lease: Lease, update: UpdateStatus, states: readonly UpdateState[]): void {
  if (update._id !== lease.jobId) throw new Error(`Cannot write update \`${update._id}\` under the lease of \`${lease.jobId}\``)
  if (!states.includes(update.status) || (update.endedAt === undefined) !== (update.status === 'in_progress')) {
    throw new Error(
      `Cannot write update \`${update._id}\`: unexpected state \`${update.status}\`, expected ${states.join(' or ')}`,
    )
  }
}

async function readStats(reader: Kysely<Tables>): Promise<QueueStats> {
  const counts = await reader
    .selectFrom('jobs')
    .select((expression) => ['state', expression.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  const countOf = (state: string) => Number(counts.find((row) => row.state === state)?.count ?? 0)
  const oldest = await reader
    .selectFrom('jobs')
    .select((expression) => expression.fn.min('created_at').as('created_at'))
    .where('state', '=', 'waiting')
    .where('kind', '=', 'run')
    .executeTakeFirst()
  return {
    waiting: countOf('waiting'),
    leased: countOf('leased'),
    dead: countOf('dead'),
    ...(oldest?.created_at ? { oldestWaitingAt: oldest.created_at } : {}),
  }
}
