import { isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Project } from '../../status/update-record.ts'
import type { ApiGrant, StoredToken, TokenScope } from '../../store/records/stored-records.ts'
import type { SiteOwner } from '../../store/sites/stored-sites.ts'
import { listChoices } from '../../text/plain/lists.ts'
import type { AppContext } from '../base/app-context.ts'
import type { AppConfig } from '../base/config/app-config.ts'
import { Problem } from './problem-details.ts'
import type { Workflow, WorkflowIdentity } from './workflow-identity.ts'

/** The authenticated sender of a request. */
export type Caller =
  | {
      readonly kind: 'token'
      readonly token: StoredToken & { readonly grant: ApiGrant }
      /** Identifies the caller for the rate limit. */
      readonly key: string
    }
  | { readonly kind: 'workflow'; readonly workflow: Workflow; readonly key: string }

/** Authenticates each request and applies the rate limits before its body is read. */
export function requireCaller(server: FastifyInstance, authenticate: Authenticate, limits: RateLimits): void {
  server.decorateRequest('caller', undefined)
  server.addHook('onRequest', async (request) => {
    limits.countAddress(request)
    const caller = await authenticate(request)
    limits.countCaller(caller)
    request.setDecorator('caller', caller)
  })
}

/** The caller that `requireCaller` authenticated. */
export function getCaller(request: FastifyRequest): Caller {
  const caller = request.getDecorator<Caller | undefined>('caller')
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
export type Authenticate = (request: FastifyRequest) => Promise<Caller>

export function createAuthenticate({ store }: AppContext, workflows: WorkflowIdentity): Authenticate {
  return async (request) => {
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
    const check = await workflows.check(text)
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

/** Whose pages of a site a caller reads. `undefined` if it cannot see the project, and reads what everyone reads. */
export function findCallerAudience(caller: Caller, { projectId: id, repositoryId, audiences }: SiteOwner) {
  if (!canSeeProject(caller, { id, repositoryId })) return undefined
  return { audience: audiences.find(({ name }) => caller.kind === 'token' && name === caller.token.audience) }
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

/** @throws {Problem} `unprocessable` if updates are off for the project. */
export function requireUpdates({ enabled }: Project): void {
  if (enabled) return
  throw new Problem(
    'unprocessable',
    'Updates are off for this project. Turn them on with `openapi-pages-app project set --enable`',
  )
}

export type RateLimits = ReturnType<typeof createRateLimits>

/**
 * Fixed windows of one minute: one per IP address, counted before authentication, and one per token. IPv6 addresses are grouped by /64.
 *
 * All methods throw the `Problem` `rate-limited`.
 */
export function createRateLimits(counters: RequestCounters, config: AppConfig) {
  const { addressRequestsPerMinute, tokenRequestsPerMinute, playgroundRelayPerMinute } = config
  const count = (key: string, max: number, who: string) => {
    const waitMs = counters.count(key, max)
    if (waitMs > 0) throw toExceeded(max, who, waitMs)
  }
  return {
    countAddress: ({ ip }: FastifyRequest) => count(`address ${toNetwork(ip)}`, addressRequestsPerMinute, 'this IP address'),
    /** Counts questions about certificates apart, because a proxy asks from one address for all visitors. */
    countCertificate: ({ ip }: FastifyRequest) =>
      count(`certificate ${toNetwork(ip)}`, addressRequestsPerMinute, 'this IP address'),
    countCaller: ({ key }: Caller) => count(`caller ${key}`, tokenRequestsPerMinute, 'this token'),
    /** Counts a relayed request of the playground: for its signed-in reader, else for its IP address. */
    countRelay({ ip }: FastifyRequest, userId: number | undefined) {
      if (userId === undefined) count(`relay ${toNetwork(ip)}`, playgroundRelayPerMinute, 'this IP address')
      else count(`relay user ${userId}`, playgroundRelayPerMinute, 'your account')
    },
  }
}

function toExceeded(max: number, who: string, waitMs: number): Problem {
  const seconds = Math.ceil(waitMs / 1000)
  return new Problem(
    'rate-limited',
    `More than ${max} ${max === 1 ? 'request' : 'requests'} per minute from ${who}. Try again in ${seconds} s`,
    { headers: { 'Retry-After': String(seconds) } },
  )
}

/** Groups IPv6 addresses by /64, the usual size of a customer network. */
export function toNetwork(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length
  return [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...(tail ?? '').split(':')].slice(0, 4).join(':')
}

const windowMs = 60_000

/** Beyond this number, the least recently seen callers are forgotten. */
const maxCallers = 50_000

interface Window {
  requests: number
  readonly endsAt: number
}

/** Counts requests in the memory of this process, in windows of one minute that begin with the first request of a caller. */
export class RequestCounters {
  readonly #now: () => number
  readonly #windows = new Map<string, Window>()

  /** @param now Milliseconds of a monotonic clock: callers would be blocked for hours if the system's clock were set back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * Counts a request. Does not wait, because it runs for every request.
   *
   * @param key Identifies the caller and what is counted.
   * @param max The limit.
   * @returns 0 if the request is within the limit, otherwise the milliseconds until the caller's window ends.
   */
  count(key: string, max: number): number {
    const now = this.#now()
    const known = this.#windows.get(key)
    const window = known && now < known.endsAt ? known : { requests: 0, endsAt: now + windowMs }
    window.requests += 1
    this.#windows.delete(key)
    this.#windows.set(key, window)
    for (const oldest of this.#windows.keys()) {
      if (this.#windows.size <= maxCallers) break
      this.#windows.delete(oldest)
    }
    return window.requests > max ? Math.ceil(window.endsAt - now) : 0
  }
}
