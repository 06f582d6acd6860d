import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppProcess } from './app-processes.ts'
import type { GitHubFault } from './github-process.ts'
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
    // A third of the pauses is longer than a lease.
    'a paused process': () => pauseProcess(apps, oneOf([3_000, 12_000, 40_000]) ?? 0),
    'a killed process': () => killAndRestart(apps),
  }
  const count = await disturbInTurn(kinds, { until, note, say })
  slowProxy.reset(1)
  return count
}

/**
 * Refusals and incidents of GitHub, lost deliveries, paused processes and kills, one after another. In the middle, GitHub refuses every
 * write for a minute. Returns their number.
 */
export async function refuseRequests(
  { apps, github }: System,
  { until, note, say }: { until: number; note: (disturbance: Disturbance) => void; say: (text: string) => void },
): Promise<number> {
  const during = async (fault: GitHubFault, ms: number) => {
    await github.call('beginFault', fault)
    await sleep(ms)
    await github.call('endFaults')
  }
  const refuse = (status: number, what: 'reads' | 'writes', ms = 8_000) => during({ kind: 'refuse', status, what }, ms)
  const kinds = {
    'refused writes (403)': () => refuse(403, 'writes'),
    'refused writes (422)': () => refuse(422, 'writes'),
    'missing repositories (404), read': () => refuse(404, 'reads'),
    'missing repositories (404), written': () => refuse(404, 'writes'),
    'an incident (502), read': () => refuse(502, 'reads'),
    'an incident (502), written': () => refuse(502, 'writes'),
    'lost deliveries': () => during({ kind: 'lose' }, 10_000),
    'a paused process': () => pauseProcess(apps, oneOf([3_000, 12_000]) ?? 0),
    'a killed process': () => killAndRestart(apps),
  }
  const middle = (Date.now() + until) / 2
  const before = await disturbInTurn(kinds, { until: middle, note, say })
  await disturb('a minute without writes (403)', () => refuse(403, 'writes', 60_000), { note, say })
  return before + 1 + (await disturbInTurn(kinds, { until, note, say }))
}

async function disturbInTurn(
  kinds: Readonly<Record<string, () => Promise<void>>>,
  { until, note, say }: { until: number; note: (disturbance: Disturbance) => void; say: (text: string) => void },
): Promise<number> {
  let count = 0
  while (Date.now() < until) {
    await sleep(2_000 + Math.random() * 4_000)
    const [name, cause] = oneOf(Object.entries(kinds)) ?? []
    if (name === undefined || !cause) continue
    await disturb(name, cause, { note, say })
    count += 1
  }
  return count
}

async function disturb(
  name: string,
  cause: () => Promise<void>,
  { note, say }: { note: (disturbance: Disturbance) => void; say: (text: string) => void },
): Promise<void> {
  const from = Date.now()
  say(name)
  await cause()
  note({ name, from: from - failureWindow.beforeMs, to: Date.now() + failureWindow.afterMs })
}

function oneOf<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)]
}

async function pauseProcess(apps: readonly AppProcess[], ms: number): Promise<void> {
  const app = oneOf(apps.filter(({ isRunning }) => isRunning))
  if (app?.pid === undefined) return
  process.kill(app.pid, 'SIGSTOP')
  await sleep(ms)
  process.kill(app.pid, 'SIGCONT')
}

async function killAndRestart(apps: readonly AppProcess[]): Promise<void> {
  const app = oneOf(apps.filter(({ isRunning }) => isRunning))
  await app?.kill()
  await app?.restart()
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
