import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { readConfig } from '../src/app/app-config.ts'
import { createLog } from '../src/app/create-log.ts'
import { databaseFileName } from '../src/app/open-store.ts'
import { createRunPart } from '../src/app/run/work-queue.ts'
import { startApp } from '../src/app/start-app.ts'
import { defaultCatchUpTimes } from '../src/app/webhooks/catch-up.ts'
import { createWebhooksPart } from '../src/app/webhooks/webhooks-part.ts'
import { openPostgresStore } from '../src/store/open-postgres-store.ts'
import { openSqliteStore } from '../src/store/open-sqlite-store.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { median } from './measure.ts'
import { type Push, post, toPush, toWebhookEnvironment, webhookSecret } from './pushes.ts'
import { announce, startServer } from './served.ts'

// Times webhooks over HTTP: from the first byte of a signed push to the response. By then, its record and its job are on disk.

const help = `node bench/webhooks.ts [--rounds N] [--deliveries N] [--connections N] [--rate N] [--runs] [--postgres]

  --rounds N       counted rounds (default 5, after one warm-up)
  --deliveries N   pushes per round (default 3,000), to 100 repositories
  --connections N  concurrent pushes. Default: 16
  --rate N         pushes per second while response times are measured (default 500)
  --runs           run the workers. By default, jobs stay in the queue
  --postgres       store in a private PostgreSQL server instead of SQLite

Prints a Markdown table. The client shares the cores with the app.`

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
    for (let round = 0; round <= rounds; round++) {
      const most = await send(address, count)
      const steady = await send(address, Math.min(count, Number(values.rate) * 3), Number(values.rate))
      // The first round is a warm-up.
      if (round === 0) continue
      full.push(most)
      paced.push(steady)
    }
    const store = await (url === undefined
      ? openSqliteStore({ path: join(folder, databaseFileName) })
      : openPostgresStore({ url }))
    const { waiting } = await store.queue.stats()
    await store.close()
    const sent = (rounds + 1) * (count + Math.min(count, Number(values.rate) * 3))
    console.log(`Node ${process.versions.node}, ${cpus().length} cores shared with the client, medians of ${rounds} rounds.\n`)
    console.log('| webhooks, push of 7 KB | per second | p50 ms | p99 ms |')
    console.log('| --- | ---: | ---: | ---: |')
    console.log(`| as many as go, ${values.connections} at once | ${toCells(full)} |`)
    console.log(`| ${values.rate} a second | ${toCells(paced)} |`)
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

/** Sends pushes and waits for the responses, as fast as possible or at a fixed rate. */
async function send(address: string, count: number, rate?: number): Promise<Round> {
  const pushes = Array.from({ length: count }, (_, index) => toPush(index))
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
  return { perSecond: count / seconds, p50: at(0.5), p99: at(0.99) }
}
