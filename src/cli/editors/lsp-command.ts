import { Option } from 'commander'
import { findBoundary, toUserPath } from '../../files/boundary.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { addServerNetworkOptions, type DefineCommand, type ServerOptions } from '../base/command-options.ts'
import { chooseBoundary, openWorkspace } from '../open/workspace.ts'
import { silent } from '../print/terminal.ts'

/** The options of `lsp`. */
export const defineLspCommand: DefineCommand = (command) => {
  command
    .option('--stdio', 'use stdin and stdout (default, and the only choice)', true)
    .option('--boundary <directory>', 'do not read files outside this directory (default: the Git work tree of each file)')
  addServerNetworkOptions(command)
  command
    // Clients that use `vscode-languageclient` add it. The server also gets it in the request `initialize`.
    .addOption(new Option('--clientProcessId <id>').hideHelp())
  return runLspCommand
}

/** Serves one editor until it closes the connection. */
async function runLspCommand(options: ServerOptions, context: CliContext): Promise<ExitCode> {
  const { runLanguageServer } = await import('./language-server.ts')
  const fixed = options.boundary === undefined ? undefined : chooseBoundary('.', options, context)
  await runLanguageServer({
    findBoundary: (file) => fixed ?? findBoundary(toUserPath(file), context.workingDirectory),
    openAccess: (boundary) => () =>
      openWorkspace(boundary, { allowHttp: options.allowHttp, network: options.network }, context, silent).access,
  })
  return 0
}
