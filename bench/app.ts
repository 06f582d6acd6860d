import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import '../scripts/jsx-loader.ts'
import { readConfig } from '../src/app/config/app-config.ts'
import { databaseFileName } from '../src/app/open-store.ts'
import { createLog } from '../src/app/telemetry/create-log.ts'
import { finishUpdate, queueUpdate, startUpdate } from '../src/status/update-record.ts'
import { median } from './measure.ts'
import { announce, type Server, startServer } from './served.ts'

// Compares the app with a bare `node:http` server that sends the same bytes. The servers are separate processes and take turns.

const help = `npm run bench -- app [--rounds N] [--seconds N] [--records N]

  --rounds N    counted rounds of each server (default 5, after one warm-up)
  --seconds N   length of a round (default 3)
  --records N   records in the database (default 1,000). 1,000,000 should be as fast

Prints a Markdown table. The benchmark \`status\` compares SQLite with PostgreSQL.`

const { startApp } = await import('../src/app/start-app.ts')

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    records: { type: 'string', default: '1000' },
    serve: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})

interface Served {
  readonly address: string
  readonly token: string
  readonly statusId: string
  readonly statusIds: readonly string[]
  readonly projectId: string
}

if (values.help) console.log(help)
else if (values.serve === 'bare') await serveBare()
else if (values.serve === 'app') await serveApp()
else await compare()

/** About 1 KB, like the record of a push with a few files. */
function toRecord(id: string, projectId: string, subdomain: string) {
  const queued = queueUpdate({
    id,
    projectId,
    subdomain,
    createdAt: '2026-11-20T07:15:03.120Z',
    author: 'octocat',
    commit: {
      sha: 'b70d5e2a9c41e07f3f2a91c0123456789abcdef0',
      ref: 'refs/heads/main',
      message: 'Document routing rules',
      filesChanged: {
        added: ['guides/routing.mdx'],
        modified: ['docs.json', 'openapi.yaml'],
        removed: ['guides/rules-beta.mdx'],
      },
    },
    source: 'github-app-installation',
    logs: ['Reading acme/docs at b70d5e2', '1 document valid (OpenAPI 3.1.0, 64 operations)', '6 of 151 pages would change'],
  })
  return finishUpdate(startUpdate(queued, ''), {
    status: 'success',
    summary: 'Valid: 1 document, 64 operations. 6 pages would change.',
    endedAt: '2026-11-20T07:15:05.220Z',
  })
}

/** The upper limit for a Node.js server: sends the same prepared response to every request. */
async function serveBare(): Promise<void> {
  const text = JSON.stringify(toRecord('019a9fe2-0000-7000-8000-000000000000', 'prj_000000000000000000000000', 'docs'))
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) })
    response.end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  announce({ address: `http://127.0.0.1:${port}`, token: '', statusId: 'x', statusIds: ['x'], projectId: 'x' })
}

async function serveApp(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-app-'))
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  const config = await readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    TOKEN_REQUESTS_PER_MINUTE: '100000000',
    ADDRESS_REQUESTS_PER_MINUTE: '100000000',
    DATABASE_URL: process.env['DATABASE_URL'],
  })
  const log = createLog({ level: 'info', format: 'json', write: () => undefined })
  const { address, context } = await startApp({ config, log })
  const { store } = context
  await store.projects.apply([
    {
      kind: 'upsert',
      project: {
        installationId: 1,
        repositoryId: 1,
        owner: 'acme',
        repo: 'docs',
        root: '',
        hasDocsConfig: true,
        defaultBranch: 'main',
        private: false,
      },
    },
  ])
  const [project] = await store.projects.list()
  if (!project) throw new Error('No project')
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const made = await store.tokens.create({ grant: { scope: 'read', projectId: project.id }, name: 'bench', expiresAt }, 'bench')
  let statusId = ''
  for (let index = 0; index < 100; index++) {
    statusId = store.newId()
    await store.statuses.addEnded({ update: toRecord(statusId, project.id, project.subdomain), details: { trigger: 'report' } })
  }
  if (config.databaseUrl === undefined) fillStore(join(dataDir, databaseFileName), Number(values.records) - 100)
  const { updates } = (await store.statuses.list(project.id, { limit: 100 })) ?? { updates: [] }
  const statusIds = updates.map(({ update }) => update._id)
  announce({ address, token: made?.token ?? '', statusId, statusIds, projectId: project.id })
}

