import { type Kysely, type RawBuilder, sql } from 'kysely'
import { toQueueFullSummary, toSupersededSummary } from '../../status/update-record.ts'
import { chunk, type StoreLimits } from '../database/store-database.ts'
import type { Tables } from '../database/tables.ts'
import { toQueueInstallation } from '../records/project-changes.ts'
import { isBulk } from '../records/stored-records.ts'
import { findForTip, findUpdate, forgetLooks, insertUpdates, mergeDetails, toDetails } from '../records/update-rows.ts'
import { type AcceptedUpdate, insertJobs, type NewJob, type NewUpdate, toJob, type WorkOrigin } from './jobs.ts'
import { failInQueue, toWantedJob } from './wanted.ts'

/** An update of a delivery or a request. */
export interface ArrivedUpdate extends NewUpdate {
  readonly origin: WorkOrigin
  /** Receives the IDs of older records that end because of this one. */
  readonly superseded: string[]
}

interface AcceptTerms {
  readonly now: string
  readonly limits: StoreLimits
}

/**
 * Writes the records of updates with their jobs. Reads and writes those of different projects together.
 *
 * @param tasks Other jobs to insert in the same statement.
 */
export async function acceptUpdates(
  transaction: Kysely<Tables>,
  terms: AcceptTerms,
  arrived: readonly ArrivedUpdate[],
  tasks: readonly NewJob[],
): Promise<ReadonlyMap<ArrivedUpdate, AcceptedUpdate>> {
  const accepted = new Map<ArrivedUpdate, AcceptedUpdate>()
  const all: CreatedUpdate[] = []
  let jobs: NewJob[] = []
  for (const round of toRounds(arrived)) {
    // The next round reads the jobs of this one.
    await insertJobs(transaction, jobs)
    const targets = await findTargets(transaction, round)
    const created: CreatedUpdate[] = []
    for (const update of round) {
      const { projectId, _id: statusId } = update.update
      const target = targets.get(projectId)
      const known = target && (await findKnown(transaction, update, target, terms.now))
      if (target && !known) created.push({ ...update, target })
      const outcome = target
        ? ({ outcome: 'created', statusId } as const)
        : ({ outcome: 'no-project', statusId: undefined } as const)
      accepted.set(update, { projectId, ...(known ?? outcome) })
    }
    await createRecords(transaction, created, terms)
    jobs = created.flatMap(toJobs)
    all.push(...created)
  }
  await insertJobs(transaction, [...jobs, ...tasks])
  await endOverQuota(transaction, all, terms)
  return accepted
}

/** An update without a record so far. */
interface CreatedUpdate extends ArrivedUpdate {
  readonly target: Target
}

/** Limits the size of statements. */
const maxRoundSize = 100

/** Updates of the same project depend on each other, so each round has one of each project. */
function toRounds(arrived: readonly ArrivedUpdate[]): ArrivedUpdate[][] {
  const rounds: ArrivedUpdate[][] = []
  const counts = new Map<string, number>()
  for (const update of arrived) {
    const { projectId } = update.update
    const count = counts.get(projectId) ?? 0
    counts.set(projectId, count + 1)
    const round = rounds[count] ?? []
    round.push(update)
    rounds[count] = round
  }
  return rounds.flatMap((round) => chunk(round, maxRoundSize))
}

/** An enabled project, with what the store knows about the branch and the commit of an update. */
interface Target {
  readonly installationId: number
  /** Whether the project has a record of the commit. */
  readonly hasRecord: boolean
  /**
   * Whether a later push arrived first and has not ended yet: GitHub does not guarantee the order of webhooks.
   *
   * The later push begins where this one ends. If two pushes move a branch back and forth, each begins where the other ends; they
   * keep their order of arrival.
   */
  readonly isOvertaken: boolean
  /** Number of waiting updates of the branch. */
  readonly waitingOfBranch: number
}

