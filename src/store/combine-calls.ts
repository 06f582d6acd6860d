import { setImmediate } from 'node:timers/promises'

/** Limits how long one group takes, and so how long it can block the process. */
const maxGroupSize = 64

/**
 * Runs calls in groups, one group after another. Calls that arrive while a group runs, or in the same event loop round, are in the next one.
 *
 * @param run Never rejects. Reports to each call instead.
 */
export function groupCalls<Call>(run: (group: readonly Call[]) => Promise<void>): (call: Call) => void {
  const waiting: Call[] = []
  let isRunning = false
  const runAll = async () => {
    isRunning = true
    while (waiting.length > 0) {
      // Waits for the end of this event loop round, to collect all calls that the network caused.
      await setImmediate()
      await run(waiting.splice(0, maxGroupSize))
    }
    isRunning = false
  }
  return (call) => {
    waiting.push(call)
    if (!isRunning) void runAll()
  }
}

/**
 * Combines reads that are requested while another one runs, or in the same event loop round, into one query. It begins after all of them were
 * requested, so no value is older than its request.
 *
 * With PostgreSQL, each query takes more CPU time than the rows that it returns.
 */
export function readTogether<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  const add = groupCalls(async (calls: readonly ReadCall<Key, Value>[]) => {
    try {
      const values = await read([...new Set(calls.map(({ key }) => key))])
      for (const { key, resolve } of calls) resolve(values.get(key))
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  })
  return (key) => new Promise((resolve, reject) => add({ key, resolve, reject }))
}

interface ReadCall<Key, Value> {
  readonly key: Key
  resolve(value: Value | undefined): void
  reject(error: unknown): void
}
