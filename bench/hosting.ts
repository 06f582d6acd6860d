import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import '../scripts/jsx-loader.ts'
import { installPackages, realPackages } from '../scripts/package-cache.ts'
import { readConfig } from '../src/app/config/app-config.ts'
import { databaseFileName } from '../src/app/open-store.ts'
import { createRunPart } from '../src/app/run/run-part.ts'
import type { RunningApp } from '../src/app/start-app.ts'
import { createLog } from '../src/app/telemetry/create-log.ts'
import { createWebhooksPart } from '../src/app/webhooks/webhooks-part.ts'
import { addProject } from '../test/store/store-fixture.ts'
import { toAppSettings } from '../test/support/fake-github/app-settings.ts'
import { startFakeGitHub } from '../test/support/fake-github/fake-github.ts'
import { fastPace } from '../test/support/github-app.ts'
import { putSite } from '../test/support/put-site.ts'

// Measures hosted sites. It compares a page with a bare `node:http` server that sends the same bytes, and times a push until its site responds.
// It also measures the growth of the database per commit, and the effect of many projects.

const help = `npm run bench -- hosting [--rounds N] [--seconds N] [--only serve|publish|scale]

  --rounds N    counted rounds (default 5, after one warm-up)
  --seconds N   length of a round of requests (default 3)

Prints Markdown tables. Client and server share the cores.`

const { startApp } = await import('../src/app/start-app.ts')

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string' },
    serve: { type: 'string' },
    projects: { type: 'string', default: '1' },
    help: { type: 'boolean', short: 'h' },
  },
})
const rounds = Number(values.rounds)
const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
const wants = (part: string) => values.only === undefined || values.only === part

/** 10,000 bytes with many repetitions, like an operation page. */
const pageText =
  `<!doctype html><title>Page</title>${Array.from({ length: 600 }, (_, index) => `<p>Line ${index}</p>`).join('')}`.slice(
    0,
    10_000,
  )

/** Like the `_headers` of a built site. */
const headersText = `/*\n  Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; frame-ancestors 'none'\n  Referrer-Policy: strict-origin-when-cross-origin\n  Permissions-Policy: camera=(), geolocation=(), microphone=()\n  Cross-Origin-Opener-Policy: same-origin\n`

if (values.help) console.log(help)
else if (values.serve === 'bare') await serveBare()
else if (values.serve === 'app') await serveApp(Number(values.projects))
else {
  console.log(
    `Node ${process.versions.node}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)} at the start, medians of ${rounds} rounds.`,
  )
  if (wants('serve')) await compareServers()
  if (wants('publish')) await timePublishing()
  if (wants('scale')) await compareSizes()
}

/** Message of a server process when it is ready. */
interface Served {
  readonly address: string
  readonly startMs: number
}

function announce(served: Served): void {
  process.send?.(served)
  process.on('disconnect', () => process.exit(0))
}

async function serveBare(): Promise<void> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': Buffer.byteLength(pageText) })
    response.end(pageText)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  announce({ address: `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`, startMs: 0 })
}

async function openApp(dataDir: string, env: Record<string, string> = {}): Promise<RunningApp> {
  const config = await readConfig({ DATA_DIR: dataDir, PORT: '0', SITES_DOMAIN: 'sites.test', LOG_LEVEL: 'silent', ...env })
  return await startApp({ config, log: createLog({ level: 'silent', format: 'json', write: () => undefined }) })
}

/** Starts an app with projects that have 20 previews of 20 files each. The first project has the measured page. */
async function serveApp(projects: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-hosting-'))
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  const first = await openApp(dataDir)
  const project = await addProject(first.context.store, { repo: 'bench' })
  await putSite(first.context.store, project, { _headers: headersText, 'index.html': pageText })
  await first.stop()
  if (projects > 1) fillStore(join(dataDir, databaseFileName), projects)
  const startedAt = performance.now()
  const app = await openApp(dataDir)
  announce({ address: app.address, startMs: performance.now() - startedAt })
  const { store } = app.context
  // Replies with the time to remove 20 builds of 20 files.
  process.on('message', async () => {
    const victim = await addProject(store, { repositoryId: 7_000_000 + Math.floor(Math.random() * 1_000_000) })
    for (let sha = 1; sha <= 20; sha++) {
      const texts = Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [`${index}.html`, `${victim.id} ${sha} ${index}`]),
      )
      await putSite(store, victim, texts, { sha, publish: false })
    }
    await store.projects.apply([{ kind: 'delete-project', projectId: victim.id }])
    const begun = performance.now()
    await store.sites.collect()
    process.send?.(performance.now() - begun)
  })
}

