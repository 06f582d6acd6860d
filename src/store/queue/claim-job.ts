import { type Kysely, sql } from 'kysely'
import { type StoreLimits, toTime } from '../database/store-database.ts'
import type { JobRow, Tables } from '../database/tables.ts'
import { toProject } from '../records/project-changes.ts'
import { findUpdate } from '../records/update-rows.ts'
import { recoverLeases } from './give-up.ts'
import type { LeasedJob, Recovery } from './jobs.ts'
import { markDead, readOrigin } from './jobs.ts'

/** Whether a job is due or a lease has expired. */
export async function hasDueJob(database: Kysely<Tables>, now: string): Promise<boolean> {
  const waiting = await database
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'waiting')
    .where('available_at', '<=', now)
    .limit(1)
    .executeTakeFirst()
  if (waiting) return true
  const lapsed = await database
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'leased')
    .where('lease_until', '<=', now)
    .limit(1)
    .executeTakeFirst()
  return lapsed !== undefined
}

interface ClaimOptions {
  readonly worker: string
  readonly leaseMs: number
  /** By the clock of leases. */
  readonly now: number
  readonly limits: StoreLimits
}

/**
 * `UpdateQueue.claim`, inside its transaction.
 *
 * @param recovered Receives the changes to other jobs.
 */
export async function claimJob(
  transaction: Kysely<Tables>,
  options: ClaimOptions,
  recovered: Recovery[],
): Promise<LeasedJob | undefined> {
  recovered.push(...(await recoverLeases(transaction, options.now, options.limits)))
  const now = toTime(options.now)
  for (const installationId of await listInstallations(transaction, now)) {
    const found = await findNext(transaction, installationId, now)
    if (!found) continue
    await passTurn(transaction, installationId)
    const job = { ...found, attempt: found.attempt + 1 }
    const leased = await toLeasedJob(transaction, job)
    if (!leased) {
      // A damaged row must not block the queue.
      const reason = 'the record or project of this job no longer exists'
      await markDead(transaction, job.id, reason)
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

/** The next job of an installation, bulk work last. */
async function findNext(transaction: Kysely<Tables>, installationId: number, now: string): Promise<JobRow | undefined> {
  return (await findFirst(transaction, installationId, now, 0)) ?? (await findFirst(transaction, installationId, now, 1))
}

/**
 * Reports and tasks, then the newest due run of each branch without a running one, in order of creation. Runs that became
 * validation-only because of a newer push come last, on their branch and overall.
 */
async function findFirst(
  transaction: Kysely<Tables>,
  installationId: number,
  now: string,
  bulk: 0 | 1,
): Promise<JobRow | undefined> {
  const due = transaction
    .selectFrom('jobs')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('installation_id', '=', installationId)
    .where('bulk', '=', bulk)
    // The expression prevents SQLite from using the index on times, which would sort all due jobs to find one row.
    .where(sql<string>`available_at || ''`, '<=', now)
  for (const kind of ['report', 'task'] as const) {
    const job = await due.where('kind', '=', kind).orderBy('validation_only').orderBy('id').limit(1).executeTakeFirst()
    if (job) return job
  }
  return await due
    .where('kind', '=', 'run')
    .where(({ exists, not, selectFrom }) => {
      const ofBranch = selectFrom('jobs as other')
        .select('other.id')
        .whereRef('other.project_id', '=', 'jobs.project_id')
        .whereRef('other.ref', '=', 'jobs.ref')
        .where('other.kind', '=', 'run')
      return not(exists(ofBranch.where('other.state', '=', 'leased')))
    })
    .where(({ exists, not, selectFrom }) => {
      const first = selectFrom('jobs as first')
        .select('first.id')
        .whereRef('first.project_id', '=', 'jobs.project_id')
        .whereRef('first.ref', '=', 'jobs.ref')
        .where('first.kind', '=', 'run')
        .where('first.state', '=', 'waiting')
        .where('first.available_at', '<=', now)
        .where((expression) =>
          expression.or([
            expression('first.validation_only', '<', expression.ref('jobs.validation_only')),
            expression.and([
              expression('first.validation_only', '=', expression.ref('jobs.validation_only')),
              expression('first.id', '>', expression.ref('jobs.id')),
            ]),
          ]),
        )
      return not(exists(first))
    })
    .orderBy('validation_only')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Moves an installation to the end of the round. */
async function passTurn(transaction: Kysely<Tables>, installationId: number): Promise<void> {
  const { last } = await transaction
    .selectFrom('queue_turns')
    .select((expression) => expression.fn.max('turn').as('last'))
    .executeTakeFirstOrThrow()
  await transaction
    .updateTable('queue_turns')
    .set({ turn: (last ?? 0) + 1 })
    .where('installation_id', '=', installationId)
    .execute()
}

/** `undefined` if the job's record or project is missing, which happens only in a damaged store. */
async function toLeasedJob(transaction: Kysely<Tables>, job: JobRow): Promise<LeasedJob | undefined> {
  const lease = { jobId: job.id, installationId: job.installation_id, attempt: job.attempt }
  const origin = readOrigin(job)
  const isBulk = job.bulk === 1
  if (job.kind === 'task') {
    const { installation_id: installationId, name, payload } = job
    return { kind: 'task', lease, name: name ?? '', installationId, payload: payload ?? '', isBulk, origin }
  }
  const stored = await findUpdate(transaction, job.id)
  const project = await transaction.selectFrom('projects').selectAll().where('id', '=', job.project_id).executeTakeFirst()
  if (!stored || !project) return undefined
  return {
    kind: job.kind === 'run' ? 'run' : 'report',
    lease,
    stored,
    project: toProject(project),
    validationOnly: job.validation_only === 1,
    isBulk,
    origin,
  }
}
