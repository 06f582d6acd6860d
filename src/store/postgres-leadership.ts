import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import type { Leadership } from './leadership.ts'

interface PostgresLeadershipOptions {
  /** As for `psql`. */
  readonly url: string
  /** Receives problems that pass by themselves, such as a restart of the server. Called at most once a minute. */
  readonly onProblem: (error: unknown) => void
  readonly onLead: () => void
}

/** The only queue. Its one job is active in the process that leads. */
const queue = 'leader'

/** A leader that did not renew its claim for this long has lost it. pg-boss accepts no less than 10 s. */
const heartbeatSeconds = 15

/** Passed through to `pg`. Connections that never answer are closed. */
const deadlines = { query_timeout: 12_000, keepAlive: true, keepAliveInitialDelayMillis: 5_000 }

const reportEveryMs = 60_000
const retryMs = 5_000

/**
 * Elects a leader with pg-boss, in its own schema `pgboss` of the same database.
 *
 * A schedule creates the job of the leader every minute, if there is none. It is `exclusive`: at most one waits or is active. pg-boss gives
 * it to one process and renews its claim. If that process ends or is cut off, pg-boss gives the job to another one about 20 s later.
 * It aborts the signal of a process that returns too late. The leader has its own timers, so that work can be due more often than each minute.
 */
export function openPostgresLeadership({ url, onProblem, onLead }: PostgresLeadershipOptions): Leadership {
  const stopping = new AbortController()
  const { signal } = stopping
  let reportAt = 0
  const report = (error: unknown) => {
    if (signal.aborted || performance.now() < reportAt) return
    reportAt = performance.now() + reportEveryMs
    onProblem(error)
  }
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'openapi-pages-leader',
    schema: 'pgboss',
    max: 2,
    connectionTimeoutMillis: 10_000,
    ...deadlines,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    monitorVacuum: false,
    reindex: false,
  })
  // Without a listener, an error would end the process.
  boss.on('error', report)
  let running: Promise<void> | undefined

  const start = async (work: (signal: AbortSignal) => Promise<void>) => {
    await boss.start()
    const options = { retryLimit: 1_000, retryDelay: 0, heartbeatSeconds, expireInSeconds: 23 * 3_600, deleteAfterSeconds: 3_600 }
    await boss.createQueue(queue, { policy: 'exclusive', ...options })
    await boss.work(queue, { pollingIntervalSeconds: 2, heartbeatRefreshSeconds: 4 }, async ([job]) => {
      if (!job || signal.aborted) throw new Error('This process is stopping')
      onLead()
      running = work(AbortSignal.any([signal, job.signal]))
      await running
      // pg-boss repeats a failed job at once, in any process.
      throw new Error('This process no longer leads')
    })
    await boss.schedule(queue, '* * * * *')
    await boss.send(queue)
  }

  return {
    start(work) {
      const tryToStart = async () => {
        while (!signal.aborted) {
          try {
            await start(work)
            return
          } catch (error) {
            report(error)
            await boss.stop({ graceful: false }).catch(report)
            await sleep(retryMs, undefined, { signal }).catch(() => undefined)
          }
        }
      }
      void tryToStart()
    },
    async stop() {
      stopping.abort()
      await running
      await boss.stop({ timeout: 2_000 }).catch(() => undefined)
    },
  }
}
