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
export interface FieldError {
  /** `body/commit/sha`, `querystring/limit`, `headers/prefer`. */
  readonly at: string
  readonly message: string
}

/** The body of an error answer, `application/problem+json` (RFC 9457). */
export interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: ProblemCode
  readonly detail?: string
  readonly errors?: readonly FieldError[]
  /** The same id stands in the server's log and in the header `X-Request-Id`. */
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
