import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Project } from '../../status/types.ts'
import type { StoredToken, TokenScope } from '../../store/token-store.ts'
import type { AppConfig } from '../app-config.ts'
import type { AppContext } from '../app-context.ts'
import { Problem } from './problem-details.ts'
import type { Workflow } from './workflow-identity.ts'

/** Who makes a call. */
export type Caller =
  | { readonly kind: 'token'; readonly token: StoredToken /** For the rate limit and the log. */; readonly key: string }
  | { readonly kind: 'workflow'; readonly workflow: Workflow; readonly key: string }

const callers = new WeakMap<FastifyRequest, Caller>()

/** Lets only known callers through, counted by address and by token, before a byte of the body is read. */
export function requireCaller(server: FastifyInstance, context: AppContext, limits: RateLimits): void {
  server.addHook('onRequest', async (request) => {
    await limits.countAddress(request)
    const caller = await authenticate(context, request)
    await limits.countCaller(request, caller)
    callers.set(request, caller)
  })
}

/** Who makes a call that `requireCaller` let through. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request)
  if (!caller) throw new Error('Unexpected route without `requireCaller`')
  return caller
}

/** One realm for every route; the added `error` makes a client get a new token (RFC 6750, section 3). */
const challenge = 'Bearer realm="openapi-pages"'

/**
 * Tells who makes a call, by an API token or by a workflow's OIDC token.
 *
 * @throws {Problem} `unauthorized`, the same for an unknown, expired or revoked token; `unavailable` when GitHub's keys cannot be had.
 */
export async function authenticate({ store, workflowIdentity }: AppContext, request: FastifyRequest): Promise<Caller> {
  const text = /^Bearer +([\w.~+/-]{1,8192}=*)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (text === undefined) {
    throw new Problem('unauthorized', 'Send `Authorization: Bearer <token>`', { headers: { 'WWW-Authenticate': challenge } })
  }
  if (text.startsWith('opk_')) {
    const check = await store.tokens.check(text)
    if (check.kind === 'valid') return { kind: 'token', token: check.token, key: check.token.id }
    throw refuse(request, check.kind)
  }
  if (text.split('.').length !== 3) throw refuse(request, 'neither an API token nor a JWT')
  const check = await workflowIdentity.check(text)
  switch (check.kind) {
    case 'valid':
      return { kind: 'workflow', workflow: check.workflow, key: `repository:${check.workflow.repositoryId}` }
    case 'invalid':
      throw refuse(request, check.reason)
    case 'unavailable':
      request.log.warn({ reason: check.reason }, 'Cannot check a workflow token')
      throw new Problem('unavailable', 'The keys of the token’s issuer cannot be fetched now', {
        headers: { 'Retry-After': '10' },
      })
  }
}

function refuse(request: FastifyRequest, reason: string): Problem {
  request.log.warn({ reason, address: request.ip }, 'Refused a token')
  return new Problem('unauthorized', 'The token is not valid', {
    headers: { 'WWW-Authenticate': `${challenge}, error="invalid_token"` },
  })
}

/** Whether the caller may know that a project exists. Who may not gets the answer of a project that does not. */
export function mayKnow(caller: Caller, project: Pick<Project, 'id' | 'repositoryId'>): boolean {
  if (caller.kind === 'workflow') return caller.workflow.repositoryId === project.repositoryId
  const { grant } = caller.token
  return grant.scope === 'admin' || grant.projectId === project.id
}

/**
 * Holds a caller that may know of the project to what its token is for.
 *
 * @throws {Problem} `forbidden`.
 */
export function requireScope(caller: Caller, ...scopes: readonly TokenScope[]): void {
  if (caller.kind === 'token' && !scopes.includes(caller.token.grant.scope)) {
    throw new Problem(
      'forbidden',
      `A token of scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')} is needed, this one is \`${caller.token.grant.scope}\``,
      {
        headers: { 'WWW-Authenticate': `${challenge}, error="insufficient_scope"` },
      },
    )
  }
}

/**
 * The project of an id in an address.
 *
 * @throws {Problem} `not-found`, the same for one that does not exist and one that is not the caller's.
 */
export async function findProjectForCaller({ store }: AppContext, caller: Caller, projectId: string): Promise<Project> {
  const project = await store.projects.find(projectId)
  if (!project || !mayKnow(caller, project)) throw new Problem('not-found')
  return project
}

/** Two fixed windows of a minute: one for each address, asked before anything else is done, and one for each token. */
export interface RateLimits {
  /** @throws {Problem} `rate-limited`. */
  countAddress(request: FastifyRequest): Promise<void>
  /** @throws {Problem} `rate-limited`. */
  countCaller(request: FastifyRequest, caller: Caller): Promise<void>
}

/** Counts in memory: a restart forgives. IPv6 addresses count by their /64. */
export async function registerRateLimits(server: FastifyInstance, config: AppConfig): Promise<RateLimits> {
  await server.register(rateLimit, { global: false, timeWindow: 60_000, store: Windows })
  const callers = new WeakMap<FastifyRequest, Caller>()
  const byAddress = server.createRateLimit({ max: config.addressRequestsPerMinute, timeWindow: 60_000 })
  const byCaller = server.createRateLimit({
    max: config.tokenRequestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => callers.get(request)?.key ?? '',
  })
  return {
    async countAddress(request) {
      refuseOver(await byAddress(request), 'this address')
    },
    async countCaller(request, caller) {
      callers.set(request, caller)
      refuseOver(await byCaller(request), 'this token')
    },
  }
}

/** Most callers that are counted; beyond, those that have not called for longest start again. */
const mostCounted = 20_000

/** Counts by the monotonic clock: with the plugin's own counts, a clock that is set back by hours would block a caller for hours. */
class Windows implements FastifyRateLimitStore {
  readonly #counts = new Map<string, { current: number; readonly until: number }>()

  incr(key: string, done: (error: Error | null, result: { current: number; ttl: number }) => void, windowMs: number): void {
    const now = performance.now()
    const known = this.#counts.get(key)
    const count = known && now < known.until ? known : { current: 0, until: now + windowMs }
    count.current += 1
    this.#counts.delete(key)
    this.#counts.set(key, count)
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= mostCounted) break
      this.#counts.delete(oldest)
    }
    done(null, { current: count.current, ttl: Math.ceil(count.until - now) })
  }

  child(): Windows {
    return new Windows()
  }
}

type Count = Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>

function refuseOver(count: Count, who: string): void {
  if (count.isAllowed || !count.isExceeded) return
  const seconds = Math.max(1, count.ttlInSeconds)
  throw new Problem('rate-limited', `Over ${count.max} calls a minute by ${who}: wait ${seconds} s`, {
    headers: { 'Retry-After': String(seconds) },
  })
}
