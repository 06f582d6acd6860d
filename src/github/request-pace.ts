import { setTimeout as sleep } from 'node:timers/promises'
import { GitHubError } from '../errors.ts'
import { type FailedResponse, readFailedResponse } from './github-response.ts'
import type { GitHubClient } from './types.ts'

/** How fast one installation writes, and how often a request is repeated. GitHub's numbers are the defaults. */
export interface RequestPace {
  /** Least time from one write to the next. GitHub, "Best practices for using the REST API": at least one second. */
  readonly spacingMs: number
  /** Content that GitHub lets one installation write: 80 a minute and 500 an hour (GitHub, "Rate limits", secondary limits). */
  readonly writesPerMinute: number
  readonly writesPerHour: number
  /** The lengths of that minute and hour; shorter in tests only. */
  readonly minuteMs: number
  readonly hourMs: number
  /** How often a request is repeated before it fails. */
  readonly retries: number
  /** First wait after a 5xx or a lost connection; doubled each time. */
  readonly retryDelayMs: number
  /** First wait after a secondary limit that names no time; doubled each time. GitHub: at least one minute. */
  readonly secondaryLimitDelayMs: number
  /** The longest wait inside one call. What needs longer fails as `rate-limited` and says how long. */
  readonly longestWaitMs: number
  /** How long an answer may take to begin. */
  readonly timeoutMs: number
}

/** What is left for one installation, for `/metrics`. */
export interface BudgetLeft {
  readonly installationId: number
  readonly writesThisMinute: number
  readonly writesThisHour: number
  /** What GitHub's last answer said of the primary limit; absent before the first. */
  readonly requests: { readonly remaining: number; readonly limit: number; readonly resetAt: string } | undefined
}

/** Set in the `request` options of a write that can be sent twice without harm, such as one that sets a text. */
export const repeatable = { repeatable: true } as const

/**
 * Makes a client keep to GitHub's rules: one write a second and a bounded number of them, waits as GitHub asks, few repeats.
 *
 * A request that hit a limit was not acted on, so it is repeated whatever it is. After a 5xx or a lost connection it may have been:
 * only reads, and writes marked `repeatable`, are repeated then.
 */
export function paceRequests(
  client: GitHubClient,
  options: {
    budget: RequestBudget | undefined
    pace: RequestPace
    signal: AbortSignal | undefined
    /** Mints a new token; called once for a request whose token GitHub no longer takes. */
    renewToken: (() => Promise<unknown>) | undefined
  },
): void {
  const { budget, pace, signal, renewToken } = options
  client.hook.wrap('request', async (request, parameters) => {
    const method = String(parameters.method)
    const isRead = method === 'GET' || method === 'HEAD'
    // The token of an installation is no content, and every request may need one.
    const isToken = parameters.url.endsWith('/access_tokens')
    const canRepeat = isRead || isToken || parameters.request?.['repeatable'] === true
    const stops = [signal, parameters.request?.signal].filter((one) => one instanceof AbortSignal)
    const stop = stops.length > 0 ? AbortSignal.any(stops) : undefined
    let isRenewed = false
    for (let attempt = 0; ; attempt++) {
      if (isRead || isToken) await budget?.takeRead(stop)
      else await budget?.takeWrite(stop)
      // Ends with the head of the answer: a body, such as an archive, is timed by who reads it.
      const clock = new AbortController()
      const timer = setTimeout(() => clock.abort(new Error(`no answer within ${pace.timeoutMs} ms`)), pace.timeoutMs)
      // Octokit binds the parameters to the hooks within: only a change of the object itself reaches them.
      parameters.request = { ...parameters.request, signal: AbortSignal.any([clock.signal, ...stops]) }
      try {
        const response = await request(parameters)
        budget?.note(response.headers)
        refuseHalfAnswer(response, parameters.request['parseSuccessResponseBody'] === false)
        return response
      } catch (error) {
        const answer = readFailedResponse(error)
        if (answer.headers) budget?.note(answer.headers)
        // Minting the token failed, after repeats of its own.
        const isOfToken = error instanceof GitHubError || answer.url?.endsWith('/access_tokens') === true
        if (stop?.aborted || (isOfToken && !isToken)) throw error
        if (answer.status === 401 && renewToken && !isToken && !isRenewed) {
          isRenewed = true
          await renewToken()
          continue
        }
        const waitMs = waitBeforeRepeat(answer, attempt, pace, canRepeat)
        if (waitMs === undefined) throw error
        if (answer.isLimit) budget?.pause(waitMs)
        if (attempt >= pace.retries || waitMs > pace.longestWaitMs)
          throw answer.isLimit ? toLimitError(answer, waitMs, error) : error
        // The budget holds every request of the installation until a limit is over.
        if (!answer.isLimit || !budget) await sleep(waitMs, undefined, stop ? { signal: stop } : {})
      } finally {
        clearTimeout(timer)
      }
    }
  })
}

/** Octokit takes a body of JSON that breaks off for a text, and the request for a success. */
function refuseHalfAnswer(response: { headers: { 'content-type'?: string }; data: unknown }, isStream: boolean): void {
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/.test(response.headers['content-type'] ?? '')
  if (!isStream && isJson && typeof response.data === 'string') throw new Error('the answer broke off')
}

/** How long to wait, or `undefined` where a repeat is of no use or could do the same thing twice. */
function waitBeforeRepeat(answer: FailedResponse, attempt: number, pace: RequestPace, canRepeat: boolean): number | undefined {
  if (answer.isLimit) return answer.waitMs ?? pace.secondaryLimitDelayMs * 2 ** attempt
  if (answer.failure !== 'unavailable' && answer.failure !== 'unreachable') return undefined
  if (!canRepeat) return undefined
  // Up to a quarter more, so that workers that failed together do not come back together.
  return answer.waitMs ?? pace.retryDelayMs * 2 ** attempt * (1 + Math.random() / 4)
}

/** Carries the wait that the limit asks for to `toGitHubError`. */
function toLimitError({ message, status, requestId }: FailedResponse, waitMs: number, cause: unknown): GitHubError {
  return new GitHubError(message, {
    failure: 'rate-limited',
    operation: waitingForTurn,
    status,
    requestId,
    retryAfterMs: Math.ceil(waitMs),
    cause,
  })
}

/** @see RequestPace */
export const defaultPace: RequestPace = {
  spacingMs: 1_000,
  writesPerMinute: 80,
  writesPerHour: 500,
  minuteMs: 60_000,
  hourMs: 3_600_000,
  retries: 3,
  retryDelayMs: 1_000,
  secondaryLimitDelayMs: 60_000,
  longestWaitMs: 120_000,
  timeoutMs: 30_000,
}

/** The operation of an error that does not know yet which request it stopped; `toGitHubError` says it. */
export const waitingForTurn = 'wait for a turn'

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
