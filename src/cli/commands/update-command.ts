import { join } from 'node:path'
import { countFindings, formatCount, formatCounts } from '../../diagnostics/diagnostic.ts'
import { lockFileName } from '../../docs/config/config-files.ts'
import type { UpdateOptions, UpdateWithSources } from '../../docs/types.ts'
import { runUpdate } from '../../docs/update/run-update.ts'
import { type FollowedSources, followSources, listSources } from '../../docs/update/stored-documents.ts'
import { describeStopped, toUpdateJson, type UpdateJson } from '../../docs/update/update-results.ts'
import { removeAbandonedStaging } from '../../files/apply-file-changes.ts'
import { findInside } from '../../files/boundary.ts'
import { openRemoteRepositories } from '../../git/remote-repository.ts'
import { ConfigError } from '../../text/errors.ts'
import { escapeText, toSafeJson } from '../../text/plain/escape-text.ts'
import type { CliContext, ExitCode, Output } from '../base/cli-context.ts'
import { describeError, reportUnreadable, toExitCode } from '../base/command-errors.ts'
import { addCommonOptions, type CommonOptions, type DefineCommand } from '../base/command-options.ts'
import { runAndWatch, watchOption } from '../open/watch.ts'
import { openDocsDirectory, type Workspace } from '../open/workspace.ts'
import { writeChanges } from '../open/write-output.ts'
import { formatVerdict } from '../print/check-summary.ts'
import { formatPlan } from '../print/format-plan.ts'
import { countPages, formatUpdate, renderUpdateCommands } from '../print/format-update.ts'
import { choosePalette, printDiagnostics } from '../print/terminal.ts'

interface UpdateCommandOptions extends CommonOptions {
  readonly check: boolean
  readonly dryRun: boolean
  /** False with `--no-renames`. Default: the setting in the configuration file. */
  readonly renames: boolean
  /** Overrides the setting `update.onError` with `operation`. */
  readonly keepGoing?: boolean
  /** First copy the documents of other repositories. */
  readonly sources: boolean
  /** Remove many pages at once. Default: the setting in the configuration file. */
  readonly remove?: boolean
  /** Run again on changes. */
  readonly watch: boolean
}

/** The options that affect the output. Without `check` and `dryRun`, the changes were written. */
type PrintOptions = Pick<UpdateCommandOptions, 'all' | 'check' | 'color' | 'dryRun' | 'format' | 'quiet'>

export const removeHelp = 'allow the removal of many pages that a document at a URL or in another repository no longer has'

/** The options of `update`. */
export const defineUpdateCommand: DefineCommand = (command) => {
  command
    .option('--check', 'do not write; exit 1 if any file is out of date', false)
    .option('--dry-run', 'do not write; print the planned changes', false)
    .option('--no-renames', 'detect renamed operations only by operationId, not by similarity')
    .option('--keep-going', 'in documents with errors, update the pages of unaffected operations', false)
    .option('--remove', removeHelp)
    .option('--sources', 'first copy the documents of `sources` in the configuration file', false)
    .option(...watchOption)
  addCommonOptions(command, ['text', 'json'])
  return async (root: string, options: UpdateCommandOptions, context: CliContext) =>
    await (options.watch ? watchUpdate : runUpdateCommand)(root, options, context)
}

async function watchUpdate(argument: string, options: UpdateCommandOptions, context: CliContext): Promise<ExitCode> {
  if (options.sources)
    throw new ConfigError('unexpected --watch with --sources', { hint: 'Run the command with --sources first' })
  const { workspace, root } = await openDocsDirectory(argument, 'update', options, context)
  const written: string[] = []
  const run = async () => {
    await runUpdateCommand(workspace.toShown(root), options, context, (paths) => written.push(...paths))
    return written.splice(0)
  }
  return await runAndWatch({ folders: [workspace.boundary], run }, options, context)
}

/** Updates the pages and navigation of a docs directory, or only shows the changes. */
async function runUpdateCommand(
  argument: string,
  options: UpdateCommandOptions,
  context: CliContext,
  onWritten?: (paths: readonly string[]) => void,
): Promise<ExitCode> {
  const { update, shown, workspace, followed } = await updateNamed(argument, options, context, onWritten)
  const exitCode = await printUpdate(update, shown, workspace, options, context)
  return followed ? printSourceFailures(followed, context.stderr, exitCode) : exitCode
}

