import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { runAsGitHub } from '../scripts/run-as-github.mjs'
import { isObject } from '../src/text/json/json-values.ts'
import { type FakeGitHub, startFakeGitHub } from '../test/support/fake-github/fake-github.ts'
import type { FakeRepository } from '../test/support/fake-github/fake-repository.ts'

/** Measurements of one run of the Action. Times cover the Node.js process only, without Git. */
export interface ActionRun {
  readonly cpuMs: number
  readonly wallMs: number
  /** Until the first line of the log. */
  readonly firstLineMs: number
  readonly firstLineCpuMs: number
  /** GitHub API requests that only read. `writes` counts the others. */
  readonly reads: number
  readonly writes: number
  /** Number of committed pages, undefined if nothing was committed. */
  readonly pagesCommitted: number | undefined
}

/** Runs a bundle of the Action like a GitHub runner, against a fake GitHub. */
interface ActionRunner {
  /** Creates a repository with the files of a directory in its first commit. */
  createRepository(folder: string): FakeRepository
  /** Runs the Action for a push to `main`, in a new checkout. @throws {Error} if the run fails, with its output. */
  run(repository: FakeRepository): Promise<ActionRun>
  close(): Promise<void>
}

interface ActionFile {
  readonly inputs: { readonly [name: string]: { readonly default?: string } }
}

const root = join(import.meta.dirname, '..')

/** @param work Directory for all temporary files. */
export async function startActionRunner(bundle: string, work: string): Promise<ActionRunner> {
  const github = await startFakeGitHub()
  return {
    createRepository: (folder) => createRepository(github, folder, work),
    run: (repository) => run(github, repository, bundle, work),
    close: () => github.close(),
  }
}

function createRepository(github: FakeGitHub, folder: string, work: string): FakeRepository {
  const files = mkdtempSync(join(work, 'files-'))
  cpSync(folder, files, { recursive: true })
  const remote = join(work, `${basename(files)}.git`)
  git(work, work, 'init', '--quiet', '--bare', '--initial-branch=main', remote)
  git(work, files, 'init', '--quiet', '--initial-branch=main')
  git(work, files, 'add', '--all')
  git(work, files, 'commit', '--quiet', '--message=Start')
  git(work, files, 'push', '--quiet', remote, 'HEAD:refs/heads/main')
  return github.createRepository(`bench/${basename(files)}`, { bare: remote })
}

async function run(github: FakeGitHub, repository: FakeRepository, bundle: string, work: string): Promise<ActionRun> {
  const checkout = mkdtempSync(join(work, 'checkout-'))
  git(work, work, 'clone', '--quiet', '--depth=1', `file://${repository.barePath}`, checkout)
  // Use HTTP from here on. The fake GitHub runs Git asynchronously.
  git(work, checkout, 'remote', 'set-url', 'origin', `${github.url}/${repository.fullName}.git`)
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
      sha: git(work, checkout, 'rev-parse', 'HEAD'),
      payload: { ref: 'refs/heads/main', repository: { full_name: repository.fullName } },
    },
    inputs: Object.fromEntries(
      Object.entries(readInputs()).map(([input, { default: value = '' }]) => [input, value.startsWith('${{') ? token : value]),
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
  rmSync(checkout, { recursive: true, force: true })
  const pagesCommitted = committed === 'true' ? Number(added) : undefined
  return { cpuMs, wallMs: result.tookMs, firstLineMs, firstLineCpuMs, reads, writes: calls.length - reads, pagesCommitted }
}

function readInputs(): ActionFile['inputs'] {
  // A test validates this file.
  return (parse(readFileSync(join(root, 'action.yml'), 'utf8')) as ActionFile).inputs
}

function git(home: string, folder: string, ...args: string[]): string {
  const env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
  const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com']
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8', env }).trim()
}

function toQuery(body: unknown): string {
  return isObject(body) && typeof body['query'] === 'string' ? body['query'] : ''
}

/** Records the CPU time of the process at its end, and the CPU and wall time until its first line of output. */
function usageHook(file: string): string {
  return `const { performance } = require('node:perf_hooks')
const cpu = () => { const { userCPUTime, systemCPUTime } = process.resourceUsage(); return (userCPUTime + systemCPUTime) / 1e3 }
let first
const write = process.stdout.write
process.stdout.write = function (...args) { first ??= performance.now() + ' ' + cpu(); return write.apply(this, args) }
process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(file)}, cpu() + ' ' + first))`
}
