import type { FastifyReply } from 'fastify'
import { type Problem, type ProblemCode, problems } from '../../http/problem-details.ts'
import { InlineCode } from './elements.tsx'
import { renderPlainPage } from './layout.tsx'
import { sendPage } from './send-page.ts'

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
  const html = renderPlainPage({
    title: shown.title,
    lead: <InlineCode text={shown.text} />,
    ...(login !== undefined && { frame: { login, section: undefined } }),
  })
  if (login === undefined) return sendPage(reply, html, status)
  // The page has the form that signs out.
  reply.headers({ 'Referrer-Policy': 'same-origin', Vary: 'Cookie' })
  return sendPage(reply, html, status, '')
}