/** Inserts projects with builds directly, because publishing them through the app would take too long. */
function fillStore(path: string, projects: number): void {
  const database = new DatabaseSync(path)
  const statement = (text: string) => database.prepare(text)
  const addProjectRow = statement(
    "insert into projects (id, installation_id, repository_id, owner, repo, root, has_docs_config, default_branch, private, subdomain, enabled, created_at) values (?, 1, ?, 'acme', ?, '', 1, 'main', 0, ?, 1, '2026-01-01T00:00:00.000Z')",
  )
  const time = new Date().toISOString()
  const addBuild = statement("insert into site_builds values (?, ?, ?, ?, 'refs/heads/main', 'whole', 20, 20, 200000, ?)")
  const addFile = statement('insert into site_files values (?, ?, ?)')
  const addContent = statement('insert or ignore into site_contents values (?, 1000, 1000, null, null, null)')
  const addPart = statement("insert or ignore into site_parts values (?, 'identity', 0, ?)")
  const addSite = statement("insert into sites values (?, ?, ?, 'push', ?)")
  const bytes = Buffer.alloc(1_000, 'a')
  for (let number = 0; number < projects; number++) {
    database.exec('begin')
    const id = `prj_${(number + 1).toString(16).padStart(24, '0')}`
    addProjectRow.run(id, 2_000_000 + number, `filled-${number}`, `filled-${number}`)
    for (let build = 0; build < 20; build++) {
      const buildId = `b${number}-${build}`
      const updateId = `00000000-0000-7000-8000-${(number * 20 + build).toString(16).padStart(12, '0')}`
      addBuild.run(buildId, id, updateId, (number * 20 + build).toString(16).padStart(40, '0'), time)
      for (let file = 0; file < 20; file++) {
        // One of 20 files is new in each commit.
        const hash = `${number}-${file === build ? `${file}-${build}` : file}`.padEnd(64, 'x')
        addContent.run(hash)
        addPart.run(hash, bytes)
        addFile.run(buildId, `page-${file}/index.html`, hash)
      }
      if (build === 19) addSite.run(id, buildId, time, updateId)
    }
    database.exec('commit')
  }
  database.close()
}

interface Server {
  readonly child: ChildProcess
  readonly served: Served
}

async function start(what: 'bare' | 'app', projects = 1): Promise<Server> {
  const child = fork(import.meta.filename, ['--serve', what, '--projects', String(projects)])
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The server \`${what}\` ended before it was ready`)
  })
  const [served] = (await Promise.race([once(child, 'message'), ended])) as [Served] // Sent by `announce`.
  ended.catch(() => undefined)
  return { child, served }
}

async function stop({ child }: Server): Promise<void> {
  child.disconnect()
  await once(child, 'exit')
}

interface Load {
  readonly perSecond: number
  readonly p99: number
}

async function load({ served }: Server): Promise<Load> {
  const result = await autocannon({
    url: `${served.address}/`,
    connections: 20,
    duration: Number(values.seconds),
    headers: { host: 'acme-bench.sites.test' },
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} errors`)
  return { perSecond: result.requests.average, p99: result.latency.p99 }
}

/** Measures the servers in turn, so that a change of the machine's load affects all of them. */
async function loadInTurns(servers: readonly Server[]): Promise<Load[]> {
  const loads: Load[][] = servers.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, server] of servers.entries()) {
      const result = await load(server)
      if (round > 0) loads[index]?.push(result)
    }
  }
  return loads.map((all) => ({ perSecond: median(all.map((one) => one.perSecond)), p99: median(all.map((one) => one.p99)) }))
}

async function compareServers(): Promise<void> {
  const servers = [await start('bare'), await start('app')]
  const [bare, app] = await loadInTurns(servers)
  for (const server of servers) await stop(server)
  if (!bare || !app) return
  console.log('\n| page of 10 kB | requests/s | ÷ bare | p99 ms | ÷ bare |\n| --- | ---: | ---: | ---: | ---: |')
  console.log(`| bare \`node:http\`, the bytes in memory | ${bare.perSecond.toFixed(0)} | 1.00 | ${bare.p99} | 1.0 |`)
  console.log(
    `| **site from the store** | ${app.perSecond.toFixed(0)} | ${(app.perSecond / bare.perSecond).toFixed(2)} | ${app.p99} | ${(app.p99 / bare.p99).toFixed(1)} |`,
  )
}

