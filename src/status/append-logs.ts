import { maskSecrets } from './mask-secrets.ts'
import type { OpenUpdate } from './types.ts'

/** Bounds of a record's `logs`, the line about what was dropped included. */
export const logLimits = { lines: 500, bytes: 64 * 1024, lineCharacters: 2_000 } as const

/**
 * Adds lines to the logs of a record that has not ended.
 *
 * Secrets are masked, text with line breaks becomes several lines, control characters are written as `\u001b`, and a line over
 * `logLimits.lineCharacters` is cut. Beyond the limits the first lines stay and the last one says how many were dropped.
 */
export function appendLogs<Update extends OpenUpdate>(update: Update, lines: readonly string[]): Update {
  if (lines.length === 0) return update
  return { ...update, logs: toBoundedLogs(update.logs, lines) }
}

/** `logs` with more lines, by the rules of `appendLogs`. */
export function toBoundedLogs(logs: readonly string[], added: readonly string[]): readonly string[] {
  // Joined below, no lines would become an empty one.
  if (added.length === 0) return logs
  const lines = added.flatMap((text) => text.split(lineBreak))
  // Cut before anything searches them, and joined, since a private key may span several lines.
  const shown = lines.slice(0, logLimits.lines).map((line) => line.slice(0, 4 * logLimits.lineCharacters))
  const cleaned = maskSecrets(shown.join('\n')).split(lineBreak).map(toSafeLine)
  const kept = [...logs]
  let dropped = droppedCount(kept.at(-1))
  if (dropped > 0) kept.pop()
  let bytes = kept.reduce((sum, line) => sum + sizeOf(line), 0)
  for (const line of cleaned) {
    const size = sizeOf(line)
    // One line and its bytes are kept free for the count.
    if (dropped > 0 || kept.length >= logLimits.lines - 1 || bytes + size > logLimits.bytes - countLineBytes) {
      dropped += 1
    } else {
      kept.push(line)
      bytes += size
    }
  }
  dropped += lines.length - shown.length
  if (dropped > 0) kept.push(`… ${dropped} more ${dropped === 1 ? 'line was' : 'lines were'} dropped`)
  return kept
}

const countLineBytes = 64
const lineBreak = /\r\n|[\n\r\u2028\u2029]/

/** Bytes in UTF-8, with the line break. */
function sizeOf(line: string): number {
  return Buffer.byteLength(line) + 1
}

function droppedCount(line: string | undefined): number {
  const count = line && /^… (\d{1,15}) more lines? (?:was|were) dropped$/.exec(line)?.[1]
  return count ? Number(count) : 0
}

function toSafeLine(line: string): string {
  const visible = toVisibleText(line)
  const cut = visible.length > logLimits.lineCharacters ? `${visible.slice(0, logLimits.lineCharacters - 1)}…` : visible
  // A line of somebody else that reads like our count would be counted.
  return droppedCount(cut) > 0 ? `.${cut}` : cut
}

/** Control characters, those that turn the direction of text, and lone surrogates as `\uXXXX`; a tab stays. */
export function toVisibleText(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
