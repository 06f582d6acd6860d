import {
  parseAppUrl,
  requestWorkflowToken,
  type SeenUpdate,
  type WaitEnd,
  type WantedUpdate,
  waitForUpdate,
} from '../../status/client/call-app.ts'
import { ConfigError } from '../../text/errors.ts'
import { readOwn } from '../../text/json/json-values.ts'
import { escapeText, toSafeJson } from '../../text/plain/escape-text.ts'
import type { CliContext, ExitCode, Output } from '../base/cli-context.ts'
import { formatError } from '../base/command-errors.ts'
import { addColorOptions, type CommonOptions, type DefineCommand, formatOption } from '../base/command-options.ts'
import { choosePalette } from '../print/terminal.ts'

interface WaitCommandOptions extends Pick<CommonOptions, 'format' | 'quiet' | 'color'> {
  /** Default: the variable OPENAPI_PAGES_URL. */
  readonly url?: string
  readonly token?: string
  readonly timeout?: string
  readonly sha?: string
  readonly project?: string
}

/** The options of `wait`. */
export const defineWaitCommand: DefineCommand = (command) => {
  command
    .option('--url <url>', 'URL of the app (default: OPENAPI_PAGES_URL)')
    .option('--sha <commit>', 'wait for the newest update of this commit; requires --project')
    .option('--project <id>', 'project of the commit, prj_…')
    .option('--timeout <time>', 'give up after this time, such as 90s, 10m or 1h (default: 10m)')
    .option(
      '--token <token>',
      'API token, visible in process lists (default: OPENAPI_PAGES_TOKEN, or the OIDC token of a GitHub workflow with `id-token: write`)',
    )
    .addOption(formatOption('output format: text, json (default: text)', ['text', 'json']).default('text'))
    .option('--quiet', 'print only the result', false)
  addColorOptions(command)
  return runWaitCommand
}

/** Waits until an update has ended, prints its log, and returns an exit code for its result. */
async function runWaitCommand(statusId: string | undefined, options: WaitCommandOptions, context: CliContext): Promise<ExitCode> {
  const { env, stdout, stderr } = context
  const url = options.url ?? (env['OPENAPI_PAGES_URL'] || undefined)
  if (url === undefined) {
    throw new ConfigError('missing option --url, the URL of the app', {
      hint: 'Add `--url https://pages.example.com`, or set OPENAPI_PAGES_URL',
    })
  }
  const address = parseAppUrl(url, options.url === undefined ? 'OPENAPI_PAGES_URL' : '`--url`')
  const wanted = toWanted(statusId, options)
  const timeoutMs = readDuration(options.timeout ?? '10m', '--timeout')
  const isText = options.format === 'text'
  const palette = choosePalette(stdout, context, options.color)
  const log = (line: string) => {
    if (!options.quiet) stderr.write(`${escapeText(line)}\n`)
  }
  const printLogs = createLogPrinter(stdout)
  let state: string | undefined
  const end = await waitForUpdate({
    url: address,
    wanted,
    timeoutMs,
    proxyVariables: env,
    getToken: () => findToken(options.token, env, address),
    onUpdate: (update) => {
      if (update.status !== state) {
        const isOver = update.status === 'success' || update.status === 'failure'
        if (!isOver) log(`Update ${update.id} is ${statusLabels[update.status]}`)
        state = update.status
      }
      if (isText && !options.quiet) printLogs(update.logs)
    },
    onTrouble: (reason) => log(`Cannot reach ${address}: ${reason}. Trying again`),
  })
  if (!isText) stdout.write(`${toSafeJson(toJson(end))}\n`)
  if (end.kind === 'unknown') {
    if (isText) stderr.write(formatError(`unknown result of the update: ${end.reason}`, end.hint))
    return 2
  }
  const { status, summary } = end.update
  const passed = status === 'success'
  if (isText) {
    const line = `${passed ? '✔' : '✖'} ${escapeText(summary)}`
    stdout.write(`${passed ? palette.success(line) : palette.error(line)}\n`)
  }
  return passed ? 0 : 1
}

