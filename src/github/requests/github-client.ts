import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Octokit } from '@octokit/rest'
import { GitHubError } from '../../text/errors.ts'
import { type FailedResponse, readFailedResponse } from './github-response.ts'
import { RequestBudget, waitingForTurn } from './request-budget.ts'

/** An authenticated Octokit with pacing and retries. Only `src/github` calls its methods. */
export type GitHubClient = Octokit

/** A repository by name. GitHub redirects old names, and the client follows the redirect. */
export interface RepositoryName {
  readonly owner: string
  readonly repo: string
}

/** Creates an Octokit that logs only warnings. Errors reach the caller as exceptions. */
export function createOctokit(
  options: Pick<NonNullable<ConstructorParameters<typeof Octokit>[0]>, 'auth' | 'authStrategy'>,
  address: {
    /** Default: `https://api.github.com`. `https://<host>/api/v3` for a GitHub Enterprise Server. */
    readonly apiUrl: string | undefined
    /** Receives Octokit's warnings, for example about a deprecated route. They contain no token. */
    readonly warn: (message: string) => void
  },
): GitHubClient {
  const quiet = () => undefined
  return new Octokit({
    ...options,
    baseUrl: (address.apiUrl ?? 'https://api.github.com').replace(/\/$/, ''),
    userAgent: 'openapi-pages',
    log: { debug: quiet, info: quiet, warn: address.warn, error: quiet },
  })
}

/** A client with a given token, such as the job token in Actions. Its requests are paced like those of the app. */
export function createTokenClient(options: {
  readonly token: string
  /** `https://api.github.com`, or `https://<host>/api/v3` for a GitHub Enterprise Server. */
  readonly apiUrl: string | undefined
  readonly pace?: Partial<RequestPace>
}): GitHubClient {
  const client = createOctokit({ auth: options.token }, { apiUrl: options.apiUrl, warn: () => undefined })
  const pace = { ...defaultPace, ...options.pace }
  const budget = new RequestBudget(0, pace, { owner: 'this token' })
  paceRequests(client, { budget, pace, signal: undefined, renewToken: undefined })
  return client
}

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

/** Limits for the writes of one installation and for retries. They follow GitHub's documentation. */
export const defaultPace = {
  spacingMs: 1_000,
  writesPerMinute: 80,
  writesPerHour: 500,
  minuteMs: 60_000,
  hourMs: 3_600_000,
  /** Maximum number of retries. */
  retries: 3,
  /** First wait after a 5xx or a lost connection. Doubled each time. */
  retryDelayMs: 1_000,
  /** First wait after a secondary limit that gives no time. Doubled each time. GitHub: at least one minute. */
  secondaryLimitDelayMs: 60_000,
  /** The longest wait inside one call. A call that would wait longer fails as `rate-limited`. */
  longestWaitMs: 120_000,
  /** The longest wait for the end of a pause that GitHub requested: other work may be possible meanwhile. */
  longestPauseMs: 120_000,
  /** Timeout for the start of the response. */
  timeoutMs: 30_000,
}
export type RequestPace = Readonly<typeof defaultPace>

/** Whether work may still write to GitHub: it holds a lease or a lock that another process can take over. */
export interface RequestFence {
  /** Aborts all requests of the work, and their waits. */
  readonly signal: AbortSignal
  /** Called right before each write is sent. Rejects if the work may not write. */
  confirm(): Promise<void>
  /** Whether the work must leave a part of the hourly writes to other work of the installation. */
  readonly isBulk?: boolean
}

const fences = new AsyncLocalStorage<readonly RequestFence[]>()

/** Runs work whose requests to GitHub depend on the fence, in addition to those of the work around it. */
export function withRequestFence<Value>(fence: RequestFence, work: () => Promise<Value>): Promise<Value> {
  return fences.run([...listFences(), fence], work)
}

/** Aborted when the current work may not send requests any more; `undefined` outside of fences. */
export function fencedSignal(): AbortSignal | undefined {
  const current = listFences()
  return current.length === 0 ? undefined : AbortSignal.any(current.map(({ signal }) => signal))
}

