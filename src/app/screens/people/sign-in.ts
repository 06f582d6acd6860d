import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
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
import { IssuerError } from './issuer-groups.ts'
import type { AttemptSecrets, SignedInUser } from './issuers.ts'
import type { People } from './people.ts'
import { renderSignInFailurePage, renderSignInPage, type SignInFailure } from './sign-in-page.tsx'

const To = Type.Object({ to: Type.Optional(Type.String({ maxLength: 2000 })) })
const SignInBody = Type.Interface([To], { issuer: Type.Optional(Type.String({ maxLength: 100 })) })
const CallbackPath = Type.Object({ issuer: Type.Optional(Type.String({ maxLength: 100 })) })
const CallbackQuery = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 8_000 })),
  state: Type.Optional(Type.String({ maxLength: 100 })),
  error: Type.Optional(Type.String({ maxLength: 200 })),
})

/** The lifetime of GitHub's code. */
const attemptSeconds = 600

interface Attempt {
  /** `github`, or the name of an issuer. */
  readonly issuer: string
  /** Where to go after the sign-in. */
  readonly to: string
  /** Whether the issuer must not show anything. */
  readonly isSilent: boolean
}

/**
 * Attempts to sign in.
 *
 * A cookie holds the state, the nonce, the PKCE verifier, the issuer and the return path of an attempt. This binds the attempt to one browser,
 * which prevents login CSRF, and to one issuer, whose answer no other issuer can give. The server stores nothing for abandoned attempts.
 */
export class SignInAttempts {
  readonly #context: AppContext
  readonly #people: People

  constructor(context: AppContext, people: People) {
    this.#context = context
    this.#people = people
  }

