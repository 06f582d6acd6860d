import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { formatText } from '../../diagnostics/format-text.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import type { CliContext, Output } from '../base/cli-context.ts'
import type { CommonOptions } from '../base/command-options.ts'
import { choosePalette } from './terminal.ts'

/** Prints diagnostics as text with their source lines, followed by a blank line unless `--quiet` is set. */
export async function printDiagnostics(
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

/** The maximum length of a source line. Leaves room for line numbers. Files and pipes only truncate very long lines. */
export function lineWidth({ isTerminal, columns }: Output): number {
  // A terminal of unknown width reports 0 columns.
  return isTerminal ? Math.max(30, (columns || 80) - 12) : 120
}
