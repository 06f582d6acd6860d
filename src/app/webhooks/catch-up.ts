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

/** A delivery may be listed a while after it failed, so each look goes back over the end of the one before. */
const overlapMs = 600_000

/** What is missed so far. */
interface CatchUpState {
  /** When the last look at the list began; the first goes back as far as GitHub can send again. */
  lookedAtMs: number | undefined
  readonly missing: Map<string, { readonly delivery: Delivery; tries: number; dueAtMs: number }>
}

/**
 * Asks GitHub, at once and then from time to time, which webhooks did not arrive, and to send those again that we would act on:
 * by itself it never does. What was missed while the server was away comes in this way.
 */
export function startCatchUp(context: AppContext, times: CatchUpTimes = usualCatchUpTimes): () => Promise<void> {
  const { log } = context
  const stopping = new AbortController()
  const state: CatchUpState = { lookedAtMs: undefined, missing: new Map() }
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      await catchUp(context, state, times).catch((error: unknown) => {
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

async function catchUp(context: AppContext, state: CatchUpState, { spacingMs }: CatchUpTimes): Promise<void> {
  const { github, store, log, now } = context
  if (!github.app) return
  const { client } = github.app
  const { missing } = state
  const nowMs = now().getTime()
  const sinceMs = state.lookedAtMs === undefined ? nowMs - keptMs : state.lookedAtMs - overlapMs
  for (const delivery of await listFailedDeliveries(client, new Date(sinceMs).toISOString())) {
    const { deliveryId } = delivery
    if (isHandled(delivery) && !missing.has(deliveryId)) missing.set(deliveryId, { delivery, tries: 0, dueAtMs: 0 })
  }
  state.lookedAtMs = nowMs
  const stillMissing = new Set(await store.deliveries.findMissing([...missing.keys()]))
  for (const [deliveryId, entry] of missing) {
    const isTooOld = Date.parse(entry.delivery.deliveredAt) < nowMs - keptMs
    if (!stillMissing.has(deliveryId) || isTooOld) missing.delete(deliveryId)
    else if (entry.dueAtMs <= nowMs) {
      const waitMs = spacingMs * 2 ** entry.tries
      // Set before as well, for a request that fails.
      entry.dueAtMs = nowMs + waitMs
      entry.tries += 1
      await redeliver(client, entry.delivery)
      entry.dueAtMs = now().getTime() + waitMs
      log.info({ deliveryId, event: entry.delivery.event, attempt: entry.tries }, 'Asked for a webhook again')
    }
  }
}

function isHandled({ event, action }: Delivery): boolean {
  const name = action === undefined ? event : `${event}.${action}`
  return handledNames.some((handled) => handled === name)
}

function describe(error: unknown): object {
  return error instanceof GitHubError ? { reason: error.message } : { err: error }
}
