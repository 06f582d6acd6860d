import { setSecret } from '@actions/core'
import { ConfigError } from '../errors.ts'
import type { ActionReport } from './action-report.ts'
import { commentOnPullRequest } from './comment-on-pull-request.ts'
import { compareWithBase } from './compare-with-base.ts'
import { decideRun } from './decide-run.ts'
import { filterProblems } from './filter-problems.ts'
import { createOpenGitHub } from './github-access.ts'
import { type InputsResult, readInputs } from './inputs.ts'
import { unknownAccess } from './needed-access.ts'
import { publishReport } from './publish-report.ts'
import { toSarifPath } from './report-files.ts'
import { runAction } from './run-action.ts'
import { readEvent, readRunLinks, readRunnerContext, readRunVariables } from './workflow-event.ts'

const workspace = process.env['GITHUB_WORKSPACE'] || process.cwd()
const noRun: ActionReport = {
  mode: 'check',
  eventName: process.env['GITHUB_EVENT_NAME'] ?? '',
  links: readRunLinks(process.env),
  branch: undefined,
  note: undefined,
  boundary: workspace,
  update: undefined,
  updates: [],
  plannedAt: process.env['GITHUB_SHA'] ?? '',
  filesChanged: undefined,
  commitSha: undefined,
  delivery: undefined,
  failures: [],
  app: undefined,
  addedFiles: [],
  apiChanges: undefined,
  troubles: [],
  access: unknownAccess,
}

const read = await readUsableInputs()
const settings = read.kind === 'read' ? read.inputs : ({ failOn: 'error', failOnDrift: false, sarifFile: undefined } as const)
const { passed } = await publishReport(await run(), settings, workspace, process.env)
if (!passed) process.exitCode = 1

/** Validates `sarif-file` before the run, not after the commit. */
async function readUsableInputs(): Promise<InputsResult> {
  const given = readInputs()
  if (given.kind === 'refused' || given.inputs.sarifFile === undefined) return given
  try {
    await toSarifPath(given.inputs.sarifFile, workspace)
    return given
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { kind: 'refused', errors: [error] }
  }
}

async function run(): Promise<ActionReport> {
  if (read.kind === 'refused') return { ...noRun, failures: read.errors }
  const { inputs } = read
  for (const token of [inputs.token, inputs.githubToken, inputs.appToken]) if (token !== undefined) setSecret(token)
  try {
    const event = readEvent(await readRunnerContext(), process.env['GITHUB_HEAD_REF'])
    const decision = decideRun(inputs, event)
    if (decision.kind === 'skip') return { ...noRun, note: decision.note }
    const openGitHub = createOpenGitHub(inputs, process.env)
    const variables = readRunVariables(process.env)
    const updated = await runAction(workspace, inputs, { run: decision, event, openGitHub, variables, start: noRun })
    const compared = await compareWithBase(workspace, inputs, event, updated, openGitHub)
    const complete = { ...updated, apiChanges: compared.apiChanges }
    const report = await filterProblems(complete, inputs.filter, compared.baseSha)
    const trouble = await commentOnPullRequest(inputs, event, report, openGitHub)
    const troubles = [compared.trouble, ...report.troubles, trouble].filter((one) => one !== undefined)
    if (inputs.appUrl === undefined) return { ...report, troubles }
    const { reportToApp } = await import('./app-report.ts')
    return { ...report, troubles, app: await reportToApp(inputs, event, complete, process.env) }
  } catch (error) {
    return { ...noRun, failures: [error] }
  }
}
