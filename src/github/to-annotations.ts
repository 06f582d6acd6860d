import { toAnnotationRange } from '../diagnostic/annotation-range.ts'
import { bySeverity } from '../diagnostic/by-severity.ts'
import type { Diagnostic, Severity } from '../diagnostic/diagnostic.ts'
import { isUrl } from '../text/relative-path.ts'

/** One annotation in the field names of GitHub's REST API. */
export interface CheckAnnotation {
  readonly path: string
  readonly start_line: number
  readonly end_line: number
  readonly start_column?: number
  readonly end_column?: number
  readonly annotation_level: 'failure' | 'warning' | 'notice'
  readonly message: string
  readonly title: string
  readonly raw_details?: string
}

const levels: Readonly<Record<Severity, CheckAnnotation['annotation_level']>> = {
  error: 'failure',
  warning: 'warning',
  info: 'notice',
}

/** GitHub REST, "Create a check run": a message and the details of an annotation hold at most 64 KB. */
const textLimitBytes = 65_536
/** The same page: a title holds at most 255 characters. */
const titleLimit = 255

/**
 * Makes an annotation of every diagnostic that stands in a file of the repository, errors first, else in the given order.
 *
 * Columns are given only where a diagnostic begins and ends on one line: GitHub refuses them otherwise. A document at a URL has no
 * line in the repository; its diagnostics are in the summary alone.
 */
export function toAnnotations(diagnostics: readonly Diagnostic[]): CheckAnnotation[] {
  return bySeverity(diagnostics)
    .filter(({ file }) => !isUrl(file))
    .map((diagnostic) => {
      const { startLine, endLine, columns } = toAnnotationRange(diagnostic.range)
      const details = toDetails(diagnostic)
      return {
        path: diagnostic.file,
        start_line: startLine,
        end_line: endLine,
        ...(columns ? { start_column: columns.start, end_column: columns.end } : {}),
        annotation_level: levels[diagnostic.severity],
        message: cut(diagnostic.hint === undefined ? diagnostic.message : `${diagnostic.message}\n${diagnostic.hint}`),
        title: diagnostic.code.slice(0, titleLimit),
        ...(details === '' ? {} : { raw_details: cut(details) }),
      }
    })
}

function toDetails({ section, related }: Diagnostic): string {
  const places = related.map(({ file, range, message }) => `${file}:${range.start.line}:${range.start.column} ${message}`)
  return [...(section === undefined ? [] : [section]), ...places].join('\n')
}

/** Cuts to the limit in UTF-8 without leaving half a character. */
function cut(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= textLimitBytes) return text
  const start = bytes.subarray(0, textLimitBytes - 4).toString()
  return `${start.replace(/(?<!\uFFFD)\uFFFD+$/, '')}…`
}
