import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readCpuMs } from './load/app-processes.ts'
import { Load } from './load/clients.ts'
import { causeFailure, disturbNetwork, type FailureName, failureNames, killProcesses, refuseRequests } from './load/disturb.ts'
import { type System, startSystem } from './load/system.ts'
import {
  type Disturbance,
  findProblems,
  isInside,
  readRecords,
  readSites,
  toCounts,
  toPassages,
  toQuantile,
  toSampleRows,
} from './load/verify.ts'

const help = `npm run bench:load -- [soak | failures | network | refusals] [options]

Starts PostgreSQL, a fake GitHub, processes of the built app and a load balancer on this machine, and sends webhooks, status requests,
long polls, triggers and page views. At the end, it checks that every acknowledged delivery has a record that ended, and that nothing
was written to GitHub twice. No update may fail because of a disturbance, and every production site must be at the tip of its branch.
The exit code is 1 if a promise was broken.

  soak      three web and three worker processes; every 5 s for 10 minutes, one of them is killed with SIGKILL. About 18 minutes
  network   connections to PostgreSQL that are half-open or reset, and processes that are paused or killed, for 10 minutes
  failures  PostgreSQL is killed 10 times, made read-only, out of connections, and slow by 200 ms per query. About 12 minutes
  refusals  GitHub refuses requests, has incidents and loses deliveries, and processes are paused or killed, for 10 minutes; for one of
            them, GitHub refuses every write. A minute later, nothing may be open

  --web N             web processes (default 3)
  --workers N         worker processes (default 3)
  --sqlite            one process on SQLite instead
  --minutes N         length of the load (default 2)
  --kill-every N      seconds between kills (default: none)
  --failures LIST     failures of PostgreSQL in turn: ${failureNames.join(',')}
  --failure-seconds N length of each failure (default 20), and the time between two restarts (default 3)
  --restarts N        how often PostgreSQL is killed by the failure \`restarts\` (default 10)
  --webhooks N        webhooks per second (default 1: more keeps two cores busy, so updates wait for them)
  --polls N           status and list requests per second (default 10)
  --views N           page views per second (default 10)
  --triggers N        triggers of the API per second (default 0.1)
  --long-polls N      concurrent long polls (default 6)
  --repositories N    repositories (default 90)
  --installations N   installations of the app (default 30)
  --sites N           share of the repositories with a site (default 0.1)
  --operations N      operations of each document (default 8)
  --latency N         delay of each response of GitHub in ms (default 50)
  --runs-at-once N    concurrent updates of one worker (default 4)
  --connections N     database connections of one process (default 6)
  --limit N           seconds after which a request hangs (default 30, and 50 with \`network\`, which pauses processes for up to 40)
  --settle N          minutes to finish all work after the load (default 10, and 1 with \`refusals\`)
  --p99 N             the goal for webhook to in_progress outside of disturbances, without waits for an update of the
                      same branch, in ms (default 2000); without effect if no webhook arrives outside of them
  --logs FOLDER       keep the logs of the processes in this folder
  --json FILE         where to write the result (default: bench/results/load-<name>.json)
`

/** Length of the load before and after the failures, for the times outside of them. */
const calmMs = 45_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    web: { type: 'string', default: '3' },
    workers: { type: 'string', default: '3' },
    sqlite: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    'kill-every': { type: 'string' },
    failures: { type: 'string' },
    'failure-seconds': { type: 'string' },
    restarts: { type: 'string', default: '10' },
    webhooks: { type: 'string', default: '1' },
    polls: { type: 'string', default: '10' },
    views: { type: 'string', default: '10' },
    triggers: { type: 'string', default: '0.1' },
    'long-polls': { type: 'string', default: '6' },
    repositories: { type: 'string', default: '90' },
    installations: { type: 'string', default: '30' },
    sites: { type: 'string', default: '0.1' },
    operations: { type: 'string', default: '8' },
    latency: { type: 'string', default: '50' },
    'runs-at-once': { type: 'string', default: '4' },
    connections: { type: 'string', default: '6' },
    limit: { type: 'string' },
    settle: { type: 'string' },
    p99: { type: 'string', default: '2000' },
    logs: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})
