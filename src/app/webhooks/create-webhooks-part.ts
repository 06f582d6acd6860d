import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { Problem } from '../http/problems.ts'
import { webhookPath } from '../setup/manifest.ts'
import type { AppPart } from '../start-app.ts'
import { type CatchUpTimes, startCatchUp } from './catch-up.ts'
import { createReceiver, type Receive } from './create-receiver.ts'

/** GitHub sends no larger payload. */
const bodyLimit = 25 * 1024 * 1024

type WebhookRequest = FastifyRequest<{ Body: string }>

/** The side of the app that receives webhooks: they are verified and written down, and nothing more happens before the answer. */
export function createWebhooksPart(times?: CatchUpTimes): (context: AppContext) => AppPart {
  return (context) => {
    let receive: Receive | undefined
    let stopCatchUp: (() => Promise<void>) | undefined
    return {
      async routes(server) {
        await server.register(async (webhooks) => {
          // The signature is over the bytes as they came, so nothing may parse them before.
          webhooks.removeAllContentTypeParsers()
          webhooks.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
          webhooks.post(webhookPath, { bodyLimit, schema: { hide: true } }, async (request: WebhookRequest, reply) => {
            const { event, id, signature } = readHeaders(request)
            if (!receive) throw new Problem('unavailable', undefined, { headers: { 'Retry-After': '60' } })
            const outcome = await receive({ event, id, signature, body: request.body ?? '' })
            context.metrics.deliveries.inc({ event: toLabel(event, outcome), outcome })
            request.log.info({ deliveryId: id, event, outcome }, 'Webhook')
            if (outcome === 'forged') throw new Problem('unauthorized')
            if (outcome === 'malformed') throw new Problem('invalid-request')
            return reply.code(202).type('application/json; charset=utf-8').send('{}')
          })
        })
      },
      async connect(credentials) {
        receive = await createReceiver(context, credentials)
        stopCatchUp = startCatchUp(context, times)
      },
      async stop() {
        await stopCatchUp?.()
      },
    }
  }
}

function readHeaders({ headers }: WebhookRequest): { event: string; id: string; signature: string } {
  const [event, id] = [headers['x-github-event'], headers['x-github-delivery']]
  if (typeof event !== 'string' || !/^[a-z][a-z0-9_]{0,63}$/.test(event)) throw new Problem('invalid-request')
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) throw new Problem('invalid-request')
  const signature = headers['x-hub-signature-256']
  // Nothing is an empty signature: refused as every wrong one is.
  return { event, id, signature: typeof signature === 'string' ? signature : '' }
}

/** A stranger must not be able to fill the metrics with names of his own. */
function toLabel(event: string, outcome: string): string {
  return outcome === 'accepted' || outcome === 'repeated' ? event : 'other'
}
