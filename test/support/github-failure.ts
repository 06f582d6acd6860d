import { GitHubError } from '../../src/text/errors.ts'

/** The `GitHubError` that a promise is rejected with. Anything else fails the test. */
export async function failureOf(promise: Promise<unknown>): Promise<GitHubError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (reason: unknown) => reason,
  )
  if (outcome instanceof GitHubError) return outcome
  throw new Error(`Unexpected ${outcome instanceof Error ? outcome.stack : JSON.stringify(outcome)}, expected a GitHubError`)
}
