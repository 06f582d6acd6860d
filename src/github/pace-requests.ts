import { setTimeout as sleep } from 'node:timers/promises'
import { GitHubError } from '../errors.ts'
import { readAnswer } from './read-answer.ts'
import type { RequestBudget } from './request-budget.ts'
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
    const ownSignal: unknown = parameters.request?.signal
    let isRenewed = false
    for (let attempt = 0; ; attempt++) {
      if (isRead || isToken) await budget?.takeRead(signal)
      else await budget?.takeWrite(signal)
      // Ends with the head of the answer: a body, such as an archive, is timed by who reads it.
      const clock = new AbortController()
      const timer = setTimeout(() => clock.abort(new Error(`no answer within ${pace.timeoutMs} ms`)), pace.timeoutMs)
      const signals = [clock.signal, signal, ownSignal].filter((one) => one instanceof AbortSignal)
      // Octokit binds the parameters to the hooks within: only a change of the object itself reaches them.
      parameters.request = { ...parameters.request, signal: AbortSignal.any(signals) }
      try {
        const response = await request(parameters)
        budget?.note(response.headers)
        refuseHalfAnswer(response, parameters.request?.['parseSuccessResponseBody'] === false)
        return response
      } catch (error) {
        const answer = readAnswer(error)
        if (answer.headers) budget?.note(answer.headers)
        // Minting the token failed, after repeats of its own.
        if (!isToken && answer.url?.endsWith('/access_tokens')) throw error
        if (answer.status === 401 && renewToken && !isToken && !isRenewed) {
          isRenewed = true
          await renewToken()
          continue
        }
        const waitMs = waitBeforeRepeat(answer, attempt, pace, canRepeat)
        if (waitMs === undefined || signal?.aborted) throw error
        if (answer.isLimit) budget?.pause(waitMs)
        if (attempt >= pace.retries || waitMs > pace.longestWaitMs) throw withWait(error, answer.isLimit ? waitMs : undefined)
        if (!answer.isLimit || !budget) await sleep(waitMs, undefined, signal ? { signal } : {})
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
function waitBeforeRepeat(
  answer: ReturnType<typeof readAnswer>,
  attempt: number,
  pace: RequestPace,
  canRepeat: boolean,
): number | undefined {
  if (answer.isLimit) return answer.waitMs ?? pace.secondaryLimitDelayMs * 2 ** attempt
  if (answer.failure !== 'unavailable' && answer.failure !== 'unreachable') return undefined
  if (!canRepeat) return undefined
  // Up to a quarter more, so that workers that failed together do not come back together.
  return answer.waitMs ?? pace.retryDelayMs * 2 ** attempt * (1 + Math.random() / 4)
}

/** Puts the wait that the limit asks for where `toGitHubError` finds it. */
function withWait(error: unknown, waitMs: number | undefined): unknown {
  if (waitMs === undefined) return error
  return new GitHubError(readAnswer(error).message, {
    failure: 'rate-limited',
    operation: 'wait for a turn',
    status: readAnswer(error).status,
    requestId: readAnswer(error).requestId,
    retryAfterMs: Math.ceil(waitMs),
    cause: error,
  })
}
