import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { Problem } from '../http/problem-details.ts'

/**
 * Lets a form through only when a page of ours sent it: neither another site nor one of the sites that we host, whose hosts lie below
 * the same domain.
 *
 * Browsers say where a request comes from (`Sec-Fetch-Site`, and `Origin` with every POST); one that says nothing is refused.
 *
 * @throws {Problem} `forbidden`.
 */
export function requireOwnPage({ baseUrl }: Pick<AppContext, 'baseUrl'>, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isOwn = site === undefined ? origin === baseUrl() : site === 'same-origin'
  if (!isOwn) throw new Problem('forbidden', 'The form was not sent by a page of this server')
}

/** Forms without files; of a field that comes twice the last one counts. Register it where pages take forms, and nowhere else. */
export function acceptForms(server: FastifyInstance): void {
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
}
