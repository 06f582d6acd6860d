import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Runs the bundle of an Action like a GitHub runner: in a clean environment, with files for event, outputs and summary.
 *
 * Plain JavaScript without dependencies, because the demo must run before anything is installed. The types are in the file beside
 * it.
 */
export async function runAsGitHub({
  bundle,
  workspace,
  temporaryFolder,
  event,
  inputs = {},
  environment = {},
  wrap = (command) => command,
  ids = {},
  signal,
}) {
  const folder = mkdtempSync(join(temporaryFolder, 'run-'))
  for (const name of ['home', 'temp']) mkdirSync(join(folder, name))
  const files = {
    GITHUB_OUTPUT: 'output',
    GITHUB_STEP_SUMMARY: 'summary',
    GITHUB_ENV: 'env',
    GITHUB_PATH: 'path',
    GITHUB_STATE: 'state',
  }
  const filePaths = Object.fromEntries(Object.entries(files).map(([variable, name]) => [variable, join(folder, name)]))
  for (const path of Object.values(filePaths)) writeFileSync(path, '')
  writeFileSync(join(folder, 'event.json'), JSON.stringify(event.payload ?? {}))
  const repository = 'acme/docs'
  const env = {
    PATH: process.env.PATH,
    HOME: join(folder, 'home'),
    LANG: 'C.UTF-8',
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION: '__self',
    GITHUB_ACTOR: 'pat',
    GITHUB_API_URL: 'https://api.github.com',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: repository,
    GITHUB_RUN_ID: '1',
    GITHUB_RUN_NUMBER: '1',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_WORKSPACE: workspace,
    GITHUB_EVENT_NAME: event.name,
    GITHUB_EVENT_PATH: join(folder, 'event.json'),
    GITHUB_REF: event.ref,
    GITHUB_HEAD_REF: event.headRef ?? '',
    GITHUB_SHA: event.sha ?? '',
    RUNNER_TEMP: join(folder, 'temp'),
    RUNNER_OS: 'Linux',
    ...filePaths,
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    ...environment,
  }
  const [command, ...args] = wrap([process.execPath, bundle])
  const startedAt = performance.now()
  const child = spawn(command, args, {
    cwd: workspace,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
    ...ids,
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk
  })
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exitCode, signal) => resolve(exitCode ?? signal))
  })
  const outputs = readOutputs(readFileSync(filePaths.GITHUB_OUTPUT, 'utf8'))
  const summary = readFileSync(filePaths.GITHUB_STEP_SUMMARY, 'utf8')
  const reportPath = outputs['report-path']
  const report = reportPath ? readFileSync(reportPath, 'utf8') : ''
  rmSync(folder, { recursive: true, force: true })
  return { code, stdout, stderr, outputs, summary, report, tookMs: performance.now() - startedAt }
}

/** Reads `name<<delimiter`, the value, and the delimiter again, as the runner does. */
function readOutputs(text) {
  const outputs = {}
  const lines = text.split('\n')
  for (let index = 0; index < lines.length; index++) {
    const [, name, delimiter] = /^(.+?)<<(.+)$/.exec(lines[index]) ?? []
    if (name === undefined) continue
    const end = lines.indexOf(delimiter, index + 1)
    outputs[name] = lines.slice(index + 1, end).join('\n')
    index = end
  }
  return outputs
}
