import { readFailedResponse } from './github-response.ts'
import type { GitHubClient } from './types.ts'

/** One request to GitHub, including each retry and each request for a token. */
interface ObservedRequest {
  /** `undefined` for requests as the app. */
  readonly installationId: number | undefined
  readonly method: string
  /** The template of the path: `/repos/{owner}/{repo}/check-runs`. It contains no values. */
  readonly route: string
  /** The hostname of the API. */
  readonly host: string
}

interface ObservedResponse {
  /** `undefined` if no response arrived. */
  readonly status: number | undefined
  /** GitHub's ID of the request, for its support. */
  readonly requestId: string | undefined
}

/** Runs a request, and receives its response: also of a failed one, before the error is thrown. */
export type ObserveRequest = <Result>(
  request: ObservedRequest,
  send: (note: (response: ObservedResponse) => void) => Promise<Result>,
) => Promise<Result>

/** Reports each request of a client. Call it before `paceRequests`, so that retries are separate and waits do not count. */
export function observeRequests(client: GitHubClient, installationId: number | undefined, observe: ObserveRequest): void {
  client.hook.wrap('request', (request, parameters) => {
    const observed = { installationId, method: String(parameters.method), ...toRoute(parameters.baseUrl, parameters.url) }
    return observe(observed, async (note) => {
      try {
        const response = await request(parameters)
        note({ status: response.status, requestId: response.headers['x-github-request-id'] })
        return response
      } catch (error) {
        const { status, requestId } = readFailedResponse(error)
        note({ status, requestId })
        throw error
      }
    })
  })
}

/** The next page of a list is a complete URL, whose values are in the query. */
function toRoute(baseUrl: string, url: string): { readonly host: string; readonly route: string } {
  const { host } = new URL(baseUrl)
  if (url.startsWith('/')) return { host, route: url }
  const { pathname } = new URL(url)
  const parts = pathname.split('/').map((part) => (/^\d+$/.test(part) ? '{id}' : part))
  return { host, route: parts.join('/') }
}
