const windowMs = 60_000

/** Beyond this number, the least recently seen callers are forgotten. */
const maxCallers = 50_000

interface Window {
  requests: number
  readonly endsAt: number
}

/** Counts requests in the memory of this process, in windows of one minute that begin with the first request of a caller. */
export class RequestCounters {
  readonly #now: () => number
  readonly #windows = new Map<string, Window>()

  /** @param now Milliseconds of a monotonic clock: callers would be blocked for hours if the system's clock were set back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * Counts a request. Does not wait, because it runs for every request.
   *
   * @param key Identifies the caller and what is counted.
   * @param max The limit.
   * @returns 0 if the request is within the limit, otherwise the milliseconds until the caller's window ends.
   */
  count(key: string, max: number): number {
    const now = this.#now()
    const known = this.#windows.get(key)
    const window = known && now < known.endsAt ? known : { requests: 0, endsAt: now + windowMs }
    window.requests += 1
    this.#windows.delete(key)
    this.#windows.set(key, window)
    for (const oldest of this.#windows.keys()) {
      if (this.#windows.size <= maxCallers) break
      this.#windows.delete(oldest)
    }
    return window.requests > max ? Math.ceil(window.endsAt - now) : 0
  }
}
