import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { webhookPath } from '../src/app/base/manifest.ts'
import { toAppSettings } from '../test/support/fake-github/app-settings.ts'
import { type FakeGitHub, startFakeGitHub } from '../test/support/fake-github/fake-github.ts'
import type { FakeRepository } from '../test/support/fake-github/fake-repository.ts'
import { readTree } from '../test/support/read-tree.ts'
import { startActionRunner } from './action-runs.ts'
import { findBase, prepareTree } from './base-tree.ts'
import { makeLargeDocument } from './large-document.ts'
import { AppProcess, appProgramOf, runAppCommand } from './load/app-processes.ts'
import { measure, median } from './measure.ts'

// Compares this code with the code before the change: runs both in turn, and prints the medians of their CPU times and the ratio.

const help = `npm run bench:quick -- [--base REV] [--only NAME]

Builds the code before the change below build/base once, and runs both in turn (A B A B). Takes about 4 minutes on two idle cores.

  --base REV   the commit to compare with. Default: the last commit on \`main\` that this branch contains. On \`main\`, HEAD if something
               is not committed, otherwise the commit before HEAD
  --only NAME  only the scenarios whose name contains NAME

Smaller is better. The exit code is 0 whatever the figures are.`

/** Scenarios that are slower by more than this are listed at the end. Two runs of the same code differ by less. */
const tolerance = 0.1

const { values } = parseArgs({
  options: { base: { type: 'string' }, only: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}

/** Runs a scenario once with the code of a tree. Returns its cost. */
type Run = () => number | Promise<number>

interface Scenario {
  readonly unit: 'CPU ms' | 'CPU µs per request' | 'bytes'
  /** Counted runs of each tree, after one that is not counted. */
  readonly runs: number
  /** Called once for each tree. `end` is called after the last run of both. */
  prepare(tree: string, work: string): Run | Promise<{ readonly run: Run; readonly end: () => Promise<void> }>
}

const root = join(import.meta.dirname, '..')
const small = makeLargeDocument(3)
const large = makeLargeDocument(1_200)
let schemas = 0
/** Every tenth schema has another enum value. */
const earlier = large.replaceAll('"draft"', (value) => (schemas++ % 10 === 0 ? '"new"' : value))

const scenarios: Readonly<Record<string, Scenario>> = {
  'check, 3 operations': {
    unit: 'CPU ms',
    runs: 15,
    prepare: (...at) => prepareCommand(...at, { 'a.json': small }, 'check', 'a.json'),
  },
  'check, 1,200 operations': {
    unit: 'CPU ms',
    runs: 7,
    prepare: (...at) => prepareCommand(...at, { 'a.json': large }, 'check', 'a.json'),
  },
  'changes, 1,200 operations': {
    unit: 'CPU ms',
    runs: 5,
    prepare: (...at) =>
      prepareCommand(...at, { 'a.json': earlier, 'b.json': large }, 'changes', 'a.json', 'b.json', '--format=json'),
  },
  'update, nothing to do': { unit: 'CPU ms', runs: 5, prepare: prepareUpdate },
  'build, complete': { unit: 'CPU ms', runs: 3, prepare: (tree, work) => prepareBuild(tree, work, 'complete') },
  'build, one change': { unit: 'CPU ms', runs: 5, prepare: (tree, work) => prepareBuild(tree, work, 'one change') },
  'Action, nothing to do': { unit: 'CPU ms', runs: 5, prepare: prepareAction },
  'app, check a push': { unit: 'CPU ms', runs: 5, prepare: (tree, work) => prepareApp(tree, work, checkPushes) },
  'app, status': { unit: 'CPU µs per request', runs: 5, prepare: (tree, work) => prepareApp(tree, work, readStatus) },
  'playground, until a response': { unit: 'bytes', runs: 1, prepare: (tree) => () => weighPlayground(tree) },
}

const names = Object.keys(scenarios).filter((name) => !values.only || name.includes(values.only))
if (names.length === 0) {
  console.error(`Unexpected name \`${values.only}\`, expected a part of: ${Object.keys(scenarios).join('; ')}`)
  process.exitCode = 2
} else await compare()

async function compare(): Promise<void> {
  const { commit, reason } = findBase(values.base)
  console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model}`)
  console.log(`Before: ${commit.slice(0, 12)} (${reason})\n`)
  showProgress('build of the code before the change')
  const trees = [prepareTree(commit), root] as const
  console.log('| scenario | unit | before | now | now ÷ before |\n| --- | --- | ---: | ---: | ---: |')
  const slower: string[] = []
  for (const [index, name] of names.entries()) {
    const scenario = scenarios[name]
    if (!scenario) continue
    showProgress(`${index + 1} of ${names.length}: ${name}`)
    const [before, now] = await measureInTurn(scenario, trees)
    const ratio = now / before
    showProgress('')
    console.log(`| ${[name, scenario.unit, round(before), round(now), ratio.toFixed(2)].join(' | ')} |`)
    if (ratio > 1 + tolerance) slower.push(`${name} (${ratio.toFixed(2)})`)
  }
  console.log(
    `\n${slower.length === 0 ? 'Nothing is' : `${slower.join(', ')}:`} more than ${tolerance * 100} % worse than before.`,
  )
}

/** The medians of both trees, which run in turn, so that a slow phase of the machine affects both. */
async function measureInTurn(scenario: Scenario, trees: readonly [string, string]): Promise<readonly [number, number]> {
  const work = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-'))
  const ends: (() => Promise<void>)[] = []
  try {
    const sides: { readonly run: Run; readonly costs: number[] }[] = []
    for (const [index, tree] of trees.entries()) {
      const own = join(work, String(index))
      mkdirSync(own)
      const prepared = await scenario.prepare(tree, own)
      if (typeof prepared !== 'function') ends.push(prepared.end)
      sides.push({ run: typeof prepared === 'function' ? prepared : prepared.run, costs: [] })
    }
    for (let run = 0; run <= scenario.runs; run++) {
      for (const { run: runOnce, costs } of sides) {
        const cost = await runOnce()
        // The first run is a warm-up.
        if (run > 0) costs.push(cost)
      }
    }
    const [before, now] = sides.map(({ costs }) => median(costs))
    return [before ?? Number.NaN, now ?? Number.NaN]
  } finally {
    for (const end of ends) await end()
    rmSync(work, { recursive: true, force: true, maxRetries: 3 })
  }
}

function runCommand(tree: string, folder: string, work: string, args: readonly string[]): number {
  const command = { label: args[0] ?? '', args: [join(tree, 'bin/openapi-pages.cjs'), ...args], folder }
  const { cpuMs, exitCode, stderr } = measure({ ...command, environment: { XDG_CACHE_HOME: join(work, 'cache') } }, work)
  if (exitCode !== 0) throw new Error(`\`${args.join(' ')}\` of ${tree} failed: ${stderr}`)
  return cpuMs
}

