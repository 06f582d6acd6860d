import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, createServer } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import '../scripts/jsx-loader.ts'
import { readConfig } from '../src/app/config/app-config.ts'
import { databaseFileName } from '../src/app/open-store.ts'
import { createRunPart } from '../src/app/run/run-part.ts'
import { createLog } from '../src/app/telemetry/create-log.ts'
import { defaultCatchUpTimes } from '../src/app/webhooks/catch-up.ts'
import { createWebhooksPart } from '../src/app/webhooks/webhooks-part.ts'
import { openPostgresStore } from '../src/store/postgres/open-postgres-store.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { readCpuMs } from './load/app-processes.ts'
import { median } from './measure.ts'
import { type Push, post, toPush, toWebhookEnvironment, webhookSecret } from './pushes.ts'
import { announce, startServer } from './served.ts'

// Times webhooks over HTTP: from the first byte of a signed push to the response. By then, its record and its job are on disk.

const help = `npm run bench -- webhooks [--rounds N] [--deliveries N] [--connections N] [--rate N] [--runs] [--postgres]

  --rounds N       counted rounds (default 5, after one warm-up)
  --deliveries N   pushes per round (default 3,000), to 100 repositories
  --connections N  concurrent pushes. Default: 16
  --rate N         pushes per second while response times are measured (default 500)
  --runs           run the workers. By default, jobs stay in the queue
  --postgres       store in a private PostgreSQL server instead of SQLite

Prints a Markdown table, and the CPU time of the client, the app and PostgreSQL, which share the cores. On a virtual machine with Linux, it prints
how much CPU time other machines took meanwhile: with more than a few percent, the response times say little.`

const { startApp } = await import('../src/app/start-app.ts')

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    deliveries: { type: 'string', default: '3000' },
    connections: { type: 'string', default: '16' },
    rate: { type: 'string', default: '500' },
    runs: { type: 'boolean' },
    postgres: { type: 'boolean' },
    serve: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})

if (values.help) console.log(help)
else if (values.serve === 'bare') await serveBare()
else if (values.serve === 'app') await serve()
else await measure()

/** Starts the app in a separate process. */
async function serve(): Promise<void> {
  const config = await readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...process.env })
  const log = createLog({ level: config.logLevel, format: 'json', write: (line) => process.stderr.write(line) })
  // There is no GitHub server, so the requests for missed webhooks and the updates wait.
  const parts = [
    createWebhooksPart({ ...defaultCatchUpTimes, everyMs: 3_600_000, spacingMs: 1 }),
    ...(values.runs ? [createRunPart()] : []),
  ]
  const app = await startApp({ config, log, parts })
  // Create the projects first: a push without a project waits until GitHub confirms the installation.
  for (let number = 0; number < 100; number++) {
    const facts = { owner: 'acme', repo: `docs-${number}`, root: '', hasDocsConfig: false, defaultBranch: 'main', private: false }
    const project = { ...facts, installationId: 1 + number, repositoryId: 10_000 + number }
    await app.context.store.projects.apply([{ kind: 'upsert', project }])
  }
  announce(app.address, () => app.stop())
}

