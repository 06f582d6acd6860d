import { setTimeout as sleep } from 'node:timers/promises'
import { GitHubError } from '../../text/errors.ts'

/** The remaining budget of one installation, for `/metrics`. */
export interface BudgetLeft {
  readonly installationId: number
  /** The primary limit as of the last response; undefined before the first. */
  readonly requests: { readonly remaining: number; readonly limit: number; readonly resetAt: string } | undefined
}

/**
 * Keeps the state of the budgets of all installations: in memory, or in a store that several processes share.
 *
 * `now` is the time in milliseconds of the one clock that all its users share.
 */
export interface BudgetStates {
  read(installationId: number): Promise<{ readonly state: string | undefined; readonly now: number }>
  /**
   * Replaces the state in one step.
   *
   * @param plan Returns the new state, or `undefined` to change nothing. Called again if another process changed the state meanwhile.
   */
  change(
    installationId: number,
    plan: (state: string | undefined, now: number) => string | undefined,
  ): Promise<{ readonly state: string | undefined; readonly now: number }>
}

/** Keeps the states in this process. */
export function createMemoryStates(now: () => number = () => performance.now()): BudgetStates {
  const states = new Map<number, string>()
  return {
    read: async (id) => ({ state: states.get(id), now: now() }),
    async change(id, plan) {
      const at = now()
      const state = plan(states.get(id), at)
      if (state !== undefined) states.set(id, state)
      return { state: states.get(id), now: at }
    },
  }
}

/** The states cannot be read or changed. `callGitHub` throws its cause. No request was sent. */
export class BudgetUnreachable extends Error {
  override readonly name = 'BudgetUnreachable'
}

/** Placeholder operation of an error that stopped a request before it began; `toGitHubError` fills it in. */
export const waitingForTurn = 'wait for a turn'

/** Measures and waits. Tests pass their own. */
interface BudgetClock {
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

const systemClock: BudgetClock = {
  elapsed: () => performance.now(),
  wait: (ms, signal) => sleep(Math.ceil(ms), undefined, signal ? { signal } : {}),
}

/** How long a request that writes nothing relies on the last known state. */
const maxAgeMs = 1_000

interface BudgetOptions {
  /** Default: in memory. */
  readonly states?: BudgetStates
  /** Its owner, for messages. */
  readonly owner?: string
  readonly clock?: BudgetClock
}

/**
 * The request budget of one installation: spaces its writes and keeps them within GitHub's content limits.
 *
 * A write takes its time from the states, so that the writes of all processes with the same states are within the limits.
 */
export class RequestBudget {
  readonly installationId: number
  readonly #limits: BudgetLimits
  readonly #states: BudgetStates
  readonly #owner: string
  readonly #clock: BudgetClock
  #turn: Promise<unknown> = Promise.resolve()
  #seen: { readonly times: WriteTimes; readonly now: number; readonly elapsed: number } | undefined
  #looking: Promise<void> | undefined
  #requests: BudgetLeft['requests']

  constructor(
    installationId: number,
    limits: BudgetLimits,
    { states = createMemoryStates(), owner = `installation ${installationId}`, clock = systemClock }: BudgetOptions = {},
  ) {
    this.installationId = installationId
    this.#limits = limits
    this.#states = states
    this.#owner = owner
    this.#clock = clock
  }

  /**
   * Waits until a write may be sent.
   *
   * @param options.isBulk Whether to leave a part of the hourly writes to other work.
   * @throws {GitHubError} `rate-limited` when that would take longer than `longestWaitMs`, and for bulk work that has used its part.
   * @throws {BudgetUnreachable}
   */
  takeWrite(signal: AbortSignal | undefined, { isBulk = false }: { readonly isBulk?: boolean } = {}): Promise<void> {
    const taken = this.#turn.then(async () => {
      for (;;) {
        const waitMs = await this.#reserveWrite(isBulk)
        if (waitMs <= 0) return
        await this.#clock.wait(waitMs, signal)
        await this.#look()
        if (this.#pauseLeft() <= 0) return
        // GitHub requested a pause meanwhile. Writes that waited for it must not be sent at the same time.
      }
    })
    this.#turn = taken.catch(() => undefined)
    return taken
  }

