import { type Kysely, sql } from 'kysely'
import { groupCalls, type Settled, toFulfilled } from '../database/combine-calls.ts'
import { isFenced } from '../database/fenced-writes.ts'
import { type StoreContext, StoreError, toTime } from '../database/store-context.ts'
import type { Tables } from '../database/tables.ts'
import { endSessions } from '../people/session-store.ts'
import { type NewTask, toTaskJob, type WorkOrigin } from '../records/job-rows.ts'
import { applyProjectChanges, type ProjectChange } from '../records/project-changes.ts'
import { type AuditEntry, insertAudit } from '../records/store-journal.ts'
import { recordApprovals, recordPullHeads } from '../sites/site-builds.ts'
import type { NewPreviewApproval, PullHead } from '../sites/stored-sites.ts'
import { type AcceptedUpdate, type ArrivedUpdate, acceptUpdates, InstallationChanged, type NewUpdate } from './accept-updates.ts'

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

export type AcceptResult =
  | { readonly kind: 'repeated-delivery' }
  | { readonly kind: 'key-conflict' }
  /** In the order of the first call. */
  | { readonly kind: 'repeated-key'; readonly statusIds: readonly string[] }
  /** In the order of `updates`. `superseded` has the IDs of older records that this call ended. */
  | { readonly kind: 'accepted'; readonly updates: readonly AcceptedUpdate[]; readonly superseded: readonly string[] }

/**
 * `Store.accept`: writes a delivery, its changes, records, jobs and tasks in one transaction.
 *
 * Webhooks that arrive while others are written share the next transaction and its statements. If one of them fails, the others do not.
 */
export function createAccept(context: StoreContext): (input: AcceptInput) => Promise<AcceptResult> {
  const acceptTogether = groupCalls((inputs: readonly AcceptInput[]) => acceptGroup(context, inputs))
  return async (input) => {
    // The work of a job checks the lease of this job only.
    if (canShare(input) && !isFenced()) return await acceptTogether(input)
    return await acceptOne(context, input)
  }
}

/** Whether the input is a webhook that depends only on data of known installations. */
function canShare(input: AcceptInput): boolean {
  return input.delivery !== undefined && input.idempotency === undefined && listInstallations(input) !== undefined
}

async function acceptGroup(context: StoreContext, inputs: readonly AcceptInput[]): Promise<Settled<AcceptResult>[]> {
  try {
    return (await acceptInTransaction(context, inputs)).map(toFulfilled)
  } catch (error) {
    if (inputs.length === 1 || !isCausedByInput(error)) throw error
  }
  const results: Settled<AcceptResult>[] = []
  for (const input of inputs) results.push(...(await Promise.allSettled([acceptOne(context, input)])))
  return results
}

/** Whether other inputs may succeed. Source of the codes: https://www.postgresql.org/docs/current/errcodes-appendix.html. */
function isCausedByInput(error: unknown): boolean {
  return !(error instanceof StoreError) || /^(?:22|23|54|SQLITE_CONSTRAINT$|SQLITE_TOOBIG$)/.test(error.code ?? '')
}

async function acceptOne(context: StoreContext, input: AcceptInput): Promise<AcceptResult> {
  const [result] = await acceptInTransaction(context, [input])
  if (!result) throw new Error('no result')
  return result
}

/** Returns the results in the order of the inputs. */
async function acceptInTransaction(context: StoreContext, inputs: readonly AcceptInput[]): Promise<AcceptResult[]> {
  const installations = inputs.map(listInstallations)
  const known = installations.flatMap((ids) => ids ?? [])
  const all = async () => await context.write((transaction) => accept(transaction, context, inputs))
  if (installations.includes(undefined)) return await all()
  try {
    return await context.writeFor(known, (transaction) => accept(transaction, context, inputs, new Set(known)))
  } catch (error) {
    if (!(error instanceof InstallationChanged)) throw error
    return await all()
  }
}

/** The installations of all work; `undefined` if one is unknown, and if there are changes that concern others. */
function listInstallations(input: AcceptInput): readonly number[] | undefined {
  const { projectChanges = [], pullHeads = [], previewApprovals = [], endSessionsOf = [], updates = [], tasks = [] } = input
  if ([projectChanges, pullHeads, previewApprovals, endSessionsOf].some((changes) => changes.length > 0)) return undefined
  const installations: number[] = []
  for (const { installationId } of [...updates, ...tasks]) {
    if (installationId === undefined) return undefined
    installations.push(installationId)
  }
  return installations
}

