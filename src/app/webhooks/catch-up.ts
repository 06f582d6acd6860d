import { setTimeout as sleep } from 'node:timers/promises'
import { GitHubError } from '../../errors.ts'
import { type Delivery, readDeliveryPage, redeliver } from '../../github/deliveries.ts'
import { toGitHubServer } from '../../github/github-server.ts'
import type { AppContext } from '../app-context.ts'
import { handledNames } from './handlers.ts'

export interface CatchUpTimes {
  /** From one comparison with the list of deliveries to the next. */
  readonly everyMs: number
  /** The second request for a delivery waits this long after the first, each further one twice as long. */
  readonly spacingMs: number
  /** From one request for a delivery to the next. */
  readonly paceMs: number
  /** Pages of 100 deliveries in one comparison; the next one continues with the rest. */
  readonly pages: number
}

export const usualCatchUpTimes: CatchUpTimes = { everyMs: 300_000, spacingMs: 300_000, paceMs: 1_000, pages: 50 }

/** A delivery may be listed a while after it was made, so each comparison goes back over the end of the one before. */
const overlapMs = 600_000

/** What is missed so far. */
interface CatchUpState {
  /** All deliveries up to then were compared; `undefined` before the first comparison. */
  comparedUntilMs: number | undefined
  /** Where a comparison that has more pages than it may read goes on. */
  rest: { readonly cursor: string; readonly sinceMs: number; readonly startedMs: number } | undefined
  readonly missing: Map<string, { readonly delivery: Delivery; tries: number; dueAtMs: number }>
}

/**
 * Compares the deliveries that GitHub still has with the store, at once and then from time to time, and asks GitHub to send those
 * again that the store does not have. GitHub never does so by itself.
 *
 * Up to when they were compared is kept in the store: after a gap, or in a store restored from a backup, the comparison goes back to then.
 */
export function startCatchUp(context: AppContext, times: CatchUpTimes = usualCatchUpTimes): () => Promise<void> {
  const { log } = context
  const stopping = new AbortController()
  const { signal } = stopping
  const state: CatchUpState = { comparedUntilMs: undefined, rest: undefined, missing: new Map() }
  const loop = (async () => {
    while (!signal.aborted) {
      await catchUp(context, state, times, signal).catch((error: unknown) => {
        if (!signal.aborted) log.warn(describe(error), 'Cannot catch up with webhooks')
      })
      await sleep(state.rest ? times.everyMs / 10 : times.everyMs, undefined, { signal }).catch(() => undefined)
    }
  })()
  return async () => {
    stopping.abort()
    // A request under way is ended by the signal of the app's own client.
    await Promise.race([loop, sleep(1_000)])
  }
}

async function catchUp(context: AppContext, state: CatchUpState, times: CatchUpTimes, signal: AbortSignal): Promise<void> {
  const { github, store, now } = context
  if (!github.app) return
  await compare(context, state, times.pages)
  await requestMissing(context, state, times, signal)
  if (state.comparedUntilMs === undefined) return
  // What did not arrive yet is compared again by a server that starts on this store.
  const oldest = [...state.missing.values()].map(({ delivery }) => Date.parse(delivery.deliveredAt))
  const until = new Date(Math.min(state.comparedUntilMs, now().getTime(), ...oldest))
  await store.notes.write('deliveries-compared-until', until.toISOString())
}

/** Reads the list from its newest entry back to where the last comparison began. @throws {GitHubError} */
async function compare({ github, store, config, now }: AppContext, state: CatchUpState, pages: number): Promise<void> {
  const { client } = github.app ?? {}
  if (!client) return
  const nowMs = now().getTime()
  const keptMs = toGitHubServer(config.githubUrl).deliveryRetentionMs
  const noted = state.comparedUntilMs ?? Date.parse((await store.notes.read('deliveries-compared-until')) ?? '')
  const sinceMs = Math.max(nowMs - keptMs, Number.isNaN(noted) ? 0 : noted - overlapMs)
  const since = state.rest?.sinceMs ?? sinceMs
  const startedMs = state.rest?.startedMs ?? nowMs
  let cursor = state.rest?.cursor
  for (let page = 0; page < pages; page++) {
    const { deliveries, next } = await readDeliveryPage(client, cursor)
    const recent = deliveries.filter(({ deliveredAt }) => Date.parse(deliveredAt) >= since)
    const handled = recent.filter(isHandled)
    const missing = new Set(await store.deliveries.findMissing(handled.map(({ deliveryId }) => deliveryId)))
    for (const delivery of handled) {
      const { deliveryId } = delivery
      if (missing.has(deliveryId) && !state.missing.has(deliveryId))
        state.missing.set(deliveryId, { delivery, tries: 0, dueAtMs: 0 })
    }
    cursor = next
    if (next !== undefined && recent.length === deliveries.length && deliveries.length > 0) {
      state.rest = { cursor: next, sinceMs: since, startedMs }
      continue
    }
    state.rest = undefined
    state.comparedUntilMs = startedMs
    return
  }
}

/** Oldest first, so that pushes arrive in their order as far as they can. @throws {GitHubError} */
async function requestMissing(
  { github, store, log, metrics, config, now }: AppContext,
  { missing }: CatchUpState,
  { spacingMs, paceMs }: CatchUpTimes,
  signal: AbortSignal,
): Promise<void> {
  const { client } = github.app ?? {}
  if (!client || missing.size === 0) return
  const keptMs = toGitHubServer(config.githubUrl).deliveryRetentionMs
  const stillMissing = new Set(await store.deliveries.findMissing([...missing.keys()]))
  const due = []
  for (const [deliveryId, entry] of missing) {
    const isTooOld = Date.parse(entry.delivery.deliveredAt) < now().getTime() - keptMs
    if (!stillMissing.has(deliveryId) || isTooOld) missing.delete(deliveryId)
    else if (entry.dueAtMs <= now().getTime()) due.push(entry)
  }
  due.sort((a, b) => (a.delivery.deliveredAt < b.delivery.deliveredAt ? -1 : 1))
  // Before they are asked for: such a delivery may arrive at once.
  if (due.length > 0) await store.deliveries.await(due.map(({ delivery }) => delivery.deliveryId))
  for (const [index, entry] of due.entries()) {
    if (index > 0) await sleep(paceMs, undefined, { signal })
    const { deliveryId, event } = entry.delivery
    const waitMs = spacingMs * 2 ** entry.tries
    // Set before as well, for a request that fails.
    entry.dueAtMs = now().getTime() + waitMs
    entry.tries += 1
    try {
      await redeliver(client, entry.delivery)
    } catch (error) {
      // GitHub does not have it any more.
      if (!(error instanceof GitHubError) || error.failure !== 'not-found') throw error
      missing.delete(deliveryId)
      log.warn({ deliveryId, event, reason: error.message }, 'A webhook cannot be sent again')
      continue
    }
    entry.dueAtMs = now().getTime() + waitMs
    metrics.redeliveries.inc()
    log.info({ deliveryId, event, attempt: entry.tries }, 'Asked for a webhook again')
  }
}

function isHandled({ event, action }: Delivery): boolean {
  const name = action === undefined ? event : `${event}.${action}`
  return handledNames.some((handled) => handled === name)
}

function describe(error: unknown): object {
  return error instanceof GitHubError ? { reason: error.message } : { err: error }
}
