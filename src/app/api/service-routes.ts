import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { StoreError } from '../../text/errors.ts'
import type { AppContext } from '../base/app-context.ts'
import type { AppConfig } from '../base/config/app-config.ts'
import { equalSecrets } from '../base/signed-links.ts'
import { keepFor, type Metrics } from '../base/telemetry/metrics.ts'
import { type Authenticate, requireScope } from '../http/callers.ts'
import { Problem } from '../http/problem-details.ts'
import { withTimeout } from '../http/waiting.ts'
import { errorResponses, jsonResponse } from './api-schemas.ts'

const tags = ['Service']
const health = (description: string) => jsonResponse(description, Type.Ref('Health#'))
/** Time for the store to respond to a scrape or probe. */
const probeTimeoutMs = 2000

/** What `/readyz` tells besides the state of the database. */
export interface ServerHealth {
  /** What the checks at the start found. */
  readonly problems: string[]
  /** Whether a stop was requested. The server may still accept requests for some seconds. */
  readonly isStopping: () => boolean
}

/** `/healthz`, `/readyz` and `/metrics`. */
export function registerServiceRoutes(
  server: FastifyInstance,
  { store, config }: AppContext,
  { registry }: Metrics,
  { problems, isStopping }: ServerHealth,
  authenticate: Authenticate,
): void {
  // The probe writes to the disk and needs no authentication, so its frequency must be limited.
  const probe = keepFor(1_000, async () => {
    await store.ping().catch(failAs('The database cannot be written'))
    await store.queue.stats().catch(failAs('The queue cannot be read'))
  })
  server.get(
    '/healthz',
    {
      logLevel: 'warn',
      schema: {
        operationId: 'getHealth',
        summary: 'Check liveness',
        description: 'Returns 200 while the process is running.',
        tags,
        security: [],
        response: { 200: health('The process is running.'), ...errorResponses(500) },
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
        summary: 'Check readiness',
        description:
          'Returns 200 if the queue can be read and the database can be written. The check writes one row, at most once per second. ' +
          '`problems` lists what the checks at the start found.',
        tags,
        security: [],
        response: { 200: health('The database and the queue are available.'), ...errorResponses(500, 503) },
      },
    },
    async (request) => {
      if (isStopping()) throw new Problem('unavailable', 'The server is stopping', { headers: { 'Retry-After': '5' } })
      try {
        await withTimeout(probe(), probeTimeoutMs, storeTimeout)
      } catch (error) {
        request.log.error({ err: error }, 'Not ready')
        throw error
      }
      return { status: 'ready', ...(problems.length > 0 && { problems }) }
    },
  )
  server.get(
    '/metrics',
    {
      logLevel: 'warn',
      schema: {
        operationId: 'getMetrics',
        summary: 'Get metrics',
        description:
          'Returns metrics in the Prometheus text format. Requires the server’s `METRICS_TOKEN` as a bearer token, or an API token with scope `admin`.',
        tags,
        security: [{ token: [] }],
        response: {
          200: { description: 'Metrics in the Prometheus text format.', content: { 'text/plain': { schema: Type.String() } } },
          ...errorResponses(401, 403, 500, 503),
        },
      },
    },
    async (request, reply) => {
      if (!hasMetricsToken(request, config)) {
        const caller = await authenticate(request)
        if (caller.kind === 'workflow') throw new Problem('forbidden')
        requireScope(caller, 'admin')
      }
      return reply.type(registry.contentType).send(await withTimeout(registry.metrics(), probeTimeoutMs, storeTimeout))
    },
  )
}

/** Names what failed, with the code of the database. */
function failAs(what: string): (error: unknown) => never {
  return (error) => {
    const code = error instanceof StoreError && error.code !== undefined ? ` (${error.code})` : ''
    throw new Problem('unavailable', `${what}${code}`, { headers: { 'Retry-After': '5' }, cause: error })
  }
}

function storeTimeout(): Problem {
  return new Problem('unavailable', 'The database is not responding', { headers: { 'Retry-After': '5' } })
}

/** Checks the token for local callers too: behind a proxy without `X-Forwarded-For`, every request appears to be local. */
function hasMetricsToken({ headers }: FastifyRequest, { metricsToken }: AppConfig): boolean {
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return metricsToken !== undefined && given !== undefined && equalSecrets(given, metricsToken)
}
