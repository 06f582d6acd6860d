import { Option } from 'commander'
import { findBoundary } from '../../files/boundary.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { addServerNetworkOptions, type DefineCommand, type ServerOptions } from '../base/command-options.ts'
import { chooseBoundary, openWorkspace } from '../open/workspace.ts'

/** The options, help and action of `lsp`. */
export const defineLspCommand: DefineCommand = (command, context, end) => {
  command
    .description(
      'Serves the Language Server Protocol (LSP) on stdin and stdout, so that editors show, explain and fix problems while you type.',
    )
    .option('--stdio', 'use stdin and stdout (default, and the only choice)', true)
    .option('--boundary <directory>', 'do not read files outside this directory (default: the Git work tree of each file)')
  addServerNetworkOptions(command)
  command
    // Clients that use `vscode-languageclient` add it. The server also gets it in the request `initialize`.
    .addOption(new Option('--clientProcessId <id>').hideHelp())
    .helpOption('-h, --help', 'print help')
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `
An editor starts the command. Example for Neovim 0.11:
  vim.lsp.config("openapi_pages", {
    cmd = { "npx", "-y", "openapi-pages", "lsp" },
    filetypes = { "yaml", "json", "markdown", "mdx" },
    root_markers = { "docs.json", ".git" },
  })
  vim.lsp.enable("openapi_pages")`,
    )
    .action(async (options: ServerOptions) => {
      end(await runLspCommand(options, context))
    })
}

/** Serves one editor until it closes the connection. */
async function runLspCommand(options: ServerOptions, context: CliContext): Promise<ExitCode> {
  const { runLanguageServer } = await import('./language-server.ts')
  const fixed = options.boundary === undefined ? undefined : chooseBoundary('.', options, context)
  await runLanguageServer({
    findBoundary: (file) => fixed ?? findBoundary(file, context.workingDirectory),
    openAccess: (boundary) => () =>
      openWorkspace(boundary, { allowHttp: options.allowHttp, network: options.network }, context, { step() {}, clear() {} })
        .access,
  })
  return 0
}
