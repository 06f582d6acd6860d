import { Command, CommanderError, Option } from 'commander'
import { ConfigError } from '../errors.ts'
import { suggest } from '../text/suggest.ts'
import { packageVersion } from '../update/package-version.ts'
import { appCommandNames } from './app-command-names.ts'
import type { CliContext, ExitCode } from './cli-context.ts'
import type {
  AdoptCommandOptions,
  BuildCommandOptions,
  BundleCommandOptions,
  CheckCommandOptions,
  OpenApiFileCommandOptions,
  PreviewCommandOptions,
  StatusCommandOptions,
  UpdateCommandOptions,
  VirtualCommandOptions,
  WaitCommandOptions,
} from './command-options.ts'

/** Defines commands, options and help. `onEnd` is told the exit code of the command that ran. */
function createProgram(context: CliContext, onEnd: (exitCode: ExitCode) => void): Command {
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
      writeErr: ignore,
      outputError: ignore,
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    // The descriptions say what happens without an option; `(default: false)` says it worse.
    .configureHelp({ optionDescription: ({ description }) => description, argumentDescription: ({ description }) => description })
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
  defineCheck(program, context, onEnd)
  defineUpdate(program, context, onEnd)
  defineStatus(program, context, onEnd)
  defineAdopt(program, context, onEnd)
  defineVirtual(program, context, onEnd)
  defineOpenApiFile(program, context, onEnd)
  defineBundle(program, context, onEnd)
  defineBuild(program, context, onEnd)
  definePreview(program, context, onEnd)
  defineWait(program, context, onEnd)
  return program
}

function defineCheck(program: Command, context: CliContext, onEnd: (exitCode: ExitCode) => void): void {
  const command = program
    .command('openapi-check')
    .alias('check')
    .summary('Check OpenAPI documents and report every fault')
    .description(
      'Checks OpenAPI 3.0, 3.1 and 3.2 documents with all the files they reference, and reports every fault with its place. ' +
        'A folder with a docs.json or mint.json: every document named there and every page bound to them.',
    )
    .argument(
      '[fileOrUrl...]',
      'files, globs, addresses, - for standard input, or folders with a docs.json (default: this folder)',
    )
    .option('-o, --output <file>', 'write the report to this file instead of stdout')
    .option('--stdin-path <path>', 'what the document on standard input is called, and where its references start')
    .option('--baseline <file>', 'report only problems that this file does not list')
    .option('--write-baseline', 'write all current problems to the baseline, and remove fixed ones from it', false)
  addCommonOptions(command, ['text', 'json', 'sarif', 'github'])
  command
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages check openapi.yaml
  openapi-pages check 'apis/**/*.yaml' '!apis/old/**'
  openapi-pages check https://example.com/openapi.json
  openapi-pages check docs                              every document of docs/docs.json
  generate | openapi-pages check -                      a document on standard input
  openapi-pages check --format json openapi.yaml | jq '.diagnostics[].message'
  openapi-pages check --format github openapi.yaml      annotations in a GitHub workflow
  openapi-pages check --format sarif -o check.sarif .   for GitHub code scanning
  openapi-pages check . --baseline known.json --write-baseline   accept all current problems`,
    )
    .action(async (entries: string[], options: CheckCommandOptions) => {
      const { runCheckCommand } = await import('./commands/check-command.ts')
      onEnd(await runCheckCommand(entries, options, context))
    })
}

function defineUpdate(program: Command, context: CliContext, onEnd: (exitCode: ExitCode) => void): void {
  const command = program
    .command('update')
    .summary('Write the pages and navigation of a docs.json')
    .description(
      'Reads docs.json, checks the documents it names, and writes one page per operation and the navigation. ' +
        'Pages edited by hand are kept. The pages of an invalid document are left as they are.',
    )
    .argument('[root]', 'folder with a docs.json or mint.json (default: the working directory)', '.')
    .option('--check', 'change nothing; exit 1 where something would change', false)
    .option('--dry-run', 'change nothing; print the plan as a tree and a diff', false)
    .option('--no-renames', 'do not guess which operation was renamed; only its operationId tells')
    .option('--keep-going', 'update the pages of operations that no error affects', false)
  addCommonOptions(command, ['text', 'json'])
  command
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages update                 write what is out of date
  openapi-pages update docs            the same in another folder
  openapi-pages update --dry-run       see what would be written
  openapi-pages update --check         for CI: fail where pages are out of date`,
    )
    .action(async (root: string, options: UpdateCommandOptions) => {
      const { runUpdateCommand } = await import('./commands/update-command.ts')
      onEnd(await runUpdateCommand(root, options, context))
    })
}