/** Finds the projects of updates by their IDs. */
async function findTargets(transaction: Kysely<Tables>, round: readonly ArrivedUpdate[]): Promise<ReadonlyMap<string, Target>> {
  const values = toRows(round, ({ update: { projectId, commit }, details }) => [
    projectId,
    commit.ref,
    commit.sha,
    details.before ?? '',
  ])
  const { rows } = await sql<{
    readonly id: string
    readonly installation_id: number | null
    readonly has_record: number | boolean
    readonly is_overtaken: number | boolean
    readonly waiting_of_branch: number
  }>`
    with arrived (project_id, ref, sha, before_sha) as (values ${values})
    select projects.id, projects.installation_id,
      exists (
        select 1 from updates where updates.project_id = arrived.project_id and updates.sha = arrived.sha
      ) as has_record,
      exists (
        select 1 from jobs join push_keys on push_keys.update_id = jobs.id
        where jobs.project_id = arrived.project_id and jobs.ref = arrived.ref and jobs.kind = 'run'
          and push_keys.before_sha = arrived.sha and push_keys.after_sha <> arrived.before_sha
      ) as is_overtaken,
      (
        select count(*) from jobs
        where jobs.project_id = arrived.project_id and jobs.ref = arrived.ref and jobs.kind = 'run' and jobs.state = 'waiting'
      ) as waiting_of_branch
    from arrived join projects on projects.id = arrived.project_id
    where projects.id in (${sql.join(round.map(({ update }) => update.projectId))})
      and projects.enabled = 1 and projects.deleted_at is null`.execute(transaction)
  return new Map(
    rows.map((row) => [
      row.id,
      {
        installationId: toQueueInstallation(row.installation_id),
        hasRecord: Boolean(row.has_record),
        isOvertaken: Boolean(row.is_overtaken),
        waitingOfBranch: row.waiting_of_branch,
      },
    ]),
  )
}

function toRows<Item>(items: readonly Item[], toValues: (item: Item) => readonly unknown[]): RawBuilder<unknown> {
  return sql.join(items.map((item) => sql`(${sql.join(toValues(item))})`))
}

/** The existing record of an update, by its `once`. */
async function findKnown(
  transaction: Kysely<Tables>,
  update: ArrivedUpdate,
  { hasRecord }: Target,
  receivedAt: string,
): Promise<{ readonly outcome: 'same-push' | 'same-head'; readonly statusId: string } | undefined> {
  const { once } = update
  const { projectId, commit } = update.update
  if (once === 'push') {
    if (update.details.before === undefined)
      throw new Error(`Cannot accept push \`${update.update._id}\`: missing \`details.before\``)
    const pushed = hasRecord ? await findPush(transaction, update, receivedAt) : undefined
    // A new branch at a commit of another one shows its check.
    const isNewBranch = hasRecord && /^0+$/.test(update.details.before ?? '')
    const tip = { projectId, ref: commit.ref, sha: commit.sha }
    const statusId = pushed ?? (isNewBranch ? await findForTip(transaction, tip) : undefined)
    return statusId === undefined ? undefined : { outcome: 'same-push', statusId }
  }
  const statusId =
    once === 'tip'
      ? await findForTip(transaction, { projectId, ref: commit.ref, sha: commit.sha, overcome: update.overcome })
      : once === 'head' && hasRecord
        ? await findByHead(transaction, projectId, commit.sha)
        : undefined
  return statusId === undefined ? undefined : { outcome: 'same-head', statusId }
}

/** Writes records without their jobs. Limits and ends older ones of the branches. */
async function createRecords(transaction: Kysely<Tables>, created: readonly CreatedUpdate[], terms: AcceptTerms): Promise<void> {
  if (created.length === 0) return
  const pushes = created.filter(({ once }) => once === 'push')
  await insertPushKeys(
    transaction,
    pushes.map((push) => ({ push, updateId: push.update._id })),
    terms.now,
  )
  await preferOver(
    transaction,
    created.filter(({ once, target }) => once === 'tip' || (once === 'push' && !target.isOvertaken)),
  )
  for (const update of created) await endSuperseded(transaction, update, terms)
  await insertUpdates(transaction, created)
}

