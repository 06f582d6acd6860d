import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { packageVersion } from '../../../docs/config/config-files.ts'
import type { GitHubApp } from '../../../github/apps/github-app.ts'
import type { ObserveRequest } from '../../../github/requests/github-client.ts'
import { countJobs, type JobGroup, toQueueStats } from '../../../store/queue/jobs.ts'
import type { InstallationUsage } from '../../../store/records/stored-records.ts'
import { type Store, schemaVersion } from '../../../store/store.ts'
import { StoreError } from '../../../text/errors.ts'
import type { AppConfig } from '../config/app-config.ts'

/** The metrics at `/metrics`. Their names are stable, because operators build alerts on them. */
export type Metrics = ReturnType<typeof createMetrics>

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
export function createMetrics(options: MetricsOptions) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  registerStoreMetrics(registry, options)
  registerProcessMetrics(registry, options)
  const counter = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const histogram = <Label extends string = never>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
    new Histogram({ name, help, buckets, labelNames, registers })
  const storeErrors = counter(
    'openapi_pages_store_errors_total',
    'Failed reads and writes of the database, by its error code',
    'code',
  )
  return {
    registry,
    /** By route, never by path. */
    httpSeconds: histogram(
      'openapi_pages_http_request_duration_seconds',
      'Duration of HTTP requests',
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      'route',
      'method',
      'status',
    ),
    runSeconds: histogram('openapi_pages_run_duration_seconds', 'Duration of runs', runBuckets, 'outcome'),
    /** `check`, `compare` or `site`. */
    cpuSeconds: counter(
      'openapi_pages_cpu_seconds_total',
      'CPU time of the processes that check repositories and build sites',
      'work',
    ),
    siteSeconds: histogram(
      'openapi_pages_site_build_duration_seconds',
      'Duration of site builds, including storing the site',
      runBuckets,
      'outcome',
    ),
    pictureSeconds: histogram(
      'openapi_pages_picture_duration_seconds',
      'Time to take the screenshots of a site, including the start of Chromium',
      runBuckets,
      'outcome',
    ),
    waitSeconds: histogram('openapi_pages_run_wait_seconds', 'Time from a webhook until its update is in progress', runBuckets),
    deliveries: counter('openapi_pages_webhook_deliveries_total', 'Webhook deliveries by event and outcome', 'event', 'outcome'),
    githubSeconds: histogram(
      'openapi_pages_github_request_duration_seconds',
      'Duration of requests to GitHub, by method and status',
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      'method',
      'status',
    ),
    lostLeases: counter('openapi_pages_leases_lost_total', 'Jobs that another process took over while this one worked on them'),
    recoveredJobs: counter(
      'openapi_pages_jobs_recovered_total',
      'Jobs whose worker ended without a result, by what happened to them',
      'outcome',
    ),
    failedAttempts: counter('openapi_pages_job_attempts_failed_total', 'Failed attempts of jobs, by kind', 'kind'),
    /** Receives each error of the store. */
    countStoreError(error: unknown) {
      storeErrors.inc({ code: (error instanceof StoreError && error.code) || 'other' })
    },
    redeliveries: counter('openapi_pages_webhook_redeliveries_total', 'Redeliveries of webhooks requested from GitHub'),
    relayed: counter('openapi_pages_relay_requests_total', 'Playground requests sent through this server, by outcome', 'outcome'),
    reconciled: counter('openapi_pages_reconcile_changes_total', 'Differences from GitHub that were corrected, by kind', 'kind'),
  }
}

