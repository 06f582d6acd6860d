import type { Diagnostic } from '../diagnostic/diagnostic.ts'

/**
 * What an update found, as plain JSON: the app keeps it beside a record and shows it on the record's page, and the Action sends it with
 * its report. The schema that reports are held to is `app/update-report.ts`; the limits of lengths are there.
 *
 * Findings have the shape of `openapi-check --format json` (contract §3) with the lines around the place.
 */
export interface UpdateReport {
  /** How long the run took; waiting is not counted. */
  durationMs?: number
  documents: ReportedDocument[]
  pages: ReportedPage[]
  unchangedPageCount: number
  /** The first of them; `findingCounts` has the whole number. */
  findings: ReportedFinding[]
  findingCounts: { error: number; warning: number; info: number }
}

/** At most this many findings are kept. */
export const keptFindings = 500

interface ReportedDocument {
  path: string
  version?: string
  operationCount: number
  errorCount: number
  warningCount: number
  infoCount: number
}

interface ReportedPage {
  kind: 'added' | 'modified' | 'removed' | 'kept'
  path: string
  operation?: string
  detail?: string
}

interface ReportedPlace {
  file: string
  line: number
  column: number
  endLine: number
  endColumn: number
}

export interface ReportedFinding extends ReportedPlace {
  code: string
  severity: Diagnostic['severity']
  message: string
  /** JSON Pointer inside the file. */
  pointer: string
  hint?: string
  related?: (ReportedPlace & { message: string })[]
  /** Lines of the file around the finding; `firstLine` counts from 1. */
  frame?: { firstLine: number; lines: string[] }
}
