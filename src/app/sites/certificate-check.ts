import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { AppContext } from '../base/app-context.ts'
import { readHost } from '../base/sites-domain.ts'
import type { RateLimits } from '../http/callers.ts'
import { Problem } from '../http/problem-details.ts'
import { isCustomDomain } from './custom-domains.ts'

const CertificateQuery = Type.Object({ domain: Type.String({ maxLength: 253 }) })

/**
 * `/sites/certificate?domain=…`: whether a proxy should request a certificate for a hostname. Sends 200 for the app, the sites on their
 * domain, and verified custom domains, otherwise 404. Only questions about custom domains are limited, because they need the store.
 */
export function registerCertificateCheck(server: FastifyInstance, context: AppContext, limits: RateLimits): void {
  server.get(
    '/sites/certificate',
    { schema: { querystring: CertificateQuery } },
    async (request: FastifyRequest<{ Querystring: Static<typeof CertificateQuery> }>, reply) => {
      const place = context.sitesPlace()
      const name = request.query.domain.toLowerCase()
      if (!place) throw new Problem('not-found')
      if (name !== place.appHost && readHost(name, place).kind !== 'site') {
        limits.countCertificate(request)
        const isKnown = isCustomDomain(name, place) && (await context.store.domains.findSubdomain(name)) !== undefined
        if (!isKnown) throw new Problem('not-found')
      }
      return reply.type('text/plain').send('ok')
    },
  )
}
