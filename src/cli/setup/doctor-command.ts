import { formatCount } from '../../diagnostics/diagnostic.ts'
import { escapeText, toSafeJson } from '../../text/plain/escape-text.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { addReadOptions, type CommonOptions, type DefineCommand, formatOption } from '../base/command-options.ts'
import { openDirectory } from '../open/workspace.ts'
import { choosePalette } from '../print/terminal.ts'
import { type DoctorRow, runDoctor } from './doctor-checks.ts'

interface DoctorCommandOptions extends Omit<CommonOptions, 'all'> {
  readonly network: boolean
}

/** The options, help and action of `doctor`. */
export const defineDoctorCommand: DefineCommand = (command, context, end) => {
  command
    .description(
      'Checks Node.js, Git, the depth of the checkout, the cache, the docs directory, the configuration, and in GitHub Actions the token.',
    )
    .option('--network', 'also read remote documents, and ask GitHub about the token', false)
    .addOption(formatOption('output format: text, json (default: text)', ['text', 'json']).default('text'))
  addReadOptions(command)
  command
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages doctor --network

Exit codes: 0 no problems, 1 problems found, 2 the command could not run.`,
    )
    .action(async (root: string, options: DoctorCommandOptions) => {
      end(await runDoctorCommand(root, options, context))
    })
}

const marks: { readonly [state in DoctorRow['state']]: string } = { ok: '✔', warning: '!', problem: '✖' }

async function runDoctorCommand(argument: string, options: DoctorCommandOptions, context: CliContext): Promise<ExitCode> {
  const { progress, workspace, root } = openDirectory(argument, 'check', options, context)
  const rows = await runDoctor(root, { usesNetwork: options.network }, workspace, context)
  progress.clear()
  const problems = rows.filter(({ state }) => state === 'problem')
  const { stdout } = context
  if (options.format === 'json') stdout.write(`${toSafeJson({ version: 1, problems: problems.length, checks: rows })}\n`)
  else {
    const palette = choosePalette(stdout, context, options.color)
    const colors = { ok: palette.success, warning: palette.warning, problem: palette.error }
    for (const { state, message, fix } of rows) {
      if (options.quiet && state === 'ok') continue
      stdout.write(
        `${colors[state](marks[state])} ${escapeText(message)}\n${fix === undefined ? '' : `    ${escapeText(fix)}\n`}`,
      )
    }
    const summary = problems.length > 0 ? `✖ ${formatCount(problems.length, 'problem')} to fix` : '✔ No problems found'
    if (!options.quiet || problems.length > 0)
      stdout.write(`\n${(problems.length > 0 ? palette.error : palette.success)(summary)}\n`)
  }
  return problems.length > 0 ? 1 : 0
}
