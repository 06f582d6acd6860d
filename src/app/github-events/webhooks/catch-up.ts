import { setTimeout as sleep } from 'node:timers/promises'
import { type Delivery, readDeliveryPage, redeliver } from '../../../github/apps/github-app.ts'
import { toGitHubServer } from '../../../github/requests/github-client.ts'
import { GitHubError } from '../../../text/errors.ts'
import type { AppContext } from '../../base/app-context.ts'
import type { Metrics } from '../../base/telemetry/metrics.ts'
import { handledNames } from './handlers.ts'

export interface CatchUpTimes {
  /** Interval between comparisons with the list of deliveries. */
  readonly everyMs: number
  /** Delay before the second request for a delivery; doubled for each further request, up to `longestMs`. */
  readonly spacingMs: number
  /** After a long downtime of the processes that receive webhooks, the app must not wait as long again. */
  readonly longestMs: number
  /** Delay between requests for different deliveries. */
  readonly paceMs: number
  /** Pages of 100 deliveries per comparison. The next comparison continues with the rest. */
  readonly pages: number
  /** How often to look whether a process has asked for a comparison. */
  readonly lookMs: number
  /** Shortest time between the start of a comparison and the next one that a process asks for: each can take many requests to GitHub. */
  readonly restMs: number
}

export const defaultCatchUpTimes: CatchUpTimes = {
  everyMs: 300_000,
  spacingMs: 30_000,
  longestMs: 1_200_000,
  paceMs: 1_000,
  pages: 50,
  lookMs: 10_000,
  restMs: 60_000,
}

/** GitHub may list a delivery with a delay, so comparisons overlap. */
const overlapMs = 600_000

/** Shortest time until the next look at requested deliveries. */
const lookAgainMs = 100

/** The progress of the comparison. */
interface CatchUpState {
  /** All deliveries up to this time were compared; `undefined` before the first comparison. */
  comparedUntilMs: number | undefined
  /** Where to continue a comparison that reached its page limit. */
  rest: { readonly cursor: string; readonly sinceMs: number; readonly startedMs: number } | undefined
  readonly missing: Map<string, MissingDelivery>
}

interface MissingDelivery {
  readonly delivery: Delivery
  tries: number
  dueAtMs: number
}

/** When a process last asked for a comparison. */
const requestNote = 'catch-up-asked-at'

/** Asks the process that compares to do it soon. Never throws. Until the store can be written, it tries again. */
export function createCatchUpRequest(
  { store, now }: Pick<AppContext, 'store' | 'now'>,
  retryMs: number,
  signal: AbortSignal,
): () => Promise<void> {
  const tryToAsk = () =>
    store.notes.write(requestNote, now().toISOString()).then(
      () => true,
      () => false,
    )
  let isAsking = false
  return async () => {
    if (isAsking) return
    isAsking = true
    for (let isAsked = false; !isAsked && !signal.aborted; ) {
      await sleep(retryMs, undefined, { signal }).catch(() => undefined)
      isAsked = !signal.aborted && (await tryToAsk())
    }
    isAsking = false
  }
}

/**
 * Compares GitHub's list of deliveries with the store, at start, periodically, and when a process asks for it. Requests redelivery of missing
 * ones, because GitHub does not retry deliveries itself.
 *
 * The store holds the time of the last comparison. After a gap, or in a store restored from a backup, the comparison starts from that time.
 */
export async function catchUpPeriodically(
  context: AppContext,
  metrics: Metrics,
  signal: AbortSignal,
  times: CatchUpTimes,
): Promise<void> {
  const { store, log } = context
  const state: CatchUpState = { comparedUntilMs: undefined, rest: undefined, missing: new Map() }
  let requestedAt: string | undefined
  const readRequestedAt = () => store.notes.read(requestNote).catch(() => requestedAt)
  while (!signal.aborted) {
    requestedAt = await readRequestedAt()
    const soonestAt = performance.now() + times.restMs
    await catchUp(context, metrics, state, times, signal).catch((error: unknown) => {
      if (!signal.aborted) log.warn(describe(error), 'Cannot catch up with webhooks')
    })
    const nextAt = performance.now() + toDelay(state, context, times)
    const isDue = async () =>
      performance.now() >= nextAt || (performance.now() >= soonestAt && (await readRequestedAt()) !== requestedAt)
    do {
      const waitMs = Math.min(times.lookMs, Math.max(0, nextAt - performance.now()))
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    } while (!signal.aborted && !(await isDue()))
  }
}

/** Milliseconds until the next comparison, if no process asks for it: sooner to continue one, and for deliveries that are still missing. */
function toDelay({ rest, missing }: CatchUpState, { now }: AppContext, { everyMs, spacingMs }: CatchUpTimes): number {
  if (rest) return everyMs / 10
  const dueAtMs = findEarliest(missing, ({ dueAtMs }) => dueAtMs)
  return Math.min(everyMs, Math.max(spacingMs, dueAtMs - now().getTime()))
}

/** Infinity if none is missing. There can be more than a call takes arguments. */
function findEarliest(missing: CatchUpState['missing'], toMs: (entry: MissingDelivery) => number): number {
  let earliest = Number.POSITIVE_INFINITY
  for (const entry of missing.values()) earliest = Math.min(earliest, toMs(entry))
  return earliest
}

async function catchUp(
  context: AppContext,
  metrics: Metrics,
  state: CatchUpState,
  times: CatchUpTimes,
  signal: AbortSignal,
): Promise<void> {
  const { github, store, now } = context
  if (!github.app) return
  await compare(context, state, times.pages)
  await requestMissing(context, metrics, state, times, signal)
  if (state.comparedUntilMs === undefined) return
  // After a restart, compare missing deliveries again.
  const oldest = findEarliest(state.missing, ({ delivery }) => Date.parse(delivery.deliveredAt))
  const until = new Date(Math.min(state.comparedUntilMs, now().getTime(), oldest))
  await store.notes.write('deliveries-compared-until', until.toISOString())
}

/** Reads the list from its newest entry back to the start of the last comparison. @throws {GitHubError} */
async function compare({ github, store, config, now }: AppContext, state: CatchUpState, pages: number): Promise<void> {
  const { client } = github.app ?? {}
  if (!client) return
  const nowMs = now().getTime()
  const retentionMs = toGitHubServer(config.githubUrl).deliveryRetentionMs
  const noted = state.comparedUntilMs ?? Date.parse((await store.notes.read('deliveries-compared-until')) ?? '')
  const sinceMs = Math.max(nowMs - retentionMs, Number.isNaN(noted) ? 0 : noted - overlapMs)
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

function describe(error: unknown): object {
  return error instanceof GitHubError ? { reason: error.message } : { err: error }
}
