import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { packageVersion } from '../../../docs/config/config-files.ts'
import type { GitHubApp } from '../../../github/apps/github-app.ts'
import type { ObserveRequest } from '../../../github/requests/github-client.ts'
import type { InstallationUsage } from '../../../store/records/stored-records.ts'
import { type Store, schemaVersion } from '../../../store/store.ts'
import { StoreError } from '../../../text/errors.ts'
import type { AppConfig } from '../config/app-config.ts'

/** The metrics at `/metrics`. Their names are stable, because operators build alerts on them. */
export interface Metrics {
  readonly registry: Registry
  /** Seconds of an HTTP response, by route (never by path), method and status. */
  readonly httpSeconds: Histogram<'route' | 'method' | 'status'>
  /** Seconds from the start of a run to its end, by outcome. */
  readonly runSeconds: Histogram<'outcome'>
  /** CPU seconds of child processes, by work: `check`, `compare` or `site`. */
  readonly cpuSeconds: Counter<'work'>
  /** Seconds from the start of a site build until the site is stored, by outcome. */
  readonly siteSeconds: Histogram<'outcome'>
  /** Seconds to take the screenshots of a site, by outcome. */
  readonly pictureSeconds: Histogram<'outcome'>
  /** Seconds from a webhook to the start of its run. */
  readonly waitSeconds: Histogram
  /** Webhook deliveries by event and outcome. */
  readonly deliveries: Counter<'event' | 'outcome'>
  /** Seconds of a request to GitHub, by method and status; `none` if no response arrived. */
  readonly githubSeconds: Histogram<'method' | 'status'>
  /** Jobs that another process took over while this one worked on them. */
  readonly lostLeases: Counter
  /** Jobs whose worker ended without a result, by what happened to them. */
  readonly recoveredJobs: Counter<'outcome'>
  /** Failed attempts of jobs, by kind. */
  readonly failedAttempts: Counter<'kind'>
  /** Receives each error of the store. */
  readonly countStoreError: (error: unknown) => void
  /** Redeliveries of webhooks requested from GitHub. */
  readonly redeliveries: Counter
  /** Requests of the playground that the relay accepted or refused, by outcome. */
  readonly relayed: Counter<'outcome'>
  /** Differences corrected by the reconciler, by kind. */
  readonly reconciled: Counter<'kind'>
}

const runBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900]

export interface MetricsOptions {
  readonly store: Store
  readonly config: AppConfig
  readonly now: () => Date
  /** Requests held by `Prefer: wait`. */
  readonly waiting: () => number
  readonly budgets: GitHubApp['budgets']
}

