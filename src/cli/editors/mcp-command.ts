import { dirname, join, resolve } from 'node:path'
import { packageVersion } from '../../docs/config/config-files.ts'
import { isFolder, isInside, resolveThroughLinks, statPath } from '../../files/boundary.ts'
import { ConfigError } from '../../text/errors.ts'
import { isUrl } from '../../text/plain/paths.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { addServerNetworkOptions, type DefineCommand, type ServerOptions } from '../base/command-options.ts'
import { chooseBoundary, searchDirectory } from '../open/workspace.ts'
import { openLocalDocs } from './local-docs.ts'

/** The options of `mcp`. */
export const defineMcpCommand: DefineCommand = (command) => {
  command.option('--boundary <directory>', 'do not read files outside this directory (default: the Git work tree)')
  addServerNetworkOptions(command)
  return runMcpCommand
}

/** Serves one agent until it closes stdin. */
async function runMcpCommand(root: string, options: ServerOptions, context: CliContext): Promise<ExitCode> {
  const rootPath = resolve(context.workingDirectory, root)
  if (!isUrl(root) && !statPath(rootPath)) throw new ConfigError(`cannot read ${root}: no such file or directory`)
  const boundary = chooseBoundary(root, options, context)
  if (dirname(boundary) === boundary) {
    throw new ConfigError(`cannot serve ${boundary}, the whole disk`, {
      hint: 'Name the directory of the docs: `openapi-pages mcp /path/to/docs`',
    })
  }
  const path = isUrl(root) ? root : await findOnlyDocs(rootPath, options, context)
  // Agents start the command anywhere.
  const workingDirectory = isInside(boundary, resolveThroughLinks(context.workingDirectory)) ? context.workingDirectory : boundary
  const { serveStdio } = await import('../../site/agents/mcp-server.ts')
  const { createApiTools, createPageTools } = await import('../../site/agents/site-tools.ts')
  const { createLocalTools } = await import('./local-tools.ts')
  const { createSourcePages } = await import('../../site/agents/source-pages.ts')
  const docs = openLocalDocs(
    path,
    { boundary, allowHttp: options.allowHttp, network: options.network },
    { ...context, workingDirectory },
  )
  // Clients give up after a minute, and large docs take seconds to read. The first call reports errors.
  const pages = createSourcePages(docs.readPages)
  setImmediate(() => void pages.indexes('').catch(() => {}))
  await serveStdio({
    name: 'openapi-pages',
    title: 'OpenAPI Pages',
    version: packageVersion,
    instructions:
      `OpenAPI documents and docs of ${path}. Paths are relative to ${workingDirectory}. Find operations with \`search\` or \`list_operations\`, ` +
      'and read them with `read_page` or `get_operation`. After an edit, call `check`, and `changes` with the branch it will be merged into.',
    tools: [...createPageTools(pages), ...createApiTools(pages), ...createLocalTools(docs)],
    onError: (error) => {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
      context.stderr.write(`openapi-pages mcp: ${message}\n`)
    },
  })
  return 0
}

/** The only docs directory, or else the only document, of a directory without a docs.json; otherwise the directory itself. */
async function findOnlyDocs(path: string, options: ServerOptions, context: CliContext): Promise<string> {
  if (!isFolder(path)) return path
  const { workspace, docsDirectories, documents } = await searchDirectory(path, { ...options, quiet: true }, context)
  const [first, ...others] = docsDirectories.length > 0 ? docsDirectories : documents
  return first === undefined || others.length > 0 ? path : join(workspace.boundary, first)
}
