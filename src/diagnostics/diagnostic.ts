import type { OffsetRange, Range } from '../source/position.ts'
import type { DiagnosticCode, Severity } from './codes.ts'

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

export interface FindingCounts {
  readonly errors: number
  readonly warnings: number
  readonly infos: number
}

/** Counts diagnostics by severity. */
export function countFindings(diagnostics: readonly Pick<Diagnostic, 'severity'>[]): FindingCounts {
  const count = (severity: Diagnostic['severity']) => diagnostics.filter((diagnostic) => diagnostic.severity === severity).length
  return { errors: count('error'), warnings: count('warning'), infos: count('info') }
}

/** `2 errors, 1 warning`; what there is none of is left out, and nothing at all is `no problems`. */
export function formatCounts({ errors, warnings, infos }: FindingCounts): string {
  const parts = [
    errors > 0 ? formatCount(errors, 'error') : '',
    warnings > 0 ? formatCount(warnings, 'warning') : '',
    infos > 0 ? formatCount(infos, 'info') : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'no problems' : parts.join(', ')
}

/** `1 page`, `1,240 pages`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** `1,240`. Not by `toLocaleString`, whose first call costs half of what Node itself takes to start. */
export function formatNumber(count: number): string {
  let rest = String(count)
  let shown = ''
  for (; rest.length > 3; rest = rest.slice(0, -3)) shown = `,${rest.slice(-3)}${shown}`
  return rest + shown
}

const ranks: { readonly [severity in Severity]: number } = { error: 0, warning: 1, info: 2 }

/** Errors first, then warnings, then infos; else the given order. */
export function bySeverity(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted((a, b) => ranks[a.severity] - ranks[b.severity])
}

/**
 * The same diagnostics with other names for their files, for example relative to the working directory.
 *
 * Where a message names the file it is about, it names it likewise.
 */
export function renameFiles(diagnostics: readonly Diagnostic[], rename: (file: string) => string): Diagnostic[] {
  const names = new Map<string, string>()
  const nameOf = (file: string) => {
    let name = names.get(file)
    if (name === undefined) {
      name = rename(file)
      names.set(file, name)
    }
    return name
  }
  return diagnostics.map((diagnostic) => {
    const file = nameOf(diagnostic.file)
    if (file === diagnostic.file && diagnostic.related.every((place) => nameOf(place.file) === place.file)) return diagnostic
    return {
      ...diagnostic,
      file,
      message: diagnostic.message.replaceAll(`\`${diagnostic.file}\``, () => `\`${file}\``),
      related: diagnostic.related.map((place) => ({ ...place, file: nameOf(place.file) })),
    }
  })
}
