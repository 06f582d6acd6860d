import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'

/** A process of the app that does not exist as one: its code runs in the process of the simulation. */
export interface SimulatedProcess {
  readonly name: string
  /** False after it was killed: nothing of it continues. */
  isAlive: boolean
}

/** The process whose code runs; `undefined` for the simulation itself, and inside of real input and output. */
export const running = new AsyncLocalStorage<SimulatedProcess | undefined>()

interface Timer {
  readonly id: number
  readonly atMs: number
  readonly process: SimulatedProcess | undefined
  readonly fire: () => void
}

/** A clock that only the scheduler moves, with its timers. */
export class VirtualTime {
  nowMs: number
  readonly startMs: number
  readonly #timers = new Map<number, Timer>()
  #lastId = 0

  constructor(startMs: number) {
    this.startMs = startMs
    this.nowMs = startMs
  }

  /** Milliseconds since the start. */
  get elapsedMs(): number {
    return this.nowMs - this.startMs
  }

  /** Calls `fire` later, in the context of the caller. */
  add(delayMs: number, fire: () => void, process = running.getStore()): number {
    const context = new AsyncResource('VirtualTimer')
    const id = ++this.#lastId
    if (process?.isAlive === false) return id
    this.#timers.set(id, {
      id,
      atMs: this.nowMs + Math.max(0, Math.ceil(delayMs)),
      process,
      fire: () => context.runInAsyncScope(fire),
    })
    return id
  }

  remove(id: number): void {
    this.#timers.delete(id)
  }

  /**
   * Ends the timers of a process that was killed. They are called, because Octokit lets all clients wait for one request of a token, also those of
   * other simulated processes. All other calls of a killed process never settle.
   */
  end(process: SimulatedProcess): void {
    for (const timer of [...this.#timers.values()]) {
      if (timer.process !== process || !this.#timers.delete(timer.id)) continue
      timer.fire()
    }
  }

  /** The timer that is due first. Of several, the oldest. */
  next(): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers.values()) {
      if (!first || timer.atMs < first.atMs) first = timer
    }
    return first
  }
}
