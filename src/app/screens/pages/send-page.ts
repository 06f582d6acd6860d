import type { FastifyReply, FastifyRequest } from 'fastify'

/** Pages load nothing from other origins and nothing inline. */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"

/** Sends an HTML page. The whole server sends no `Referer`, so signed links do not leak. */
export function sendPage(reply: FastifyReply, html: string, status = 200, formAction?: string): FastifyReply {
  const policy = formAction === undefined ? pagePolicy : toFormPolicy(formAction)
  return reply.code(status).header('Content-Security-Policy', policy).type('text/html; charset=utf-8').send(html)
}

/** The policy of a page with forms; `elsewhere` lists other origins that they may redirect to. */
export function toFormPolicy(elsewhere = ''): string {
  return pagePolicy.replace("form-action 'none'", `form-action 'self' ${elsewhere}`.trim())
}

/** Whether to respond with an HTML page. The API never does. */
export function wantsPage(request: FastifyRequest): boolean {
  return !request.url.startsWith('/v1/') && /\btext\/html\b/.test(request.headers.accept ?? '')
}
