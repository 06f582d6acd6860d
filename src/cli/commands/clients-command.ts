import { formatCount } from '../../diagnostics/diagnostic.ts'
import { listClients, recordClient, type UsedOperation } from '../../docs/check/recorded-clients.ts'
import { listNamedDocuments } from '../../docs/check/run-check.ts'
import { ConfigError } from '../../text/errors.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { formatNumber } from '../../text/plain/lists.ts'
import { isUrl } from '../../text/plain/paths.ts'
import { toFileChange } from '../../text/plain/source-file.ts'
import { isClientName } from '../../traffic/client-file.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { addSharedOptions, type CommonOptions, collect, type DefineCommand, sinceOption } from '../base/command-options.ts'
import { searchDirectory } from '../open/workspace.ts'
import { writeChanges } from '../open/write-output.ts'
import { choosePalette } from '../print/terminal.ts'

interface ClientsCommandOptions extends Omit<CommonOptions, 'format'> {
  /** Default: the documents of the working directory. */
  readonly document: readonly string[]
  readonly since?: string
  readonly host?: string
  readonly dryRun: boolean
}

/** The options of `clients`. */
export const defineClientsCommand: DefineCommand = (command) => {
  command
    .option('--document <file>', 'OpenAPI document of the API (default: those of the working directory; repeatable)', collect, [])
    .addOption(sinceOption())
    .option('--host <pattern>', 'leave out requests to other hosts; `*` is any text')
    .option('--dry-run', 'print the file instead of writing it', false)
  addSharedOptions(command)
  return runClientsCommand
}

async function runClientsCommand(
  action: string | undefined,
  name: string | undefined,
  files: readonly string[],
  options: ClientsCommandOptions,
  context: CliContext,
): Promise<ExitCode> {
  if (action === undefined) return await runList(options, context)
  if (action !== 'record') {
    throw new ConfigError(`unknown action ${action}, expected \`record\``, {
      hint: `To record a client: \`openapi-pages clients record ${action} <recordings...>\``,
    })
  }
  if (name === undefined || files.length === 0) {
    throw new ConfigError(name === undefined ? 'missing name of the client' : 'missing recordings', {
      hint: 'For example `openapi-pages clients record checkout-web tests/cassettes`',
    })
  }
  if (!isClientName(name)) {
    throw new ConfigError(`unexpected name of a client ${name}, expected letters, digits, \`-\`, \`_\` and \`.\``)
  }
  return await runRecord(name, files, options, context)
}

async function openDocuments({ document, ...options }: ClientsCommandOptions, context: CliContext) {
  const { workspace, documents, docsDirectories } = await searchDirectory('.', options, context)
  if (document.length > 0) return { workspace, documents: document.map(workspace.toInside) }
  const named = await Promise.all(docsDirectories.map(async (root) => await listNamedDocuments(root, workspace.access)))
  const local = named.flat().flatMap(({ entry }) => (isUrl(entry) ? [] : entry))
  return { workspace, documents: local.length > 0 ? [...new Set(local)] : documents }
}

async function runRecord(
  name: string,
  files: readonly string[],
  options: ClientsCommandOptions,
  context: CliContext,
): Promise<ExitCode> {
  const { workspace, documents } = await openDocuments(options, context)
  const { since, host, dryRun, quiet, color } = options
  const { stdout, stderr } = context
  const recordings = files.map(workspace.toInside)
  for (const path of recordings)
    if ((await workspace.access.files.read(path, 1)).kind === 'missing')
      throw new ConfigError(`cannot read ${workspace.toShown(path)}: no such file or directory`)
  const client = await recordClient({ name, recordings, documents, since, host }, workspace.access)
  const { path, before, text, summary, unread, isUncertain } = client
  if (dryRun) stdout.write(text)
  else if (before !== text) {
    const change = before === undefined ? ({ kind: 'add', path, content: text } as const) : toFileChange(path, before, text)
    await writeChanges(workspace.boundary, [change], workspace.toShown)
  }
  const problems = [...unread.map((file) => `Cannot read ${workspace.toShown(file.path)}: ${file.problem}`), ...summary]
  const palette = choosePalette(stderr, context, color)
  for (const problem of problems) stderr.write(palette.warning(`! ${escapeText(problem)}\n`))
  const done = before === text ? 'is up to date' : before === undefined ? 'was written' : 'was changed'
  if (!dryRun && !quiet) {
    stdout.write(`${escapeText(workspace.toShown(path))} ${done}. Review it and commit it: \`openapi-pages changes\` reads it\n`)
  }
  return isUncertain || unread.length > 0 ? 1 : 0
}

async function runList(options: ClientsCommandOptions, { stdout, ...context }: CliContext): Promise<ExitCode> {
  const { workspace, documents } = await openDocuments(options, { stdout, ...context })
  const { operations, folder, hasClients, unknown } = await listClients(documents, workspace.access)
  if (!hasClients) {
    const hint = 'To record one, run `openapi-pages clients record <name> <recordings...>`'
    stdout.write(`No recorded clients in ${escapeText(workspace.toShown(folder))}. ${hint}\n`)
    return 0
  }
  const used = operations.filter(({ clients }) => clients.length > 0)
  for (const operation of used) stdout.write(formatUses(operation))
  const unused = operations.filter(({ clients }) => clients.length === 0)
  if (unused.length > 0) {
    stdout.write(`\n${formatCount(unused.length, 'operation')} in no recording. Clients that were not recorded may use them\n`)
    const listed = options.all ? unused : unused.slice(0, listedOperations)
    for (const { name } of listed) stdout.write(`  ${escapeText(name)}\n`)
    if (listed.length < unused.length)
      stdout.write(`  … and ${formatNumber(unused.length - listed.length)} more (--all shows them)\n`)
  }
  for (const name of unknown) stdout.write(`\ninfo: ${escapeText(name)} is recorded, but in no document\n`)
  return 0
}

const listedOperations = 20

function formatUses({ name, isDeprecated, clients }: UsedOperation): string {
  const lines = clients.map(({ client, count, last }) => {
    const when = last === undefined ? 'without date' : `last on ${last}`
    return `  ${escapeText(client)}   ${formatCount(count, 'request')}, ${escapeText(when)}\n`
  })
  return `${escapeText(name)}${isDeprecated ? '   deprecated, still used' : ''}\n${lines.join('')}`
}
