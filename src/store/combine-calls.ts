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
 * Combines the reads of one event loop round into one query. The query begins after all of them were requested, so no value is older than its
 * request.
 *
 * With PostgreSQL, each query takes more CPU time than the rows that it returns.
 */
export function readTogether<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let next: { readonly keys: Set<Key>; readonly values: Promise<ReadonlyMap<Key, Value>> } | undefined
  return async (key) => {
    next ??= begin()
    const { keys, values } = next
    keys.add(key)
    return (await values).get(key)
  }

  function begin() {
    const keys = new Set<Key>()
    const values = setImmediate().then(() => {
      next = undefined
      return read([...keys])
    })
    return { keys, values }
  }
}
