import { createHmac, randomUUID } from 'node:crypto'
import { webhookPath } from '../../../../src/app/base/manifest.ts'
import { docsConfig, validDocument } from '../../support/connected-app.ts'

export const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }

/** Posts a raw body, by default with a valid signature. */
export async function post(
  address: string,
  secret: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<{ status: number; text: string; headers: Headers }> {
  const all = {
    'Content-Type': 'application/json',
    'X-GitHub-Event': 'ping',
    'X-GitHub-Delivery': randomUUID(),
    'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    ...headers,
  }
  const given = Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
  const response = await fetch(`${address}${webhookPath}`, { method: 'POST', headers: given, body })
  return { status: response.status, text: await response.text(), headers: response.headers }
}
