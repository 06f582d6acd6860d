import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { GitHubError } from '../../errors.ts'
import {
  createUserClient,
  type GitHubUser,
  type OAuthClient,
  refreshTokens,
  revokeToken,
  type UserTokens,
} from '../../github/user-sign-in.ts'
import type { StoredSession } from '../../store/session-store.ts'
import { isObject } from '../../text/is-object.ts'
import type { AppContext } from '../app-context.ts'
import { Problem } from '../http/problem-details.ts'
import { type HostCookie, hostCookie } from './cookies.ts'
import { type Access, AccessCache } from './read-access.ts'
import { seal, unseal } from './seal.ts'

/** Somebody who signed in; asked for with each request. */
export interface Person {
  readonly sessionId: string
  readonly userId: number
  readonly login: string
  /** What they may see. @throws {Problem} `unavailable` when GitHub cannot be asked, `signed-out` is a `SignedOut`. */
  access(): Promise<Access>
}

/** GitHub takes the person's token no more: whoever asks has to sign in again. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut'
}

/** After that a person signs in again, however active they are. */
const sessionSeconds = 30 * 24 * 3600
/** A token that ends sooner is renewed before it is used. */
const renewBeforeMs = 60_000

/** The sessions of people on the address of the app. */
export class People {
  readonly #context: AppContext
  readonly #access: AccessCache
  readonly #renewals = new Map<string, Promise<UserTokens>>()

  constructor(context: AppContext) {
    this.#context = context
    this.#access = new AccessCache(context)
  }

  /** Whether people can sign in here at all, and what is missing where they cannot. */
  get state(): 'open' | 'no-app' | 'no-client' {
    const { credentials } = this.#context.github
    return credentials?.oauth ? 'open' : credentials ? 'no-client' : 'no-app'
  }

  /** @throws {Problem} `unavailable` where the server has no client id and secret. */
  oauth(): OAuthClient {
    const { github, config } = this.#context
    const { oauth } = github.credentials ?? {}
    if (!oauth) throw new Problem('unavailable', 'Nobody can sign in: the server has no client id of its GitHub App')
    return { githubUrl: config.githubUrl, ...oauth }
  }

  /** Who sends a request; `undefined` for a stranger. */
  async find(request: FastifyRequest): Promise<Person | undefined> {
    const secret = this.#cookie().read(request)
    const session = secret === undefined ? undefined : await this.#context.store.sessions.find(secret)
    if (secret === undefined || !session) return undefined
    return {
      sessionId: session.id,
      userId: session.userId,
      login: session.login,
      access: () => this.#readAccess(secret, session),
    }
  }

  /** Begins a session; one that the browser had before ends. */
  async signIn(request: FastifyRequest, reply: FastifyReply, user: GitHubUser, tokens: UserTokens): Promise<void> {
    const { store, now } = this.#context
    const before = await this.find(request)
    if (before) await store.sessions.end(before.sessionId)
    const secret = randomBytes(32).toString('base64url')
    await store.sessions.create(secret, {
      userId: user.id,
      login: user.login,
      sealedTokens: seal(secret, JSON.stringify(tokens)),
      expiresAt: new Date(now().getTime() + sessionSeconds * 1000).toISOString(),
    })
    reply.header('Set-Cookie', this.#cookie().line(secret, sessionSeconds))
  }

  /** Ends the session here, then at GitHub as far as it answers. */
  async signOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const cookie = this.#cookie()
    reply.header('Set-Cookie', cookie.endLine)
    const secret = cookie.read(request)
    const session = secret === undefined ? undefined : await this.#context.store.sessions.find(secret)
    if (secret === undefined || !session) return
    await this.#context.store.sessions.end(session.id)
    this.#access.forget(session.id)
    const tokens = toTokens(unseal(secret, session.sealedTokens))
    if (!tokens || this.state !== 'open') return
    const { accessToken } = tokens
    await revokeToken(this.oauth(), { apiUrl: this.#context.config.githubApiUrl, accessToken }).catch((error: unknown) => {
      if (!(error instanceof GitHubError)) throw error
      request.log.warn({ reason: error.message }, 'Cannot end a sign-in at GitHub')
    })
  }

  #cookie(): HostCookie {
    return hostCookie('openapi-pages-session', this.#context.baseUrl().startsWith('https:'))
  }

  async #readAccess(secret: string, session: StoredSession): Promise<Access> {
    try {
      return await this.#access.read(session.id, async () => {
        const { accessToken } = await this.#readTokens(secret, session)
        return createUserClient({ accessToken, apiUrl: this.#context.config.githubApiUrl, pace: this.#context.pace })
      })
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error
      if (error.failure === 'unauthorized') {
        await this.#context.store.sessions.end(session.id)
        throw new SignedOut('GitHub does not take the token of this session any more', { cause: error })
      }
      this.#context.log.warn({ reason: error.message }, 'Cannot read what a person may see')
      throw new Problem('unavailable', 'GitHub cannot be asked now what you may see', { headers: { 'Retry-After': '10' } })
    }
  }

  /** Tokens that are good for a while. Requests at the same time share one renewal, as it can be done once. */
  async #readTokens(secret: string, session: StoredSession): Promise<UserTokens> {
    const tokens = toTokens(unseal(secret, session.sealedTokens))
    if (!tokens) throw new SignedOut('The session cannot be opened')
    const { expiresAt, refreshToken } = tokens
    if (expiresAt === undefined || Date.parse(expiresAt) - this.#context.now().getTime() > renewBeforeMs) return tokens
    if (refreshToken === undefined) throw new SignedOut('The token of this session is over')
    let renewal = this.#renewals.get(session.id)
    if (!renewal) {
      renewal = this.#renew(secret, session, refreshToken).finally(() => this.#renewals.delete(session.id))
      this.#renewals.set(session.id, renewal)
    }
    return await renewal
  }

  async #renew(secret: string, session: StoredSession, refreshToken: string): Promise<UserTokens> {
    const { store } = this.#context
    try {
      const tokens = await refreshTokens(this.oauth(), refreshToken)
      await store.sessions.replaceTokens(session, seal(secret, JSON.stringify(tokens)))
      return tokens
    } catch (error) {
      // Another process, or a request just before, may have renewed them.
      const current = await store.sessions.find(secret)
      const tokens = current && current.sealedTokens !== session.sealedTokens && toTokens(unseal(secret, current.sealedTokens))
      if (tokens) return tokens
      throw error
    }
  }
}

function toTokens(text: string | undefined): UserTokens | undefined {
  const value: unknown = text === undefined ? undefined : JSON.parse(text)
  if (!isObject(value) || typeof value['accessToken'] !== 'string') return undefined
  const { accessToken, expiresAt, refreshToken } = value
  return {
    accessToken,
    ...(typeof expiresAt === 'string' && { expiresAt }),
    ...(typeof refreshToken === 'string' && { refreshToken }),
  }
}
