import { type Hold, untilAborted } from './keep-hold.ts'

/**
 * Runs work while no other work runs under the same name. Waiting work of a process runs in order.
 *
 * With PostgreSQL, this holds for all processes. A process that loses its connection or does not respond for some seconds loses its locks: `hold`
 * is aborted, and its writes to the store fail. With SQLite, it holds for one process.
 */
export type NamedLocks = <Value>(
  name: string,
  work: (hold: Hold) => Promise<Value>,
  options?: {
    /** Ends the wait for the lock. */
    readonly signal?: AbortSignal | undefined
  },
) => Promise<Value>

/** A hold that is never lost. */
const safeHold: Hold = { signal: new AbortController().signal, confirm: async () => undefined }

/** Creates a set of locks for this process. */
export function createProcessLocks(): NamedLocks {
  const takeTurn = createTurns()
  return async (name, work, { signal } = {}) => {
    const endTurn = await takeTurn(name, signal)
    try {
      return await work(safeHold)
    } finally {
      endTurn()
    }
  }
}

/** Returns a function that waits until all earlier turns of a name have ended, and resolves with a function that ends the own turn. */
export function createTurns(): (name: string, signal: AbortSignal | undefined) => Promise<() => void> {
  const tails = new Map<string, Promise<unknown>>()
  return async (name, signal) => {
    const before = tails.get(name) ?? Promise.resolve()
    let endTurn: () => void = () => undefined
    const turn = new Promise<void>((resolve) => {
      endTurn = resolve
    })
    // The turn after a canceled one still waits for those before it.
    const tail = Promise.all([before, turn]).then(() => {
      if (tails.get(name) === tail) tails.delete(name)
    })
    tails.set(name, tail)
    try {
      await untilAborted(before, signal)
    } catch (error) {
      endTurn()
      throw error
    }
    return endTurn
  }
}
