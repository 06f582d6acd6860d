import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { readWholeBytes, TooLargeError } from '../../files/disk-files.ts'
import { isCertificateError, isLoopback, type ProxyVariables, throughProxy, toNetworkReason } from '../../files/network.ts'
import { ConfigError } from '../../text/errors.ts'
import { isObject, type JsonObject } from '../../text/json/json-values.ts'
import { maskSecrets } from '../../text/plain/escape-text.ts'
import { encodeUrlPart } from '../../text/plain/paths.ts'
import { type UpdateState, updateStates } from '../update-record.ts'

type AppResponse =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Headers
      /** `undefined` if the response is not a JSON object. */
      readonly body: JsonObject | undefined
    }
  /** No complete response arrived, for this reason. */
  | { readonly kind: 'none'; readonly reason: string; readonly hasBadCertificate: boolean }

/** A request to the app's API. */
interface AppCall {
  /** From `parseAppUrl`. */
  readonly url: string
  /** Begins with `/`. */
  readonly path: string
  readonly token: string
  readonly headers?: { readonly [name: string]: string }
  /** Sent as JSON by POST. Without a body the request is a GET. */
  readonly body?: unknown
  /** For the whole response. */
  readonly timeoutMs: number
  /** The environment variables that may name a proxy. */
  readonly proxyVariables: ProxyVariables
}

/** The logs of a record are limited, so a larger response is not from the app. */
const limitBytes = 16 * 1024 * 1024

/**
 * Sends one request. Never rejects.
 *
 * Returns a redirect instead of following it, so that the token is sent nowhere else.
 */
