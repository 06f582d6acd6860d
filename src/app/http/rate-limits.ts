import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppConfig } from '../config.ts'
import type { Caller } from './authenticate.ts'
import { Problem } from './problems.ts'

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
