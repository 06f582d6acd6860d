import { createContext, Script } from 'node:vm'

/** How work within a time limit ended. `no-time`: it did not start, because the work before it used all of the time. */
export type TimedEnd = 'finished' | 'too-long' | 'too-much-memory' | 'no-time'

/**
 * Creates a time limit that several pieces of synchronous work share.
 *
 * Only V8 can interrupt loops and regular expressions, which `node:vm` gives access to. The context is for the time limit, not for
 * isolation: untrusted input is never executed as code. Errors of the work are thrown, except that of a full stack.
 *
 * @param totalMs the most time for all of the work.
 */
export function createTimeLimit(totalMs: number): (run: () => void, maxMs?: number) => TimedEnd {
  const work: { run: () => void } = { run: () => {} }
  const context = createContext({ work })
  const script = new Script('work.run()')
  let leftMs = totalMs
  return (run, maxMs = totalMs) => {
    if (leftMs < 1) return 'no-time'
    const startedAt = performance.now()
    try {
      work.run = run
      script.runInContext(context, { timeout: Math.ceil(Math.min(leftMs, maxMs)) })
      return 'finished'
    } catch (error) {
      // The error belongs to the context, so it is no instance of our `Error`.
      const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
      if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'too-long'
      if (error instanceof RangeError) return 'too-much-memory'
      throw error
    } finally {
      work.run = () => {}
      leftMs -= performance.now() - startedAt
    }
  }
}
