/** Counts requests of callers in windows of one minute. */
export interface RequestCounters {
  /**
   * Counts a request. Does not wait, because it runs for every request.
   *
   * @param key Identifies the caller and what is counted.
   * @param max The limit.
   * @returns 0 if the request is within the limit, otherwise the milliseconds until the caller's window ends.
   */
  count(key: string, max: number): number
}

const windowMs = 60_000

/** Beyond this number, the least recently seen callers are forgotten. */
const maxCallers = 50_000

/** Processes exchange the count of a caller at the latest when one of them has accepted this part of the caller's limit. */
const urgentPart = 1 / 10

interface Window {
  readonly key: string
  requests: number
  endsAt: number
  /** Requests within the limit that other processes do not know yet. */
  unsent: number
}

/** A part of a window's requests that is sent to other processes. */
interface SentCount {
  readonly window: Window
  readonly key: string
  readonly requests: number
  /** Milliseconds until the window ends. */
  readonly leftMs: number
}

/** Counts in the memory of this process. A window begins with the first request of a caller. */
export class LocalCounters implements RequestCounters {
  readonly #now: () => number
  readonly #onUnsent: ((isUrgent: boolean) => void) | undefined
  readonly #windows = new Map<string, Window>()
  readonly #unsent = new Set<Window>()

  /**
   * @param now Milliseconds of a monotonic clock: callers would be blocked for hours if the system's clock were set back.
   * @param onUnsent Called for each request within its limit, if other processes should know it.
   */
  constructor(now: () => number = () => performance.now(), onUnsent?: (isUrgent: boolean) => void) {
    this.#now = now
    this.#onUnsent = onUnsent
  }

  count(key: string, max: number): number {
    const now = this.#now()
    const known = this.#windows.get(key)
    const window = known && now < known.endsAt ? known : { key, requests: 0, endsAt: now + windowMs, unsent: 0 }
    window.requests += 1
    this.#windows.delete(key)
    this.#windows.set(key, window)
    for (const [oldest, forgotten] of this.#windows) {
      if (this.#windows.size <= maxCallers) break
      this.#windows.delete(oldest)
      this.#unsent.delete(forgotten)
    }
    if (window.requests > max) return Math.ceil(window.endsAt - now)
    if (this.#onUnsent) {
      window.unsent += 1
      this.#unsent.add(window)
      this.#onUnsent(window.unsent >= max * urgentPart)
    }
    return 0
  }

  get hasUnsent(): boolean {
    return this.#unsent.size > 0
  }

  /** Takes the counts of the callers with the most unsent requests. */
  takeUnsent(maxCounts: number): readonly SentCount[] {
    const now = this.#now()
    for (const window of this.#unsent) if (window.endsAt <= now) this.#unsent.delete(window)
    const windows = [...this.#unsent]
    if (windows.length > maxCounts) windows.sort((one, other) => other.unsent - one.unsent)
    return windows.slice(0, maxCounts).map((window) => {
      const sent = { window, key: window.key, requests: window.unsent, leftMs: window.endsAt - now }
      window.unsent = 0
      this.#unsent.delete(window)
      return sent
    })
  }

  /** Returns counts that could not be sent. */
  giveBack(sent: readonly SentCount[]): void {
    for (const { window, requests } of sent) {
      window.unsent += requests
      if (this.#windows.get(window.key) === window) this.#unsent.add(window)
    }
  }

  /** Adopts the count of all processes. */
  adopt({ window }: SentCount, { requests, leftMs }: { readonly requests: number; readonly leftMs: number }): void {
    window.requests = requests + window.unsent
    window.endsAt = this.#now() + Math.min(leftMs, windowMs)
  }
}
