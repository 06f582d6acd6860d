import { Command, CommanderError } from 'commander'
import { packageVersion } from '../docs/config/config-files.ts'
import type { CliContext, ExitCode } from './base/cli-context.ts'
import { describeError } from './base/command-errors.ts'
import { appCommandNames, describeUsage, normalizeArgv } from './base/command-line.ts'
import type { DefineCommand } from './base/command-options.ts'

interface CommandEntry {
  readonly name: string
  readonly alias?: string
  readonly summary: string
  /** As `Command.argument` takes them. */
  readonly arguments: readonly (readonly [name: string, description: string, fallback?: string])[]
  readonly load: () => Promise<DefineCommand>
}

const docsDirectory = ['[root]', 'directory with a docs.json, or a parent of it (default: the working directory)', '.'] as const

/** Commands as `--help` lists them. The options and action of a command are loaded only when it runs. */
const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'Set up a repository: docs.json, CI jobs and configuration',
    arguments: [['[root]', 'directory to set up (default: the working directory)', '.']],
    load: async () => (await import('./setup/init-command.ts')).defineInitCommand,
  },
  {
    name: 'openapi-check',
    alias: 'check',
    summary: 'Check OpenAPI documents',
    arguments: [['[fileOrUrl...]', 'files, directories, globs, URLs, or - for stdin (default: the working directory)']],
    load: async () => (await import('./commands/check-command.ts')).defineCheckCommand,
  },
  {
    name: 'changes',
    alias: 'diff',
    summary: 'Compare two versions of API descriptions',
    arguments: [
      ['<base>', 'the old version: a file, a directory, a URL, a git revision, or <git revision>:<path>'],
      ['[revision]', 'the new version (default: the working directory)', '.'],
    ],
    load: async () => (await import('./commands/changes-command.ts')).defineChangesCommand,
  },
  {
    name: 'accept',
    summary: 'Record that breaking changes of an API are accepted',
    arguments: [
      ['<base>', 'the old version: a file, a directory, a URL, a git revision, or <git revision>:<path>'],
      ['<revision>', 'the new version'],
    ],
    load: async () => (await import('./commands/accept-command.ts')).defineAcceptCommand,
  },
  {
    name: 'update',
    summary: 'Generate API pages and update the navigation',
    arguments: [docsDirectory],
    load: async () => (await import('./commands/update-command.ts')).defineUpdateCommand,
  },
  {
    name: 'ci',
    summary: 'Check and commit pages in a CI system, with plain Git',
    arguments: [['[root]', 'directory with docs or OpenAPI documents (default: the working directory)', '.']],
    load: async () => (await import('./commands/ci-command.ts')).defineCiCommand,
  },
  {
    name: 'status',
    summary: 'Show the state of generated and adopted pages',
    arguments: [docsDirectory],
    load: async () => (await import('./commands/status-command.ts')).defineStatusCommand,
  },
  {
    name: 'adopt',
    summary: 'Take over existing API pages',
    arguments: [docsDirectory],
    load: async () => (await import('./commands/adopt-command.ts')).defineAdoptCommand,
  },
  {
    name: 'openapi-file',
    summary: 'Generate one page per operation, without a docs.json',
    arguments: [['<pathOrUrl>', 'OpenAPI document']],
    load: async () => (await import('./commands/openapi-file-command.ts')).defineOpenApiFileCommand,
  },
  {
    name: 'bundle',
    summary: 'Bundle an API description into one document',
    arguments: [['<pathOrUrl>', 'entry document of the description']],
    load: async () => (await import('./commands/bundle-command.ts')).defineBundleCommand,
  },
  {
    name: 'build',
    summary: 'Build a static documentation site',
    arguments: [
      ['[root]', 'directory with a docs.json or OpenAPI document, or a document (default: the working directory)', '.'],
    ],
    load: async () => (await import('./commands/build-command.ts')).defineBuildCommand,
  },
  {
    name: 'preview',
    summary: 'Preview the site locally and reload it on changes',
    arguments: [
      ['[root]', 'directory with a docs.json or OpenAPI document, or a document (default: the working directory)', '.'],
    ],
    load: async () => (await import('./commands/preview-command.ts')).definePreviewCommand,
  },
  {
    name: 'lsp',
    summary: 'Serve editors over the Language Server Protocol',
    arguments: [],
    load: async () => (await import('./editors/lsp-command.ts')).defineLspCommand,
  },
  {
    name: 'mcp',
    summary: 'Serve agents over the Model Context Protocol',
    arguments: [
      ['[root]', 'directory with a docs.json or OpenAPI documents, or a document (default: the working directory)', '.'],
    ],
    load: async () => (await import('./editors/mcp-command.ts')).defineMcpCommand,
  },
  {
    name: 'wait',
    summary: 'Wait for an update of the app to finish',
    arguments: [['[statusId]', 'ID of the update, as returned by the app']],
    load: async () => (await import('./commands/wait-command.ts')).defineWaitCommand,
  },
  {
    name: 'doctor',
    summary: 'Check this machine and repository for problems',
    arguments: [['[root]', 'directory with a docs.json or OpenAPI documents (default: the working directory)', '.']],
    load: async () => (await import('./setup/doctor-command.ts')).defineDoctorCommand,
  },
  {
    name: 'explain',
    summary: 'Explain a code of a diagnostic or API change',
    arguments: [['[code]', 'code such as security-scheme (default: all codes)']],
    load: async () => (await import('./commands/explain-command.ts')).defineExplainCommand,
  },
  {
    name: 'rules',
    summary: 'List, explain and test the rules of a Spectral ruleset',
    arguments: [
      ['[action]', 'list, explain or test (default: list)', 'list'],
      ['[subject]', 'document or directory to list, rule to explain, or ruleset to test (default: the working directory)'],
      ['[document]', 'document whose ruleset has the rule to explain (default: the working directory)'],
    ],
    load: async () => (await import('./commands/rules-command.ts')).defineRulesCommand,
  },
  {
    name: 'completion',
    summary: 'Print a completion script for a shell',
    arguments: [['<shell>', 'bash, zsh, fish or powershell']],
    load: async () => (await import('./commands/completion-command.ts')).createDefineCompletion(loadProgram),
  },
]

/** The program with the options of every command. `runCli` loads them only for the command that runs. */
export async function loadProgram(context: CliContext): Promise<Command> {
  const program = createProgram(context)
  const defines = await Promise.all(commands.map(async ({ load }) => await load()))
  for (const [index, command] of program.commands.entries()) defines[index]?.(command, context, () => {})
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
    const defineCommand = await load()
    const command = program.commands.find((each) => each.name() === name)
    if (command) {
      defineCommand(command, context, (code) => {
        exitCode = code
      })
    }
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

/** Creates the program with its command overview. Each command's module adds its own options. */
function createProgram(context: CliContext): Command {
  const helpWidth = Math.max(60, context.stdout.columns || 100)
  const program = new Command('openapi-pages')
    .description('Keeps your API docs in sync with your OpenAPI documents.')
    .version(packageVersion, '-v, --version', 'Print the version')
    .helpOption('-h, --help', 'Print help')
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
  for (const entry of commands) {
    const command = program.command(entry.name).summary(entry.summary)
    if (entry.alias !== undefined) command.alias(entry.alias)
    for (const [name, description, fallback] of entry.arguments) command.argument(name, description, fallback)
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
