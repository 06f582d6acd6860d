import type { CliContext, ExitCode } from './cli-context.ts'
import type { CheckCommandOptions, OpenApiFileCommandOptions } from './command-options.ts'
import { runCheckCommand } from './commands/check-command.ts'

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
    const plain = readPlainOpenApiFile(argv)
    if (plain) {
      const { runOpenApiFileCommand } = await import('./commands/openapi-file-command.ts')
      return await runOpenApiFileCommand(plain.source, plain.options, context)
    }
    const { runProgram } = await import('./program.ts')
    return await runProgram(argv, context)
  } catch (error) {
    const { describeError } = await import('./command-errors.ts')
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

const defaultOptions = { format: 'text', quiet: false, allowHttp: false, all: false } as const
const defaultCheckOptions: CheckCommandOptions = defaultOptions

interface PlainOpenApiFile {
  readonly source: string
  readonly options: OpenApiFileCommandOptions
}

/** An `openapi-file` with a document and no other options than those that people know from the original, spelt in full. */
function readPlainOpenApiFile([command, source, ...words]: readonly string[]): PlainOpenApiFile | undefined {
  if (command !== 'openapi-file' || source === undefined || source.startsWith('-')) return undefined
  let options: OpenApiFileCommandOptions = { ...defaultOptions, writeFiles: true, overwrite: false, schemas: false }
  for (let index = 0; index < words.length; index++) {
    const word = words[index]
    const value = words[index + 1]
    if ((word === '-o' || word === '--outDir') && value !== undefined && !value.startsWith('-')) {
      options = { ...options, outDir: value }
      index++
    } else if (word === '--overwrite') options = { ...options, overwrite: true }
    else if (word === '--no-writeFiles') options = { ...options, writeFiles: false }
    else return undefined
  }
  return { source, options }
}
