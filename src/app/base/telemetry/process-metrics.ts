import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import { Counter, Gauge, type Histogram, type Registry } from 'prom-client'
import { packageVersion } from '../../../docs/config/config-files.ts'
import type { ObserveRequest } from '../../../github/requests/github-client.ts'
import { type Store, schemaVersion } from '../../../store/store.ts'
import { StoreError } from '../../../text/errors.ts'
import type { AppConfig } from '../config/app-config.ts'

/** Adds the metrics of this process: its version, its connections to the database, and its disk. */
export function registerProcessMetrics(
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
export function createStoreErrorCounter(registry: Registry): (error: unknown) => void {
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
