import { type TSchema, Type } from 'typebox'
import { type ProblemCode, problems } from './problems.ts'

type Headers = Readonly<Record<string, { readonly type: 'string' | 'integer'; readonly description?: string }>>

/** Headers of every answer. */
export const everyAnswer: Headers = { 'X-Request-Id': { type: 'string', description: 'Stands in the server’s log too.' } }

/** An answer with a JSON body, as `@fastify/swagger` reads it from the schema of a route. */
export function jsonAnswer(description: string, schema: TSchema, headers: Headers = {}): object {
  return { description, content: { 'application/json': { schema } }, headers: { ...headers, ...everyAnswer } }
}

/** The error answers of a route, each with the codes that it can have. */
export function errorAnswers(...statuses: readonly number[]): Record<number, object> {
  const rows = statuses.map((status) => [status, errorAnswer(status)] as const)
  return Object.fromEntries(rows)
}

function errorAnswer(status: number): object {
  // The keys of the table are its codes.
  const codes = (Object.keys(problems) as ProblemCode[]).filter((code) => problems[code].status === status)
  const headers: Headers = {
    ...((status === 401 || status === 403) && {
      'WWW-Authenticate': { type: 'string', description: '`Bearer`, with the reason (RFC 6750).' },
    }),
    ...((status === 429 || status === 503) && { 'Retry-After': { type: 'integer', description: 'Seconds.' } }),
  }
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
    content: { 'application/problem+json': { schema: Type.Ref('Problem#') } },
    headers: { ...headers, ...everyAnswer },
  }
}
