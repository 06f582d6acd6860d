import type { Command, Option } from 'commander'
import { listSettings } from '../src/app/base/config/settings.ts'
import { toOwnPath } from '../src/files/boundary.ts'
import './jsx-loader.ts'

// The commands of both programs as Markdown, from their definitions, for `docs/cli.md`.

/** Renders a section for each command of `openapi-pages` and `openapi-pages-app`. */
export async function renderCliReference(): Promise<string[]> {
  const { cli, app } = await loadPrograms()
  const common = findCommonOptions(cli.commands)
  return [
    '',
    '## Commands',
    '',
    'By task: [Choose a command](commands.md).',
    '',
    '## Common options',
    '',
    'Several commands have these options:',
    '',
    ...common.map(renderOption),
    '',
    ...cli.commands.flatMap((command) =>
      renderCommand(command, toShownName(command), `openapi-pages ${toShownName(command)}`, common),
    ),
    '# Commands of the app',
    '',
    'The package `openapi-pages-app` has the commands of the [self-hosted app](self-hosting.md). They read the settings of the server, and use its',
    'data directory. If both packages are installed, `openapi-pages` starts them too.',
    '',
    ...app.commands.flatMap((command) => {
      const usage = `openapi-pages-app ${command.name()}`
      return [
        ...renderCommand(command, usage, usage, common),
        ...command.commands.flatMap((action) =>
          renderCommand(action, `${command.name()} ${action.name()}`, `${usage} ${action.name()}`, common),
        ),
      ]
    }),
  ]
}

async function loadPrograms(): Promise<{ readonly cli: Command; readonly app: Command }> {
  const { loadProgram } = await import('../src/cli/run-cli.ts')
  const { createProgram } = await import('../src/app/commands/app-program.ts')
  const output = { write: () => undefined, isTerminal: false, columns: undefined }
  const readStdin = () => Promise.resolve(new Uint8Array())
  const cli = await loadProgram({ workingDirectory: toOwnPath('.'), env: {}, readStdin, stdout: output, stderr: output })
  return { cli, app: createProgram({ env: {}, onEnd: () => undefined }) }
}

/** The name or alias that the examples of the help use. */
function toShownName(command: Command): string {
  const text = `${readHelpTexts(command).examples.join('\n')}\n`
  return [command.name(), ...command.aliases()].find((name) => text.includes(`openapi-pages ${name} `)) ?? command.name()
}

const isSame = (option: Option) => (other: Option) => other.flags === option.flags && other.description === option.description

/** The options of several commands, each with the description that most of them have. */
function findCommonOptions(commands: readonly Command[]): readonly Option[] {
  const all = commands.flatMap(({ options }) => options).filter(({ hidden }) => !hidden)
  const count = (option: Option) => all.filter(isSame(option)).length
  return all.filter((option, index) => {
    const counts = all.filter(({ flags }) => flags === option.flags).map(count)
    return all.findIndex(isSame(option)) === index && count(option) > 1 && count(option) === Math.max(...counts)
  })
}

function renderCommand(command: Command, title: string, usage: string, common: readonly Option[]): string[] {
  const { examples, exitCodes, notes } = readHelpTexts(command)
  const isCommon = (option: Option) => common.some(isSame(option))
  const visible = command.options.filter(({ hidden }) => !hidden)
  const own = visible.filter((option) => !isCommon(option))
  const shared = visible.filter(isCommon)
  const others = [command.name(), ...command.aliases()].filter((name) => !usage.endsWith(name))
  const parts = [usage, ...(visible.length > 0 ? ['[options]'] : []), ...command.registeredArguments.map(toUsage)]
  return [
    `${usage.split(' ').length === 2 ? '##' : '###'} ${title}`,
    '',
    toMarkdown(command.description()),
    '',
    ...(command.commands.length > 0 ? [] : ['```text', parts.join(' '), '```', '']),
    ...(others.length > 0 ? [`Alias: \`${others.join('`, `')}\``, ''] : []),
    ...toList('Arguments', command.registeredArguments.map(renderArgument)),
    ...toList('Options', own.map(renderOption)),
    ...(shared.length > 0 ? [`[Common options](#common-options): ${shared.map(listFlags).join(', ')}`, ''] : []),
    ...notes.flatMap((note) => [note, '']),
    ...(exitCodes === undefined ? [] : [`**Exit codes:** ${exitCodes.replaceAll(/\b[012](?= )/g, '`$&`')}`, '']),
    ...(examples.length === 0
      ? []
      : [examples.length === 1 ? '**Example**' : '**Examples**', '', '```sh', ...examples, '```', '']),
  ]
}

