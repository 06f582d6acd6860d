import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { BudgetLeft } from '../github/request-budget.ts'
import type { Store } from '../store/types.ts'
import type { InstallationUsage } from '../store/usage-store.ts'

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
  /** Seconds that an update waited in the queue. */
  readonly waitSeconds: Histogram
  /** Webhook deliveries by event and outcome. */
  readonly deliveries: Counter<'event' | 'outcome'>
  /** Seconds of a request to GitHub, by method and status; `none` if no response arrived. */
  readonly githubSeconds: Histogram<'method' | 'status'>
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
  readonly now: () => Date
  /** Requests held by `Prefer: wait`. */
  readonly waiting: () => number
  readonly budgets: () => readonly BudgetLeft[]
}

/** Creates the metrics of one app. Gauges read their values when the metrics are requested. */
export function createMetrics({ store, now, waiting, budgets }: MetricsOptions): Metrics {
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
  new Gauge({
    name: 'openapi_pages_queue_jobs',
    help: 'Jobs in the queue, by state',
    labelNames: ['state'],
    registers,
    async collect() {
      const stats = await store.queue.stats()
      this.set({ state: 'waiting' }, stats.waiting)
      this.set({ state: 'leased' }, stats.leased)
      this.set({ state: 'dead' }, stats.dead)
    },
  })
  new Gauge({
    name: 'openapi_pages_queue_oldest_seconds',
    help: 'Age of the oldest queued update; 0 if the queue is empty',
    registers,
    async collect() {
      const { oldestWaitingAt } = await store.queue.stats()
      this.set(oldestWaitingAt === undefined ? 0 : Math.max(0, now().getTime() - Date.parse(oldestWaitingAt)) / 1000)
    },
  })
  new Gauge({
    name: 'openapi_pages_reconcile_last_success_timestamp_seconds',
    help: 'Time of the last complete comparison with GitHub by any process; 0 if there was none',
    registers,
    async collect() {
      const time = await store.notes.read('reconciled-at')
      this.set(time === undefined ? 0 : Math.floor(Date.parse(time) / 1000))
    },
  })
  new Gauge({
    name: 'openapi_pages_site_builds',
    help: 'Stored sites, including previews',
    registers,
    async collect() {
      this.set((await store.sites.sizes()).builds)
    },
  })
  new Gauge({
    name: 'openapi_pages_site_contents',
    help: 'Distinct files of all stored sites',
    registers,
    async collect() {
      this.set((await store.sites.sizes()).contents)
    },
  })
  new Gauge({
    name: 'openapi_pages_site_bytes',
    help: 'Bytes of the distinct files of all stored sites, before and after compression',
    labelNames: ['form'],
    registers,
    async collect() {
      const { sizeBytes, storedBytes } = await store.sites.sizes()
      this.set({ form: 'made' }, sizeBytes)
      this.set({ form: 'stored' }, storedBytes)
    },
  })
  const installationGauge = (name: string, help: string, read: (usage: InstallationUsage) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['installation'],
      registers,
      async collect() {
        this.reset()
        for (const usage of await store.usage.list()) this.set({ installation: usage.installationId }, read(usage))
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
      help: 'Time that updates waited in the queue',
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
