import { displayWidth, escapeText } from '../text/escape-text.ts'
import type { Range } from '../text/position.ts'
import type { SourceLines } from '../text/source-file.ts'
import type { Palette } from './palette.ts'

export interface FrameOptions {
  readonly palette: Palette
  /** Colours the carets. */
  readonly mark: (text: string) => string
  /** Most characters of a line that are shown; a longer one is cut around the range. */
  readonly lineWidth: number
}

/**
 * Shows the line of a range between its neighbours, with carets under the range.
 *
 * Of a range over several lines the first is marked. No lines when the range is not in the text.
 */
export function formatFrame(source: SourceLines, range: Range, { palette, mark, lineWidth }: FrameOptions): string[] {
  const { line, column } = range.start
  const target = source.line(line)
  if (target === undefined) return []
  const startUnit = Math.min(column - 1, target.length)
  const endUnit = range.end.line === line ? Math.min(range.end.column - 1, target.length) : target.length
  const shown = cutAround(target, startUnit, endUnit, lineWidth)
  const next = source.line(line + 1)
  const last = next === undefined ? line : line + 1
  const numberWidth = String(last).length
  const gutter = (number: number | '', sign = ' ') => `  ${sign} ${String(number).padStart(numberWidth)} │`
  const around = (number: number) => {
    const context = source.line(number) ?? ''
    const text = context.length > lineWidth ? `${showText(cutAt(context, 0, lineWidth))}…` : showText(context)
    return palette.dim(`${gutter(number)} ${text}`.trimEnd())
  }
  const carets = '^'.repeat(Math.max(1, displayWidth(shown.marked)))
  const lines = [
    `${palette.strong(gutter(line, '▶'))} ${shown.before}${shown.marked}${shown.after}`.trimEnd(),
    `${palette.dim(gutter(''))} ${' '.repeat(displayWidth(shown.before))}${mark(carets)}`,
  ]
  if (line > 1) lines.unshift(around(line - 1))
  // What follows the last line end is no line of its own.
  if (next !== undefined && !(next === '' && source.line(line + 2) === undefined)) lines.push(around(line + 1))
  return lines
}

interface CutLine {
  readonly before: string
  readonly marked: string
  readonly after: string
}

function cutAround(line: string, start: number, end: number, width: number): CutLine {
  const from = line.length <= width ? 0 : Math.max(0, Math.min(start - Math.floor(width / 3), line.length - width))
  const to = Math.min(line.length, from + width)
  const markedEnd = Math.max(start, Math.min(end, to))
  const before = (from > 0 ? '…' : '') + showText(cutAt(line, from, start))
  const marked = showText(cutAt(line, start, markedEnd))
  const after = showText(cutAt(line, markedEnd, to)) + (to < line.length ? '…' : '')
  // Each part is harmless, yet `##` and `[group]` side by side are a command again.
  if (!/##\w*\[/.test(before + marked + after)) return { before, marked, after }
  const withoutSign = (text: string) => text.replaceAll('#', '\\u0023')
  return { before: withoutSign(before), marked: withoutSign(marked), after: withoutSign(after) }
}

/** A part of a text that does not begin or end inside a pair of UTF-16 units. */
function cutAt(text: string, start: number, end: number): string {
  return text.slice(isInsidePair(text, start) ? start + 1 : start, isInsidePair(text, end) ? end + 1 : end)
}

function isInsidePair(text: string, offset: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(offset - 1, offset + 1)) && offset > 0
}

/** A tab is as wide as its terminal likes, so that carets need blanks. */
function showText(text: string): string {
  return escapeText(text.replaceAll('\t', '    '))
}
