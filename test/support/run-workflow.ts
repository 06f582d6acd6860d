import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { GitHubEvent } from '../../scripts/run-as-github.mjs'
import { type ActionRun, runAction } from './action-harness.ts'
import { type Contexts, evaluateExpression, fillExpressions } from './evaluate-expression.ts'
import { git } from './git-remote.ts'

/** A workflow file as far as the harness runs it. */
export interface Workflow {
  readonly name?: string
  readonly on: string | readonly string[] | { readonly [event: string]: unknown }
  readonly permissions?: Permissions
  readonly jobs: { readonly [id: string]: WorkflowJob }
}

export interface WorkflowJob {
  readonly if?: string
  readonly permissions?: Permissions
  readonly env?: { readonly [name: string]: string }
  readonly steps: readonly WorkflowStep[]
}

export type Permissions = { readonly [scope: string]: 'read' | 'write' | 'none' }

export interface WorkflowStep {
  readonly id?: string
  readonly name?: string
  readonly if?: string
  readonly uses?: string
  readonly run?: string
  readonly with?: { readonly [input: string]: string | number | boolean }
  readonly env?: { readonly [name: string]: string }
}

/** What the runner of a job is given. */
export interface RunnerOptions {
  /** Where `actions/checkout` clones from. */
  readonly remote: string
  readonly folder: string
  readonly event: GitHubEvent
  readonly secrets?: { readonly [name: string]: string }
  readonly token?: string
  /** For every step; wins over what a runner sets. */
  readonly environment?: { readonly [name: string]: string }
  /** Does the work of actions that are neither checkout nor ours, by the name before `@`; gives the outputs. */
  readonly actions?: { readonly [name: string]: (step: ForeignStep) => { readonly [output: string]: string } }
}

export interface ForeignStep {
  readonly inputs: { readonly [name: string]: string }
  readonly workspace: string
}

export interface JobResult {
  readonly id: string
  readonly workspace: string
  readonly failed: boolean
  /** The runs of our Action in it, in order. */
  readonly runs: readonly ActionRun[]
}

/** Reads a workflow as GitHub does. */
export function readWorkflow(text: string): Workflow {
  // A test of its own holds what we rely on.
  return parse(text) as Workflow
}

/** Which events start a workflow. */
export function eventsOf({ on }: Workflow): readonly string[] {
  if (typeof on === 'string') return [on]
  return Array.isArray(on) ? on : Object.keys(on)
}

/**
 * Runs the jobs of a workflow for an event, unchanged: its steps in order, with `if`, expressions and outputs, the committed bundle for
 * our Action, and a real clone of one commit for the checkout.
 *
 * @throws {Error} when the event does not start the workflow, or it has something that the harness does not know.
 */
export async function runWorkflow(workflow: Workflow, options: RunnerOptions): Promise<readonly JobResult[]> {
  if (!eventsOf(workflow).includes(options.event.name)) throw new Error(`\`${options.event.name}\` does not start this workflow`)
  const results: JobResult[] = []
  for (const [id, job] of Object.entries(workflow.jobs)) {
    const contexts = toContexts(options)
    if (job.if === undefined || evaluateExpression(unwrap(job.if), contexts)) results.push(await runJob(id, job, options))
  }
  return results
}

async function runJob(id: string, job: WorkflowJob, options: RunnerOptions): Promise<JobResult> {
  const workspace = mkdtempSync(join(options.folder, `${id}-`))
  const runs: ActionRun[] = []
  const steps: { [id: string]: { outputs: { readonly [name: string]: string } } } = {}
  let failed = false
  for (const step of job.steps) {
    const contexts: Contexts = { ...toContexts(options), steps, failed }
    const condition = step.if === undefined ? 'success()' : unwrap(step.if)
    // A condition that asks for no state of the job holds only while nothing has failed.
    const isWanted = /\b(always|failure|success)\(/.test(condition) || !failed
    if (!isWanted || !evaluateExpression(condition, contexts)) continue
    const fill = (values: WorkflowStep['with']) =>
      Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, fillExpressions(String(value), contexts)]))
    const environment = { ...options.environment, ...fill(job.env), ...fill(step.env) }
    const result = await runStep(step, { ...options, environment }, { workspace, inputs: fill(step.with), contexts })
    if (result.run) runs.push(result.run)
    if (result.failed) failed = true
    if (step.id !== undefined) steps[step.id] = { outputs: result.outputs }
  }
  return { id, workspace, failed, runs }
}

interface StepResult {
  readonly failed: boolean
  readonly outputs: { readonly [name: string]: string }
  readonly run?: ActionRun
}

async function runStep(
  step: WorkflowStep,
  options: RunnerOptions,
  { workspace, inputs, contexts }: ForeignStep & { readonly contexts: Contexts },
): Promise<StepResult> {
  if (step.run !== undefined) return runShell(fillExpressions(step.run, contexts), workspace, options)
  const [name = ''] = (step.uses ?? '').split('@')
  if (name === 'actions/checkout') {
    checkOut(workspace, inputs, options)
    return { failed: false, outputs: {} }
  }
  if (name === 'openapi-pages/openapi-pages') {
    const { event, environment, folder } = options
    const run = await runAction(workspace, { temporaryFolder: folder, event, inputs, ...(environment && { environment }) })
    return { failed: run.code !== 0, outputs: run.outputs, run }
  }
  const foreign = options.actions?.[name]
  if (!foreign) throw new Error(`The harness does not know the action ${name}`)
  return { failed: false, outputs: foreign({ inputs, workspace }) }
}

/** As `actions/checkout` does: one commit, the branch of a push with its name, everything else detached. */
function checkOut(workspace: string, inputs: { readonly [name: string]: string }, { remote, event }: RunnerOptions): void {
  const folder = join(workspace, inputs['path'] ?? '')
  mkdirSync(folder, { recursive: true })
  const ref = inputs['ref'] || event.ref
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'remote', 'add', 'origin', `file://${remote}`)
  const depth = inputs['fetch-depth'] ?? '1'
  git(folder, 'fetch', '--quiet', ...(depth === '0' ? [] : [`--depth=${depth}`]), 'origin', ref)
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1]
  if (branch === undefined) git(folder, 'checkout', '--quiet', '--detach', 'FETCH_HEAD')
  else git(folder, 'checkout', '--quiet', '-B', branch, 'FETCH_HEAD')
}

function runShell(script: string, workspace: string, { environment, folder }: RunnerOptions): StepResult {
  const output = join(mkdtempSync(join(folder, 'step-')), 'output')
  writeFileSync(output, '')
  const env = { PATH: process.env['PATH'], HOME: folder, GITHUB_OUTPUT: output, GITHUB_WORKSPACE: workspace, ...environment }
  const { status } = spawnSync('bash', ['-eo', 'pipefail', '-c', script], { cwd: workspace, env, encoding: 'utf8' })
  const lines = readFileSync(output, 'utf8').split('\n').filter(Boolean)
  return { failed: status !== 0, outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2))) }
}

function toContexts({ event, secrets = {}, token = '' }: RunnerOptions): Contexts {
  const github = {
    event: event.payload ?? {},
    event_name: event.name,
    ref: event.ref,
    ref_name: event.ref.replace(/^refs\/(heads|tags)\//, ''),
    head_ref: event.headRef ?? '',
    sha: event.sha ?? '',
    repository: 'acme/docs',
    token,
  }
  return { github, secrets: { GITHUB_TOKEN: token, ...secrets }, vars: {}, runner: { os: 'Linux' } }
}

function unwrap(condition: string): string {
  return condition.trim().replace(/^\$\{\{([\s\S]*)\}\}$/, '$1')
}
