import { Command, CommanderError } from 'commander'
import texts from '../../../texts/app-commands.json' with { type: 'json' }
import { packageVersion } from '../../docs/config/config-files.ts'
import { ConfigError } from '../../text/errors.ts'
import { readOwn } from '../../text/json/json-values.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { suggest } from '../../text/plain/suggest.ts'
import { findDataDir } from '../base/config/app-config.ts'
import { listSettings } from '../base/config/settings.ts'
import { becomeOwner } from './drop-root.ts'
import { inspect } from './inspect-command.ts'
import { backUp, runReconcile } from './maintenance-commands.ts'
import { migrateStore } from './migrate-store-command.ts'
import { listProjects, restoreProject, setProject, showProject } from './project-command.ts'
import { serve } from './serve-command.ts'
import { createToken, listTokens, revokeToken } from './token-command.ts'
import type { Environment } from './with-store.ts'

/** What runs each command, and returns its exit code. `texts/app-commands.json` has what `--help` says, in its order. */
const actions: Readonly<Record<Exclude<keyof typeof texts, 'token' | 'project'>, Action>> = {
  serve,
  'token create': createToken,
  'token list': listTokens,
  'token revoke': revokeToken,
  'project list': listProjects,
  'project show': showProject,
  'project set': setProject,
  'project restore': restoreProject,
  backup: backUp,
  reconcile: runReconcile,
  inspect,
  'migrate-store': migrateStore,
}

/** Takes the arguments and the options, whose types each command declares. */
type Action = (env: Environment, ...given: never[]) => Promise<number>

interface CommandTexts {
  readonly summary: string
  readonly description: string
  /** As `Command.argument` and `Command.option` take them. */
  readonly arguments?: readonly (readonly string[])[]
  readonly options?: readonly (readonly string[])[]
  /** What follows the options. */
  readonly help?: readonly string[]
}

/** The environment of a command. */
interface CommandContext {
  readonly env: Environment
  /** Receives the exit code of the command. */
  readonly onEnd: (exitCode: number) => void
}

/** All commands of the app. Help goes to stdout; the caller prints errors. */
export function createProgram({ env, onEnd }: CommandContext): Command {
  const helpWidth = Math.max(60, process.stdout.columns || 100)
  const program = new Command('openapi-pages-app')
    .version(packageVersion, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => process.stdout.write(text),
      writeErr: () => undefined,
      getOutHelpWidth: () => helpWidth,
      getOutHasColors: () => false,
    })
    // Descriptions already mention defaults where they matter.
    .configureHelp({ optionDescription: ({ description }) => description })
    .hook('preAction', (_program, action) => {
      // Another directory, which the command finds itself.
      if (action.opts()['from'] === undefined) becomeOwner(findDataDir(env))
    })
  for (const [path, text] of Object.entries<CommandTexts>(texts)) {
    const [name = '', action] = path.split(' ')
    const parent = action === undefined ? program : (findCommand(program, name) ?? program)
    const command = parent
      .command(action ?? name)
      .summary(text.summary)
      .description(text.description)
      .helpCommand(false)
    for (const [argument = '', about] of text.arguments ?? []) command.argument(argument, about)
    for (const [flags = '', about, byDefault] of text.options ?? []) command.option(flags, about, byDefault)
    if (text.help) command.addHelpText('after', `\n${text.help.join('\n')}`)
    const run = readOwn<Action>(actions, path)
    // The last value is the command itself.
    if (run) command.action(async (...given) => onEnd(await run(env, ...(given.slice(0, -1) as never[]))))
  }
  const others = listNames(program).filter((name) => name !== 'serve')
  const more = `Other commands: ${others.join(', ')}. See for example \`openapi-pages-app token --help\`.`
  findCommand(program, 'serve')?.addHelpText('after', () => `${listSettings()}\n\n${more}`)
  return program
}

/**
 * Runs a command line and returns its exit code.
 *
 * @throws {ConfigError} for invalid arguments, and any error of the command.
 */
export async function runProgram(args: readonly string[], env: Environment): Promise<number> {
  let exitCode = 0
  const program = createProgram({
    env,
    onEnd: (code) => {
      exitCode = code
    },
  })
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) throw explainUsage(error, program, args)
  }
  return exitCode
}

/** Where to find a missing argument, by its description. */
const hintsForMissing = new Map([
  ['project ID', 'See `openapi-pages-app project list`'],
  ['token ID', 'See `openapi-pages-app token list`'],
])

/** Commander reports names only inside its messages, so this looks them up in the arguments by error code. */
function explainUsage(cause: CommanderError, program: Command, args: readonly string[]): ConfigError {
  const [name = '', action = ''] = args
  const parent = findCommand(program, name)
  if (!parent) {
    const near = suggest(name, listNames(program))
    const hint = near ? `Did you mean \`${near}\`?` : `Available commands: ${listNames(program).join(', ')}`
    return new ConfigError(`unknown command ${escapeText(name)}`, { hint, cause })
  }
  const command = findCommand(parent, action) ?? parent
  const called = `\`${command === parent ? name : `${name} ${action}`}\``
  const hint = `See \`openapi-pages-app ${name} --help\`.`
  const known = `Available actions: ${listNames(parent).join(', ')}`
  switch (cause.code) {
    case 'commander.help':
      return new ConfigError(`missing action for \`${name}\``, { hint: known, cause })
    case 'commander.unknownCommand':
      return new ConfigError(`unknown action ${escapeText(action)} for \`${name}\``, { hint: known, cause })
    case 'commander.missingArgument': {
      const [{ description: missing = '' } = {}] = command.registeredArguments.slice(command.args.length)
      return new ConfigError(`missing the ${missing}`, { hint: hintsForMissing.get(missing) ?? hint, cause })
    }
    case 'commander.excessArguments': {
      const excess = command.args[command.registeredArguments.length] ?? ''
      return new ConfigError(`unexpected argument ${escapeText(excess)} for ${called}`, { hint, cause })
    }
    case 'commander.optionMissingArgument':
      // Only the last argument can lack a value: any other option takes the next argument.
      return new ConfigError(`missing value for ${args.at(-1)} of \`${name}\``, { hint, cause })
    default: {
      const [given = ''] = command.parseOptions(args.slice(command === parent ? 1 : 2)).unknown
      const [option = ''] = given.split('=', 1)
      const shown = escapeText(option)
      if (hasOption(command, option)) return new ConfigError(`unexpected value for ${shown} of \`${name}\``, { hint, cause })
      if (parent.commands.some((action) => hasOption(action, option))) {
        return new ConfigError(`unexpected ${shown} for ${called}`, { hint, cause })
      }
      const options = [parent, ...parent.commands].flatMap((command) => command.options)
      const near = suggest(
        option.slice(2),
        options.map((option) => option.name()),
      )
      const suggestion = near === undefined ? hint : `Did you mean \`--${near}\`? ${hint}`
      return new ConfigError(`unknown option ${shown} for \`${name}\``, { hint: suggestion, cause })
    }
  }
}

function findCommand({ commands }: Command, name: string): Command | undefined {
  return commands.find((command) => command.name() === name)
}

function listNames({ commands }: Command): string[] {
  return commands.map((command) => command.name())
}

function hasOption({ options }: Command, flag: string): boolean {
  return options.some(({ long, short }) => flag === long || flag === short)
}