async function callApp(call: AppCall): Promise<AppResponse> {
  const { url, path, token, headers, body, timeoutMs, proxyVariables } = call
  try {
    return await throughProxy(proxyVariables, async () => {
      const response = await fetch(`${url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          accept: 'application/json, application/problem+json',
          'user-agent': 'openapi-pages',
          ...headers,
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { kind: 'answer', status: response.status, headers: response.headers, body: await readObject(response) }
    })
  } catch (error) {
    return { kind: 'none', reason: toNetworkReason(error, timeoutMs), hasBadCertificate: isCertificateError(error) }
  }
}

async function readObject(response: Response): Promise<JsonObject | undefined> {
  try {
    const bytes = response.body ? await readWholeBytes(response.body, { limitBytes }) : Buffer.alloc(0)
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TooLargeError) return undefined
    throw error
  }
}

/** The wait that `Retry-After` requests, in milliseconds; undefined unless it is given in seconds. */
function readRetryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  return value !== null && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : undefined
}

/** Why a request failed, as a clause for people, and how to fix it. */
interface AppRefusal {
  readonly reason: string
  readonly hint: string
  /** Whether the same request may succeed later. */
  readonly mayPass: boolean
}

/** Explains an unexpected response. The result contains text from the server: escape it before showing it. */
function explainResponse(answer: AppResponse): AppRefusal {
  if (answer.kind === 'none') {
    return answer.hasBadCertificate
      ? {
          reason: answer.reason,
          hint: 'For a private certificate, set NODE_EXTRA_CA_CERTS to the file of its certificate authority',
          mayPass: false,
        }
      : { reason: answer.reason, hint: 'Check the URL and that the app is running', mayPass: true }
  }
  const { status, headers, body } = answer
  const location = headers.get('location')
  if (status >= 300 && status < 400 && location !== null) {
    return {
      reason: `the URL redirects to ${location}, and tokens are not sent to redirect targets`,
      hint: 'Use the URL that it redirects to',
      mayPass: false,
    }
  }
  const code = typeof body?.['code'] === 'string' ? body['code'] : undefined
  const detail = typeof body?.['detail'] === 'string' ? body['detail'] : undefined
  const requestId = typeof body?.['requestId'] === 'string' ? ` (request ${body['requestId']})` : ''
  // Only the app sends a `code`. A gateway or another website does not.
  if (code === undefined && status < 500 && status !== 429) {
    return {
      reason: `got ${status} from a server that is not an openapi-pages app`,
      hint: 'Check that the URL belongs to an openapi-pages app',
      mayPass: false,
    }
  }
  const shown = detail === undefined ? `${status}` : `${status}: ${detail}`
  return {
    reason: `the app responded with ${shown}${status >= 500 ? requestId : ''}`,
    hint: toHint(status),
    mayPass: status >= 500 || status === 429,
  }
}

function toHint(status: number): string {
  return (
    hints[status] ??
    (status >= 500 ? 'Ask the operator of the app to look up the cause in its log' : 'See docs/status-api.md, "Errors"')
  )
}

const hints: { readonly [status: number]: string } = {
  401: 'Check that the token is not expired or revoked. With a workflow token, use the `BASE_URL` of the server as the URL of the app',
  403: 'Use a token with the right scope (`openapi-pages-app token create`). A workflow may only report its own commit',
  404: 'Install the app on this repository, check the docs directory, and check that the token has access',
  413: 'Reduce the size of the report, which is over the limit of the app',
  422: 'Fix the problem that the app reports',
  429: 'Send fewer requests, or raise the rate limits of the app',
}

/**
 * Validates the URL of an app that a token will be sent to: https, or plain http to this machine.
 *
 * @param name The name of the input or option, for the message.
 * @returns The origin, without a final `/`.
 * @throws {ConfigError}
 */
export function parseAppUrl(text: string, name: string): string {
  const refuse = (expected: string, hint: string): never => {
    throw new ConfigError(`Unexpected \`${maskSecrets(text).slice(0, 200)}\` for ${name}, expected ${expected}`, { hint })
  }
  const example = 'For example `https://pages.example.com`'
  if (!URL.canParse(text)) return refuse('the URL of an app', example)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    return refuse('a URL without a user name or password', 'Remove them. The token is enough')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    return refuse('an `https:` URL', 'Use `https:`. Tokens are sent over plain http only to localhost')
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    return refuse('a URL without a path', `Use \`${url.origin}\``)
  }
  return url.origin
}

/** The token of the running workflow, or the reason why there is none. */
type WorkflowToken =
  | { readonly kind: 'token'; readonly token: string }
  /** Not in a workflow, or in a workflow without `id-token: write`. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Requests the OIDC token of the running workflow. Its audience is the app's URL, so that neither the app nor anyone else can use
 * it elsewhere.
 *
 * Source: "OpenID Connect", "Requesting the JWT using environment variables". `core.getIDToken` is not used because it retries
 * ten times and has no timeout.
 */
export async function requestWorkflowToken(
  environment: { readonly [name: string]: string | undefined },
  audience: string,
  timeoutMs = 10_000,
): Promise<WorkflowToken> {
  const url = environment['ACTIONS_ID_TOKEN_REQUEST_URL']
  const requestToken = environment['ACTIONS_ID_TOKEN_REQUEST_TOKEN']
  if (!url || !requestToken || !URL.canParse(url)) return { kind: 'absent' }
  const { origin, pathname, searchParams } = new URL(url)
  searchParams.set('audience', audience)
  const path = `${pathname}?${searchParams}`
  const answer = await callApp({ url: origin, path, token: requestToken, timeoutMs, proxyVariables: environment })
  if (answer.kind === 'none') return { kind: 'failed', reason: answer.reason }
  const token = answer.body?.['value']
  if (answer.status === 200 && typeof token === 'string' && token !== '') return { kind: 'token', token }
  return { kind: 'failed', reason: `GitHub responded with ${answer.status}` }
}

type ReportResult =
  | {
      readonly kind: 'reported'
      readonly statusId: string /** URL of the web page of the update. */
      readonly detailsUrl: string | undefined
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly hint: string }

/** The app that receives a report, and its credentials. */
interface ReportTarget extends Pick<AppCall, 'url' | 'token' | 'proxyVariables'> {
  /** For each of the two attempts. */
  readonly timeoutMs?: number
}

const longestPauseMs = 5_000

/**
 * Sends the report of a run (`POST /v1/project/report`). Never rejects.
 *
 * Retries a temporary failure once. The idempotency key prevents a second record if the first response was lost.
 */
export async function sendReport(body: object, target: ReportTarget): Promise<ReportResult> {
  const { timeoutMs = 10_000, ...rest } = target
  const call = { ...rest, path: '/v1/project/report', headers: { 'idempotency-key': randomUUID() }, body, timeoutMs }
  for (let attempt = 1; ; attempt++) {
    const answer = await callApp(call)
    if (answer.kind === 'answer' && answer.status === 201) {
      const { statusId, detailsUrl } = answer.body ?? {}
      if (typeof statusId === 'string') {
        return { kind: 'reported', statusId, detailsUrl: isWebUrl(detailsUrl) ? detailsUrl : undefined }
      }
    }
    const { reason, hint, mayPass } = explainResponse(answer)
    const pauseMs = answer.kind === 'answer' ? (readRetryAfterMs(answer.headers) ?? 500) : 500
    if (!mayPass || attempt === 2 || pauseMs > longestPauseMs) return { kind: 'failed', reason, hint }
    await sleep(pauseMs)
  }
}

/** The URL becomes a link in the job summary, so it must not contain Markdown syntax. */
function isWebUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/[!-~]+$/.test(value) && URL.canParse(value)
}

