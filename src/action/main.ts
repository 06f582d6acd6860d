import { setSecret } from '@actions/core'
import { toUserPath } from '../files/boundary.ts'
import { ConfigError } from '../text/errors.ts'
import { createGitHubAccess, type GitHubAccess, unknownAccess } from './inputs/github-access.ts'
import { type ActionInputs, type DocsRepositoryInputs, type InputsResult, readInputs } from './inputs/inputs.ts'
import { type ActionEvent, readEvent, readRunLinks, readRunnerContext } from './inputs/workflow-event.ts'
import { commentOnPullRequest } from './report/comment-on-pull-request.ts'
import { publishReport, toSarifPath } from './report/publish-report.ts'
import type { ActionReport } from './report/summary.ts'
import { compareWithBase, filterProblems } from './run/compare-with-base.ts'
import { decideDocsRun, decideRun, runAction } from './run/run-action.ts'
import { openConfiguredSources } from './run/stored-source.ts'

const workspace = toUserPath(process.env['GITHUB_WORKSPACE'] || process.cwd())
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
const settings =
  read.kind === 'read' ? read.inputs.report : ({ failOn: 'error', failOnDrift: false, sarifFile: undefined } as const)
const { passed } = await publishReport(await run(), settings, workspace, process.env)
if (!passed) process.exitCode = 1

/** Validates `sarif-file` before the run, not after the commit. */
async function readUsableInputs(): Promise<InputsResult> {
  const given = readInputs()
  if (given.kind === 'refused' || given.inputs.report.sarifFile === undefined) return given
  try {
    await toSarifPath(given.inputs.report.sarifFile, workspace)
    return given
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { kind: 'refused', errors: [error] }
  }
}

async function run(): Promise<ActionReport> {
  if (read.kind === 'refused') return { ...noRun, failures: read.errors }
  const { inputs } = read
  for (const token of [...Object.values(inputs.tokens), inputs.report.appToken]) if (token !== undefined) setSecret(token)
  try {
    const event = readEvent(await readRunnerContext(), process.env['GITHUB_HEAD_REF'])
    const github = createGitHubAccess(inputs.tokens, process.env)
    return inputs.docsRepository
      ? await runElsewhere(inputs, inputs.docsRepository, event, github)
      : await runHere(inputs, event, github)
  } catch (error) {
    return { ...noRun, failures: [error] }
  }
}

/** Updates the docs of this repository, compares them with the base, and reports everywhere but in the job. */
async function runHere(inputs: ActionInputs, event: ActionEvent, github: GitHubAccess): Promise<ActionReport> {
  const { mode, docs, delivery, tokens, report: settings } = inputs
  const decision = decideRun({ mode, base: delivery.base, token: tokens.token, pullRequest: delivery.pullRequest }, event)
  if (decision.kind === 'skip') return { ...noRun, note: decision.note }
  const storedSource = openConfiguredSources(tokens, event, github.variables)
  const context = { run: decision, event, github, start: noRun, storedSource }
  const updated = await runAction(workspace, inputs, context).finally(() => storedSource?.close())
  const compared = await compareWithBase(workspace, inputs, event, updated, github.open)
  // Documents of other repositories are compared with those that they replace.
  const complete = { ...updated, apiChanges: updated.apiChanges ?? compared.apiChanges, review: compared.review }
  const report = await filterProblems(complete, settings.filter, compared.baseSha)
  const { pullNumber } = event
  const trouble =
    pullNumber === undefined ? undefined : await commentOnPullRequest(settings, event, pullNumber, report, github.open)
  const troubles = [compared.trouble, ...report.troubles, trouble].filter((line) => line !== undefined)
  const { appUrl, appToken } = settings
  if (appUrl === undefined) return { ...report, troubles }
  const { reportToApp } = await import('./report/app-report.ts')
  const { workingDirectory } = docs
  return { ...report, troubles, app: await reportToApp({ appUrl, appToken, workingDirectory }, event, complete, process.env) }
}

/** Updates the docs repository. It has no comment: the summary and the pull request there have everything. */
async function runElsewhere(
  inputs: ActionInputs,
  docs: DocsRepositoryInputs,
  event: ActionEvent,
  github: GitHubAccess,
): Promise<ActionReport> {
  const run = decideDocsRun({ mode: inputs.mode, token: inputs.tokens.token }, event)
  if (run.kind === 'skip') return { ...noRun, note: run.note }
  const { updateDocsRepository } = await import('./docs-repository/update-docs-repository.ts')
  const { GITHUB_REPOSITORY: repository = '', RUNNER_TEMP: temporaryFolder } = process.env
  const reach = (token: string | undefined) => createGitHubAccess({ token, githubToken: token }, process.env)
  return await updateDocsRepository(workspace, inputs, docs, {
    run,
    event,
    github,
    reach,
    repository,
    temporaryFolder,
    start: noRun,
  })
}