/** An input with its result so far. */
interface Opening {
  readonly input: AcceptInput
  /** The result of an input that was accepted before. */
  readonly earlier: AcceptResult | undefined
  readonly updates: readonly ArrivedUpdate[]
  /** The IDs of older records that the input ended. */
  readonly superseded: string[]
}

/**
 * Accepts inputs in order. The number of statements is the same for any number of pushes to different projects.
 *
 * @throws {InstallationChanged} if a project is not in one of these installations.
 */
async function accept(
  transaction: Kysely<Tables>,
  context: StoreContext,
  inputs: readonly AcceptInput[],
  installations?: ReadonlySet<number>,
): Promise<AcceptResult[]> {
  const now = toTime(context.now())
  const openings = await openInputs(transaction, context, inputs)
  const opened = openings.filter(({ earlier }) => earlier === undefined)
  for (const { input } of opened) await applyProjectChanges(transaction, context, input.projectChanges ?? [])
  const arrived = opened.flatMap(({ updates }) => updates)
  const tasks = opened.flatMap(({ input }) => (input.tasks ?? []).map((task) => toTaskJob(task, now, input.origin)))
  const accepted = await acceptUpdates(transaction, context, arrived, tasks, installations)
  const results: AcceptResult[] = []
  for (const { input, earlier, updates, superseded } of openings) {
    const result = earlier ?? { kind: 'accepted', updates: updates.flatMap((update) => accepted.get(update) ?? []), superseded }
    results.push(result)
    if (earlier || result.kind !== 'accepted') continue
    await recordPullHeads(transaction, input.pullHeads ?? [], context.newId)
    await recordApprovals(transaction, input.previewApprovals ?? [], now)
    for (const userId of input.endSessionsOf ?? []) await endSessions(transaction, 'user_id', userId)
    for (const entry of input.audit ?? []) await insertAudit(transaction, context, entry)
    const statusIds = result.updates.flatMap(({ statusId }) => statusId ?? [])
    if (input.idempotency) await insertKey(transaction, input.idempotency, statusIds, now)
  }
  return results
}

/** Finds the inputs that were accepted before. Writes the deliveries of the others. */
async function openInputs(
  transaction: Kysely<Tables>,
  context: StoreContext,
  inputs: readonly AcceptInput[],
): Promise<Opening[]> {
  const repeated = new Map<AcceptInput, AcceptResult>()
  for (const input of inputs) {
    const earlier = input.idempotency && (await findKey(transaction, context, input.idempotency))
    if (earlier) repeated.set(input, earlier)
  }
  const deliveries = inputs.flatMap((input) => (input.delivery && !repeated.has(input) ? [input.delivery] : []))
  const inserted = await insertDeliveries(transaction, deliveries, toTime(context.now()))
  return inputs.map((input) => {
    const { delivery, origin = {} } = input
    const superseded: string[] = []
    const isAwaited = delivery !== undefined && inserted.get(delivery.id) === true
    // The group can contain a delivery twice.
    const isRepeated = delivery !== undefined && !inserted.delete(delivery.id)
    const earlier = repeated.get(input) ?? (isRepeated ? ({ kind: 'repeated-delivery' } as const) : undefined)
    const updates = (input.updates ?? []).map((update): ArrivedUpdate => {
      const details = isAwaited ? { ...update.details, mayHaveCheck: true as const } : update.details
      return { ...update, details, origin, superseded }
    })
    return { input, earlier, updates, superseded }
  })
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

/** Returns the IDs of the deliveries that are new, and whether each was requested from GitHub again. */
async function insertDeliveries(
  transaction: Kysely<Tables>,
  deliveries: readonly { readonly id: string; readonly event: string }[],
  receivedAt: string,
): Promise<Map<string, boolean>> {
  if (deliveries.length === 0) return new Map()
  const rows = await transaction
    .insertInto('deliveries')
    .values(deliveries.map(({ id, event }) => ({ id, event, received_at: receivedAt })))
    .onConflict((conflict) => conflict.doNothing())
    .returning([
      'id',
      sql<number | boolean>`exists (select 1 from awaited_deliveries where awaited_deliveries.id = deliveries.id)`.as(
        'is_awaited',
      ),
    ])
    .execute()
  const awaited = rows.filter((row) => Boolean(row.is_awaited)).map(({ id }) => id)
  if (awaited.length > 0) await transaction.deleteFrom('awaited_deliveries').where('id', 'in', awaited).execute()
  return new Map(rows.map((row) => [row.id, Boolean(row.is_awaited)]))
}
