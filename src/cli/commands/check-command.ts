import { join, resolve } from 'node:path'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { formatGithub } from '../../diagnostics/format-github.ts'
import { formatJson } from '../../diagnostics/format-json.ts'
import { docsConfigNames } from '../../docs-config/project-config.ts'
import { ConfigError } from '../../errors.ts'
import { resolveThroughLinks } from '../../files/boundary.ts'
import { groupBy } from '../../source/group-by.ts'
import { isUrl } from '../../source/relative-path.ts'
import type { SourceFile } from '../../source/source-file.ts'
import { packageVersion } from '../../update/package-version.ts'
import { runCheck } from '../../update/run-check.ts'
import type { CheckReport, DocumentReport } from '../../update/types.ts'
import { expandEntries } from '../check-entries.ts'
import { formatCheckSummary } from '../check-summary.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import { describeUnreadable, isUnreadable, splitUnreadable, toExitCode } from '../command-errors.ts'
import { addCommonOptions, type CommonOptions, type DefineCommand } from '../command-options.ts'
import { printDiagnostics } from '../print-diagnostics.ts'
import { choosePalette, createProgress } from '../terminal.ts'
import { chooseBoundary, openWorkspace } from '../workspace.ts'
import { rejectSource, writeOutput, writeToFile } from '../write-output.ts'

interface CheckCommandOptions extends Omit<CommonOptions, 'format'> {
  readonly format: 'text' | 'json' | 'github' | 'sarif'
  /** The file that takes what would go to stdout. */
  readonly output?: string
  /** The file with known problems; absent where the configuration file decides. */
  readonly baseline?: string
  /** Make all problems known before they are reported. */
  readonly writeBaseline?: boolean
  /** The name of what `-` reads: where its references start from, and what findings say. */
  readonly stdinPath?: string
}

