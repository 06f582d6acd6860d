import { Octokit } from '@octokit/rest'
import type { GitHubClient } from './types.ts'

/** An Octokit that says nothing by itself: errors reach the caller as exceptions, which say more. */
export function createOctokit(
  options: Pick<NonNullable<ConstructorParameters<typeof Octokit>[0]>, 'auth' | 'authStrategy'>,
  address: {
    /** `https://api.github.com` unless named; `https://<host>/api/v3` for a GitHub Enterprise Server. */
    readonly apiUrl: string | undefined
    /** Told what Octokit finds worth a word, such as a deprecated route. Never a token. */
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
