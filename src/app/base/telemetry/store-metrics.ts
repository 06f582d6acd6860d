import { Gauge, type Registry } from 'prom-client'
import type { InstallationUsage } from '../../../store/records/stored-records.ts'
import type { Store } from '../../../store/store.ts'

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
export function registerStoreMetrics(
  registry: Registry,
  { store, now }: { readonly store: Store; readonly now: () => Date },
): void {
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
