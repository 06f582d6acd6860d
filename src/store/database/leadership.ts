import { setTimeout as sleep } from 'node:timers/promises'
import type { NamedLocks } from './named-locks.ts'

/** Decides which process of the server does the work that only one process may do at a time. */
export interface Leadership {
  /**
   * Starts `work` in one process. In another one, it starts after the first one has ended, stopped or lost its lock.
   *
   * @param work Ends after its signal aborts: on `stop`, or because another process may lead. It may be called again.
   */
  start(work: (signal: AbortSignal) => Promise<void>): void
  /** Ends the work of this process, which another one may continue. */
  stop(): Promise<void>
}

interface LeadershipOptions {
  readonly locks: NamedLocks
  /** Receives problems that pass by themselves, such as a restart of the database. Called at most once a minute. */
  readonly onProblem: (error: unknown) => void
}

const reportEveryMs = 60_000
const retryMs = 5_000

/** The process that holds a lock leads. The others wait for it. */
export function createLeadership({ locks, onProblem }: LeadershipOptions): Leadership {
  const stopping = new AbortController()
  const { signal } = stopping
  let reportAt = 0
  let running: Promise<void> | undefined

  const report = (error: unknown) => {
    if (signal.aborted || performance.now() < reportAt) return
    reportAt = performance.now() + reportEveryMs
    onProblem(error)
  }

  const lead = async (work: (signal: AbortSignal) => Promise<void>) => {
    while (!signal.aborted) {
      try {
        await locks('leader', (hold) => work(AbortSignal.any([signal, hold.signal])), { signal })
      } catch (error) {
        report(error)
      }
      await sleep(retryMs, undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    start(work) {
      running = lead(work)
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
