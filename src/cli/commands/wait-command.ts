import { ConfigError } from '../../errors.ts'
import { escapeText, toSafeJson } from '../../source/escape-text.ts'
import { parseAppUrl, requestWorkflowToken } from '../../status/client/call-app.ts'
import { type SeenUpdate, type WaitEnd, type WantedUpdate, waitForUpdate } from '../../status/client/wait-for-update.ts'
import type { CliContext, ExitCode, Output } from '../cli-context.ts'
import { formatError } from '../command-errors.ts'
import { type DefineCommand, formatOption } from '../command-options.ts'
import { choosePalette } from '../terminal.ts'

interface WaitCommandOptions {
  readonly format: 'text' | 'json'
  readonly quiet: boolean
  /** Absent where neither `--color` nor `--no-color` is given. */
  readonly color?: boolean
  /** Absent where the environment has it. */
  readonly url?: string
  readonly token?: string
  readonly timeout?: string
  readonly sha?: string
  readonly project?: string
}

/** The options, help and action of `wait`. */
export const defineWaitCommand: DefineCommand = (command, context, end) => {
  command
    .description(
      'Waits until an update of the app has ended, prints its log as it comes, and ends as it did: ' +
        'exit code 0 for success, 1 for failure, 2 where that could not be found out (no answer in time, no access, not there).',
    )
    .option('--url <app>', 'the address of the app (default: the variable OPENAPI_PAGES_URL)')
    .option('--sha <commit>', 'wait for the newest update of this commit instead; needs --project')
    .option('--project <id>', 'the project of the commit, prj_…')
    .option('--timeout <time>', 'give up after this time, such as 90s, 10m or 1h (default: 10m)')
    .option(
      '--token <token>',
      'the token to ask with (default: the variable OPENAPI_PAGES_TOKEN, which no list of processes shows; in a workflow of GitHub with id-token: write its own)',
    )
    .addOption(formatOption('print as text, json (default: text)', ['text', 'json']).default('text'))
    .option('--quiet', 'print how it ended only', false)
    .option('--color', 'colours even where the output is no terminal')
    .option('--no-color', 'no colours; the variable NO_COLOR does the same')
    .helpOption('-h, --help', 'print help')
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages wait 019a9fe2-5b90-7c3e-9d7f-2f1a6c0e8b11 --url https://pages.example.com
  openapi-pages wait --sha $(git rev-parse HEAD) --project prj_… --timeout 5m
  openapi-pages wait "$ID" --format json | jq -r '.update.summary'`,
    )
    .action(async (statusId: string | undefined, options: WaitCommandOptions) => {
      end(await runWaitCommand(statusId, options, context))
    })
}

/** Waits until an update of an app has ended, prints its log as it comes, and ends as the update did. */
async function runWaitCommand(statusId: string | undefined, options: WaitCommandOptions, context: CliContext): Promise<ExitCode> {
  const { env, stdout, stderr } = context
  const url = options.url ?? (env['OPENAPI_PAGES_URL'] || undefined)
  if (url === undefined) {
    throw new ConfigError('Missing `--url`, the address of the app', {
      hint: 'for example `--url https://pages.example.com`, or the variable OPENAPI_PAGES_URL',
    })
  }
  const address = parseAppUrl(url, options.url === undefined ? 'OPENAPI_PAGES_URL' : '`--url`')
  const wanted = toWanted(statusId, options)
  const timeoutMs = readDuration(options.timeout ?? '10m', '`--timeout`')
  const isText = options.format === 'text'
  const palette = choosePalette(stdout, context, options.color)
  const say = (statusLabels: string) => {
    if (!options.quiet) stderr.write(`${escapeText(statusLabels)}\n`)
  }
  const log = createLogPrinter(stdout)
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
        if (!isOver) say(`Update ${update.id} is ${words[update.status]}`)
        state = update.status
      }
      if (isText && !options.quiet) log(update.logs)
    },
    onTrouble: (reason) => say(`Cannot ask ${address}: ${reason}; trying again`),
  })
  if (!isText) stdout.write(`${toSafeJson(toJson(end))}\n`)
  if (end.kind === 'unknown') {
    if (isText) stderr.write(formatError(`cannot tell how the update ended: ${end.reason}`, end.hint))
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

const words: { readonly [status in SeenUpdate['status']]: string } = {
  queued: 'queued',
  in_progress: 'in progress',
  success: 'over',
  failure: 'over',
}

function toWanted(statusId: string | undefined, { sha, project }: WaitCommandOptions): WantedUpdate {
  if (statusId !== undefined) {
    if (sha !== undefined || project !== undefined) {
      throw new ConfigError('Unexpected `--sha` or `--project` beside a status id', { hint: 'give the one or the other' })
    }
    return { kind: 'id', statusId }
  }
  if (sha === undefined || project === undefined) {
    throw new ConfigError(
      sha === undefined && project === undefined
        ? 'Missing the id of an update, or `--sha` and `--project`'
        : `Missing \`${sha === undefined ? '--sha' : '--project'}\` beside \`${sha === undefined ? '--project' : '--sha'}\``,
      {
        hint: 'for example `openapi-pages wait --sha $(git rev-parse HEAD) --project prj_…`; `openapi-pages project list` has the ids',
      },
    )
  }
  if (!/^[0-9a-f]{40}$/i.test(sha)) {
    throw new ConfigError(`Unexpected \`${sha}\` for \`--sha\`, expected all 40 digits of a commit`, {
      hint: '`git rev-parse HEAD` prints them',
    })
  }
  return { kind: 'commit', projectId: project, sha: sha.toLowerCase() }
}

/** The token that is given, else that of the running workflow. */
async function findToken(given: string | undefined, env: CliContext['env'], address: string): Promise<string> {
  const token = given ?? env['OPENAPI_PAGES_TOKEN']
  if (token) {
    // A line end in it would start another header.
    if (/^[!-~]+$/.test(token)) return token
    throw new ConfigError('Unexpected character in the token', { hint: 'is there a line end in it?' })
  }
  const own = await requestWorkflowToken(env, address)
  if (own.kind === 'token') return own.token
  if (own.kind === 'failed') throw new ConfigError(`Cannot get the token of this workflow: ${own.reason}`)
  throw new ConfigError('Missing a token', {
    hint: 'set the variable OPENAPI_PAGES_TOKEN (`openapi-pages token create --scope read` makes one), or in a workflow of GitHub `permissions: id-token: write`',
  })
}

/** Prints the lines that were not there the time before. The last line of a log that is full says how many were dropped, and changes. */
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
 * Reads `90s`, `10m` or `1h` as milliseconds; a bare number is seconds. At most a day.
 *
 * @param name of the option, for the message.
 * @throws {ConfigError}
 */
function readDuration(text: string, name: string): number {
  const [, number = '', unit = 's'] = /^(\d{1,6}(?:\.\d{1,3})?)([smh])?$/.exec(text.trim()) ?? []
  const ms = Number(number) * (unitMs[unit] ?? 0)
  if (number !== '' && ms > 0 && ms <= 86_400_000) return ms
  throw new ConfigError(`Unexpected \`${text}\` for ${name}, expected a time of up to a day`, {
    hint: 'for example `90s`, `10m` or `1h`',
  })
}
