import type { UpdateState } from '../status/types.ts'
import type { JsonObject } from '../text/is-object.ts'

/** A record as far as a client needs it; `json` is all that the app answered. */
export interface SeenUpdate {
  readonly id: string
  readonly status: UpdateState
  readonly summary: string
  readonly logs: readonly string[]
  readonly json: JsonObject
}

/** Reads a record from an answer; undefined where it is none. An app may answer more fields than these. */
export function readUpdate(body: JsonObject | undefined): SeenUpdate | undefined {
  const { _id: id, status, summary, logs } = body ?? {}
  if (body === undefined || typeof id !== 'string' || typeof summary !== 'string' || !isState(status)) return undefined
  if (!Array.isArray(logs) || !logs.every((line) => typeof line === 'string')) return undefined
  return { id, status, summary, logs, json: body }
}

function isState(value: unknown): value is UpdateState {
  return value === 'queued' || value === 'in_progress' || value === 'success' || value === 'failure'
}
