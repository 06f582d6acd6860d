import type { Command } from 'commander'
import { ConfigError } from '../../text/errors.ts'
import { listChoices } from '../../text/plain/lists.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { appCommandNames } from '../base/command-line.ts'
import type { DefineCommand } from '../base/command-options.ts'
import { ruleActions } from './rules-command.ts'

/** Creates the options of `completion`. @param loadProgram loads all commands. */
export function createDefineCompletion(loadProgram: (context: CliContext) => Promise<Command>): DefineCommand {
  return () =>
    async (name: string, _options: unknown, context: CliContext): Promise<ExitCode> => {
      const shell = completionShells.find((known) => known === name)
      if (shell === undefined) throw new ConfigError(`unknown shell ${name}, expected ${listChoices(completionShells)}`)
      const commands = (await loadProgram(context)).commands.map(toCompleted)
      const ofApp = appCommandNames
        .filter((appName) => !commands.some(({ names }) => names.includes(appName)))
        .map((appName) => ({ names: [appName], summary: 'Command of the self-hosted app', options: [] }))
      context.stdout.write(renderCompletion(shell, [...commands, ...ofApp]))
      return 0
    }
}

function toCompleted(command: Command): CompletedCommand {
  const visible = command.options.filter(({ hidden }) => !hidden)
  const options = visible.map(({ short, long, description, required, optional, argChoices, flags }): CompletedOption => {
    const isPath = /[<[](?:file|path|directory|folder)[\]>]/i.test(flags) && !/^--base\b/.test(flags)
    return {
      flags: [short, long].flatMap((flag) => flag ?? []),
      description,
      ...((required || optional) && { value: argChoices ?? (isPath ? 'path' : 'text') }),
    }
  })
  const args = command.registeredArguments.map((argument) => argument.name())
  const takesPaths = args.some((name) => /file|path|url|root|base|revision/i.test(name))
  const chosen = args.includes('shell') ? completionShells : args.includes('action') ? ruleActions : undefined
  return {
    names: [...command.aliases(), command.name()],
    summary: command.summary(),
    options: [...options, { flags: ['-h', '--help'], description: 'print help' }],
    ...(chosen ? { argument: chosen } : takesPaths && { argument: 'path' as const }),
  }
}

/** A command as a shell completes it. */
export interface CompletedCommand {
  /** The name and its aliases. */
  readonly names: readonly string[]
  readonly summary: string
  readonly options: readonly CompletedOption[]
  /** What the arguments are: one of a list, or paths. Absent for other texts. */
  readonly argument?: readonly string[] | 'path'
}

/** An option as a shell completes it. */
export interface CompletedOption {
  /** Such as `-o` and `--output`. */
  readonly flags: readonly string[]
  readonly description: string
  /** The values: a list, paths, or any text. Absent for an option without a value. */
  readonly value?: readonly string[] | 'path' | 'text'
}

/** The shells with a completion script. */
export const completionShells = ['bash', 'zsh', 'fish', 'powershell'] as const

/** Creates the completion script of `openapi-pages` for a shell. It is static: completing starts no program. */
export function renderCompletion(shell: (typeof completionShells)[number], commands: readonly CompletedCommand[]): string {
  const renderers = { bash: renderBash, zsh: renderZsh, fish: renderFish, powershell: renderPowerShell }
  return renderers[shell](commands)
}

const flagsOf = ({ options }: CompletedCommand) => options.flatMap(({ flags }) => flags)
const namesOf = (commands: readonly CompletedCommand[]) => commands.flatMap(({ names }) => names)

