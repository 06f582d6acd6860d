import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ComponentChild, h } from 'preact'
import { type Static, Type } from 'typebox'
import { GitHubError } from '../../errors.ts'
import { createUserClient, exchangeCode, readUser, toAuthorizeUrl } from '../../github/user-sign-in.ts'
import type { AppContext } from '../app-context.ts'
import type { RateLimits } from '../http/callers.ts'
import { renderPage } from '../pages/layout.ts'
import { sendPage } from '../pages/send-page.ts'
import { signInCallbackPath } from '../setup/manifest.ts'
import { equalSecrets } from '../signed-links.ts'
import { acceptForms, hostCookie, requireOwnPage, toReturnPath } from './browser-requests.ts'
import type { People } from './people.ts'

const To = Type.Object({ to: Type.Optional(Type.String({ maxLength: 2000 })) })
const CallbackQuery = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9_-]+$' })),
  state: Type.Optional(Type.String({ maxLength: 100 })),
  error: Type.Optional(Type.String({ maxLength: 200 })),
})

/** GitHub's code is good for as long. */
const attemptSeconds = 600

/**
 * `/sign-in`, GitHub's way back to it, and `/sign-out`.
 *
 * What belongs to an attempt (state, PKCE verifier, where to go on) is in a cookie of the browser that made it, so that nobody can bring
 * another browser into their own account, and the server keeps nothing for those who never come back.
 */
export async function registerSignIn(
  server: FastifyInstance,
  context: AppContext,
  { people, limits }: { people: People; limits: RateLimits },
): Promise<void> {
  const { baseUrl, config } = context
  const attempt = () => hostCookie('openapi-pages-sign-in', baseUrl().startsWith('https:'))
  /** Browsers hold every step that follows a form to the policy of its page, and the last may be a private site. */
  const toFormTargets = () => {
    const place = context.sitesPlace()
    return place ? `${config.githubUrl} ${place.protocol}//*.${place.domain}${place.port}` : config.githubUrl
  }
  const redirectUrl = () => `${baseUrl()}${signInCallbackPath}`

  await server.register(async (pages) => {
    acceptForms(pages)
    pages.addHook('onRequest', (request) => limits.countAddress(request))

    pages.get(
      '/sign-in',
      { schema: { querystring: To } },
      async (request: FastifyRequest<{ Querystring: Static<typeof To> }>, reply) => {
        const to = toReturnPath(request.query.to)
        if (await people.find(request)) return reply.redirect(to, 303)
        reply.header('Referrer-Policy', 'same-origin')
        return sendPage(reply, renderSignInPage({ to, state: people.state }), 200, toFormTargets())
      },
    )

    pages.post(
      '/sign-in',
      { schema: { body: To } },
      async (request: FastifyRequest<{ Body: Static<typeof To> }>, reply: FastifyReply) => {
        requireOwnPage(context, request)
        const client = people.oauth()
        const [state, verifier] = [randomBytes(24).toString('base64url'), randomBytes(32).toString('base64url')]
        const to = Buffer.from(toReturnPath(request.body.to)).toString('base64url')
        reply.header('Set-Cookie', attempt().line(`${state}.${verifier}.${to}`, attemptSeconds))
        const challenge = createHash('sha256').update(verifier).digest('base64url')
        return reply.redirect(toAuthorizeUrl(client, { redirectUrl: redirectUrl(), state, challenge }), 303)
      },
    )

    pages.get(
      signInCallbackPath,
      { schema: { querystring: CallbackQuery } },
      async (request: FastifyRequest<{ Querystring: Static<typeof CallbackQuery> }>, reply: FastifyReply) => {
        const [state = '', verifier = '', wanted = ''] = attempt().read(request)?.split('.') ?? []
        // Of this header, and of no other, Fastify keeps what is set already.
        reply.header('Set-Cookie', attempt().endLine)
        const to = toReturnPath(Buffer.from(wanted, 'base64url').toString())
        const fail = (reason: Parameters<typeof renderSignInFailurePage>[0]['reason'], status: number) =>
          sendPage(reply, renderSignInFailurePage({ reason, again: `${baseUrl()}/sign-in?to=${encodeURIComponent(to)}` }), status)
        const { code, state: given = '', error } = request.query
        if (state === '' || !equalSecrets(given, state)) return fail('other-browser', 400)
        if (error !== undefined || code === undefined) return fail(error === 'access_denied' ? 'denied' : 'refused', 403)
        try {
          const tokens = await exchangeCode(people.oauth(), { code, verifier, redirectUrl: redirectUrl() })
          const { accessToken } = tokens
          const user = await readUser(createUserClient({ accessToken, apiUrl: config.githubApiUrl, pace: context.pace }))
          await people.signIn(request, reply, user, tokens)
          request.log.info({ login: user.login }, 'Signed in')
        } catch (failure) {
          if (!(failure instanceof GitHubError)) throw failure
          request.log.warn({ reason: failure.message, hint: failure.hint }, 'Cannot sign a person in')
          return failure.failure === 'unauthorized' ? fail('refused', 403) : fail('no-answer', 502)
        }
        return reply.redirect(to, 303)
      },
    )

    pages.post('/sign-out', { schema: { body: Type.Optional(Type.Object({})) } }, async (request, reply) => {
      requireOwnPage(context, request)
      await people.signOut(request, reply)
      return reply.redirect('/sign-in', 303)
    })
  })
}

