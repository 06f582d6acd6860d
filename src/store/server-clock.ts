import { type ClockReading, elapsedSince, readClocks } from './keep-hold.ts'

/** The clock of this process must not run on its own for longer. */
const maxAgeMs = 1_000

/**
 * The clock of the database server, which is the same for all machines, in milliseconds since 1970.
 *
 * It is read at most once per second. In between, the time that has passed in this process is added.
 */
export function createServerClock(readServerTime: () => Promise<number>): () => Promise<number> {
  let known: { readonly at: ClockReading; readonly timeMs: number } | undefined
  let reading: Promise<unknown> | undefined
  const read = async () => {
    const timeMs = await readServerTime()
    // Afterwards, so that the result is never ahead of the server.
    known = { at: readClocks(), timeMs }
  }
  return async () => {
    while (!known || elapsedSince(known.at) >= maxAgeMs) {
      reading ??= read().finally(() => {
        reading = undefined
      })
      await reading
    }
    return Math.floor(known.timeMs + performance.now() - known.at.monotonicMs)
  }
}
