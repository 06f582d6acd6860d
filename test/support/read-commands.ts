/** A workflow command that a runner would execute. */
export interface WorkflowCommand {
  readonly name: string
  readonly properties: { readonly [name: string]: string }
  readonly data: string
}

/**
 * Reads a log as the runner does: which lines it executes, and which it shows. Source: `ActionCommand` and `ActionCommandManager`
 * of the runner, with both forms of commands and none while they are stopped.
 */
export function readCommands(log: string): { commands: WorkflowCommand[]; text: string } {
  const commands: WorkflowCommand[] = []
  const shown: string[] = []
  let stoppedBy: string | undefined
  for (const line of log.split(/\r\n|\r|\n/)) {
    const command = readCommand(line)
    if (stoppedBy !== undefined) {
      if (command?.name === stoppedBy) stoppedBy = undefined
      else shown.push(line)
    } else if (command?.name === 'stop-commands') stoppedBy = command.data
    else if (command) commands.push(command)
    else shown.push(line)
  }
  return { commands, text: shown.join('\n') }
}

function readCommand(line: string): WorkflowCommand | undefined {
  const match =
    /^\s*::([\w-]+)(?:\s+([^:]*(?::(?!:)[^:]*)*))?::(.*)$/.exec(line) ?? /##\[([\w-]+)(?:\s+([^\]]*))?\](.*)$/.exec(line)
  if (!match) return undefined
  const [, name = '', properties = '', data = ''] = match
  return { name, properties: Object.fromEntries(properties.split(',').filter(Boolean).map(readProperty)), data: decode(data) }
}

function readProperty(text: string): [string, string] {
  const end = text.indexOf('=')
  return [text.slice(0, end).trim(), decode(text.slice(end + 1))]
}

function decode(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%25', '%')
}
