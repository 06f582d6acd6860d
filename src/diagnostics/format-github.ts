import { escapeText, toOneLine } from '../text/plain/escape-text.ts'
import type { Range } from '../text/plain/source-file.ts'
import { isUrl } from '../text/plain/urls.ts'
import { type Diagnostic, ruleNameOf, ruleUrlOf, type Severity } from './diagnostic.ts'

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
  if (isUrl(file)) return undefined
  const { startLine, endLine, columns } = toAnnotationRange(range)
  const lines = { file: escapeText(file), startLine, endLine }
  return columns ? { ...lines, startColumn: columns.start, endColumn: columns.end } : lines
}

/** Lines, and columns if GitHub accepts them. */
interface AnnotationRange {
  readonly startLine: number
  readonly endLine: number
  readonly columns: { readonly start: number; readonly end: number } | undefined
}

/**
 * A range for an annotation. GitHub rejects columns, or drops the annotation, unless the range is on one line. An exclusive end at the
 * first column belongs to the line before.
 *
 * Source: GitHub REST, "Create a check run", `annotations`.
 */
export function toAnnotationRange({ start, end }: Range): AnnotationRange {
  const endLine = Math.max(start.line, end.column <= 1 ? end.line - 1 : end.line)
  const isOneLine = endLine === start.line && end.line === start.line
  return {
    startLine: start.line,
    endLine,
    columns: isOneLine ? { start: start.column, end: Math.max(start.column, end.column) } : undefined,
  }
}