/** Adds the metrics of this process: its version, its open requests, its connections to the database, its limits at GitHub, and its disk. */
function registerProcessMetrics(registry: Registry, { store, config, waiting, budgets }: MetricsOptions): void {
  new Gauge({
    name: 'openapi_pages_build_info',
    help: '1 for each process, with its version, its role, the version of its database schema, and its database',
    labelNames: ['version', 'role', 'schema', 'database'],
    registers: [registry],
  }).set(
    {
      version: packageVersion,
      role: config.role,
      schema: String(schemaVersion),
      database: config.databaseUrl === undefined ? 'sqlite' : 'postgresql',
    },
    1,
  )
  addGauge(registry, {
    name: 'openapi_pages_http_waiting',
    help: 'Requests held by `Prefer: wait`',
    read: waiting,
  })
  addGauge(registry, {
    name: 'openapi_pages_github_rate_limit_remaining',
    help: 'Requests left in the hourly rate limit of GitHub, by installation',
    label: 'installation',
    read: () => budgets().flatMap(({ installationId, requests }) => (requests ? [[installationId, requests.remaining]] : [])),
  })
  addGauge(registry, {
    name: 'openapi_pages_database_connections',
    help: 'Connections of this process to PostgreSQL, by state: used, idle or max. Queries that wait for one are `waiting`',
    label: 'state',
    read() {
      const use = store.connections?.()
      return Object.entries(use ? { used: use.total - use.idle, idle: use.idle, waiting: use.waiting, max: use.max } : {})
    },
  })
  addGauge(registry, {
    name: 'openapi_pages_disk_free_bytes',
    help: 'Free space of the disk with DATA_DIR',
    async read() {
      const { bavail, bsize } = await statfs(config.dataDir)
      return bavail * bsize
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

/**
 * Adds the metrics of the data. Processes with the same database report the same values, so queries use `max`.
 *
 * A gauge has no value while the database does not respond.
 */
function registerStoreMetrics(registry: Registry, { store, now }: MetricsOptions): void {
  // Several gauges of one scrape show the same result.
  const groups = keepFor(500, () => store.queue.listGroups())
  const stats = async () => toQueueStats(await groups())
  const promises = async () => (await groups()).filter(({ kind }) => kind !== 'run' && kind !== 'task')
  const toAge = (since: string) => Math.max(0, now().getTime() - Date.parse(since)) / 1000
  const sizes = keepFor(500, () => store.sites.sizes())
  const usage = keepFor(500, () => store.usage.list())

  addGauge(registry, {
    name: 'openapi_pages_store_up',
    help: '1 if the database responds to this process, otherwise 0',
    read: () => stats().then(() => 1),
    whenLate: 0,
  })
  addGauge(registry, {
    name: 'openapi_pages_queue_jobs',
    help: 'Jobs in the queue, by state; `refused`: GitHub refuses them for now',
    label: 'state',
    async read() {
      const { waiting, leased, refused } = await stats()
      return Object.entries({ waiting, leased, refused })
    },
  })
  addGauge(registry, {
    name: 'openapi_pages_queue_oldest_seconds',
    help: 'Age of the oldest queued update; 0 if the queue is empty',
    async read() {
      const { oldestWaitingAt } = await stats()
      return oldestWaitingAt === undefined ? 0 : toAge(oldestWaitingAt)
    },
  })
  addGauge(registry, {
    name: 'openapi_pages_promises',
    help: 'What GitHub does not show yet of updates, by kind: check, status, comment, deployment or button',
    label: 'kind',
    read: async () => sumBy(await promises(), ({ kind }) => kind),
  })
  addGauge(registry, {
    name: 'openapi_pages_promises_oldest_seconds',
    help: 'Age of the oldest update with something that GitHub does not show yet, by kind',
    label: 'kind',
    // The groups begin with the oldest.
    read: async () => (await promises()).toReversed().map(({ kind, since }) => [kind, toAge(since)]),
  })
  addGauge(registry, {
    name: 'openapi_pages_refused_jobs',
    help: 'Updates, promises and tasks that GitHub refuses for now, by reason',
    label: 'reason',
    read: async () => sumBy(await groups(), ({ refusal }) => refusal?.reason),
  })
  addGauge(registry, {
    name: 'openapi_pages_reconcile_last_success_timestamp_seconds',
    help: 'Time of the last complete comparison with GitHub by any process; 0 if there was none',
    read: async () => Math.floor(Date.parse((await store.notes.read('reconciled-at')) ?? '1970-01-01T00:00:00.000Z') / 1000),
  })
  addGauge(registry, {
    name: 'openapi_pages_site_builds',
    help: 'Stored sites, including previews',
    read: async () => (await sizes()).builds,
  })
  addGauge(registry, {
    name: 'openapi_pages_site_contents',
    help: 'Distinct files of all stored sites',
    read: async () => (await sizes()).contents,
  })
  addGauge(registry, {
    name: 'openapi_pages_site_bytes',
    help: 'Bytes of the distinct files of all stored sites, before and after compression',
    label: 'form',
    async read() {
      const { sizeBytes, storedBytes } = await sizes()
      return Object.entries({ made: sizeBytes, stored: storedBytes })
    },
  })
  for (const [name, help, toValue] of [
    ['cpu_seconds', 'CPU time used by an installation in the last hour', ({ cpuMs }) => cpuMs / 1000],
    ['stored_bytes', 'Bytes of the stored sites of an installation', ({ storedBytes }) => storedBytes],
    ['queued_updates', 'Queued updates of an installation', ({ queuedUpdates }) => queuedUpdates],
  ] satisfies [string, string, (usage: InstallationUsage) => number][]) {
    addGauge(registry, {
      name: `openapi_pages_installation_${name}`,
      help,
      label: 'installation',
      read: async () => (await usage()).map((one) => [one.installationId, toValue(one)] as const),
    })
  }
}

function sumBy(groups: readonly JobGroup[], toLabel: (group: JobGroup) => string | undefined): GaugeValue {
  const labels = new Set(groups.flatMap((group) => toLabel(group) ?? []))
  return [...labels].map((label) => [label, countJobs(groups.filter((group) => toLabel(group) === label))])
}

/** Loads a value at most once in this time. */
export function keepFor<Value>(keptMs: number, load: () => Promise<Value>): () => Promise<Value> {
  let last: { readonly value: Promise<Value>; readonly until: number } | undefined
  return () => {
    const now = performance.now()
    if (!last || now >= last.until) last = { value: load(), until: now + keptMs }
    return last.value
  }
}

/** Time for each query. Prometheus gives up after ten seconds by default, and must get the other metrics. */
const timeoutMs = 1_500

/** A value, or one for each value of the label. */
type GaugeValue = number | readonly (readonly [label: string | number, value: number])[]

interface GaugeOptions {
  readonly name: string
  readonly help: string
  readonly label?: string
  readonly read: () => GaugeValue | Promise<GaugeValue>
  /** The value if none was read in time. Default: none. */
  readonly whenLate?: number
}

function addGauge(registry: Registry, { name, help, label, read, whenLate }: GaugeOptions): void {
  new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), timeoutMs)
      })
      const reading = Promise.resolve(read()).catch(() => undefined)
      const value = (await Promise.race([reading, late])) ?? whenLate
      clearTimeout(timer)
      // Installations come and go. `reset` sets a gauge without labels to 0.
      if (label !== undefined) this.reset()
      else this.remove()
      if (typeof value === 'number') this.set(value)
      else if (label !== undefined) for (const [one, number] of value ?? []) this.set({ [label]: one }, number)
    },
  })
}
