import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AppConfig } from '../app-config.ts'
import type { AppContext } from '../app-context.ts'
import { equalSecrets } from '../signed-links.ts'
import { errorAnswers, jsonAnswer } from './api-schemas.ts'
import { authenticate, requireScope } from './callers.ts'
import { Problem } from './problem-details.ts'
import { withinTime } from './waiting.ts'

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
        description: 'Prometheus text. Needs `METRICS_TOKEN` of the server as a bearer token, or an API token of scope `admin`.',
        tags,
        security: [{ token: [] }],
        response: {
          200: { description: 'Prometheus text.', content: { 'text/plain': { schema: Type.String() } } },
          ...errorAnswers(401, 403, 500, 503),
        },
      },
    },
    async (request, reply) => {
      if (!hasMetricsToken(request, context.config)) {
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

/** The address of the caller says nothing: behind a proxy that sends no `X-Forwarded-For`, everyone comes from this machine. */
function hasMetricsToken({ headers }: FastifyRequest, { metricsToken }: AppConfig): boolean {
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return metricsToken !== undefined && given !== undefined && equalSecrets(given, metricsToken)
}
