import type { Kysely } from 'kysely'
import type { QueuedUpdate } from '../status/types.ts'
import { finishUpdate } from '../status/update-record.ts'
import { toQueueFullSummary, toSupersededSummary } from '../status/update-summary.ts'
import { atOnce, endInQueue, insertRunJob, insertTask, type NewTask, toQueueInstallation, type WorkOrigin } from './job-rows.ts'
import { applyProjectChanges, type ProjectChange } from './project-changes.ts'
import { endSessions } from './session-store.ts'
import { recordApprovals, recordPullHeads } from './site-builds.ts'
import { type StoreContext, toTime } from './store-context.ts'
import { type AuditEntry, insertAudit } from './store-journal.ts'
import type { NewPreviewApproval, PullHead } from './stored-sites.ts'
import type { Tables } from './tables.ts'
import { findOpenUpdate, insertUpdate, type UpdateDetails } from './update-rows.ts'

export interface AcceptInput {
  /** The webhook delivery; absent for triggers, re-runs and catch-up. */
  readonly delivery?: { readonly id: string; readonly event: string }
  readonly idempotency?: IdempotencyKey
  readonly projectChanges?: readonly ProjectChange[]
  readonly updates?: readonly NewUpdate[]
  readonly tasks?: readonly NewTask[]
  /** Entries of deleted projects are ignored. */
  readonly pullHeads?: readonly PullHead[]
  /** Entries of deleted projects are ignored. */
  readonly previewApprovals?: readonly NewPreviewApproval[]
  /** GitHub IDs of users who revoked the app's authorization. Their sessions end. */
  readonly endSessionsOf?: readonly number[]
  readonly audit?: readonly AuditEntry[]
  /** Stored with each job. */
  readonly origin?: WorkOrigin
}

/** Valid for 24 hours per project. */
export interface IdempotencyKey {
  readonly projectId: string
  /** At most 255 characters. */
  readonly key: string
  /** SHA-256 of the request body, hexadecimal. Distinguishes a repeated request from a different one. */
  readonly bodyHash: string
}

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

export type AcceptResult =
  | { readonly kind: 'repeated-delivery' }
  | { readonly kind: 'key-conflict' }
  /** In the order of the first call. */
  | { readonly kind: 'repeated-key'; readonly statusIds: readonly string[] }
  /** In the order of `updates`. `superseded` has the IDs of older records that this call ended. */
  | { readonly kind: 'accepted'; readonly updates: readonly AcceptedUpdate[]; readonly superseded: readonly string[] }

/** `statusId` is the created or existing record; `undefined` if the project is unknown, deleted or disabled. */
interface AcceptedUpdate {
  readonly projectId: string
  readonly outcome: 'created' | 'same-push' | 'same-head' | 'no-project'
  readonly statusId: string | undefined
}

/** `Store.accept`: writes a delivery, its changes, records, jobs and tasks in one transaction. */
export async function acceptWork(context: StoreContext, input: AcceptInput): Promise<AcceptResult> {
  const installationId = findOnlyInstallation(input)
  if (installationId === undefined) return await context.write((transaction) => accept(transaction, context, input))
  try {
    return await context.writeFor(installationId, (transaction) => accept(transaction, context, input, installationId))
  } catch (error) {
    if (!(error instanceof InstallationChanged)) throw error
    return await context.write((transaction) => accept(transaction, context, input))
  }
}

/** The project was moved to another installation after the work was planned. */
class InstallationChanged extends Error {}

/** The installation of all work; `undefined` for unknown or several ones, and if there are changes that concern others. */
function findOnlyInstallation(input: AcceptInput): number | undefined {
  const { projectChanges = [], pullHeads = [], previewApprovals = [], endSessionsOf = [], updates = [], tasks = [] } = input
  if ([projectChanges, pullHeads, previewApprovals, endSessionsOf].some((changes) => changes.length > 0)) return undefined
  const installations = new Set([...updates, ...tasks].map(({ installationId }) => installationId))
  // A delivery without work.
  if (installations.size === 0) return 0
  const [installationId] = installations
  return installations.size === 1 ? installationId : undefined
}

