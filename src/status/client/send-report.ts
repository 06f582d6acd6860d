import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProxyVariables } from '../../files/network.ts'
import { callApp, explainResponse, readRetryAfterMs } from './call-app.ts'

type ReportResult =
  | {
      readonly kind: 'reported'
      readonly statusId: string /** URL of the web page of the update. */
      readonly detailsUrl: string | undefined
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly hint: string }

/** The app that receives a report, and its credentials. */
interface ReportTarget {
  readonly url: string
  readonly token: string
  readonly proxyVariables: ProxyVariables
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
