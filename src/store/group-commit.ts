import { type Kysely, sql } from 'kysely'
import { groupCalls } from './combine-calls.ts'
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
  const add = groupCalls((writes: readonly WaitingWrite[]) => runOnce(writer, writes, change))
  return (work) =>
    new Promise((resolve, reject) => {
      add({
        async run(transaction) {
          const value = await work(transaction)
          return () => resolve(value)
        },
        reject,
      })
    })
}

interface WaitingWrite {
  /** Returns a callback for after the commit. */
  run(transaction: Kysely<Tables>): Promise<() => void>
  reject(error: unknown): void
}

/** Never throws. Reports to each write instead. */
async function runOnce(writer: Kysely<Tables>, writes: readonly WaitingWrite[], change: TableVersions['change']): Promise<void> {
  const tellSuccess: (() => void)[] = []
  const failures = new Map<WaitingWrite, unknown>()
  const tables = new Set<keyof Tables>()
  try {
    await writer.transaction().execute(async (transaction) => {
      const recorded = transaction.withPlugin(collectChanges(tables))
      for (const write of writes) {
        await sql`savepoint one_write`.execute(transaction)
        try {
          tellSuccess.push(await write.run(recorded))
        } catch (error) {
          failures.set(write, error)
          try {
            await sql`rollback to savepoint one_write`.execute(transaction)
          } catch {
            // SQLite has rolled back the whole transaction, as on a full disk: every write fails with this error.
            throw error
          }
        }
        await sql`release savepoint one_write`.execute(transaction)
      }
    })
  } catch (error) {
    // The whole transaction failed. A write with its own error reports that one.
    for (const write of writes) write.reject(failures.get(write) ?? error)
    return
  }
  change(tables)
  for (const tell of tellSuccess) tell()
  for (const [write, error] of failures) write.reject(error)
}
