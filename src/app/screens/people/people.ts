import { hkdfSync, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CompactEncrypt, compactDecrypt, errors } from 'jose'
import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import {
  type AccessLevel,
  accessLevels,
  createUserClient,
  type GitHubUser,
  listUserInstallations,
  listUserRepositories,
  listUserTeams,
  type OAuthClient,
  readUser,
  refreshTokens,
  revokeToken,
  type UserTokens,
} from '../../../github/apps/users.ts'
import type { GitHubClient, RequestPace } from '../../../github/requests/github-client.ts'
import type { Project } from '../../../status/update-record.ts'
import { maxGroupsAgeMs, type StoredSession } from '../../../store/records/stored-records.ts'
import { GitHubError } from '../../../text/errors.ts'
import { type AppContext, runExclusively } from '../../base/app-context.ts'
import { hostCookie } from '../../http/browser-requests.ts'
import { Problem } from '../../http/problem-details.ts'
import { IssuerError } from './issuer-groups.ts'
import { IssuerClient, type SignedInUser } from './issuers.ts'

/** A signed-in user, looked up for each request. */
export interface Person {
  readonly sessionId: string
  readonly userId: number
  readonly login: string
  /** See `StoredSession`. */
  readonly issuer: string
  /**
   * Reads what the user may access on GitHub. Users of other issuers have access to nothing.
   *
   * @throws {Problem} `unavailable` if GitHub is unreachable; {SignedOut} if the session has ended.
   */
  access(): Promise<Access>
  /**
   * Reads the groups of the user, as the issuer gave them at most 15 minutes ago.
   *
   * @throws {Problem} `unavailable` if the issuer is unreachable; {SignedOut} if the session has ended.
   */
  groups(): Promise<CheckedGroups>
}

export interface CheckedGroups {
  readonly groups: readonly string[]
  /** ISO 8601. */
  readonly checkedAt: string
}

/** The session is missing or has ended: the user must sign in. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut'
  /** The issuer that may sign the user in again without asking. */
  readonly issuer: string | undefined

  constructor(message: string, { issuer, ...options }: ErrorOptions & { readonly issuer?: string } = {}) {
    super(message, options)
    this.issuer = issuer
  }
}

/** The lifetime of a session, regardless of activity. */
const sessionSeconds = 30 * 24 * 3600
/** A token that expires within this time is renewed before use. */
const renewBeforeMs = 60_000

/** The sessions of signed-in users on the host of the app. */
export class People {
  readonly #context: AppContext
  readonly #pace: Partial<RequestPace>
  /** Concurrent requests share one lookup. */
  readonly #access = new LRUCache<string, { readonly access: Promise<Access>; readonly until: number }>({ max: 2_000 })

  /** @param pace Limits on requests to GitHub. */
  constructor(context: AppContext, pace: Partial<RequestPace> = {}) {
    this.#context = context
    this.#pace = pace
  }

  /** Whether users can sign in, or what is missing. */
  get state(): 'open' | 'no-app' | 'no-client' {
    const { credentials } = this.#context.github
    return credentials?.oauth ? 'open' : credentials ? 'no-client' : 'no-app'
  }

  /** @throws {Problem} `unavailable` if the server has no client ID and secret. */
  oauth(): OAuthClient {
    const { github, config } = this.#context
    const { oauth } = github.credentials ?? {}
    if (!oauth) throw new Problem('unavailable', 'Sign-in is not set up: the server has no client ID of its GitHub App')
    return { githubUrl: config.githubUrl, ...oauth }
  }

