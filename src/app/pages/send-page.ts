import type { FastifyReply, FastifyRequest } from 'fastify'
import { h } from 'preact'
import type { ProblemCode } from '../http/problem-details.ts'
import { problems } from '../http/problem-details.ts'
import { renderPage } from './layout.ts'

/** What a page may load: nothing from elsewhere, nothing inline. */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"

/** Sends a page for people. Signed links do not leave by the `Referer`, which is off for the whole server. */
export function sendPage(reply: FastifyReply, html: string, status = 200, formAction?: string): FastifyReply {
  const policy = formAction === undefined ? pagePolicy : toFormPolicy(formAction)
  return reply.code(status).header('Content-Security-Policy', policy).type('text/html; charset=utf-8').send(html)
}

/** The policy of a page with forms; `elsewhere` is an origin that they may redirect to. */
export function toFormPolicy(elsewhere = ''): string {
  return pagePolicy.replace("form-action 'none'", `form-action 'self' ${elsewhere}`.trim())
}

/** Whether the caller is a person with a browser. The API answers everybody as a program. */
export function wantsPage(request: FastifyRequest): boolean {
  return !request.url.startsWith('/v1/') && /\btext\/html\b/.test(request.headers.accept ?? '')
}

const words: Partial<Record<ProblemCode, { title: string; text: string }>> = {
  'not-found': {
    title: 'There is nothing here',
    text: 'The link may be cut off or out of date, or what it leads to is not for you. Open it again from the check or the comment on GitHub.',
  },
  'rate-limited': { title: 'Too many requests', text: 'Wait a minute, then load the page again.' },
  forbidden: {
    title: 'You may not do this',
    text: 'Your access on GitHub is not enough, or the button was on a page of another site. Load the page again.',
  },
  unavailable: { title: 'The server cannot answer now', text: 'Load the page again in a moment.' },
}

/** An error as a page. */
export function sendProblemPage(reply: FastifyReply, code: ProblemCode): FastifyReply {
  const { status, title } = problems[code]
  const shown = words[code] ?? { title, text: 'Load the page again. If it stays, tell whoever runs this server.' }
  const html = renderPage({
    title: `${shown.title} · openapi-pages`,
    mainClass: 'plain',
    children: [h('h1', null, shown.title), h('p', { class: 'lead' }, shown.text)],
  })
  return sendPage(reply, html, status)
}
