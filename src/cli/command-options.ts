import { type Command, Option } from 'commander'
import { ConfigError } from '../errors.ts'
import { suggest } from '../source/suggest.ts'
import type { CliContext, ExitCode } from './cli-context.ts'

/** Adds the description, options, help and action of a command. `end` takes the exit code of its run. */
export type DefineCommand = (command: Command, context: CliContext, end: (exitCode: ExitCode) => void) => void

/** Options that most commands have. */
export interface CommonOptions {
  readonly format: 'text' | 'json'
  /** Only findings and errors: no progress, no closing lines. */
  readonly quiet: boolean
  /** Instead of the work tree, a folder that nothing may be read outside of; as the person wrote it. */
  readonly boundary?: string
  readonly allowHttp: boolean
  readonly all: boolean
  /** Absent where neither `--color` nor `--no-color` is given. */
  readonly color?: boolean
}

/** `--format`, which takes one of `formats`. */
export function formatOption(description: string, formats: readonly string[]): Option {
  return new Option('--format <format>', description).argParser((value) => {
    if (formats.includes(value)) return value
    const near = suggest(value, formats)
    throw new ConfigError(`unknown format \`${value}\`, expected ${formats.join(', ')}`, {
      ...(near === undefined ? {} : { hint: `did you mean --format ${near}?` }),
    })
  })
}

/** Adds `--format` and what {@link addSharedOptions} adds. */
export function addCommonOptions(command: Command, formats: readonly string[]): void {
  command.addOption(formatOption(`print as ${formats.join(', ')} (default: text)`, formats).default('text'))
  addSharedOptions(command)
}

/** Adds the options that every command reading a repository has. */
export function addSharedOptions(command: Command): void {
  command
    .option('--quiet', 'print findings and errors only', false)
    .option('--all', 'print everything, also what is shortened by default', false)
    .option('--boundary <folder>', 'read nothing outside this folder (default: the git work tree)')
    .option('--local-schema, --allow-http', 'allow plain http to any host', false)
    .option('--color', 'colours even where the output is no terminal')
    .option('--no-color', 'no colours; the variable NO_COLOR does the same')
    .helpOption('-h, --help', 'print help')
    .allowExcessArguments(false)
}
