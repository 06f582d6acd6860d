/** Decides which process of the server does the work that only one process may do at a time. */
export interface Leadership {
  /**
   * Starts `work` in one process. In another one, it starts after the first one has ended, stopped or lost its connection.
   *
   * @param work Ends after its signal aborts: on `stop`, or because another process leads. It may be called again.
   */
  start(work: (signal: AbortSignal) => Promise<void>): void
  /** Ends the work of this process, which another one may continue. */
  stop(): Promise<void>
}

/** The only process always leads. */
export function createSoleLeadership(): Leadership {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  return {
    start(work) {
      running = work(stopping.signal)
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
