import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import texts from '../../../../texts/metrics.json' with { type: 'json' }
import { packageVersion } from '../../../docs/config/config-files.ts'
import type { GitHubApp } from '../../../github/apps/github-app.ts'
import type { ObserveRequest } from '../../../github/requests/github-client.ts'
import { countJobs, type JobGroup, toQueueStats } from '../../../store/queue/jobs.ts'
import type { InstallationUsage } from '../../../store/records/stored-records.ts'
import { schemaVersion } from '../../../store/store.ts'
import { StoreError } from '../../../text/errors.ts'
import type { AppContext } from '../app-context.ts'

/** The metrics at `/metrics`, with the descriptions of `texts/metrics.json`. Their names are stable, because operators build alerts on them. */
export type Metrics = ReturnType<typeof createMetrics>

const runBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900]

export interface MetricsOptions extends Pick<AppContext, 'store' | 'config' | 'now'> {
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
  const counter = <Label extends string = never>(name: MetricName, ...labelNames: Label[]) =>
    new Counter({ ...describe(name), labelNames, registers })
  const histogram = <Label extends string = never>(name: MetricName, buckets: number[], ...labelNames: Label[]) =>
    new Histogram({ ...describe(name), buckets, labelNames, registers })
  const storeErrors = counter('store_errors_total', 'code')
  const httpBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]
  return {
    registry,
    /** By route, never by path. */
    httpSeconds: histogram('http_request_duration_seconds', httpBuckets, 'route', 'method', 'status'),
    runSeconds: histogram('run_duration_seconds', runBuckets, 'outcome'),
    /** `check`, `compare` or `site`. */
    cpuSeconds: counter('cpu_seconds_total', 'work'),
    siteSeconds: histogram('site_build_duration_seconds', runBuckets, 'outcome'),
    pictureSeconds: histogram('picture_duration_seconds', runBuckets, 'outcome'),
    waitSeconds: histogram('run_wait_seconds', runBuckets),
    deliveries: counter('webhook_deliveries_total', 'event', 'outcome'),
    githubSeconds: histogram('github_request_duration_seconds', [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30], 'method', 'status'),
    lostLeases: counter('leases_lost_total'),
    recoveredJobs: counter('jobs_recovered_total', 'outcome'),
    failedAttempts: counter('job_attempts_failed_total', 'kind'),
    /** Receives each error of the store. */
    countStoreError(error: unknown) {
      storeErrors.inc({ code: (error instanceof StoreError && error.code) || 'other' })
    },
    redeliveries: counter('webhook_redeliveries_total'),
    relayed: counter('relay_requests_total', 'outcome'),
    reconciled: counter('reconcile_changes_total', 'kind'),
  }
}

type MetricName = keyof typeof texts

/** The name of a metric with the prefix of the app, and its description. */
function describe(name: MetricName): { readonly name: string; readonly help: string } {
  return { name: `openapi_pages_${name}`, help: texts[name] }
}

/** Adds the metrics of this process: its version, its open requests, its connections to the database, its limits at GitHub, and its disk. */
function registerProcessMetrics(registry: Registry, { store, config, waiting, budgets }: MetricsOptions): void {
  new Gauge({
    ...describe('build_info'),
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
  addGauge(registry, { name: 'http_waiting', read: waiting })
  addGauge(registry, {
    name: 'github_rate_limit_remaining',
    label: 'installation',
    read: () => budgets().flatMap(({ installationId, requests }) => (requests ? [[installationId, requests.remaining]] : [])),
  })
  addGauge(registry, {
    name: 'database_connections',
    label: 'state',
    read() {
      const use = store.connections?.()
      return Object.entries(use ? { used: use.total - use.idle, idle: use.idle, waiting: use.waiting, max: use.max } : {})
    },
  })
  addGauge(registry, {
    name: 'disk_free_bytes',
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

  addGauge(registry, { name: 'store_up', read: () => stats().then(() => 1), whenLate: 0 })
  addGauge(registry, {
    name: 'queue_jobs',
    label: 'state',
    async read() {
      const { waiting, leased, refused, delayed } = await stats()
      return Object.entries({ waiting, leased, refused, delayed })
    },
  })
  addGauge(registry, {
    name: 'queue_oldest_seconds',
    async read() {
      const { oldestWaitingAt } = await stats()
      return oldestWaitingAt === undefined ? 0 : toAge(oldestWaitingAt)
    },
  })
  addGauge(registry, { name: 'promises', label: 'kind', read: async () => sumBy(await promises(), ({ kind }) => kind) })
  addGauge(registry, {
    name: 'promises_oldest_seconds',
    label: 'kind',
    // The groups begin with the oldest.
    read: async () => (await promises()).toReversed().map(({ kind, since }) => [kind, toAge(since)]),
  })
  for (const [name, by] of [['refused_jobs', 'github'] as const, ['delayed_jobs', 'server'] as const]) {
    const read = async () => sumBy(await groups(), ({ refusal }) => (refusal?.by === by ? refusal.reason : undefined))
    addGauge(registry, { name, label: 'reason', read })
  }
  addGauge(registry, {
    name: 'reconcile_last_success_timestamp_seconds',
    read: async () => Math.floor(Date.parse((await store.notes.read('reconciled-at')) ?? '1970-01-01T00:00:00.000Z') / 1000),
  })
  addGauge(registry, { name: 'site_builds', read: async () => (await sizes()).builds })
  addGauge(registry, { name: 'site_contents', read: async () => (await sizes()).contents })
  addGauge(registry, {
    name: 'site_bytes',
    label: 'form',
    async read() {
      const { sizeBytes, storedBytes } = await sizes()
      return Object.entries({ made: sizeBytes, stored: storedBytes })
    },
  })
  const ofInstallations = (name: MetricName, toValue: (usage: InstallationUsage) => number) =>
    addGauge(registry, {
      name,
      label: 'installation',
      read: async () => (await usage()).map((one) => [one.installationId, toValue(one)] as const),
    })
  ofInstallations('installation_cpu_seconds', ({ cpuMs }) => cpuMs / 1000)
  ofInstallations('installation_stored_bytes', ({ storedBytes }) => storedBytes)
  ofInstallations('installation_queued_updates', ({ queuedUpdates }) => queuedUpdates)
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
  readonly name: MetricName
  readonly label?: string
  readonly read: () => GaugeValue | Promise<GaugeValue>
  /** The value if none was read in time. Default: none. */
  readonly whenLate?: number
}

function addGauge(registry: Registry, { name, label, read, whenLate }: GaugeOptions): void {
  new Gauge({
    ...describe(name),
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      const over = new AbortController()
      const late = sleep(timeoutMs, undefined, { signal: over.signal })
      const value = (await Promise.race([read(), late]).catch(() => undefined)) ?? whenLate
      over.abort()
      // Installations come and go. `reset` sets a gauge without labels to 0.
      if (label !== undefined) this.reset()
      else this.remove()
      if (typeof value === 'number') this.set(value)
      else if (label !== undefined) for (const [one, number] of value ?? []) this.set({ [label]: one }, number)
    },
  })
}