function prepareCommand(tree: string, work: string, files: Readonly<Record<string, string>>, ...args: readonly string[]): Run {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text)
  return () => runCommand(tree, work, work, args)
}

function prepareUpdate(tree: string, work: string): Run {
  const folder = makeDocsRoot(work, makeLargeDocument(600))
  runCommand(tree, folder, work, ['update', '.'])
  return () => runCommand(tree, folder, work, ['update', '.'])
}

function prepareBuild(tree: string, work: string, kind: 'complete' | 'one change'): Run {
  const document = makeLargeDocument(200)
  const folder = makeDocsRoot(work, document)
  const build = () => runCommand(tree, folder, work, ['build', '.', '--boundary', '.', '-o', join(work, 'site')])
  let runs = 0
  return () => {
    if (kind === 'complete') for (const name of ['cache', 'site']) rmSync(join(work, name), { recursive: true, force: true })
    // Keep the summary: it appears in the sidebar of every page.
    else writeFileSync(join(folder, 'openapi.json'), document.replace('**thing 7** as', `**thing 7** for time ${runs++} as`))
    return build()
  }
}

async function prepareAction(tree: string, work: string) {
  const runner = await startActionRunner(join(tree, 'dist/action/index.js'), work)
  const repository = runner.createRepository(join(root, 'examples/petstore'))
  // The first run commits the pages, so the others have nothing to do.
  await runner.run(repository)
  return { run: async () => (await runner.run(repository)).cpuMs, end: () => runner.close() }
}

/** An app with one project, whose first push was checked. */
interface CheckingApp {
  readonly app: AppProcess
  readonly github: FakeGitHub
  readonly repository: FakeRepository
  readonly token: string
  readonly projectId: string
}

