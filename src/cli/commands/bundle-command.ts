import { extname, join } from 'node:path'
import { formatCount, renameFiles } from '../../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import { checkEntryDocument } from '../../docs/check/run-check.ts'
import { formatBundle } from '../../docs/update/stored-documents.ts'
import { type BundlePlan, planBundle } from '../../openapi/bundle/plan-bundle.ts'
import { checkDescription, type DescriptionCheck } from '../../openapi/checks/check-description.ts'
import type { Description } from '../../openapi/types.ts'
import { ConfigError } from '../../text/errors.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { isUrl } from '../../text/plain/paths.ts'
import { toSourceFile } from '../../text/plain/source-file.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { reportUnreadable, toExitCode } from '../base/command-errors.ts'
import { addSharedOptions, type CommonOptions, type DefineCommand, formatOption } from '../base/command-options.ts'
import { addDocumentOptions, type DocumentOptions, joinDocument, readFilter } from '../open/filter-document.ts'
import { chooseBoundary, openWorkspace, rejectFolder, type Workspace } from '../open/workspace.ts'
import { rejectSource, writeOutput } from '../open/write-output.ts'
import { describeDocument } from '../print/check-summary.ts'
import { choosePalette, createProgress, printDiagnostics } from '../print/terminal.ts'

interface BundleCommandOptions extends Omit<CommonOptions, 'format'>, DocumentOptions {
  /** Default: the extension of the output, else the format of the entry document. */
  readonly format?: 'json' | 'yaml'
  readonly output?: string
}

/** The options of `bundle`. */
export const defineBundleCommand: DefineCommand = (command) => {
  command
    .option('-o, --output <file>', 'write to this file instead of stdout')
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
async function runBundleCommand(source: string, options: BundleCommandOptions, context: CliContext): Promise<ExitCode> {
  const { stderr } = context
  rejectFolder(source, context)
  const progress = createProgress(stderr, options.quiet)
  const workspace = openWorkspace(chooseBoundary(source, options, context), options, context, progress)
  const entry = workspace.toInside(source)
  progress.step(`reading ${source}`)
  const { overlays } = workspace.terms
  const check = await checkEntryDocument(entry, workspace.access, { errorsOnly: true, overlays })
  progress.clear()
  const exitCode = await reportErrors(check, workspace, options, context)
  if (exitCode !== 0) {
    const palette = choosePalette(stderr, context, options.color)
    const line = '✖ Nothing written: only descriptions without errors can be bundled\n'
    if (!options.quiet && exitCode === 1) stderr.write(palette.error(line))
    return exitCode
  }
  progress.step('bundling files')
  const { description, documents, load } = check
  const plan = description && (await planBundle(documents, entry, description.release, load))
  if (!plan) throw new ConfigError(`cannot bundle ${source}: the result would be infinite or too large`)
  if (options.output !== undefined)
    rejectSource(
      options.output,
      [...documents.keys()].map((path) => (isUrl(path) ? path : join(workspace.boundary, path))),
      context,
    )
  const filter = readFilter(options)
  const text = await formatBundle(await joinDocument(plan, filter), chooseFormat(options, documents.get(entry)?.parsed.syntax))
  const checked = await checkBundle(options.output ?? `<bundle of ${source}>`, text, options, context)
  if (!checked && filter) {
    const hint = 'For example, a path parameter of a kept operation can be internal'
    throw new ConfigError(`cannot write the filtered document of ${source}: it would have the errors above`, { hint })
  }
  if (!checked) throw new Error('The bundle has errors that the original files do not have')
  progress.clear()
  await writeBundle(text, { plan, description: filter ? checked : description, fileCount: documents.size }, options, context)
  return 0
}

/** Writes the bundle and prints a summary to stderr. */
async function writeBundle(
  text: string,
  { plan, description, fileCount }: { readonly plan: BundlePlan; readonly description: Description; readonly fileCount: number },
  { output, quiet, color }: BundleCommandOptions,
  context: CliContext,
): Promise<void> {
  const { stdout, stderr } = context
  const [first, ...others] = plan.left
  const example = first === undefined ? '' : `${escapeText(first)}${others.length > 0 ? ', …' : ''}`
  const left = first === undefined ? '' : `, ${formatCount(plan.left.length, 'reference')} left unchanged (${example})`
  const joined = `${formatCount(fileCount, 'file')} bundled${left}`
  if (output === undefined) {
    stdout.write(text)
    if (!quiet && left !== '') stderr.write(`${joined}\n`)
    return
  }
  const verb = (await writeOutput(output, text, context)) === 'unchanged' ? 'is up to date' : 'written'
  if (quiet) return
  const palette = choosePalette(stderr, context, color)
  const facts = describeDocument({ ...countOf(description), version: description.version })
  stderr.write(`${palette.success(`✔ ${escapeText(output)} ${verb}: ${joined}`)} ${palette.dim(`(${facts})`)}\n`)
}

async function reportErrors(
  { findings, sources }: DescriptionCheck,
  workspace: Workspace,
  options: BundleCommandOptions,
  context: CliContext,
): Promise<ExitCode> {
  const diagnostics = await finishDiagnostics(findings, (file) => sources.get(file))
  const shown = await workspace.show(diagnostics.filter(({ severity }) => severity === 'error'))
  const inDocuments = reportUnreadable(shown.diagnostics, context.stderr)
  await printDiagnostics(context.stderr, { diagnostics: inDocuments, sources: shown.sources }, options, context)
  return toExitCode(shown.diagnostics)
}

/** Chooses the format: `--format`, else the extension of the output, else the format of the entry document. */
function chooseFormat({ format, output }: BundleCommandOptions, syntax: 'json' | 'yaml' | undefined): 'json' | 'yaml' {
  if (format !== undefined) return format
  const extension = output === undefined ? '' : extname(output).toLowerCase()
  if (extension === '.json') return 'json'
  if (extension === '.yaml' || extension === '.yml') return 'yaml'
  return syntax ?? 'yaml'
}

/** Checks a bundle and prints its errors. Returns its description, or `undefined` with errors. */
async function checkBundle(
  name: string,
  text: string,
  options: BundleCommandOptions,
  context: CliContext,
): Promise<Description | undefined> {
  const bytes = new TextEncoder().encode(text)
  const { description, findings } = await checkDescription('bundle', async (path) => {
    return path === 'bundle' ? { kind: 'loaded', bytes } : { kind: 'failed', code: 'file-missing', reason: 'it is not bundled' }
  })
  const source = toSourceFile('bundle', bytes)
  const errors = (await finishDiagnostics(findings, () => source)).filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return description
  const sources = new Map([[name, source]])
  await printDiagnostics(context.stderr, { diagnostics: renameFiles(errors, () => name), sources }, options, context)
  return undefined
}

function countOf({ operations, webhooks, schemas }: Description) {
  return { operationCount: operations.length, webhookCount: webhooks.length, schemaCount: schemas.length }
}
