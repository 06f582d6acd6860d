import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'
import type { Lease } from '../records/job-rows.ts'
import type { Hold } from './keep-hold.ts'
import type { StoreContext } from './store-context.ts'
import type { Tables } from './tables.ts'

/** The job's lease was lost, so this attempt may not write any more. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

/** What the current work depends on. */
interface Scope {
  readonly lease?: Lease
  readonly holds: readonly Hold[]
}

const scopes = new AsyncLocalStorage<Scope>()

/**
 * Runs the work of a job. Each of its writes to the store fails with `LeaseLostError` once another attempt has begun or the lease was revoked.
 */
export function withLease<Value>(lease: Lease, work: () => Promise<Value>): Promise<Value> {
  return scopes.run({ holds: [], ...scopes.getStore(), lease }, work)
}

/** Runs work whose writes to the store fail once the hold is lost. */
export function withHold<Value>(hold: Hold, work: () => Promise<Value>): Promise<Value> {
  const scope = scopes.getStore()
  return scopes.run({ ...scope, holds: [...(scope?.holds ?? []), hold] }, work)
}

/** Whether the running work has a lease or a hold, which its writes check. */
export function isFenced(): boolean {
  return scopes.getStore() !== undefined
}

/** Checks the lease of the current job in each transaction. */
export function fenceWrites({
  write,
  writeFor,
}: Pick<StoreContext, 'write' | 'writeFor'>): Pick<StoreContext, 'write' | 'writeFor'> {
  return {
    write: (work) => fence(work, write),
    writeFor: (installationIds, work) => fence(work, (fenced) => writeFor(installationIds, fenced)),
  }
}

async function fence<Value>(work: Work<Value>, write: (work: Work<Value>) => Promise<Value>): Promise<Value> {
  // Read here, because a group commit runs the work of several jobs.
  const scope = scopes.getStore()
  if (!scope) return await write(work)
  const { lease, holds } = scope
  for (const hold of holds) await hold.confirm()
  return await write(async (transaction) => {
    if (lease && !(await isHeld(transaction, lease))) throw new LeaseLostError(`Attempt ${lease.attempt} of the job was lost`)
    return await work(transaction)
  })
}

type Work<Value> = (transaction: Kysely<Tables>) => Promise<Value>

async function isHeld(transaction: Kysely<Tables>, { jobId, attempt }: Lease): Promise<boolean> {
  const row = await transaction
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', jobId)
    .where('attempt', '=', attempt)
    .where('state', '=', 'leased')
    .executeTakeFirst()
  return row !== undefined
}
