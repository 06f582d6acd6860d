import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { type ActionInputs, readInputs } from '../../src/action/inputs/inputs.ts'
import { runInFolder } from '../cli/run-in-folder.ts'
import { git } from '../support/git-remote.ts'
import { runInProcess } from '../support/github-remote.ts'
import { readTree } from '../support/read-tree.ts'
import { readWorkflow } from '../support/run-workflow.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocument } from '../support/tiny-docs.ts'

// `init` in repositories of several shapes. What it prints is followed literally, then all jobs that it wrote run in this process.

type Files = Readonly<Record<string, string>>

const document = tinyDocument('List pets')
const faulty = document.replace('"summary"', '"sumary"')
const docs = (openapi: string) => JSON.stringify({ name: 'Pets', navigation: { tabs: [{ tab: 'API', openapi }] } })
const guides = { 'docs.json': '{"name": "Guides", "navigation": {"pages": ["index"]}}', 'index.mdx': '# Hi\n' }
const github = 'git@github.com:acme/pets.git'

interface Shape {
  readonly files: Files
  readonly remote?: string
  /** The CI files that `init` writes. */
  readonly jobs: readonly string[]
  /** The jobs would fail, so `init` writes nothing. */
  readonly isRefused?: true
  /** Follows the advice that `init` printed, if it is not green at once. */
  readonly follow?: (folder: string, output: string) => Promise<void>
}

async function runCommand(folder: string, command: string, code = 0): Promise<string> {
  const [program, ...args] = command.split(' ')
  expect(program).toBe('openapi-pages')
  const { exitCode, stdout, stderr } = await runInFolder(folder, args)
  expect(exitCode, `${command}\n${stdout}${stderr}`).toBe(code)
  return `${stdout}${stderr}`
}

