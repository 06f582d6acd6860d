import { type Kysely, type RawBuilder, sql } from 'kysely'
import { groupBy } from '../source/group-by.ts'
import type { QueuedUpdate } from '../status/types.ts'
import { finishUpdate } from '../status/update-record.ts'
import { toQueueFullSummary, toSupersededSummary } from '../status/update-summary.ts'
import { endInQueue, insertJobs, toQueueInstallation, toRunJob, type WorkOrigin } from './job-rows.ts'
import { chunk, type StoreContext, toTime } from './store-context.ts'
import type { Tables } from './tables.ts'
import { findOpenUpdate, insertUpdates, type UpdateDetails } from './update-rows.ts'

/** A record to write and the job that runs it. */
export interface NewUpdate {
  /** Created by `queueUpdate` with an ID of `newId`. */
  readonly update: QueuedUpdate
  readonly details: UpdateDetails
  /**
   * - `push`: the key (project, ref, before, after) finds the record of the same push, unless the branch was moved back to
   *   `before` since. Supersedes older waiting updates of the branch. Needs `details.before`.
   * - `head`: no record when the project already has one for this sha.
   * - `tip`: no record when the newest record of the ref is for this sha, not counting records that were overtaken. For a branch
   *   whose tip was read from GitHub.
   * - `always`: re-runs, retries, API triggers.
   */
  readonly once: 'push' | 'head' | 'tip' | 'always'
  /** True for a re-run of a commit that is no longer the tip of its branch. */
  readonly validationOnly?: boolean
  /** The installation of the project when the work was planned; 0 if it has none. PostgreSQL accepts work faster if it is known. */
  readonly installationId?: number
}

/** `statusId` is the created or existing record; `undefined` if the project is unknown, deleted or disabled. */
export interface AcceptedUpdate {
  readonly projectId: string
  readonly outcome: 'created' | 'same-push' | 'same-head' | 'no-project'
  readonly statusId: string | undefined
}

/** An update of a delivery or a request. */
export interface ArrivedUpdate extends NewUpdate {
  readonly origin: WorkOrigin
  /** Receives the IDs of older records that end because of this one. */
  readonly superseded: string[]
}

/** The project was moved to another installation after the work was planned. */
export class InstallationChanged extends Error {}

/**
 * Writes the records of updates with their jobs. Reads and writes those of different projects together.
 *
 * @param installations The installations that the transaction has locked; absent if it has locked all.
 * @throws {InstallationChanged} if a project is in another one.
 */
export async function acceptUpdates(
  transaction: Kysely<Tables>,
  context: StoreContext,
  arrived: readonly ArrivedUpdate[],
  installations?: ReadonlySet<number>,
): Promise<ReadonlyMap<ArrivedUpdate, AcceptedUpdate>> {
  const accepted = new Map<ArrivedUpdate, AcceptedUpdate>()
  for (const round of toRounds(arrived)) {
    const targets = await findTargets(transaction, round)
    const created: CreatedUpdate[] = []
    for (const update of round) {
      const { projectId, _id: statusId } = update.update
      const target = targets.get(projectId)
      if (target && installations && !installations.has(target.installationId)) throw new InstallationChanged()
      const known = target && (await findKnown(transaction, update, target, toTime(context.now())))
      if (target && !known) created.push({ ...update, installationId: target.installationId })
      const outcome = target
        ? ({ outcome: 'created', statusId } as const)
        : ({ outcome: 'no-project', statusId: undefined } as const)
      accepted.set(update, { projectId, ...(known ?? outcome) })
    }
    if (created.length > 0) await createRecords(transaction, context, created)
  }
  return accepted
}

