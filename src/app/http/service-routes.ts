import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AppContext } from '../app-context.ts'
import { errorAnswers, jsonAnswer } from './answers.ts'
import { authenticate, requireScope } from './authenticate.ts'
import { Problem } from './problems.ts'
import { withinTime } from './within-time.ts'

const tags = ['Service']
const health = (description: string) => jsonAnswer(description, Type.Ref('Health#'))
/** A scrape or probe that the store does not answer by then is answered without it. */
const probeTimeoutMs = 2000

/** `/healthz`, `/readyz` and `/metrics`: what those who run the server ask. */
export function registerServiceRoutes(server: FastifyInstance, context: AppContext): void {
  const probe = shareForASecond(() => Promise.all([context.store.ping(), context.store.queue.stats()]))
  server.get(
    '/healthz',
    {
      logLevel: 'warn',
      schema: {
        operationId: 'getHealth',
        summary: 'Liveness',
        description: 'Answers as long as the process does.',
        tags,
        security: [],
        response: { 200: health('The process answers.'), ...errorAnswers(500) },
      },
    },
    async () => ({ status: 'ok' }),
  )
  server.get(
    '/readyz',
    {
      logLevel: 'warn',
      schema: {
        operationId: 'getReadiness',
        summary: 'Readiness',
        description:
          'Answers 200 while the queue can be read and the store can be written: a row is written at most once a second.',
        tags,
        security: [],
        response: { 200: health('Store and queue answer.'), ...errorAnswers(500, 503) },
      },
    },
    async (request) => {
      try {
        await withinTime(probe(), probeTimeoutMs, tooLate)
        return { status: 'ready' }
      } catch (error) {
        request.log.error({ err: error }, 'Not ready')
        throw new Problem('unavailable', 'The store or the queue does not answer', { headers: { 'Retry-After': '5' } })
      }
    },
  )
  server.get(
    '/metrics',
    {
      logLevel: 'warn',
      schema: {
        operationId: 'getMetrics',
        summary: 'Metrics',
        description: 'Prometheus text. For private addresses; from elsewhere with a token of scope `admin`.',
        tags,
        security: [{}, { token: [] }],
        response: {
          200: { description: 'Prometheus text.', content: { 'text/plain': { schema: Type.String() } } },
          ...errorAnswers(401, 403, 500, 503),
        },
      },
    },
    async (request, reply) => {
      if (!isPrivateAddress(request)) {
        const caller = await authenticate(context, request)
        if (caller.kind === 'workflow') throw new Problem('forbidden')
        requireScope(caller, 'admin')
      }
      const { registry } = context.metrics
      return reply.type(registry.contentType).send(await withinTime(registry.metrics(), probeTimeoutMs, tooLate))
    },
  )
}

/** Anybody may ask, and each question is a write to the disk. */
function shareForASecond<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let last: { readonly answer: Promise<Value>; readonly until: number } | undefined
  return () => {
    const now = performance.now()
    if (!last || now >= last.until) last = { answer: ask(), until: now + 1_000 }
    return last.answer
  }
}

function tooLate(): Problem {
  return new Problem('unavailable', 'The store does not answer', { headers: { 'Retry-After': '5' } })
}

/** Loopback and private networks (RFC 1918, RFC 4193), where scrapers are; an address of the internet is none, nor one a proxy passed on. */
function isPrivateAddress(request: FastifyRequest): boolean {
  // Behind a proxy that is not trusted the caller's own address is unknown.
  if (request.headers['x-forwarded-for'] !== undefined && request.ips === undefined) return false
  const address = request.ip.replace(/^::ffff:/i, '')
  if (isIP(address) === 6) return address === '::1' || /^f[cd]/i.test(address)
  return /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address)
}