function defineStatus(program: Command, context: CliContext, onEnd: (exitCode: ExitCode) => void): void {
  const command = program
    .command('status')
    .summary('Show how the pages of a docs.json stand')
    .description(
      'Shows the documents and pages of each division of a docs.json: which pages are as they were written, edited or deleted by ' +
        'hand, which operations are new or gone, and whether an update would change something. Writes nothing.',
    )
    .argument('[root]', 'folder with a docs.json or mint.json (default: the working directory)', '.')
  addCommonOptions(command, ['text', 'json'])
  command
    .addHelpText(
      'after',
      `
Exit codes: 0 the pages are up to date, 1 an update would change something or errors were found, 2 the command could not run.

Examples:
  openapi-pages status
  openapi-pages status docs --all
  openapi-pages status --format json | jq '.divisions[] | {label, mode}'`,
    )
    .action(async (root: string, options: StatusCommandOptions) => {
      const { runStatusCommand } = await import('./commands/status-command.ts')
      onEnd(await runStatusCommand(root, options, context))
    })
}

function defineAdopt(program: Command, context: CliContext, onEnd: (exitCode: ExitCode) => void): void {
  const command = program
    .command('adopt')
    .summary('Take over pages that others have made')
    .description(
      'Finds every page that is bound to an operation, webhook or schema and records it in openapi-pages.lock.json; nothing else changes. ' +
        'From then on an update gives a new operation a page beside its siblings and made like them, and takes away that of one that is gone.',
    )
    .argument('[root]', 'folder with a docs.json or mint.json (default: the working directory)', '.')
    .option('--check', 'change nothing; exit 1 where pages are not adopted', false)
    .option('--dry-run', 'change nothing; print the plan as a tree and a diff', false)
  addCommonOptions(command, ['text', 'json'])
  command
    .addHelpText(
      'after',
      `
Operations without a page are not added: set \`unlisted: add\` in openapi-pages.config.yaml to get them with the next update.
To undo it, delete openapi-pages.lock.json. A lock file that is damaged is made again by this command.

Examples:
  openapi-pages adopt                  take over the pages of this folder
  openapi-pages adopt docs --dry-run   see what would be recorded
  openapi-pages update                 then keep them up to date`,
    )
    .action(async (root: string, options: AdoptCommandOptions) => {
      const { runAdoptCommand } = await import('./commands/adopt-command.ts')
      onEnd(await runAdoptCommand(root, options, context))
    })
}

function defineVirtual(program: Command, context: CliContext, onEnd: (exitCode: ExitCode) => void): void {
  const command = program
    .command('virtual')
    .summary('Give the pages of a division back to the host')
    .description(
      'Undoes that the pages of a division are files: puts its openapi key back into docs.json, removes its entries and untouched pages, ' +
        'and sets `materialise` for it in the configuration file so that the next update leaves it alone. Pages edited by hand are kept.',
    )
    .argument('<division>', 'the label of the division, for example "API Reference", or its id in openapi-pages.lock.json')
    .argument('[root]', 'folder with a docs.json or mint.json (default: the working directory)', '.')
    .option('--dry-run', 'change nothing; print the plan as a tree and a diff', false)
  addCommonOptions(command, ['text', 'json'])
  command
    .addHelpText(
      'after',
      `
To have the pages as files again, take the line out of openapi-pages.config.yaml and run \`openapi-pages update\`.

Examples:
  openapi-pages virtual "API Reference" --dry-run
  openapi-pages virtual "API Reference"`,
    )
    .action(async (division: string, root: string, options: VirtualCommandOptions) => {
      const { runVirtualCommand } = await import('./commands/virtual-command.ts')
      onEnd(await runVirtualCommand(division, root, options, context))
    })
}

