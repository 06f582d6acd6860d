import type { FastifyError } from 'fastify'
import { StoreError } from '../../store/store-context.ts'

interface ProblemRow {
  readonly status: number
  /** A few words; the same for every answer with this code (RFC 9457, section 3.1.3). */
  readonly title: string
}

/** Every error the API answers with. Codes are part of `/v1` and never change; `docs/status-api.md` has a heading for each. */
export const problems = {
  'invalid-request': { status: 400, title: 'The request is not as described' },
  unauthorized: { status: 401, title: 'A valid token is needed' },
  forbidden: { status: 403, title: 'The token may not do this' },
  'not-found': { status: 404, title: 'There is nothing here' },
  'method-not-allowed': { status: 405, title: 'The path does not take this method' },
  'request-timeout': { status: 408, title: 'The request took too long to arrive' },
  conflict: { status: 409, title: 'The request contradicts an earlier one' },
  'too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body is of a type that is not read here' },
  unprocessable: { status: 422, title: 'The request is understood and cannot be done' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'The headers are too large' },
  internal: { status: 500, title: 'Something went wrong on the server' },
  unavailable: { status: 503, title: 'The server cannot answer now' },
} as const satisfies Record<string, ProblemRow>

export type ProblemCode = keyof typeof problems

/** What is wrong with one part of a request. */
interface FieldError {
  /** `body/commit/sha`, `querystring/limit`, `headers/prefer`. */
  readonly at: string
  readonly message: string
}

/** The body of an error answer, `application/problem+json` (RFC 9457). */
interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: ProblemCode
  readonly detail?: string
  readonly errors?: readonly FieldError[]
  /** The server's log and the header `X-Request-Id` have the same id. */
  readonly requestId?: string
}

/** Thrown by a handler to answer with an error; everything else that is thrown is answered as `internal` without a detail. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly errors: readonly FieldError[] | undefined
  readonly headers: Readonly<Record<string, string>>
  /** `detail` is shown to the caller. */
  constructor(
    code: ProblemCode,
    detail?: string,
    options: { errors?: readonly FieldError[]; headers?: Record<string, string> } = {},
  ) {
    super(detail ?? problems[code].title)
    this.code = code
    this.errors = options.errors
    this.headers = options.headers ?? {}
  }
}

/** The body for a code; `detail` and `errors` are left out where there is nothing to say. */
export function toProblemBody(
  code: ProblemCode,
  {
    detail,
    errors,
    requestId,
  }: { detail?: string | undefined; errors?: readonly FieldError[] | undefined; requestId?: string } = {},
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

/** Fastify's error codes that the caller causes. Any other error without a 4xx status is a fault of the server. */
const byFastifyCode: Readonly<Record<string, { code: ProblemCode; detail: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'too-large', detail: 'The body is over the limit of this call' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'unsupported-media-type', detail: 'Send the body as `application/json`' },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'invalid-request', detail: 'The body is not JSON' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'invalid-request', detail: 'The body is not as long as `Content-Length` says' },
  FST_ERR_BAD_URL: { code: 'invalid-request', detail: 'The address is not valid' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'not-found', detail: '' },
}

interface SchemaFault {
  readonly instancePath: string
  readonly message?: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** Turns whatever a handler, Fastify or the store threw into the error that the caller sees. Nothing of an unknown error is shown. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (!(error instanceof Error)) return new Problem('internal')
  if (error instanceof StoreError) {
    return new Problem('unavailable', 'The store cannot be reached', { headers: { 'Retry-After': '5' } })
  }
  // Fastify's own errors carry these fields; on every other error they are absent, which the next lines allow for.
  const { code, statusCode, validation, validationContext } = error as Partial<FastifyError>
  if (validation) {
    // The validator also says of each property that is too much that its schema is `false`: the other message has its name.
    const telling = validation.filter(({ keyword }) => keyword !== 'boolean')
    const shown = telling.length > 0 ? telling : validation
    const errors = shown.slice(0, 20).map((fault) => toFieldError(validationContext ?? 'body', fault))
    return new Problem(
      'invalid-request',
      `Unexpected ${errors[0]?.at ?? 'request'}: ${errors[0]?.message ?? 'not as described'}`,
      { errors },
    )
  }
  const known = code === undefined ? undefined : byFastifyCode[code]
  if (known) return new Problem(known.code, known.detail)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Problem('invalid-request')
  return new Problem('internal')
}

/** `body/commit/sha: must match pattern …`, with the name of a property that is missing or unknown. */
function toFieldError(context: string, fault: SchemaFault): { at: string; message: string } {
  const names = fault.params?.['requiredProperties'] ?? fault.params?.['additionalProperties']
  const named = Array.isArray(names) ? ` (${names.map((name) => `\`${String(name).slice(0, 100)}\``).join(', ')})` : ''
  return { at: `${context}${fault.instancePath}`.slice(0, 300), message: `${fault.message ?? 'is not as described'}${named}` }
}
