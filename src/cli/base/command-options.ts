import { type Command, Option } from 'commander'
import { isDay } from '../../docs/config/project-config.ts'
import { ConfigError } from '../../text/errors.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import type { CliContext, ExitCode } from './cli-context.ts'

/** Adds the options of a command, and returns what runs it: a function of its arguments, its options and a {@link CliContext}. */
export type DefineCommand = (command: Command) => (...given: never[]) => ExitCode | Promise<ExitCode>

/** Options that most commands have. */
export interface CommonOptions {
  readonly format: 'text' | 'json'
  /** Print only diagnostics and errors, without progress and summary. */
  readonly quiet: boolean
  /** Read nothing outside this folder instead of the work tree, as written by the user. */
  readonly boundary?: string
  readonly allowHttp: boolean
  readonly all: boolean
  /** Absent without `--color` and `--no-color`. */
  readonly color?: boolean
}

/** The option `--format` with the allowed `formats`. */
export function formatOption(description: string, formats: readonly string[]): Option {
  return choiceOption('--format <format>', description, formats)
}

/** An option with a fixed set of values, such as `--fail-on <level>`. */
export function choiceOption(flags: string, description: string, choices: readonly string[]): Option {
  const [name = ''] = flags.split(' ')
  // `choices` is for the completion of shells. The parser has better messages.
  return new Option(flags, description).choices(choices).argParser((value) => {
    if (choices.includes(value)) return value
    const near = suggest(value, choices)
    const found = name === '--format' ? `format \`${value}\`` : `value \`${value}\` for ${name}`
    throw new ConfigError(`unknown ${found}, expected ${listChoices(choices)}`, {
      hint: didYouMean(near && `${name} ${near}`),
    })
  })
}

/** The same option, which can be given several times. */
export function repeatable(option: Option): Option {
  const { parseArg } = option
  return option.argParser((value, before: readonly unknown[] = []) => [...before, parseArg ? parseArg(value, undefined) : value])
}

/** Adds `--format` and the options of {@link addSharedOptions}. */
export function addCommonOptions(command: Command, formats: readonly string[]): void {
  command.addOption(formatOption(`output format: ${formats.join(', ')} (default: text)`, formats).default('text'))
  addSharedOptions(command)
}

/** Adds the options of every command that reads a repository and prints lists. */
export function addSharedOptions(command: Command): void {
  command.option('--all', 'print complete lists instead of shortened ones', false)
  addReadOptions(command)
}

/** Adds the options of every command that reads a repository. */
export function addReadOptions(command: Command): void {
  command
    .option('--quiet', 'print only problems', false)
    .option('--boundary <directory>', 'do not read files outside this directory (default: the Git work tree)')
    .option('--local-schema, --allow-http', 'allow plain http and private addresses for the URLs in docs.json too', false)
  addColorOptions(command)
}

/** Options of the servers for editors and agents, which fetch no URLs by default. */
export interface ServerOptions extends Pick<CommonOptions, 'allowHttp' | 'boundary'> {
  readonly network: boolean
}

/** Adds the options about URLs in `docs.json` to a server for editors or agents. */
export function addServerNetworkOptions(command: Command): void {
  command
    .option('--network', 'fetch the URLs in docs.json, over https from public addresses (default: fetch nothing)', false)
    .option('--local-schema, --allow-http', 'fetch the URLs in docs.json, also over plain http and from private addresses', false)
}

/** The option `--since` of commands that read recordings. */
export function sinceOption(): Option {
  return new Option('--since <date>', 'leave out older recordings, for example 2026-01-31').argParser((date) => {
    if (isDay(date)) return date
    throw new ConfigError(`unexpected ${date} for --since, expected a date such as 2026-01-31`)
  })
}

/** The option `--overlay` of commands that read a single document. */
export function overlayOption(): Option {
  return new Option('--overlay <file>', 'apply this Overlay document first (repeatable)').argParser(collect).default([], 'none')
}

/** The option `--audience` of commands that show what some readers may see. */
export function audienceOption(): Option {
  return new Option(
    '--audience <audience>',
    'leave out what this audience of `site.audiences` may not see; without audiences, public leaves out what has x-internal: true',
  )
}

/** The options `--ruleset` and `--no-ruleset`: Spectral rulesets as written by the user, or `false`. */
export interface RulesetOptions {
  /** Absent: those of the configuration file. */
  readonly ruleset?: readonly string[] | false
}

/** Adds the options of commands that apply rulesets to documents. */
export function addRulesetOptions(command: Command): void {
  command
    .addOption(
      new Option(
        '-r, --ruleset <file>',
        'apply this Spectral ruleset, a file or a URL (default: the nearest .spectral.yaml; repeatable)',
      ).argParser((value: string, before: RulesetOptions['ruleset']) => collect(value, before || [])),
    )
    .option('--no-ruleset', 'apply no ruleset')
}

/** Parses an option that can be repeated. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

/**
 * Rejects `--overlay` for a docs directory, whose documents can have different overlays.
 *
 * @throws {ConfigError}
 */
export function rejectOverlays(argument: string): never {
  throw new ConfigError(`unexpected --overlay for ${argument}, which has a docs.json`, {
    hint: 'List the overlays in docs.json: `"openapi": { "source": "openapi.yaml", "overlays": ["public.overlay.yaml"] }`',
  })
}

/** Adds the options for colors, which come last. */
export function addColorOptions(command: Command): Command {
  return command.option('--color', 'always use colors').option('--no-color', 'never use colors (also: NO_COLOR=1)')
}
