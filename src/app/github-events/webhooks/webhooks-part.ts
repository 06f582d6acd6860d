import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { AppContext, AppPart } from '../../base/app-context.ts'
import { webhookPath } from '../../base/manifest.ts'
import type { Metrics } from '../../base/telemetry/metrics.ts'
import { currentOrigin, runForOrigin } from '../../base/telemetry/work-scope.ts'
import { Problem, toProblem } from '../../http/problem-details.ts'
import { withTimeout } from '../../http/waiting.ts'
import { type CatchUpTimes, catchUpPeriodically, defaultCatchUpTimes } from './catch-up.ts'
import { createReceiver, type Receive } from './receiver.ts'
import { isSignature, UnverifiedBodies } from './unverified-bodies.ts'

/** GitHub's own limit for payloads. */
const bodyLimit = 25 * 1024 * 1024

/**
 * GitHub gives up after 10 s. A process that is paused in a transaction blocks the database for 10 s, after which new webhooks are stored in time.
 * No query takes longer than 30 s.
 */
const waitLimits: WaitLimits = { answerWithinMs: 8_000, refuseAfterMs: 12_000, forgetAfterMs: 30_000 }

type WebhookRequest = FastifyRequest<{ Body: string }>

/** The part of the app that receives webhooks. It verifies and stores them before it responds; all other work happens later. */
export function createWebhooksPart(
  times: CatchUpTimes = defaultCatchUpTimes,
): (context: AppContext, tools: { readonly metrics: Metrics }) => AppPart {
  return (context, { metrics }) => {
    let receive: Receive | undefined
    let secret: string | undefined
    const bodies = new UnverifiedBodies()
    const inTime = limitWaits(waitLimits, tooSlow)
    const refuseForged = (): never => {
      metrics.deliveries.inc({ event: 'other', outcome: 'forged' })
      throw new Problem('unauthorized')
    }
    return {
      async routes(server) {
        await server.register(async (webhooks) => {
          // The signature covers the raw bytes, so no other parser may run.
          webhooks.removeAllContentTypeParsers()
          webhooks.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
            const { signature } = readHeaders(request)
            if (!isSignature(signature) || secret === undefined) return refuseForged()
            try {
              return String(await bodies.read(payload, { address: request.ip, limit: bodyLimit, secret, signature }))
            } catch (error) {
              if (error instanceof Problem && error.code === 'unauthorized') return refuseForged()
              throw error
            }
          })
          // Reject requests before reading the body.
          const onRequest = async (request: FastifyRequest) => {
            const { id, signature } = readHeaders(request)
            request.log = request.log.child({ deliveryId: id })
            if (!receive) throw new Problem('unavailable', undefined, { headers: { 'Retry-After': '60' } })
            if (!isSignature(signature)) refuseForged()
            if (Number(request.headers['content-length']) > bodyLimit) throw new Problem('too-large')
          }
          const options = { bodyLimit, onRequest, schema: { hide: true } }
          webhooks.post(webhookPath, options, async (request: WebhookRequest, reply) => {
            const { event, id, signature } = readHeaders(request)
            if (!receive) throw new Problem('unavailable', undefined, { headers: { 'Retry-After': '60' } })
            const deliver = receive
            const work = () =>
              runForOrigin({ ...currentOrigin(), deliveryId: id }, () =>
                deliver({ event, id, signature, body: request.body ?? '' }),
              )
            const outcome = await inTime(work).catch((error: unknown) => {
              if (toProblem(error).code === 'unavailable') metrics.deliveries.inc({ event: 'other', outcome: 'refused' })
              throw error
            })
            metrics.deliveries.inc({ event: toLabel(event, outcome), outcome })
            request.log.info({ event, outcome }, 'Received a webhook')
            if (outcome === 'forged') throw new Problem('unauthorized')
            if (outcome === 'malformed') throw new Problem('invalid-request')
            return reply.code(202).type('application/json; charset=utf-8').send('{}')
          })
        })
      },
      async serve(credentials) {
        receive = await createReceiver(context, credentials)
        secret = credentials.webhookSecret
      },
      lead: (signal) => catchUpPeriodically(context, metrics, signal, times),
    }
  }
}

/** The webhook may still be stored. If it is sent again, it is then a repeated delivery, which changes nothing. */
function tooSlow(): Problem {
  return new Problem('unavailable', 'The database is too slow. Try again later', { headers: { 'Retry-After': '30' } })
}

function readHeaders({ headers }: FastifyRequest): { event: string; id: string; signature: string } {
  const [event, id] = [headers['x-github-event'], headers['x-github-delivery']]
  if (typeof event !== 'string' || !/^[a-z][a-z0-9_]{0,63}$/.test(event)) throw new Problem('invalid-request')
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) throw new Problem('invalid-request')
  const signature = headers['x-hub-signature-256']
  // A missing signature is rejected like a wrong one.
  return { event, id, signature: typeof signature === 'string' ? signature : '' }
}

/** Unverified requests must not create labels in the metrics. */
function toLabel(event: string, outcome: string): string {
  return outcome === 'accepted' || outcome === 'repeated' ? event : 'other'
}

export interface WaitLimits {
  /** Callers wait this long. */
  readonly answerWithinMs: number
  /** While work has run for longer than this, no new work starts. */
  readonly refuseAfterMs: number
  /** Work that has run for even longer no longer prevents new work. Its connection may be lost without notice. */
  readonly forgetAfterMs: number
}

/** Runs work, or rejects instead of letting its caller wait too long. */
type RunWithLimit = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Limits how long callers wait for work that a slow database delays.
 *
 * A caller whose time is over gets `createError()`. Its work goes on, because a running transaction cannot be taken back. If work takes even
 * longer, new work is refused before it starts: it would only make the rest slower.
 *
 * @param now Milliseconds of a monotonic clock.
 */
export function limitWaits(
  { answerWithinMs, refuseAfterMs, forgetAfterMs }: WaitLimits,
  createError: () => Error,
  now: () => number = () => performance.now(),
): RunWithLimit {
  /** Running work, oldest first. */
  const running = new Set<{ readonly startedAt: number }>()
  const mustRefuse = () => {
    const at = now()
    for (const { startedAt } of running) {
      const ranMs = at - startedAt
      if (ranMs < forgetAfterMs) return ranMs >= refuseAfterMs
    }
    return false
  }
  return async (work) => {
    if (mustRefuse()) throw createError()
    const one = { startedAt: now() }
    running.add(one)
    const ended = work().finally(() => running.delete(one))
    return await withTimeout(ended, answerWithinMs, createError)
  }
}
