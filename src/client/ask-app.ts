import { isCertificateFault, toNetworkReason } from '../files/network-reason.ts'
import { type ProxyVariables, throughProxy } from '../files/through-proxy.ts'
import { isObject, type JsonObject } from '../text/is-object.ts'

/** One call of the API of an app. */
export interface AppCall {
  /** As `readAppAddress` gives it. */
  readonly address: string
  /** With `/` at its start. */
  readonly path: string
  readonly token: string
  readonly headers?: { readonly [name: string]: string }
  /** Sent as JSON, by POST; a GET where absent. */
  readonly body?: unknown
  /** For the whole answer. */
  readonly timeoutMs: number
  /** The variables of the process that may name a proxy. */
  readonly proxyVariables: ProxyVariables
}

export type AppAnswer =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Headers
      /** `undefined` where the answer is no JSON object. */
      readonly body: JsonObject | undefined
    }
  /** No complete answer came, for this reason. */
  | { readonly kind: 'none'; readonly reason: string; readonly hasBadCertificate: boolean }

/** A record has bounded logs; an answer over this is none of ours. */
const limitBytes = 16 * 1024 * 1024

/**
 * Makes one call. Never rejects.
 *
 * A redirect is not followed: the answer is the redirect itself, and the token has gone nowhere else.
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

/** Milliseconds that `Retry-After` asks to wait; undefined where it does not say so in seconds. */
export function readRetryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  return value !== null && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : undefined
}
