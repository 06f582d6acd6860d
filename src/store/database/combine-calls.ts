import { setImmediate } from 'node:timers/promises'

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

/**
 * Combines reads that are requested while another one runs, or in the same event loop round, into one query. It begins after all of them were
 * requested, so no value is older than its request.
 *
 * With PostgreSQL, each query takes more CPU time than the rows that it returns.
 */
export function readTogether<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  return groupCalls(async (keys: readonly Key[]) => {
    const values = await read([...new Set(keys)])
    return keys.map((key) => toFulfilled(values.get(key)))
  })
}
