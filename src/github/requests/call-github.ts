import { GitHubError, type GitHubFailure } from '../../text/errors.ts'
import type { RepositoryName } from './github-client.ts'
import { readFailedResponse } from './github-response.ts'
import { BudgetUnreachable, waitingForTurn } from './request-budget.ts'

/** Describes a call, for error messages. */
export interface GitHubOperation {
  /** An infinitive: `create check run`. */
  readonly operation: string
  /** Its target, in backticks: `` `acme/api`@`1a2b3c4` ``. */
  readonly on: string
  /** The permission it needs: `checks: write`. */
  readonly permission?: string
}

/** Formats a repository, or one of its commits, for messages. */
export function nameRepository({ owner, repo }: RepositoryName, sha?: string): string {
  return sha === undefined ? `\`${owner}/${repo}\`` : `\`${owner}/${repo}\`@\`${sha.slice(0, 7)}\``
}

/** Describes a call about a repository, or one of its commits. */
export function toOperation(operation: string, repository: RepositoryName, permission: string, sha?: string): GitHubOperation {
  return { operation, on: nameRepository(repository, sha), permission }
}

/**
 * Runs a request and converts its errors to a `GitHubError`.
 *
 * @throws {GitHubError} for every failure, except that of the store that keeps the request budgets: its error is thrown unchanged.
 */
export async function callGitHub<Result>(operation: GitHubOperation, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof BudgetUnreachable ? error.cause : toGitHubError(error, operation)
  }
}

/** Runs a request; `undefined` if GitHub does not find its target. */
export async function unlessNotFound<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'not-found') return undefined
    throw error
  }
}

/**
 * Whether a failed write may have taken effect, because no complete response arrived. Check the current state before repeating
 * it.
 */
export function isUncertain(error: unknown): boolean {
  return error instanceof GitHubError && (error.failure === 'unreachable' || error.failure === 'unavailable')
}

/**
 * Describes a failed operation, its target, GitHub's response and a hint. Returns an already described `GitHubError` unchanged.
 */
export function toGitHubError(error: unknown, operation: GitHubOperation): GitHubError {
  if (error instanceof GitHubError && error.operation !== waitingForTurn) return error
  const answer = readFailedResponse(error)
  // GraphQL reports errors with status 200, which would be confusing in a message.
  const said = answer.status === undefined || answer.status < 400 ? answer.message : `${answer.status} ${answer.message}`
  return new GitHubError(`Cannot ${operation.operation} on ${operation.on}: ${said}`, {
    failure: answer.failure,
    operation: operation.operation,
    status: answer.status,
    requestId: answer.requestId,
    permission: operation.permission,
    retryAfterMs: answer.waitMs,
    hint: toHint(answer.failure, operation, answer.waitMs),
    cause: error,
  })
}

function toHint(failure: GitHubFailure, { permission }: GitHubOperation, waitMs: number | undefined): string | undefined {
  switch (failure) {
    case 'unauthorized':
      return 'Check the app ID, its private key and the system clock'
    case 'forbidden':
      return permission === undefined
        ? 'Check the permissions of the app and that its installation is not suspended'
        : `Grant the app \`${permission}\`, then have the account owner accept the new permission`
    case 'rate-limited':
      return `Wait ${Math.ceil((waitMs ?? 60_000) / 1000)} s. The update is retried automatically`
    case 'not-found':
      return 'Check that the repository exists under this name and that the app is installed on it'
    case 'protected':
      return 'Allow the app to bypass the rule, or merge the change with a pull request'
    case 'conflict':
      return 'Run again: the repository changed in the meantime'
    case 'invalid':
      return 'This is a bug in openapi-pages. Please report it with this message'
    case 'unavailable':
      return 'Check githubstatus.com. The update is retried automatically'
    case 'unreachable':
      return 'Check the network, the proxy and the URL of the GitHub API'
    case 'refused':
      return undefined
  }
}

/** `request` options that mark a write as safe to repeat, such as one that replaces a text. */
export const repeatable = { repeatable: true } as const

/** `request` options of a GraphQL query, which is a POST but writes nothing. */
export const readOnly = { readOnly: true } as const
