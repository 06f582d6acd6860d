import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppProcess } from './app-processes.ts'
import type { System } from './system.ts'
import type { Disturbance } from './verify.ts'

/** How long a kill may delay deliveries: the clients of the process connect to another one. */
const killWindow = { beforeMs: 500, afterMs: 2_000 }

/** A webhook shortly before a failure can wait until its end. After a failure, processes connect again and waiting work is done. */
const failureWindow = { beforeMs: 2_000, afterMs: 10_000 }

/** Kills a random process every so many seconds, and starts it again at once, as a supervisor does. */
export async function killProcesses(
  { apps }: System,
  { everySeconds, until, note }: { everySeconds: number; until: number; note: (disturbance: Disturbance) => void },
): Promise<number> {
  const starting = new Set<Promise<unknown>>()
  const busy = new Set<AppProcess>()
  let kills = 0
  while (Date.now() + everySeconds * 1000 < until) {
    await sleep(everySeconds * 1000)
    const ready = apps.filter((app) => app.isRunning && !busy.has(app))
    const app = ready[Math.floor(Math.random() * ready.length)]
    if (!app) continue
    kills += 1
    const at = Date.now()
    note({ name: `kill ${app.name}`, from: at - killWindow.beforeMs, to: at + killWindow.afterMs })
    await app.kill()
    busy.add(app)
    // A process that does not start is reported as a crash.
    const started = app.restart().catch(() => undefined)
    starting.add(started)
    started.finally(() => busy.delete(app))
  }
  await Promise.all(starting)
  return kills
}

/** Half-open and reset connections to PostgreSQL, paused processes and kills, one after another. Returns their number. */
export async function disturbNetwork(
  { apps, slowProxy }: System,
  { until, note, say }: { until: number; note: (disturbance: Disturbance) => void; say: (text: string) => void },
): Promise<number> {
  if (!slowProxy) throw new Error('SQLite has no connections')
  const oneOf = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)]
  const pause = async () => {
    const app = oneOf(apps.filter((one) => one.isRunning))
    // A third of the pauses is longer than a lease.
    const ms = oneOf([3_000, 12_000, 40_000]) ?? 0
    if (app?.pid === undefined) return
    process.kill(app.pid, 'SIGSTOP')
    await sleep(ms)
    process.kill(app.pid, 'SIGCONT')
  }
  const stall = async (onlyAnswers: boolean) => {
    slowProxy.stall(oneOf([0.3, 0.6, 1]) ?? 1, { onlyAnswers })
    await sleep(oneOf([2_000, 8_000, 20_000]) ?? 0)
    // Otherwise, only the app can give them up.
    if (Math.random() < 0.3) slowProxy.resume()
    else if (Math.random() < 0.5) slowProxy.reset(1)
  }
  const kinds = {
    'half-open connections': () => stall(false),
    'lost answers': () => stall(true),
    'reset connections': async () => slowProxy.reset(oneOf([0.3, 1]) ?? 1),
    'a paused process': pause,
    'a killed process': async () => {
      const app = oneOf(apps.filter((one) => one.isRunning))
      await app?.kill()
      await app?.restart()
    },
  }
  let count = 0
  while (Date.now() < until) {
    await sleep(2_000 + Math.random() * 4_000)
    const [name, disturb] = oneOf(Object.entries(kinds)) ?? []
    if (name === undefined || !disturb) continue
    const from = Date.now()
    say(name)
    count += 1
    await disturb()
    note({ name, from: from - failureWindow.beforeMs, to: Date.now() + failureWindow.afterMs })
  }
  slowProxy.reset(1)
  return count
}

export const failureNames = ['restarts', 'read-only', 'connections', 'slow'] as const

export type FailureName = (typeof failureNames)[number]

/** What the readiness probe of each process said in a second of a failure. */
type Probe = (name: string, status: number | string, at: number) => void

/** Causes one failure of PostgreSQL, ends it, and waits until every process is ready again. */
export async function causeFailure(
  system: System,
  name: FailureName,
  { seconds, restarts, note, probe }: { seconds: number; restarts: number; note: (failure: Disturbance) => void; probe: Probe },
): Promise<void> {
  const { postgres, slowProxy } = system
  if (!postgres) throw new Error('SQLite has no such failures')
  const from = Date.now()
  const probing = new AbortController()
  const probes = probeAll(system, (...result) => probe(name, ...result), probing.signal)
  const database = async (sql: string) => {
    const rows = (await postgres.call('query', 'select current_database() as name')) as readonly { name: string }[]
    await postgres.call('query', sql.replaceAll('DATABASE', rows[0]?.name ?? ''))
  }
  const endConnections = `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'DATABASE' and pid <> pg_backend_pid()`
  if (name === 'restarts') {
    for (let count = 0; count < restarts; count++) {
      await postgres.call('kill')
      await sleep(1_000 + Math.random() * 2_000)
      await postgres.call('startAgain')
      await sleep(seconds * 1000)
    }
  } else if (name === 'read-only') {
    await database('alter database DATABASE set default_transaction_read_only = on')
    await database(endConnections)
    await sleep(seconds * 1000)
    await database('set transaction read write; alter database DATABASE reset default_transaction_read_only')
    await database(endConnections)
  } else if (name === 'connections') {
    await postgres.call('takeConnections')
    await sleep(seconds * 1000)
    await postgres.call('returnConnections')
  } else if (slowProxy) {
    slowProxy.delayMs = 200
    await sleep(seconds * 1000)
    slowProxy.delayMs = 0
  }
  await untilReady(system.apps)
  probing.abort()
  await probes
  note({ name, from: from - failureWindow.beforeMs, to: Date.now() + failureWindow.afterMs })
  await sleep(failureWindow.afterMs)
}

async function probeAll(
  { apps }: System,
  probe: (status: number | string, at: number) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const at = Date.now()
    for (const app of apps) probe(await readReadiness(app), at)
    await sleep(1_000)
  }
}

async function untilReady(apps: readonly AppProcess[]): Promise<void> {
  const giveUpAt = Date.now() + 60_000
  for (const app of apps) {
    while ((await readReadiness(app)) !== 200) {
      if (Date.now() > giveUpAt) throw new Error(`${app.name} is not ready a minute after the failure`)
      await sleep(250)
    }
  }
}

/** The status, or the code of the error. A web process and a worker have the route. */
function readReadiness({ port }: AppProcess): Promise<number | string> {
  return new Promise((resolve) => {
    const sending = request({ host: '127.0.0.1', port, path: '/readyz', signal: AbortSignal.timeout(10_000) })
    sending.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sending.on('error', (error: Error & { code?: string }) => resolve(error.code ?? error.name))
    sending.end()
  })
}
