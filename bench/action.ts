import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { installPackages, realPackages } from '../scripts/package-cache.ts'
import { runAsGitHub } from '../scripts/run-as-github.mjs'
import { isObject } from '../src/text/is-object.ts'
import { startFakeGitHub } from '../test/support/fake-github/fake-github.ts'
import type { FakeRepository } from '../test/support/fake-github/fake-repository.ts'

// Times the committed bundle of the Action as a runner starts it: a push with nothing to do, the first run that writes every page,
// and the time to the first line of the log. Calls of GitHub's API are counted by a GitHub of our own.

const { values } = parseArgs({ options: { runs: { type: 'string', default: '7' }, bundle: { type: 'string' } } })
const root = join(import.meta.dirname, '..')
const bundle = values.bundle ?? join(root, 'dist/action/index.js')
const work = mkdtempSync(join(tmpdir(), 'openapi-pages-bench-'))

interface ActionFile {
  readonly inputs: { readonly [name: string]: { readonly default?: string } }
}

// The file is ours, and a test parses it strictly.
const { inputs } = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as ActionFile
const github = await startFakeGitHub()
try {
  console.log('| what | CPU ms | wall ms | first line: wall ms | CPU ms | reads | writes | said |')
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |')
  const petstore = join(work, 'petstore')
  cpSync(join(root, 'examples/petstore'), petstore, { recursive: true })
  const large = join(work, 'large')
  mkdirSync(large)
  cpSync(
    join(installPackages('real', realPackages), '@octokit/openapi/generated/api.github.com.json'),
    join(large, 'github.json'),
  )
  writeFileSync(
    join(large, 'docs.json'),
    JSON.stringify({
      theme: 'mint',
      name: 'GitHub',
      colors: { primary: '#0F766E' },
      navigation: { tabs: [{ tab: 'API', openapi: 'github.json' }] },
    }),
  )
  console.log(floor())
  for (const [name, folder] of [
    ['example (8 operations)', petstore],
    ['GitHub, 13 MB (1,223 operations)', large],
  ] as const) {
    const remote = makeRemote(folder)
    // What the first run commits is what the others find.
    console.log(await measure(remote, `${name}, first run`, 1))
    console.log(await measure(remote, `${name}, nothing to do`, Number(values.runs)))
  }
} finally {
  await github.close()
  rmSync(work, { recursive: true, force: true, maxRetries: 3 })
}

function git(folder: string, ...args: string[]): string {
  const env = { PATH: process.env['PATH'], HOME: work, GIT_CONFIG_NOSYSTEM: '1' }
  const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com']
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8', env }).trim()
}

/** A repository on the GitHub of our own, with the files of a folder in its first commit. */
function makeRemote(folder: string): FakeRepository {
  const remote = `${folder}.git`
  git(work, 'init', '--quiet', '--bare', '--initial-branch=main', remote)
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message=Start')
  git(folder, 'push', '--quiet', remote, 'HEAD:refs/heads/main')
  return github.createRepository(`bench/${basename(folder)}`, { bare: remote })
}

/** What the start of Node alone takes here and now: times of a busy machine say little without it. */
function floor(): string {
  const times = Array.from({ length: 9 }, () => {
    const startedAt = performance.now()
    execFileSync(process.execPath, ['-e', '0'])
    return performance.now() - startedAt
  })
  return `| \`node -e 0\` | | ${median(times).toFixed(0)} | | | | | |`
}

/** Runs the bundle so often, each time in a new checkout, and gives a row of medians. */
async function measure(repository: FakeRepository, name: string, runs: number): Promise<string> {
  const results: {
    cpuMs: number
    wallMs: number
    firstLineMs: number
    firstLineCpuMs: number
    reads: number
    writes: number
    said: string
  }[] = []
  for (let run = 0; run < runs; run++) {
    const checkout = mkdtempSync(join(work, 'checkout-'))
    git(work, 'clone', '--quiet', '--depth=1', `file://${repository.barePath}`, checkout)
    // From here on over HTTP, by a git that this process does not wait for.
    git(checkout, 'remote', 'set-url', 'origin', `${github.url}/${repository.fullName}.git`)
    const token = github.createJobToken(repository, { contents: 'write', pull_requests: 'write' })
    const usage = join(work, 'usage')
    const hook = join(work, 'hook.cjs')
    writeFileSync(hook, usageHook(usage))
    const before = github.requests.length
    const result = await runAsGitHub({
      bundle,
      workspace: checkout,
      temporaryFolder: work,
      event: {
        name: 'push',
        ref: 'refs/heads/main',
        sha: git(checkout, 'rev-parse', 'HEAD'),
        payload: { ref: 'refs/heads/main', repository: { full_name: repository.fullName } },
      },
      inputs: Object.fromEntries(
        Object.entries(inputs).map(([input, { default: value = '' }]) => [input, value.startsWith('${{') ? token : value]),
      ),
      environment: {
        GITHUB_API_URL: github.url,
        GITHUB_GRAPHQL_URL: `${github.url}/graphql`,
        GITHUB_SERVER_URL: github.url,
        GITHUB_REPOSITORY: repository.fullName,
      },
      wrap: ([node = '', ...args]) => [node, '--require', hook, ...args],
    })
    if (result.code !== 0) throw new Error(`The run ended with ${result.code}:\n${result.stdout}${result.stderr}`)
    const [cpuMs = 0, firstLineMs = 0, firstLineCpuMs = 0] = readFileSync(usage, 'utf8').split(' ').map(Number)
    const calls = github.requests.slice(before)
    const reads = calls.filter(({ method, body }) => method === 'GET' || /^\s*query\b/.test(toQuery(body))).length
    const { committed, 'pages-added': added } = result.outputs
    const said = committed === 'true' ? `${added} pages committed` : 'up to date'
    results.push({ cpuMs, wallMs: result.tookMs, firstLineMs, firstLineCpuMs, reads, writes: calls.length - reads, said })
    rmSync(checkout, { recursive: true, force: true })
  }
  const of = (field: 'cpuMs' | 'wallMs' | 'firstLineMs' | 'firstLineCpuMs' | 'reads' | 'writes') =>
    median(results.map((result) => result[field]))
  const cells = [of('cpuMs'), of('wallMs'), of('firstLineMs'), of('firstLineCpuMs'), of('reads'), of('writes')].map((number) =>
    number.toFixed(0),
  )
  return `| ${[name, ...cells, results.at(-1)?.said].join(' | ')} |`
}

function toQuery(body: unknown): string {
  return isObject(body) && typeof body['query'] === 'string' ? body['query'] : ''
}

/** CPU time of the process itself, without git's, and both times to the first line that it writes. */
function usageHook(file: string): string {
  return `const { performance } = require('node:perf_hooks')
const cpu = () => { const { userCPUTime, systemCPUTime } = process.resourceUsage(); return (userCPUTime + systemCPUTime) / 1e3 }
let first
const write = process.stdout.write
process.stdout.write = function (...args) { first ??= performance.now() + ' ' + cpu(); return write.apply(this, args) }
process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(file)}, cpu() + ' ' + first))`
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
