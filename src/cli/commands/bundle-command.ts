import { extname, join } from 'node:path'
import { formatCount, renameFiles } from '../../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import { ConfigError } from '../../errors.ts'
import { type BundlePlan, planBundle } from '../../openapi/bundle/plan-bundle.ts'
import { checkDescription, type DescriptionCheck } from '../../openapi/check-description.ts'
import type { Description } from '../../openapi/types.ts'
import { escapeText } from '../../source/escape-text.ts'
import { isUrl } from '../../source/relative-path.ts'
import { toSourceFile } from '../../source/source-file.ts'
import { checkEntryDocument } from '../../update/run-check.ts'
import { formatBundle, joinParts } from '../assemble-bundle.ts'
import { describeDocument } from '../check-summary.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import { reportUnreadable, toExitCode } from '../command-errors.ts'
import { addSharedOptions, type CommonOptions, type DefineCommand, formatOption } from '../command-options.ts'
import { printDiagnostics } from '../print-diagnostics.ts'
import { choosePalette, createProgress } from '../terminal.ts'
import { chooseBoundary, openWorkspace, rejectFolder, type Workspace } from '../workspace.ts'
import { rejectSource, writeOutput } from '../write-output.ts'

interface BundleCommandOptions extends Omit<CommonOptions, 'format'> {
  /** Default: by the extension of the output, else as the entry document. */
  readonly format?: 'json' | 'yaml'
  readonly output?: string
}

/** The options, help and action of `bundle`. */
export const defineBundleCommand: DefineCommand = (command, context, end) => {
  command
    .description(
      'Joins an OpenAPI document with all the files it references into one document, for tools that take one file only. ' +
        'What the references lead to goes under components by its own name. An invalid description writes nothing.',
    )
    .option('-o, --output <file>', 'write to this file instead of stdout')
    .addOption(formatOption('json or yaml (default: by the name of the output, else as the entry document)', ['json', 'yaml']))
  addSharedOptions(command)
  command
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages bundle openapi.yaml -o dist/openapi.json
  openapi-pages bundle openapi.yaml > bundled.yaml`,
    )
    .action(async (source: string, options: BundleCommandOptions) => {
      end(await runBundleCommand(source, options, context))
    })
}

/**
 * Joins all files of a description into one document, on stdout or in a file.
 *
 * Only a description without errors is joined, and the result is checked before anything is written.
 */
async function runBundleCommand(source: string, options: BundleCommandOptions, context: CliContext): Promise<ExitCode> {
  const { stderr } = context
  rejectFolder(source, context)
  const progress = createProgress(stderr, options.quiet)
  const workspace = openWorkspace(chooseBoundary(source, options, context), options, context, progress)
  const entry = workspace.toInside(source)
  progress.step(`reading ${source}`)
  const check = await checkEntryDocument(entry, workspace.environment, 'exact')
  progress.clear()
  const exitCode = await reportErrors(check, workspace, options, context)
  if (exitCode !== 0) {
    const palette = choosePalette(stderr, context, options.color)
    const words = '✖ nothing is written: only a valid description is joined\n'
    if (!options.quiet && exitCode === 1) stderr.write(palette.error(words))
    return exitCode
  }
  progress.step('joining files')
  const { description, documents, load } = check
  const plan = description && (await planBundle(documents, entry, description.release, load))
  if (!plan) throw new ConfigError(`cannot join ${source}: written in one file it has no end, or is too large`)
  if (options.output !== undefined)
    rejectSource(
      options.output,
      [...documents.keys()].map((path) => (isUrl(path) ? path : join(workspace.boundary, path))),
      context,
    )
  const text = await formatBundle(await joinParts(plan), chooseFormat(options, documents.get(entry)?.parsed.syntax))
  await rejectInvalidBundle(options.output ?? `<bundle of ${source}>`, text, options, context)
  progress.clear()
  await writeBundle(text, { plan, description, fileCount: documents.size }, options, context)
  return 0
}

interface Bundle {
  readonly plan: BundlePlan
  readonly description: Description
  readonly fileCount: number
}

/** Writes the bundle where it is wanted, and says what it is of. */
async function writeBundle(
  text: string,
  { plan, description, fileCount }: Bundle,
  { output, quiet, color }: BundleCommandOptions,
  context: CliContext,
): Promise<void> {
  const { stdout, stderr } = context
  const [first, ...others] = plan.left
  const example = first === undefined ? '' : `${escapeText(first)}${others.length > 0 ? ', …' : ''}`
  const left = first === undefined ? '' : `, ${formatCount(plan.left.length, 'reference')} left as written (${example})`
  const joined = `${formatCount(fileCount, 'file')} joined${left}`
  if (output === undefined) {
    stdout.write(text)
    if (!quiet && left !== '') stderr.write(`${joined}\n`)
    return
  }
  const verb = (await writeOutput(output, text, context)) === 'unchanged' ? 'is up to date' : 'is written'
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

/** What `--format` says, else the name of the output, else as the entry document is written. */
function chooseFormat({ format, output }: BundleCommandOptions, syntax: 'json' | 'yaml' | undefined): 'json' | 'yaml' {
  if (format !== undefined) return format
  const extension = output === undefined ? '' : extname(output).toLowerCase()
  if (extension === '.json') return 'json'
  if (extension === '.yaml' || extension === '.yml') return 'yaml'
  return syntax ?? 'yaml'
}

/** An invalid bundle of a valid description is our bug. Nothing is written then. */
async function rejectInvalidBundle(
  name: string,
  text: string,
  options: BundleCommandOptions,
  context: CliContext,
): Promise<void> {
  const bytes = new TextEncoder().encode(text)
  const { findings } = await checkDescription('bundle', async (path) => {
    return path === 'bundle' ? { kind: 'loaded', bytes } : { kind: 'failed', code: 'file-missing', reason: 'it is not joined' }
  })
  const source = toSourceFile('bundle', bytes)
  const errors = (await finishDiagnostics(findings, () => source)).filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return
  const sources = new Map([[name, source]])
  await printDiagnostics(context.stderr, { diagnostics: renameFiles(errors, () => name), sources }, options, context)
  throw new Error(`The bundle has ${formatCount(errors.length, 'error')} that its files do not have`)
}

function countOf({ operations, webhooks, schemas }: Description) {
  return { operationCount: operations.length, webhookCount: webhooks.length, schemaCount: schemas.length }
}
