import { GitHubError, type GitHubFailure } from '../../text/errors.ts'
import { isObject, readOwn } from '../../text/json/json-values.ts'

/** The properties of an Octokit error, in one shape for all its classes. */
export interface FailedResponse {
  readonly failure: GitHubFailure
  /** Undefined if there was no response. */
  readonly status: number | undefined
  readonly headers: { readonly [name: string]: string | number | undefined } | undefined
  readonly requestId: string | undefined
  /** GitHub's message on one line, without the URL of its documentation. */
  readonly message: string
  /** A rate limit stopped the request before it took effect. */
  readonly isLimit: boolean
  /** The wait that `retry-after` or the limit's reset asks for. */
  readonly waitMs: number | undefined
  /** The requested URL. */
  readonly url: string | undefined
}

/** Reads an error that Octokit threw: an HTTP error, the errors of a GraphQL response, or a failed connection. */
export function readFailedResponse(error: unknown): FailedResponse {
  if (error instanceof GitHubError) {
    const { failure, status, requestId, message } = error
    return {
      failure,
      status,
      headers: undefined,
      requestId,
      message,
      isLimit: failure === 'rate-limited',
      waitMs: error.retryAfterMs,
      url: undefined,
    }
  }
  const { response, request } = isObject(error) ? error : {}
  // Octokit sets a status without a response when the connection failed.
  const isGraphql = isObject(response) && Array.isArray(response['errors'])
  const given = isObject(response) ? response['status'] : undefined
  const status = isGraphql ? 200 : typeof given === 'number' ? given : undefined
  const owner = isGraphql ? error : response
  const headerSource = isObject(owner) ? owner['headers'] : undefined
  const headers = isObject(headerSource) ? (headerSource as FailedResponse['headers']) : undefined // Octokit keeps only strings and numbers.
  const message = toMessage(error, isGraphql ? response['errors'] : undefined)
  const graphqlType = isGraphql ? firstType(response['errors']) : undefined
  const isLimit =
    graphqlType === 'RATE_LIMITED' ||
    status === 429 ||
    (status === 403 &&
      (headers?.['retry-after'] !== undefined ||
        String(headers?.['x-ratelimit-remaining']) === '0' ||
        messages.limit.test(message)))
  return {
    failure: isLimit
      ? 'rate-limited'
      : isRefusedByRule(status, graphqlType, message)
        ? 'protected'
        : toFailure(status, graphqlType),
    status,
    headers,
    requestId: headers?.['x-github-request-id'] === undefined ? undefined : String(headers['x-github-request-id']),
    message,
    isLimit,
    waitMs: headers && toWait(headers, isLimit),
    url: isObject(request) && typeof request['url'] === 'string' ? request['url'] : undefined,
  }
}

const graphqlFailures: { readonly [type: string]: GitHubFailure } = {
  STALE_DATA: 'conflict',
  FORBIDDEN: 'forbidden',
  NOT_FOUND: 'not-found',
  INSUFFICIENT_SCOPES: 'forbidden',
}

/** Refusals that only their message identifies: their statuses and types have other meanings too. */
const messages = {
  limit: /secondary rate|rate limit|abuse detection/i,
  rule: /\bGH0(06|13)\b|Repository rule violations? found|protected branch|Changes must be made through a pull request|approving review is required|required status checks? (is|are) expected|must have verified signatures|Cannot (create|update|delete) this protected ref/i,
} as const

/** GraphQL has a type for classic branch protection. Rulesets, and both kinds in REST, are recognized by their message. */
function isRefusedByRule(status: number | undefined, graphqlType: string | undefined, message: string): boolean {
  if (graphqlType === 'BRANCH_PROTECTION_RULE_VIOLATION') return true
  const mayBeRule = graphqlType === undefined ? status === 403 || status === 409 || status === 422 : graphqlType !== 'STALE_DATA'
  return mayBeRule && messages.rule.test(message)
}

function toFailure(status: number | undefined, graphqlType: string | undefined): GitHubFailure {
  if (graphqlType !== undefined) return readOwn(graphqlFailures, graphqlType) ?? 'invalid'
  if (status === undefined) return 'unreachable'
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  if (status === 404 || status === 410) return 'not-found'
  if (status === 409) return 'conflict'
  if (status >= 500) return 'unavailable'
  return 'invalid'
}

/** Seconds or a date in `retry-after`, else the reset of a primary limit that is used up. GitHub's times count from its own clock. */
function toWait(headers: NonNullable<FailedResponse['headers']>, isLimit: boolean): number | undefined {
  const sentAt = Date.parse(String(headers['date']))
  const now = Number.isFinite(sentAt) ? sentAt : Date.now()
  const after = headers['retry-after']
  if (after !== undefined) {
    const seconds = Number(after)
    const date = Date.parse(String(after))
    if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
    if (Number.isFinite(date)) return Math.max(0, date - now)
  }
  const reset = Number(headers['x-ratelimit-reset'])
  if (isLimit && String(headers['x-ratelimit-remaining']) === '0' && Number.isFinite(reset)) {
    // Adds a second, because the reset is given in whole seconds.
    return Math.max(0, reset * 1000 - now) + 1_000
  }
  return undefined
}

function toMessage(error: unknown, graphqlErrors: unknown): string {
  const parts = Array.isArray(graphqlErrors)
    ? graphqlErrors.map((one) => (isObject(one) ? String(one['message']) : String(one)))
    : [error instanceof Error ? error.message : String(error)]
  const text = parts.join('; ').replace(/ - https:\/\/docs\.github\.com\S*$/, '')
  // A branch rule names the reasons below a title. Callers continue the sentence.
  const paragraphs = text.split(/\n\s*\n/).map((part) => part.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, ''))
  const [title = '', ...reasons] = paragraphs.filter((part) => part !== '')
  return (reasons.length === 0 ? title : `${title}: ${reasons.join('; ')}`).slice(0, 500)
}

function firstType(errors: unknown): string {
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined
  return isObject(first) && typeof first['type'] === 'string' ? first['type'] : ''
}