/** Creates the metrics of one app. Gauges read their values when the metrics are requested. */
export function createMetrics({ store, config, now, waiting, budgets }: MetricsOptions): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'openapi_pages_http_waiting',
    help: 'Requests held by `Prefer: wait`',
    registers,
    collect() {
      this.set(waiting())
    },
  })
  new Gauge({
    name: 'openapi_pages_github_rate_limit_remaining',
    help: 'Requests left in the hourly rate limit of GitHub, by installation',
    labelNames: ['installation'],
    registers,
    collect() {
      this.reset()
      for (const { installationId, requests } of budgets()) {
        if (requests) this.set({ installation: installationId }, requests.remaining)
      }
    },
  })
  registerStoreMetrics(registry, { store, now })
  registerProcessMetrics(registry, { store, config })
  return {
    registry,
    httpSeconds: new Histogram({
      name: 'openapi_pages_http_request_duration_seconds',
      help: 'Duration of HTTP requests',
      labelNames: ['route', 'method', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      registers,
    }),
    runSeconds: new Histogram({
      name: 'openapi_pages_run_duration_seconds',
      help: 'Duration of runs',
      labelNames: ['outcome'],
      buckets: runBuckets,
      registers,
    }),
    cpuSeconds: new Counter({
      name: 'openapi_pages_cpu_seconds_total',
      help: 'CPU time of the processes that check repositories and build sites',
      labelNames: ['work'],
      registers,
    }),
    siteSeconds: new Histogram({
      name: 'openapi_pages_site_build_duration_seconds',
      help: 'Duration of site builds, including storing the site',
      labelNames: ['outcome'],
      buckets: runBuckets,
      registers,
    }),
    pictureSeconds: new Histogram({
      name: 'openapi_pages_picture_duration_seconds',
      help: 'Time to take the screenshots of a site, including the start of Chromium',
      labelNames: ['outcome'],
      buckets: runBuckets,
      registers,
    }),
    waitSeconds: new Histogram({
      name: 'openapi_pages_run_wait_seconds',
      help: 'Time from a webhook until its update is in progress',
      buckets: runBuckets,
      registers,
    }),
    deliveries: new Counter({
      name: 'openapi_pages_webhook_deliveries_total',
      help: 'Webhook deliveries by event and outcome',
      labelNames: ['event', 'outcome'],
      registers,
    }),
    githubSeconds: new Histogram({
      name: 'openapi_pages_github_request_duration_seconds',
      help: 'Duration of requests to GitHub, by method and status',
      labelNames: ['method', 'status'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    lostLeases: new Counter({
      name: 'openapi_pages_leases_lost_total',
      help: 'Jobs that another process took over while this one worked on them',
      registers,
    }),
    recoveredJobs: new Counter({
      name: 'openapi_pages_jobs_recovered_total',
      help: 'Jobs whose worker ended without a result, by what happened to them',
      labelNames: ['outcome'],
      registers,
    }),
    failedAttempts: new Counter({
      name: 'openapi_pages_job_attempts_failed_total',
      help: 'Failed attempts of jobs, by kind',
      labelNames: ['kind'],
      registers,
    }),
    countStoreError: createStoreErrorCounter(registry),
    redeliveries: new Counter({
      name: 'openapi_pages_webhook_redeliveries_total',
      help: 'Redeliveries of webhooks requested from GitHub',
      registers,
    }),
    relayed: new Counter({
      name: 'openapi_pages_relay_requests_total',
      help: 'Playground requests sent through this server, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    reconciled: new Counter({
      name: 'openapi_pages_reconcile_changes_total',
      help: 'Differences from GitHub that were corrected, by kind',
      labelNames: ['kind'],
      registers,
    }),
  }
}

/** Adds the metrics of this process: its version, its connections to the database, and its disk. */
function registerProcessMetrics(
  registry: Registry,
  { store, config }: { readonly store: Store; readonly config: AppConfig },
): void {
  const registers = [registry]
  new Gauge({
    name: 'openapi_pages_build_info',
    help: '1 for each process, with its version, its role, the version of its database schema, and its database',
    labelNames: ['version', 'role', 'schema', 'database'],
    registers,
  }).set(
    {
      version: packageVersion,
      role: config.role,
      schema: String(schemaVersion),
      database: config.databaseUrl === undefined ? 'sqlite' : 'postgresql',
    },
    1,
  )
  new Gauge({
    name: 'openapi_pages_database_connections',
    help: 'Connections of this process to PostgreSQL, by state: used, idle or max. Queries that wait for one are `waiting`',
    labelNames: ['state'],
    registers,
    collect() {
      const use = store.connections?.()
      if (!use) return
      this.set({ state: 'used' }, use.total - use.idle)
      this.set({ state: 'idle' }, use.idle)
      this.set({ state: 'waiting' }, use.waiting)
      this.set({ state: 'max' }, use.max)
    },
  })
  new Gauge({
    name: 'openapi_pages_disk_free_bytes',
    help: 'Free space of the disk with DATA_DIR',
    registers,
    async collect() {
      const { bavail, bsize } = await statfs(config.dataDir)
      this.set(bavail * bsize)
    },
  })
}

/** Logs each request to GitHub, and counts it. */
export function createGitHubObserver(log: Logger, seconds: Histogram<'method' | 'status'>): ObserveRequest {
  return async ({ installationId, method, route }, send) => {
    const startedAt = performance.now()
    let status: number | undefined
    try {
      return await send((received) => {
        status = received
      })
    } finally {
      const ms = performance.now() - startedAt
      seconds.observe({ method, status: status ?? 'none' }, ms / 1000)
      log.debug({ installationId, method, route, status, ms: Math.round(ms * 10) / 10 }, 'Request to GitHub completed')
    }
  }
}

/** Counts the failed calls of the store, by the code of the database. */
function createStoreErrorCounter(registry: Registry): (error: unknown) => void {
  const counter = new Counter({
    name: 'openapi_pages_store_errors_total',
    help: 'Failed reads and writes of the database, by its error code',
    labelNames: ['code'],
    registers: [registry],
  })
  return (error) => {
    counter.inc({ code: (error instanceof StoreError && error.code) || 'other' })
  }
}

/** Reports the errors of all methods of a store. The callers get them too. */
export function observeErrors<Part extends object>(part: Part, onError: (error: unknown) => void): Part {
  const observed = Object.entries(part).map(([name, value]: [string, unknown]) => {
    if (typeof value === 'object' && value !== null) return [name, observeErrors(value, onError)]
    if (typeof value !== 'function') return [name, value]
    const method = (...parameters: unknown[]): unknown => {
      const result: unknown = value.apply(part, parameters)
      if (result instanceof Promise) result.catch(onError)
      return result
    }
    return [name, method]
  })
  // The same members, with the same types.
  return Object.fromEntries(observed) as Part
}

/** Time for each query. Prometheus gives up after ten seconds by default, and must get the other metrics. */
const timeoutMs = 1_500

interface StoreGauge<Value, Label extends string> {
  readonly name: string
  readonly help: string
  readonly labelNames?: readonly Label[]
  readonly read: () => Promise<Value>
  readonly show: (gauge: Gauge<Label>, value: Value) => void
}

/**
 * Adds the metrics of the data. Processes with the same database report the same values, so queries use `max`.
 *
 * A gauge has no value while the database does not respond.
 */
function registerStoreMetrics(registry: Registry, { store, now }: { readonly store: Store; readonly now: () => Date }): void {
  const shared = <Value>(load: () => Promise<Value>) => {
    let last: { readonly value: Promise<Value>; readonly until: number } | undefined
    return () => {
      const at = performance.now()
      if (!last || at >= last.until) last = { value: load(), until: at + 500 }
      return last.value
    }
  }
  // Several gauges of one scrape show the same result.
  const stats = shared(() => store.queue.stats())
  const sizes = shared(() => store.sites.sizes())
  const usage = shared(() => store.usage.list())

  addGauge(registry, {
    name: 'openapi_pages_store_up',
    help: '1 if the database responds to this process, otherwise 0',
    read: () =>
      stats().then(
        () => 1,
        () => 0,
      ),
    show: (gauge, value) => gauge.set(value),
    whenLate: 0,
  })
  addGauge(registry, {
    name: 'openapi_pages_queue_jobs',
    help: 'Jobs in the queue, by state',
    labelNames: ['state'],
    read: stats,
    show(gauge, { waiting, leased, dead }) {
      gauge.set({ state: 'waiting' }, waiting)
      gauge.set({ state: 'leased' }, leased)
      gauge.set({ state: 'dead' }, dead)
    },
  })
  addGauge(registry, {
    name: 'openapi_pages_queue_oldest_seconds',
    help: 'Age of the oldest queued update; 0 if the queue is empty',
    read: stats,
    show: (gauge, { oldestWaitingAt }) =>
      gauge.set(oldestWaitingAt === undefined ? 0 : Math.max(0, now().getTime() - Date.parse(oldestWaitingAt)) / 1000),
  })
  addGauge(registry, {
    name: 'openapi_pages_reconcile_last_success_timestamp_seconds',
    help: 'Time of the last complete comparison with GitHub by any process; 0 if there was none',
    read: async () => (await store.notes.read('reconciled-at')) ?? '1970-01-01T00:00:00.000Z',
    show: (gauge, time) => gauge.set(Math.floor(Date.parse(time) / 1000)),
  })
  addGauge(registry, {
    name: 'openapi_pages_site_builds',
    help: 'Stored sites, including previews',
    read: sizes,
    show: (gauge, { builds }) => gauge.set(builds),
  })
  addGauge(registry, {
    name: 'openapi_pages_site_contents',
    help: 'Distinct files of all stored sites',
    read: sizes,
    show: (gauge, { contents }) => gauge.set(contents),
  })
  addGauge(registry, {
    name: 'openapi_pages_site_bytes',
    help: 'Bytes of the distinct files of all stored sites, before and after compression',
    labelNames: ['form'],
    read: sizes,
    show(gauge, { sizeBytes, storedBytes }) {
      gauge.set({ form: 'made' }, sizeBytes)
      gauge.set({ form: 'stored' }, storedBytes)
    },
  })
  const installationGauge = (name: string, help: string, read: (usage: InstallationUsage) => number) =>
    addGauge(registry, {
      name,
      help,
      labelNames: ['installation'],
      read: usage,
      show(gauge, list) {
        for (const one of list) gauge.set({ installation: one.installationId }, read(one))
      },
    })
  installationGauge(
    'openapi_pages_installation_cpu_seconds',
    'CPU time used by an installation in the last hour',
    ({ cpuMs }) => cpuMs / 1000,
  )
  installationGauge(
    'openapi_pages_installation_stored_bytes',
    'Bytes of the stored sites of an installation',
    ({ storedBytes }) => storedBytes,
  )
  installationGauge(
    'openapi_pages_installation_queued_updates',
    'Queued updates of an installation',
    ({ queuedUpdates }) => queuedUpdates,
  )
}

function addGauge<Value, Label extends string = never>(
  registry: Registry,
  { name, help, labelNames = [], read, show, whenLate }: StoreGauge<Value, Label> & { readonly whenLate?: Value },
): void {
  new Gauge<Label>({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), timeoutMs)
      })
      const value = (await Promise.race([read().catch(() => undefined), late])) ?? whenLate
      clearTimeout(timer)
      // Installations come and go. `reset` sets a gauge without labels to 0.
      if (labelNames.length > 0) this.reset()
      else this.remove()
      if (value !== undefined) show(this, value)
    },
  })
}
