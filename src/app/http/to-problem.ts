import type { FastifyError } from 'fastify'
import { Problem, type ProblemCode } from './problems.ts'

/** Codes of Fastify that are the caller's mistake. What is not here and has no 4xx status is ours. */
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
  if (error.name === 'StoreError') {
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