/** The record to wait for: by its ID, or the newest one of a commit. */
export type WantedUpdate =
  | { readonly kind: 'id'; readonly statusId: string }
  | { readonly kind: 'commit'; readonly projectId: string; readonly sha: string }

export interface WaitOptions extends Pick<AppCall, 'url' | 'proxyVariables'> {
  readonly wanted: WantedUpdate
  /** Called again when the app rejects a token: the token of a workflow expires within minutes. */
  readonly getToken: () => Promise<string>
  readonly timeoutMs: number
  /** Called for every change of the record, including its first and last state. */
  readonly onUpdate: (update: SeenUpdate) => void
  /** Called once for each temporary failure that will be retried. */
  readonly onTrouble: (reason: string) => void
  /** The first pause after a temporary failure; doubled each time, up to 30 s. */
  readonly pauseMs?: number
}

/** The result of waiting. */
export type WaitEnd =
  | { readonly kind: 'ended'; readonly update: SeenUpdate }
  | {
      readonly kind: 'unknown'
      readonly why: 'timeout' | 'refused'
      readonly reason: string
      readonly hint: string
      /** The last known state. */
      readonly update: SeenUpdate | undefined
    }

/** The fields of a record that a client needs. `json` is the whole response. */
export interface SeenUpdate {
  readonly id: string
  readonly status: UpdateState
  readonly summary: string
  readonly logs: readonly string[]
  readonly json: JsonObject
}

/**
 * How long the app may hold a response: less than the minute after which many proxies time out, and shorter while a run writes
 * log lines, so that they arrive promptly.
 */
const queuedHoldMs = 50_000
const runningHoldMs = 15_000

/** The minimum time between two requests if responses are not held, whatever the app requests. */
const leastPauseMs = 200
const longestWaitMs = 30_000

/** Pause between searches for a commit that has no record yet. */
const searchPauseMs = 2_000

/**
 * Waits until a record has ended. Rejects only if `getToken` does.
 *
 * Polls efficiently: the server holds responses (`Prefer: wait`), unchanged ones are empty (`ETag`), and `Retry-After` is
 * respected.
 */
