import { escapeText, toOneLine } from '../text/escape-text.ts'
import { isUrl } from '../text/relative-path.ts'
import { toAnnotationRange } from './annotation-range.ts'
import { diagnosticUrl } from './codes.ts'
import type { Diagnostic, Severity } from './diagnostic.ts'

/** What GitHub Actions shows beside a line of a file. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice'
  readonly message: string
  readonly title: string
  /** Absent for a document at an address, which GitHub shows nowhere. */
  readonly place: AnnotationPlace | undefined
}

interface AnnotationPlace {
  /** Relative to the top of the repository. */
  readonly file: string
  readonly startLine: number
  readonly endLine: number
  /** GitHub takes columns only for a range on one line. */
  readonly startColumn?: number
  readonly endColumn?: number
}

const levels: { readonly [severity in Severity]: Annotation['level'] } = { error: 'error', warning: 'warning', info: 'notice' }

/** Says a diagnostic, whose file is relative to the top of the repository, as an annotation. Text of documents is escaped. */
export function toAnnotation({ code, severity, message, file, range, hint, related }: Diagnostic): Annotation {
  const lines = [escapeText(message)]
  if (hint !== undefined) lines.push(`help: ${escapeText(toOneLine(hint))}`)
  for (const place of related) lines.push(`note: ${escapeText(place.message)}: ${toPlaceText(place.file, place.range.start)}`)
  lines.push(diagnosticUrl(code))
  if (isUrl(file)) lines.push(toPlaceText(file, range.start))
  return {
    level: levels[severity],
    message: lines.join('\n'),
    title: code,
    place: isUrl(file) ? undefined : toPlace(file, range),
  }
}

function toPlaceText(file: string, { line, column }: { line: number; column: number }): string {
  return `${escapeText(file)}:${line}:${column}`
}

function toPlace(file: string, range: Diagnostic['range']): AnnotationPlace {
  const { startLine, endLine, columns } = toAnnotationRange(range)
  const lines = { file: escapeText(file), startLine, endLine }
  return columns ? { ...lines, startColumn: columns.start, endColumn: columns.end } : lines
}