/** Whether the current work must leave a part of the hourly writes to other work. */
export function isBulkWork(): boolean {
  return listFences().some(({ isBulk }) => isBulk === true)
}

function listFences(): readonly RequestFence[] {
  return fences.getStore() ?? []
}

/**
 * Makes a client obey the fences of the work that uses it. Requests for tokens are exempt, because all work of an installation shares them.
 *
 * Call it after all other hooks are registered, so that a lost fence also ends waits for the rate limit.
 */
export function fenceRequests(client: GitHubClient): void {
  client.hook.wrap('request', (request, parameters) => {
    const signal = fencedSignal()
    if (!signal || parameters.url.endsWith('/access_tokens')) return request(parameters)
    const given = parameters.request?.signal
    // Octokit's inner hooks share this object, so it must be changed in place.
    parameters.request = {
      ...parameters.request,
      signal: given instanceof AbortSignal ? AbortSignal.any([given, signal]) : signal,
      fetch: fetchInFence,
    }
    return request(parameters)
  })
}

/** Confirms as late as possible: the wait for the rate limit or a token may be long. */
async function fetchInFence(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const isRead = init?.method === 'GET' || init?.method === 'HEAD'
  if (!isRead) for (const fence of listFences()) await fence.confirm()
  return await fetch(input, init)
}

/** One request to GitHub, including each retry and each request for a token. */
interface ObservedRequest {
  /** `undefined` for requests as the app. */
  readonly installationId: number | undefined
  readonly method: string
  /** The template of the path: `/repos/{owner}/{repo}/check-runs`. It contains no values. */
  readonly route: string
}

/** Runs a request, and receives the status of its response: also of a failed one, before the error is thrown. No response has `undefined`. */
export type ObserveRequest = <Result>(
  request: ObservedRequest,
  send: (note: (status: number | undefined) => void) => Promise<Result>,
) => Promise<Result>

/** Reports each request of a client. Call it before `paceRequests`, so that retries are separate and waits do not count. */
export function observeRequests(client: GitHubClient, installationId: number | undefined, observe: ObserveRequest): void {
  client.hook.wrap('request', (request, parameters) => {
    const observed = { installationId, method: String(parameters.method), route: toRoute(parameters.url) }
    return observe(observed, async (note) => {
      try {
        const response = await request(parameters)
        note(response.status)
        return response
      } catch (error) {
        note(readFailedResponse(error).status)
        throw error
      }
    })
  })
}

/** The next page of a list is a complete URL, whose values are in the query. */
function toRoute(url: string): string {
  if (url.startsWith('/')) return url
  const { pathname } = new URL(url)
  const parts = pathname.split('/').map((part) => (/^\d+$/.test(part) ? '{id}' : part))
  return parts.join('/')
}

const day = 24 * 3_600_000

/** Settings that differ between github.com and a GitHub Enterprise Server. */
interface GitHubServer {
  /** The REST API, without a final `/`. */
  readonly apiUrl: string
  /** Issuer of the OIDC tokens of workflows. Source: "OpenID Connect", "Configuring the OIDC trust with the cloud". */
  readonly workflowTokenIssuer: string
  /** How long GitHub keeps a webhook delivery and can redeliver it. Source: "Redelivering webhooks". */
  readonly deliveryRetentionMs: number
}

/** Distinguishes github.com from a GitHub Enterprise Server by its web URL, without a final `/`. */
export function toGitHubServer(githubUrl: string): GitHubServer {
  if (githubUrl === 'https://github.com') {
    return {
      apiUrl: 'https://api.github.com',
      workflowTokenIssuer: 'https://token.actions.githubusercontent.com',
      deliveryRetentionMs: 3 * day,
    }
  }
  return {
    apiUrl: `${githubUrl}/api/v3`,
    workflowTokenIssuer: `${githubUrl}/_services/token`,
    deliveryRetentionMs: 7 * day,
  }
}
