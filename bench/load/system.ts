import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { webhookPath } from '../../src/app/base/manifest.ts'
import { databaseFileName } from '../../src/app/base/open-store.ts'
import { openPostgresStore, openSqliteStore, type Store } from '../../src/store/store.ts'
import { AppProcess } from './app-processes.ts'
import { type CommandProcess, startCommandProcess } from './command-process.ts'
import type { GitHubCommands, GitHubOptions } from './github-process.ts'
import type { PostgresCommands } from './postgres-process.ts'
import { type SlowProxy, startBalancer, startSlowProxy } from './proxies.ts'

interface SystemOptions extends GitHubOptions {
  /** Processes. With SQLite, one process has both roles. */
  readonly web: number
  readonly workers: number
  readonly isSqlite: boolean
  readonly runsAtOnce: number
  /** Connections of one process. */
  readonly connections: number
  /** Whether the app reaches PostgreSQL through a proxy that can be slow. */
  readonly hasSlowProxy: boolean
  readonly postgresSettings: readonly string[]
  readonly folder: string
}

/** A complete installation on this machine: database, fake GitHub, processes of the app, and a load balancer. */
export interface System {
  readonly github: CommandProcess<GitHubCommands>
  /** Absent with SQLite. */
  readonly postgres: CommandProcess<PostgresCommands> | undefined
  readonly slowProxy: SlowProxy | undefined
  readonly apps: readonly AppProcess[]
  /** The port of the load balancer. */
  readonly port: number
  readonly token: string
  readonly projects: readonly { readonly id: string; readonly subdomain: string; readonly hasSite: boolean }[]
  openStore(): Promise<Store>
  stop(): Promise<void>
}

export async function startSystem(options: SystemOptions): Promise<System> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  try {
    return { ...(await start(options, stops)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(options: SystemOptions, stops: (() => Promise<unknown>)[]): Promise<Omit<System, 'stop'>> {
  const { folder, web, workers, isSqlite, hasSlowProxy } = options
  mkdirSync(folder, { recursive: true })
  const github = startCommandProcess<GitHubCommands>(new URL('./github-process.ts', import.meta.url))
  stops.push(() => github.stop())
  const { installations, repositories, siteShare, operations, latencyMs } = options
  const { settings } = await github.call('start', { installations, repositories, siteShare, operations, latencyMs })
  let postgres: CommandProcess<PostgresCommands> | undefined
  let databaseUrl: string | undefined
  let slowProxy: SlowProxy | undefined
  if (!isSqlite) {
    const server = startCommandProcess<PostgresCommands>(new URL('./postgres-process.ts', import.meta.url))
    postgres = server
    stops.push(() => server.stop())
    databaseUrl = await server.call('start', { settings: options.postgresSettings })
  }
  const directUrl = databaseUrl
  if (databaseUrl !== undefined && hasSlowProxy) {
    const [, database = '', socketFolder = ''] = /\/([^/?]+)\?host=(.+)$/.exec(databaseUrl) ?? []
    const proxy = await startSlowProxy(join(decodeURIComponent(socketFolder), '.s.PGSQL.5432'))
    slowProxy = proxy
    stops.push(() => proxy.close())
    databaseUrl = `postgres://postgres@127.0.0.1:${proxy.port}/${database}`
  }
  const places = isSqlite
    ? [{ name: 'all', role: 'all' as const }]
    : [
        ...Array.from({ length: web }, (_, index) => ({ name: `web-${index + 1}`, role: 'web' as const })),
        ...Array.from({ length: workers }, (_, index) => ({ name: `worker-${index + 1}`, role: 'worker' as const })),
      ]
  // The processes need the port of the balancer, and the balancer their ports.
  const ports: number[] = []
  const balancer = await startBalancer(ports)
  stops.push(() => balancer.close())
  const environment = {
    ...settings,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, DATABASE_CONNECTIONS: String(options.connections) }),
    BASE_URL: `http://localhost:${balancer.port}`,
    SITES_DOMAIN: 'localhost',
    RUNS_AT_ONCE: String(options.runsAtOnce),
    TOKEN_REQUESTS_PER_MINUTE: '1000000',
    ADDRESS_REQUESTS_PER_MINUTE: '1000000',
    INSTALLATION_CPU_MINUTES: '10000',
  }
  const apps: AppProcess[] = []
  for (const { name, role } of places) {
    const app = await AppProcess.start({ name, role, folder, environment })
    stops.push(() => app.kill('SIGTERM'))
    apps.push(app)
    if (role !== 'worker') ports.push(app.port)
  }
  await github.call('setWebhookUrl', `http://127.0.0.1:${balancer.port}${webhookPath}`)
  const openStore = () =>
    directUrl === undefined
      ? openSqliteStore({ path: join(folder, 'all', databaseFileName) })
      : openPostgresStore({ url: directUrl, connections: 3 })
  await github.call('install')
  const store = await openStore()
  try {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const made = await store.tokens.create({ grant: { scope: 'admin' }, name: 'load', expiresAt }, 'bench')
    if (!made) throw new Error('cannot create a token')
    const projects = await untilProjects(store, repositories)
    return { github, postgres, slowProxy, apps, port: balancer.port, token: made.token, projects, openStore }
  } finally {
    await store.close()
  }
}

async function untilProjects(store: Store, count: number): Promise<System['projects']> {
  const giveUpAt = performance.now() + 300_000
  for (;;) {
    const projects = await store.projects.list()
    const { waiting, leased } = await store.queue.stats()
    if (projects.length >= count && waiting + leased === 0) {
      return projects.map(({ id, subdomain, hasDocsConfig }) => ({ id, subdomain, hasSite: hasDocsConfig }))
    }
    if (performance.now() > giveUpAt) {
      throw new Error(`${projects.length} of ${count} projects after five minutes; ${waiting + leased} jobs are left`)
    }
    await sleep(500)
  }
}
