import { setTimeout as sleep } from 'node:timers/promises'
import { GitError } from '../errors.ts'

/** How often a commit is made anew on a branch that moved meanwhile. */
export const maxAttempts = 5

/** Waits longer each time, and never as long as the others: runs that pushed at the same time should not do so again. */
export async function waitForOthers(attempt: number): Promise<void> {
  await sleep(200 * 2 ** (attempt - 1) * (0.5 + Math.random()))
}

/** What to say after the last attempt. */
export function movedTooOften(branch: string): GitError {
  return new GitError(`Cannot push to \`${branch}\`: it moved ${maxAttempts} times while the pages were generated`, {
    hint: 'run again, or let only one run of this workflow push at a time (`concurrency`)',
  })
}
