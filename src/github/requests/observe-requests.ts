import { readFailedResponse } from './github-response.ts'
import type { GitHubClient } from './types.ts'

/** One request to GitHub, including each retry and each request for a token. */
interface ObservedRequest {
  /** `undefined` for requests as the app. */
  readonly installationId: number | undefined
  readonly method: string
  /** The template of the path: `/repos/{owner}/{repo}/check-runs`. It contains no values. */
  readonly route: string
}

/** Runs a request, and receives the status of its response: also of a failed one, before the error is thrown. No response has `undefined`. */
export type ObserveRequest = <Result>(
  request: ObservedRequest,
  send: (note: (status: number | undefined) => void) => Promise<Result>,
) => Promise<Result>

/** Reports each request of a client. Call it before `paceRequests`, so that retries are separate and waits do not count. */
export function observeRequests(client: GitHubClient, installationId: number | undefined, observe: ObserveRequest): void {
  client.hook.wrap('request', (request, parameters) => {
    const observed = { installationId, method: String(parameters.method), route: toRoute(parameters.url) }
    return observe(observed, async (note) => {
      try {
        const response = await request(parameters)
        note(response.status)
        return response
      } catch (error) {
        note(readFailedResponse(error).status)
        throw error
      }
    })
  })
}

/** The next page of a list is a complete URL, whose values are in the query. */
function toRoute(url: string): string {
  if (url.startsWith('/')) return url
  const { pathname } = new URL(url)
  const parts = pathname.split('/').map((part) => (/^\d+$/.test(part) ? '{id}' : part))
  return parts.join('/')
}
