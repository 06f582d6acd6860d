import { createHmac } from 'node:crypto'
import { equalSecrets } from '../equal-secrets.ts'

/** How long a link of a check stays good. Checks and comments on GitHub never end, so this is long. */
export const linkLifetimeMs = 180 * 24 * 3600 * 1000

/**
 * The address of the page of a record, good for whoever has it until `linkLifetimeMs` from `now`.
 *
 * Equal within a day, so that a comment or check that is written again is equal too.
 */
export function toSignedLink(key: Buffer, baseUrl: string, statusId: string, now: Date): string {
  const day = 24 * 3600
  const expires = Math.ceil((now.getTime() + linkLifetimeMs) / 1000 / day) * day
  return `${baseUrl}/updates/${encodeURIComponent(statusId)}?expires=${expires}&signature=${sign(key, statusId, expires)}`
}

/** Whether a link was made with this key for this record and has not expired. Takes the same time for every wrong signature. */
export function isSignedLink(
  key: Buffer,
  { statusId, expires, signature }: { statusId: string; expires?: string; signature?: string },
  now: Date,
): boolean {
  const seconds = /^\d{1,12}$/.test(expires ?? '') ? Number(expires) : 0
  return equalSecrets(signature ?? '', sign(key, statusId, seconds)) && seconds * 1000 > now.getTime()
}

function sign(key: Buffer, statusId: string, expires: number): string {
  return createHmac('sha256', key).update(`openapi-pages:update:${statusId}:${expires}`).digest('base64url')
}
