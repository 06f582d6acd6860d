import type { Command, CommanderError } from 'commander'
import { ConfigError } from '../../text/errors.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { suggest } from '../../text/plain/suggest.ts'
import { formatError } from './command-errors.ts'

/** The commands of the app, for help and suggestions. `bin/openapi-pages.cjs` starts the app for them. */
export const appCommandNames = ['serve', 'token', 'project', 'backup', 'reconcile', 'inspect', 'migrate-store'] as const

/**
 * Rewrites the option spellings of Mintlify's scraper to the ones Commander knows.
 *
 * The scraper accepts `-w false`, `-w=false`, `--writeFiles=false`, `-o=folder`, `--out-dir` and `--write-files`. It reads the next
 * argument as the value of `-w` only if it is a boolean.
 *
 * @throws {ConfigError} if the value of `--writeFiles` is neither `true` nor `false`.
 */
export function normalizeArgv(argv: readonly string[]): string[] {
  const out: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const arg = argv[index] ?? ''
    if (arg === '--') return [...out, ...argv.slice(index)]
    const [, name, value] = /^(-w|-o|--writeFiles|--write-files|--out-dir)(?:=(.*))?$/s.exec(arg) ?? []
    if (name === undefined) out.push(arg)
    else if (name === '-o' || name === '--out-dir') {
      out.push(name === '-o' ? name : '--outDir', ...(value === undefined ? [] : [value]))
    } else {
      const next = argv[index + 1]
      const given = value ?? (next === 'true' || next === 'false' ? next : undefined)
      if (given !== undefined && value === undefined) index++
      if (given === undefined || given === 'true') out.push('--writeFiles')
      else if (given === 'false') out.push('--no-writeFiles')
      else throw new ConfigError(`unexpected value ${given} for --writeFiles, expected true or false`)
    }
  }
  return out
}

/** Names that users type for options with a different name. */
const similarOptions: { readonly [name: string]: string } = {
  '--output': '--outDir',
  '--out': '--outDir',
  '--folder': '--outDir',
  '--directory': '--outDir',
  '--force': '--overwrite',
  '--dryrun': '--dry-run',
  '--json': '--format json',
  '--silent': '--quiet',
  '--root': '--boundary',
  '--insecure': '--allow-http',
}

/** Commands of other tools, with the equivalent command of this one. */
const hintsForOtherCommands = new Map([
  ['lint', 'To check documents: `openapi-pages check`.'],
  ['validate', 'To check documents: `openapi-pages check`.'],
  ['test', 'To check documents: `openapi-pages check`.'],
  ['dev', 'To preview the site: `openapi-pages preview`.'],
  ['start', 'To preview the site: `openapi-pages preview`. To run the app: `openapi-pages-app serve`.'],
  [
    'generate',
    'To generate the pages of a docs.json: `openapi-pages update`. Without a docs.json: `openapi-pages openapi-file <document>`.',
  ],
  ['setup', 'To set up a repository: `openapi-pages init`.'],
  ['sync', 'To update the pages of a docs.json: `openapi-pages update`.'],
])

/** Describes a usage error with the likely fix and a pointer to the help. Ends with a newline. */
export function describeUsage(error: CommanderError, argv: readonly string[], program: Command): string {
  // The name that was typed, which may be an alias.
  const typed = argv.find((word) => !word.startsWith('-')) ?? ''
  const command = program.commands.find((each) => each.name() === typed || each.aliases().includes(typed))
  const help = command ? `See \`openapi-pages ${typed} --help\`.` : 'See `openapi-pages --help`.'
  const forCommand = command ? ` for \`${typed}\`` : ''
  // Commander's errors have codes, but only the message names the option or argument.
  const name = /'([^']*)'/.exec(error.message)?.[1] ?? ''
  switch (error.code) {
    case 'commander.unknownOption': {
      // A file name that starts with a dash needs the prefix `./`.
      if (command && /^-.*\.(?:ya?ml|json)$/i.test(name))
        return formatError(`unknown option ${name}${forCommand}`, `To check the file, write \`./${name}\`. ${help}`)
      const near = suggestOption(name, command ?? program)
      return formatError(`unknown option ${name}${forCommand}`, near === undefined ? help : `Did you mean \`${near}\`? ${help}`)
    }
    case 'commander.unknownCommand':
      // bin/openapi-pages.cjs only looks at the first argument.
      if (appCommandNames.some((each) => each === typed)) {
        const fix = `Put the command first: \`openapi-pages-app ${typed} …\`. See \`openapi-pages-app ${typed} --help\`.`
        return formatError(`unexpected option before ${typed}`, fix)
      }
      return formatError(`unknown command ${typed}`, `${hintForCommand(typed, program)} ${help}`)
    // Commander throws this for `help` with an unknown command.
    case 'commander.help': {
      const wanted = argv[argv.indexOf(typed) + 1] ?? ''
      if (appCommandNames.some((each) => each === wanted))
        return formatError(`cannot show help for ${wanted} here`, `See \`openapi-pages-app ${wanted} --help\`.`)
      return formatError(`unknown command ${wanted}`, `${hintForCommand(wanted, program)} See \`openapi-pages --help\`.`)
    }
    case 'commander.missingArgument':
      return formatError(`missing argument <${name}>${forCommand}`, help)
    case 'commander.optionMissingArgument':
      return formatError(`missing value for ${name}${forCommand}`, help)
    case 'commander.excessArguments': {
      // Some commands refuse the last of their arguments themselves.
      const excess = command?.args[command.registeredArguments.length] ?? command?.args.at(-1) ?? ''
      const hint = typed === 'openapi-file' ? `Run it once per document, and name the output directory with -o. ` : ''
      return formatError(`unexpected argument ${excess}${forCommand}`, `${hint}${help}`)
    }
    default:
      return formatError(error.message.replace(/^error: /, ''), help)
  }
}

function hintForCommand(typed: string, program: Command): string {
  if (/[./\\]/.test(typed)) return `To check a document: \`openapi-pages check ${typed}\`.`
  const other = hintsForOtherCommands.get(typed.toLowerCase())
  if (other !== undefined) return other
  const names = program.commands.flatMap((each) => [each.name(), ...each.aliases()])
  const near = suggest(typed, [...names, ...appCommandNames])
  return near === undefined ? `Available commands: ${[...names, ...appCommandNames].join(', ')}.` : `Did you mean \`${near}\`?`
}

function suggestOption(name: string, command: Command): string | undefined {
  const names = [...command.options, ...(command.parent?.options ?? [])].flatMap(({ short, long }) => [long ?? '', short ?? ''])
  const own = names.filter((each) => each.startsWith('--'))
  const near = suggest(name, [...own, ...Object.keys(similarOptions)])
  const meant = near === undefined || own.includes(near) ? near : similarOptions[near]
  return meant !== undefined && own.includes(meant.split(' ')[0] ?? '') ? meant : undefined
}

/** Quotes a path as an argument of a POSIX shell, printable in one line: control characters need `$'…'`, which bash and zsh know. */
export function quoteForShell(path: string): string {
  const arg = path.startsWith('-') ? `./${path}` : path
  if (/^[\w./@:%+,-]+$/.test(arg)) return arg
  if (escapeText(arg) !== arg) return `$'${escapeText(arg.replaceAll(/[\\']/g, '\\$&'))}'`
  return `'${arg.replaceAll("'", "'\\''")}'`
}
