import { createHmac, randomUUID } from 'node:crypto'
import type { FakeGitHub } from './fake-github.ts'
import type { Json } from './represent.ts'
import type { DeliverOptions, DeliveryResult } from './types.ts'

/** GitHub gives a receiver ten seconds. */
const timeoutMs = 10_000

/** Signs and posts one webhook as GitHub does, and adds it to the list of deliveries. */
export async function deliverWebhook(
  github: FakeGitHub,
  event: string,
  payload: object,
  options: DeliverOptions & { redelivery: boolean },
): Promise<DeliveryResult> {
  const body = JSON.stringify(payload)
  const guid = options.guid ?? randomUUID()
  const id = github.nextId()
  // An app that was created from a manifest has its own secret and ID.
  const app = github.registeredApps.at(-1) ?? github.app
  const secret = options.secret ?? app.webhookSecret
  const signature = options.signature ?? `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const { installation, repository, action } = payload as Json // Every payload is an object.
  const installationId = numberIn(installation)
  const headers: { [name: string]: string } = {
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/fa4e001',
    'x-github-delivery': guid,
    'x-github-event': event,
    'x-github-hook-id': '400000000',
    'x-github-hook-installation-target-id': String(app.id),
    'x-github-hook-installation-target-type': 'integration',
    ...(options.signature === null ? {} : { 'x-hub-signature-256': signature }),
  }
  const started = performance.now()
  const answer = options.lost ? unreachable : await post(github.webhookUrl, headers, body)
  const durationMs = performance.now() - started
  github.deliveries.push({
    id,
    guid,
    event,
    action: typeof action === 'string' ? action : null,
    redelivery: options.redelivery,
    deliveredAt: options.deliveredAt ?? new Date().toISOString(),
    statusCode: answer.status === 0 ? 502 : answer.status,
    status: answer.text,
    durationSeconds: Math.round(durationMs) / 1000,
    installationId,
    repositoryId: numberIn(repository),
    payload,
    requestHeaders: headers,
    responseHeaders: answer.headers,
    responseBody: answer.body,
  })
  return { id, guid, status: answer.status, body: answer.body, durationMs }
}

const unreachable = { status: 0, text: 'failed to connect to host', headers: {}, body: '' }

async function post(url: string, headers: { readonly [name: string]: string }, body: string) {
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) })
    const text = response.ok ? 'OK' : `Invalid HTTP Response: ${response.status}`
    return { status: response.status, text, headers: Object.fromEntries(response.headers), body: await response.text() }
  } catch (error) {
    const isSlow = error instanceof Error && error.name === 'TimeoutError'
    return isSlow ? { ...unreachable, text: 'timed out' } : unreachable
  }
}

function numberIn(value: unknown): number | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
  return typeof id === 'number' ? id : null
}
