import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { listChoices } from '../../source/list-choices.ts'
import type { Project } from '../../status/types.ts'
import type { StoredToken, TokenScope } from '../../store/token-store.ts'
import type { AppConfig } from '../app-config.ts'
import type { AppContext } from '../app-context.ts'
import { Problem } from './problem-details.ts'
import type { Workflow } from './workflow-identity.ts'

/** The authenticated sender of a request. */
export type Caller =
  | { readonly kind: 'token'; readonly token: StoredToken /** Identifies the caller for the rate limit. */; readonly key: string }
  | { readonly kind: 'workflow'; readonly workflow: Workflow; readonly key: string }

const callers = new WeakMap<FastifyRequest, Caller>()

/** Authenticates each request and applies the rate limits before its body is read. */
export function requireCaller(server: FastifyInstance, context: AppContext, limits: RateLimits): void {
  server.addHook('onRequest', async (request) => {
    await limits.countAddress(request)
    const caller = await authenticate(context, request)
    await limits.countCaller(request, caller)
    callers.set(request, caller)
  })
}

/** The caller that `requireCaller` authenticated. */
export function getCaller(request: FastifyRequest): Caller {
  const caller = callers.get(request)
  if (!caller) throw new Error('Unexpected route without `requireCaller`')
  return caller
}

/** Adding `error` to this challenge makes clients request a new token (RFC 6750, section 3). */
const challenge = 'Bearer realm="openapi-pages"'

/**
 * Authenticates a request by an API token or a workflow's OIDC token.
 *
 * @throws {Problem} `unauthorized` for every invalid token, without the reason; `unavailable` if the issuer's keys cannot be fetched.
 */
export async function authenticate({ store, workflowIdentity }: AppContext, request: FastifyRequest): Promise<Caller> {
  const text = /^Bearer +([\w.~+/-]{1,8192}=*)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (text === undefined) {
    throw new Problem('unauthorized', 'Send `Authorization: Bearer <token>`', { headers: { 'WWW-Authenticate': challenge } })
  }
  if (text.startsWith('opk_')) {
    const check = await store.tokens.check(text)
    if (check.kind === 'valid') return { kind: 'token', token: check.token, key: check.token.id }
    throw rejectToken(request, check.kind)
  }
  if (text.split('.').length !== 3) throw rejectToken(request, 'neither an API token nor a JWT')
  const check = await workflowIdentity.check(text)
  switch (check.kind) {
    case 'valid':
      return { kind: 'workflow', workflow: check.workflow, key: `repository:${check.workflow.repositoryId}` }
    case 'invalid':
      throw rejectToken(request, check.reason)
    case 'unavailable':
      request.log.warn({ reason: check.reason }, 'Cannot check a workflow token')
      throw new Problem('unavailable', 'Cannot fetch the signing keys of the token issuer. Try again later', {
        headers: { 'Retry-After': '10' },
      })
  }
}

function rejectToken(request: FastifyRequest, reason: string): Problem {
  request.log.warn({ reason, address: request.ip }, 'Rejected a token')
  return new Problem('unauthorized', 'The token is invalid, expired or revoked', {
    headers: { 'WWW-Authenticate': `${challenge}, error="invalid_token"` },
  })
}

/** Callers that cannot see a project get the same response as for a project that does not exist. */
export function canSeeProject(caller: Caller, project: Pick<Project, 'id' | 'repositoryId'>): boolean {
  if (caller.kind === 'workflow') return caller.workflow.repositoryId === project.repositoryId
  const { grant } = caller.token
  return grant.scope === 'admin' || grant.projectId === project.id
}

/**
 * Checks the scope of an API token. Workflow tokens have no scope.
 *
 * @throws {Problem} `forbidden`.
 */
export function requireScope(caller: Caller, ...scopes: readonly TokenScope[]): void {
  if (caller.kind === 'token' && !scopes.includes(caller.token.grant.scope)) {
    throw new Problem(
      'forbidden',
      `This request requires a token with scope ${listChoices(scopes)}, but this token has scope \`${caller.token.grant.scope}\``,
      {
        headers: { 'WWW-Authenticate': `${challenge}, error="insufficient_scope"` },
      },
    )
  }
}

