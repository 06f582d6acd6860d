import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import autocannon from 'autocannon'
import { startActionRunner } from './action-runs.ts'
import { makeLargeDocument } from './large-document.ts'
import { type Command, measure, median } from './measure.ts'
import { post, toPush, toWebhookEnvironment } from './pushes.ts'
import { startServer } from './served.ts'

// Measures one figure per performance promise and compares it with the committed one.

const help = `npm run bench:quick -- [--only NAME]

Measures one figure per promise, writes them to bench/last.json and shows which are more than 20 % worse than the committed ones.
Nothing but the development dependencies is needed. Takes up to 3 minutes on two idle cores.

  --only NAME  only the promises whose name contains NAME; bench/last.json is not written

All figures are ratios to the least that a program on Node needs for the same work, measured in turn with it, except for the size
of the playground in bytes. Smaller is better. The exit code is 0 whatever the figures are.`

/** Figures that exceed the committed one by more than this are reported. */
const tolerance = 0.2

interface Figure {
  readonly value: number
  readonly unit: 'ratio' | 'bytes'
  /** The measured values, as `ours ÷ minimum`. */
  readonly measured: string
}

/** The content of `bench/last.json`. */
interface Results {
  /** Day of the measurement, `YYYY-MM-DD`. */
  readonly date: string
  readonly node: string
  readonly cpu: string
  readonly cores: number
  readonly figures: Readonly<Record<string, Figure>>
}

const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
if (values.help) {
  console.log(help)
  process.exit(0)
}

const root = join(import.meta.dirname, '..')
const bin = join(root, 'bin/openapi-pages.cjs')
const lastFile = join(import.meta.dirname, 'last.json')
const work = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-'))

const promises: Readonly<Record<string, () => Figure | Promise<Figure>>> = {
  'check small': measureSmallCheck,
  'check large': measureLargeCheck,
  'changes large': measureChanges,
  'update, nothing to do': measureUpdate,
  'build full': () => measureBuild('full'),
  'build incremental': () => measureBuild('incremental'),
  'action start': measureAction,
  'status GET': measureStatus,
  'webhook to record': measureWebhook,
  'playground size': measurePlayground,
}

try {
  const names = Object.keys(promises).filter((name) => !values.only || name.includes(values.only))
  if (names.length === 0) {
    console.error(`Unexpected name \`${values.only}\`, expected a part of: ${Object.keys(promises).join('; ')}`)
    process.exitCode = 2
  } else {
    const figures: Record<string, Figure> = {}
    for (const [index, name] of names.entries()) {
      showProgress(`${index + 1} of ${names.length}: ${name}`)
      const figure = await promises[name]?.()
      if (figure) figures[name] = figure
    }
    showProgress('')
    report(figures)
    if (!values.only) writeFileSync(lastFile, `${JSON.stringify(toResults(figures), undefined, 2)}\n`)
  }
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 3 })
}

function measureSmallCheck(): Figure {
  const path = writeOnce('small.json', () => makeLargeDocument(3))
  return compareCommands({ label: 'check', args: [bin, 'check', path] }, { label: 'node -e 0', args: ['-e', '0'] }, 21)
}

function measureLargeCheck(): Figure {
  const path = writeOnce('large.json', () => makeLargeDocument(1_200))
  return compareCommands({ label: 'check', args: [bin, 'check', path] }, toParse(path), 9)
}

/** Every tenth schema has another enum value. */
function measureChanges(): Figure {
  const revision = writeOnce('large.json', () => makeLargeDocument(1_200))
  let schemas = 0
  const base = writeOnce('large-base.json', () =>
    makeLargeDocument(1_200).replaceAll('"draft"', (value) => (schemas++ % 10 === 0 ? '"new"' : value)),
  )
  const changes = { label: 'changes', args: [bin, 'changes', base, revision, '--format', 'json'] }
  return compareCommands(changes, { label: 'check', args: [bin, 'check', revision] }, 9)
}

function measureUpdate(): Figure {
  const folder = makeDocsRoot('update', makeLargeDocument(600))
  execFileSync(process.execPath, [bin, 'update', folder], { stdio: 'ignore' })
  const update = { label: 'update', args: [bin, 'update', folder] }
  return compareCommands(update, toParse(join(folder, 'openapi.json')), 7)
}