/** @throws {InstallationChanged} if a project is not in this installation. */
async function accept(
  transaction: Kysely<Tables>,
  context: StoreContext,
  input: AcceptInput,
  onlyInstallation?: number,
): Promise<AcceptResult> {
  const earlier = input.idempotency && (await findKey(transaction, context, input.idempotency))
  if (earlier) return earlier
  if (input.delivery && !(await insertDelivery(transaction, input.delivery, toTime(context.now())))) {
    return { kind: 'repeated-delivery' }
  }
  const isAwaited = input.delivery !== undefined && (await takeRedeliveryRequest(transaction, input.delivery.id))
  await applyProjectChanges(transaction, context, input.projectChanges ?? [])
  const superseded: string[] = []
  const updates: AcceptedUpdate[] = []
  for (const newUpdate of input.updates ?? []) {
    const { details } = newUpdate
    const asSent = isAwaited ? { ...newUpdate, details: { ...details, mayHaveCheck: true as const } } : newUpdate
    updates.push(await acceptUpdate(transaction, context, asSent, { superseded, origin: input.origin ?? {}, onlyInstallation }))
  }
  for (const task of input.tasks ?? []) await insertTask(transaction, task, toTime(context.now()), input.origin)
  await recordPullHeads(transaction, input.pullHeads ?? [], context.newId)
  await recordApprovals(transaction, input.previewApprovals ?? [], toTime(context.now()))
  for (const userId of input.endSessionsOf ?? []) await endSessions(transaction, 'user_id', userId)
  for (const entry of input.audit ?? []) await insertAudit(transaction, context, entry)
  if (input.idempotency) {
    const statusIds = updates.flatMap(({ statusId }) => (statusId === undefined ? [] : [statusId]))
    await insertKey(transaction, input.idempotency, statusIds, toTime(context.now()))
  }
  return { kind: 'accepted', updates, superseded }
}

/** The result of an earlier call with an unexpired key; `undefined` for a new key. */
export async function findKey(
  transaction: Kysely<Tables>,
  context: StoreContext,
  { projectId, key, bodyHash }: IdempotencyKey,
): Promise<AcceptResult | undefined> {
  const row = await transaction
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!row || row.created_at <= toTime(context.now() - context.limits.keepIdempotencyKeysMs)) return undefined
  if (row.body_hash !== bodyHash) return { kind: 'key-conflict' }
  // Written by `insertKey` as a list of strings.
  return { kind: 'repeated-key', statusIds: JSON.parse(row.status_ids) as string[] }
}

export async function insertKey(
  transaction: Kysely<Tables>,
  { projectId, key, bodyHash }: IdempotencyKey,
  statusIds: readonly string[],
  createdAt: string,
): Promise<void> {
  const values = { body_hash: bodyHash, status_ids: JSON.stringify(statusIds), created_at: createdAt }
  await transaction
    .insertInto('idempotency_keys')
    .values({ project_id: projectId, key, ...values })
    // Replaces an expired key that `prune` has not deleted yet.
    .onConflict((conflict) => conflict.columns(['project_id', 'key']).doUpdateSet(values))
    .execute()
}