/** Updates the docs directory that an argument names. @param onWritten gets the written files, as absolute paths. */
export async function updateNamed(
  argument: string,
  options: Omit<UpdateCommandOptions, 'watch'>,
  context: CliContext,
  onWritten: (paths: readonly string[]) => void = () => {},
) {
  const { progress, workspace, root } = await openDocsDirectory(argument, 'update', options, context)
  const followed = options.sources ? await readSources(root, workspace, context) : undefined
  const updateOptions: UpdateOptions = {
    root,
    ...(options.renames ? {} : { renames: false }),
    ...(options.remove ? { remove: true } : {}),
    ...(options.keepGoing ? { onError: 'operation' } : {}),
    ...(followed ? { stored: followed.documents } : {}),
  }
  const folder = options.check || options.dryRun ? undefined : findInside(workspace.boundary, root)
  if (folder !== undefined) removeAbandonedStaging(folder, lockFileName)
  const update = await runUpdate(updateOptions, workspace.access, workspace.terms, workspace.reporting)
  const shown = await workspace.show(update.diagnostics, update.sourceOf)
  if (!options.check && !options.dryRun && update.changes.length > 0) {
    progress.step(`writing ${formatCount(update.changes.length, 'file')}`)
    await writeChanges(workspace.boundary, update.changes, workspace.toShown, update.root)
    onWritten(update.changes.map(({ path }) => join(workspace.boundary, path)))
  }
  progress.clear()
  return { update, shown, workspace, followed }
}

/** What `--format json` prints. */
export function toShownJson(
  update: PrintedUpdate,
  { diagnostics }: Pick<Shown, 'diagnostics'>,
  { toShown }: Workspace,
): UpdateJson {
  const documents = update.documents.map((document) => ({ ...document, path: toShown(document.path) }))
  return toUpdateJson({ ...update, documents, diagnostics })
}

type Shown = Awaited<ReturnType<Workspace['show']>>

/** The update of a docs directory, or of several together. */
export interface PrintedUpdate extends UpdateWithSources {
  /** The update of each docs directory, if there are several. */
  readonly parts?: readonly UpdateWithSources[]
}

/** Prints an update with its diagnostics and returns the exit code. */
export async function printUpdate(
  update: PrintedUpdate,
  shown: Shown,
  workspace: Workspace,
  options: PrintOptions,
  context: CliContext,
): Promise<ExitCode> {
  const diagnostics = reportUnreadable(shown.diagnostics, context.stderr)
  if (options.format === 'json') {
    context.stdout.write(`${toSafeJson(toShownJson(update, shown, workspace))}\n`)
  } else {
    await printDiagnostics(context.stdout, { diagnostics, sources: shown.sources }, options, context)
    // Without any of them, the missing docs.json is the only message.
    if (update.hasDocsConfig || update.documents.length > 0) await printPlan(update, workspace, options, context)
  }
  return toExitCode(shown.diagnostics, { isOpen: options.check && update.changes.length > 0 })
}

