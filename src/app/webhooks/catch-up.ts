import { setTimeout as sleep } from 'node:timers/promises'
import { GitHubError } from '../../errors.ts'
import { type Delivery, listFailedDeliveries, redeliver } from '../../github/deliveries.ts'
import type { AppContext } from '../app-context.ts'
import { handledNames } from './handlers.ts'

export interface CatchUpTimes {
  /** From one look at the list of deliveries to the next. */
  readonly everyMs: number
  /** The second try of a delivery waits so long after the first, each further one twice as long. */
  readonly spacingMs: number
}

export const usualCatchUpTimes: CatchUpTimes = { everyMs: 300_000, spacingMs: 300_000 }

/** GitHub can send again what is not older; an Enterprise Server keeps seven days. */
const keptMs = 3 * 24 * 3_600_000

/**
 * Asks GitHub, at once and then from time to time, which webhooks did not arrive, and to send those again that we would act on:
 * by itself it never does. What was missed while the server was away comes in this way.
 */
export function startCatchUp(context: AppContext, times: CatchUpTimes = usualCatchUpTimes): () => Promise<void> {
  const { log } = context
  const stopping = new AbortController()
  const tries = new Map<string, { count: number; dueAt: number }>()
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      await catchUp(context, tries, times).catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn(describe(error), 'Cannot catch up with webhooks')
      })
      await sleep(times.everyMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })()
  return async () => {
    stopping.abort()
    // A request under way is ended by the signal of the app's own client.
    await Promise.race([loop, sleep(1_000)])
  }
}

async function catchUp(
  context: AppContext,
  tries: Map<string, { count: number; dueAt: number }>,
  { spacingMs }: CatchUpTimes,
): Promise<void> {
  const { github, store, log, now } = context
  if (!github.app) return
  const nowMs = now().getTime()
  const failed = await listFailedDeliveries(github.app.client, new Date(nowMs - keptMs).toISOString())
  const wanted = failed.filter(isHandled)
  const missing = new Set(await store.deliveries.findMissing(wanted.map(({ deliveryId }) => deliveryId)))
  for (const deliveryId of tries.keys()) if (!missing.has(deliveryId)) tries.delete(deliveryId)
  for (const delivery of wanted) {
    const { deliveryId, event } = delivery
    const before = tries.get(deliveryId)
    if (!missing.has(deliveryId) || (before && before.dueAt > nowMs)) continue
    const count = (before?.count ?? 0) + 1
    tries.set(deliveryId, { count, dueAt: nowMs + spacingMs * 2 ** (count - 1) })
    await redeliver(github.app.client, delivery)
    log.info({ deliveryId, event, attempt: count }, 'Asked for a webhook again')
  }
}

function isHandled({ event, action }: Delivery): boolean {
  const name = action === undefined ? event : `${event}.${action}`
  return handledNames.some((handled) => handled === name)
}

function describe(error: unknown): object {
  return error instanceof GitHubError ? { reason: error.message } : { err: error }
}