/** The run of a record, and its check, which GitHub shows before the run begins. */
function toJobs(created: CreatedUpdate): readonly NewJob[] {
  const { once, target, update, details, origin, validationOnly = false } = created
  const { _id: id, projectId, createdAt, commit } = update
  const shared = { projectId, createdAt, installationId: target.installationId, isBulk: isBulk(details), origin }
  const isOvertaken = once === 'push' && target.isOvertaken
  return [
    toWantedJob(id, 'check', shared),
    toJob('run', { ...shared, id, ref: commit.ref, validationOnly: validationOnly || isOvertaken }),
  ]
}

async function findByHead(transaction: Kysely<Tables>, projectId: string, sha: string): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('updates')
    .select('id')
    .where('project_id', '=', projectId)
    .where('sha', '=', sha)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row?.id
}

/** The record of the same push, for a commit that has a record; `undefined` for a new push. */
async function findPush(transaction: Kysely<Tables>, push: NewUpdate, receivedAt: string): Promise<string | undefined> {
  const { update, details } = push
  const { ref, sha } = update.commit
  const { before = '', pushedAt } = details
  const same = await transaction
    .selectFrom('push_keys')
    .select('update_id')
    .where('project_id', '=', update.projectId)
    .where('ref', '=', ref)
    .where('after_sha', '=', sha)
    .where('before_sha', '=', before)
    .executeTakeFirst()
  if (same) {
    const stored = await findUpdate(transaction, same.update_id)
    return stored?.details.pushedAt === pushedAt ? same.update_id : undefined
  }
  const found = await findRecordBeforeWebhook(transaction, push)
  if (found === undefined) return undefined
  await insertPushKeys(transaction, [{ push, updateId: found }], receivedAt)
  // Without a webhook, the commit before is only the newest one that the store knew.
  await mergeDetails(transaction, found, { before, ...(pushedAt !== undefined && { pushedAt }) })
  return found
}

