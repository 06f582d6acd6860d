import type { OffsetRange, Range } from '../text/position.ts'
import type { DiagnosticCode } from './codes.ts'

export type Severity = 'error' | 'warning' | 'info'

/**
 * The one shape of everything that is said to a person about a file.
 *
 * Plain data: it can be printed, stored, compared and sent as JSON.
 */
export interface Diagnostic {
  /** Stable; documented under its own heading in `docs/diagnostics.md`. */
  readonly code: DiagnosticCode
  readonly severity: Severity
  /** One sentence without a final full stop; names in backticks. */
  readonly message: string
  /** Relative with `/`, or an absolute URL. Relative to the boundary inside the core, to the working directory once a front shows it. */
  readonly file: string
  readonly range: Range
  /** JSON Pointer (RFC 6901) inside the file, `''` for the whole document. */
  readonly pointer: string
  /** Other places that belong to the fault, such as the first of two duplicates. */
  readonly related: readonly RelatedPlace[]
  /** What to do, one sentence or fragment without a final full stop. */
  readonly hint?: string
  /** Where the rule stands, such as `OpenAPI 3.1.1, Operation Object`. */
  readonly section?: string
}

export interface RelatedPlace {
  readonly file: string
  readonly range: Range
  readonly message: string
}

/**
 * What a check writes down: pointers instead of lines, and no severity.
 *
 * `finishDiagnostics` makes it a `Diagnostic`. Keeping only pointers is what makes a valid document cheap.
 */
export interface Finding {
  readonly code: DiagnosticCode
  readonly message: string
  /** Relative to the boundary with `/`, or an absolute URL. */
  readonly file: string
  readonly pointer: string
  /** Which part is wrong: the key itself or the value (default). Ignored where `offsets` is given. */
  readonly on?: 'key' | 'value'
  /** For a fault that no pointer leads to, such as one of syntax. */
  readonly offsets?: OffsetRange
  readonly hint?: string
  readonly section?: string
  readonly related?: readonly RelatedFinding[]
  /** Instead of the severity of the code's row in the table. */
  readonly severity?: Severity
}

export interface RelatedFinding {
  /** The file of the finding where absent. */
  readonly file?: string
  readonly pointer: string
  readonly on?: 'key' | 'value'
  readonly offsets?: OffsetRange
  readonly message: string
}
