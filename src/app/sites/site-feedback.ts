import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { escapeHtml } from '../../site/render/html.ts'
import { type FeedbackMessage, feedbackLimits, feedbackPath } from '../../site/request/feedback-format.ts'
import { toWellFormed, withoutControls } from '../../source/escape-text.ts'
import type { Feedback } from '../../store/feedback-store.ts'
import type { ShownSite } from '../../store/sites/stored-sites.ts'
import type { AppContext } from '../app-context.ts'
import type { RateLimits } from '../http/callers.ts'
import { Problem } from '../http/problem-details.ts'
import { findReadableSite, readPassedHost } from './passed-requests.ts'
import { createMayRead, PrivateSiteAccess } from './private-sites.ts'
import { requireOwnSite } from './relay.ts'
import { readSiteContent } from './site-content.ts'
import { renderPlainPage } from './site-responses.ts'
import { readPath } from './site-rules.ts'

/** The largest body. */
const maxBodyBytes = 4 * 1024

/** The largest page that is read to find out whether it asks for feedback. */
const maxPageBytes = 8 * 1024 * 1024

export function isFeedback({ url, method }: IncomingMessage): boolean {
  return method === 'POST' && url === feedbackPath
}

/**
 * `POST /_openapi-pages/feedback` on the hosts of production sites with `site.feedback: app`: stores the answers of readers, and searches without
 * results. On the host of the app, it does not exist.
 *
 * Who may read the site may use it. Nothing about the reader is stored or logged.
 */
export async function registerSiteFeedback(server: FastifyInstance, context: AppContext, rates: RateLimits): Promise<void> {
  const { store } = context
  const mayRead = createMayRead(context, new PrivateSiteAccess(context))

  const findSite = async (request: FastifyRequest): Promise<ShownSite> => {
    const host = readPassedHost(request)
    const site = await findReadableSite(host, request.raw, { store, mayRead })
    if (host.preview) throw new Problem('forbidden', 'Previews do not collect feedback')
    return site
  }
  /** Whether the published page at a path contains `text`. */
  const contains = async ({ build }: ShownSite, path: string, text: string): Promise<boolean> => {
    const file = await store.sites.findFile(build.id, path)
    return file !== undefined && file.sizeBytes <= maxPageBytes && (await readSiteContent(store.sites, file)).includes(text)
  }

  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    for (const type of ['application/json', formType])
      scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit: maxBodyBytes }, (_request, body, done) => done(null, body))
    scope.addHook('onRequest', async (request) => {
      rates.countAddress(request)
      requireOwnSite(context, request)
    })
    scope.post(feedbackPath, async (request, reply) => {
      const site = await findSite(request)
      rates.countFeedback(request, site.project.id)
      const isForm = request.headers['content-type']?.startsWith(formType) ?? false
      const message = readMessage(String(request.body ?? ''), isForm)
      if (!message) throw new Problem('invalid-request', 'The body is not an answer or a search')
      if ('search' in message) {
        // Searches can start on pages that do not exist.
        if (!(await contains(site, '404.html', pageMark))) throw new Problem('not-found')
        const query = toText(message.search).replace(/\s+/g, ' ').toLowerCase()
        if (query === '') throw new Problem('invalid-request', 'The search is empty')
        await store.feedback.add(site.project, { kind: 'search', query })
        return reply.code(204).send()
      }
      const path = readPath(message.page)?.path
      const isPage = path !== undefined && /(?:^|\/)$/.test(path) && (await contains(site, `${path}index.html`, formMark))
      if (!isPage) throw new Problem('unprocessable', 'This page does not ask for feedback. Reload it')
      if (!(await store.feedback.add(site.project, toFeedback(message, `/${path}`))))
        throw new Problem('rate-limited', 'This site has too many answers in this week')
      if (!isForm) return reply.code(204).send()
      const { status, headers, body } = renderPlainPage(
        200,
        'Thank you',
        `Your answer was sent. <a href="${escapeHtml(message.page)}">Back to the page</a>`,
      )
      for (const [name, value] of Object.entries(headers)) reply.header(name, value)
      return reply.code(status).send(body)
    })
  })
}

const formType = 'application/x-www-form-urlencoded'

/** In each page of a site with `site.feedback: app`, and in those with the question. Text has no unescaped `<`. */
const pageMark = `<meta name="feedback" content="${feedbackPath}"`
const formMark = `<form class="feedback" method="post" action="${feedbackPath}"`

const messageCheck = Compile(
  Type.Union([
    Type.Object(
      {
        page: Type.String({ maxLength: 1_000, pattern: '^/[\\x21-\\x7e]*$' }),
        answer: Type.Union([Type.Literal('yes'), Type.Literal('no')]),
        comment: Type.Optional(Type.String({ maxLength: feedbackLimits.comment })),
      },
      { additionalProperties: false },
    ),
    Type.Object({ search: Type.String({ maxLength: feedbackLimits.search }) }, { additionalProperties: false }),
  ]),
)

/** Returns `undefined` for an invalid body, also for a form with duplicate fields. */
function readMessage(body: string, isForm: boolean): FeedbackMessage | undefined {
  try {
    const fields = new URLSearchParams(body)
    const value: unknown = isForm ? Object.fromEntries(fields) : JSON.parse(body)
    if (isForm && fields.size !== new Set(fields.keys()).size) return undefined
    return messageCheck.Check(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A comment, or without one an answer. Forms without scripts send an empty comment. */
function toFeedback({ answer, comment = '' }: Extract<FeedbackMessage, { page: string }>, page: string): Feedback {
  const text = toText(comment)
  return text === '' ? { kind: 'answer', page, answer } : { kind: 'comment', page, answer, comment: text }
}

/** PostgreSQL stores no NUL. */
function toText(text: string): string {
  return toWellFormed(withoutControls(text)).trim()
}