/** The one button; the rest is GitHub's. */
function renderSignInPage({ to, state }: { to: string; state: 'open' | 'no-app' | 'no-client' }): string {
  return renderPage({ title: 'Sign in · openapi-pages', mainClass: 'plain', children: contents[state](to) })
}

const contents: Readonly<Record<'open' | 'no-app' | 'no-client', (to: string) => ComponentChild[]>> = {
  open: (to) => [
    h('h1', null, 'Sign in'),
    h('p', { class: 'lead' }, 'You see the projects of the repositories that you can read on GitHub, and nothing else.'),
    h(
      'form',
      { method: 'post', action: '/sign-in' },
      h('input', { type: 'hidden', name: 'to', value: to }),
      h('button', { class: 'button', type: 'submit' }, 'Sign in with GitHub'),
    ),
  ],
  'no-app': () => [
    h('h1', null, 'Not set up yet'),
    h(
      'p',
      { class: 'lead' },
      'This server has no GitHub App. Whoever runs it opens the setup page; the server says at its start where to find the URL.',
    ),
  ],
  'no-client': () => [
    h('h1', null, 'Nobody can sign in yet'),
    h(
      'p',
      { class: 'lead' },
      'This server does not know the client id of its GitHub App. Whoever runs it sets ',
      h('code', null, 'GITHUB_CLIENT_ID'),
      ' and ',
      h('code', null, 'GITHUB_CLIENT_SECRET'),
      ', both from the page of the app on GitHub.',
    ),
  ],
}

const reasons = {
  denied: ['You are not signed in', 'You told GitHub not to let this server know who you are.'],
  'other-browser': [
    'You are not signed in',
    'This sign-in was begun in another browser, under another address, or more than ten minutes ago.',
  ],
  refused: ['You are not signed in', 'GitHub did not take the sign-in. It is good once, and for ten minutes.'],
  'no-answer': ['You are not signed in', 'GitHub did not answer. Try it again in a moment.'],
} as const

/** @param again Absolute, on the address that GitHub knows. */
function renderSignInFailurePage({ reason, again }: { reason: keyof typeof reasons; again: string }): string {
  const [title, text] = reasons[reason]
  return renderPage({
    title: `${title} · openapi-pages`,
    mainClass: 'plain',
    children: [
      h('h1', null, title),
      h('p', { class: 'lead' }, text),
      h('p', null, h('a', { class: 'button', href: again }, 'Try again')),
    ],
  })
}
