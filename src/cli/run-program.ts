import { CommanderError } from 'commander'
import type { CliContext, ExitCode } from './cli-context.ts'
import { createProgram } from './create-program.ts'
import { normalizeArgv } from './normalize-argv.ts'
import { putCommandFirst } from './put-command-first.ts'

/**
 * Parses a command line and runs its command.
 *
 * @throws whatever the command throws, and {ConfigError} for a value of an option that cannot be used.
 */
export async function runProgram(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  const state: { exitCode: ExitCode } = { exitCode: 0 }
  const program = createProgram(context, (exitCode) => {
    state.exitCode = exitCode
  })
  if (argv.length === 0) {
    context.stderr.write(program.helpInformation())
    return 2
  }
  const words = putCommandFirst(normalizeArgv(argv), program)
  try {
    // The library would show the help of the program for `--help` of a command that there is not.
    const [name = ''] = words
    const isKnown = program.commands.some((command) => command.name() === name || command.aliases().includes(name))
    if (!name.startsWith('-') && name !== 'help' && !isKnown) throw new CommanderError(2, 'commander.unknownCommand', name)
    await program.parseAsync(words, { from: 'user' })
    return state.exitCode
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return 0
    const { describeUsage } = await import('./describe-usage.ts')
    context.stderr.write(describeUsage(error, words, program))
    return 2
  }
}
