import { hkdfSync, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CompactEncrypt, compactDecrypt, errors } from 'jose'
import { GitHubError } from '../../errors.ts'
import type { GitHubClient } from '../../github/types.ts'
import {
  type AccessLevel,
  createUserClient,
  type GitHubUser,
  listUserInstallations,
  listUserRepositories,
  type OAuthClient,
  refreshTokens,
  revokeToken,
  type UserTokens,
} from '../../github/user-sign-in.ts'
import { isObject } from '../../source/is-object.ts'
import type { Project } from '../../status/types.ts'
import type { StoredSession } from '../../store/session-store.ts'
import type { Store } from '../../store/types.ts'
import type { AppContext } from '../app-context.ts'
import { Problem } from '../http/problem-details.ts'
import { type HostCookie, hostCookie } from './browser-requests.ts'

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

  /** Who sends a request; `undefined` for a visitor who is not signed in. */
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
      sealedTokens: await sealTokens(secret, tokens),
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
    const tokens = await unsealTokens(secret, session.sealedTokens)
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
      const isRejected = error instanceof GitHubError && error.failure === 'unauthorized'
      // The sign-in page sends people who have a session back to where they came from.
      if (error instanceof SignedOut || isRejected) await this.#context.store.sessions.end(session.id)
      if (isRejected) throw new SignedOut('GitHub no longer accepts the token of this session', { cause: error })
      if (!(error instanceof GitHubError)) throw error
      this.#context.log.warn({ reason: error.message }, 'Cannot read what a person may see')
      throw new Problem('unavailable', 'GitHub cannot be asked now what you may see', { headers: { 'Retry-After': '10' } })
    }
  }

  /** Tokens that are good for a while. Requests at the same time share one renewal, as it can be done once. */
  async #readTokens(secret: string, session: StoredSession): Promise<UserTokens> {
    const tokens = await unsealTokens(secret, session.sealedTokens)
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
      await store.sessions.replaceTokens(session, await sealTokens(secret, tokens))
      return tokens
    } catch (error) {
      // Another process, or a request just before, may have renewed them.
      const current = await store.sessions.find(secret)
      const isRenewed = current !== undefined && current.sealedTokens !== session.sealedTokens
      const tokens = isRenewed ? await unsealTokens(secret, current.sealedTokens) : undefined
      if (tokens) return tokens
      throw error
    }
  }
}

/** What a person may do in each repository that they were given access to; GitHub's ids. */
export type Access = ReadonlyMap<number, AccessLevel>

/** Whether a level is enough for what is wanted. */
export function mayDo(access: Access, { repositoryId }: Pick<Project, 'repositoryId'>, wanted: AccessLevel): boolean {
  const levels: readonly AccessLevel[] = ['read', 'write', 'admin']
  const given = access.get(repositoryId)
  return given !== undefined && levels.indexOf(given) >= levels.indexOf(wanted)
}

/** Who loses access sees what they saw for this long. */
const keptMs = 60_000
const mostKept = 2_000

interface Kept {
  readonly access: Promise<Access>
  readonly until: number
}

/** Keeps what GitHub said for a minute, in this process; requests at the same time share one question. */
class AccessCache {
  readonly #kept = new Map<string, Kept>()
  readonly #store: Store
  readonly #now: () => Date

  constructor({ store, now }: { readonly store: Store; readonly now: () => Date }) {
    this.#store = store
    this.#now = now
  }

  /** @throws {GitHubError} what GitHub said; it is asked again the next time. */
  async read(sessionId: string, connect: () => Promise<GitHubClient>): Promise<Access> {
    const time = this.#now().getTime()
    const kept = this.#kept.get(sessionId)
    // A clock that was set back makes nothing last longer.
    if (kept && time < kept.until && time >= kept.until - keptMs) return await kept.access
    const access = connect().then((client) => readAccess(client, this.#store))
    this.#kept.delete(sessionId)
    this.#kept.set(sessionId, { access, until: time + keptMs })
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= mostKept) break
      this.#kept.delete(oldest)
    }
    access.catch(() => this.#kept.get(sessionId)?.access === access && this.#kept.delete(sessionId))
    return await access
  }

  forget(sessionId: string): void {
    this.#kept.delete(sessionId)
  }
}

/** Asks only for installations that have a project here. */
async function readAccess(client: GitHubClient, store: Store): Promise<Access> {
  const [installations, projects] = await Promise.all([listUserInstallations(client), store.projects.list()])
  const known = new Set(projects.map(({ installationId }) => installationId))
  const lists = await Promise.all(
    installations.filter((id) => known.has(id)).map((installationId) => listUserRepositories(client, installationId)),
  )
  return new Map(lists.flat())
}

const sealing = { alg: 'dir', enc: 'A256GCM' } as const

/**
 * Encrypts the tokens of a session (JWE, RFC 7516, AES-256-GCM). The store keeps the result, the browser keeps the secret: neither
 * of them can use the tokens alone.
 *
 * @param secret At least 256 random bits, as text.
 */
export async function sealTokens(secret: string, tokens: UserTokens): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(tokens))
  return await new CompactEncrypt(bytes).setProtectedHeader(sealing).encrypt(toKey(secret))
}

/** `undefined` for tokens that were encrypted with another secret or in another format, or are damaged. */
export async function unsealTokens(secret: string, sealed: string): Promise<UserTokens | undefined> {
  try {
    const allowed = { keyManagementAlgorithms: [sealing.alg], contentEncryptionAlgorithms: [sealing.enc] }
    const { plaintext } = await compactDecrypt(sealed, toKey(secret), allowed)
    return toTokens(JSON.parse(new TextDecoder().decode(plaintext)))
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

function toKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'openapi-pages:session', 32))
}

function toTokens(value: unknown): UserTokens | undefined {
  if (!isObject(value) || typeof value['accessToken'] !== 'string') return undefined
  const { accessToken, expiresAt, refreshToken } = value
  return {
    accessToken,
    ...(typeof expiresAt === 'string' && { expiresAt }),
    ...(typeof refreshToken === 'string' && { refreshToken }),
  }
}
