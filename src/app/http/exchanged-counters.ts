import type { Logger } from 'pino'
import type { LimitStore } from '../../store/postgres/limit-store.ts'
import { LocalCounters, type RequestCounters } from './request-counters.ts'

/** The most callers of one exchange, so that an attacker with many addresses cannot slow it down. */
const maxExchanged = 1_000

const exchangeEveryMs = 1_000

const urgentExchangeMs = 20

const pruneEveryMs = 60_000

/**
 * Counts for several processes with one PostgreSQL database.
 *
 * Each process counts in its memory and exchanges its counts with the database once a second, or some milliseconds after it has
 * accepted a tenth of a caller's limit. So a limit can be exceeded by what other processes accept in that time. If the database is
 * unreachable, each process applies the limits alone.
 */
export class ExchangedCounters implements RequestCounters {
  readonly #limits: LimitStore
  readonly #log: Pick<Logger, 'warn'>
  readonly #local: LocalCounters
  #timer: NodeJS.Timeout | undefined
  #isUrgent = false
  #exchanging: Promise<void> | undefined
  #hasFailed = false
  #pruneAt = performance.now() + pruneEveryMs
  #isStopped = false

  /** @param now Milliseconds of a monotonic clock. */
  constructor(limits: LimitStore, log: Pick<Logger, 'warn'>, now?: () => number) {
    this.#limits = limits
    this.#log = log
    this.#local = new LocalCounters(now, (isUrgent) => {
      if (isUrgent && !this.#isUrgent) {
        this.#isUrgent = true
        clearTimeout(this.#timer)
        this.#timer = undefined
      }
      if (this.#timer === undefined && this.#exchanging === undefined) this.#schedule()
    })
  }

  count(key: string, max: number): number {
    return this.#local.count(key, max)
  }

  /** Exchanges the counts now. Never rejects. */
  exchange(): Promise<void> {
    this.#exchanging ??= this.#exchangeOnce().finally(() => {
      this.#exchanging = undefined
      if (this.#local.hasUnsent) this.#schedule()
    })
    return this.#exchanging
  }

  /** Waits for a running exchange. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#exchanging
  }

  #schedule(): void {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => void this.exchange(), this.#isUrgent ? urgentExchangeMs : exchangeEveryMs).unref()
  }

  async #exchangeOnce(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isUrgent = false
    let sent = this.#local.takeUnsent(maxExchanged)
    try {
      const totals = new Map((await this.#limits.addRequests(sent)).map((count) => [count.key, count]))
      for (const count of sent) {
        const total = totals.get(count.key)
        if (total) this.#local.adopt(count, total)
      }
      sent = []
      if (performance.now() > this.#pruneAt) {
        this.#pruneAt = performance.now() + pruneEveryMs
        await this.#limits.prune()
      }
      this.#hasFailed = false
    } catch (error) {
      this.#local.giveBack(sent)
      if (!this.#hasFailed) this.#log.warn({ err: error }, 'Cannot share the counts of API requests between processes')
      this.#hasFailed = true
    }
  }
}
