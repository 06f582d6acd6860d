import { escapeText } from '../text/escape-text.ts'
import type { Output } from './cli-context.ts'

/** A line that says what goes on. */
export interface Progress {
  /** Told before each step that can take long. */
  step(words: string): void
  /** Takes the line away, before anything else is printed. */
  clear(): void
}

/** Work shorter than this is not worth a line. */
const quietMs = 1_000
const betweenMs = 100

/**
 * Shows one line on a terminal once the work takes over a second; nothing anywhere else.
 *
 * Takes the time from `Date`: to load `performance` takes longer than to check a small document.
 */
export function createProgress(output: Output, quiet: boolean): Progress {
  if (quiet) return { step() {}, clear() {} }
  const startedAt = Date.now()
  let shownAt = startedAt + quietMs - betweenMs
  let shown = false
  return {
    step(words) {
      if (Date.now() - shownAt < betweenMs || !output.isTerminal) return
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
