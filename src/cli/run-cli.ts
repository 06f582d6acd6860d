import type { CliContext, ExitCode } from './cli-context.ts'
import type { CheckCommandOptions } from './command-options.ts'
import { runCheckCommand } from './commands/check.ts'

/**
 * Runs one command line and tells its exit code. Never rejects.
 *
 * Checking a document is the hot path and comes with the program; the option parser and all other commands are loaded when they are
 * called for, as each further file costs its share of the start.
 */
export async function runCli(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  try {
    const entries = readPlainCheck(argv)
    if (entries) {
      return await runCheckCommand(entries, defaultCheckOptions, context)
    }
    const { runProgram } = await import('./run-program.ts')
    return await runProgram(argv, context)
  } catch (error) {
    const { describeError } = await import('./describe-error.ts')
    context.stderr.write(describeError(error))
    return 2
  }
}

/**
 * The arguments of a `check` without options. It has nothing to parse, so it is spared the parser, which takes a third as long to load
 * as Node takes to start; hooks and editors run this line many times.
 */
function readPlainCheck([command, ...entries]: readonly string[]): readonly string[] | undefined {
  if (command !== 'check' && command !== 'openapi-check') return undefined
  return entries.every((entry) => !entry.startsWith('-')) ? entries : undefined
}

const defaultCheckOptions: CheckCommandOptions = { format: 'text', quiet: false, allowHttp: false, all: false }
