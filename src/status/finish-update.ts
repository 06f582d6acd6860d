import { toBoundedLogs, toVisibleText } from './append-logs.ts'
import { isTime } from './is-time.ts'
import { maskSecrets } from './mask-secrets.ts'
import type { EndedUpdate, OpenUpdate } from './types.ts'

/** A `queued` record can end only as `failure`: nothing that did not run is a success. */
export type UpdateEnd<Update extends OpenUpdate> = {
  readonly status: Update['status'] extends 'in_progress' ? 'success' | 'failure' : 'failure'
  /** One line for a person; longer text is cut. */
  readonly summary: string
  /** ISO 8601, UTC, milliseconds. One before `createdAt` (a clock that was set back) becomes `createdAt`. */
  readonly endedAt: string
  /** Last lines of the log. */
  readonly logs?: readonly string[]
}

/** Most characters of a summary. */
export const summaryCharacters = 300

/**
 * `in_progress` → `success` or `failure`, `queued` → `failure`. The result never changes again.
 *
 * @throws {Error} when the record has ended, when a queued one is to end as `success`, or when `endedAt` is no time.
 */
export function finishUpdate<Update extends OpenUpdate>(update: Update, end: UpdateEnd<Update>): EndedUpdate {
  // Widened, as the value may come from a store.
  const from: string = update.status
  const allowed: readonly string[] = from === 'in_progress' ? ['success', 'failure'] : from === 'queued' ? ['failure'] : []
  if (!allowed.includes(end.status))
    throw new Error(`Cannot end update \`${update._id}\` as \`${end.status}\`: it is \`${from}\``)
  if (!isTime(end.endedAt)) throw new Error(`Cannot end update \`${update._id}\`: unexpected time \`${end.endedAt}\``)
  const logs = end.logs?.length ? toBoundedLogs(update.logs, end.logs) : update.logs
  const wasSetBack = end.endedAt < update.createdAt
  const endedAt = wasSetBack ? update.createdAt : end.endedAt
  return { ...update, status: end.status, summary: toSummary(end.summary), logs, endedAt }
}

function toSummary(text: string): string {
  const line = toVisibleText(
    maskSecrets(text.slice(0, 10 * summaryCharacters))
      .replace(/\s+/g, ' ')
      .trim(),
  )
  return line.length > summaryCharacters ? `${line.slice(0, summaryCharacters - 1)}…` : line
}