/** An update without a record so far. */
interface CreatedUpdate extends ArrivedUpdate {
  readonly installationId: number
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

/** An enabled project. */
interface Target {
  readonly installationId: number
  /** Whether the project has a record of the commit. */
  readonly hasRecord: boolean
}

/** Finds the projects of updates by their IDs. */
async function findTargets(transaction: Kysely<Tables>, round: readonly ArrivedUpdate[]): Promise<ReadonlyMap<string, Target>> {
  const { rows } = await sql<{
    readonly id: string
    readonly installation_id: number | null
    readonly has_record: number | boolean
  }>`
    with arrived (project_id, sha) as (values ${toRows(round, ({ update }) => [update.projectId, update.commit.sha])})
    select projects.id, projects.installation_id, exists (
      select 1 from updates where updates.project_id = arrived.project_id and updates.sha = arrived.sha
    ) as has_record
    from arrived join projects on projects.id = arrived.project_id
    where projects.enabled = 1 and projects.deleted_at is null`.execute(transaction)
  return new Map(
    rows.map((row) => [row.id, { installationId: toQueueInstallation(row.installation_id), hasRecord: Boolean(row.has_record) }]),
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
    checkPush(update)
    const statusId = hasRecord ? await findPush(transaction, update, receivedAt) : undefined
    return statusId === undefined ? undefined : { outcome: 'same-push', statusId }
  }
  const statusId =
    once === 'tip'
      ? await findAtTip(transaction, update)
      : once === 'head' && hasRecord
        ? await findByHead(transaction, projectId, commit.sha)
        : undefined
  return statusId === undefined ? undefined : { outcome: 'same-head', statusId }
}

/** Writes records and jobs. Ends older records of the branches and installations with too many waiting ones. */
async function createRecords(
  transaction: Kysely<Tables>,
  context: StoreContext,
  created: readonly CreatedUpdate[],
): Promise<void> {
  const pushes = created.filter(({ once }) => once === 'push')
  await insertPushKeys(
    transaction,
    pushes.map((push) => ({ push, updateId: push.update._id })),
    toTime(context.now()),
  )
  const branches = await findBranches(transaction, created)
  const isOvertaken = ({ once, update }: CreatedUpdate) =>
    once === 'push' && branches.get(update.projectId)?.hasLaterPush === true
  const toLimit = pushes.flatMap((push) => (isOvertaken(push) ? [] : (branches.get(push.update.projectId)?.toLimit ?? [])))
  await onlyValidate(transaction, toLimit)
  for (const { update, superseded } of created) {
    superseded.push(...(await endSuperseded(transaction, context, update, branches.get(update.projectId)?.waiting ?? [])))
  }
  await insertUpdates(transaction, created)
  await insertJobs(
    transaction,
    created.map((update) => toRunJob({ ...update, validationOnly: isOvertaken(update) || (update.validationOnly ?? false) })),
  )
  await endOverQuota(transaction, context, created)
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

/** Number of records of a ref to search for the one of its tip. */
const searchedRecords = 50

/** The record of the ref's current tip; `undefined` if a new one is needed. */
async function findAtTip(transaction: Kysely<Tables>, { update: { projectId, commit } }: NewUpdate): Promise<string | undefined> {
  const rows = await transaction
    .selectFrom('updates')
    .select(['id', 'sha', 'details', 'ended_at'])
    .where('project_id', '=', projectId)
    .where('ref', '=', commit.ref)
    .orderBy('id', 'desc')
    .limit(searchedRecords)
    .execute()
  const newest = rows.find(({ details }) => (JSON.parse(details) as UpdateDetails).overtaken !== true) // The store wrote it from this type.
  if (newest?.sha === commit.sha) return newest.id
  // Until the other records of the ref have run, it is unknown whether they were overtaken.
  return rows.some(({ ended_at: endedAt }) => endedAt === null) ? rows.find(({ sha }) => sha === commit.sha)?.id : undefined
}

/** @throws {Error} if the push has no key. */
function checkPush({ update, details }: NewUpdate): void {
  if (details.before === undefined) throw new Error(`Cannot accept push \`${update._id}\`: missing \`details.before\``)
}

/** The record of the same push, for a commit that has a record; `undefined` for a new push. */
async function findPush(transaction: Kysely<Tables>, push: NewUpdate, receivedAt: string): Promise<string | undefined> {
  const { update, details } = push
  const { ref, sha } = update.commit
  const { before = '' } = details
  const pushesOfRef = transaction.selectFrom('push_keys').where('project_id', '=', update.projectId).where('ref', '=', ref)
  const same = await pushesOfRef
    .select('update_id')
    .where('after_sha', '=', sha)
    .where('before_sha', '=', before)
    .executeTakeFirst()
  if (same) {
    // If a branch moves from `before` to `after` and back, moving to `after` again is a new push.
    const movedBack = await pushesOfRef
      .select('update_id')
      .where('after_sha', '=', before)
      .where('update_id', '>', same.update_id)
      .executeTakeFirst()
    return movedBack ? undefined : same.update_id
  }
  const found = await findRecordBeforeWebhook(transaction, update.projectId, update.commit)
  if (found !== undefined) await insertPushKeys(transaction, [{ push, updateId: found }], receivedAt)
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

/** The record that catch-up or a pull request created for this commit before the webhook of its push arrived. */
async function findRecordBeforeWebhook(
  transaction: Kysely<Tables>,
  projectId: string,
  { ref, sha }: NewUpdate['update']['commit'],
): Promise<string | undefined> {
  const rows = await transaction
    .selectFrom('updates')
    .select(['id', 'ref', 'details'])
    .where('project_id', '=', projectId)
    .where('sha', '=', sha)
    .orderBy('id', 'desc')
    .limit(searchedRecords)
    .execute()
  const found = rows.find((row) => {
    const { trigger } = JSON.parse(row.details) as UpdateDetails // The store wrote it from this type.
    return row.ref === ref && (trigger === 'catch-up' || trigger === 'pull_request')
  })
  if (!found) return undefined
  const keys = await transaction
    .selectFrom('push_keys')
    .select(['update_id', 'before_sha'])
    .where('project_id', '=', projectId)
    .where('ref', '=', ref)
    .where((expression) => expression.or([expression('update_id', '=', found.id), expression('before_sha', '=', sha)]))
    .limit(1)
    .execute()
  // If another push moved the branch there or further, this is a separate push.
  return keys.length === 0 ? found.id : undefined
}

/** The updates of a branch that have not ended. */
interface Branch {
  /** Of jobs that a newer push limits to validation. */
  readonly toLimit: readonly string[]
  /** Of waiting jobs, the newest first. */
  readonly waiting: readonly string[]
  /**
   * Whether a later push arrived first and has not ended yet: GitHub does not guarantee the order of webhooks.
   *
   * The later push begins where this one ends. If two pushes move a branch back and forth, each begins where the other ends; they
   * keep their order of arrival.
   */
  readonly hasLaterPush: boolean
}

/** Finds the branches with open updates, by the project of the update. */
async function findBranches(
  transaction: Kysely<Tables>,
  created: readonly CreatedUpdate[],
): Promise<ReadonlyMap<string, Branch>> {
  const values = toRows(created, ({ update: { projectId, commit }, details }) => [
    projectId,
    commit.ref,
    commit.sha,
    details.before ?? '',
  ])
  const { rows } = await sql<{
    readonly project_id: string
    readonly id: string
    readonly state: string
    readonly validation_only: number
    readonly is_later: number | boolean
  }>`
    with created (project_id, ref, sha, before_sha) as (values ${values})
    select jobs.project_id, jobs.id, jobs.state, jobs.validation_only, exists (
      select 1 from push_keys
      where push_keys.update_id = jobs.id and push_keys.before_sha = created.sha and push_keys.after_sha <> created.before_sha
    ) as is_later
    from created join jobs on jobs.project_id = created.project_id and jobs.ref = created.ref
    where jobs.kind = 'run'`.execute(transaction)
  return new Map(
    [...groupBy(rows, (row) => row.project_id)].map(([projectId, jobs]) => [
      projectId,
      {
        toLimit: jobs.filter((job) => job.validation_only === 0).map(({ id }) => id),
        waiting: jobs
          .filter(({ state }) => state === 'waiting')
          .map(({ id }) => id)
          .sort()
          .reverse(),
        hasLaterPush: jobs.some((job) => Boolean(job.is_later)),
      },
    ]),
  )
}

async function onlyValidate(transaction: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await transaction.updateTable('jobs').set({ validation_only: 1 }).where('id', 'in', ids).execute()
}

/** Ends the oldest waiting updates of a branch over its limit, counting the new one. */
async function endSuperseded(
  transaction: Kysely<Tables>,
  context: StoreContext,
  { commit }: QueuedUpdate,
  waiting: readonly string[],
): Promise<readonly string[]> {
  const ids = waiting.slice(Math.max(0, context.limits.maxWaitingPerBranch - 1))
  await endUnrun(transaction, context, ids, toSupersededSummary(commit.sha))
  return ids
}

/** Ends the oldest waiting updates of installations over their limit, validation-only ones first. */
async function endOverQuota(
  transaction: Kysely<Tables>,
  context: StoreContext,
  created: readonly CreatedUpdate[],
): Promise<void> {
  const most = context.limits.maxWaitingPerInstallation
  const waiting = transaction.selectFrom('jobs').where('kind', '=', 'run').where('state', '=', 'waiting')
  const newest = new Map(created.map((update) => [update.installationId, update]))
  const counts = await waiting
    .select((expression) => ['installation_id', expression.fn.countAll<number>().as('count')])
    .where('installation_id', 'in', [...newest.keys()])
    .groupBy('installation_id')
    .execute()
  for (const { installation_id: installationId, count } of counts) {
    const ids: string[] = []
    for (const validationOnly of [1, 0]) {
      const excess = Number(count) - most - ids.length
      if (excess <= 0) break
      const oldest = await waiting
        .select('id')
        .where('installation_id', '=', installationId)
        .where('validation_only', '=', validationOnly)
        .orderBy('id')
        .limit(Math.min(excess, 1_000))
        .execute()
      ids.push(...oldest.map(({ id }) => id))
    }
    await endUnrun(transaction, context, ids, toQueueFullSummary(most))
    newest.get(installationId)?.superseded.push(...ids)
  }
}

async function endUnrun(
  transaction: Kysely<Tables>,
  context: StoreContext,
  ids: readonly string[],
  summary: string,
): Promise<void> {
  const endedAt = toTime(context.now())
  for (const id of ids) {
    const open = await findOpenUpdate(transaction, id)
    await endInQueue(transaction, id, open && finishUpdate(open, { status: 'failure', summary, endedAt, logs: [] }), endedAt)
  }
}