const statusLabels: { readonly [status in SeenUpdate['status']]: string } = {
  queued: 'queued',
  in_progress: 'in progress',
  success: 'finished',
  failure: 'finished',
}

function toWanted(statusId: string | undefined, { sha, project }: WaitCommandOptions): WantedUpdate {
  if (statusId !== undefined) {
    if (sha !== undefined || project !== undefined) {
      throw new ConfigError('unexpected --sha or --project together with a status ID', { hint: 'Remove one of the two' })
    }
    return { kind: 'id', statusId }
  }
  if (sha === undefined || project === undefined) {
    throw new ConfigError(
      sha === undefined && project === undefined
        ? 'missing status ID, or the options --sha and --project'
        : `missing option ${sha === undefined ? '--sha' : '--project'}, required with ${sha === undefined ? '--project' : '--sha'}`,
      {
        hint: 'For example, run `openapi-pages wait --sha $(git rev-parse HEAD) --project prj_…`. `openapi-pages-app project list` prints the project IDs.',
      },
    )
  }
  if (!/^[0-9a-f]{40}$/i.test(sha)) {
    throw new ConfigError(`unexpected ${sha} for --sha, expected a full commit SHA of 40 digits`, {
      hint: 'Print it with `git rev-parse HEAD`',
    })
  }
  return { kind: 'commit', projectId: project, sha: sha.toLowerCase() }
}

/** Returns the given token, else the OIDC token of the workflow. */
async function findToken(given: string | undefined, env: CliContext['env'], address: string): Promise<string> {
  const token = given ?? env['OPENAPI_PAGES_TOKEN']
  if (token) {
    // A newline in the token would start another header.
    if (/^[!-~]+$/.test(token)) return token
    throw new ConfigError('unexpected character in the token', { hint: 'Remove spaces and newlines' })
  }
  const own = await requestWorkflowToken(env, address)
  if (own.kind === 'token') return own.token
  if (own.kind === 'failed') throw new ConfigError(`cannot get the OIDC token of this workflow: ${own.reason}`)
  throw new ConfigError('missing API token', {
    hint: 'Set OPENAPI_PAGES_TOKEN to a token from `openapi-pages-app token create --scope read`. In a GitHub workflow, set `permissions: id-token: write` instead.',
  })
}

/** Prints new log lines. The last line of a full log counts the dropped lines, so it can change. */
function createLogPrinter(output: Output): (logs: readonly string[]) => void {
  let printed: readonly string[] = []
  return (logs) => {
    const same = logs.findIndex((line, index) => line !== printed[index])
    for (const line of same === -1 ? [] : logs.slice(same)) output.write(`  ${escapeText(line)}\n`)
    printed = logs
  }
}

function toJson(end: WaitEnd): object {
  if (end.kind === 'ended') return { version: 1, outcome: end.update.status, update: end.update.json }
  const { reason, hint, update } = end
  return { version: 1, outcome: 'unknown', reason, hint, ...(update === undefined ? {} : { update: update.json }) }
}

const unitMs: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000 }

/**
 * Parses `90s`, `10m` or `1h` into milliseconds, at most a day. A number without a unit means seconds.
 *
 * @param name the option, for the error message.
 * @throws {ConfigError}
 */
function readDuration(text: string, name: string): number {
  const [, number = '', unit = 's'] = /^(\d{1,6}(?:\.\d{1,3})?)([smh])?$/.exec(text.trim()) ?? []
  const ms = Number(number) * (readOwn(unitMs, unit) ?? 0)
  if (number !== '' && ms > 0 && ms <= 86_400_000) return ms
  throw new ConfigError(`unexpected ${text} for ${name}, expected a duration of at most 24h`, {
    hint: 'Use a duration such as 90s, 10m or 1h',
  })
}
