import { EventEmitter, once } from 'node:events'
import { createTurns, type NamedLocks, withHold } from '../../../src/store/database/holds.ts'
import { workerPrefix } from '../../../src/store/queue/jobs.ts'
import type { Scheduler } from './scheduler.ts'
import type { SimulatedProcess } from './virtual-time.ts'

interface HeldLock {
  readonly owner: SimulatedProcess
  readonly lost: AbortController
}

/** Tells the database which workers run, because the store asks it. */
export interface WorkerMarks {
  set(worker: string): Promise<void>
  remove(worker: string): Promise<void>
}

/** The locks of several processes. A process can lose its own, as if the server had ended its connection. */
export class SimulatedLocks {
  readonly #held = new Map<string, HeldLock>()
  readonly #marks: WorkerMarks
  /** An event with the name of a lock that can be taken again. */
  readonly #freed = new EventEmitter().setMaxListeners(0)

  constructor(marks: WorkerMarks) {
    this.#marks = marks
  }

  /** The locks as a process uses them. */
  of(owner: SimulatedProcess, scheduler: Scheduler): NamedLocks {
    const takeTurn = createTurns()
    const take = async (name: string, signal: AbortSignal | undefined): Promise<HeldLock> => {
      for (;;) {
        const lock = await scheduler.call({ label: `lock ${toLabel(name)}`, signal }, async () => {
          if (this.#held.has(name)) return undefined
          const taken = { owner, lost: new AbortController() }
          this.#held.set(name, taken)
          if (name.startsWith(workerPrefix)) await this.#marks.set(name)
          return taken
        })
        if (lock) return lock
        await once(this.#freed, name, { signal })
      }
    }
    return async (name, work, { signal } = {}) => {
      const endTurn = await takeTurn(name, signal)
      try {
        const lock = await take(name, signal)
        const { lost } = lock
        const hold = { signal: lost.signal, confirm: async () => lost.signal.throwIfAborted() }
        try {
          return await withHold(hold, () => work(hold))
        } finally {
          await scheduler.call({ label: `unlock ${toLabel(name)}` }, () => this.#release(name, lock))
        }
      } finally {
        endTurn()
      }
    }
  }

  async #release(name: string, lock: HeldLock): Promise<void> {
    if (this.#held.get(name) !== lock) return
    this.#held.delete(name)
    if (name.startsWith(workerPrefix)) await this.#marks.remove(name)
    this.#freed.emit(name)
  }

  /** Ends all locks of a process. If it still runs, its holds abort. */
  async lose(owner: SimulatedProcess): Promise<void> {
    for (const [name, lock] of this.#held) {
      if (lock.owner !== owner) continue
      await this.#release(name, lock)
      if (owner.isAlive) lock.lost.abort(new Error('The connection to PostgreSQL that held a lock was lost'))
    }
  }
}

/** Without the random part of the name of a worker. */
function toLabel(name: string): string {
  return name.startsWith(workerPrefix) ? 'of the worker' : name.replaceAll(/\d{4,}/g, '#')
}