function measureBuild(kind: 'full' | 'incremental'): Figure {
  const document = makeLargeDocument(200)
  const folder = makeDocsRoot(kind, document)
  const environment = { XDG_CACHE_HOME: join(work, `${kind}-cache`) }
  const build = (output: string): Command => ({
    label: `${kind} build`,
    args: [bin, 'build', folder, '--boundary', folder, '-o', join(work, output)],
    environment,
  })
  const parse = toParse(writeOnce('large.json', () => makeLargeDocument(1_200)))
  let runs = 0
  if (kind === 'full')
    return compareCommands(
      () => {
        // Remove the output, because a build over an earlier one is incremental.
        rmSync(environment.XDG_CACHE_HOME, { recursive: true, force: true })
        return build(`full-${runs++}`)
      },
      parse,
      3,
    )
  return compareCommands(
    () => {
      // Keep the summary: it appears in the sidebar of every page.
      writeFileSync(join(folder, 'openapi.json'), document.replace('**thing 7** as', `**thing 7** for time ${runs++} as`))
      return build('incremental-site')
    },
    parse,
    5,
  )
}

async function measureAction(): Promise<Figure> {
  const runner = await startActionRunner(join(root, 'dist/action/index.js'), work)
  try {
    const repository = runner.createRepository(join(root, 'examples/petstore'))
    // The first run commits the pages, so the others have nothing to do.
    await runner.run(repository)
    const ours: number[] = []
    const floor: number[] = []
    for (let run = 0; run < 9; run++) {
      ours.push((await runner.run(repository)).cpuMs)
      floor.push(measure({ label: '', args: ['-e', '0'] }, work).cpuMs)
    }
    return toRatio(Math.min(...ours), Math.min(...floor), 'ms of CPU: Action with nothing to do ÷ node -e 0')
  } finally {
    await runner.close()
  }
}

interface Served {
  readonly address: string
  readonly token: string
  readonly statusId: string
}

async function measureStatus(): Promise<Figure> {
  const script = join(import.meta.dirname, 'app.ts')
  const [app, bare] = await Promise.all([
    startServer<Served>(script, ['--serve', 'app']),
    startServer<Served>(script, ['--serve', 'bare']),
  ])
  try {
    const ours: number[] = []
    const floor: number[] = []
    for (let round = 0; round < 6; round++) {
      for (const [server, costs] of [
        [app, ours],
        [bare, floor],
      ] as const) {
        const { address, token, statusId } = server.announced
        const before = await server.readCpu()
        const { requests, non2xx, errors } = await autocannon({
          url: `${address}/v1/project/update-status/${statusId}`,
          connections: 20,
          duration: 2,
          headers: { authorization: `Bearer ${token}` },
        })
        if (non2xx + errors > 0) throw new Error(`Unexpected ${non2xx} statuses and ${errors} errors, expected only 200`)
        // The first round is a warm-up.
        if (round > 0) costs.push(((await server.readCpu()) - before) / requests.total)
      }
    }
    return toRatio(median(ours), median(floor), 'µs of CPU per request: status GET ÷ bare node:http server with the same bytes')
  } finally {
    await Promise.all([app.stop(), bare.stop()])
  }
}

async function measureWebhook(): Promise<Figure> {
  const script = join(import.meta.dirname, 'webhooks.ts')
  const environment = (name: string) => {
    mkdirSync(join(work, name))
    return toWebhookEnvironment(join(work, name))
  }
  const [app, bare] = await Promise.all([
    startServer<string>(script, ['--serve', 'app'], environment('webhook-app')),
    startServer<string>(script, ['--serve', 'bare'], environment('webhook-bare')),
  ])
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const ours: number[] = []
    const floor: number[] = []
    for (let index = 0; index < 1_500; index++) {
      for (const [server, times] of [
        [app, ours],
        [bare, floor],
      ] as const) {
        const push = toPush(index)
        const startedAt = performance.now()
        await post(server.announced, agent, push)
        // The first third is a warm-up.
        if (index >= 500) times.push(performance.now() - startedAt)
      }
    }
    const floorName = 'bare node:http server that verifies the signature and stores the body with a synced insert'
    return toRatio(median(ours), median(floor), `ms until the answer: webhook ÷ ${floorName}`)
  } finally {
    agent.destroy()
    await Promise.all([app.stop(), bare.stop()])
  }
}

/** Bytes loaded until a response is shown, including the stylesheet. */
function measurePlayground(): Figure {
  const folder = join(root, 'build/site')
  const files = new Set(['playground.css'])
  const collect = (name: string) => {
    if (files.has(name)) return
    files.add(name)
    for (const [, imported = ''] of readFileSync(join(folder, name), 'utf8').matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g))
      collect(imported)
  }
  for (const part of ['open-playground', 'output', 'to-curl']) {
    const script = readdirSync(folder).find((name) => name.replace(/-\w{8}\.js$/, '') === part)
    if (!script) throw new Error(`Cannot find the script \`${part}\` in build/site`)
    collect(script)
  }
  const bytes = [...files].reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length, 0)
  return { value: bytes, unit: 'bytes', measured: `${files.size} files, gzip` }
}

