import { toBoundedLogs } from './append-logs.ts'
import { isTime } from './is-time.ts'
import { isUpdateId } from './next-update-id.ts'
import type { QueuedUpdate, UpdateCommit, UpdateSource } from './types.ts'

export interface QueueUpdateOptions {
  /** From `nextUpdateId`. */
  readonly id: string
  readonly projectId: string
  readonly subdomain: string
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string
  readonly author: string
  readonly commit: UpdateCommit
  readonly source: UpdateSource
  /** First lines of the log, such as "the list of files was cut by a limit of GitHub". */
  readonly logs?: readonly string[]
}

/**
 * Makes a new record, waiting for its turn.
 *
 * @throws {Error} when the id is no UUIDv7, the time not ISO 8601 in UTC with milliseconds, or the sha not 40 hexadecimal digits.
 */
export function queueUpdate(options: QueueUpdateOptions): QueuedUpdate {
  const { id, projectId, subdomain, createdAt, author, commit, source } = options
  if (!isUpdateId(id)) throw new Error(`Cannot queue an update: unexpected id \`${id}\`, expected a UUIDv7`)
  if (!isTime(createdAt)) throw new Error(`Cannot queue an update: unexpected time \`${createdAt}\`, expected ISO 8601 in UTC`)
  if (!/^[0-9a-f]{40}$/.test(commit.sha)) throw new Error(`Cannot queue an update: unexpected sha \`${commit.sha}\``)
  return {
    _id: id,
    projectId,
    createdAt,
    status: 'queued',
    summary: '',
    logs: options.logs ? toBoundedLogs([], options.logs) : [],
    subdomain,
    author,
    commit,
    source,
  }
}
