import { join, resolve } from 'node:path'
import type { Diagnostic } from '../../diagnostic/diagnostic.ts'
import { docsConfigNames } from '../../docs/project-config.ts'
import { ConfigError } from '../../errors.ts'
import { resolveThroughLinks } from '../../files/boundary.ts'
import { groupBy } from '../../text/group-by.ts'
import { isUrl } from '../../text/relative-path.ts'
import type { SourceFile } from '../../text/source-file.ts'
import { runCheck } from '../../update/run-check.ts'
import type { CheckReport, DocumentReport } from '../../update/types.ts'
import { expandEntries } from '../check-entries.ts'
import { formatCheckSummary } from '../check-summary.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import { splitUnreadable, toExitCode } from '../command-errors.ts'
import type { CheckCommandOptions } from '../command-options.ts'
import { choosePalette, createProgress } from '../terminal.ts'
import { chooseBoundary, openWorkspace } from '../workspace.ts'

/** What the checks within one boundary found, with names as they are shown. */
interface Found {
  readonly documents: DocumentReport[]
  readonly diagnostics: Diagnostic[]
  readonly sources: Map<string, SourceFile>
  /** Documents that were read, as absolute paths or addresses. */
  readonly read: string[]
}

/** Checks documents and docs roots, prints what is found, and tells whether all is well. */
export async function runCheckCommand(
  words: readonly string[],
  options: CheckCommandOptions,
  context: CliContext,
): Promise<ExitCode> {
  const stdin = await readStdin(words, options, context)
  const paths = words.map((word) => (word === '-' && stdin ? stdin.name : word))
  const { entries, unusable } = await expandEntries(paths.length === 0 ? ['.'] : paths, stdin?.name, context.workingDirectory)
  const found: Found = { documents: [], diagnostics: [...unusable], sources: new Map(), read: [] }
  for (const [boundary, inBoundary] of groupBy(entries, (entry) => chooseBoundary(entry, options, context))) {
    await checkWithin(boundary, inBoundary, stdin, options, context, found)
  }
  if (options.output === undefined) await print(found, options, context)
  else {
    const [{ toFile }, { refuseSource }] = await Promise.all([import('../write-output.ts'), import('../write-output.ts')])
    const docsConfigs = entries.flatMap((entry) => docsConfigNames.map((name) => join(entry, name)))
    refuseSource(options.output, [...entries.filter((entry) => !isUrl(entry)), ...docsConfigs, ...found.read], context)
    await toFile(options.output, context, (inside) => print(found, options, inside))
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
  found: Found,
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
  const { writeOutput } = await import('../write-output.ts')
  for (const { path, next } of baselines) await writeOutput(join(boundary, path), next, context)
}

async function print(found: Found, options: CheckCommandOptions, context: CliContext): Promise<void> {
  const { unreadable, findings } = splitUnreadable(found.diagnostics)
  // A valid document needs none of the formats.
  if (found.diagnostics.length > 0 || options.format !== 'text') {
    const { printCheck } = await import('../print-findings.ts')
    await printCheck({ unreadable, findings, all: found.diagnostics, sources: found.sources }, options, context)
  }
  if (options.quiet || options.format === 'json' || options.format === 'sarif') return
  // Beside annotations the words go elsewhere, as stdout is for a program.
  const output = options.format === 'github' ? context.stderr : context.stdout
  const unread = new Set(unreadable.map(({ file }) => file))
  const documents = found.documents.filter(({ path }) => !unread.has(path))
  const palette = choosePalette(output, context, options.color)
  if (found.documents.length === 0 && found.diagnostics.length === 0) {
    output.write(palette.success('✔ nothing to check: the navigation names no OpenAPI document\n'))
  } else output.write(formatCheckSummary({ documents, findings }, palette))
}
