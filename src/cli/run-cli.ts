import { Command, CommanderError } from 'commander'
import { packageVersion } from '../update/package-version.ts'
import type { CliContext, ExitCode } from './cli-context.ts'
import { describeError } from './command-errors.ts'
import { appCommandNames, describeUsage, normalizeArgv } from './command-line.ts'
import type { DefineCommand } from './command-options.ts'

interface CommandEntry {
  readonly name: string
  readonly alias?: string
  readonly summary: string
  /** As `Command.argument` takes them. */
  readonly arguments: readonly (readonly [name: string, description: string, fallback?: string])[]
  readonly load: () => Promise<DefineCommand>
}

const docsFolder = ['[root]', 'folder with a docs.json or mint.json (default: the working directory)', '.'] as const

/** Each command with what the overview of all commands shows. Its options and action are loaded only when it is called. */
const commands: readonly CommandEntry[] = [
  {
    name: 'openapi-check',
    alias: 'check',
    summary: 'Check OpenAPI documents and report every fault',
    arguments: [
      ['[fileOrUrl...]', 'files, globs, addresses, - for standard input, or folders with a docs.json (default: this folder)'],
    ],
    load: async () => (await import('./commands/check-command.ts')).defineCheckCommand,
  },
  {
    name: 'update',
    summary: 'Write the pages and navigation of a docs.json',
    arguments: [docsFolder],
    load: async () => (await import('./commands/update-command.ts')).defineUpdateCommand,
  },
  {
    name: 'status',
    summary: 'Show how the pages of a docs.json stand',
    arguments: [docsFolder],
    load: async () => (await import('./commands/status-command.ts')).defineStatusCommand,
  },
  {
    name: 'adopt',
    summary: 'Take over pages that others have made',
    arguments: [docsFolder],
    load: async () => (await import('./commands/adopt-command.ts')).defineAdoptCommand,
  },
  {
    name: 'virtual',
    summary: 'Give the pages of a division back to the host',
    arguments: [
      ['<division>', 'the label of the division, for example "API Reference", or its id in openapi-pages.lock.json'],
      docsFolder,
    ],
    load: async () => (await import('./commands/virtual-command.ts')).defineVirtualCommand,
  },
  {
    name: 'openapi-file',
    summary: 'Write one page per operation, without a docs.json',
    arguments: [['<pathOrUrl>', 'an OpenAPI document']],
    load: async () => (await import('./commands/openapi-file-command.ts')).defineOpenApiFileCommand,
  },
  {
    name: 'bundle',
    summary: 'Join the files of a description into one document',
    arguments: [['<pathOrUrl>', 'the entry document']],
    load: async () => (await import('./commands/bundle-command.ts')).defineBundleCommand,
  },
  {
    name: 'build',
    summary: 'Build the documentation as a static site',
    arguments: [['[root]', 'folder with a docs.json (default: the working directory), or an OpenAPI document', '.']],
    load: async () => (await import('./commands/build-command.ts')).defineBuildCommand,
  },
  {
    name: 'preview',
    summary: 'Show the documentation in a browser while you write it',
    arguments: [['[root]', 'folder with a docs.json, or an OpenAPI document alone (default: the working directory)', '.']],
    load: async () => (await import('./commands/preview-command.ts')).definePreviewCommand,
  },
  {
    name: 'wait',
    summary: 'Wait until an update of the app has ended',
    arguments: [['[statusId]', 'the id that the trigger, the report or the check gave']],
    load: async () => (await import('./commands/wait-command.ts')).defineWaitCommand,
  },
]

/** Runs one command line and returns its exit code. Never rejects. */
export async function runCli(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  try {
    return await runProgram(argv, context)
  } catch (error) {
    context.stderr.write(describeError(error))
    return 2
  }
}

/** @throws whatever the command throws, and {ConfigError} for an unusable value of an option. */
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
  let words = normalized
  if (words[0]?.startsWith('-') && words.some((word) => !word.startsWith('-'))) {
    // Whether a word before the command is a value depends on the options of the command. Without one, all options count.
    for (const entry of new Set([...words.flatMap((word) => findCommand(word) ?? []), ...commands])) {
      await define(entry)
      words = putCommandFirst(normalized, program)
      if (findCommand(words[0]) === entry) break
    }
  } else {
    const entry = findCommand(words[0] === 'help' ? words[1] : words[0])
    if (entry) await define(entry)
  }
  const [name = ''] = words
  try {
    // The library would show the help of the program for `--help` of a command that does not exist.
    if (!name.startsWith('-') && name !== 'help' && !findCommand(name)) {
      throw new CommanderError(2, 'commander.unknownCommand', name)
    }
    await program.parseAsync(words, { from: 'user' })
    return exitCode
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return 0
    context.stderr.write(describeUsage(error, words, program))
    return 2
  }
}

function findCommand(word: string | undefined): CommandEntry | undefined {
  return commands.find(({ name, alias }) => word !== undefined && (word === name || word === alias))
}

/** The program with the overview of its commands; their options are added by their own modules. */
function createProgram(context: CliContext): Command {
  const helpWidth = Math.max(60, context.stdout.columns || 100)
  const program = new Command('openapi-pages')
    .description('Keeps API documentation true: checks OpenAPI documents and writes their pages and navigation.')
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
      // The descriptions say what happens without an option; `(default: false)` says it worse.
      optionDescription: ({ description }) => description,
      argumentDescription: ({ description }) => description,
      subcommandTerm: (command) => `${[command.name(), ...command.aliases()].join('|')} ${command.usage()}`,
    })
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages check openapi.yaml          Check a document
  openapi-pages check .                     Check all that docs.json names, and the pages bound to it
  openapi-pages update                      Write the pages and navigation of docs.json
  openapi-pages preview                     Show the site while you write it
  openapi-pages build                       Build it as static files
  openapi-pages status                      See how the pages stand
  openapi-pages adopt                       Take over pages that are there already
  openapi-pages openapi-file openapi.yaml   Write pages without a docs.json
  openapi-pages bundle openapi.yaml         Join the files of a description into one
  openapi-pages wait <statusId>             Wait for an update of the app, in any CI

The app, which checks every push to your repositories: ${appCommandNames.join(', ')}. See \`openapi-pages serve --help\`.

Exit codes: 0 all is well, 1 errors were found or pages are out of date, 2 the command could not run.
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
 * Moves the name of the command before the options that were written in front of it, as in `openapi-pages --color update`.
 *
 * All options belong to the commands, and the parser knows those of a command only once it has read its name.
 */
function putCommandFirst(argv: readonly string[], program: Command): string[] {
  const options = program.commands.flatMap((command) => command.options)
  const takesNextWord = (word: string) =>
    options.some((option) => option.required && (option.short === word || option.long === word))
  let index = 0
  while (argv[index]?.startsWith('-') && argv[index] !== '--') index += takesNextWord(argv[index] ?? '') ? 2 : 1
  const name = argv[index]
  if (name === undefined || name === '--') return [...argv]
  return [name, ...argv.slice(0, index), ...argv.slice(index + 1)]
}
