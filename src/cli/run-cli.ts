import { Command, CommanderError } from 'commander'
import texts from '../../texts/commands.json' with { type: 'json' }
import { packageVersion } from '../docs/config/config-files.ts'
import { readOwn } from '../text/json/json-values.ts'
import type { CliContext, ExitCode } from './base/cli-context.ts'
import { describeError } from './base/command-errors.ts'
import { appCommandNames, describeUsage, normalizeArgv } from './base/command-line.ts'
import type { DefineCommand } from './base/command-options.ts'

/** Loads the options of each command and what runs it, only when it runs. `texts/commands.json` has what `--help` says, in its order. */
const loaders: Readonly<Record<keyof typeof texts, () => Promise<DefineCommand>>> = {
  init: async () => (await import('./setup/init-command.ts')).defineInitCommand,
  'openapi-check': async () => (await import('./commands/check-command.ts')).defineCheckCommand,
  changes: async () => (await import('./commands/changes-command.ts')).defineChangesCommand,
  clients: async () => (await import('./commands/clients-command.ts')).defineClientsCommand,
  review: async () => (await import('./commands/review-command.ts')).defineReviewCommand,
  accept: async () => (await import('./commands/accept-command.ts')).defineAcceptCommand,
  update: async () => (await import('./commands/update-command.ts')).defineUpdateCommand,
  ci: async () => (await import('./commands/ci-command.ts')).defineCiCommand,
  status: async () => (await import('./commands/status-command.ts')).defineStatusCommand,
  adopt: async () => (await import('./commands/adopt-command.ts')).defineAdoptCommand,
  'openapi-file': async () => (await import('./commands/openapi-file-command.ts')).defineOpenApiFileCommand,
  bundle: async () => (await import('./commands/bundle-command.ts')).defineBundleCommand,
  build: async () => (await import('./commands/build-command.ts')).defineBuildCommand,
  preview: async () => (await import('./commands/preview-command.ts')).definePreviewCommand,
  lsp: async () => (await import('./editors/lsp-command.ts')).defineLspCommand,
  mcp: async () => (await import('./editors/mcp-command.ts')).defineMcpCommand,
  wait: async () => (await import('./commands/wait-command.ts')).defineWaitCommand,
  doctor: async () => (await import('./setup/doctor-command.ts')).defineDoctorCommand,
  explain: async () => (await import('./commands/explain-command.ts')).defineExplainCommand,
  rules: async () => (await import('./commands/rules-command.ts')).defineRulesCommand,
  completion: async () => (await import('./commands/completion-command.ts')).createDefineCompletion(loadProgram),
}

interface CommandTexts {
  readonly alias?: string
  readonly summary: string
  /** What people come for, as a heading of `--help`. */
  readonly group: string
  /** As `Command.argument` takes them. */
  readonly arguments: readonly (readonly string[])[]
  readonly description: string
  /** What follows the options. */
  readonly help: readonly string[]
}

interface CommandEntry extends CommandTexts {
  readonly name: string
  readonly load: () => Promise<DefineCommand>
}

const commands = Object.entries<CommandTexts>(texts).flatMap(([name, text]): CommandEntry[] => {
  const load = readOwn(loaders, name)
  return load ? [{ name, load, ...text }] : []
})

/** The program with the options of every command. `runCli` loads them only for the command that runs. */
export async function loadProgram(context: CliContext): Promise<Command> {
  const program = createProgram(context)
  const defines = await Promise.all(commands.map(async ({ load }) => await load()))
  for (const [index, command] of program.commands.entries()) defines[index]?.(command)
  return program
}

/** Runs a command line and returns its exit code. Never rejects. */
export async function runCli(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  try {
    return await runProgram(argv, context)
  } catch (error) {
    context.stderr.write(describeError(error))
    return 2
  }
}

