import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { StoreError } from '../../text/errors.ts'
import { isFenced } from '../database/holds.ts'
import { type RecordSources, type StoreDatabase, type StoreLimits, toTime } from '../database/store-database.ts'
import type { Tables } from '../database/tables.ts'
import { endSessions } from '../people/people-store.ts'
import { applyProjectChanges, selectLiveProject } from '../records/project-changes.ts'
import { insertReport } from '../records/status-store.ts'
import { insertAudit } from '../records/store-journal.ts'
import { insertUpdates } from '../records/update-rows.ts'
import { recordApprovals, recordPullHeads } from '../sites/site-builds.ts'
import { type ArrivedUpdate, acceptUpdates } from './accept-updates.ts'
import { type AcceptInput, type AcceptResult, type EndedInput, type IdempotencyKey, type NewJob, toJob } from './jobs.ts'
import { wantStates } from './wanted.ts'

/**
 * The methods of `Store` that accept work.
 *
 * Webhooks that arrive while others are written share the next transaction and its statements. If one of them fails, the others do not.
 */
export function createAccept(database: StoreDatabase, sources: RecordSources, limits: StoreLimits) {
  const acceptAll: AcceptAll = (inputs) => database.write((transaction) => accept(transaction, inputs, { sources, limits }))
  const acceptTogether = groupInputs(acceptAll)
  const readOldestKeyTime = () => toTime(sources.now() - limits.keepIdempotencyKeysMs)
  return {
    /**
     * Accepts new work in one transaction: records the delivery, applies the project changes in order, then writes each record with
     * its jobs, then each task, then what is wanted on GitHub.
     *
     * A repeated delivery changes nothing (`repeated-delivery`). A repeated idempotency key with the same body returns the updates
     * of the first call (`repeated-key`). With another body nothing changes (`key-conflict`).
     */
    async accept(input: AcceptInput): Promise<AcceptResult> {
      // The work of a job checks the lease of this job only.
      if (canShare(input) && !isFenced()) return await acceptTogether(input)
      return await new Promise((resolve, reject) => void acceptGroup(acceptAll, [{ input, resolve, reject }]))
    },
    /**
     * Writes an ended record without a job: a report of the Action.
     *
     * With an idempotency key as in `accept`.
     */
    acceptEnded: (input: EndedInput) =>
      database.write(async (transaction) => {
        const earlier = input.idempotency && (await findKey(transaction, input.idempotency, readOldestKeyTime()))
        return earlier ?? (await insertEnded(transaction, input, toTime(sources.now())))
      }),
    /** The result of `accept` for a repeated key; `undefined` for a new one. */
    findRepeated: (key: IdempotencyKey) => findKey(database.reader, key, readOldestKeyTime()),
  }
}

/** Accepts inputs in one transaction. Returns the results in their order. */
type AcceptAll = (inputs: readonly AcceptInput[]) => Promise<AcceptResult[]>

/** Whether the input is a webhook with updates and tasks alone. The order of other changes matters. */
function canShare({
  delivery,
  idempotency,
  updates: _updates,
  tasks: _tasks,
  origin: _origin,
  ...changes
}: AcceptInput): boolean {
  const hasChanges = Object.values(changes).some((list) => list.length > 0)
  return delivery !== undefined && idempotency === undefined && !hasChanges
}

interface WaitingInput {
  readonly input: AcceptInput
  resolve(result: AcceptResult): void
  reject(error: unknown): void
}

/** Limits how long one group takes, and so how long it can block the process. */
const maxGroupSize = 64

/** Accepts inputs in groups, one group after another. Inputs that arrive meanwhile, or in the same event loop round, are in the next one. */
function groupInputs(acceptAll: AcceptAll): (input: AcceptInput) => Promise<AcceptResult> {
  const waiting: WaitingInput[] = []
  let isRunning = false
  const acceptWaiting = async () => {
    isRunning = true
    while (waiting.length > 0) {
      // Waits for the end of this event loop round, to collect all inputs that the network caused.
      await setImmediate()
      await acceptGroup(acceptAll, waiting.splice(0, maxGroupSize))
    }
    isRunning = false
  }
  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (!isRunning) void acceptWaiting()
    })
}

/** If inputs fail together, each is accepted alone: another one may be the cause. Never rejects. */
async function acceptGroup(acceptAll: AcceptAll, group: readonly WaitingInput[]): Promise<void> {
  try {
    const results = await acceptAll(group.map(({ input }) => input))
    for (const [index, result] of results.entries()) group[index]?.resolve(result)
  } catch (error) {
    const isShared = group.length > 1 && isCausedByInput(error)
    for (const one of group) {
      if (isShared) await acceptGroup(acceptAll, [one])
      else one.reject(error)
    }
  }
}

