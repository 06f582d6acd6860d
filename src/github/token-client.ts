import { createOctokit } from './create-octokit.ts'
import { paceRequests } from './pace-requests.ts'
import { RequestBudget } from './request-budget.ts'
import { defaultPace, type RequestPace } from './request-pace.ts'
import type { GitHubClient } from './types.ts'

/** A client that asks with a token somebody gave, such as that of a job in Actions; paced as the app's clients are. */
export function createTokenClient(options: {
  readonly token: string
  /** `https://api.github.com`, or `https://<host>/api/v3` for a GitHub Enterprise Server. */
  readonly apiUrl: string | undefined
  readonly pace?: Partial<RequestPace>
}): GitHubClient {
  const client = createOctokit({ auth: options.token }, { apiUrl: options.apiUrl, warn: () => undefined })
  const pace = { ...defaultPace, ...options.pace }
  const budget = new RequestBudget(0, pace, 'this token')
  paceRequests(client, { budget, pace, signal: undefined, renewToken: undefined })
  return client
}