/** The options, help and action of `openapi-check`. */
export const defineCheckCommand: DefineCommand = (command, context, end) => {
  command
    .description(
      'Checks OpenAPI 3.0, 3.1 and 3.2 documents with all the files they reference, and reports every fault with its place. ' +
        'A folder with a docs.json or mint.json: every document named there and every page bound to them.',
    )
    .option('-o, --output <file>', 'write the report to this file instead of stdout')
    .option('--stdin-path <path>', 'what the document on standard input is called, and where its references start')
    .option('--baseline <file>', 'report only problems that this file does not list')
    .option('--write-baseline', 'write all current problems to the baseline, and remove fixed ones from it', false)
  addCommonOptions(command, ['text', 'json', 'sarif', 'github'])
  command
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages check openapi.yaml
  openapi-pages check 'apis/**/*.yaml' '!apis/old/**'
  openapi-pages check https://example.com/openapi.json
  openapi-pages check docs                              every document of docs/docs.json
  generate | openapi-pages check -                      a document on standard input
  openapi-pages check --format json openapi.yaml | jq '.diagnostics[].message'
  openapi-pages check --format github openapi.yaml      annotations in a GitHub workflow
  openapi-pages check --format sarif -o check.sarif .   for GitHub code scanning
  openapi-pages check . --baseline known.json --write-baseline   accept all current problems`,
    )
    .action(async (entries: string[], options: CheckCommandOptions) => {
      end(await runCheckCommand(entries, options, context))
    })
}

/** What the checks within one boundary found, with names as they are shown. */
interface CheckResults {
  readonly documents: DocumentReport[]
  readonly diagnostics: Diagnostic[]
  readonly sources: Map<string, SourceFile>
  /** Documents that were read, as absolute paths or URLs. */
  readonly read: string[]
}

/** Checks documents and docs directories and prints the result. */
async function runCheckCommand(words: readonly string[], options: CheckCommandOptions, context: CliContext): Promise<ExitCode> {
  const stdin = await readStdin(words, options, context)
  const paths = words.map((word) => (word === '-' && stdin ? stdin.name : word))
  const { entries, unusable } = await expandEntries(paths.length === 0 ? ['.'] : paths, stdin?.name, context.workingDirectory)
  const found: CheckResults = { documents: [], diagnostics: [...unusable], sources: new Map(), read: [] }
  for (const [boundary, inBoundary] of groupBy(entries, (entry) => chooseBoundary(entry, options, context))) {
    await checkWithin(boundary, inBoundary, stdin, options, context, found)
  }
  if (options.output === undefined) await print(found, options, context)
  else {
    const docsConfigs = entries.flatMap((entry) => docsConfigNames.map((name) => join(entry, name)))
    rejectSource(options.output, [...entries.filter((entry) => !isUrl(entry)), ...docsConfigs, ...found.read], context)
    await writeToFile(options.output, context, (inside) => print(found, options, inside))
  }
  return toExitCode(found.diagnostics)
}

/** A document on standard input, and what it is called. */
interface Stdin {
  /** As the person would write it. */
  readonly name: string
  readonly path: string
  readonly bytes: Uint8Array
}

async function readStdin(
  words: readonly string[],
  { stdinPath }: CheckCommandOptions,
  context: CliContext,
): Promise<Stdin | undefined> {
  if (!words.includes('-')) {
    if (stdinPath === undefined) return undefined
    throw new ConfigError('unexpected --stdin-path without `-`, which reads the document from standard input')
  }
  if (stdinPath === '' || (stdinPath !== undefined && isUrl(stdinPath))) {
    throw new ConfigError(
      `unexpected ${stdinPath === '' ? 'empty value' : `address ${stdinPath}`} for --stdin-path, expected a path`,
    )
  }
  const name = stdinPath ?? '<stdin>'
  return { name, path: resolveThroughLinks(resolve(context.workingDirectory, name)), bytes: await context.readStdin() }
}

async function checkWithin(
  boundary: string,
  entries: readonly string[],
  stdin: Stdin | undefined,
  options: CheckCommandOptions,
  context: CliContext,
  found: CheckResults,
): Promise<void> {
  const progress = createProgress(context.stderr, options.quiet)
  // GitHub takes paths from the top of its clone, wherever the step runs.
  const isForGithub = options.format === 'github' || options.format === 'sarif'
  const shownFrom = (isForGithub ? context.env['GITHUB_WORKSPACE'] : undefined) || context.workingDirectory
  const workspace = openWorkspace(boundary, { ...options, shownFrom, stdin }, context, progress)
  const inside = new Set(entries.map((entry) => workspace.toInside(entry)))
  const baseline = options.baseline === undefined ? undefined : workspace.toInside(options.baseline)
  const asked = { entries: [...inside], baseline }
  if (options.writeBaseline) {
    const { baselines } = await runCheck(asked, workspace.environment)
    await writeBaselines(baselines, workspace.boundary, context)
  }
  const report = await runCheck(asked, workspace.environment)
  const { diagnostics, sources } = await workspace.show(report.diagnostics, report.sourceOf)
  progress.clear()
  found.read.push(...report.documents.map(({ path }) => (isUrl(path) ? path : join(workspace.boundary, path))))
  found.documents.push(...report.documents.map((document) => ({ ...document, path: workspace.toShown(document.path) })))
  for (const diagnostic of diagnostics) found.diagnostics.push(diagnostic)
  for (const [file, source] of sources) found.sources.set(file, source)
}

async function writeBaselines(baselines: CheckReport['baselines'], boundary: string, context: CliContext): Promise<void> {
  if (baselines.length === 0) {
    const hint = 'Name the file with --baseline, or set `baseline` in openapi-pages.config.yaml.'
    throw new ConfigError('cannot write the baseline: no file is named', { hint })
  }
  for (const { path, next } of baselines) await writeOutput(join(boundary, path), next, context)
}

async function print(found: CheckResults, options: CheckCommandOptions, context: CliContext): Promise<void> {
  const { stdout, stderr } = context
  const { unreadable, findings } = splitUnreadable(found.diagnostics)
  for (const diagnostic of unreadable) stderr.write(describeUnreadable(diagnostic))
  if (options.format === 'json') stdout.write(formatJson(found.diagnostics))
  else if (options.format === 'sarif') {
    const { formatSarif } = await import('../../diagnostics/format-sarif.ts')
    const isComplete = !found.diagnostics.some(isUnreadable)
    stdout.write(formatSarif(found.diagnostics, { version: packageVersion, isComplete }))
  } else if (options.format === 'github') stdout.write(formatGithub(found.diagnostics))
  else await printDiagnostics(stdout, { diagnostics: findings, sources: found.sources }, options, context)
  if (options.quiet || options.format === 'json' || options.format === 'sarif') return
  // With annotations stdout belongs to the runner, so the summary goes to stderr.
  const output = options.format === 'github' ? context.stderr : context.stdout
  const unread = new Set(unreadable.map(({ file }) => file))
  const documents = found.documents.filter(({ path }) => !unread.has(path))
  const palette = choosePalette(output, context, options.color)
  if (found.documents.length === 0 && found.diagnostics.length === 0) {
    output.write(palette.success('✔ nothing to check: the navigation names no OpenAPI document\n'))
  } else output.write(formatCheckSummary({ documents, findings }, palette))
}
