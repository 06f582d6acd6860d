import type { AppAnswer } from './ask-app.ts'

/** Why a call did not do what was asked, in words for people: a clause, and what to do about it. */
export interface AppRefusal {
  readonly reason: string
  readonly hint: string
  /** Whether the same call may be answered otherwise later. */
  readonly mayPass: boolean
}

/** Says what an answer that is not the wanted one means. Words of the app are among them: escape them where they are shown. */
export function explainAnswer(answer: AppAnswer): AppRefusal {
  if (answer.kind === 'none') {
    return answer.hasBadCertificate
      ? { reason: answer.reason, hint: 'for a certificate of your own name its authority in NODE_EXTRA_CA_CERTS', mayPass: false }
      : { reason: answer.reason, hint: 'check the address, and that the app runs', mayPass: true }
  }
  const { status, headers, body } = answer
  const location = headers.get('location')
  if (status >= 300 && status < 400 && location !== null) {
    return {
      reason: `it redirects to ${location}, and a token is not sent on`,
      hint: 'give the address that it ends at',
      mayPass: false,
    }
  }
  const code = typeof body?.['code'] === 'string' ? body['code'] : undefined
  const detail = typeof body?.['detail'] === 'string' ? body['detail'] : undefined
  const requestId = typeof body?.['requestId'] === 'string' ? ` (request ${body['requestId']})` : ''
  // Whatever else answers at an address, a gateway or a page of somebody, has no code of ours.
  if (code === undefined && status < 500 && status !== 429) {
    return {
      reason: `it answered ${status}, not as our app does`,
      hint: 'check that the address is that of an app',
      mayPass: false,
    }
  }
  const said = detail === undefined ? `${status}` : `${status}: ${detail}`
  return {
    reason: `it answered ${said}${status >= 500 ? requestId : ''}`,
    hint: toHint(status),
    mayPass: status >= 500 || status === 429,
  }
}

function toHint(status: number): string {
  return hints[status] ?? (status >= 500 ? 'the owner of the app finds the cause in its log' : 'see docs/status-api.md, "Errors"')
}

const hints: { readonly [status: number]: string } = {
  401: 'the token is unknown, expired or revoked, or a workflow’s token is for another address: use the `BASE_URL` of the app',
  403: 'use a token of the right scope (`openapi-pages token create`), or let the workflow report its own commit only',
  404: 'install the app on this repository, and check the docs root; what is not yours looks like what is not there',
  413: 'the report is too large for the app',
  422: 'see what the app says',
  429: 'the app is asked too often: ask less often, or raise its limits',
}