  /** The client of a user. */
  connect({ accessToken }: UserTokens): GitHubClient {
    return createUserClient({ accessToken, apiUrl: this.#context.config.githubApiUrl, pace: this.#pace })
  }

  /** The user who sent a request; `undefined` if not signed in. */
  async find(request: FastifyRequest): Promise<Person | undefined> {
    const secret = this.#cookie().read(request)
    const session = secret === undefined ? undefined : await this.#context.store.sessions.find(secret)
    if (secret === undefined || !session) return undefined
    return {
      sessionId: session.id,
      userId: session.userId,
      login: session.login,
      issuer: session.issuer,
      access: async () => (session.issuer === 'github' ? await this.#readAccess(secret, session) : nothing),
      // A refresh token may work only once, so one request at a time uses it.
      groups: () =>
        runExclusively(this.#context.store, `session ${session.id}`, async () => {
          const current = await this.#context.store.sessions.find(secret)
          if (!current) throw new SignedOut('The session has ended')
          return await this.#readGroups(secret, current)
        }),
    }
  }

  /** The client of an issuer in the settings. @throws {IssuerError} The operator may have removed it. */
  issuer(name: string): IssuerClient {
    const issuer = this.#context.config.oidcIssuers?.find((one) => one.name === name)
    if (!issuer) throw new IssuerError('refused', `The settings have no issuer \`${name}\``)
    return new IssuerClient(this.#context, issuer)
  }

  /** Starts a session and ends any earlier one of the browser. */
  async signIn(request: FastifyRequest, reply: FastifyReply, { tokens, ...user }: SignedInUser): Promise<void> {
    const { store, now } = this.#context
    const before = await this.find(request)
    if (before) await store.sessions.end(before.sessionId)
    const secret = randomBytes(32).toString('base64url')
    await store.sessions.create(secret, {
      ...user,
      // The teams of a user of GitHub are read when a site needs them.
      ...(user.issuer !== 'github' && { checkedAt: now().toISOString() }),
      sealedTokens: await sealTokens(secret, tokens),
      expiresAt: new Date(now().getTime() + sessionSeconds * 1000).toISOString(),
    })
    reply.header('Set-Cookie', this.#cookie().line(secret, sessionSeconds))
  }

  /** Ends the session, then revokes its token at GitHub if GitHub is reachable. */
  async signOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const cookie = this.#cookie()
    reply.header('Set-Cookie', cookie.endLine)
    const secret = cookie.read(request)
    const session = secret === undefined ? undefined : await this.#context.store.sessions.find(secret)
    if (secret === undefined || !session) return
    await this.#context.store.sessions.end(session.id)
    this.#access.delete(session.id)
    const tokens = await unsealTokens(secret, session.sealedTokens)
    if (!tokens || this.state !== 'open' || session.issuer !== 'github') return
    const { accessToken } = tokens
    await revokeToken(this.oauth(), { apiUrl: this.#context.config.githubApiUrl, accessToken }).catch((error: unknown) => {
      if (!(error instanceof GitHubError)) throw error
      request.log.warn({ reason: error.message }, 'Cannot revoke a token at GitHub')
    })
  }

  #cookie() {
    return hostCookie('openapi-pages-session', this.#context.urls.base())
  }

  async #readAccess(secret: string, session: StoredSession): Promise<Access> {
    const time = this.#context.now().getTime()
    const known = this.#access.get(session.id)
    // Setting the clock back must not extend an entry.
    if (known && time < known.until && time >= known.until - cacheMs) return await known.access
    const access = this.#ask(session, async () =>
      readAccess(this.connect(await this.#readTokens(secret, session)), session, this.#context),
    )
    this.#access.set(session.id, { access, until: time + cacheMs })
    access.catch(() => this.#access.delete(session.id))
    return await access
  }

  async #readGroups(secret: string, session: StoredSession): Promise<CheckedGroups> {
    const { store, now } = this.#context
    const { groups, checkedAt } = session
    if (checkedAt !== undefined && now().getTime() < Date.parse(checkedAt) + maxGroupsAgeMs) return { groups, checkedAt }
    const read = session.issuer === 'github' ? await this.#listTeams(secret, session) : await this.#checkAgain(secret, session)
    return { groups: read, checkedAt: await store.sessions.recordGroups(session, read) }
  }

  async #listTeams(secret: string, session: StoredSession): Promise<readonly string[]> {
    return await this.#ask(session, async () => {
      try {
        return await listUserTeams(this.connect(await this.#readTokens(secret, session)))
      } catch (error) {
        if (!(error instanceof GitHubError) || error.failure !== 'forbidden') throw error
        this.#context.log.warn(
          { reason: error.message },
          'Teams are no groups: the GitHub App lacks the permission `members: read`',
        )
        return []
      }
    })
  }

  async #checkAgain(secret: string, session: StoredSession): Promise<readonly string[]> {
    return await this.#ask(session, async () => {
      const before = await unsealTokens(secret, session.sealedTokens)
      if (!before) throw new IssuerError('refused', 'The tokens of this session cannot be decrypted')
      const { groups, tokens } = await this.issuer(session.issuer).checkAgain(session, before)
      await this.#context.store.sessions.replaceTokens(session, await sealTokens(secret, tokens))
      return groups
    })
  }

  /** Asks the issuer of a session. The sign-in page redirects users with a session, which would loop, so a refusal ends it. */
  async #ask<Answer>(session: StoredSession, ask: () => Promise<Answer>): Promise<Answer> {
    const { id, issuer, login } = session
    try {
      return await ask()
    } catch (error) {
      const isUnreachable = error instanceof IssuerError && error.failure === 'unreachable'
      const isRejected =
        error instanceof GitHubError ? error.failure === 'unauthorized' : error instanceof IssuerError && !isUnreachable
      if (error instanceof SignedOut || isRejected) await this.#context.store.sessions.end(id)
      const silently = issuer === 'github' ? {} : { issuer }
      if (isRejected) throw new SignedOut('The issuer no longer accepts this session', { cause: error, ...silently })
      if (!(error instanceof GitHubError) && !isUnreachable) throw error
      this.#context.log.warn({ reason: error.message, issuer, login }, 'Cannot read the access of a user')
      const name = issuer === 'github' ? 'GitHub' : issuer
      throw new Problem('unavailable', `${name} is unreachable, so your access cannot be verified`, {
        headers: { 'Retry-After': '10' },
      })
    }
  }

  /** Reads tokens and renews them before they expire, one request at a time, because a renewal works only once. */
  async #readTokens(secret: string, session: StoredSession): Promise<UserTokens> {
    const tokens = await unsealTokens(secret, session.sealedTokens)
    if (!tokens) throw new SignedOut('The tokens of this session cannot be decrypted')
    const { expiresAt, refreshToken } = tokens
    const { store } = this.#context
    if (expiresAt === undefined || Date.parse(expiresAt) - this.#context.now().getTime() > renewBeforeMs) return tokens
    if (refreshToken === undefined) throw new SignedOut('The token of this session has expired')
    return await runExclusively(store, `tokens ${session.id}`, async () => {
      const current = await store.sessions.find(secret)
      const isRenewed = current !== undefined && current.sealedTokens !== session.sealedTokens
      const renewed = isRenewed ? await unsealTokens(secret, current.sealedTokens) : undefined
      // Another request was first.
      if (renewed) return renewed
      const given = await refreshTokens(this.oauth(), refreshToken)
      await store.sessions.replaceTokens(session, await sealTokens(secret, given))
      return given
    })
  }
}

