import { displayWidth, escapeText, toOneLine, toSafeJson } from '../text/plain/escape-text.ts'
import { countBy, formatNumber, getOrMake } from '../text/plain/lists.ts'
import { isUrl } from '../text/plain/paths.ts'
import { type Range, type SourceFile, type SourceLines, sizeOf, toSourceLines } from '../text/plain/source-file.ts'
import {
  bySeverity,
  countFindings,
  type Diagnostic,
  type DiagnosticCode,
  type FindingCounts,
  type RuleReference,
  ruleNameOf,
  ruleUrlOf,
  type Severity,
} from './diagnostic.ts'

interface TextFormatOptions {
  readonly palette: Palette
  /** The source of a file for its code frames. Without it, no frame is shown. */
  readonly sourceOf: (file: string) => SourceFile | undefined
  /** Show everything. Otherwise each code has ten frames per file, and only the first ten warnings and info messages are listed. */
  readonly all: boolean
  /** Maximum number of characters of a source line. */
  readonly lineWidth: number
}

/** Maximum per code and file: listed warnings or infos, and diagnostics with a code frame. */
const shownPerCode = 10

/**
 * Formats diagnostics for people: location, message, code frame, hint and documentation link.
 *
 * Errors come first, then warnings and info messages, each in the given order. Errors are never omitted. All document text is escaped. Ends with
 * a newline. Returns `''` for no diagnostics.
 */
