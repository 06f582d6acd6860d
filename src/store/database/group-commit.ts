import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { collectChanges, type TableVersions } from './table-versions.ts'
import type { Tables } from './tables.ts'

/** Runs `work` in a transaction that is on disk when the promise resolves. A rejected one changes nothing. */
export type Write = <Value>(work: (transaction: Kysely<Tables>) => Promise<Value>) => Promise<Value>

/**
 * Lets simultaneous writes share one commit, the expensive part. Each keeps its own savepoint, so it succeeds or fails as a
 * whole.
 *
 * Without this, twenty simultaneous webhooks wait for twenty disk syncs in a row.
 *
 * @param change Called after each commit, before the writes resolve.
 */
export function createGroupCommit(writer: Kysely<Tables>, change: TableVersions['change']): Write {
  const writeTogether = groupCalls((works: readonly Work[]) => runOnce(writer, works, change))
  // `runOnce` returns what the work returned.
  return <Value>(work: (transaction: Kysely<Tables>) => Promise<Value>) => writeTogether(work) as Promise<Value>
}

type Work = (transaction: Kysely<Tables>) => Promise<unknown>

async function runOnce(
  writer: Kysely<Tables>,
  works: readonly Work[],
  change: TableVersions['change'],
): Promise<readonly Settled<unknown>[]> {
  const results: Settled<unknown>[] = []
  const tables = new Set<keyof Tables>()
  try {
    await writer.transaction().execute(async (transaction) => {
      const recorded = transaction.withPlugin(collectChanges(tables))
      for (const work of works) {
        await sql`savepoint one_write`.execute(transaction)
        try {
          results.push(toFulfilled(await work(recorded)))
        } catch (reason) {
          results.push({ status: 'rejected', reason })
          try {
            await sql`rollback to savepoint one_write`.execute(transaction)
          } catch {
            // SQLite has rolled back the whole transaction, as on a full disk: every write fails with this error.
            throw reason
          }
        }
        await sql`release savepoint one_write`.execute(transaction)
      }
    })
  } catch (error) {
    // The whole transaction failed. A write with its own error reports that one.
    return works.map((_work, index) => {
      const result = results[index]
      return result?.status === 'rejected' ? result : { status: 'rejected', reason: error }
    })
  }
  change(tables)
  return results
}

/** Limits how long one group takes, and so how long it can block the process. */
const maxGroupSize = 64

/** The result of a call, or its error. */
export type Settled<Result> = PromiseSettledResult<Result>

/**
 * Runs calls in groups, one group after another. Calls that arrive while a group runs, or in the same event loop round, are in the next one.
 *
 * @param run Returns the results in the order of the calls. If it rejects, all of them fail.
 */
export function groupCalls<Call, Result>(
  run: (calls: readonly Call[]) => Promise<readonly Settled<Result>[]>,
): (call: Call) => Promise<Result> {
  const waiting: WaitingCall<Call, Result>[] = []
  let isRunning = false
  const runAll = async () => {
    isRunning = true
    while (waiting.length > 0) {
      // Waits for the end of this event loop round, to collect all calls that the network caused.
      await setImmediate()
      const group = waiting.splice(0, maxGroupSize)
      try {
        const results = await run(group.map(({ call }) => call))
        for (const [index, { resolve, reject }] of group.entries()) {
          const result = results[index]
          if (result?.status === 'fulfilled') resolve(result.value)
          else reject(result?.reason)
        }
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    isRunning = false
  }
  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject })
      if (!isRunning) void runAll()
    })
}

interface WaitingCall<Call, Result> {
  readonly call: Call
  resolve(result: Result): void
  reject(error: unknown): void
}

export function toFulfilled<Result>(value: Result): Settled<Result> {
  return { status: 'fulfilled', value }
}
