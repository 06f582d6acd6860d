import { GitHubError, type GitHubFailure } from '../../errors.ts'

/** What to do about an error of a job. `reason` is a sentence without its full stop, fit for a record. */
export interface JobFailure {
  /** False where another try would end the same way. */
  readonly mayPass: boolean
  readonly reason: string
  readonly retryAfterMs?: number
}

const passing: ReadonlySet<GitHubFailure> = new Set(['rate-limited', 'unavailable', 'unreachable', 'conflict', 'unauthorized'])

/** Tells errors that may pass from those that stay. Of an error that is a fault of ours the record says no more than that. */
export function toJobFailure(error: unknown): JobFailure {
  if (!(error instanceof GitHubError)) return { mayPass: true, reason: 'unexpected error of the server' }
  const { failure, message, hint, retryAfterMs } = error
  const mayPass = passing.has(failure)
  return {
    mayPass,
    reason: mayPass || hint === undefined ? message : `${message} (${hint})`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}