export function formatText(diagnostics: readonly Diagnostic[], options: TextFormatOptions): string {
  const known = new Map<string, SourceLines | undefined>()
  const linesOf = (file: string) => getOrMake(known, file, () => toLines(options.sourceOf(file)))
  const explained = new Set<string>()
  const blocks: string[] = []
  const sorted = bySeverity(diagnostics)
  const keyOf = (diagnostic: Diagnostic) => `${diagnostic.severity}\n${diagnostic.file}\n${ruleNameOf(diagnostic)}`
  const counts = countBy(sorted, keyOf)
  const seen = new Map<string, number>()
  for (const diagnostic of sorted) {
    const { file, severity } = diagnostic
    const rule = ruleNameOf(diagnostic)
    const key = keyOf(diagnostic)
    const number = (seen.get(key) ?? 0) + 1
    seen.set(key, number)
    const isShort = number > shownPerCode && !options.all
    if (isShort && severity !== 'error') continue
    blocks.push(formatDiagnostic(diagnostic, isShort ? undefined : linesOf(file), !explained.has(rule), options))
    explained.add(rule)
    const left = (counts.get(key) ?? 0) - shownPerCode
    if (number === shownPerCode && left > 0 && severity !== 'error' && !options.all) {
      const more = `${formatNumber(left)} more \`${escapeText(rule)}\` in ${escapeText(file)}`
      blocks.push(options.palette.dim(`  … and ${more} (use --all to show them)\n`))
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
  const { file, range, severity, message, hint, section, related } = diagnostic
  const mark = palette[severity]
  const out = [
    `${palette.strong(`${escapeText(file)}:${range.start.line}:${range.start.column}`)} ${mark(severity)} ${palette.dim(escapeText(ruleNameOf(diagnostic)))}`,
    `  ${palette.strong(escapeText(message))}`,
  ]
  const frame = lines ? formatFrame(lines, range, { palette, mark, lineWidth }) : []
  if (frame.length > 0) out.push('', ...frame, '')
  for (const place of related) {
    const { line, column } = place.range.start
    out.push(`  note: ${escapeText(place.message)}: ${escapeText(place.file)}:${line}:${column}`)
  }
  const address = explain ? `${ruleUrlOf(diagnostic)}${section === undefined ? '' : `  (${escapeText(section)})`}` : undefined
  if (hint !== undefined) out.push(`  hint: ${escapeText(toOneLine(hint))}`)
  if (address !== undefined) out.push(`  ${hint === undefined ? 'docs: ' : '      '}${palette.dim(address)}`)
  if (out.at(-1) === '') out.pop()
  return `${out.join('\n')}\n`
}

/** Binary files have no readable lines. */
function toLines(source: SourceFile | undefined): SourceLines | undefined {
  if (!source || source.encodingFault?.kind === 'binary' || sizeOf(source) === 0) return undefined
  return toSourceLines(source)
}

interface FrameOptions {
  readonly palette: Palette
  /** Colors the carets. */
  readonly mark: (text: string) => string
  /** Maximum line length. Longer lines are cut around the range. */
  readonly lineWidth: number
}

/**
 * Formats the line of a range with its neighbors and carets under the range.
 *
 * For a range over several lines, the first line is marked. Returns no lines if the range is outside the text.
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
  // The text after the last newline is not a line.
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
  // The joined parts could form a `##[group]` command again.
  if (!/##\w*\[/.test(before + marked + after)) return { before, marked, after }
  const withoutSign = (text: string) => text.replaceAll('#', '\\u0023')
  return { before: withoutSign(before), marked: withoutSign(marked), after: withoutSign(after) }
}

/** A substring that does not split a surrogate pair. */
function cutAt(text: string, start: number, end: number): string {
  return text.slice(isInsidePair(text, start) ? start + 1 : start, isInsidePair(text, end) ? end + 1 : end)
}

function isInsidePair(text: string, offset: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(offset - 1, offset + 1)) && offset > 0
}

/** Replaces tabs, because their width varies and carets must align. */
function showText(text: string): string {
  return escapeText(text.replaceAll('\t', '    '))
}

/** Colors for the parts of a report. The output is readable without color. */
export interface Palette {
  readonly error: (text: string) => string
  readonly warning: (text: string) => string
  readonly info: (text: string) => string
  readonly success: (text: string) => string
  /** Important text: the location and the marked line. */
  readonly strong: (text: string) => string
  /** Secondary text: context lines and URLs. */
  readonly dim: (text: string) => string
}

const same = (text: string): string => text

/** No colors: files, pipes, `NO_COLOR`. */
export const plainPalette: Palette = { error: same, warning: same, info: same, success: same, strong: same, dim: same }

/** The output of `check --format json`. The shape is stable: fields are only ever added. */
export interface CheckJson extends FindingCounts {
  readonly version: 1
  /** Whether no diagnostic has the severity `error`. */
  readonly valid: boolean
  /** The rulesets that were applied. Absent if there were none. */
  readonly rulesets?: readonly RulesetJson[]
  readonly diagnostics: readonly DiagnosticJson[]
}

/** Rulesets that apply to documents together. */
export interface RulesetJson {
  /** Relative to the working directory with `/`, a URL, or a name such as `spectral:oas`. */
  readonly files: readonly string[]
  /** The number of rules. */
  readonly rules: number
}

/** Lines and columns start at 1. Columns are in UTF-16 units, and the end is exclusive. */
export interface DiagnosticJson extends Pick<Diagnostic, 'severity' | 'message' | 'file' | 'pointer' | 'hint'> {
  /** One of the codes in `docs/diagnostics.md`. All rules of a ruleset have the code `ruleset`. */
  readonly code: DiagnosticCode
  /** The rule of the ruleset, with the code `ruleset`. */
  readonly rule?: Pick<RuleReference, 'name' | 'documentationUrl'>
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  readonly related?: readonly Pick<DiagnosticJson, 'file' | 'line' | 'column' | 'message'>[]
}

/** Formats diagnostics as JSON. Ends with a newline. */
export function formatJson(diagnostics: readonly Diagnostic[], rulesets: readonly RulesetJson[] = []): string {
  return `${toSafeJson(toCheckJson(diagnostics, rulesets))}\n`
}

/** The diagnostics of a check in the stable JSON shape. */
export function toCheckJson(diagnostics: readonly Diagnostic[], rulesets: readonly RulesetJson[] = []): CheckJson {
  const counts = countFindings(diagnostics)
  return {
    version: 1,
    valid: counts.errors === 0,
    ...counts,
    ...(rulesets.length > 0 && { rulesets }),
    diagnostics: diagnostics.map(toDiagnosticJson),
  }
}

/** A diagnostic in the stable JSON shape. */
export function toDiagnosticJson({
  code,
  rule,
  severity,
  message,
  file,
  range,
  pointer,
  hint,
  related,
}: Diagnostic): DiagnosticJson {
  return {
    code,
    ...(rule && { rule: toRuleJson(rule) }),
    severity,
    message,
    file,
    line: range.start.line,
    column: range.start.column,
    endLine: range.end.line,
    endColumn: range.end.column,
    pointer,
    ...(hint === undefined ? {} : { hint }),
    ...(related.length === 0 ? {} : { related: related.map(toRelatedJson) }),
  }
}

/** Without the description, which would be repeated for each problem. */
function toRuleJson({ name, documentationUrl }: RuleReference) {
  return { name, ...(documentationUrl !== undefined && { documentationUrl }) }
}

function toRelatedJson({ file, range, message }: Diagnostic['related'][number]) {
  return { file, line: range.start.line, column: range.start.column, message }
}

/**
 * Formats diagnostics as workflow commands for GitHub Actions, which become annotations.
 *
 * Files are relative to the root of the repository. GitHub shows ten errors, ten warnings and ten notices per step, and the others only
 * in the log. Ends with a newline. Returns `''` for no diagnostics.
 */
export function formatGithub(diagnostics: readonly Diagnostic[]): string {
  return formatAnnotations(diagnostics.map(toAnnotation))
}

/** Formats annotations as workflow commands. Ends with a newline. */
export function formatAnnotations(annotations: readonly Annotation[]): string {
  return annotations.map((annotation) => `${toCommand(annotation)}\n`).join('')
}

function toCommand({ level, message, title, place }: Annotation): string {
  const properties: [name: string, value: string | number | undefined][] = [
    ['file', place?.file],
    ['line', place?.startLine],
    ['endLine', place?.endLine],
    ['col', place?.startColumn],
    ['endColumn', place?.endColumn],
    ['title', title],
  ]
  const given = properties.filter(([, value]) => value !== undefined)
  return `::${level} ${given.map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join(',')}::${escapeData(message)}`
}

/** Source: "Workflow commands for GitHub Actions", and `command.ts` of its toolkit. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** An annotation of GitHub Actions. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice'
  /** Escaped; lines are separated by newlines. */
  readonly message: string
  readonly title: string
  /** Absent for a document at a URL, which GitHub cannot annotate. */
  readonly place: AnnotationPlace | undefined
}

