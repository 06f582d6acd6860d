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

/** GitHub gives up after 10 s. */
const answerWithinMs = 8_000

type WebhookRequest = FastifyRequest<{ Body: string }>

/** The part of the app that receives webhooks. It verifies and stores them before it responds; all other work happens later. */
export function createWebhooksPart(
  times: CatchUpTimes = defaultCatchUpTimes,
): (context: AppContext, tools: { readonly metrics: Metrics }) => AppPart {
  return (context, { metrics }) => {
    let receive: Receive | undefined
    let secret: string | undefined
    const bodies = new UnverifiedBodies()
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
          const options = { bodyLimit, onRequest }
          webhooks.post(webhookPath, options, async (request: WebhookRequest, reply) => {
            const { event, id, signature } = readHeaders(request)
            if (!receive) throw new Problem('unavailable', undefined, { headers: { 'Retry-After': '60' } })
            const deliver = receive
            const work = () =>
              runForOrigin({ ...currentOrigin(), deliveryId: id }, () =>
                deliver({ event, id, signature, body: request.body ?? '' }),
              )
            const outcome = await withTimeout(work(), answerWithinMs, tooSlow).catch((error: unknown) => {
              if (toProblem(error).code === 'unavailable') metrics.deliveries.inc({ event: 'other', outcome: 'refused' })
              throw error
            })
            // Unverified requests must not create labels in the metrics.
            const isVerified = outcome === 'accepted' || outcome === 'repeated'
            metrics.deliveries.inc({ event: isVerified ? event : 'other', outcome })
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
