import { Octokit } from '@octokit/rest'
import { RequestBudget } from './request-budget.ts'
import { defaultPace, paceRequests, type RequestPace } from './request-pace.ts'
import type { GitHubClient } from './types.ts'

/** Creates an Octokit that logs only warnings. Errors reach the caller as exceptions. */
export function createOctokit(
  options: Pick<NonNullable<ConstructorParameters<typeof Octokit>[0]>, 'auth' | 'authStrategy'>,
  address: {
    /** Default: `https://api.github.com`. `https://<host>/api/v3` for a GitHub Enterprise Server. */
    readonly apiUrl: string | undefined
    /** Receives Octokit's warnings, for example about a deprecated route. They contain no token. */
    readonly warn: (message: string) => void
  },
): GitHubClient {
  const quiet = () => undefined
  return new Octokit({
    ...options,
    baseUrl: (address.apiUrl ?? 'https://api.github.com').replace(/\/$/, ''),
    userAgent: 'openapi-pages',
    log: { debug: quiet, info: quiet, warn: address.warn, error: quiet },
  })
}

/** A client with a given token, such as the job token in Actions. Its requests are paced like those of the app. */
export function createTokenClient(options: {
  readonly token: string
  /** `https://api.github.com`, or `https://<host>/api/v3` for a GitHub Enterprise Server. */
  readonly apiUrl: string | undefined
  readonly pace?: Partial<RequestPace>
}): GitHubClient {
  const client = createOctokit({ auth: options.token }, { apiUrl: options.apiUrl, warn: () => undefined })
  const pace = { ...defaultPace, ...options.pace }
  const budget = new RequestBudget(0, pace, { owner: 'this token' })
  paceRequests(client, { budget, pace, signal: undefined, renewToken: undefined })
  return client
}