export async function waitForUpdate(options: WaitOptions): Promise<WaitEnd> {
  const { url, wanted, getToken, timeoutMs, proxyVariables, onUpdate, onTrouble, pauseMs = 1_000 } = options
  const endsAt = Date.now() + timeoutMs
  // A timer may fire a millisecond early, which would cost one more request before the deadline.
  const pause = (ms: number) => sleep(Math.min(ms, Math.max(0, endsAt - Date.now() + 1)))
  let token = await getToken()
  let hasFreshToken = true
  let statusId = wanted.kind === 'id' ? wanted.statusId : undefined
  let seen: SeenUpdate | undefined
  let etag: string | undefined
  // The first response is not held, so that the current state is reported at once.
  let mayHold = false
  let troubles = 0
  let trouble: string | undefined
  for (;;) {
    const leftMs = endsAt - Date.now()
    if (leftMs <= 0) return toTimeout(options, seen, trouble)
    const holdMs = mayHold ? Math.min(leftMs, seen?.status === 'in_progress' ? runningHoldMs : queuedHoldMs) : 0
    const holdSeconds = Math.floor(holdMs / 1000)
    const path =
      statusId === undefined && wanted.kind === 'commit'
        ? `/v1/project/${encodeUrlPart(wanted.projectId)}/updates?sha=${wanted.sha}&limit=1`
        : `/v1/project/update-status/${encodeUrlPart(statusId ?? '')}`
    const headers = {
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
      ...(holdSeconds > 0 ? { prefer: `wait=${holdSeconds}` } : {}),
    }
    // Longer than the app holds the response, so that the last one arrives.
    const patienceMs = Math.min(leftMs + 2_000, holdMs + 15_000)
    const askedAt = Date.now()
    const answer = await callApp({ url, path, token, headers, timeoutMs: patienceMs, proxyVariables })
    const result = readResponse(answer, statusId === undefined)
    if (result.kind === 'refused' && !hasFreshToken && answer.kind === 'answer' && answer.status === 401) {
      token = await getToken()
      hasFreshToken = true
      continue
    }
    if (result.kind === 'refused') return { ...result, kind: 'unknown', why: 'refused', update: seen }
    if (result.kind === 'trouble') {
      if (trouble === undefined) onTrouble(result.reason)
      trouble = result.reason
      const ownPauseMs = Math.min(longestWaitMs, pauseMs * 2 ** Math.min(troubles++, 10)) * (0.75 + Math.random() / 2)
      await pause(Math.max(result.retryAfterMs ?? 0, ownPauseMs))
      continue
    }
    hasFreshToken = false
    troubles = 0
    trouble = undefined
    if (result.kind === 'absent') {
      await pause(searchPauseMs)
      continue
    }
    mayHold = statusId !== undefined
    if (result.kind === 'seen') {
      seen = result.update
      statusId = seen.id
      etag = result.etag
      onUpdate(seen)
      if (seen.status === 'success' || seen.status === 'failure') return { kind: 'ended', update: seen }
    }
    // Without held responses, the client must pause between requests.
    if (holdMs > 0 && Date.now() - askedAt < 1_000) {
      await pause(result.kind === 'seen' ? leastPauseMs : (result.retryAfterMs ?? searchPauseMs))
    }
  }
}

type Step =
  | { readonly kind: 'seen'; readonly update: SeenUpdate; readonly etag: string | undefined }
  | { readonly kind: 'unchanged'; readonly retryAfterMs: number | undefined }
  /** The commit has no record yet. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'trouble'; readonly reason: string; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'refused'; readonly reason: string; readonly hint: string }

function readResponse(answer: AppResponse, isList: boolean): Step {
  if (answer.kind === 'answer') {
    const { status, headers, body } = answer
    if (status === 304) return { kind: 'unchanged', retryAfterMs: readRetryAfterMs(headers) }
    if (status === 200 && isList && Array.isArray(body?.['updates'])) {
      const [first] = body['updates']
      if (first === undefined) return { kind: 'absent' }
      const update = readUpdate(first)
      if (update) return { kind: 'seen', update, etag: undefined }
    }
    const update = status === 200 && !isList ? readUpdate(body) : undefined
    if (update) return { kind: 'seen', update, etag: headers.get('etag') ?? undefined }
  }
  const { reason, hint, mayPass } = explainResponse(answer)
  if (!mayPass) return { kind: 'refused', reason, hint }
  return { kind: 'trouble', reason, retryAfterMs: answer.kind === 'answer' ? readRetryAfterMs(answer.headers) : undefined }
}

function toTimeout({ wanted, timeoutMs }: WaitOptions, update: SeenUpdate | undefined, trouble: string | undefined): WaitEnd {
  const time = `${Math.round(timeoutMs / 1000)} s`
  const state = update?.status === 'in_progress' ? 'in progress' : update?.status
  const what = wanted.kind === 'commit' ? 'the app created no record for the commit' : 'the app did not respond'
  const reason =
    trouble !== undefined
      ? `no usable response within ${time}: ${trouble}`
      : state === undefined
        ? `${what} within ${time}`
        : `the update is still ${state} after ${time}`
  const hint =
    state === undefined && trouble === undefined && wanted.kind === 'commit'
      ? 'Check that the commit was pushed and that the app is installed on its repository'
      : 'Wait longer with `--timeout`'
  return { kind: 'unknown', why: 'timeout', reason, hint, update }
}

/** Reads a record from a response; undefined if it is not one. Unknown fields are allowed. */
function readUpdate(body: JsonObject | undefined): SeenUpdate | undefined {
  const { _id: id, status, summary, logs } = body ?? {}
  const state = updateStates.find((one) => one === status)
  if (body === undefined || typeof id !== 'string' || typeof summary !== 'string' || !state) return undefined
  if (!Array.isArray(logs) || !logs.every((line) => typeof line === 'string')) return undefined
  return { id, status: state, summary, logs, json: body }
}
