import { displayWidth, escapeText, toOneLine } from '../source/escape-text.ts'
import { groupBy } from '../source/group-by.ts'
import type { Range } from '../source/position.ts'
import { type SourceFile, type SourceLines, sizeOf, toSourceLines } from '../source/source-file.ts'
import { diagnosticUrl } from './codes.ts'
import { bySeverity, type Diagnostic, formatNumber } from './diagnostic.ts'

interface TextFormatOptions {
  readonly palette: Palette
  /** The file of a diagnostic, for the lines around it; without it the diagnostic is shown without. */
  readonly sourceOf: (file: string) => SourceFile | undefined
  /** Show everything; else each code in a file has ten frames, and only the first ten of its warnings and infos are listed. */
  readonly all: boolean
  /** Most characters of a source line that are shown. */
  readonly lineWidth: number
}

/** Per code and file: warnings or infos that are listed, and diagnostics with the lines around them. */
const shownPerCode = 10

/**
 * Shows diagnostics to a person: place, message, lines around it, what to do, and where the rule is explained.
 *
 * Errors come first, then warnings and infos, each in the given order, which is by file and place. Errors are never left out. Everything from
 * a document is escaped. Ends with a line end; `''` for no diagnostics.
 */
export function formatText(diagnostics: readonly Diagnostic[], options: TextFormatOptions): string {
  const linesOf = cacheLines(options.sourceOf)
  const explained = new Set<string>()
  const blocks: string[] = []
  for (const same of groupBy(bySeverity(diagnostics), ({ severity }) => severity).values()) {
    const keyOf = ({ file, code }: Diagnostic) => `${file}\n${code}`
    const counts = new Map([...groupBy(same, keyOf)].map(([key, { length }]) => [key, length]))
    const seen = new Map<string, number>()
    for (const diagnostic of same) {
      const { code, file, severity } = diagnostic
      const key = keyOf(diagnostic)
      const number = (seen.get(key) ?? 0) + 1
      seen.set(key, number)
      const isShort = number > shownPerCode && !options.all
      if (isShort && severity !== 'error') continue
      blocks.push(formatDiagnostic(diagnostic, isShort ? undefined : linesOf(file), !explained.has(code), options))
      explained.add(code)
      const left = (counts.get(key) ?? 0) - shownPerCode
      if (number === shownPerCode && left > 0 && severity !== 'error' && !options.all) {
        blocks.push(
          options.palette.dim(`  … and ${formatNumber(left)} more \`${code}\` in ${escapeText(file)} (--all shows them)\n`),
        )
      }
    }
  }
  return blocks.join('\n')
}

function formatDiagnostic(
  diagnostic: Diagnostic,
  lines: SourceLines | undefined,
  explain: boolean,
  { palette, lineWidth }: TextFormatOptions,
): string {
  const { file, range, severity, code, message, hint, section, related } = diagnostic
  const mark = palette[severity]
  const out = [
    `${palette.strong(`${escapeText(file)}:${range.start.line}:${range.start.column}`)} ${mark(severity)} ${palette.dim(code)}`,
    `  ${palette.strong(escapeText(message))}`,
  ]
  const frame = lines ? formatFrame(lines, range, { palette, mark, lineWidth }) : []
  if (frame.length > 0) out.push('', ...frame, '')
  for (const place of related) {
    const { line, column } = place.range.start
    out.push(`  note: ${escapeText(place.message)}: ${escapeText(place.file)}:${line}:${column}`)
  }
  const address = explain ? `${diagnosticUrl(code)}${section === undefined ? '' : `  (${escapeText(section)})`}` : undefined
  if (hint !== undefined) out.push(`  hint: ${escapeText(toOneLine(hint))}`)
  if (address !== undefined) out.push(`  ${hint === undefined ? 'docs: ' : '      '}${palette.dim(address)}`)
  if (out.at(-1) === '') out.pop()
  return `${out.join('\n')}\n`
}

function cacheLines(sourceOf: TextFormatOptions['sourceOf']): (file: string) => SourceLines | undefined {
  const known = new Map<string, SourceLines | undefined>()
  return (file) => {
    if (!known.has(file)) known.set(file, toLines(sourceOf(file)))
    return known.get(file)
  }
}

/** Lines of a picture help nobody. */
function toLines(source: SourceFile | undefined): SourceLines | undefined {
  if (!source || source.encodingFault?.kind === 'binary' || sizeOf(source) === 0) return undefined
  return toSourceLines(source)
}

interface FrameOptions {
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

/** How parts of a report are coloured. Each takes a text and gives it back with or without colour; every line reads without. */
export interface Palette {
  readonly error: (text: string) => string
  readonly warning: (text: string) => string
  readonly info: (text: string) => string
  readonly success: (text: string) => string
  /** What matters: the place, the line of the fault. */
  readonly strong: (text: string) => string
  /** What matters less: lines around, addresses. */
  readonly dim: (text: string) => string
}

const same = (text: string): string => text

/** No colours: files, pipes, `NO_COLOR`. */
export const plainPalette: Palette = { error: same, warning: same, info: same, success: same, strong: same, dim: same }
