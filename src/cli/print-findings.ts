import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { formatGithub } from '../diagnostic/format-github.ts'
import { formatJson } from '../diagnostic/format-json.ts'
import { formatText } from '../diagnostic/format-text.ts'
import type { SourceFile } from '../text/source-file.ts'
import { packageVersion } from '../update/package-version.ts'
import type { CliContext, Output } from './cli-context.ts'
import { describeUnreadable, isUnreadable } from './command-errors.ts'
import type { CheckCommandOptions, CommonOptions } from './command-options.ts'
import { choosePalette } from './terminal.ts'

/** Prints findings for a person, with the lines around each; a blank line after them where something follows. */
export async function printFindings(
  output: Output,
  { diagnostics, sources }: { readonly diagnostics: readonly Diagnostic[]; readonly sources: ReadonlyMap<string, SourceFile> },
  options: Pick<CommonOptions, 'all' | 'color' | 'quiet'>,
  context: CliContext,
): Promise<void> {
  if (diagnostics.length === 0) return
  const text = formatText(diagnostics, {
    palette: choosePalette(output, context, options.color),
    sourceOf: (file) => sources.get(file),
    all: options.all,
    lineWidth: lineWidth(output),
  })
  output.write(options.quiet ? text : `${text}\n`)
}

/** Leaves room for line numbers; a line of a file or pipe is cut only where it is nobody's handwriting. */
function lineWidth({ isTerminal, columns }: Output): number {
  // A terminal that does not know its width says 0.
  return isTerminal ? Math.max(30, (columns || 80) - 12) : 120
}

export interface PrintedCheck {
  /** What a person is told as errors of the command. */
  readonly unreadable: readonly Diagnostic[]
  readonly findings: readonly Diagnostic[]
  /** Both, as a program is told of them. */
  readonly all: readonly Diagnostic[]
  readonly sources: ReadonlyMap<string, SourceFile>
}

/** Prints what a check found in the format that was asked for. */
export async function printCheck(
  { unreadable, findings, all, sources }: PrintedCheck,
  options: CheckCommandOptions,
  context: CliContext,
): Promise<void> {
  const { stdout, stderr } = context
  for (const diagnostic of unreadable) stderr.write(describeUnreadable(diagnostic))
  if (options.format === 'json') stdout.write(formatJson(all))
  else if (options.format === 'sarif') {
    const { formatSarif } = await import('../diagnostic/format-sarif.ts')
    stdout.write(formatSarif(all, { version: packageVersion, isComplete: !all.some(isUnreadable) }))
  } else if (options.format === 'github') stdout.write(formatGithub(all))
  else await printFindings(stdout, { diagnostics: findings, sources }, options, context)
}
