import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Octokit } from '@octokit/rest'
import { parse } from 'yaml'
import type { GitHubEvent } from '../../scripts/run-as-github.mjs'
import { isObject } from '../../src/text/json/json-values.ts'
import { type ActionRun, readActionFile, runAction } from './action-harness.ts'
import { type Contexts, evaluateExpression, fillExpressions } from './evaluate-expression.ts'
import type { FakeGitHub } from './fake-github/fake-github.ts'
import type { FakeRepository } from './fake-github/fake-repository.ts'
import { routes } from './fake-github/serve-request.ts'
import type { LoggedRequest } from './fake-github/types.ts'
import { git } from './git-remote.ts'

/** A workflow file, as far as the harness runs it. */
export interface Workflow {
  readonly name?: string
  readonly on: string | readonly string[] | { readonly [event: string]: unknown }
  readonly permissions?: Permissions
  readonly jobs: { readonly [id: string]: WorkflowJob }
}

interface WorkflowJob {
  readonly if?: string
  readonly needs?: readonly string[]
  readonly permissions?: Permissions
  readonly steps: readonly WorkflowStep[]
}

export type Permissions = { readonly [scope: string]: 'read' | 'write' }

interface WorkflowStep {
  readonly id?: string
  readonly name?: string
  readonly if?: string
  readonly uses?: string
  readonly run?: string
  readonly with?: { readonly [input: string]: string | number | boolean }
  readonly env?: { readonly [name: string]: string }
}

/** The environment of a job's runner. */
interface RunnerOptions {
  readonly github: FakeGitHub
  readonly repository: FakeRepository
  readonly folder: string
  readonly event: GitHubEvent & { readonly actor?: string }
  readonly secrets?: { readonly [name: string]: string }
  readonly variables?: { readonly [name: string]: string }
  /** Like a GitHub Enterprise Server, with its API below `/api`. */
  readonly isEnterpriseServer?: boolean
  /** The artifacts of all runs by name, from `actions/upload-artifact`. */
  readonly artifacts?: Map<string, string>
  /** Runs the script of a step in the workspace. Throws if it fails. */
  readonly runScript?: (script: string, workspace: string, env: { readonly [name: string]: string }) => void
}

/** The permissions that a job used. */
type Used = Map<string, 'read' | 'write'>

export interface JobResult {
  readonly id: string
  readonly workspace: string
  readonly failed: boolean
  /** The runs of this Action in the job, in order. */
  readonly runs: readonly ActionRun[]
  /** The permissions needed by its calls: the GitHub API, git and the identity of the workflow. */
  readonly used: Permissions
  /** The API calls in order, as named in GitHub's description. */
  readonly calls: readonly string[]
  readonly gitRequests: readonly ('fetch' | 'push')[]
}

/** Reads a workflow as GitHub does. */
export function readWorkflow(text: string): Workflow {
  // A separate test checks the shape that this relies on.
  return parse(text) as Workflow
}

/** The events that start a workflow. */
export function eventsOf({ on }: Workflow): readonly string[] {
  if (typeof on === 'string') return [on]
  return Array.isArray(on) ? on : Object.keys(on)
}

/**
 * Runs the jobs of a workflow for an event, unchanged: its steps in order, with `if`, expressions and outputs, the committed
 * bundle for this Action, and a real clone of one commit for the checkout. The token of a job has its `permissions`, and the fake
 * GitHub refuses everything else.
 *
 * @throws {Error} when the event does not start the workflow, or the harness does not support a part of it.
 */
export async function runWorkflow(workflow: Workflow, options: RunnerOptions): Promise<readonly JobResult[]> {
  if (!eventsOf(workflow).includes(options.event.name)) throw new Error(`\`${options.event.name}\` does not start this workflow`)
  const results: JobResult[] = []
  for (const [id, job] of Object.entries(workflow.jobs)) {
    const permissions = job.permissions ?? workflow.permissions ?? {}
    if (job.if === undefined || evaluateExpression(unwrap(job.if), toContexts(options, ''))) {
      results.push(await runJob(id, job, permissions, options))
    }
  }
  return results
}

interface Runner extends RunnerOptions {
  readonly workspace: string
  readonly token: string
  readonly environment: { readonly [name: string]: string }
  readonly used: Used
}

