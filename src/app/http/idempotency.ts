import { createHash } from 'node:crypto'
import type { IdempotencyKey } from '../../store/types.ts'

/** The key of a call for the store; the name of the call is part of what must be the same on a repeat. */
export function toIdempotency(
  key: string | undefined,
  { projectId, call, body }: { projectId: string; call: string; body: unknown },
): { readonly idempotency?: IdempotencyKey } {
  if (key === undefined) return {}
  const bodyHash = createHash('sha256')
    .update(`${call}\n${JSON.stringify(body ?? null)}`)
    .digest('hex')
  return { idempotency: { projectId, key, bodyHash } }
}
