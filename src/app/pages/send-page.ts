import type { FastifyReply, FastifyRequest } from 'fastify'
import { h } from 'preact'
import type { ProblemCode } from '../http/problem-details.ts'
import { type Problem, problems } from '../http/problem-details.ts'
import { inlineCode } from './elements.ts'
import { renderPage } from './layout.ts'

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

const messages: Partial<Record<ProblemCode, { title: string; text: string }>> = {
  'not-found': {
    title: 'Not found',
    text: 'The link may be incomplete or expired, or you may not have access. Open it again from the check or the comment on GitHub.',
  },
  'rate-limited': { title: 'Too many requests', text: 'Wait a minute, then reload the page.' },
  forbidden: {
    title: 'Permission denied',
    text: 'You do not have the required permissions on GitHub, or the request came from another site. Reload the page and try again.',
  },
  unavailable: { title: 'Service unavailable', text: 'Reload the page in a moment.' },
}

/**
 * Sends an error as an HTML page.
 *
 * @param login The signed-in user, who keeps the navigation.
 */
export function sendProblemPage(
  reply: FastifyReply,
  { code, message }: Pick<Problem, 'code' | 'message'>,
  login: string | undefined,
): FastifyReply {
  const { status, title } = problems[code]
  const shown = messages[code] ?? {
    title,
    text:
      code === 'unprocessable' && message !== title
        ? `${message}.`
        : 'Reload the page. If the error persists, contact the operator of this server.',
  }
  const html = renderPage({
    title: `${shown.title} · openapi-pages`,
    mainClass: 'plain',
    ...(login !== undefined && { frame: { login, section: undefined } }),
    children: [h('h1', null, shown.title), h('p', { class: 'lead' }, inlineCode(shown.text))],
  })
  if (login === undefined) return sendPage(reply, html, status)
  // The page has the form that signs out.
  reply.headers({ 'Referrer-Policy': 'same-origin', Vary: 'Cookie' })
  return sendPage(reply, html, status, '')
}
