import { Octokit } from '@octokit/rest'
import { paceRequests } from './pace-requests.ts'
import { RequestBudget } from './request-budget.ts'
import { defaultPace, type RequestPace } from './request-pace.ts'
import type { GitHubClient } from './types.ts'

/** A client that asks with a token somebody gave, such as that of a job in Actions; paced as the app's clients are. */
export function createTokenClient(options: {
  readonly token: string
  /** `https://api.github.com`, or `https://<host>/api/v3` for a GitHub Enterprise Server. */
  readonly apiUrl: string
  readonly pace?: Partial<RequestPace>
}): GitHubClient {
  const quiet = () => undefined
  const client = new Octokit({
    auth: options.token,
    baseUrl: options.apiUrl.replace(/\/$/, ''),
    userAgent: 'openapi-pages',
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  })
  const pace = { ...defaultPace, ...options.pace }
  const budget = new RequestBudget(0, pace, 'this token')
  paceRequests(client, { budget, pace, signal: undefined, renewToken: undefined })
  return client
}