const preset = positionals[0]
if (values.help) console.log(help)
else if (preset !== undefined && !['soak', 'failures', 'network', 'refusals'].includes(preset)) {
  console.error(`Unexpected \`${preset}\`, expected soak, failures, network or refusals`)
  process.exitCode = 2
} else process.exitCode = await run()

function readFailures(): FailureName[] {
  const list = values.failures ?? (preset === 'failures' ? failureNames.join(',') : '')
  return list
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      const known = failureNames.find((one) => one === name)
      if (known === undefined) throw new Error(`Unexpected failure \`${name}\`, expected ${failureNames.join(', ')}`)
      return known
    })
}

async function run(): Promise<number> {
  const failures = readFailures()
  const killEvery = Number(values['kill-every'] ?? (preset === 'soak' ? 5 : 0))
  const minutes = Number(values.minutes ?? (preset === undefined ? 2 : 10))
  const folder = values.logs ?? mkdtempSync(join(tmpdir(), 'openapi-pages-load-'))
  const say = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)
  say(
    `Starting ${values.sqlite ? 'one process on SQLite' : `${values.web} web and ${values.workers} worker processes on PostgreSQL`}`,
  )
  const system = await startSystem({
    web: Number(values.web),
    workers: Number(values.workers),
    isSqlite: values.sqlite,
    installations: Number(values.installations),
    repositories: Number(values.repositories),
    siteShare: Number(values.sites),
    operations: Number(values.operations),
    latencyMs: Number(values.latency),
    runsAtOnce: Number(values['runs-at-once']),
    connections: Number(values.connections),
    hasSlowProxy: failures.includes('slow') || preset === 'network',
    postgresSettings: ['max_connections=120'],
    folder,
  })
  try {
    const disturbances: Disturbance[] = []
    const probes: { readonly failure: string; readonly status: number | string }[] = []
    const load = new Load({ ...system, limitMs: Number(values.limit ?? (preset === 'network' ? 50 : 30)) * 1000 })
    const cpuBefore = readCpu(system)
    const from = Date.now()
    load.start({
      webhooks: Number(values.webhooks),
      polls: Number(values.polls),
      views: Number(values.views),
      triggers: Number(values.triggers),
      longPolls: Number(values['long-polls']),
    })
    const note = (disturbance: Disturbance) => disturbances.push(disturbance)
    let kills = 0
    if (failures.length > 0) {
      await sleep(calmMs)
      for (const name of failures) {
        say(`PostgreSQL: ${name}`)
        const seconds = Number(values['failure-seconds'] ?? (name === 'restarts' ? 3 : 20))
        const probe = (failure: string, status: number | string) => void probes.push({ failure, status })
        await causeFailure(system, name, { seconds, restarts: Number(values.restarts), note, probe })
      }
      say('The failures have ended')
      await sleep(calmMs)
    } else {
      const until = from + minutes * 60_000
      say(`Load for ${minutes} minutes${killEvery > 0 ? `, with a kill every ${killEvery} s` : ''}`)
      if (preset === 'network') kills = await disturbNetwork(system, { until, note, say })
      else if (preset === 'refusals') kills = await refuseRequests(system, { until, note, say })
      else if (killEvery > 0) kills = await killProcesses(system, { everySeconds: killEvery, until, note })
      await sleep(Math.max(0, until - Date.now()))
    }
    const seconds = (Date.now() - from) / 1000
    const cpu = readCpu(system).map(([name, ms], index) => [name, (ms - (cpuBefore[index]?.[1] ?? 0)) / 1000 / seconds] as const)
    say('The load has ended. Waiting for the remaining work')
    await load.stop()
    await system.github.call('settle')
    const rest = await settle(system, Number(values.settle ?? (preset === 'refusals' ? 1 : 10)) * 60_000)
    const cpuSeconds = Object.fromEntries(
      readCpu(system).map(([name, ms], index) => [name, (ms - (cpuBefore[index]?.[1] ?? 0)) / 1000]),
    )
    return await conclude({ system, load, disturbances, probes, kills, seconds, cpu, cpuSeconds, ...rest })
  } finally {
    await system.stop()
    if (values.logs === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Waits until every delivery is stored and no job is left. */
async function settle(system: System, timeoutMs: number) {
  const startedAt = Date.now()
  const store = await system.openStore()
  try {
    for (;;) {
      const { deliveries } = await system.github.call('readState')
      const missing = await store.deliveries.findMissing([...new Set(deliveries.map(({ guid }) => guid))])
      const jobs = await store.queue.stats()
      const settleMs = Date.now() - startedAt
      if ((missing.length === 0 && jobs.waiting + jobs.leased + jobs.refused === 0) || settleMs > timeoutMs) {
        return { missing, jobs, settleMs, records: await readRecords(store), sites: await readSites(store) }
      }
      await sleep(1_000)
    }
  } finally {
    await store.close()
  }
}

interface Outcome extends Awaited<ReturnType<typeof settle>> {
  readonly system: System
  readonly load: Load
  readonly disturbances: readonly Disturbance[]
  readonly probes: readonly { readonly failure: string; readonly status: number | string }[]
  readonly kills: number
  readonly seconds: number
  /** CPU time per second of each part. */
  readonly cpu: readonly (readonly [name: string, cores: number])[]
  /** CPU time of each part until all work was done. */
  readonly cpuSeconds: Readonly<Record<string, number>>
}

async function conclude(outcome: Outcome): Promise<number> {
  const { system, load, disturbances, probes, kills, seconds, cpu, cpuSeconds, missing, jobs, settleMs, records, sites } = outcome
  const { seen } = load
  const github = await system.github.call('readState')
  const problems = findProblems({ seen, records, github, missing, jobs, sites })
  problems.push(...system.apps.flatMap(({ crashes }) => crashes))
  const passages = toPassages(seen.deliveries, records)
  const outside = passages.filter(({ sentAt }) => !isInside(sentAt, disturbances))
  const starts = (list: typeof passages) => list.flatMap(({ startMs }) => startMs ?? [])
  const freeStarts = (list: typeof passages) => list.flatMap(({ freeStartMs }) => freeStartMs ?? [])
  const judged = freeStarts(outside)
  const p99 = toQuantile(judged, 0.99)
  if (judged.length > 0 && !(p99 <= Number(values.p99)))
    problems.push(`webhook to in_progress: p99 ${Math.round(p99)} ms, expected ${values.p99} ms`)
  const ms = (value: number) => (Number.isNaN(value) ? '–' : String(Math.round(value)))
  const lines = [
    `${seconds.toFixed(0)} s of load, ${cpus().length} cores shared with the clients, load average ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}. ` +
      `${kills} ${preset === 'network' || preset === 'refusals' ? 'disturbances' : 'kills'}. All work was done ${(settleMs / 1000).toFixed(0)} s after the load.`,
    '',
    '| requests | count | per second | p50 ms | p99 ms | max ms | outcomes |',
    '| --- | ---: | ---: | ---: | ---: | ---: | --- |',
    ...toSampleRows(seen.samples, seconds).map(
      ({ kind, count, perSecond, p50, p99: slow, max, outcomes }) =>
        `| ${kind} | ${count} | ${perSecond.toFixed(1)} | ${ms(p50)} | ${ms(slow)} | ${ms(max)} | ${outcomes} |`,
    ),
    '',
    '| from the webhook | records | p50 ms | p99 ms | max ms |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...(
      [
        ['to the response', outside.map(({ ackMs }) => ackMs)],
        ['to `in_progress`', starts(outside)],
        ['to `in_progress`, without waits for an update of the same branch', judged],
        ['to the end', outside.map(({ endMs }) => endMs)],
        ['to `in_progress`, also during disturbances', starts(passages)],
        ['the same, without waits for an update of the same branch', freeStarts(passages)],
        ['to the end, also during disturbances', passages.map(({ endMs }) => endMs)],
      ] as const
    ).map(
      ([name, list]) =>
        `| ${name} | ${list.length} | ${ms(toQuantile(list, 0.5))} | ${ms(toQuantile(list, 0.99))} | ${ms(toQuantile(list, 1))} |`,
    ),
    '',
    `Records: ${records.length} (${toCounts(records.map(({ update }) => `${update.status} ${update.summary.split(/[:.]/, 1)[0]}`.slice(0, 60)))}).`,
    `CPU (cores): ${cpu.map(([name, cores]) => `${name} ${cores.toFixed(2)}`).join(', ')}.`,
    `GitHub: ${toWrites(github.requests)}.`,
  ]
  for (const name of new Set(probes.map(({ failure }) => failure))) {
    const failure = disturbances.filter((one) => one.name === name)
    const during = seen.samples.filter(({ at }) => isInside(at, failure))
    lines.push(
      '',
      `During \`${name}\`: readiness ${toCounts(probes.filter((one) => one.failure === name).map(({ status }) => String(status)))}; ` +
        toSampleRows(during, 1)
          .map(({ kind, outcomes, max }) => `${kind} ${outcomes} (max ${ms(max)} ms)`)
          .join('; '),
    )
  }
  const logged = new Map<string, number>()
  for (const app of system.apps) for (const [line, count] of app.logged) logged.set(line, (logged.get(line) ?? 0) + count)
  const shown = [...logged].sort(([, a], [, b]) => b - a).slice(0, 12)
  if (shown.length > 0)
    lines.push('', 'Most frequent warnings and errors in the logs:', ...shown.map(([line, count]) => `- ${count} × ${line}`))
  lines.push(
    '',
    problems.length === 0 ? 'Verdict: passed' : `Verdict: failed\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
  )
  console.log(lines.join('\n'))
  const results = new URL('./results/', import.meta.url)
  mkdirSync(results, { recursive: true })
  const name = preset ?? (values.sqlite ? 'sqlite' : `${values.web}-web-${values.workers}-workers`)
  const file = values.json ?? new URL(`load-${name}.json`, results)
  const quantiles = (list: readonly number[]) => ({
    p50: toQuantile(list, 0.5),
    p99: toQuantile(list, 0.99),
    max: toQuantile(list, 1),
  })
  const json = {
    at: new Date().toISOString(),
    options: values,
    cores: cpus().length,
    seconds,
    kills,
    settleMs,
    problems,
    requests: toSampleRows(seen.samples, seconds),
    passages: {
      count: passages.length,
      outside: outside.length,
      ack: quantiles(outside.map(({ ackMs }) => ackMs)),
      start: quantiles(starts(outside)),
    },
    records: records.length,
    sites: records.filter(({ details }) => details.site !== undefined).length,
    cpu: Object.fromEntries(cpu),
    cpuSeconds,
    github: github.requests,
  }
  writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`)
  return problems.length === 0 ? 0 : 1
}

function readCpu({ apps, github }: System): (readonly [string, number])[] {
  return [
    ...apps.map((app) => [app.name, app.cpuMs()] as const),
    ['fake GitHub', readCpuMs(github.pid)],
    ['clients', toMs(process.cpuUsage())],
  ]
}

function toMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}

/** The writes of content, and the number of reads. */
function toWrites(requests: Readonly<Record<string, number>>): string {
  const writes = Object.entries(requests).filter(([route]) => /^(?:POST|PATCH|PUT|DELETE) \/repos/.test(route))
  const reads = Object.entries(requests).filter(([route]) => route.startsWith('GET'))
  const sum = reads.reduce((total, [, count]) => total + count, 0)
  return [...writes.map(([route, count]) => `${count} × ${route.replace('/repos/{owner}/{repo}', '')}`), `${sum} reads`].join(
    ', ',
  )
}
