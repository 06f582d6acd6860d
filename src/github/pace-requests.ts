import { setTimeout as sleep } from 'node:timers/promises'
import { GitHubError } from '../errors.ts'
import { type FailedAnswer, readAnswer } from './read-answer.ts'
import { type RequestBudget, waitingForTurn } from './request-budget.ts'
import type { RequestPace } from './request-pace.ts'
import type { GitHubClient } from './types.ts'

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
        const answer = readAnswer(error)
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
function waitBeforeRepeat(answer: FailedAnswer, attempt: number, pace: RequestPace, canRepeat: boolean): number | undefined {
  if (answer.isLimit) return answer.waitMs ?? pace.secondaryLimitDelayMs * 2 ** attempt
  if (answer.failure !== 'unavailable' && answer.failure !== 'unreachable') return undefined
  if (!canRepeat) return undefined
  // Up to a quarter more, so that workers that failed together do not come back together.
  return answer.waitMs ?? pace.retryDelayMs * 2 ** attempt * (1 + Math.random() / 4)
}

/** Carries the wait that the limit asks for to `toGitHubError`. */
function toLimitError({ message, status, requestId }: FailedAnswer, waitMs: number, cause: unknown): GitHubError {
  return new GitHubError(message, {
    failure: 'rate-limited',
    operation: waitingForTurn,
    status,
    requestId,
    retryAfterMs: Math.ceil(waitMs),
    cause,
  })
}