async function prepareApp(tree: string, work: string, run: (app: CheckingApp) => Promise<number>) {
  const github = await startFakeGitHub()
  const environment = {
    ...toAppSettings(github),
    SITES_DOMAIN: 'off',
    TOKEN_REQUESTS_PER_MINUTE: '1000000',
    ADDRESS_REQUESTS_PER_MINUTE: '1000000',
    INSTALLATION_CPU_MINUTES: '10000',
  }
  const program = appProgramOf(tree)
  const app = await AppProcess.start({ name: 'app', role: 'all', folder: work, environment, program })
  const end = async () => {
    await app.kill('SIGTERM')
    await github.close()
  }
  try {
    github.webhookUrl = `http://127.0.0.1:${app.port}${webhookPath}`
    const repository = github.createRepository('acme/docs', { files: readTree(join(root, 'examples/petstore')) })
    await pushAndWait(repository, 'First')
    const command = (...args: readonly string[]) => runAppCommand(program, { ...environment, DATA_DIR: join(work, 'app') }, args)
    const [projectId = ''] = /prj_[0-9a-f]{24}/.exec(command('project', 'list')) ?? []
    const [token = ''] = /opk_\S+/.exec(command('token', 'create', '--project', projectId, '--name', 'bench')) ?? []
    const checking = { app, github, repository, token, projectId }
    return { run: () => run(checking), end }
  } catch (error) {
    await end()
    throw error
  }
}

async function pushAndWait(repository: FakeRepository, text: string): Promise<void> {
  const before = repository.checkRuns.length
  await repository.push({ files: { 'new.mdx': `# ${text}\n` } })
  const giveUpAt = performance.now() + 60_000
  while (repository.checkRuns.length === before || repository.checkRuns.some(({ conclusion }) => !conclusion)) {
    if (performance.now() > giveUpAt) throw new Error('The app did not check a push within a minute')
    await sleep(20)
  }
}

/** CPU time of the app and its child processes for each of five pushes. */
async function checkPushes({ app, repository }: CheckingApp): Promise<number> {
  const count = 5
  const before = app.cpuMs()
  for (let index = 0; index < count; index++) await pushAndWait(repository, String(before + index))
  return (app.cpuMs() - before) / count
}

/** Enough requests for the ticks of 10 ms in which the system counts CPU time. */
async function readStatus({ app, token, projectId }: CheckingApp): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  const get = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` }
      const sent = request({ host: '127.0.0.1', port: app.port, path: `/v1/project/${path}`, agent, headers }, (response) => {
        let text = ''
        response.on('data', (data) => (text += data))
        response.on('end', () =>
          response.statusCode === 200 ? resolve(text) : reject(new Error(`${path}: ${response.statusCode}`)),
        )
      })
      sent.on('error', reject).end()
    })
  const { updates } = JSON.parse(await get(`${projectId}/updates`)) as { readonly updates: readonly { readonly _id: string }[] }
  const path = `update-status/${updates[0]?._id}`
  const requests = 10_000
  const before = app.cpuMs()
  const worker = async () => {
    for (let index = 0; index < requests / 20; index++) await get(path)
  }
  await Promise.all(Array.from({ length: 20 }, worker))
  agent.destroy()
  return ((app.cpuMs() - before) * 1_000) / requests
}

/** Bytes loaded until a response is shown, including the stylesheet. */
function weighPlayground(tree: string): number {
  const folder = join(tree, 'build/site')
  const files = new Set(['playground.css'])
  const collect = (name: string) => {
    if (files.has(name)) return
    files.add(name)
    for (const [, imported = ''] of readFileSync(join(folder, name), 'utf8').matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g))
      collect(imported)
  }
  // The parts that a click and a response load. A tree may have fewer of them.
  const parts = readdirSync(folder).filter((name) => /^(?:open-playground|output|to-curl)-\w{8}\.js$/.test(name))
  for (const part of parts) collect(part)
  return [...files].reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length, 0)
}

function makeDocsRoot(work: string, document: string): string {
  const folder = join(work, 'docs')
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

function round(number: number): number {
  return number < 1_000 ? Number(number.toPrecision(3)) : Math.round(number)
}

function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
  else if (text) process.stderr.write(`${text}\n`)
}