/**
 * Finds a project by the ID in the URL.
 *
 * @throws {Problem} `not-found` if the project does not exist or the caller cannot see it.
 */
export async function findProjectForCaller({ store }: AppContext, caller: Caller, projectId: string): Promise<Project> {
  const project = await store.projects.find(projectId)
  if (!project || !canSeeProject(caller, project)) throw new Problem('not-found')
  return project
}

/** Fixed windows of one minute: one per IP address, counted before authentication, and one per token. */
export interface RateLimits {
  /** @throws {Problem} `rate-limited`. */
  countAddress(request: FastifyRequest): Promise<void>
  /** @throws {Problem} `rate-limited`. */
  countCaller(request: FastifyRequest, caller: Caller): Promise<void>
  /**
   * Counts questions about certificates apart, because a proxy asks from one address for all visitors.
   *
   * @throws {Problem} `rate-limited`.
   */
  countCertificate(request: FastifyRequest): Promise<void>
  /** Counts a relayed request of the playground: for its signed-in reader, else for its IP address. @throws {Problem} `rate-limited`. */
  countRelay(request: FastifyRequest, userId: number | undefined): Promise<void>
}

/** Counts in memory, so a restart resets the limits. IPv6 addresses are grouped by /64. */
export async function registerRateLimits(server: FastifyInstance, config: AppConfig): Promise<RateLimits> {
  await server.register(rateLimit, { global: false, timeWindow: 60_000, store: RateLimitCounters })
  const callers = new WeakMap<FastifyRequest, Caller>()
  const byAddress = server.createRateLimit({ max: config.addressRequestsPerMinute, timeWindow: 60_000 })
  const byAsker = server.createRateLimit({ max: config.addressRequestsPerMinute, timeWindow: 60_000 })
  const byCaller = server.createRateLimit({
    max: config.tokenRequestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => callers.get(request)?.key ?? '',
  })
  const relay = { max: config.playgroundRelayPerMinute, timeWindow: 60_000 }
  const readers = new WeakMap<FastifyRequest, number>()
  const relayByAddress = server.createRateLimit(relay)
  const relayByReader = server.createRateLimit({ ...relay, keyGenerator: (request) => String(readers.get(request)) })
  return {
    async countAddress(request) {
      rejectExceeded(await byAddress(request), 'this IP address')
    },
    async countCertificate(request) {
      rejectExceeded(await byAsker(request), 'this IP address')
    },
    async countCaller(request, caller) {
      callers.set(request, caller)
      rejectExceeded(await byCaller(request), 'this token')
    },
    async countRelay(request, userId) {
      if (userId === undefined) return rejectExceeded(await relayByAddress(request), 'this IP address')
      readers.set(request, userId)
      rejectExceeded(await relayByReader(request), 'your account')
    },
  }
}

/** Beyond this number, the least recently seen callers are forgotten. */
const maxCounters = 20_000

/** Uses the monotonic clock. The plugin's own store would block callers for hours if the system clock were set back. */
class RateLimitCounters implements FastifyRateLimitStore {
  readonly #counts = new Map<string, { current: number; readonly until: number }>()

  incr(key: string, done: (error: Error | null, result: { current: number; ttl: number }) => void, windowMs: number): void {
    const now = performance.now()
    const known = this.#counts.get(key)
    const count = known && now < known.until ? known : { current: 0, until: now + windowMs }
    count.current += 1
    this.#counts.delete(key)
    this.#counts.set(key, count)
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= maxCounters) break
      this.#counts.delete(oldest)
    }
    done(null, { current: count.current, ttl: Math.ceil(count.until - now) })
  }

  child(): RateLimitCounters {
    return new RateLimitCounters()
  }
}

type Count = Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>

function rejectExceeded(count: Count, who: string): void {
  if (count.isAllowed || !count.isExceeded) return
  const seconds = Math.max(1, count.ttlInSeconds)
  throw new Problem(
    'rate-limited',
    `More than ${count.max} ${count.max === 1 ? 'request' : 'requests'} per minute from ${who}. Try again in ${seconds} s`,
    {
      headers: { 'Retry-After': String(seconds) },
    },
  )
}