/** CPU time of whole processes in turn, so that a slow phase affects both. The minimum depends least on other load. */
function compareCommands(ours: Command | (() => Command), floor: Command, runs: number): Figure {
  const times: { readonly ours: number[]; readonly floor: number[] } = { ours: [], floor: [] }
  let label = ''
  for (let run = 0; run <= runs; run++) {
    const command = typeof ours === 'function' ? ours() : ours
    label = command.label
    const [first, second] = [measure(command, work), measure(floor, work)]
    for (const { exitCode, stderr } of [first, second]) if (exitCode !== 0) throw new Error(`${label} failed: ${stderr}`)
    // The first run is a warm-up.
    if (run === 0) continue
    times.ours.push(first.cpuMs)
    times.floor.push(second.cpuMs)
  }
  return toRatio(Math.min(...times.ours), Math.min(...times.floor), `ms of CPU: ${label} ÷ ${floor.label}`)
}

function toRatio(ours: number, floor: number, what: string): Figure {
  return { value: round(ours / floor), unit: 'ratio', measured: `${round(ours)} ÷ ${round(floor)} ${what}` }
}

function round(number: number): number {
  return Number(number.toPrecision(3))
}

function toParse(path: string): Command {
  const code = `JSON.parse(require('node:fs').readFileSync(${JSON.stringify(path)}, 'utf8'))`
  return { label: 'node with JSON.parse', args: ['-e', code] }
}

function writeOnce(name: string, makeText: () => string): string {
  const path = join(work, name)
  if (!readdirSync(work).includes(name)) writeFileSync(path, makeText())
  return path
}

function makeDocsRoot(name: string, document: string): string {
  const folder = join(work, name)
  cpSync(join(root, 'examples/petstore/index.mdx'), join(folder, 'index.mdx'), { recursive: true })
  writeFileSync(join(folder, 'openapi.json'), document)
  const navigation = {
    tabs: [
      { tab: 'Guide', pages: ['index'] },
      { tab: 'API', openapi: 'openapi.json' },
    ],
  }
  writeFileSync(join(folder, 'docs.json'), `${JSON.stringify({ name: 'Things', navigation }, undefined, 2)}\n`)
  return folder
}

function toResults(figures: Readonly<Record<string, Figure>>): Results {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    figures,
  }
}

/** Prints the figures next to the committed ones, then those that got worse. */
function report(figures: Readonly<Record<string, Figure>>): void {
  const committed = readCommitted()
  const now = toResults(figures)
  console.log(`Node ${now.node}, ${now.cores} × ${now.cpu}\n`)
  console.log('| promise | figure | committed | change | measured |\n| --- | ---: | ---: | ---: | --- |')
  const worse: string[] = []
  for (const [name, { value, measured }] of Object.entries(figures)) {
    const before = committed?.figures[name]?.value
    const change = before === undefined ? undefined : value / before - 1
    const percent = change === undefined ? '' : `${change < 0 ? '−' : '+'}${Math.abs(change * 100).toFixed(0)} %`
    console.log(`| ${[name, value, before ?? '', percent, measured].join(' | ')} |`)
    if (change !== undefined && change > tolerance) worse.push(`${name} (${percent})`)
  }
  if (!committed) console.log('\nbench/last.json is not committed yet, so there is nothing to compare with.')
  else {
    console.log(
      worse.length > 0
        ? `\nMore than ${tolerance * 100} % worse than on ${committed.date}: ${worse.join(', ')}`
        : `\nNothing is more than ${tolerance * 100} % worse than on ${committed.date}.`,
    )
    if (committed.cpu !== now.cpu || committed.cores !== now.cores || committed.node !== now.node)
      console.log(
        `The committed figures are from another machine: Node ${committed.node}, ${committed.cores} × ${committed.cpu}.`,
      )
  }
}

/** Reads the committed results from Git, so that a second run compares with the same ones. */
function readCommitted(): Results | undefined {
  try {
    const text = execFileSync('git', ['show', 'HEAD:./bench/last.json'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return JSON.parse(text) as Results // This script wrote it.
  } catch {
    return undefined
  }
}

function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
  else if (text) process.stderr.write(`${text}\n`)
}
