import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { GitHubApp } from '../../../github/apps/github-app.ts'
import type { Store } from '../../../store/store.ts'
import type { AppConfig } from '../config/app-config.ts'
import { createStoreErrorCounter, registerProcessMetrics } from './process-metrics.ts'
import { registerStoreMetrics } from './store-metrics.ts'

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