/** @throws whatever the command throws, and {ConfigError} for an invalid option value. */
async function runProgram(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  const program = createProgram(context)
  if (argv.length === 0) {
    context.stderr.write(program.helpInformation())
    return 2
  }
  let exitCode: ExitCode = 0
  const define = async ({ name, load }: CommandEntry) => {
    const command = program.commands.find((each) => each.name() === name)
    if (!command) return
    const run = (await load())(command)
    command.action(async (...given: readonly unknown[]) => {
      // The last value is the command itself. Each command declares the types of its arguments and options.
      exitCode = await run(...([...given.slice(0, -1), context] as never[]))
    })
  }
  const normalized = normalizeArgv(argv)
  let args = normalized
  if (args[0]?.startsWith('-') && args.some((arg) => !arg.startsWith('-'))) {
    // Whether an argument before the command is an option value depends on the command's options. If none is named, try all commands.
    for (const entry of new Set([...args.flatMap((arg) => findCommand(arg) ?? []), ...commands])) {
      await define(entry)
      args = putCommandFirst(normalized, program)
      if (findCommand(args[0]) === entry) break
    }
  } else {
    const entry = findCommand(args[0] === 'help' ? args[1] : args[0])
    if (entry) await define(entry)
  }
  const [name = ''] = args
  try {
    // Commander would show the general help for `unknown-command --help`.
    if (!name.startsWith('-') && name !== 'help' && !findCommand(name)) {
      throw new CommanderError(2, 'commander.unknownCommand', name)
    }
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return 0
    context.stderr.write(describeUsage(error, args, program))
    return 2
  }
}

function findCommand(arg: string | undefined): CommandEntry | undefined {
  return commands.find(({ name, alias }) => arg !== undefined && (arg === name || arg === alias))
}

/** Creates the program with its command overview and the texts of all commands. Each command's module adds its own options. */
function createProgram(context: CliContext): Command {
  const helpWidth = Math.max(60, context.stdout.columns || 100)
  const program = new Command('openapi-pages')
    .description('Keeps your API docs in sync with your OpenAPI documents.')
    .version(packageVersion, '-v, --version', 'Print the version')
    .helpOption('-h, --help', 'Print help')
    .commandsGroup('Operate:')
    .helpCommand('help [command]', 'Print help for a command')
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: () => {},
      outputError: () => {},
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({
      // Descriptions already mention defaults where they matter.
      optionDescription: ({ description }) => description,
      argumentDescription: ({ description }) => description,
      subcommandTerm: (command) => `${[command.name(), ...command.aliases()].join('|')} ${command.usage()}`,
    })
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages init                        Set up a repository
  openapi-pages check openapi.yaml          Check a document
  openapi-pages changes main openapi.yaml   Report changes that break API clients
  openapi-pages update                      Generate pages and update the navigation
  openapi-pages preview                     Preview the site while you edit it

Commands of the self-hosted app: ${appCommandNames.join(', ')}. See \`openapi-pages-app serve --help\`.

Exit codes: 0 success, 1 errors found or pages out of date, 2 the command could not run.
Documentation: https://github.com/openapi-pages/openapi-pages`,
    )
  for (const { name, alias, summary, group, description, help, arguments: taken } of commands) {
    const command = program
      .command(name)
      .helpGroup(`${group}:`)
      .summary(summary)
      .description(description)
      .helpOption('-h, --help', 'print help')
    if (alias !== undefined) command.alias(alias)
    for (const [argument = '', ...about] of taken) command.argument(argument, ...about)
    command.allowExcessArguments(false).addHelpText('after', `\n${help.join('\n')}`)
  }
  return program
}

/**
 * Moves the command name in front of options that precede it, as in `openapi-pages --color update`.
 *
 * Commander knows a command's options only after it has read the command name.
 */
function putCommandFirst(argv: readonly string[], program: Command): string[] {
  const options = program.commands.flatMap((command) => command.options)
  const takesValue = (arg: string) => options.some((option) => option.required && (option.short === arg || option.long === arg))
  let index = 0
  while (argv[index]?.startsWith('-') && argv[index] !== '--') index += takesValue(argv[index] ?? '') ? 2 : 1
  const name = argv[index]
  if (name === undefined || name === '--') return [...argv]
  return [name, ...argv.slice(0, index), ...argv.slice(index + 1)]
}