  /** Sends the browser to the issuer. */
  async start(reply: FastifyReply, { issuer, to, isSilent }: Attempt): Promise<FastifyReply> {
    const [state = '', nonce = '', verifier = ''] = [24, 24, 32].map((size) => randomBytes(size).toString('base64url'))
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const redirectUrl = this.#toRedirectUrl(issuer)
    try {
      const url =
        issuer === 'github'
          ? toAuthorizeUrl(this.#people.oauth(), { redirectUrl, state, challenge })
          : await this.#people.issuer(issuer).toAuthorizeUrl({ state, nonce, challenge }, { redirectUrl, isSilent })
      const place = Buffer.from(toReturnPath(to)).toString('base64url')
      reply.header('Set-Cookie', this.cookie().line([issuer, state, nonce, verifier, place].join('.'), attemptSeconds))
      return reply.redirect(url, 303)
    } catch (error) {
      return this.fail(reply, { issuer, to, error })
    }
  }

  /**
   * The person of an authorization response.
   *
   * @throws {GitHubError | IssuerError}
   */
  async readPerson(url: string, issuer: string, secrets: AttemptSecrets): Promise<SignedInUser> {
    const callbackUrl = new URL(url, this.#context.urls.base())
    if (issuer !== 'github') return await this.#people.issuer(issuer).readPerson(callbackUrl, secrets)
    const code = callbackUrl.searchParams.get('code') ?? ''
    const { verifier } = secrets
    const tokens = await exchangeCode(this.#people.oauth(), { code, verifier, redirectUrl: this.#toRedirectUrl(issuer) })
    const { id, login } = await readUser(this.#people.connect(tokens))
    return { userId: id, login, issuer, subject: String(id), groups: [], tokens }
  }

  /** Responds with a page that says why the sign-in failed. Throws any other error. */
  fail(reply: FastifyReply, { issuer, to, error }: Omit<Attempt, 'isSilent'> & { readonly error: unknown }): FastifyReply {
    if (!(error instanceof GitHubError) && !(error instanceof IssuerError)) throw error
    const hint = error instanceof GitHubError ? error.hint : undefined
    reply.log.warn({ reason: error.message, hint, issuer }, 'Sign-in failed')
    const github = error.failure === 'unauthorized' ? 'refused' : 'unreachable'
    return this.explain(reply, { issuer, to, reason: error instanceof IssuerError ? error.failure : github })
  }

  explain(
    reply: FastifyReply,
    { issuer, to, reason }: Omit<Attempt, 'isSilent'> & { readonly reason: SignInFailure },
  ): FastifyReply {
    const again = `${this.#context.urls.base()}/sign-in?to=${encodeUrlPart(toReturnPath(to))}`
    const status = reason === 'unreachable' ? 502 : reason === 'other-browser' ? 400 : 403
    return sendPage(reply, renderSignInFailurePage({ reason, issuer, again }), status)
  }

  cookie() {
    return hostCookie('openapi-pages-sign-in', this.#context.urls.base())
  }

  /** Each issuer has its own, so that an answer names its issuer. */
  #toRedirectUrl(issuer: string): string {
    return `${this.#context.urls.base()}${signInCallbackPath}${issuer === 'github' ? '' : `/${issuer}`}`
  }
}

/** `/sign-in`, its callbacks, and `/sign-out`. */
export async function registerSignIn(
  server: FastifyInstance,
  context: AppContext,
  { people, attempts, limits }: { people: People; attempts: SignInAttempts; limits: RateLimits },
): Promise<void> {
  const { urls, config } = context
  const issuers = (config.oidcIssuers ?? []).map(({ name }) => name)
  /** Browsers apply the page's `form-action` policy to all redirects after a form, and the last one may be a private site. */
  const toFormTargets = () => {
    const place = urls.sites()
    // An issuer may send people on to others.
    const others = (config.oidcIssuers ?? []).flatMap(({ url }) => [new URL(url).origin, 'https:'])
    return [config.githubUrl, ...others, ...(place ? [`${place.protocol}//*.${place.domain}${place.port}`] : [])].join(' ')
  }

  await server.register(async (routes) => {
    acceptForms(routes)
    const pages = typed(routes)
    pages.addHook('onRequest', async (request) => limits.countAddress(request))

    pages.get('/sign-in', { schema: { querystring: To } }, async (request, reply) => {
      const to = toReturnPath(request.query.to)
      if (await people.find(request)) return reply.redirect(to, 303)
      reply.header('Referrer-Policy', 'same-origin')
      return sendPage(reply, renderSignInPage({ to, state: people.state, issuers }), 200, toFormTargets())
    })

    pages.post('/sign-in', { schema: { body: SignInBody } }, async (request, reply) => {
      requireOwnPage(context, request)
      const { issuer = 'github', to } = request.body
      return await attempts.start(reply, { issuer, to: toReturnPath(to), isSilent: false })
    })

    const callback = { schema: { params: CallbackPath, querystring: CallbackQuery } }
    pages.get(`${signInCallbackPath}/:issuer?`, callback, async (request, reply) => {
      const { issuer = 'github' } = request.params
      const kept = attempts.cookie().read(request)?.split('.') ?? []
      const [startedAt = '', state = '', nonce = '', verifier = '', place = ''] = kept
      // Fastify appends later `Set-Cookie` headers instead of replacing this one.
      reply.header('Set-Cookie', attempts.cookie().endLine)
      const to = toReturnPath(Buffer.from(place, 'base64url').toString())
      const explain = (reason: SignInFailure) => attempts.explain(reply, { issuer, to, reason })
      const { code, state: given = '', error } = request.query
      if (startedAt !== issuer || state === '' || !equalSecrets(given, state)) return explain('other-browser')
      // The issuer of a silent attempt wants to show something. The page decides what to do without a session.
      if (error?.endsWith('_required')) return reply.redirect(to, 303)
      if (error !== undefined || code === undefined) return explain(error === 'access_denied' ? 'denied' : 'refused')
      try {
        const user = await attempts.readPerson(request.url, issuer, { state, nonce, verifier })
        await people.signIn(request, reply, user)
        request.log.info({ login: user.login, issuer }, 'Signed in')
      } catch (failure) {
        return attempts.fail(reply, { issuer, to, error: failure })
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
