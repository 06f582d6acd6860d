import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Runs `work` in a transaction that is on the disk when the promise resolves; of a rejected one nothing stays. */
export type Write = <Value>(work: (transaction: Kysely<Tables>) => Promise<Value>) => Promise<Value>

/** Bounds how long one commit can hold up the process. */
const maxTogether = 64

/**
 * Lets writes that come at the same time share one commit, which is what costs: each is still all or nothing, by a savepoint of its own.
 *
 * Without this, twenty webhooks at once wait for twenty syncs of the disk, one after the other.
 */
export function createWriteTogether(writer: Kysely<Tables>): Write {
  const waiting: WaitingWrite[] = []
  let isRunning = false

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({
        async run(transaction) {
          const value = await work(transaction)
          return () => resolve(value)
        },
        reject,
      })
      if (!isRunning) void runAll()
    })

  async function runAll(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      // To the end of this round of the event loop: all that the network brought is there by then.
      await setImmediate()
      await runOnce(writer, waiting.splice(0, maxTogether))
    }
    isRunning = false
  }
}

interface WaitingWrite {
  /** Answers what is to be called once the commit is done. */
  run(transaction: Kysely<Tables>): Promise<() => void>
  reject(error: unknown): void
}

/** Never throws: every write hears for itself. */
async function runOnce(writer: Kysely<Tables>, writes: readonly WaitingWrite[]): Promise<void> {
  const tellSuccess: (() => void)[] = []
  const failures = new Map<WaitingWrite, unknown>()
  try {
    await writer.transaction().execute(async (transaction) => {
      for (const write of writes) {
        await sql`savepoint one_write`.execute(transaction)
        try {
          tellSuccess.push(await write.run(transaction))
        } catch (error) {
          failures.set(write, error)
          try {
            await sql`rollback to savepoint one_write`.execute(transaction)
          } catch {
            // SQLite has undone all of it, as it does on a full disk: the reason is this error, for every write.
            throw error
          }
        }
        await sql`release savepoint one_write`.execute(transaction)
      }
    })
  } catch (error) {
    // The whole transaction is gone, with the reason of its own failure for those that had one.
    for (const write of writes) write.reject(failures.get(write) ?? error)
    return
  }
  for (const tell of tellSuccess) tell()
  for (const [write, error] of failures) write.reject(error)
}
