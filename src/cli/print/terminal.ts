import { styleText } from 'node:util'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { formatText, type Palette, plainPalette } from '../../diagnostics/format-text.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import type { CliContext, Output } from '../base/cli-context.ts'
import type { CommonOptions } from '../base/command-options.ts'

/**
 * Chooses the colors for a stream: by `--color` or `--no-color`, then by `NO_COLOR` and `FORCE_COLOR`, then by whether it is a terminal.
 *
 * @see https://no-color.org
 */
export function choosePalette(output: Output, { env }: CliContext, color: boolean | undefined): Palette {
  return (color ?? isWantedBy(env, output)) ? terminalPalette : plainPalette
}

function isWantedBy(env: CliContext['env'], output: Output): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0'
  return output.isTerminal && env['TERM'] !== 'dumb'
}

const style =
  (format: Parameters<typeof styleText>[0]) =>
  (text: string): string =>
    styleText(format, text, { validateStream: false })

/** Always emits escape codes, even if the output is not a terminal. */
const terminalPalette: Palette = {
  error: style('red'),
  warning: style('yellow'),
  info: style('cyan'),
  success: style('green'),
  strong: style('bold'),
  dim: style('dim'),
}

/** A status line with the current step. */
export interface Progress {
  /** Call before each step that can take long. */
  step(message: string): void
  /** Removes the line. Call before printing anything else. */
  clear(): void
}

/** Shows nothing. */
export const silent: Progress = { step() {}, clear() {} }

/** Shorter work shows no progress. */
const delayMs = 1_000
const intervalMs = 100

/**
 * Shows one status line on a terminal if the work takes longer than a second.
 *
 * Uses `Date` because loading `performance` is slow.
 */
export function createProgress(output: Output, quiet: boolean): Progress {
  if (quiet) return silent
  const startedAt = Date.now()
  let shownAt = startedAt + delayMs - intervalMs
  let shown = false
  return {
    step(message) {
      if (Date.now() - shownAt < intervalMs || !output.isTerminal) return
      shownAt = Date.now()
      shown = true
      const line = escapeText(message).slice(0, (output.columns || 80) - 1)
      output.write(`\r\x1b[K${line}`)
    },
    clear() {
      if (shown) output.write('\r\x1b[K')
      shown = false
    },
  }
}

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
