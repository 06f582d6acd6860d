import type { FastifyInstance, FastifyRequest } from 'fastify'
import { StoreError } from '../../text/errors.ts'
import type { AppContext } from '../base/app-context.ts'
import type { AppConfig } from '../base/config/app-config.ts'
import { equalSecrets } from '../base/signed-links.ts'
import { keepFor, type Metrics } from '../base/telemetry/metrics.ts'
import { type Authenticate, requireScope } from '../http/callers.ts'
import { Problem } from '../http/problem-details.ts'
import { withTimeout } from '../http/waiting.ts'
import { toRoute } from './describe-api.ts'

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
  server.route({ ...toRoute('getHealth'), logLevel: 'warn', handler: async () => ({ status: 'ok' }) })
  server.route({
    ...toRoute('getReadiness'),
    logLevel: 'warn',
    async handler(request) {
      if (isStopping()) throw new Problem('unavailable', 'The server is stopping', { headers: { 'Retry-After': '5' } })
      try {
        await withTimeout(probe(), probeTimeoutMs, storeTimeout)
      } catch (error) {
        request.log.error({ err: error }, 'Not ready')
        throw error
      }
      return { status: 'ready', ...(problems.length > 0 && { problems }) }
    },
  })
  server.route({
    ...toRoute('getMetrics'),
    logLevel: 'warn',
    async handler(request, reply) {
      if (!hasMetricsToken(request, config)) {
        const caller = await authenticate(request)
        if (caller.kind === 'workflow') throw new Problem('forbidden')
        requireScope(caller, 'admin')
      }
      return reply.type(registry.contentType).send(await withTimeout(registry.metrics(), probeTimeoutMs, storeTimeout))
    },
  })
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
