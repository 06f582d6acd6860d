import type { Command, CommanderError } from 'commander'
import { ConfigError } from '../errors.ts'
import { suggest } from '../source/suggest.ts'
import { formatError } from './command-errors.ts'

/** The commands of the app. Another program runs them (see bin/openapi-pages.cjs); help and suggestions name them. */
export const appCommandNames = ['serve', 'doctor', 'token', 'project', 'backup', 'reconcile'] as const

/**
 * Rewrites the option spellings of the original tool into ours.
 *
 * Its parser reads `-w false`, `-w=false`, `--writeFiles=false` and `-o=folder`, takes a following word for the value of `-w` only
 * when it is a boolean, and knows `--outDir` and `--writeFiles` with dashes too.
 *
 * @throws {ConfigError} for another value than `true` or `false` of `--writeFiles`.
 */
export function normalizeArgv(argv: readonly string[]): string[] {
  const out: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? ''
    if (word === '--') return [...out, ...argv.slice(index)]
    const [, name, value] = /^(-w|-o|--writeFiles|--write-files|--out-dir)(?:=(.*))?$/s.exec(word) ?? []
    if (name === undefined) out.push(word)
    else if (name === '-o' || name === '--out-dir') {
      out.push(name === '-o' ? name : '--outDir', ...(value === undefined ? [] : [value]))
    } else {
      const next = argv[index + 1]
      const given = value ?? (next === 'true' || next === 'false' ? next : undefined)
      if (given !== undefined && value === undefined) index++
      if (given === undefined || given === 'true') out.push('--writeFiles')
      else if (given === 'false') out.push('--no-writeFiles')
      else throw new ConfigError(`unexpected value ${given} of --writeFiles, expected true or false`)
    }
  }
  return out
}

/** What people type for an option of another name. */
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

/** Commands of other tools, and what does the same here. */
const hintsForOtherCommands = new Map([
  ['lint', 'To check documents: `openapi-pages check`.'],
  ['validate', 'To check documents: `openapi-pages check`.'],
  ['test', 'To check documents: `openapi-pages check`.'],
  ['dev', 'To show the site while you write it: `openapi-pages preview`.'],
  ['start', 'To show the site while you write it: `openapi-pages preview`. To run the app: `openapi-pages serve`.'],
  [
    'generate',
    'To write the pages of a docs.json: `openapi-pages update`; without a docs.json: `openapi-pages openapi-file <document>`.',
  ],
  ['sync', 'To write the pages of a docs.json: `openapi-pages update`.'],
  [
    'init',
    'There is nothing to initialize: `openapi-pages build <document>` makes a site, and `openapi-pages update` shows a docs.json to begin with.',
  ],
])

/** Says what is wrong with a command line, what was probably meant, and where its help is. Ends with a line end. */
export function describeUsage(error: CommanderError, argv: readonly string[], program: Command): string {
  // The name that was typed, which may be an alias.
  const typed = argv.find((word) => !word.startsWith('-')) ?? ''
  const command = program.commands.find((each) => each.name() === typed || each.aliases().includes(typed))
  const help = command ? `See \`openapi-pages ${typed} --help\`.` : 'See `openapi-pages --help`.'
  const forCommand = command ? ` for \`${typed}\`` : ''
  // Commander has codes for its errors, but the name of the option or argument is only in the message.
  const name = /'([^']*)'/.exec(error.message)?.[1] ?? ''
  switch (error.code) {
    case 'commander.unknownOption': {
      // A file name that begins with a dash needs `./` in front of it.
      if (command && /^-.*\.(?:ya?ml|json)$/i.test(name))
        return formatError(`unknown option ${name}${forCommand}`, `Write \`./${name}\` for the file. ${help}`)
      const near = suggestOption(name, command ?? program)
      return formatError(`unknown option ${name}${forCommand}`, near === undefined ? help : `did you mean ${near}? ${help}`)
    }
    case 'commander.unknownCommand':
      // bin/openapi-pages.cjs only looks at the first argument.
      if (appCommandNames.some((each) => each === typed)) {
        const fix = `Write the command first: \`openapi-pages ${typed} …\`. See \`openapi-pages ${typed} --help\`.`
        return formatError(`unexpected option before ${typed}`, fix)
      }
      return formatError(`unknown command ${typed}`, `${hintForCommand(typed, program)} ${help}`)
    // What the library throws for `help` of a command that it does not have.
    case 'commander.help': {
      const wanted = argv[argv.indexOf(typed) + 1] ?? ''
      if (appCommandNames.some((each) => each === wanted))
        return formatError(`cannot show the help of ${wanted} here`, `See \`openapi-pages ${wanted} --help\`.`)
      return formatError(`unknown command ${wanted}`, `${hintForCommand(wanted, program)} See \`openapi-pages --help\`.`)
    }
    case 'commander.missingArgument':
      return formatError(`missing argument <${name}>${forCommand}`, help)
    case 'commander.optionMissingArgument':
      return formatError(`missing value of ${name}${forCommand}`, help)
    case 'commander.excessArguments': {
      const excess = command?.args[command.registeredArguments.length] ?? ''
      const hint =
        typed === 'openapi-file' ? `It takes one document: run it once for each, and name the folder for pages with -o. ` : ''
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
  return near === undefined ? `The commands are ${[...names, ...appCommandNames].join(', ')}.` : `did you mean ${near}?`
}

function suggestOption(name: string, command: Command): string | undefined {
  const names = [...command.options, ...(command.parent?.options ?? [])].flatMap(({ short, long }) => [long ?? '', short ?? ''])
  const own = names.filter((each) => each.startsWith('--'))
  const near = suggest(name, [...own, ...Object.keys(similarOptions)])
  const meant = near === undefined || own.includes(near) ? near : similarOptions[near]
  return meant !== undefined && own.includes(meant.split(' ')[0] ?? '') ? meant : undefined
}