  /** Waits until a pause that GitHub requested is over. @throws as `takeWrite` */
  async takeRead(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      await this.#look()
      const waitMs = this.#pauseLeft()
      if (waitMs <= 0) return
      if (waitMs > Math.min(this.#limits.longestWaitMs, this.#limits.longestPauseMs)) throw this.#toLimitError(waitMs)
      await this.#clock.wait(waitMs, signal)
    }
  }

  /** Pauses all requests of the installation after it hit a limit. @throws {BudgetUnreachable} */
  async pause(forMs: number): Promise<void> {
    await this.#change((times, now) => ({ ...times, pausedUntil: Math.max(times.pausedUntil, now + forMs) }))
  }

  /** Stores the primary limit from the headers of a response. */
  note(headers: { readonly [name: string]: string | number | undefined }): void {
    const remaining = Number(headers['x-ratelimit-remaining'])
    const limit = Number(headers['x-ratelimit-limit'])
    const reset = Number(headers['x-ratelimit-reset'])
    if (!Number.isFinite(remaining) || !Number.isFinite(limit) || !Number.isFinite(reset)) return
    this.#requests = { remaining, limit, resetAt: new Date(reset * 1000).toISOString() }
  }

  /** The budget as this process last saw it. */
  left(): BudgetLeft {
    return { installationId: this.installationId, requests: this.#requests }
  }

  /** Returns the time to wait. */
  async #reserveWrite(isBulk: boolean): Promise<number> {
    let waitMs = 0
    let isRefused = false
    await this.#change((times, now) => {
      const at = findNextWrite(times, this.#limits, now)
      const { writesPerHour, hourMs } = this.#limits
      const bulkAt = isBulk ? findRoom(times, this.#limits, Math.floor(writesPerHour * bulkShare), hourMs) : 0
      waitMs = Math.max(at, bulkAt) - now
      // Writes wait one after another, so bulk work must not wait in front of other work.
      const isPaused = times.pausedUntil - now > this.#limits.longestPauseMs
      isRefused = waitMs > this.#limits.longestWaitMs || bulkAt > now || isPaused
      return isRefused ? undefined : addWrite(times, this.#limits, at)
    })
    if (isRefused) throw this.#toLimitError(waitMs)
    return waitMs
  }

  #toLimitError(waitMs: number): GitHubError {
    return new GitHubError(`rate limit for ${this.#owner} reached`, {
      failure: 'rate-limited',
      operation: waitingForTurn,
      retryAfterMs: Math.ceil(waitMs),
    })
  }

  async #change(plan: (times: WriteTimes, now: number) => WriteTimes | undefined): Promise<void> {
    const changed = this.#states.change(this.installationId, (state, now) => {
      const times = plan(parse(state), now)
      return times && JSON.stringify(times)
    })
    this.#see(await changed.catch(rejectUnreachable))
  }

  /** Reads the state if it is older than `maxAgeMs`. */
  async #look(): Promise<void> {
    if (this.#seen && this.#clock.elapsed() - this.#seen.elapsed < maxAgeMs) return
    this.#looking ??= this.#states
      .read(this.installationId)
      .then((read) => this.#see(read), rejectUnreachable)
      .finally(() => {
        this.#looking = undefined
      })
    await this.#looking
  }

  #see({ state, now }: { readonly state: string | undefined; readonly now: number }): void {
    this.#seen = { times: parse(state), now, elapsed: this.#clock.elapsed() }
  }

  #pauseLeft(): number {
    if (!this.#seen) return 0
    const { times, now, elapsed } = this.#seen
    return times.pausedUntil - now - (this.#clock.elapsed() - elapsed)
  }
}

function parse(state: string | undefined): WriteTimes {
  return state === undefined ? noWrites : { ...noWrites, ...(JSON.parse(state) as Partial<WriteTimes>) }
}

function rejectUnreachable(cause: unknown): never {
  throw new BudgetUnreachable('the request budgets cannot be used', { cause })
}

/** Limits on the writes of one installation. */
export interface WriteLimits {
  /** Minimum time between two writes. GitHub, "Best practices for using the REST API": at least one second. */
  readonly spacingMs: number
  /** Writes of content per installation: 80 per minute and 500 per hour (GitHub, "Rate limits", secondary limits). */
  readonly writesPerMinute: number
  readonly writesPerHour: number
  /** The length of those windows. Shorter only in tests. */
  readonly minuteMs: number
  readonly hourMs: number
}

type BudgetLimits = WriteLimits & { readonly longestWaitMs: number; readonly longestPauseMs: number }

/** When an installation wrote and until when it must wait, in milliseconds of one clock. */
export interface WriteTimes {
  /** The end of the pause that GitHub requested. */
  readonly pausedUntil: number
  readonly lastWriteAt?: number
  /** The writes of the last hour, oldest first, in slots of time, because thousands of single times would be too long for a row. */
  readonly slots: readonly (readonly [startsAt: number, writes: number])[]
}

const noWrites: WriteTimes = { pausedUntil: 0, slots: [] }

const slotsPerMinute = 20

/** The earliest time for another write that is within all limits. */
function findNextWrite(times: WriteTimes, limits: WriteLimits, now: number): number {
  const { spacingMs, writesPerMinute, writesPerHour, minuteMs, hourMs } = limits
  return Math.max(
    now,
    times.pausedUntil,
    times.lastWriteAt === undefined ? 0 : times.lastWriteAt + spacingMs,
    findRoom(times, limits, writesPerMinute, minuteMs),
    findRoom(times, limits, writesPerHour, hourMs),
  )
}

/** The share of the hourly writes that bulk work may use. */
const bulkShare = 0.75

/** When fewer than `max` writes are in the window. A slot leaves it with its end, so that no write leaves it too early. */
function findRoom({ slots }: WriteTimes, { minuteMs }: WriteLimits, max: number, windowMs: number): number {
  let writes = 0
  for (const [startsAt, count] of slots.toReversed()) {
    writes += count
    if (writes >= max) return startsAt + minuteMs / slotsPerMinute + windowMs
  }
  return 0
}

/** Adds a write, which may be in the future, and forgets those of more than an hour ago. */
function addWrite(times: WriteTimes, { minuteMs, hourMs }: WriteLimits, at: number): WriteTimes {
  const slotMs = minuteMs / slotsPerMinute
  const startsAt = Math.floor(at / slotMs) * slotMs
  const known = times.slots.filter((slot) => slot[0] + slotMs + hourMs > at)
  const last = known.at(-1)
  const slots = last?.[0] === startsAt ? known.with(-1, [startsAt, last[1] + 1]) : [...known, [startsAt, 1] as const]
  return { ...times, lastWriteAt: at, slots }
}