/** Quotes a text for bash and zsh. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

// An empty COMPREPLY completes file names, because of `-o default`.
function renderBash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map((command) => {
    const values = command.options.flatMap(({ flags, value }) => {
      if (value === undefined) return []
      const reply = typeof value === 'string' ? '' : `COMPREPLY=($(compgen -W ${quote(value.join(' '))} -- "$current")); `
      return [`        ${flags.join(' | ')}) ${reply}return ;;\n`]
    })
    const byValue = values.length === 0 ? '' : `      case $previous in\n${values.join('')}      esac\n`
    const options = `[[ $current == -* ]] && COMPREPLY=($(compgen -W ${quote(flagsOf(command).join(' '))} -- "$current"))`
    const { argument } = command
    const words = typeof argument === 'object' ? ` || COMPREPLY=($(compgen -W ${quote(argument.join(' '))} -- "$current"))` : ''
    return `    ${command.names.join(' | ')})\n${byValue}      ${options}${words}\n      ;;\n`
  })
  return `# Completion of openapi-pages for bash. To enable it, add this line to ~/.bashrc:
#   eval "$(openapi-pages completion bash)"
_openapi_pages() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command='' index
  # bash splits --format=json at the equals sign.
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    if [[ \${COMP_WORDS[index]} != -* ]]; then
      command=\${COMP_WORDS[index]}
      break
    fi
  done
  case $command in
    '') COMPREPLY=($(compgen -W ${quote([...namesOf(commands), '--help', '--version'].join(' '))} -- "$current")) ;;
${cases.join('')}  esac
}
complete -o default -F _openapi_pages openapi-pages
`
}

function renderZsh(commands: readonly CompletedCommand[]): string {
  // In a specification, brackets and colons separate parts.
  const protect = (text: string) =>
    text.replaceAll('\\', '\\\\').replaceAll('[', '\\[').replaceAll(']', '\\]').replaceAll(':', '\\:')
  const list = commands.flatMap(({ names, summary }) =>
    names.map((name) => `    ${quote(`${protect(name)}:${protect(summary)}`)}\n`),
  )
  const cases = commands.map((command) => {
    const specifications = command.options.flatMap(({ flags, description, value }) => {
      const action =
        value === undefined
          ? ''
          : value === 'path'
            ? ':path:_files'
            : value === 'text'
              ? ':value: '
              : `:value:(${value.join(' ')})`
      return flags.map((flag) =>
        quote(
          `(${flags.join(' ')})${flag}${value !== undefined && flag.startsWith('--') ? '=' : ''}[${protect(description)}]${action}`,
        ),
      )
    })
    const { argument } = command
    const ofArguments = argument === undefined ? [] : [argument === 'path' ? '*:path:_files' : `1:value:(${argument.join(' ')})`]
    const all = [...specifications, ...ofArguments.map(quote)]
    return `        ${command.names.join(' | ')}) _arguments ${all.join(' \\\n          ')} ;;\n`
  })
  return `#compdef openapi-pages
# Completion of openapi-pages for zsh. To enable it, add this line to ~/.zshrc, after compinit:
#   eval "$(openapi-pages completion zsh)"
_openapi_pages() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands=(
${list.join('')}  )
  _arguments -C '(- *)--help[print help]' '(- *)--version[print the version]' '1: :->command' '*:: :->arguments'
  case $state in
    command) _describe 'command' commands ;;
    arguments)
      case $line[1] in
${cases.join('')}      esac
      ;;
  esac
}
if [[ $funcstack[1] == _openapi_pages ]]; then
  _openapi_pages "$@"
else
  compdef _openapi_pages openapi-pages
fi
`
}

function renderFish(commands: readonly CompletedCommand[]): string {
  const protect = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const names = namesOf(commands).join(' ')
  const lines = commands.flatMap((command) => [
    ...command.names.map((name) => `complete -c openapi-pages -n $without_command -a ${name} -d ${protect(command.summary)}`),
    ...command.options.map(({ flags, description, value }) => {
      const spelled = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(' ')
      const values =
        value === undefined ? '' : value === 'path' ? ' -r -F' : value === 'text' ? ' -x' : ` -x -a ${protect(value.join(' '))}`
      return `complete -c openapi-pages -n '__fish_seen_subcommand_from ${command.names.join(' ')}' ${spelled}${values} -d ${protect(description)}`
    }),
    ...(command.argument === undefined
      ? []
      : [
          `complete -c openapi-pages -n '__fish_seen_subcommand_from ${command.names.join(' ')}' ${
            command.argument === 'path' ? '-F' : `-a ${protect(command.argument.join(' '))}`
          }`,
        ]),
  ])
  return `# Completion of openapi-pages for fish. To enable it, run:
#   openapi-pages completion fish > ~/.config/fish/completions/openapi-pages.fish
set -l without_command 'not __fish_seen_subcommand_from ${names}'
complete -c openapi-pages -f
complete -c openapi-pages -n $without_command -l help -d 'print help'
complete -c openapi-pages -n $without_command -l version -d 'print the version'
${lines.join('\n')}
`
}

function renderPowerShell(commands: readonly CompletedCommand[]): string {
  const protect = (text: string) => `'${text.replaceAll("'", "''")}'`
  const toList = (words: readonly string[]) => `@(${words.map(protect).join(', ')})`
  const rows = commands.flatMap((command) => {
    const values = command.options.flatMap(({ flags, value }) =>
      value === undefined ? [] : flags.map((flag) => `${protect(flag)} = ${toList(typeof value === 'string' ? [] : value)}`),
    )
    return command.names.map(
      (name) =>
        `    ${protect(name)} = @{ options = ${toList(flagsOf(command))}; byOption = @{ ${values.join('; ')} }; arguments = ${toList(typeof command.argument === 'object' ? command.argument : [])} }\n`,
    )
  })
  return `# Completion of openapi-pages for PowerShell. To enable it, add this line to the file that $PROFILE names:
#   openapi-pages completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName openapi-pages -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = @{
${rows.join('')}  }
  $before = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $command = $before | Select-Object -Skip 1 | Where-Object { $_ -notlike '-*' } | Select-Object -First 1
  $found = if (-not $command) { ${toList([...namesOf(commands), '--help', '--version'])} }
    elseif (-not $commands.ContainsKey($command)) { @() }
    elseif ($commands[$command].byOption.ContainsKey($before[-1])) { $commands[$command].byOption[$before[-1]] }
    elseif ($wordToComplete -like '-*') { $commands[$command].options }
    else { $commands[$command].arguments }
  # Without a result, PowerShell completes file names.
  $found | Where-Object { $_ -and $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`
}