function defineOpenApiFile(program: Command, context: CliContext, onEnd: (exitCode: ExitCode) => void): void {
  const command = program
    .command('openapi-file')
    .summary('Write one page per operation, without a docs.json')
    .description(
      'Writes one page per operation and webhook of a document into the working directory or a folder. ' +
        'Prints the navigation entries for docs.json as JSON. An invalid document writes nothing.',
    )
    .argument('<pathOrUrl>', 'an OpenAPI document')
    .option('-o, --outDir <folder>', 'folder for the pages')
    .option('-w, --writeFiles', 'write the pages (default)', true)
    .option('--no-writeFiles', 'write nothing, only print the navigation')
    .option('--overwrite', 'replace pages that are there already', false)
    .option('--schemas', 'write one page per schema of components too', false)
  addCommonOptions(command, ['text', 'json'])
  command
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages openapi-file openapi.yaml -o api-reference
  openapi-pages openapi-file https://example.com/openapi.json -o api-reference --overwrite
  openapi-pages openapi-file openapi.yaml --no-writeFiles | jq '.[].group'`,
    )
    .action(async (source: string, options: OpenApiFileCommandOptions) => {
      const { runOpenApiFileCommand } = await import('./commands/openapi-file-command.ts')
      onEnd(await runOpenApiFileCommand(source, options, context))
    })
}

function defineBuild(program: Command, context: CliContext, onEnd: (exitCode: ExitCode) => void): void {
  const command = program
    .command('build')
    .summary('Build the documentation as a static site')
    .description(
      'Builds the docs.json, pages and OpenAPI documents of a folder into a static site: HTML, one stylesheet, next to no script. ' +
        'Nothing of the repository is run. Divisions with `openapi` get their pages without anything being written to the repository. ' +
        'A single OpenAPI document becomes a site of its own. The folder stays as it was until all of the site is there; files in it ' +
        'that are not ours are never touched.',
    )
    .argument('[root]', 'folder with a docs.json (default: the working directory), or an OpenAPI document', '.')
    .option('-o, --output <folder>', 'folder for the site (default: site)')
    .option('--base <path>', 'where the site stands on its host, such as /docs/ (default: the path of --url, else /)')
    .option('--url <address>', 'the whole address of the site, for canonical links and the sitemap')
    .option('--no-cache', 'render every page, also those that are as they were at the last build into this folder')
    .option('--force', 'build into a folder that has other files in it (they stay), over files that were changed by hand', false)
  addCommonOptions(command, ['text', 'json'])
  command
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages build                                         The site of this folder, into site/
  openapi-pages build openapi.yaml                            The reference of one document
  openapi-pages build docs -o public --url https://example.com/docs/

Exit codes: 0 built, 1 built as far as errors let it (or not at all: the folder is as it was), 2 could not run.`,
    )
    .action(async (root: string, options: BuildCommandOptions) => {
      const { runBuildCommand } = await import('./commands/build-command.ts')
      onEnd(await runBuildCommand(root, options, context))
    })
}

