import { toSafeJson } from '../text/plain/escape-text.ts'
import type { Diagnostic, RuleReference } from './diagnostic.ts'
import { countFindings } from './diagnostic.ts'

/** The output of `check --format json`. The shape is stable: fields are only ever added. */
export interface CheckJson {
  readonly version: 1
  /** Whether no diagnostic has the severity `error`. */
  readonly valid: boolean
  readonly errors: number
  readonly warnings: number
  readonly infos: number
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
export interface DiagnosticJson {
  /** One of the codes in `docs/diagnostics.md`. All rules of a ruleset have the code `ruleset`. */
  readonly code: string
  /** The rule of the ruleset, with the code `ruleset`. */
  readonly rule?: { readonly name: string; readonly documentationUrl?: string }
  readonly severity: 'error' | 'warning' | 'info'
  readonly message: string
  readonly file: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  readonly pointer: string
  readonly hint?: string
  readonly related?: readonly {
    readonly file: string
    readonly line: number
    readonly column: number
    readonly message: string
  }[]
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
