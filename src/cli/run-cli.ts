import { CommanderError } from 'commander'
import type { CliContext, ExitCode } from './cli-context.ts'
import { createProgram } from './create-program.ts'
import { normalizeArgv } from './normalize-argv.ts'

/**
 * Runs one command line and tells its exit code. Never rejects.
 *
 * Commands are loaded when they are called for: `--help` and errors of usage load none.
 */
export async function runCli(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  const state: { exitCode: ExitCode } = { exitCode: 0 }
  const program = createProgram(context, (exitCode) => {
    state.exitCode = exitCode
  })
  try {
    if (argv.length === 0) {
      context.stderr.write(program.helpInformation())
      return 2
    }
    await program.parseAsync(normalizeArgv(argv), { from: 'user' })
    return state.exitCode
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const { describeError } = await import('./describe-error.ts')
    context.stderr.write(describeError(error, argv, program))
    return 2
  }
}