/** What a user may read and do, as GitHub answered at most a minute ago. */
export interface Access {
  /** The access level by GitHub's repository ID. */
  readonly levels: ReadonlyMap<number, AccessLevel>
  /** The installations that the user can access. */
  readonly installations: ReadonlySet<number>
  /** Whether the settings of the server name the user, who may read what the whole server does. */
  readonly isOperator: boolean
}

const nothing: Access = { levels: new Map(), installations: new Set(), isOperator: false }

/** Whether the user has at least the wanted access to a project. */
export function mayDo({ levels }: Access, { repositoryId }: Pick<Project, 'repositoryId'>, wanted: AccessLevel): boolean {
  const given = levels.get(repositoryId)
  return given !== undefined && accessLevels.indexOf(given) >= accessLevels.indexOf(wanted)
}

/** Whether the user administers a repository or operates the server. */
export function isAdministrator({ levels, isOperator }: Access): boolean {
  return isOperator || [...levels.values()].includes('admin')
}

/** Revoked access takes effect after at most this time. */
const cacheMs = 60_000

/** Lists only the repositories of installations with a project on this server. */
async function readAccess(client: GitHubClient, session: StoredSession, { store, config }: AppContext): Promise<Access> {
  const isListed = ({ id, login }: GitHubUser) =>
    config.operators?.some((name) => name === login.toLowerCase() || name === `id:${id}`) === true
  // Logins can change hands during a session.
  const isOperator = isListed({ id: session.userId, login: session.login }) && isListed(await readUser(client))
  const [installations, projects, deleted] = await Promise.all([
    listUserInstallations(client),
    store.projects.list(),
    store.projects.listDeleted(),
  ])
  const known = new Set([...projects, ...deleted].map(({ installationId }) => installationId))
  const lists = await Promise.all(
    installations.filter((id) => known.has(id)).map((installationId) => listUserRepositories(client, installationId)),
  )
  return { levels: new Map(lists.flat()), installations: new Set(installations), isOperator }
}

const encryption = { alg: 'dir', enc: 'A256GCM' } as const

/**
 * Encrypts the tokens of a session (JWE, RFC 7516, AES-256-GCM). The store holds the result and the browser holds the secret, so
 * neither can use the tokens alone.
 *
 * @param secret At least 256 random bits, encoded as a string.
 */
export async function sealTokens(secret: string, tokens: UserTokens): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(tokens))
  return await new CompactEncrypt(bytes).setProtectedHeader(encryption).encrypt(toKey(secret))
}

const SealedTokens = Type.Object({
  accessToken: Type.String(),
  expiresAt: Type.Optional(Type.String()),
  refreshToken: Type.Optional(Type.String()),
})

/** Decrypts tokens. Returns `undefined` for another secret, another format or damaged data. */
export async function unsealTokens(secret: string, sealed: string): Promise<UserTokens | undefined> {
  try {
    const allowed = { keyManagementAlgorithms: [encryption.alg], contentEncryptionAlgorithms: [encryption.enc] }
    const { plaintext } = await compactDecrypt(sealed, toKey(secret), allowed)
    const tokens: unknown = JSON.parse(new TextDecoder().decode(plaintext))
    return Check(SealedTokens, tokens) ? tokens : undefined
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

function toKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'openapi-pages:session', 32))
}