interface AnnotationPlace {
  /** Relative to the root of the repository. */
  readonly file: string
  readonly startLine: number
  readonly endLine: number
  /** GitHub only accepts columns for a range on one line. */
  readonly startColumn?: number
  readonly endColumn?: number
}

const levels: { readonly [severity in Severity]: Annotation['level'] } = { error: 'error', warning: 'warning', info: 'notice' }

/** Creates an annotation for a diagnostic with a file relative to the root of the repository. Document text is escaped. */
export function toAnnotation(diagnostic: Diagnostic): Annotation {
  const { severity, message, file, range, hint, related } = diagnostic
  const lines = [escapeText(message)]
  if (hint !== undefined) lines.push(`hint: ${escapeText(toOneLine(hint))}`)
  for (const place of related) lines.push(`note: ${escapeText(place.message)}: ${toPlaceText(place.file, place.range.start)}`)
  lines.push(ruleUrlOf(diagnostic))
  if (isUrl(file)) lines.push(toPlaceText(file, range.start))
  return {
    level: levels[severity],
    message: lines.join('\n'),
    title: escapeText(ruleNameOf(diagnostic)),
    place: toAnnotationPlace(file, range),
  }
}

/** `openapi.yaml:9:26`, escaped. */
export function toPlaceText(file: string, { line, column }: { line: number; column: number }): string {
  return `${escapeText(file)}:${line}:${column}`
}

/** Converts a place to what GitHub accepts. A document at a URL has no place. */
export function toAnnotationPlace(file: string, range: Range): AnnotationPlace | undefined {
  return isUrl(file) ? undefined : { file: escapeText(file), ...toAnnotationRange(range) }
}

/**
 * A range for an annotation. GitHub rejects columns, or drops the annotation, unless the range is on one line. An exclusive end at the
 * first column belongs to the line before.
 *
 * Source: GitHub REST, "Create a check run", `annotations`.
 */
export function toAnnotationRange({ start, end }: Range): Omit<AnnotationPlace, 'file'> {
  const endLine = Math.max(start.line, end.column <= 1 ? end.line - 1 : end.line)
  const isOneLine = endLine === start.line && end.line === start.line
  const columns = { startColumn: start.column, endColumn: Math.max(start.column, end.column) }
  return { startLine: start.line, endLine, ...(isOneLine && columns) }
}