async function compareSizes(): Promise<void> {
  const servers = [await start('app'), await start('app', 1_000)]
  const loads = await loadInTurns(servers)
  const collections: number[][] = servers.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, { child }] of servers.entries()) {
      child.send('collect')
      const [ms] = (await once(child, 'message')) as [number] // Sent by the server.
      collections[index]?.push(ms)
    }
  }
  console.log(
    '\n| projects with 20 previews | start ms | requests/s | p99 ms | collect 20 builds ms |\n| ---: | ---: | ---: | ---: | ---: |',
  )
  for (const [index, { served }] of servers.entries()) {
    const { perSecond = 0, p99 = 0 } = loads[index] ?? {}
    const cells = [
      index === 0 ? 1 : 1_000,
      served.startMs.toFixed(0),
      perSecond.toFixed(0),
      p99,
      median(collections[index] ?? []).toFixed(0),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
  for (const server of servers) await stop(server)
}

/** Time from the push to the first response with the new text. */
async function timePublishing(): Promise<void> {
  const example = readFolder(join(import.meta.dirname, '../examples/petstore'))
  const changeExample = (round: number) => ({
    'openapi.yaml': example['openapi.yaml']?.replace(/summary: .*/, `summary: Round ${round}`) ?? '',
  })
  const github = readFileSync(
    join(installPackages('real', realPackages), '@octokit/openapi/generated/api.github.com.json'),
    'utf8',
  )
  const config = JSON.stringify({ name: 'GitHub', navigation: { groups: [{ group: 'API', openapi: 'openapi.json' }] } })
  const changeGitHub = (round: number) => ({
    'openapi.json': github.replace(
      '"description": "Get Hypermedia links',
      `"description": "Round ${round}: get Hypermedia links`,
    ),
  })
  console.log(
    '\n| push to published | files | first s | next s | its CPU s | made bytes that changed | bytes stored | ÷ changed |',
  )
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
  await timePushes('the example', example, changeExample)
  await timePushes("GitHub's description, one operation changed", { 'docs.json': config, 'openapi.json': github }, changeGitHub)
}

async function timePushes(
  label: string,
  files: Readonly<Record<string, string>>,
  change: (round: number) => Record<string, string>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-hosting-'))
  const github = await startFakeGitHub()
  const config = await readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    SITES_DOMAIN: 'sites.test',
    ...toAppSettings(github),
  })
  const log = createLog({ level: 'warn', format: 'text', write: (line) => process.stderr.write(line) })
  const app = await startApp({ config, log, parts: [createWebhooksPart(), createRunPart()], pace: fastPace })
  github.webhookUrl = `${app.address}/api/github/webhooks`
  const { store } = app.context
  try {
    const repository = github.createRepository('acme/bench', { files })
    const publish = async (changed: Record<string, string>) => {
      const startedAt = performance.now()
      const { sha } = await repository.push({ files: changed })
      const path = `/`
      const host = `acme-bench--${sha.slice(0, 12)}.sites.test`
      while ((await ask(app.address, host, path)) !== 200) {
        await new Promise((resolve) => setTimeout(resolve, 10))
        const [project] = await store.projects.list()
        const failed = project && (await store.statuses.list(project.id, { sha, status: 'failure' }))?.updates[0]
        if (failed) throw new Error(failed.update.logs.join('\n'))
      }
      return (performance.now() - startedAt) / 1000
    }
    const first = await publish({ 'note.txt': 'first' })
    const times: number[] = []
    /** CPU time of all threads, including the fake GitHub and the client. */
    const cpuTimes: number[] = []
    const growths: { readonly changed: number; readonly stored: number; readonly files: number }[] = []
    for (let round = 1; round <= rounds; round++) {
      const before = readSizes(dataDir)
      const { sizeBytes } = await store.sites.sizes()
      const cpu = process.cpuUsage()
      times.push(await publish(change(round)))
      const { user, system } = process.cpuUsage(cpu)
      cpuTimes.push((user + system) / 1e6)
      await new Promise((resolve) => setTimeout(resolve, 300))
      const after = readSizes(dataDir)
      const [project] = await store.projects.list()
      const [build] = await store.sites.list(project?.id ?? '')
      growths.push({
        changed: (await store.sites.sizes()).sizeBytes - sizeBytes,
        stored: after - before,
        files: build?.fileCount ?? 0,
      })
    }
    const [changed, stored] = [median(growths.map((one) => one.changed)), median(growths.map((one) => one.stored))]
    const cells = [
      label,
      growths[0]?.files,
      first.toFixed(1),
      median(times).toFixed(1),
      median(cpuTimes).toFixed(1),
      changed,
      stored,
      (stored / changed).toFixed(2),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  } finally {
    await app.stop()
    await github.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Used bytes of the database. */
function readSizes(dataDir: string): number {
  const database = new DatabaseSync(join(dataDir, databaseFileName), { readOnly: true })
  const read = (name: string) => Number(database.prepare(`pragma ${name}`).get()?.[name])
  const used = (read('page_count') - read('freelist_count')) * read('page_size')
  database.close()
  return used
}

async function ask(address: string, host: string, path: string): Promise<number> {
  const { port } = new URL(address)
  return await new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers: { Host: host } }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', reject)
    sent.end()
  })
}

function readFolder(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name))
  return Object.fromEntries(names.map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')]))
}