function toUsage(argument: Command['registeredArguments'][number]): string {
  const text = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${text}>` : `[${text}]`
}

function toList(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`**${title}**`, '', ...items, '']
}

function renderArgument(argument: Command['registeredArguments'][number]): string {
  return `- \`${argument.name()}\`: ${toSentences(argument.description)}`
}

function renderOption({ flags, description, argChoices = [] }: Option): string {
  return `- \`${flags}\`: ${toSentences(description, argChoices)}`
}

function listFlags({ short, long, flags }: Option): string {
  // An option with two long names.
  const names = flags.match(/(?<![\w-])--?[a-z][\w-]*/gi) ?? [short, long]
  return names.map((name) => `\`${name}\``).join(', ')
}

/** The values and the default that a description ends with become sentences. */
function toSentences(description: string, choices: readonly string[] = []): string {
  const [, text = '', fallback] = /^(.*?)(?: \(default: (.*)\))?$/s.exec(description) ?? []
  const listed = `: ${choices.join(', ')}`
  const isListed = choices.length > 0 && text.endsWith(listed)
  const toCode = (value: string) => (choices.includes(value) ? `\`${value}\`` : value)
  return [
    isListed ? text.slice(0, -listed.length) : text,
    ...(isListed ? [`One of ${choices.map(toCode).join(', ')}`] : []),
    ...(fallback === undefined ? [] : [`Default: ${fallback.split(/(?=,)/).map(toCode).join('')}`]),
  ]
    .map((sentence) => `${toMarkdown(sentence.slice(0, 1).toUpperCase() + sentence.slice(1))}.`)
    .join(' ')
}

/** What the help shows below the options: examples as a script, exit codes, and other paragraphs as Markdown. */
function readHelpTexts(command: Command): { examples: string[]; exitCodes: string | undefined; notes: string[] } {
  const written: string[] = []
  command.configureOutput({ writeOut: (text) => written.push(text) }).outputHelp()
  const [, ...added] = written
  const found = { examples: [] as string[], exitCodes: undefined as string | undefined, notes: [] as string[] }
  for (const block of added
    .join('')
    .replace(listSettings(), '\n\nSettings:')
    .split(/\n{2,}/)) {
    const [first = '', ...rest] = block.trim().split('\n')
    if (first === '' || first.startsWith('Other commands: ')) continue
    if (first === 'Settings:') {
      found.notes.push('Its settings are environment variables or keys of a file. See [Settings](self-hosting.md#settings).')
    } else if (first === 'Examples:') found.examples.push(...rest.flatMap(toScript))
    else if (first.startsWith('Exit codes: ')) found.exitCodes = first.slice('Exit codes: '.length)
    else if (rest.length > 0 && rest.every((line) => line.startsWith('  '))) {
      found.notes.push(toMarkdown(first), ['```text', ...rest.map((line) => line.slice(2)), '```'].join('\n'))
    } else found.notes.push(toMarkdown([first, ...rest].map((line) => line.trim()).join(' ')))
  }
  return found
}

/** An example, with its description as a comment above it. */
function toScript(line: string): string[] {
  const [, command = '', about] = /^ {2}(\S.*?)(?: {2,}(\S.*))?$/.exec(line) ?? []
  return about === undefined ? [command] : [`# ${about}`, command]
}

/** Quoted code, options, `<placeholders>`, file names and environment variables. */
const code =
  /(`[^`]*`|(?<![\w-])--?[a-zA-Z][\w-]*|[\w/-]*<[\w ]+>(?::<[\w ]+>)?|(?<![\w/.])[\w./-]*\w\.(?:json|yaml|mcp)\b|\b[A-Z]+_[A-Z_]+\b(?:=1)?)/

/** Plain text as Markdown. */
function toMarkdown(text: string): string {
  const parts = text.split(code)
  const toCode = (part: string) => (part.startsWith('`') ? part : `\`${part}\``)
  return parts.map((part, index) => (index % 2 === 0 ? part.replaceAll(/[<>*]/g, '\\$&') : toCode(part))).join('')
}