function definePreview(program: Command, context: CliContext, onEnd: (exitCode: ExitCode) => void): void {
  const command = program
    .command('preview')
    .summary('Show the documentation in a browser while you write it')
    .description(
      'Serves the site of a folder on this machine. Pages are rendered when you look at them and change as their files do; what is wrong is ' +
        'shown in the page and here, and the site stays as it was until it is repaired. Nothing of the repository is run, and nothing is written.',
    )
    .argument('[root]', 'folder with a docs.json, or an OpenAPI document alone (default: the working directory)', '.')
    .option('-p, --port <number>', 'the port; where it is taken the next free one, 0 for any (default: 3000)')
    .option('--host <address>', 'listen on another address, such as 0.0.0.0 for your whole network (default: this machine alone)')
    .option('--open', 'open a browser', false)
  addSharedOptions(command)
  command
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages preview
  openapi-pages preview docs --open
  openapi-pages preview openapi.yaml         a document without a docs.json`,
    )
    .action(async (root: string, options: PreviewCommandOptions) => {
      const { runPreviewCommand } = await import('./commands/preview-command.ts')
      onEnd(await runPreviewCommand(root, options, context))
    })
}

function defineBundle(program: Command, context: CliContext, onEnd: (exitCode: ExitCode) => void): void {
  const command = program
    .command('bundle')
    .summary('Join the files of a description into one document')
    .description(
      'Joins an OpenAPI document with all the files it references into one document, for tools that take one file only. ' +
        'What the references lead to goes under components by its own name. An invalid description writes nothing.',
    )
    .argument('<pathOrUrl>', 'the entry document')
    .option('-o, --output <file>', 'write to this file instead of stdout')
    .addOption(formatOption('json or yaml (default: by the name of the output, else as the entry document)', ['json', 'yaml']))
  addSharedOptions(command)
  command
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages bundle openapi.yaml -o dist/openapi.json
  openapi-pages bundle openapi.yaml > bundled.yaml`,
    )
    .action(async (source: string, options: BundleCommandOptions) => {
      const { runBundleCommand } = await import('./commands/bundle-command.ts')
      onEnd(await runBundleCommand(source, options, context))
    })
}

function defineWait(program: Command, context: CliContext, onEnd: (exitCode: ExitCode) => void): void {
  program
    .command('wait')
    .summary('Wait until an update of the app has ended')
    .description(
      'Waits until an update of the app has ended, prints its log as it comes, and ends as it did: ' +
        'exit code 0 for success, 1 for failure, 2 where that could not be found out (no answer in time, no access, not there).',
    )
    .argument('[statusId]', 'the id that the trigger, the report or the check gave')
    .option('--url <app>', 'the address of the app (default: the variable OPENAPI_PAGES_URL)')
    .option('--sha <commit>', 'wait for the newest update of this commit instead; needs --project')
    .option('--project <id>', 'the project of the commit, prj_…')
    .option('--timeout <time>', 'give up after this time, such as 90s, 10m or 1h (default: 10m)')
    .option(
      '--token <token>',
      'the token to ask with (default: the variable OPENAPI_PAGES_TOKEN, which no list of processes shows; in a workflow of GitHub with id-token: write its own)',
    )
    .addOption(formatOption('print as text, json (default: text)', ['text', 'json']).default('text'))
    .option('--quiet', 'print how it ended only', false)
    .option('--color', 'colours even where the output is no terminal')
    .option('--no-color', 'no colours; the variable NO_COLOR does the same')
    .helpOption('-h, --help', 'print help')
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages wait 019a9fe2-5b90-7c3e-9d7f-2f1a6c0e8b11 --url https://pages.example.com
  openapi-pages wait --sha $(git rev-parse HEAD) --project prj_… --timeout 5m
  openapi-pages wait "$ID" --format json | jq -r '.update.summary'`,
    )
    .action(async (statusId: string | undefined, options: WaitCommandOptions) => {
      const { runWaitCommand } = await import('./commands/wait-command.ts')
      onEnd(await runWaitCommand(statusId, options, context))
    })
}

function formatOption(description: string, formats: readonly string[]): Option {
  return new Option('--format <format>', description).argParser((value) => {
    if (formats.includes(value)) return value
    const near = suggest(value, formats)
    throw new ConfigError(`unknown format \`${value}\`, expected ${formats.join(', ')}`, {
      ...(near === undefined ? {} : { hint: `did you mean --format ${near}?` }),
    })
  })
}

function addCommonOptions(command: Command, formats: readonly string[]): void {
  command.addOption(formatOption(`print as ${formats.join(', ')} (default: text)`, formats).default('text'))
  addSharedOptions(command)
}

function addSharedOptions(command: Command): void {
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

function ignore(): void {}

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
    const { describeUsage } = await import('./usage-errors.ts')
    context.stderr.write(describeUsage(error, words, program))
    return 2
  }
}

/**
 * Rewrites the spellings of options that the original tool takes into those of ours.
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
