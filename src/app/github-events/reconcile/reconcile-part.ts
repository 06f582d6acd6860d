import { setTimeout as sleep } from 'node:timers/promises'
import { GitHubError } from '../../../text/errors.ts'
import type { AppContext, AppPart } from '../../base/app-context.ts'
import { toTask } from '../../base/tasks.ts'
import { reconcile } from './reconcile.ts'

export interface ReconcileTimes {
  /** Delay between comparisons. */
  readonly everyMs: number
  /** Delay after an incomplete comparison; doubled each time, up to `everyMs`. */
  readonly retryMs: number
  /** After a longer time offline, public sites are private until GitHub confirms that they are public. */
  readonly gapMs: number
}

export const defaultReconcileTimes: ReconcileTimes = { everyMs: 3_600_000, retryMs: 10_000, gapMs: 900_000 }

/** Maximum open records to update after a gap; more than any queue holds. */
const maxOpenRecords = 100_000

/** How often to record that the server is online; well below `gapMs`. */
const onlineEveryMs = 60_000

/** Compares the store with GitHub at start and every hour. */
export function createReconcilePart(times: ReconcileTimes = defaultReconcileTimes): (context: AppContext) => AppPart {
  return (context) => {
    const stopping = new AbortController()
    let online: Promise<void> | undefined
    return {
      async prepare() {
        await hideAfterGap(context, times)
      },
      serve() {
        online = repeat(stopping.signal, async () => {
          await context.store.notes.write('online-until', context.now().toISOString()).catch((error: unknown) => {
            context.log.warn({ err: error }, 'Cannot record that the server is online')
          })
          return onlineEveryMs
        })
      },
      lead: (signal) => comparePeriodically(context, times, signal),
      async stop() {
        stopping.abort()
        await Promise.race([online, sleep(1_000)])
      },
    }
  }
}

/** A repository may have become private while the server was offline or since its backup. Makes public sites private until GitHub confirms them. */
async function hideAfterGap({ store, now, log, config }: AppContext, { gapMs }: ReconcileTimes): Promise<void> {
  const onlineUntil = await store.notes.read('online-until')
  const backupOf = await store.notes.read('backup-of')
  const gap = onlineUntil === undefined ? Number.POSITIVE_INFINITY : now().getTime() - Date.parse(onlineUntil)
  if (backupOf === undefined && gap <= gapMs) return
  // Updates that are queued in an old copy of the store may have run since.
  for (const { update } of await store.statuses.listOpen(maxOpenRecords))
    await store.statuses.addDetails(update._id, { mayHaveCheck: true })
  const open = (await store.projects.list()).filter((project) => !project.private && project.installationId !== undefined)
  if (open.length === 0) return
  // Otherwise, this process compares everything with GitHub at its start.
  const installations = config.role === 'web' ? new Set(open.map(({ installationId }) => installationId)) : []
  const tasks = [...installations].flatMap((installationId) =>
    installationId === undefined ? [] : [toTask(store.newId(), 'reconcile', installationId, { installationId })],
  )
  await store.accept({ projectChanges: [{ kind: 'tighten-all' }], tasks })
  const fields = { projects: open.length, ...(backupOf === undefined ? { onlineUntil } : { backupOf }) }
  log.warn(fields, 'Public sites are private until GitHub confirms that their repositories are public')
}

async function comparePeriodically(context: AppContext, times: ReconcileTimes, signal: AbortSignal): Promise<void> {
  let isFull = true
  let retryMs = times.retryMs
  await repeat(signal, async () => {
    const isComplete = await compareOnce(context, isFull, signal)
    if (isComplete) {
      isFull = false
      retryMs = times.retryMs
      return times.everyMs
    }
    const waitMs = Math.min(retryMs, times.everyMs)
    retryMs *= 2
    return waitMs
  })
}

/** Returns false if the comparison is incomplete. */
async function compareOnce(context: AppContext, isFull: boolean, signal: AbortSignal): Promise<boolean> {
  const { store, log, now, locks, metrics, github } = context
  if (!github.app) return false
  const report = ({ kind }: { readonly kind: string }) => metrics.reconciled.inc({ kind })
  try {
    const result = await reconcile({ store, log, now, locks, app: github.app, report }, { isFull, signal })
    const { installations, repositories, failures, isComplete } = result
    log.info({ installations, repositories, failures: failures.length }, 'Compared with GitHub')
    if (!isComplete) return false
    await store.notes.write('reconciled-at', now().toISOString())
    await store.notes.write('backup-of', undefined)
    return true
  } catch (error) {
    if (!signal.aborted) log.warn(error instanceof GitHubError ? { reason: error.message } : { err: error }, 'Cannot reconcile')
    return false
  }
}

/** Repeats work. Each call returns the delay before the next one in milliseconds. */
async function repeat(signal: AbortSignal, work: () => Promise<number>): Promise<void> {
  while (!signal.aborted) await sleep(await work(), undefined, { signal }).catch(() => undefined)
}