/** Copies the existing records with new IDs, because creating a million records through the API would take too long. */
function fillStore(path: string, count: number): void {
  if (count <= 0) return
  const database = new DatabaseSync(path)
  const columns = database.prepare('pragma table_info(updates)').all()
  const names = columns.map(({ name }) => `"${name}"`)
  const copied = names.map((name) => (name === '"id"' ? "substr(id, 1, 24) || printf('%012x', ?)" : name))
  const copy = database.prepare(
    `insert into updates (${names.join(', ')}) select ${copied.join(', ')} from updates order by id limit 1 offset ?`,
  )
  database.exec('begin')
  for (let index = 0; index < count; index++) copy.run(index, index % 100)
  database.exec('commit')
  database.close()
}

function start(what: 'bare' | 'app'): Promise<Server<Served>> {
  return startServer(import.meta.filename, ['--serve', what, '--records', values.records])
}

interface Load {
  readonly perSecond: number
  readonly p99: number
  /** Server CPU time per request. It depends less on other load than the other figures. */
  readonly cpuMicroseconds: number
}

async function load(server: Server<Served>, path: string): Promise<Load> {
  const before = await server.readCpu()
  const result = await autocannon({
    url: `${server.announced.address}${path}`,
    connections: 20,
    duration: Number(values.seconds),
    headers: { authorization: `Bearer ${server.announced.token}` },
  })
  const cpu = (await server.readCpu()) - before
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} answers were not 2xx, ${result.errors} errors`)
  return { perSecond: result.requests.average, p99: result.latency.p99, cpuMicroseconds: cpu / result.requests.total }
}

/** Time from `fork` to the first 200 response of `/readyz`. */
async function timeToReady(): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-start-'))
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const startedAt = performance.now()
  const child = fork(join(import.meta.dirname, '../bin/serve.js'), [], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'silent' },
    stdio: 'ignore',
  })
  try {
    for (;;) {
      const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
        (response) => response.ok,
        () => false,
      )
      if (ready) return performance.now() - startedAt
      if (child.exitCode !== null) throw new Error('The server ended')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  } finally {
    child.kill()
    await once(child, 'exit')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function compare(): Promise<void> {
  const [bare, app] = [await start('bare'), await start('app')]
  const { statusId, projectId } = app.announced
  const loads = [
    { name: 'bare `node:http`, the same bytes', server: bare, path: '/', records: 1 },
    { name: '**status GET**, token checked', server: app, path: `/v1/project/update-status/${statusId}`, records: 1 },
    { name: 'list, 20 records', server: app, path: `/v1/project/${projectId}/updates`, records: 20 },
    { name: 'list, 100 records', server: app, path: `/v1/project/${projectId}/updates?limit=100`, records: 100 },
  ]
  const results: Load[][] = loads.map(() => [])
  try {
    for (let round = 0; round <= Number(values.rounds); round++) {
      for (const [index, { server, path }] of loads.entries()) {
        const result = await load(server, path)
        if (round > 0) results[index]?.push(result)
      }
    }
    const starts: number[] = []
    for (let run = 0; run < 5; run++) starts.push(await timeToReady())
    const of = (index: number, field: keyof Load) => median((results[index] ?? []).map((result) => result[field]))
    console.log(
      `Node ${process.versions.node}, ${cpus().length} cores, ${Number(values.records).toLocaleString('en-US')} records, ` +
        `medians of ${values.rounds} interleaved rounds of ${values.seconds} s, 20 connections.\n`,
    )
    console.log('| what | requests/s | ÷ bare | CPU µs/request | bare ÷ CPU | p99 ms | records/s |')
    console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |')
    for (const [index, { name, records }] of loads.entries()) {
      const [perSecond, cpu] = [of(index, 'perSecond'), of(index, 'cpuMicroseconds')]
      const ratios = [(perSecond / of(0, 'perSecond')).toFixed(2), cpu.toFixed(1), (of(0, 'cpuMicroseconds') / cpu).toFixed(2)]
      console.log(
        `| ${[name, perSecond.toFixed(0), ...ratios, of(index, 'p99').toFixed(0), (perSecond * records).toFixed(0)].join(' | ')} |`,
      )
    }
    console.log(`\nStart to ready: ${median(starts).toFixed(0)} ms (median of ${starts.length}).`)
  } finally {
    await Promise.all([bare.stop(), app.stop()])
  }
}