async function runJob(id: string, job: WorkflowJob, permissions: Permissions, options: RunnerOptions): Promise<JobResult> {
  const { github, repository, folder, event } = options
  const workspace = mkdtempSync(join(folder, `${id}-`))
  const granted = Object.entries(permissions).map(([name, level]) => [name.replaceAll('-', '_'), level])
  const token = github.createJobToken(repository, Object.fromEntries(granted))
  const used: Used = new Map()
  const identity = await serveIdentity(options, permissions['id-token'] === 'write', used)
  const environment = {
    GITHUB_API_URL: `${github.url}${options.isEnterpriseServer ? '/api/v3' : ''}`,
    GITHUB_GRAPHQL_URL: `${github.url}${options.isEnterpriseServer ? '/api' : ''}/graphql`,
    GITHUB_SERVER_URL: github.url,
    GITHUB_REPOSITORY: repository.fullName,
    ...(event.actor === undefined ? {} : { GITHUB_ACTOR: event.actor }),
    // Later steps read the files of earlier ones.
    RUNNER_TEMP: mkdtempSync(join(folder, 'runner-')),
    ...identity.environment,
  }
  const runner: Runner = { ...options, workspace, token, environment, used }
  const requestsBefore = github.requests.length
  const gitBefore = github.gitRequests.length
  const runs: ActionRun[] = []
  const steps: { [id: string]: { outputs: { readonly [name: string]: string } } } = {}
  let failed = false
  for (const step of job.steps) {
    const contexts: Contexts = { ...toContexts(options, token), steps, failed }
    const condition = step.if === undefined ? 'success()' : unwrap(step.if)
    // A condition without a status function is only true while nothing has failed.
    const isWanted = /\b(always|failure|success)\(/.test(condition) || !failed
    if (!isWanted || !evaluateExpression(condition, contexts)) continue
    const inputs = Object.entries(step.with ?? {}).map(([name, value]) => [name, fillExpressions(String(value), contexts)])
    const result = await runStep(step, Object.fromEntries(inputs), contexts, runner)
    if (result.run) runs.push(result.run)
    if (result.failed) failed = true
    if (step.id !== undefined) steps[step.id] = { outputs: result.outputs }
  }
  identity.close()
  const requests = github.requests.slice(requestsBefore).filter(({ headers }) => (headers['authorization'] ?? '').includes(token))
  const calls = requests.map(toCall)
  for (const call of calls) use(used, ...permissionOf(call))
  const gitRequests = github.gitRequests.slice(gitBefore)
  for (const request of gitRequests) use(used, 'contents', request === 'push' ? 'write' : 'read')
  return { id, workspace, failed, runs, calls, gitRequests, used: Object.fromEntries([...used].sort()) }
}

function use(used: Used, name: string, level: 'read' | 'write'): void {
  // Every token has that permission.
  if (name !== 'metadata' && used.get(name) !== 'write') used.set(name, level)
}

/** `GET /repos/{owner}/{repo}/pulls`, `GraphQL createCommitOnBranch` or `GraphQL query viewer`. */
function toCall({ route, body }: LoggedRequest): string {
  if (route !== 'POST /graphql') return route ?? 'unknown'
  const query = isObject(body) ? String(body['query']) : ''
  return `GraphQL ${/^\s*mutation\b/.test(query) ? '' : 'query '}${/\{\s*(\w+)/.exec(query)?.[1] ?? ''}`
}

function permissionOf(call: string): readonly [string, 'read' | 'write'] {
  if (call === 'GraphQL query viewer') return ['metadata', 'read']
  if (call.startsWith('GraphQL ')) return ['contents', call.startsWith('GraphQL query ') ? 'read' : 'write']
  const [permission = 'metadata', level = 'read'] = routes.find((route) => route.name === call)?.permission ?? []
  return [permission.replaceAll('_', '-'), level]
}

interface StepResult {
  readonly failed: boolean
  readonly outputs: { readonly [name: string]: string }
  readonly run?: ActionRun
}

type Inputs = { readonly [name: string]: string }

async function runStep(step: WorkflowStep, inputs: Inputs, contexts: Contexts, runner: Runner): Promise<StepResult> {
  const [name = ''] = (step.uses ?? '').split('@')
  const { event, environment, folder, workspace, artifacts, used } = runner
  const done: StepResult = { failed: false, outputs: {} }
  switch (name) {
    case 'actions/checkout':
      await checkOut(inputs, runner)
      return done
    case 'actions/configure-pages':
      return { ...done, outputs: { base_url: `https://${runner.repository.owner}.github.io/${runner.repository.name}` } }
    case 'actions/setup-node':
    case 'actions/upload-pages-artifact':
    case 'actions/deploy-pages':
      return done
    case 'openapi-pages/openapi-pages': {
      const defaults = Object.entries(readActionFile().inputs).map(([input, { default: value }]) => [
        input,
        fillExpressions(value, contexts),
      ])
      const all = { ...Object.fromEntries(defaults), ...inputs }
      const run = await runAction(workspace, { temporaryFolder: folder, event, inputs: all, environment })
      return { failed: run.code !== 0, outputs: run.outputs, run }
    }
    case 'actions/create-github-app-token': {
      const token = createAppToken(inputs, runner)
      return token === undefined ? { ...done, failed: true } : { ...done, outputs: { token } }
    }
    case 'actions/upload-artifact':
      artifacts?.set(inputs['name'] ?? '', readFileSync(inputs['path'] ?? '', 'utf8'))
      return done
    case 'actions/download-artifact': {
      const content = artifacts?.get(inputs['name'] ?? '')
      if (content === undefined) return { ...done, failed: true }
      use(used, 'actions', 'read')
      mkdirSync(join(workspace, inputs['path'] ?? ''), { recursive: true })
      writeFileSync(join(workspace, inputs['path'] ?? '', 'report.json'), content)
      return done
    }
    case 'actions/github-script':
      return await runScript(inputs['script'] ?? '', runner)
    default:
      if (step.run !== undefined && runner.runScript) {
        const env = Object.entries(step.env ?? {}).map(([key, value]) => [key, fillExpressions(value, contexts)])
        runner.runScript(step.run, workspace, Object.fromEntries(env))
        return done
      }
      throw new Error(`The test harness does not support the step ${JSON.stringify(step)}`)
  }
}

/** Like `actions/create-github-app-token`, for an app that is installed on one repository. Undefined without the secret. */
function createAppToken(inputs: Inputs, { github, repository }: Runner): string | undefined {
  const installed = github.findRepository(`${inputs['owner'] || repository.owner}/${inputs['repositories']}`)
  if (!inputs['client-id'] || !inputs['private-key'] || !installed) return undefined
  const granted = Object.entries(inputs).flatMap(([name, level]) => {
    const permission = /^permission-(.+)$/.exec(name)?.[1]?.replaceAll('-', '_')
    return permission === undefined ? [] : [[permission, level === 'write' ? 'write' : 'read'] as const]
  })
  return github.createJobToken(installed, Object.fromEntries(granted), 'docs-app[bot]')
}

/** Like `actions/github-script`: the text is the body of a function with an authenticated client. */
async function runScript(script: string, { github, repository, token, event, workspace }: Runner): Promise<StepResult> {
  const client = new Octokit({ auth: token, baseUrl: github.url })
  const said: string[] = []
  const core = Object.fromEntries(
    ['info', 'notice', 'warning', 'setFailed'].map((name) => [name, (text: string) => said.push(`${name}: ${text}`)]),
  )
  const context = { payload: event.payload, repo: { owner: repository.owner, repo: repository.name } }
  // Paths are relative to the workspace, in which the step runs.
  const files = {
    readFileSync: (path: string, encoding: BufferEncoding) => readFileSync(join(workspace, path), encoding),
    statSync: (path: string) => statSync(join(workspace, path)),
  }
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<unknown> // The language has no name for it.
  const run = new AsyncFunction('github', 'context', 'core', 'require', script)
  const modules: { readonly [name: string]: object } = { 'node:fs': files, 'node:crypto': { createHash } }
  await run({ rest: client.rest, paginate: client.paginate }, context, core, (name: string) => modules[name])
  return { failed: said.some((line) => line.startsWith('setFailed')), outputs: { said: said.join('\n') } }
}

/** Like `actions/checkout`: one commit, a named branch or a detached HEAD, and the token stored in the clone. */
async function checkOut(inputs: Inputs, { github, repository, event, workspace, token }: Runner): Promise<void> {
  const folder = join(workspace, inputs['path'] ?? '')
  mkdirSync(folder, { recursive: true })
  const ref = inputs['ref'] || event.ref
  const header = `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`
  const setting = `http.${github.url}/.extraheader`
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'remote', 'add', 'origin', `${github.url}/${repository.fullName}.git`)
  git(folder, 'config', setting, header)
  const depth = inputs['fetch-depth'] ?? '1'
  // Not the synchronous git: the server is in this process.
  const args = ['fetch', '--quiet', ...(depth === '0' ? [] : [`--depth=${depth}`]), 'origin', ref]
  await promisify(execFile)('git', args, { cwd: folder, env: { PATH: process.env['PATH'], HOME: '/nonexistent' } })
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1]
  if (branch === undefined) git(folder, 'checkout', '--quiet', '--detach', 'FETCH_HEAD')
  else git(folder, 'checkout', '--quiet', '-B', branch, 'FETCH_HEAD')
  if (inputs['persist-credentials'] === 'false') git(folder, 'config', '--unset', setting)
}

