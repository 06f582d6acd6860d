import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { exchangeCode, readUser, toAuthorizeUrl } from '../../../github/apps/users.ts'
import { GitHubError } from '../../../text/errors.ts'
import { encodeUrlPart } from '../../../text/plain/paths.ts'
import type { AppContext } from '../../base/app-context.ts'
import { signInCallbackPath } from '../../base/manifest.ts'
import { equalSecrets } from '../../base/signed-links.ts'
import { acceptForms, hostCookie, requireOwnPage, toReturnPath, typed } from '../../http/browser-requests.ts'
import type { RateLimits } from '../../http/callers.ts'
import { sendPage } from '../pages/send-page.ts'
import type { People } from './people.ts'
import { renderSignInFailurePage, renderSignInPage, type SignInFailure } from './sign-in-page.tsx'

const To = Type.Object({ to: Type.Optional(Type.String({ maxLength: 2000 })) })
const CallbackQuery = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9_-]+$' })),
  state: Type.Optional(Type.String({ maxLength: 100 })),
  error: Type.Optional(Type.String({ maxLength: 200 })),
})

/** The lifetime of GitHub's code. */
const attemptSeconds = 600

/**
 * `/sign-in`, its OAuth callback, and `/sign-out`.
 *
 * A cookie holds the state, the PKCE verifier and the return path of an attempt. This binds the attempt to one browser, which prevents
 * login CSRF, and the server stores nothing for abandoned attempts.
 */
export async function registerSignIn(
  server: FastifyInstance,
  context: AppContext,
  { people, limits }: { people: People; limits: RateLimits },
): Promise<void> {
  const { urls, config } = context
  const attempt = () => hostCookie('openapi-pages-sign-in', urls.base())
  /** Browsers apply the page's `form-action` policy to all redirects after a form, and the last one may be a private site. */
  const toFormTargets = () => {
    const place = urls.sites()
    return place ? `${config.githubUrl} ${place.protocol}//*.${place.domain}${place.port}` : config.githubUrl
  }
  const redirectUrl = () => `${urls.base()}${signInCallbackPath}`

  await server.register(async (routes) => {
    acceptForms(routes)
    const pages = typed(routes)
    pages.addHook('onRequest', async (request) => limits.countAddress(request))

    pages.get('/sign-in', { schema: { querystring: To } }, async (request, reply) => {
      const to = toReturnPath(request.query.to)
      if (await people.find(request)) return reply.redirect(to, 303)
      reply.header('Referrer-Policy', 'same-origin')
      return sendPage(reply, renderSignInPage({ to, state: people.state }), 200, toFormTargets())
    })

    pages.post('/sign-in', { schema: { body: To } }, async (request, reply) => {
      requireOwnPage(context, request)
      const client = people.oauth()
      const [state, verifier] = [randomBytes(24).toString('base64url'), randomBytes(32).toString('base64url')]
      const to = Buffer.from(toReturnPath(request.body.to)).toString('base64url')
      reply.header('Set-Cookie', attempt().line(`${state}.${verifier}.${to}`, attemptSeconds))
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      return reply.redirect(toAuthorizeUrl(client, { redirectUrl: redirectUrl(), state, challenge }), 303)
    })

    pages.get(signInCallbackPath, { schema: { querystring: CallbackQuery } }, async (request, reply) => {
      const [state = '', verifier = '', wanted = ''] = attempt().read(request)?.split('.') ?? []
      // Fastify appends later `Set-Cookie` headers instead of replacing this one.
      reply.header('Set-Cookie', attempt().endLine)
      const to = toReturnPath(Buffer.from(wanted, 'base64url').toString())
      const fail = (reason: SignInFailure, status: number) =>
        sendPage(reply, renderSignInFailurePage({ reason, again: `${urls.base()}/sign-in?to=${encodeUrlPart(to)}` }), status)
      const { code, state: given = '', error } = request.query
      if (state === '' || !equalSecrets(given, state)) return fail('other-browser', 400)
      if (error !== undefined || code === undefined) return fail(error === 'access_denied' ? 'denied' : 'refused', 403)
      try {
        const tokens = await exchangeCode(people.oauth(), { code, verifier, redirectUrl: redirectUrl() })
        const user = await readUser(people.connect(tokens))
        await people.signIn(request, reply, user, tokens)
        request.log.info({ login: user.login }, 'Signed in')
      } catch (failure) {
        if (!(failure instanceof GitHubError)) throw failure
        request.log.warn({ reason: failure.message, hint: failure.hint }, 'Sign-in failed')
        return failure.failure === 'unauthorized' ? fail('refused', 403) : fail('unreachable', 502)
      }
      return reply.redirect(to, 303)
    })

    pages.post('/sign-out', { schema: { body: Type.Optional(Type.Object({})) } }, async (request, reply) => {
      requireOwnPage(context, request)
      await people.signOut(request, reply)
      return reply.redirect('/sign-in', 303)
    })
  })
}