/** The minimum for a Node.js program: verifies the signature and stores the body on disk before it responds. */
async function serveBare(): Promise<void> {
  const database = new DatabaseSync(join(process.env['DATA_DIR'] ?? '', 'bare.db'))
  database.exec('pragma journal_mode = wal; pragma synchronous = full; create table deliveries (id text primary key, body text)')
  const insert = database.prepare('insert into deliveries values (?, ?)')
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const expected = Buffer.from(`sha256=${createHmac('sha256', webhookSecret).update(body).digest('hex')}`)
      const isSigned = timingSafeEqual(Buffer.from(String(request.headers['x-hub-signature-256'])), expected)
      if (isSigned) insert.run(String(request.headers['x-github-delivery']), body.toString())
      response.writeHead(isSigned ? 202 : 401).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  announce(`http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`)
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-'))
  const postgres = values.postgres ? startPostgres() : undefined
  const url = await postgres?.createDatabase()
  const server = await startServer<string>(import.meta.filename, ['--serve', 'app', ...(values.runs ? ['--runs'] : [])], {
    ...toWebhookEnvironment(folder),
    ...(url !== undefined && { DATABASE_URL: url }),
  })
  try {
    const address = server.announced
    const count = Number(values.deliveries)
    const rounds = Number(values.rounds)
    const full: Round[] = []
    const paced: Round[] = []
    const stolenBefore = readStolenSeconds()
    const startedAt = performance.now()
    const cpu: CpuTimes[] = []
    const readCpu = async (): Promise<CpuTimes> => {
      const { user, system } = process.cpuUsage()
      const app = (await server.readCpu()) / 1000
      return { client: (user + system) / 1000, app, ...(postgres && { PostgreSQL: readPostgresCpuMs(postgres.folder) }) }
    }
    for (let round = 0; round <= rounds; round++) {
      const pushes = toPushes(count)
      const before = await readCpu()
      const most = await send(address, pushes)
      const after = await readCpu()
      const steady = await send(address, toPushes(Math.min(count, Number(values.rate) * 3)), Number(values.rate))
      // The first round is a warm-up.
      if (round === 0) continue
      full.push(most)
      cpu.push(divideCpu(before, after, count))
      paced.push(steady)
    }
    const store = await (url === undefined
      ? openSqliteStore({ path: join(folder, databaseFileName) })
      : openPostgresStore({ url }))
    const { waiting } = await store.queue.stats()
    const stolenShare = (readStolenSeconds() - stolenBefore) / cpus().length / ((performance.now() - startedAt) / 1000)
    await store.close()
    const sent = (rounds + 1) * (count + Math.min(count, Number(values.rate) * 3))
    console.log(`Node ${process.versions.node}, ${cpus().length} cores shared with the client, medians of ${rounds} rounds.\n`)
    console.log('| webhooks, push of 7 KB | per second | p50 ms | p99 ms |')
    console.log('| --- | ---: | ---: | ---: |')
    console.log(`| as many as go, ${values.connections} at once | ${toCells(full)} |`)
    console.log(`| ${values.rate} a second | ${toCells(paced)} |`)
    console.log(`\n${toCpuLine(cpu)}`)
    if (stolenShare > 0) console.log(`Other virtual machines took ${(stolenShare * 100).toFixed(1)} % of the CPU time.`)
    // Each push has two jobs: the update and its check.
    console.log(
      `\n${sent.toLocaleString('en-US')} pushes, all acknowledged; ${waiting.toLocaleString('en-US')} jobs in the queue.`,
    )
  } finally {
    await server.stop()
    postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

function toCells(rounds: readonly Round[]): string {
  const of = (field: keyof Round) => median(rounds.map((round) => round[field]))
  return `${Math.round(of('perSecond')).toLocaleString('en-US')} | ${of('p50').toFixed(1)} | ${of('p99').toFixed(1)}`
}

/** CPU time in milliseconds by program. */
type CpuTimes = Readonly<Record<string, number>>

/** CPU time for each webhook between two measurements. */
function divideCpu(before: CpuTimes, after: CpuTimes, count: number): CpuTimes {
  return Object.fromEntries(Object.entries(after).map(([program, cpuMs]) => [program, (cpuMs - (before[program] ?? 0)) / count]))
}

function toCpuLine(rounds: readonly CpuTimes[]): string {
  const programs = Object.keys(rounds[0] ?? {}).map((program) => ({
    program,
    cpuMs: median(rounds.map((round) => round[program] ?? Number.NaN)),
  }))
  const sum = programs.reduce((total, { cpuMs }) => total + cpuMs, 0)
  const parts = programs.map(({ program, cpuMs }) => `${program} ${cpuMs.toFixed(2)} (${Math.round((cpuMs / sum) * 100)} %)`)
  return `CPU ms for each webhook, as many as go: ${parts.join(', ')}.`
}

/** CPU time of a private server so far: of its first process with ended ones, and of the running ones. */
function readPostgresCpuMs(folder: string): number {
  const pid = Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  return [pid, ...children].reduce((sum, one) => sum + readCpuMs(one), 0)
}

/** CPU time that the host gave to other virtual machines, of all cores; 0 on other systems than Linux. */
function readStolenSeconds(): number {
  if (process.platform !== 'linux') return 0
  // The eighth value of the first line, in hundredths of a second. Source: proc_stat(5).
  const [, , , , , , , , stolen = 0] = readFileSync('/proc/stat', 'utf8').split('\n', 1).join('').split(/ +/).map(Number)
  return stolen / 100
}

function toPushes(count: number): Push[] {
  return Array.from({ length: count }, (_, index) => toPush(index))
}

/** Sends pushes and waits for the responses, as fast as possible or at a fixed rate. */
async function send(address: string, pushes: readonly Push[], rate?: number): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: rate === undefined ? Number(values.connections) : 64 })
  const times: number[] = []
  const startedAt = performance.now()
  const sendOne = async (push: Push, dueAt = performance.now()) => {
    await post(address, agent, push)
    times.push(performance.now() - dueAt)
  }
  if (rate === undefined) {
    const queue = pushes.values()
    const work = async () => {
      for (const push of queue) await sendOne(push)
    }
    await Promise.all(Array.from({ length: Number(values.connections) }, work))
  } else {
    const sending: Promise<void>[] = []
    for (const [index, push] of pushes.entries()) {
      const dueAt = startedAt + (index * 1000) / rate
      const waitMs = dueAt - performance.now()
      if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs))
      // Measure from the scheduled time, so that a slow client does not hide delays.
      sending.push(sendOne(push, Math.max(dueAt, startedAt)))
    }
    await Promise.all(sending)
  }
  const seconds = (performance.now() - startedAt) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN
  return { perSecond: pushes.length / seconds, p50: at(0.5), p99: at(0.99) }
}
