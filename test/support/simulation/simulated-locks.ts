import { EventEmitter, once } from 'node:events'
import { createTurns, type NamedLocks, withHold } from '../../../src/store/database/holds.ts'
import type { Scheduler } from './scheduler.ts'
import type { SimulatedProcess } from './virtual-time.ts'

interface HeldLock {
  readonly owner: SimulatedProcess
  readonly lost: AbortController
}

/** The locks of several processes. A process can lose its own, as if the server had ended its connection. */
export class SimulatedLocks {
  readonly #held = new Map<string, HeldLock>()
  /** An event with the name of a lock that can be taken again. */
  readonly #freed = new EventEmitter().setMaxListeners(0)

  /** The locks as a process uses them. */
  of(owner: SimulatedProcess, scheduler: Scheduler): NamedLocks {
    const takeTurn = createTurns()
    const take = async (name: string, signal: AbortSignal | undefined): Promise<HeldLock> => {
      for (;;) {
        const lock = await scheduler.call({ label: `lock ${toLabel(name)}`, signal }, async () => {
          if (this.#held.has(name)) return undefined
          const taken = { owner, lost: new AbortController() }
          this.#held.set(name, taken)
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
          await scheduler.call({ label: `unlock ${toLabel(name)}` }, async () => this.#release(name, lock))
        }
      } finally {
        endTurn()
      }
    }
  }

  #release(name: string, lock: HeldLock): void {
    if (this.#held.get(name) !== lock) return
    this.#held.delete(name)
    this.#freed.emit(name)
  }

  /** Ends all locks of a process. If it still runs, its holds abort. */
  lose(owner: SimulatedProcess): void {
    for (const [name, lock] of this.#held) {
      if (lock.owner !== owner) continue
      this.#release(name, lock)
      if (owner.isAlive) lock.lost.abort(new Error('The connection to PostgreSQL that held a lock was lost'))
    }
  }
}

function toLabel(name: string): string {
  return name.replaceAll(/\d{4,}/g, '#')
}
