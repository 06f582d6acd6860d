import { ConfigError } from '../../errors.ts'
import { isCertificateFault, isLoopback, type ProxyVariables, throughProxy, toNetworkReason } from '../../files/network.ts'
import { isObject, type JsonObject } from '../../source/is-object.ts'
import { maskSecrets } from '../../source/mask-secrets.ts'

export type AppAnswer =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Headers
      /** `undefined` when the response is no JSON object. */
      readonly body: JsonObject | undefined
    }
  /** No complete response arrived, for this reason. */
  | { readonly kind: 'none'; readonly reason: string; readonly hasBadCertificate: boolean }

/** A call of the app's API. */
interface AppCall {
  /** From `readAppAddress`. */
  readonly address: string
  /** Begins with `/`. */
  readonly path: string
  readonly token: string
  readonly headers?: { readonly [name: string]: string }
  /** Sent as JSON by POST; without a body the request is a GET. */
  readonly body?: unknown
  /** For the whole response. */
  readonly timeoutMs: number
  /** The environment variables that may name a proxy. */
  readonly proxyVariables: ProxyVariables
}

/** Logs of a record are bounded, so a larger response does not come from the app. */
const limitBytes = 16 * 1024 * 1024

/**
 * Makes one call. Never rejects.
 *
 * Returns a redirect instead of following it, so that the token is sent nowhere else.
 */
export async function askApp(call: AppCall): Promise<AppAnswer> {
  const { address, path, token, headers, body, timeoutMs, proxyVariables } = call
  try {
    return await throughProxy(proxyVariables, async () => {
      const response = await fetch(`${address}${path}`, {
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
    return { kind: 'none', reason: toNetworkReason(error, timeoutMs), hasBadCertificate: isCertificateFault(error) }
  }
}

async function readObject(response: Response): Promise<JsonObject | undefined> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > limitBytes) return undefined
    chunks.push(chunk)
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The wait that `Retry-After` asks for, in milliseconds; undefined unless it is given in seconds. */
export function readRetryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  return value !== null && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : undefined
}

/** Why a call failed, as a clause for people, and what to do about it. */
interface AppRefusal {
  readonly reason: string
  readonly hint: string
  /** Whether the same call may succeed later. */
  readonly mayPass: boolean
}

/** Explains an unexpected response. The result contains text from the server: escape it before showing it. */
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
  // Only the app sends a `code`; a gateway or another website does not.
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

/**
 * Checks the URL of an app that a token will be sent to: https, or plain http to this machine.
 *
 * @param name of the input or option, for the message.
 * @returns the origin, without a final `/`.
 * @throws {ConfigError}
 */
export function readAppAddress(text: string, name: string): string {
  const refuse = (expected: string, hint: string): never => {
    throw new ConfigError(`Unexpected \`${maskSecrets(text).slice(0, 200)}\` for ${name}, expected ${expected}`, { hint })
  }
  const example = 'for example `https://pages.example.com`'
  if (!URL.canParse(text)) return refuse('the address of an app', example)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    return refuse('an address without a user name or password', 'the token is enough')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    return refuse('an `https:` address', 'a token is not sent over plain http, except to this machine')
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    return refuse('an address without a path', `\`${url.origin}\` is enough`)
  }
  return url.origin
}

/** The token of the running workflow, or why there is none. */
type WorkflowToken =
  | { readonly kind: 'token'; readonly token: string }
  /** Not a workflow, or a workflow without `id-token: write`. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Requests the OIDC token of the running workflow. Its audience is the app's URL, so that neither the app nor anyone else can use
 * it elsewhere.
 *
 * Source: "OpenID Connect", "Requesting the JWT using environment variables". Does not use `core.getIDToken`, which retries ten
 * times and has no timeout.
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
  const answer = await askApp({ address: origin, path, token: requestToken, timeoutMs, proxyVariables: environment })
  if (answer.kind === 'none') return { kind: 'failed', reason: answer.reason }
  const token = answer.body?.['value']
  if (answer.status === 200 && typeof token === 'string' && token !== '') return { kind: 'token', token }
  return { kind: 'failed', reason: `GitHub answered ${answer.status}` }
}
