import type { Diagnostic } from '../../diagnostic/diagnostic.ts'
import type { ReportedDocument, ReportedPage } from '../../report/feedback.ts'
import type { ReportedFinding, UpdateReport } from '../update-report.ts'
import type { CheckedRepository } from './check-types.ts'

/** What check and comment tell of a run. */
export interface Findings {
  readonly documents: readonly ReportedDocument[]
  readonly pages: readonly ReportedPage[]
  readonly diagnostics: readonly Diagnostic[]
  /** False where only the first findings were kept. */
  readonly isComplete: boolean
}

export function toFindings({ documents, pages, diagnostics }: CheckedRepository): Findings {
  return { documents, pages, diagnostics, isComplete: true }
}

/** Reads them back from what is stored beside a record, for an attempt after the one that ran. */
export function readFindings(json: string): Findings {
  // Written by a run of ours and stored as it was.
  const report = JSON.parse(json) as UpdateReport
  const { error, warning, info } = report.findingCounts
  return {
    documents: report.documents.map((document) => ({ ...document, version: document.version })),
    pages: report.pages.map(({ kind, path, operation = '', detail }) => ({ kind, path, document: '', operation, detail })),
    diagnostics: report.findings.map(toDiagnostic),
    isComplete: report.findings.length === error + warning + info,
  }
}

function toDiagnostic(finding: ReportedFinding): Diagnostic {
  const { code, severity, message, file, pointer, hint, related = [] } = finding
  return {
    // The report has the codes as text so that an older record stays readable.
    code: code as Diagnostic['code'],
    severity,
    message,
    file,
    pointer,
    range: toRange(finding),
    related: related.map((place) => ({ file: place.file, message: place.message, range: toRange(place) })),
    ...(hint === undefined ? {} : { hint }),
  }
}

function toRange(place: { line: number; column: number; endLine: number; endColumn: number }): Diagnostic['range'] {
  return { start: { line: place.line, column: place.column }, end: { line: place.endLine, column: place.endColumn } }
}
