import type { QueuedUpdate, RunningUpdate } from './types.ts'

/**
 * `queued` → `in_progress`.
 *
 * @param summary One line on what is happening.
 * @throws {Error} when the record is not queued, whatever its type said.
 */
export function startUpdate(update: QueuedUpdate, summary: string): RunningUpdate {
  // The type is widened: the value may come from a store, written by another version.
  const status: string = update.status
  if (status !== 'queued') throw new Error(`Cannot start update \`${update._id}\`: it is \`${status}\`, expected \`queued\``)
  return { ...update, status: 'in_progress', summary }
}