async function printPlan(update: PrintedUpdate, workspace: Workspace, options: PrintOptions, context: CliContext): Promise<void> {
  const { stdout } = context
  const { parts = [update] } = update
  const palette = choosePalette(stdout, context, options.color)
  const files = formatCount(update.changes.length, 'file')
  const isWritten = !options.check && !options.dryRun
  const commands = renderUpdateCommands(parts, workspace.toShown)
  if (!options.quiet) {
    const format = { palette, toShown: workspace.toShown, all: options.all, isWritten }
    const texts = parts.map((part) => formatUpdate(part, format)).filter((text) => text !== '')
    if (texts.length > 0) stdout.write(`${texts.join('\n')}\n`)
  }
  if (options.dryRun) {
    stdout.write(formatPlan(update.changes, { palette, toShown: workspace.toShown, all: options.all }))
    if (!options.quiet && update.changes.length > 0) {
      stdout.write(`Dry run: ${files} to change (run ${commands} to write ${update.changes.length === 1 ? 'it' : 'them'})\n`)
    }
  }
  // Always print what determines the exit code.
  if (options.quiet && !(options.check && update.changes.length > 0)) return
  const counts = countFindings(update.diagnostics)
  const stopped = describeStopped(update.documents, workspace.toShown)
  if (counts.errors > 0) {
    const inFiles = formatCount(new Set(update.diagnostics.map(({ file }) => file)).size, 'file')
    stdout.write(
      palette.error(`✖ ${formatCounts(counts)} in ${inFiles}${update.changes.length === 0 ? ', nothing changed' : ''}\n`),
    )
  }
  // Pages of operations that people wrote, where no page is kept up to date.
  const isOther = ({ state, page }: UpdateWithSources['table'][number]) => state === 'own page' && page !== null
  const otherCount = update.pages.length === 0 ? update.table.filter(isOther).length : 0
  let done: string | undefined
  if (update.changes.length === 0) {
    if (counts.errors === 0 && !stopped) done = describeUpToDate(update, otherCount, workspace)
  } else if (options.check) {
    stdout.write(palette.error(`✖ ${files} out of date (run ${commands})\n`))
  } else if (isWritten) done = countPages(update.pages) || `${files} changed`
  stdout.write(formatVerdict(done, stopped, palette, stopped === undefined && otherCount === 0))
}

function describeUpToDate(update: UpdateWithSources, otherCount: number, { toShown }: Workspace): string {
  const { pages, documents, table, hasDocsConfig, configPath } = update
  if (pages.length === 0 && !hasDocsConfig) return 'No docs.json, so there are no pages to update'
  if (otherCount > 0) {
    const them = otherCount === 1 ? 'it' : 'them'
    return `Nothing to update: ${formatCount(otherCount, 'existing API page')} not adopted (run \`openapi-pages adopt\` to keep ${them} up to date)`
  }
  if (pages.length === 0 && table.some(({ state }) => state === 'kept by hand'))
    return 'Nothing to update: all pages were deleted manually'
  if (pages.length === 0) {
    const nothing = 'Nothing to update: no navigation division has generated pages'
    const withPages = documents.filter(({ operationCount, webhookCount }) => operationCount + webhookCount > 0)
    if (withPages.length === 0) return nothing
    return `${nothing} (to write the pages as files, set \`materialize: true\` in ${escapeText(toShown(configPath))})`
  }
  return `${formatCount(pages.length, 'page')} up to date`
}

/**
 * Reads the documents that `sources` in the configuration file of a docs directory names, with the token in `GITHUB_TOKEN` or the credentials of
 * Git.
 *
 * @throws {ConfigError} if the configuration file names none.
 */
async function readSources(
  root: string,
  { access, reporting, toShown }: Workspace,
  { env }: CliContext,
): Promise<FollowedSources> {
  const { sources, configPath } = await listSources(root, access.files)
  if (sources.length === 0) {
    throw new ConfigError(`cannot find \`sources\` in ${toShown(configPath)}`, {
      hint: 'Add them, for example `sources: [{ repository: acme/api, path: openapi.yaml }]`, or omit --sources. Errors in the file have the same effect',
    })
  }
  const url = env['GITHUB_SERVER_URL'] || 'https://github.com'
  const token = env['GITHUB_TOKEN'] || env['GH_TOKEN'] || undefined
  const remote = openRemoteRepositories({ url, token })
  const howToAllow = (name: string) =>
    `${token === undefined ? 'Set GITHUB_TOKEN' : 'Set GITHUB_TOKEN to another token'}: it needs \`Contents: read\` in ${name}`
  try {
    return await followSources(root, sources, { ...remote, howToAllow }, access.fetchDocument, reporting.onProgress)
  } finally {
    remote.close()
  }
}

/** Prints the documents that could not be copied. Returns their exit code, at least the given one. */
function printSourceFailures({ failures }: FollowedSources, stderr: Output, exitCode: ExitCode): ExitCode {
  for (const { error } of failures) stderr.write(describeError(error))
  if (exitCode === 2 || failures.some(({ isInvalid }) => !isInvalid)) return 2
  return failures.length > 0 ? 1 : exitCode
}