const write = (folder: string, path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const shapes: Readonly<Record<string, Shape>> = {
  'a document on GitHub': {
    files: { 'openapi.json': document },
    remote: github,
    jobs: ['.github/workflows/api-check.yml', '.github/workflows/github-pages.yml'],
  },
  'a document on GitLab': {
    files: { 'api/pets.json': document },
    remote: 'https://gitlab.com/acme/pets.git',
    jobs: ['.gitlab-ci.yml'],
  },
  'a GitLab server with a pipeline': {
    files: { 'openapi.json': document, '.gitlab-ci.yml': 'stages: [verify]\nlint: {stage: verify, script: [x]}\n' },
    remote: 'git@git.example.com:acme/pets.git',
    jobs: ['.gitlab/openapi-pages.yml'],
    follow: async (folder, output) => {
      const [, path = '', line = ''] = /add this to (\S+): `(.*)`/.exec(output) ?? []
      write(folder, path, `${line}\n${readFileSync(join(folder, path), 'utf8')}`)
      expect(parse(readFileSync(join(folder, path), 'utf8')).include).toEqual([{ local: '.gitlab/openapi-pages.yml' }])
    },
  },
  'a docs.json on Bitbucket': {
    files: { 'docs/docs.json': docs('openapi.json'), 'docs/openapi.json': document },
    remote: 'git@bitbucket.org:acme/pets.git',
    jobs: ['bitbucket-pipelines.yml'],
  },
  'no remote': {
    files: { 'openapi.json': document },
    jobs: ['.gitlab-ci.yml'],
    follow: async (folder, output) => {
      expect(output).toContain('Name the host with --host')
      await runCommand(folder, 'openapi-pages init --yes --host gitlab')
    },
  },
  'documents at URLs': {
    files: { 'docs.json': docs('https://example.invalid/openapi.json') },
    remote: github,
    isRefused: true,
    jobs: ['.github/workflows/api-check.yml', '.github/workflows/api-pages.yml'],
    follow: async (folder, output) => {
      expect(output).toContain('Check the URL, or commit the document and use its path')
      write(folder, 'openapi.json', document)
      write(folder, 'docs.json', docs('openapi.json'))
      await runCommand(folder, 'openapi-pages init --yes')
    },
  },
  'no OpenAPI at all': {
    files: guides,
    remote: github,
    jobs: ['.github/workflows/api-check.yml', '.github/workflows/api-pages.yml'],
    follow: async (folder, output) => {
      const division = /a division such as `(.*?)`, and run `openapi-pages init` again/.exec(output)?.[1] ?? ''
      write(folder, 'openapi.yaml', document)
      write(folder, 'docs.json', JSON.stringify({ name: 'Guides', navigation: { tabs: [JSON.parse(division)] } }))
      await runCommand(folder, 'openapi-pages init --yes')
    },
  },
  'documents with errors': {
    files: { 'openapi.json': faulty },
    remote: github,
    isRefused: true,
    jobs: ['.github/workflows/api-check.yml', '.github/workflows/github-pages.yml'],
    follow: async (folder, output) => {
      await runCommand(folder, /only new ones, run `(openapi-pages init --yes --baseline)`/.exec(output)?.[1] ?? '')
    },
  },
  'a monorepo': {
    files: {
      'docs/docs.json': docs('../services/pets/openapi.json'),
      'services/pets/openapi.json': document,
      'services/shops/openapi.json': document,
      'services/shops/main.ts': '',
    },
    remote: github,
    jobs: ['.github/workflows/api-check.yml', '.github/workflows/api-pages.yml'],
  },
}

test.each(Object.entries(shapes))('sets up %s', async (_, { files, remote, jobs, isRefused, follow }) => {
  const folder = makeTemporaryFolder(files)
  git(folder, 'init', '--quiet', '--initial-branch', 'main')
  if (remote !== undefined) git(folder, 'remote', 'add', 'origin', remote)
  const plan = await runCommand(folder, 'openapi-pages init', isRefused ? 1 : 0)
  expect(Object.keys(readTree(folder)).filter((path) => !path.startsWith('.git/'))).toEqual(Object.keys(files).sort())
  const command = /run `(openapi-pages init --yes)`/.exec(plan)?.[1]
  const output = command === undefined ? plan : await runCommand(folder, command)
  await follow?.(folder, output)
  expect(jobs.filter((path) => !existsSync(join(folder, path)))).toEqual([])
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message=Set up')
  for (const path of jobs) await runJobs(folder, path)
  const [next] = /^ {2}(openapi-pages check \S+)/m.exec(output)?.slice(1) ?? []
  if (next !== undefined) await runCommand(folder, next)
})

/** Runs the Action and the commands of a CI file. Each has to pass. */
async function runJobs(folder: string, path: string): Promise<void> {
  const text = readFileSync(join(folder, path), 'utf8')
  let count = 0
  if (path.startsWith('.github/')) {
    const steps = Object.values(readWorkflow(text).jobs).flatMap((job) => job.steps)
    for (const step of steps.filter(({ uses }) => uses?.startsWith('openapi-pages/'))) {
      await runActionStep(folder, step.with ?? {})
      count++
    }
  }
  const variables: Readonly<Record<string, string>> = {
    DOCS: /DOCS: (.*)/.exec(text)?.[1] ?? '.',
    CI_PAGES_URL: 'https://a.example',
    BASE_URL: 'https://a.example',
  }
  for (const [, line = ''] of text.matchAll(/openapi-pages ((?:check|build|ci) [^\n|]*)/g)) {
    const filled = line
      .trim()
      .replaceAll(/"?\$(\w+)(\/?)"?/g, (_match, name: string, slash: string) => `${variables[name] ?? ''}${slash}`)
    // Without a remote, nothing can be pushed.
    const local = filled.replace(/ --commit --author "[^"]*"$/, '').replace(' test-results/', ' ')
    if (local.startsWith('ci ')) expect((await runInFolder(folder, ['update', local.slice(3)])).exitCode).toBe(0)
    await runCommand(folder, `openapi-pages ${local}`)
    count++
  }
  expect(count, path).toBeGreaterThan(0)
}

async function runActionStep(folder: string, inputs: Readonly<Record<string, string | number | boolean>>): Promise<void> {
  for (const [name, value] of Object.entries(inputs)) vi.stubEnv(`INPUT_${name.toUpperCase()}`, String(value))
  const read = readInputs()
  vi.unstubAllEnvs()
  if (read.kind === 'refused') throw new Error('Unexpected inputs')
  // Without a remote, a run cannot commit.
  const given: ActionInputs = { ...read.inputs, mode: read.inputs.mode ?? 'dry-run' }
  const report = await runInProcess({ environment: {}, token: () => '' }, folder, given)
  const errors = report.update?.diagnostics.filter(({ severity }) => severity === 'error')
  expect([report.failures, errors, (report.update?.documents.length ?? 0) > 0]).toEqual([[], [], true])
}
