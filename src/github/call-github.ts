import { GitHubError, type GitHubFailure } from '../errors.ts'
import { readFailedResponse } from './github-response.ts'
import { waitingForTurn } from './request-pace.ts'
import type { RepositoryName } from './types.ts'

/** A call's description for error messages. */
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

/**
 * Runs a request and converts every error to a `GitHubError`.
 *
 * @throws {GitHubError} whatever went wrong.
 */
export async function callGitHub<Result>(about: GitHubOperation, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    throw toGitHubError(error, about)
  }
}

/** Whether a failed write may have taken effect: no complete response came. Read what is there before repeating it. */
export function isUncertain(error: unknown): boolean {
  return error instanceof GitHubError && (error.failure === 'unreachable' || error.failure === 'unavailable')
}

/** Describes a failed operation, its target, GitHub's response and a hint. Returns a complete `GitHubError` unchanged. */
export function toGitHubError(error: unknown, about: GitHubOperation): GitHubError {
  if (error instanceof GitHubError && error.operation !== waitingForTurn) return error
  const answer = readFailedResponse(error)
  // GraphQL reports errors with status 200, which would confuse in a message.
  const said = answer.status === undefined || answer.status < 400 ? answer.message : `${answer.status} ${answer.message}`
  return new GitHubError(`Cannot ${about.operation} on ${about.on}: ${said}`, {
    failure: answer.failure,
    operation: about.operation,
    status: answer.status,
    requestId: answer.requestId,
    permission: about.permission,
    retryAfterMs: answer.waitMs,
    hint: toHint(answer.failure, about, answer.waitMs),
    cause: error,
  })
}

function toHint(failure: GitHubFailure, { permission }: GitHubOperation, waitMs: number | undefined): string | undefined {
  switch (failure) {
    case 'unauthorized':
      return 'check the app id, its private key and the clock of this machine'
    case 'forbidden':
      return permission === undefined
        ? 'check the permissions of the app and that the installation is not suspended'
        : `grant the app \`${permission}\` and let the account accept it`
    case 'rate-limited':
      return `wait ${Math.ceil((waitMs ?? 60_000) / 1000)} s; the update is tried again by itself`
    case 'not-found':
      return 'check that the app is installed on the repository and that it still exists under this name'
    case 'protected':
      return 'let the app bypass the rule, or merge the change by a pull request'
    case 'conflict':
      return 'it has changed meanwhile: read it again and try once more'
    case 'invalid':
      return 'this is a fault of openapi-pages: please report it with this message'
    case 'unavailable':
      return 'GitHub has trouble (githubstatus.com); the update is tried again by itself'
    case 'unreachable':
      return 'check the network, the proxy and the address of the GitHub API'
    case 'refused':
      return undefined
  }
}