/** The endpoint for a job's identity token, if it may have one. */
async function serveIdentity({ github, repository, event }: RunnerOptions, isAllowed: boolean, used: Used) {
  if (!isAllowed) return { environment: {}, close: () => {} }
  const server = createServer(async (request, response) => {
    use(used, 'id-token', 'write')
    const audience = new URL(request.url ?? '', 'http://issuer').searchParams.get('audience') ?? ''
    const value = await github.signOidcToken(repository, event.sha ?? '', { audience, claims: { ref: event.ref } })
    response.end(JSON.stringify({ value }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A listening server has one.
  const environment = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-token-of-the-runner',
  }
  return { environment, close: () => server.close() }
}

function toContexts({ event, repository, secrets = {}, variables = {} }: RunnerOptions, token: string): Contexts {
  const github = {
    event: event.payload ?? {},
    event_name: event.name,
    ref: event.ref,
    ref_name: event.ref.replace(/^refs\/(heads|tags)\//, ''),
    head_ref: event.headRef ?? '',
    sha: event.sha ?? '',
    repository: repository.fullName,
    repository_owner: repository.owner,
    actor: event.actor ?? 'pat',
    token,
  }
  return { github, secrets: { GITHUB_TOKEN: token, ...secrets }, vars: variables }
}

function unwrap(condition: string): string {
  return condition.trim().replace(/^\$\{\{([\s\S]*)\}\}$/, '$1')
}
