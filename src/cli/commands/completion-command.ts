import type { Command } from 'commander'
import { ConfigError } from '../../text/errors.ts'
import { listChoices } from '../../text/list-choices.ts'
import type { CliContext } from '../cli-context.ts'
import { appCommandNames } from '../command-line.ts'
import type { DefineCommand } from '../command-options.ts'
import { type CompletedCommand, type CompletedOption, completionShells, renderCompletion } from '../completion-scripts.ts'
import { ruleActions } from './rules-command.ts'

/** Creates the options, help and action of `completion`. @param loadProgram loads all commands. */
export function createDefineCompletion(loadProgram: (context: CliContext) => Promise<Command>): DefineCommand {
  return (command, context, end) => {
    command
      .description('Prints a script with which a shell completes commands, options and their values.')
      .helpOption('-h, --help', 'print help')
      .allowExcessArguments(false)
      .addHelpText(
        'after',
        `
To enable it:
  bash         Add to ~/.bashrc:              eval "$(openapi-pages completion bash)"
  zsh          Add to ~/.zshrc:               eval "$(openapi-pages completion zsh)"
  fish         openapi-pages completion fish > ~/.config/fish/completions/openapi-pages.fish
  powershell   Add to the file of $PROFILE:   openapi-pages completion powershell | Out-String | Invoke-Expression`,
      )
      .action(async (name: string) => {
        const shell = completionShells.find((known) => known === name)
        if (shell === undefined) throw new ConfigError(`unknown shell ${name}, expected ${listChoices(completionShells)}`)
        const commands = (await loadProgram(context)).commands.map(toCompleted)
        const ofApp = appCommandNames
          .filter((appName) => !commands.some(({ names }) => names.includes(appName)))
          .map((appName) => ({ names: [appName], summary: 'Command of the self-hosted app', options: [] }))
        context.stdout.write(renderCompletion(shell, [...commands, ...ofApp]))
        end(0)
      })
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
