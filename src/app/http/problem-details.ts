import type { FastifyError, FastifySchemaValidationError } from 'fastify'
import { StoreError } from '../../text/errors.ts'
import { readOwn } from '../../text/json/json-values.ts'

/**
 * Codes are part of `/v1` and never change. `docs/status-api.md` has a heading for each. Their titles are the same for every response
 * (RFC 9457, section 3.1.3).
 */
export const problems = {
  'invalid-request': { status: 400, title: 'Invalid request' },
  unauthorized: { status: 401, title: 'Authentication required' },
  forbidden: { status: 403, title: 'Permission denied' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'request-timeout': { status: 408, title: 'Request timed out' },
  conflict: { status: 409, title: 'Conflict with an earlier request' },
  'too-large': { status: 413, title: 'Request body too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  unprocessable: { status: 422, title: 'Request cannot be processed' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'Request headers too large' },
  internal: { status: 500, title: 'Internal server error' },
  unavailable: { status: 503, title: 'Service unavailable' },
} as const

export type ProblemCode = keyof typeof problems

/** An invalid part of a request. */
interface FieldError {
  /** `body/commit/sha`, `querystring/limit`, `headers/prefer`. */
  readonly at: string
  readonly message: string
}

/** Body of an error response, `application/problem+json` (RFC 9457). */
interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: ProblemCode
  readonly detail?: string
  readonly errors?: readonly FieldError[]
  /** Also in the server log and the `X-Request-Id` header. */
  readonly requestId?: string
}

/** Throw this in a handler to send an error response. Any other error becomes `internal` without a detail. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly errors: readonly FieldError[] | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The caller sees `detail`. */
  constructor(
    code: ProblemCode,
    detail?: string,
    options: { errors?: readonly FieldError[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail ?? problems[code].title, { cause: options.cause })
    this.code = code
    this.errors = options.errors
    this.headers = options.headers ?? {}
  }
}

export function toProblemBody(
  code: ProblemCode,
  { message: detail, errors }: Partial<Pick<Problem, 'message' | 'errors'>> = {},
  requestId?: string,
): ProblemBody {
  const { status, title } = problems[code]
  return {
    type: `https://github.com/openapi-pages/openapi-pages/blob/main/docs/status-api.md#${code}`,
    title,
    status,
    code,
    ...(detail && detail !== title && { detail }),
    ...(errors && errors.length > 0 && { errors }),
    ...(requestId && { requestId }),
  }
}

/** Fastify errors caused by the request. Other errors without a 4xx status become `internal`. */
const byFastifyCode: Readonly<Record<string, { code: ProblemCode; detail: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'too-large', detail: 'The body exceeds the size limit of this endpoint' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'unsupported-media-type', detail: 'Send the body as `application/json`' },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'invalid-request', detail: 'The body is not valid JSON' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'invalid-request',
    detail: 'The length of the body does not match `Content-Length`',
  },
  FST_ERR_BAD_URL: { code: 'invalid-request', detail: 'The URL is not valid' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'not-found', detail: '' },
}

/** Converts an error from a handler, Fastify or the store to an error response. Details of unknown errors are not exposed. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (!(error instanceof Error)) return new Problem('internal')
  if (error instanceof StoreError) {
    return new Problem('unavailable', 'The database is unavailable. Try again later', { headers: { 'Retry-After': '5' } })
  }
  const { code, statusCode, validation, validationContext } = error as Partial<FastifyError>
  if (validation) {
    // An unknown property produces two errors; the one with the keyword `boolean` lacks the property's name.
    const useful = validation.filter(({ keyword }) => keyword !== 'boolean')
    const shown = useful.length > 0 ? useful : validation
    const errors = shown.slice(0, 20).map((schemaError) => toFieldError(validationContext ?? 'body', schemaError))
    return new Problem(
      'invalid-request',
      errors[0] ? `Invalid \`${errors[0].at}\`: ${errors[0].message}` : 'The request does not match the schema',
      { errors },
    )
  }
  const known = code === undefined ? undefined : readOwn(byFastifyCode, code)
  if (known) return new Problem(known.code, known.detail)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Problem('invalid-request')
  return new Problem('internal')
}

/** Adds the names of missing or unknown properties to the validator's message. */
function toFieldError(context: string, schemaError: FastifySchemaValidationError): FieldError {
  const names = schemaError.params?.['requiredProperties'] ?? schemaError.params?.['additionalProperties']
  const named = Array.isArray(names) ? ` (${names.map((name) => `\`${String(name).slice(0, 100)}\``).join(', ')})` : ''
  return {
    at: `${context}${schemaError.instancePath}`.slice(0, 300),
    message: `${schemaError.message ?? 'does not match the schema'}${named}`,
  }
}

/** The problem of a cursor that no list has returned. */
export function invalidCursor(): Problem {
  const [at, message] = ['querystring/cursor', 'must be a `nextCursor` of this list'] as const
  return new Problem('invalid-request', `Invalid \`${at}\`: ${message}`, { errors: [{ at, message }] })
}
