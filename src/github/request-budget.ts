import { setTimeout as sleep } from 'node:timers/promises'
import { GitHubError } from '../errors.ts'
import type { RequestPace } from './request-pace.ts'

/** The operation of an error that does not know yet which request it stopped; `toGitHubError` says it. */
export const waitingForTurn = 'wait for a turn'

/** What is left for one installation, for `/metrics`. */
export interface BudgetLeft {
  readonly installationId: number
  readonly writesThisMinute: number
  readonly writesThisHour: number
  /** What GitHub's last answer said of the primary limit; absent before the first. */
  readonly requests: { readonly remaining: number; readonly limit: number; readonly resetAt: string } | undefined
}

/**
 * The share of one installation: its writes go one after the other, spaced, and within GitHub's content limits.
 *
 * One budget serves every client of the installation in this process, whoever made it.
 */
export class RequestBudget {
  readonly installationId: number
  readonly #pace: RequestPace
  readonly #whose: string
  /** When each write of the last hour was let go, oldest first; milliseconds of the monotonic clock. */
  readonly #writes: number[] = []
  #pausedUntil = 0
  #turn: Promise<unknown> = Promise.resolve()
  #requests: BudgetLeft['requests']

  /** @param whose how messages name it. */
  constructor(installationId: number, pace: RequestPace, whose = `installation ${installationId}`) {
    this.installationId = installationId
    this.#whose = whose
    this.#pace = pace
  }

  /**
   * Waits for the turn of one write.
   *
   * @throws {GitHubError} `rate-limited` when that would take longer than `longestWaitMs`; the turn is given up then.
   */
  takeWrite(signal: AbortSignal | undefined): Promise<void> {
    const taken = this.#turn.then(async () => {
      const waitMs = this.#waitForWrite()
      if (waitMs > 0) await this.#wait(waitMs, signal)
      this.#writes.push(performance.now())
    })
    this.#turn = taken.catch(() => undefined)
    return taken
  }

  /** Waits until a pause that GitHub asked for is over; at once where there is none. @throws as `takeWrite` */
  async takeRead(signal: AbortSignal | undefined): Promise<void> {
    const waitMs = this.#pausedUntil - performance.now()
    if (waitMs > 0) await this.#wait(waitMs, signal)
  }

  /** Stops every request of the installation for a while: GitHub said that it asks too much. */
  pause(forMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + forMs)
  }

  /** Remembers what an answer said of the primary limit. */
  note(headers: { readonly [name: string]: string | number | undefined }): void {
    const remaining = Number(headers['x-ratelimit-remaining'])
    const limit = Number(headers['x-ratelimit-limit'])
    const reset = Number(headers['x-ratelimit-reset'])
    if (!Number.isFinite(remaining) || !Number.isFinite(limit) || !Number.isFinite(reset)) return
    this.#requests = { remaining, limit, resetAt: new Date(reset * 1000).toISOString() }
  }

  left(): BudgetLeft {
    const { writesPerMinute, writesPerHour, minuteMs } = this.#pace
    this.#forgetOldWrites()
    const minuteAgo = performance.now() - minuteMs
    return {
      installationId: this.installationId,
      writesThisMinute: Math.max(0, writesPerMinute - this.#writes.filter((at) => at > minuteAgo).length),
      writesThisHour: Math.max(0, writesPerHour - this.#writes.length),
      requests: this.#requests,
    }
  }

  #waitForWrite(): number {
    const { spacingMs, writesPerMinute, writesPerHour, minuteMs, hourMs } = this.#pace
    this.#forgetOldWrites()
    const last = this.#writes.at(-1)
    // The oldest write that must be out of the window before one more fits in.
    const inMinute = this.#writes.at(-writesPerMinute)
    const inHour = this.#writes.at(-writesPerHour)
    const freeAt = Math.max(
      this.#pausedUntil,
      last === undefined ? 0 : last + spacingMs,
      inMinute === undefined ? 0 : inMinute + minuteMs,
      inHour === undefined ? 0 : inHour + hourMs,
    )
    return freeAt - performance.now()
  }

  async #wait(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (waitMs > this.#pace.longestWaitMs) {
      throw new GitHubError(`The requests of ${this.#whose} are used up for now`, {
        failure: 'rate-limited',
        operation: waitingForTurn,
        retryAfterMs: Math.ceil(waitMs),
      })
    }
    await sleep(waitMs, undefined, signal ? { signal } : {})
  }

  #forgetOldWrites(): void {
    const hourAgo = performance.now() - this.#pace.hourMs
    while (this.#writes[0] !== undefined && this.#writes[0] <= hourAgo) this.#writes.shift()
  }
}