/** Whether other inputs may succeed. Source of the codes: https://www.postgresql.org/docs/current/errcodes-appendix.html. */
function isCausedByInput(error: unknown): boolean {
  return !(error instanceof StoreError) || /^(?:22|23|54|SQLITE_CONSTRAINT$|SQLITE_TOOBIG$)/.test(error.code ?? '')
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

/** Accepts inputs in order. The number of statements is the same for any number of pushes to different projects. */
async function accept(
  transaction: Kysely<Tables>,
  inputs: readonly AcceptInput[],
  { sources, limits }: { readonly sources: RecordSources; readonly limits: StoreLimits },
): Promise<AcceptResult[]> {
  const now = toTime(sources.now())
  const oldestKeyTime = toTime(sources.now() - limits.keepIdempotencyKeysMs)
  const openings = await openInputs(transaction, inputs, { now, oldestKeyTime })
  const opened = openings.filter(({ earlier }) => earlier === undefined)
  for (const { input } of opened) await applyProjectChanges(transaction, sources, input.projectChanges ?? [])
  const arrived = opened.flatMap(({ updates }) => updates)
  const tasks = opened.flatMap(({ input }) =>
    (input.tasks ?? []).map((task) => toJob('task', { ...task, createdAt: now, origin: input.origin })),
  )
  await deleteRefused(transaction, tasks)
  const accepted = await acceptUpdates(transaction, { now, limits }, arrived, tasks)
  const results: AcceptResult[] = []
  for (const { input, earlier, updates, superseded } of openings) {
    const result = earlier ?? { kind: 'accepted', updates: updates.flatMap((update) => accepted.get(update) ?? []), superseded }
    results.push(result)
    if (earlier || result.kind !== 'accepted') continue
    await wantStates(transaction, input.wanted ?? [], { origin: input.origin })
    await recordPullHeads(transaction, input.pullHeads ?? [], sources.newId)
    await recordApprovals(transaction, input.previewApprovals ?? [], now)
    for (const userId of input.endSessionsOf ?? []) await endSessions(transaction, 'user_id', userId)
    for (const entry of input.audit ?? []) await insertAudit(transaction, sources, entry)
    const statusIds = result.updates.flatMap(({ statusId }) => statusId ?? [])
    if (input.idempotency) await insertKey(transaction, input.idempotency, statusIds, now)
  }
  return results
}

/** Deletes the tasks that GitHub refuses and that these ones repeat: each try of a refused run may want the same. */
async function deleteRefused(transaction: Kysely<Tables>, tasks: readonly NewJob[]): Promise<void> {
  for (const { name = null, payload = null } of tasks) {
    const refused = transaction.deleteFrom('jobs').where('state', '=', 'waiting').where('answer', 'is not', null)
    await refused.where('name', '=', name).where('payload', '=', payload).execute()
  }
}

/** Finds the inputs that were accepted before. Writes the deliveries of the others. */
async function openInputs(
  transaction: Kysely<Tables>,
  inputs: readonly AcceptInput[],
  { now, oldestKeyTime }: { readonly now: string; readonly oldestKeyTime: string },
): Promise<Opening[]> {
  const repeated = new Map<AcceptInput, AcceptResult>()
  for (const input of inputs) {
    const earlier = input.idempotency && (await findKey(transaction, input.idempotency, oldestKeyTime))
    if (earlier) repeated.set(input, earlier)
  }
  const deliveries = inputs.flatMap((input) => (input.delivery && !repeated.has(input) ? [input.delivery] : []))
  const inserted = await insertDeliveries(transaction, deliveries, now)
  return inputs.map((input) => {
    const { delivery, origin = {} } = input
    const superseded: string[] = []
    // The group can contain a delivery twice.
    const isRepeated = delivery !== undefined && !inserted.delete(delivery.id)
    const earlier = repeated.get(input) ?? (isRepeated ? ({ kind: 'repeated-delivery' } as const) : undefined)
    const updates = (input.updates ?? []).map((update): ArrivedUpdate => ({ ...update, origin, superseded }))
    return { input, earlier, updates, superseded }
  })
}

/** The result of an earlier call with an unexpired key; `undefined` for a new key. */
async function findKey(
  transaction: Kysely<Tables>,
  { projectId, key, bodyHash }: IdempotencyKey,
  oldestTime: string,
): Promise<AcceptResult | undefined> {
  const row = await transaction
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!row || row.created_at <= oldestTime) return undefined
  if (row.body_hash !== bodyHash) return { kind: 'key-conflict' }
  // Written by `insertKey` as a list of strings.
  return { kind: 'repeated-key', statusIds: JSON.parse(row.status_ids) as string[] }
}

async function insertKey(
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

async function insertEnded(
  transaction: Kysely<Tables>,
  { update, details, report, idempotency }: EndedInput,
  now: string,
): Promise<AcceptResult> {
  const { projectId } = update
  const project = await selectLiveProject(transaction, projectId).select('id').executeTakeFirst()
  if (!project) return { kind: 'accepted', updates: [{ projectId, outcome: 'no-project', statusId: undefined }], superseded: [] }
  await insertUpdates(transaction, [{ update, details }])
  await insertReport(transaction, update._id, { report })
  if (idempotency) await insertKey(transaction, idempotency, [update._id], now)
  return { kind: 'accepted', updates: [{ projectId, outcome: 'created', statusId: update._id }], superseded: [] }
}

/** Returns the IDs of the deliveries that are new. */
async function insertDeliveries(
  transaction: Kysely<Tables>,
  deliveries: readonly { readonly id: string; readonly event: string }[],
  receivedAt: string,
): Promise<Set<string>> {
  if (deliveries.length === 0) return new Set()
  const rows = await transaction
    .insertInto('deliveries')
    .values(deliveries.map(({ id, event }) => ({ id, event, received_at: receivedAt })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}
