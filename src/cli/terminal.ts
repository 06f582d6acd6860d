import { styleText } from 'node:util'
import { type Palette, plainPalette } from '../diagnostics/format-text.ts'
import { escapeText } from '../source/escape-text.ts'
import type { CliContext, Output } from './cli-context.ts'

/**
 * The colours for one stream: what the command line says, else the variables that tools share, else colours on a terminal only.
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

/** The colours of a terminal, whether or not the output is one. */
const terminalPalette: Palette = {
  error: style('red'),
  warning: style('yellow'),
  info: style('cyan'),
  success: style('green'),
  strong: style('bold'),
  dim: style('dim'),
}

/** A line that shows the current step. */
export interface Progress {
  /** Called before each step that can take long. */
  step(words: string): void
  /** Removes the line; called before anything else is printed. */
  clear(): void
}

/** Work shorter than this is not worth a line. */
const delayMs = 1_000
const intervalMs = 100

/**
 * Shows one line on a terminal once the work takes over a second; nothing anywhere else.
 *
 * Takes the time from `Date`: to load `performance` takes longer than to check a small document.
 */
export function createProgress(output: Output, quiet: boolean): Progress {
  if (quiet) return { step() {}, clear() {} }
  const startedAt = Date.now()
  let shownAt = startedAt + delayMs - intervalMs
  let shown = false
  return {
    step(words) {
      if (Date.now() - shownAt < intervalMs || !output.isTerminal) return
      shownAt = Date.now()
      shown = true
      const line = escapeText(words).slice(0, (output.columns || 80) - 1)
      output.write(`\r\x1b[K${line}`)
    },
    clear() {
      if (shown) output.write('\r\x1b[K')
      shown = false
    },
  }
}