async function insertPushKeys(
  transaction: Kysely<Tables>,
  keys: readonly { readonly push: NewUpdate; readonly updateId: string }[],
  receivedAt: string,
): Promise<void> {
  if (keys.length === 0) return
  await transaction
    .insertInto('push_keys')
    .values(
      keys.map(({ push: { update, details }, updateId }) => ({
        project_id: update.projectId,
        ref: update.commit.ref,
        before_sha: details.before ?? '',
        after_sha: update.commit.sha,
        update_id: updateId,
        received_at: receivedAt,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'ref', 'after_sha', 'before_sha']).doUpdateSet((row) => ({
        update_id: row.ref('excluded.update_id'),
        received_at: row.ref('excluded.received_at'),
      })),
    )
    .execute()
}

/** Number of records of a commit to search. */
const searchedRecords = 50

/** The record that catch-up or a pull request created for this commit before the webhook of its push arrived. */
async function findRecordBeforeWebhook(transaction: Kysely<Tables>, push: NewUpdate): Promise<string | undefined> {
  const { projectId, commit } = push.update
  const rows = await transaction
    .selectFrom('updates')
    .select(['id', 'ref', 'details'])
    .where('project_id', '=', projectId)
    .where('sha', '=', commit.sha)
    .orderBy('id', 'desc')
    .limit(searchedRecords)
    .execute()
  const found = rows.find((row) => {
    const { trigger } = toDetails(row)
    return row.ref === commit.ref && (trigger === 'catch-up' || trigger === 'pull_request')
  })
  if (!found) return undefined
  const wasPushed = await transaction
    .selectFrom('push_keys')
    .select('update_id')
    .where('update_id', '=', found.id)
    .limit(1)
    .executeTakeFirst()
  return wasPushed || (await hasMovedOn(transaction, push)) ? undefined : found.id
}

/** Whether known pushes moved the branch from the commit of this push to where this push begins, so that it moved the branch back. */
async function hasMovedOn(transaction: Kysely<Tables>, { update, details }: NewUpdate): Promise<boolean> {
  const { projectId, commit } = update
  const { rows } = await sql`
    with recursive moved (sha) as (
      select after_sha from push_keys where project_id = ${projectId} and ref = ${commit.ref} and before_sha = ${commit.sha}
      union
      select push_keys.after_sha from push_keys join moved on push_keys.before_sha = moved.sha
      where push_keys.project_id = ${projectId} and push_keys.ref = ${commit.ref}
    )
    select 1 from moved where sha = ${details.before ?? ''}`.execute(transaction)
  return rows.length > 0
}

/**
 * Lets these updates run before the others of their branches, which probably only validate. This is a guess by the order of arrival: each run
 * finds out from GitHub whether its commit is the tip of the branch.
 */
async function preferOver(transaction: Kysely<Tables>, newer: readonly CreatedUpdate[]): Promise<void> {
  if (newer.length === 0) return
  const branches = toRows(newer, ({ update: { projectId, commit } }) => [projectId, commit.ref])
  await transaction
    .updateTable('jobs')
    .set({ validation_only: 1 })
    .where('kind', '=', 'run')
    .where('validation_only', '=', 0)
    .where(sql<boolean>`(project_id, ref) in (values ${branches})`)
    .execute()
}

/** Ends the oldest waiting updates of a branch over its limit, counting the new one. */
async function endSuperseded(
  transaction: Kysely<Tables>,
  { update: { projectId, commit }, target, superseded }: CreatedUpdate,
  { now, limits }: AcceptTerms,
): Promise<void> {
  const keptCount = Math.max(0, limits.maxWaitingPerBranch - 1)
  if (target.waitingOfBranch <= keptCount) return
  const oldest = await transaction
    .selectFrom('jobs')
    .select('id')
    .where('project_id', '=', projectId)
    .where('ref', '=', commit.ref)
    .where('kind', '=', 'run')
    .where('state', '=', 'waiting')
    .orderBy('id', 'desc')
    .offset(keptCount)
    .limit(1_000)
    .execute()
  const ids = oldest.map(({ id }) => id)
  const details = { overtaken: true, overtakenBy: commit.sha } as const
  await endUnrun(transaction, ids, { summary: toSupersededSummary(commit.sha), endedAt: now, details })
  superseded.push(...ids)
}

/** Ends the oldest waiting updates of installations over their limit: first those that only validate, then bulk work. */
async function endOverQuota(
  transaction: Kysely<Tables>,
  created: readonly CreatedUpdate[],
  { now, limits }: AcceptTerms,
): Promise<void> {
  if (created.length === 0) return
  const most = limits.maxWaitingPerInstallation
  const waiting = transaction.selectFrom('jobs').where('kind', '=', 'run').where('state', '=', 'waiting')
  const newest = new Map(created.map((update) => [update.target.installationId, update]))
  const counts = await waiting
    .select((expression) => ['installation_id', expression.fn.countAll<number>().as('count')])
    .where('installation_id', 'in', [...newest.keys()])
    .groupBy('installation_id')
    .execute()
  for (const { installation_id: installationId, count } of counts) {
    const excess = Number(count) - most
    if (excess <= 0) continue
    const oldest = await waiting
      .select('id')
      .where('installation_id', '=', installationId)
      .orderBy('validation_only', 'desc')
      .orderBy('bulk', 'desc')
      .orderBy('id')
      .limit(Math.min(excess, 1_000))
      .execute()
    const ids = oldest.map(({ id }) => id)
    await endUnrun(transaction, ids, { summary: toQueueFullSummary(most), endedAt: now })
    newest.get(installationId)?.superseded.push(...ids)
  }
}

async function endUnrun(
  transaction: Kysely<Tables>,
  ids: readonly string[],
  end: Parameters<typeof failInQueue>[2],
): Promise<void> {
  if (ids.length === 0) return
  // Nothing is wrong with the commit.
  const details = { ...end.details, checkConclusion: 'neutral' } as const
  for (const id of ids) await failInQueue(transaction, id, { ...end, details })
  // One of them may have been the tip of its branch.
  const jobs = await transaction.selectFrom('jobs').select('project_id').distinct().where('id', 'in', ids).execute()
  await forgetLooks(
    transaction,
    jobs.map((job) => job.project_id),
  )
}
