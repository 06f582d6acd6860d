import { setTimeout as sleep } from 'node:timers/promises'
import type { ProxyVariables } from '../../files/network.ts'
import type { JsonObject } from '../../text/json/json-values.ts'
import { encodeUrlPart } from '../../text/plain/urls.ts'
import type { UpdateState } from '../types.ts'
import { type AppResponse, callApp, explainResponse, readRetryAfterMs } from './call-app.ts'

/** The record to wait for: by its ID, or the newest one of a commit. */
export type WantedUpdate =
  | { readonly kind: 'id'; readonly statusId: string }
  | { readonly kind: 'commit'; readonly projectId: string; readonly sha: string }

export interface WaitOptions {
  readonly url: string
  readonly wanted: WantedUpdate
  /** Called again when the app rejects a token: the token of a workflow expires within minutes. */
  readonly getToken: () => Promise<string>
  readonly timeoutMs: number
  readonly proxyVariables: ProxyVariables
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
const longestPauseMs = 30_000

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
      const ownPauseMs = Math.min(longestPauseMs, pauseMs * 2 ** Math.min(troubles++, 10)) * (0.75 + Math.random() / 2)
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
  | {
      readonly kind: 'seen'
      readonly update: SeenUpdate
      readonly etag: string | undefined
      readonly retryAfterMs: number | undefined
    }
  | { readonly kind: 'unchanged'; readonly retryAfterMs: number | undefined }
  /** The commit has no record yet. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'trouble'; readonly reason: string; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'refused'; readonly reason: string; readonly hint: string }

function readResponse(answer: AppResponse, isList: boolean): Step {
  if (answer.kind === 'answer') {
    const { status, headers, body } = answer
    const retryAfterMs = readRetryAfterMs(headers)
    if (status === 304) return { kind: 'unchanged', retryAfterMs }
    if (status === 200 && isList && Array.isArray(body?.['updates'])) {
      const [first] = body['updates']
      if (first === undefined) return { kind: 'absent' }
      const update = readUpdate(first)
      if (update) return { kind: 'seen', update, etag: undefined, retryAfterMs }
    }
    const update = status === 200 && !isList ? readUpdate(body) : undefined
    if (update) return { kind: 'seen', update, etag: headers.get('etag') ?? undefined, retryAfterMs }
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
  if (body === undefined || typeof id !== 'string' || typeof summary !== 'string' || !isState(status)) return undefined
  if (!Array.isArray(logs) || !logs.every((line) => typeof line === 'string')) return undefined
  return { id, status, summary, logs, json: body }
}

function isState(value: unknown): value is UpdateState {
  return value === 'queued' || value === 'in_progress' || value === 'success' || value === 'failure'
}
