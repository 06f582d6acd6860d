import type { Diagnostic } from '../../diagnostic/diagnostic.ts'
import type { SourceFile } from '../../text/source-file.ts'
import { runCheck } from '../../update/run-check.ts'
import type { DocumentReport } from '../../update/types.ts'
import { choosePalette } from '../choose-palette.ts'
import type { CliContext, ExitCode } from '../cli-context.ts'
import type { CheckCommandOptions } from '../command-options.ts'
import { createProgress } from '../create-progress.ts'
import { expandEntries } from '../expand-entries.ts'
import { formatCheckSummary } from '../format-check-summary.ts'
import { isUnreadable, splitUnreadable } from '../is-unreadable.ts'
import { chooseBoundary, openWorkspace } from '../open-workspace.ts'

/** What the checks within one boundary found, with names as they are shown. */
interface Found {
  readonly documents: DocumentReport[]
  readonly diagnostics: Diagnostic[]
  readonly sources: Map<string, SourceFile>
}

/** Checks documents and docs roots, prints what is found, and tells whether all is well. */
export async function runCheckCommand(
  words: readonly string[],
  options: CheckCommandOptions,
  context: CliContext,
): Promise<ExitCode> {
  const { entries, unusable } = await expandEntries(words, context.workingDirectory)
  const found: Found = { documents: [], diagnostics: [...unusable], sources: new Map() }
  for (const [boundary, inBoundary] of groupByBoundary(entries, options, context)) {
    await checkWithin(boundary, inBoundary, options, context, found)
  }
  await print(found, options, context)
  if (found.diagnostics.some(isUnreadable)) return 2
  return found.diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0
}

async function checkWithin(
  boundary: string,
  entries: readonly string[],
  options: CheckCommandOptions,
  context: CliContext,
  found: Found,
): Promise<void> {
  const progress = createProgress(context.stderr, options.quiet)
  // GitHub takes paths from the top of its clone, wherever the step runs.
  const shownFrom = (options.format === 'github' ? context.env['GITHUB_WORKSPACE'] : undefined) || context.workingDirectory
  const workspace = openWorkspace(boundary, { ...options, shownFrom }, context, progress)
  const inside = new Set(entries.map((entry) => workspace.toInside(entry)))
  const report = await runCheck({ entries: [...inside] }, workspace.environment)
  const { diagnostics, sources } = await workspace.show(report.diagnostics, report.sourceOf)
  progress.clear()
  found.documents.push(...report.documents.map((document) => ({ ...document, path: workspace.toShown(document.path) })))
  found.diagnostics.push(...diagnostics)
  for (const [file, source] of sources) found.sources.set(file, source)
}

function groupByBoundary(entries: readonly string[], options: CheckCommandOptions, context: CliContext): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const entry of entries) {
    const boundary = chooseBoundary(entry, options, context)
    const group = groups.get(boundary)
    if (group) group.push(entry)
    else groups.set(boundary, [entry])
  }
  return groups
}

async function print(found: Found, options: CheckCommandOptions, context: CliContext): Promise<void> {
  const { unreadable, findings } = splitUnreadable(found.diagnostics)
  // A valid document needs none of the formats.
  if (found.diagnostics.length > 0 || options.format !== 'text') {
    const { printCheck } = await import('../print-check.ts')
    await printCheck({ unreadable, findings, all: found.diagnostics, sources: found.sources }, options, context)
  }
  if (options.quiet || options.format === 'json') return
  // Beside annotations the words go elsewhere, as stdout is for a program.
  const output = options.format === 'github' ? context.stderr : context.stdout
  const unread = new Set(unreadable.map(({ file }) => file))
  const documents = found.documents.filter(({ path }) => !unread.has(path))
  const palette = await choosePalette(output, context, options.color)
  if (found.documents.length === 0 && found.diagnostics.length === 0) {
    output.write(palette.success('✔ nothing to check: docs.json names no OpenAPI document\n'))
  } else output.write(formatCheckSummary({ documents, findings }, palette))
}