async function insertDelivery(
  transaction: Kysely<Tables>,
  delivery: { readonly id: string; readonly event: string },
  receivedAt: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await transaction
    .insertInto('deliveries')
    .values({ ...delivery, received_at: receivedAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Whether this delivery was requested from GitHub again. */
async function takeRedeliveryRequest(transaction: Kysely<Tables>, id: string): Promise<boolean> {
  const { numDeletedRows } = await transaction.deleteFrom('awaited_deliveries').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

interface AcceptOptions {
  /** Receives the IDs of ended records. */
  readonly superseded: string[]
  readonly origin: WorkOrigin
  /** The installation that the transaction has locked; `undefined` if it has locked all. */
  readonly onlyInstallation: number | undefined
}

async function acceptUpdate(
  transaction: Kysely<Tables>,
  context: StoreContext,
  newUpdate: NewUpdate,
  { superseded, origin, onlyInstallation }: AcceptOptions,
): Promise<AcceptedUpdate> {
  const { update, details, once } = newUpdate
  const { projectId } = update
  const project = await transaction
    .selectFrom('projects')
    .select(['installation_id', 'enabled'])
    .where('id', '=', projectId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (project?.enabled !== 1) return { projectId, outcome: 'no-project', statusId: undefined }
  const installationId = toQueueInstallation(project.installation_id)
  if (onlyInstallation !== undefined && onlyInstallation !== installationId) throw new InstallationChanged()
  if (once === 'head') {
    const known = await findByHead(transaction, projectId, update.commit.sha)
    if (known !== undefined) return { projectId, outcome: 'same-head', statusId: known }
  }
  if (once === 'tip') {
    const known = await findAtTip(transaction, newUpdate)
    if (known !== undefined) return { projectId, outcome: 'same-head', statusId: known }
  }
  if (once === 'push') {
    const known = await recordPush(transaction, newUpdate, toTime(context.now()))
    if (known !== undefined) return { projectId, outcome: 'same-push', statusId: known }
  }
  const branch = await findBranch(transaction, newUpdate)
  const isOvertaken = once === 'push' && branch.hasLaterPush
  if (once === 'push' && !isOvertaken) await onlyValidate(transaction, branch)
  superseded.push(...(await endSuperseded(transaction, context, update, branch)))
  superseded.push(...(await endOverQuota(transaction, context, installationId)))
  await insertUpdate(transaction, update, details)
  await insertRunJob(transaction, {
    update,
    installationId,
    validationOnly: isOvertaken || (newUpdate.validationOnly ?? false),
    availableAt: atOnce,
    origin,
  })
  return { projectId, outcome: 'created', statusId: update._id }
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

/** Writes the key of a push, or returns the record that has it. */
async function recordPush(
  transaction: Kysely<Tables>,
  { update, details }: NewUpdate,
  receivedAt: string,
): Promise<string | undefined> {
  const { before } = details
  if (before === undefined) throw new Error(`Cannot accept push \`${update._id}\`: missing \`details.before\``)
  const { ref, sha } = update.commit
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
    if (!movedBack) return same.update_id
  }
  const found = same ? undefined : await findRecordBeforeWebhook(transaction, update.projectId, update.commit)
  const values = { update_id: found ?? update._id, received_at: receivedAt }
  await transaction
    .insertInto('push_keys')
    .values({ project_id: update.projectId, ref, before_sha: before, after_sha: sha, ...values })
    .onConflict((conflict) => conflict.columns(['project_id', 'ref', 'after_sha', 'before_sha']).doUpdateSet(values))
    .execute()
  return found
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

async function findBranch(transaction: Kysely<Tables>, { update, details }: NewUpdate): Promise<Branch> {
  const { projectId, commit } = update
  const rows = await transaction
    .selectFrom('jobs')
    .select(['id', 'state', 'validation_only'])
    .where('project_id', '=', projectId)
    .where('ref', '=', commit.ref)
    .where('kind', '=', 'run')
    .execute()
  const ids = rows.map(({ id }) => id)
  const later =
    ids.length > 0 &&
    transaction
      .selectFrom('push_keys')
      .select('update_id')
      .where('project_id', '=', projectId)
      .where('ref', '=', commit.ref)
      .where('before_sha', '=', commit.sha)
      .where('after_sha', '!=', details.before ?? '')
      .where('update_id', 'in', ids)
      .limit(1)
      .executeTakeFirst()
  return {
    toLimit: rows.filter((row) => row.validation_only === 0).map(({ id }) => id),
    waiting: rows
      .filter((row) => row.state === 'waiting')
      .map(({ id }) => id)
      .sort()
      .reverse(),
    hasLaterPush: Boolean(await later),
  }
}

async function onlyValidate(transaction: Kysely<Tables>, { toLimit }: Branch): Promise<void> {
  if (toLimit.length === 0) return
  await transaction.updateTable('jobs').set({ validation_only: 1 }).where('id', 'in', toLimit).execute()
}

/** Ends the oldest waiting updates of a branch over its limit, counting the new one. */
async function endSuperseded(
  transaction: Kysely<Tables>,
  context: StoreContext,
  { commit }: QueuedUpdate,
  { waiting }: Branch,
): Promise<readonly string[]> {
  const ids = waiting.slice(Math.max(0, context.limits.maxWaitingPerBranch - 1))
  const endedAt = toTime(context.now())
  for (const id of ids) {
    const open = await findOpenUpdate(transaction, id)
    const ended = open && finishUpdate(open, { status: 'failure', summary: toSupersededSummary(commit.sha), endedAt, logs: [] })
    await endInQueue(transaction, id, ended, endedAt)
  }
  return ids
}

/** Ends the oldest waiting updates of an installation over its limit, counting a new one, validation-only ones first. */
async function endOverQuota(transaction: Kysely<Tables>, context: StoreContext, installationId: number): Promise<string[]> {
  const most = context.limits.maxWaitingPerInstallation
  const waiting = transaction
    .selectFrom('jobs')
    .where('installation_id', '=', installationId)
    .where('kind', '=', 'run')
    .where('state', '=', 'waiting')
  const { count } = await waiting.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const jobs: { id: string }[] = []
  for (const validationOnly of [1, 0]) {
    const excess = Number(count) + 1 - most - jobs.length
    if (excess <= 0) break
    const oldest = waiting.select('id').where('validation_only', '=', validationOnly).orderBy('id')
    jobs.push(...(await oldest.limit(Math.min(excess, 1_000)).execute()))
  }
  const endedAt = toTime(context.now())
  for (const { id } of jobs) {
    const open = await findOpenUpdate(transaction, id)
    const ended = open && finishUpdate(open, { status: 'failure', summary: toQueueFullSummary(most), endedAt, logs: [] })
    await endInQueue(transaction, id, ended, endedAt)
  }
  return jobs.map(({ id }) => id)
}
