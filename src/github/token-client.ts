import { createOctokit } from './create-octokit.ts'
import { paceRequests } from './pace-requests.ts'
import { RequestBudget } from './request-budget.ts'
import { defaultPace, type RequestPace } from './request-pace.ts'
import type { GitHubClient } from './types.ts'

/** GitHub as one token sees it: that of a workflow, of a person, or of an installation that somebody else minted. */
export function createTokenClient(options: {
  readonly token: string
  /** `https://api.github.com` unless named; `https://<host>/api/v3` for a GitHub Enterprise Server. */
  readonly apiUrl: string | undefined
  readonly pace?: Partial<RequestPace>
  readonly signal?: AbortSignal
}): GitHubClient {
  const { token, apiUrl, signal } = options
  const client = createOctokit({ auth: token }, { apiUrl, warn: () => undefined })
  const pace = { ...defaultPace, ...options.pace }
  paceRequests(client, { budget: new RequestBudget(0, pace), pace, signal, renewToken: undefined })
  return client
}
