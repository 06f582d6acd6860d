import { extname, join } from 'node:path'
import type { DescriptionCheck } from '../../checks/check-description.ts'
import { type Diagnostic, formatCount, renameFiles } from '../../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import { checkEntryDocument } from '../../docs/check/run-check.ts'
import { toUserPath, type UserPath } from '../../files/boundary.ts'
import { ConfigError } from '../../text/errors.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { isUrl } from '../../text/plain/paths.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { reportUnreadable, toExitCode } from '../base/command-errors.ts'
import { addSharedOptions, type CommonOptions, type DefineCommand, formatOption } from '../base/command-options.ts'
import { addDocumentOptions, bundleDocument, type DocumentOptions, readFilter } from '../open/filter-document.ts'
import { chooseSiteArgument, findDocument } from '../open/site-root.ts'
import { chooseBoundary, openWorkspace, type Workspace } from '../open/workspace.ts'
import { rejectSource, writeOutput } from '../open/write-output.ts'
import { describeDocument } from '../print/check-summary.ts'
import { choosePalette, createProgress, printDiagnostics } from '../print/terminal.ts'

interface BundleCommandOptions extends Omit<CommonOptions, 'format'>, DocumentOptions {
  /** Default: the extension of the output, else the format of the entry document. */
  readonly format?: 'json' | 'yaml'
  readonly output?: UserPath
}

/** The options of `bundle`. */
export const defineBundleCommand: DefineCommand = (command) => {
  command
    .option('-o, --output <file>', 'write to this file instead of stdout', toUserPath)
    .addOption(
      formatOption('format of the output: json or yaml (default: the extension of the output, else the format of the input)', [
        'json',
        'yaml',
      ]),
    )
  addDocumentOptions(command)
  addSharedOptions(command)
  return runBundleCommand
}

/** Bundles a description without errors, checks the result, and writes it to stdout or a file. */
async function runBundleCommand(given: string, options: BundleCommandOptions, context: CliContext): Promise<ExitCode> {
  const { stderr } = context
  const argument = await chooseSiteArgument(given, 'bundle', options, context)
  if (argument === undefined) return 2
  const progress = createProgress(stderr, options.quiet)
  const workspace = openWorkspace(chooseBoundary(argument, options, context), options, context, progress)
  const found = await findDocument(argument, workspace, context, options.audience)
  if (!found) return 2
  const { entry, overlays, access, hide } = found
  const source = workspace.toShown(entry)
  progress.step(`reading ${source}`)
  const check = await checkEntryDocument(entry, access, { errorsOnly: true, overlays, hide })
  progress.clear()
  const exitCode = await reportErrors(check, workspace, options, context)
  if (exitCode !== 0) {
    const palette = choosePalette(stderr, context, options.color)
    const line = '✖ Nothing written: only descriptions without errors can be bundled\n'
    if (!options.quiet && exitCode === 1) stderr.write(palette.error(line))
    return exitCode
  }
  progress.step('bundling files')
  const { documents } = check
  const filter = readFilter(options, found.site ?? check.config.site)
  const bundle = await bundleDocument(check, entry, { filter, format: chooseFormat(options) })
  if (!bundle) throw new ConfigError(`cannot bundle ${source}: the result would be infinite or too large`)
  if (options.output !== undefined)
    rejectSource(
      options.output,
      [...check.sources.keys()].map((path) => (isUrl(path) ? path : join(workspace.boundary, path))),
      context,
    )
  if (bundle.errors.length > 0) {
    const name = options.output ?? `<bundle of ${source}>`
    const diagnostics = renameFiles(bundle.errors, () => name)
    await printDiagnostics(stderr, { diagnostics, sources: new Map([[name, bundle.source]]) }, options, context)
    if (!filter) throw new Error('The bundle has errors that the original files do not have')
    const hint = 'For example, a path parameter of a kept operation can be internal'
    throw new ConfigError(`cannot write the filtered document of ${source}: it would have the errors above`, { hint })
  }
  progress.clear()
  await writeBundle(bundle, documents.size, options, context)
  return 0
}

/** Writes the bundle and prints a summary to stderr. */
async function writeBundle(
  { left: references, text, description }: NonNullable<Awaited<ReturnType<typeof bundleDocument>>>,
  fileCount: number,
  { output, quiet, color }: BundleCommandOptions,
  context: CliContext,
): Promise<void> {
  const { stdout, stderr } = context
  const [first, ...others] = references
  const example = first === undefined ? '' : `${escapeText(first)}${others.length > 0 ? ', …' : ''}`
  const left = first === undefined ? '' : `, ${formatCount(references.length, 'reference')} left unchanged (${example})`
  const joined = `${formatCount(fileCount, 'file')} bundled${left}`
  if (output === undefined) {
    stdout.write(text)
    if (!quiet && left !== '') stderr.write(`${joined}\n`)
    return
  }
  const verb = (await writeOutput(output, text, context)) === 'unchanged' ? 'is up to date' : 'written'
  if (quiet) return
  const palette = choosePalette(stderr, context, color)
  const { version, operations = [], webhooks = [], schemas = [] } = description ?? {}
  const counts = { operationCount: operations.length, webhookCount: webhooks.length, schemaCount: schemas.length }
  const facts = describeDocument({ version, ...counts })
  stderr.write(`${palette.success(`✔ ${escapeText(output)} ${verb}: ${joined}`)} ${palette.dim(`(${facts})`)}\n`)
}

/** Prints errors, and the warnings about overlays. */
async function reportErrors(
  check: DescriptionCheck,
  workspace: Workspace,
  options: BundleCommandOptions,
  context: CliContext,
): Promise<ExitCode> {
  const found = await finishDiagnostics(check.findings, (file) => check.sources.get(file))
  // Other warnings are not about the bundle.
  const isShown = ({ severity, code }: Diagnostic) => severity === 'error' || /^overlay-(?:unmatched|outdated)$/.test(code)
  const shown = await workspace.show(found.filter(isShown))
  const inDocuments = reportUnreadable(shown.diagnostics, context.stderr)
  await printDiagnostics(context.stderr, { diagnostics: inDocuments, sources: shown.sources }, options, context)
  return toExitCode(shown.diagnostics)
}

/** Chooses the format: `--format`, else the extension of the output. Default: the format of the entry document. */
function chooseFormat({ format, output }: BundleCommandOptions): 'json' | 'yaml' | undefined {
  const extension = extname(output ?? '').toLowerCase()
  if (format === undefined && extension === '.json') return 'json'
  return format ?? (/^\.ya?ml$/.test(extension) ? 'yaml' : undefined)
}
