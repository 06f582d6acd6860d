import { setTimeout as sleep } from 'node:timers/promises'
import { GitHubError } from '../../text/errors.ts'
import { type FailedResponse, readFailedResponse } from './github-response.ts'
import { type RequestBudget, waitingForTurn } from './request-budget.ts'
import { isBulkWork } from './request-fence.ts'
import type { GitHubClient } from './types.ts'
import type { WriteLimits } from './write-times.ts'

/** Limits for the writes of one installation and for retries. The defaults follow GitHub's documentation. */
export interface RequestPace extends WriteLimits {
  /** Maximum number of retries. */
  readonly retries: number
  /** First wait after a 5xx or a lost connection. Doubled each time. */
  readonly retryDelayMs: number
  /** First wait after a secondary limit that gives no time. Doubled each time. GitHub: at least one minute. */
  readonly secondaryLimitDelayMs: number
  /** The longest wait inside one call. A call that would wait longer fails as `rate-limited`. */
  readonly longestWaitMs: number
  /** Timeout for the start of the response. */
  readonly timeoutMs: number
}

/** `request` options that mark a write as safe to repeat, such as one that replaces a text. */
export const repeatable = { repeatable: true } as const

/** `request` options of a GraphQL query, which is a POST but writes nothing. */
export const readOnly = { readOnly: true } as const

/**
 * Makes a client follow GitHub's rules: one write per second, a limited number of writes, the waits that GitHub requests, few
 * retries.
 *
 * A request that hit a limit had no effect and is always retried. After a 5xx or a lost connection it may have taken effect, so
 * only reads and writes marked `repeatable` are retried.
 */
export function paceRequests(
  client: GitHubClient,
  options: {
    budget: RequestBudget | undefined
    pace: RequestPace
    signal: AbortSignal | undefined
    /** Mints a new token. Called once for a request when GitHub rejects its token. */
    renewToken: (() => Promise<unknown>) | undefined
  },
): void {
  const { budget, pace, signal, renewToken } = options
  client.hook.wrap('request', async (request, parameters) => {
    const method = String(parameters.method)
    const isRead = method === 'GET' || method === 'HEAD' || parameters.request?.['readOnly'] === true
    // Minting a token writes no content, and every request may need one.
    const isToken = parameters.url.endsWith('/access_tokens')
    const canRepeat = isRead || isToken || parameters.request?.['repeatable'] === true
    const stops = [signal, parameters.request?.signal].filter((one) => one instanceof AbortSignal)
    const stop = stops.length > 0 ? AbortSignal.any(stops) : undefined
    let isRenewed = false
    for (let attempt = 0; ; attempt++) {
      if (isRead || isToken) await budget?.takeRead(stop)
      else await budget?.takeWrite(stop, { isBulk: isBulkWork() })
      // Covers the time until the response begins. The reader of a body, such as an archive, limits the rest.
      const clock = new AbortController()
      const timer = setTimeout(() => clock.abort(new Error(`no response within ${pace.timeoutMs} ms`)), pace.timeoutMs)
      // Octokit's inner hooks share this object, so it must be changed in place.
      parameters.request = { ...parameters.request, signal: AbortSignal.any([clock.signal, ...stops]) }
      try {
        const response = await request(parameters)
        budget?.note(response.headers)
        rejectTruncatedJson(response, parameters.request['parseSuccessResponseBody'] === false)
        return response
      } catch (error) {
        const answer = readFailedResponse(error)
        if (answer.headers) budget?.note(answer.headers)
        // Minting the token failed after its own retries.
        const isTokenFailure = error instanceof GitHubError || answer.url?.endsWith('/access_tokens') === true
        if (stop?.aborted || (isTokenFailure && !isToken)) throw error
        if (answer.status === 401 && renewToken && !isToken && !isRenewed) {
          isRenewed = true
          await renewToken()
          continue
        }
        const waitMs = waitBeforeRepeat(answer, attempt, pace, canRepeat)
        if (waitMs === undefined) throw error
        if (answer.isLimit) await budget?.pause(waitMs)
        if (attempt >= pace.retries || waitMs > pace.longestWaitMs)
          throw answer.isLimit ? toLimitError(answer, waitMs, error) : error
        // The budget already delays all requests of the installation until the limit is over.
        if (!answer.isLimit || !budget) await sleep(waitMs, undefined, stop ? { signal: stop } : {})
      } finally {
        clearTimeout(timer)
      }
    }
  })
}

/** Octokit treats truncated JSON as text and the request as a success. */
function rejectTruncatedJson(response: { headers: { 'content-type'?: string }; data: unknown }, isStream: boolean): void {
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/.test(response.headers['content-type'] ?? '')
  if (!isStream && isJson && typeof response.data === 'string') throw new Error('the response was incomplete')
}

/** The wait before a retry; `undefined` when a retry is useless or could repeat a write. */
function waitBeforeRepeat(answer: FailedResponse, attempt: number, pace: RequestPace, canRepeat: boolean): number | undefined {
  if (answer.isLimit) return answer.waitMs ?? pace.secondaryLimitDelayMs * 2 ** attempt
  if (answer.failure !== 'unavailable' && answer.failure !== 'unreachable') return undefined
  if (!canRepeat) return undefined
  // Adds up to a quarter, so that workers that failed together do not retry together.
  return answer.waitMs ?? pace.retryDelayMs * 2 ** attempt * (1 + Math.random() / 4)
}

/** An error that carries the limit's wait to `toGitHubError`. */
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
