import { formatCount } from '../../diagnostics/diagnostic.ts'
import { toDiagnosticJson } from '../../diagnostics/format-text.ts'
import { listClients, type RecordedClient, recordClient, type UsedOperation } from '../../docs/check/recorded-clients.ts'
import { listNamedDocuments } from '../../docs/check/run-check.ts'
import { isDay } from '../../docs/config/project-config.ts'
import { ConfigError } from '../../text/errors.ts'
import { escapeText, toSafeJson } from '../../text/plain/escape-text.ts'
import { formatNumber } from '../../text/plain/lists.ts'
import { isUrl } from '../../text/plain/paths.ts'
import { toFileChange } from '../../text/plain/source-file.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { addCommonOptions, type CommonOptions, collect, type DefineCommand } from '../base/command-options.ts'
import { searchDirectory } from '../open/workspace.ts'
import { writeChanges } from '../open/write-output.ts'
import { choosePalette, printDiagnostics } from '../print/terminal.ts'

interface ClientsCommandOptions extends CommonOptions {
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
    .option('--since <date>', 'leave out older recordings, for example 2026-01-31')
    .option('--host <pattern>', 'leave out requests to other hosts; `*` is any text')
    .option('--dry-run', 'print the file instead of writing it', false)
  addCommonOptions(command, ['text', 'json'])
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
  if (!/^[a-z\d][\w.-]{0,63}$/i.test(name)) {
    throw new ConfigError(`unexpected name of a client ${name}, expected letters, digits, \`-\`, \`_\` and \`.\``)
  }
  const { since } = options
  if (since !== undefined && !isDay(since))
    throw new ConfigError(`unexpected ${since} for --since, expected a date such as 2026-01-31`)
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
  const { since, host, dryRun, format, quiet } = options
  const recordings = files.map(workspace.toInside)
  const client = await recordClient({ name, recordings, documents, since, host }, workspace.access)
  const { path, before, text } = client
  if (!dryRun && before !== text) {
    const change = before === undefined ? ({ kind: 'add', path, content: text } as const) : toFileChange(path, before, text)
    await writeChanges(workspace.boundary, [change], workspace.toShown)
  }
  const shownPath = workspace.toShown(path)
  const isKnown = !client.isUncertain && client.unread.length === 0
  if (format === 'json') {
    const unread = client.unread.map((one) => ({ ...one, path: workspace.toShown(one.path) }))
    const report = { version: 1, file: shownPath, changed: before !== text, known: isKnown, summary: client.summary, unread }
    context.stdout.write(`${toSafeJson(report)}\n`)
  } else {
    if (dryRun) context.stdout.write(text)
    printRecord(client, shownPath, workspace.toShown, { ...options, quiet: dryRun || quiet }, context)
  }
  return isKnown ? 0 : 1
}

function printRecord(
  { summary, unread, before, text }: RecordedClient,
  path: string,
  toShown: (path: string) => string,
  { color, quiet }: Pick<ClientsCommandOptions, 'color' | 'quiet'>,
  context: CliContext,
): void {
  const { stdout, stderr } = context
  const palette = choosePalette(stderr, context, color)
  for (const file of unread) stderr.write(palette.warning(`! Cannot read ${escapeText(toShown(file.path))}: ${file.problem}\n`))
  for (const line of summary) stderr.write(palette.warning(`! ${escapeText(line)}\n`))
  if (quiet) return
  const done = before === text ? 'is up to date' : before === undefined ? 'was written' : 'was changed'
  stdout.write(`${escapeText(path)} ${done}. Review it and commit it: \`openapi-pages changes\` reads it\n`)
}

async function runList(options: ClientsCommandOptions, context: CliContext): Promise<ExitCode> {
  const { workspace, documents } = await openDocuments(options, context)
  const { operations, records, folder, unknown, diagnostics } = await listClients(documents, workspace.access)
  if (options.format === 'json') {
    const clients = records.map(({ client, recorded }) => ({ client, ...recorded }))
    const shown = operations.map((one) => ({ ...one, document: workspace.toShown(one.document) }))
    const problems = diagnostics.map(toDiagnosticJson)
    context.stdout.write(`${toSafeJson({ version: 1, clients, operations: shown, unknown, diagnostics: problems })}\n`)
    return diagnostics.length > 0 ? 1 : 0
  }
  const { stdout } = context
  const shown = await workspace.show(diagnostics)
  await printDiagnostics(context.stderr, { diagnostics: shown.diagnostics, sources: shown.sources }, options, context)
  if (records.length === 0) {
    const hint = 'To record one, run `openapi-pages clients record <name> <recordings...>`'
    stdout.write(`No recorded clients in ${escapeText(workspace.toShown(folder))}. ${hint}\n`)
    return diagnostics.length > 0 ? 1 : 0
  }
  const used = operations.filter(({ clients }) => clients.length > 0)
  for (const operation of used) stdout.write(formatUses(operation))
  const unused = operations.filter(({ clients }) => clients.length === 0)
  if (unused.length > 0) {
    stdout.write(`\n${formatCount(unused.length, 'operation')} in no recording. That is no proof that nobody uses them\n`)
    const listed = options.all ? unused : unused.slice(0, listedOperations)
    for (const { name } of listed) stdout.write(`  ${escapeText(name)}\n`)
    if (listed.length < unused.length)
      stdout.write(`  … and ${formatNumber(unused.length - listed.length)} more (--all shows them)\n`)
  }
  for (const name of unknown) stdout.write(`\ninfo: ${escapeText(name)} is recorded, but in no document\n`)
  return diagnostics.length > 0 ? 1 : 0
}

const listedOperations = 20

function formatUses({ name, isDeprecated, clients }: UsedOperation): string {
  const lines = clients.map(({ client, count, last }) => {
    const when = last === undefined ? 'without date' : `last on ${last}`
    return `  ${escapeText(client)}   ${formatCount(count, 'request')}, ${escapeText(when)}\n`
  })
  return `${escapeText(name)}${isDeprecated ? '   deprecated, still used' : ''}\n${lines.join('')}`
}
