import { AsyncResource } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { Random } from '../random.ts'
import { running, type SimulatedProcess, type VirtualTime } from './virtual-time.ts'

/** A call of a simulated process that leaves it: to the store, to GitHub, or to a program. It waits until the scheduler chooses it. */
interface YieldPoint {
  readonly process: SimulatedProcess
  readonly label: string
  /** Not chosen before. */
  readonly readyAtMs: number
  /** Does the real work. */
  readonly work: () => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

interface CallOptions {
  readonly label: string
  readonly delayMs?: number
  /** Ends the wait, also for a process that was killed. The work is not done then. */
  readonly signal?: AbortSignal | null | undefined
}

/** Kept before the native one is replaced. */
const { setImmediate } = globalThis

/**
 * Runs simulated processes in an order that depends only on the random numbers. It lets all code run until it waits for a call or the clock. Then
 * it chooses one of the calls, does its work to the end, and continues. The clock moves only when no call can be chosen.
 *
 * A process can therefore be killed between any two calls.
 */
export class Scheduler {
  readonly time: VirtualTime
  readonly #random: Random
  readonly #onStep: (line: string) => void
  readonly #hash = createHash('sha256')
  #points: YieldPoint[] = []
  #steps = 0

  constructor(time: VirtualTime, random: Random, onStep: (line: string) => void = () => undefined) {
    this.time = time
    this.#random = random
    this.#onStep = onStep
  }

  /** Number of choices so far. */
  get steps(): number {
    return this.#steps
  }

  /** A hash of all choices so far. */
  trace(): string {
    return this.#hash.copy().digest('hex').slice(0, 16)
  }

  note(line: string): void {
    this.#hash.update(`${this.time.elapsedMs} ${line}\n`)
    this.#onStep(`${(this.time.elapsedMs / 1000).toFixed(3).padStart(9)}  ${line}`)
  }

  /** Does work once the scheduler chooses it. Never settles if the process is killed before. */
  call<Value>({ label, delayMs = 0, signal }: CallOptions, work: () => Promise<Value>): Promise<Value> {
    const process = running.getStore()
    if (!process) return work()
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (!process.isAlive) return new Promise(() => undefined)
    const context = new AsyncResource('SimulatedCall')
    return new Promise<Value>((resolve, reject) => {
      const abort = () => {
        this.#points = this.#points.filter((other) => other !== point)
        reject(signal?.reason)
      }
      const settle =
        <Result>(end: (result: Result) => void) =>
        (result: Result) => {
          signal?.removeEventListener('abort', abort)
          end(result)
        }
      const point: YieldPoint = {
        process,
        label,
        readyAtMs: this.time.nowMs + delayMs,
        // The timers of real input and output are real ones.
        work: () => context.runInAsyncScope(() => running.run(undefined, work)),
        resolve: settle(resolve as (value: unknown) => void),
        reject: settle(reject),
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#points.push(point)
    })
  }

  /** Runs at most `steps` calls, and not beyond `untilMs` of the clock. */
  async run({ steps = Number.POSITIVE_INFINITY, untilMs }: { readonly steps?: number; readonly untilMs: number }): Promise<void> {
    for (let left = steps; left > 0; ) {
      await settled()
      const { nowMs } = this.time
      const ready = this.#points.filter(({ readyAtMs }) => readyAtMs <= nowMs)
      if (ready.length > 0) {
        await this.#perform(ready.length === 1 ? ready[0] : this.#random.of(ready))
        left -= 1
        continue
      }
      if (!this.#moveClock(untilMs)) return
    }
  }

  /** Moves the clock to the next event, and calls the first timer that is due. Returns false if nothing happens before `untilMs`. */
  #moveClock(untilMs: number): boolean {
    const timer = this.time.next()
    let atMs = timer?.atMs ?? Number.POSITIVE_INFINITY
    for (const { readyAtMs } of this.#points) atMs = Math.min(atMs, readyAtMs)
    if (atMs > untilMs) {
      this.time.nowMs = Math.max(this.time.nowMs, untilMs)
      return false
    }
    this.time.nowMs = Math.max(this.time.nowMs, atMs)
    if (timer && timer.atMs <= this.time.nowMs) {
      this.time.remove(timer.id)
      timer.fire()
    }
    return true
  }

  async #perform(point: YieldPoint | undefined): Promise<void> {
    if (!point) return
    this.#points.splice(this.#points.indexOf(point), 1)
    this.#steps += 1
    this.note(`${point.process.name}: ${point.label}`)
    try {
      const value = await point.work()
      if (point.process.isAlive) point.resolve(value)
    } catch (error) {
      if (point.process.isAlive) point.reject(error)
    }
  }

  /**
   * Ends a process like a power cut. One of its calls may have been done, so that only its answer is lost.
   *
   * @param killed Ends its waits: Octokit lets all clients wait for one request of a token, also those of other simulated processes.
   */
  async kill(process: SimulatedProcess, killed: AbortController): Promise<void> {
    await settled()
    const own = this.#points.filter((point) => point.process === process)
    if (own.length > 0 && this.#random() < 0.5) {
      const point = this.#random.of(own)
      this.note(`${process.name}: ${point.label}, without its answer`)
      await point.work().catch(() => undefined)
    }
    process.isAlive = false
    this.#points = this.#points.filter((point) => point.process !== process)
    killed.abort()
    this.time.end(process)
    await settled()
  }
}

/** Waits until all code has run that can run without the scheduler. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
