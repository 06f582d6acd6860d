import { setTimeout as sleep } from 'node:timers/promises'
import { type Delivery, listDeliveries, redeliver } from '../../../github/apps/github-app.ts'
import { type GitHubClient, toGitHubServer } from '../../../github/requests/github-client.ts'
import { GitHubError } from '../../../text/errors.ts'
import type { AppContext } from '../../base/app-context.ts'
import type { Metrics } from '../../base/telemetry/metrics.ts'
import { handledNames } from './handlers.ts'

export const defaultCatchUpTimes = {
  /** Interval between comparisons with the list of deliveries. */
  everyMs: 30_000,
  /** Delay before the second request for a delivery; doubled for each further request, up to `longestMs`. */
  spacingMs: 30_000,
  /** After a long downtime of the processes that receive webhooks, the app must not wait as long again. */
  longestMs: 1_200_000,
  /** Delay between requests for different deliveries. */
  paceMs: 1_000,
}
export type CatchUpTimes = Readonly<typeof defaultCatchUpTimes>

/** GitHub may list a delivery with a delay, so comparisons overlap. */
const overlapMs = 600_000

/** Shortest time until the next look at requested deliveries. */
const lookAgainMs = 100

/** The progress of the comparison. */
interface CatchUpState {
  /** All deliveries up to this time were compared; `undefined` before the first comparison. */
  comparedUntilMs: number | undefined
  readonly missing: Map<string, MissingDelivery>
}

interface MissingDelivery {
  readonly delivery: Delivery
  tries: number
  dueAtMs: number
}

/**
 * Compares GitHub's list of deliveries with the store, at start and periodically. Requests redelivery of missing ones, because GitHub does not
 * retry deliveries itself.
 *
 * The store holds the time of the last comparison. After a gap, or in a store restored from a backup, the comparison starts from that time.
 */
export async function catchUpPeriodically(
  context: AppContext,
  metrics: Metrics,
  signal: AbortSignal,
  times: CatchUpTimes,
): Promise<void> {
  const state: CatchUpState = { comparedUntilMs: undefined, missing: new Map() }
  while (!signal.aborted) {
    await catchUp(context, metrics, state, times, signal).catch((error: unknown) => {
      const fields = error instanceof GitHubError ? { reason: error.message } : { err: error }
      if (!signal.aborted) context.log.warn(fields, 'Cannot catch up with webhooks')
    })
    await sleep(times.everyMs, undefined, { signal }).catch(() => undefined)
  }
}

async function catchUp(
  context: AppContext,
  metrics: Metrics,
  state: CatchUpState,
  times: CatchUpTimes,
  signal: AbortSignal,
): Promise<void> {
  if (!context.github.app) return
  let untilMs = await compare(context, context.github.app.client, state)
  await requestMissing(context, metrics, state, times, signal)
  // After a restart, compare missing deliveries again.
  for (const { delivery } of state.missing.values()) untilMs = Math.min(untilMs, Date.parse(delivery.deliveredAt))
  await context.store.notes.write('deliveries-compared-until', new Date(untilMs).toISOString())
}

/** Reads the list from its newest entry back to the start of the last comparison. Returns when it began. @throws {GitHubError} */
async function compare({ store, config, now }: AppContext, client: GitHubClient, state: CatchUpState): Promise<number> {
  const nowMs = now().getTime()
  const retentionMs = toGitHubServer(config.githubUrl).deliveryRetentionMs
  const noted = state.comparedUntilMs ?? Date.parse((await store.notes.read('deliveries-compared-until')) ?? '')
  const sinceMs = Math.max(nowMs - retentionMs, Number.isNaN(noted) ? 0 : noted - overlapMs)
  for await (const deliveries of listDeliveries(client, new Date(sinceMs).toISOString())) {
    const handled = deliveries.filter(isHandled)
    const missing = new Set(await store.deliveries.findMissing(handled.map(({ deliveryId }) => deliveryId)))
    for (const delivery of handled) {
      const { deliveryId } = delivery
      if (missing.has(deliveryId) && !state.missing.has(deliveryId))
        state.missing.set(deliveryId, { delivery, tries: 0, dueAtMs: 0 })
    }
  }
  state.comparedUntilMs = nowMs
  return nowMs
}

/** Requests missing deliveries, oldest first, so that pushes arrive in order if possible. @throws {GitHubError} */
async function requestMissing(
  context: AppContext,
  metrics: Metrics,
  { missing }: CatchUpState,
  times: CatchUpTimes,
  signal: AbortSignal,
): Promise<void> {
  const { github, store, log, config, now } = context
  const { client } = github.app ?? {}
  if (!client || missing.size === 0) return
  const retentionMs = toGitHubServer(config.githubUrl).deliveryRetentionMs
  const stillMissing = new Set(await store.deliveries.findMissing([...missing.keys()]))
  const due = []
  for (const [deliveryId, entry] of missing) {
    const isTooOld = Date.parse(entry.delivery.deliveredAt) < now().getTime() - retentionMs
    if (!stillMissing.has(deliveryId) || isTooOld) missing.delete(deliveryId)
    else if (entry.dueAtMs <= now().getTime()) due.push(entry)
  }
  due.sort((a, b) => (a.delivery.deliveredAt < b.delivery.deliveredAt ? -1 : 1))
  const ids = due.map(({ delivery }) => delivery.deliveryId)
  for (const [index, entry] of due.entries()) {
    if (index > 0) {
      await sleep(times.paceMs, undefined, { signal })
      await untilHandled(context, ids.slice(Math.max(0, index - config.runsAtOnce), index), times, signal)
    }
    const { deliveryId, event } = entry.delivery
    const waitMs = toWait(entry.tries, times)
    // Also applies if the request fails.
    entry.dueAtMs = now().getTime() + waitMs
    entry.tries += 1
    try {
      await redeliver(client, entry.delivery)
    } catch (error) {
      // GitHub no longer has the delivery.
      if (!(error instanceof GitHubError) || error.failure !== 'not-found') throw error
      missing.delete(deliveryId)
      log.warn({ deliveryId, event, reason: error.message }, 'Cannot request redelivery of a webhook')
      continue
    }
    entry.dueAtMs = now().getTime() + waitMs
    metrics.redeliveries.inc()
    log.info({ deliveryId, event, attempt: entry.tries }, 'Requested redelivery of a webhook')
  }
}

/**
 * Waits until few of the last requested deliveries still have to arrive or to begin their updates. Otherwise, new pushes would wait behind those of
 * a downtime, and a slow database would get even more to do. Does not wait longer than `spacingMs`, because a busy app must catch up as well.
 */
async function untilHandled(
  { store, config }: AppContext,
  requested: readonly string[],
  { paceMs, spacingMs }: CatchUpTimes,
  signal: AbortSignal,
): Promise<void> {
  const giveUpAt = performance.now() + spacingMs
  while (performance.now() < giveUpAt) {
    const arriving = await store.deliveries.findMissing(requested)
    if (arriving.length + (await store.queue.readDueCount()) < config.runsAtOnce) return
    await sleep(Math.max(lookAgainMs, paceMs), undefined, { signal })
  }
}

/** The delay after a request for a delivery, in milliseconds. */
export function toWait(earlierTries: number, { spacingMs, longestMs }: Pick<CatchUpTimes, 'spacingMs' | 'longestMs'>): number {
  return Math.min(spacingMs * 2 ** earlierTries, longestMs)
}

function isHandled({ event, action }: Delivery): boolean {
  const name = action === undefined ? event : `${event}.${action}`
  return handledNames.some((handled) => handled === name)
}
