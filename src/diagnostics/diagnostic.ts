import table from '../../texts/diagnostics.json' with { type: 'json' }
import { formatNumber, getOrMake } from '../text/plain/lists.ts'
import type { OffsetRange, Range } from '../text/plain/source-file.ts'

/**
 * The common shape of all diagnostics.
 *
 * Plain data: it can be printed, stored, compared and sent as JSON.
 */
export interface Diagnostic {
  /** Stable. Documented in `docs/diagnostics.md`. */
  readonly code: DiagnosticCode
  /** The rule of the ruleset, for the code `ruleset`. */
  readonly rule?: RuleReference
  readonly severity: Severity
  /** One sentence without a final full stop; names in backticks. */
  readonly message: string
  /** Relative with `/`, or an absolute URL. Relative to the boundary inside the core, to the working directory in output. */
  readonly file: string
  readonly range: Range
  /** JSON Pointer (RFC 6901) inside the file, `''` for the whole document. */
  readonly pointer: string
  /** Related locations, such as the first of two duplicates. */
  readonly related: readonly RelatedPlace[]
  /** Suggested fix in the imperative, without a final full stop. */
  readonly hint?: string
  /** Section of the specification, such as `OpenAPI 3.1.1, Operation Object`. */
  readonly section?: string
}

/** A rule of a ruleset. All fields are untrusted text. */
export interface RuleReference {
  readonly name: string
  readonly description?: string
  readonly documentationUrl?: string
}

export interface RelatedPlace {
  readonly file: string
  readonly range: Range
  readonly message: string
}

/**
 * The result of a check: pointers instead of lines, and no severity.
 *
 * `finishDiagnostics` turns it into a `Diagnostic`. Storing only pointers keeps the check of a valid document fast.
 */
export interface Finding {
  readonly code: DiagnosticCode
  /** For the code `ruleset`. */
  readonly rule?: RuleReference
  /** The organization has the rule, so settings and baselines of the repository do not change the problem. */
  readonly isOfOrganization?: true
  readonly message: string
  /** Relative to the boundary with `/`, or an absolute URL. */
  readonly file: string
  readonly pointer: string
  /** Whether the key or the value (default) is wrong. Ignored with `offsets`. */
  readonly on?: 'key' | 'value'
  /** The part of a text that is wrong. The whole value is, if its source is spelled differently. Ignored with `offsets`. */
  readonly part?: string
  /** For a problem without a pointer, such as a syntax error. */
  readonly offsets?: OffsetRange
  readonly hint?: string | undefined
  readonly section?: string
  readonly related?: readonly RelatedFinding[]
  /** All places of a problem that is reported once per file, as pointers in it. `check --fix` edits them. */
  readonly places?: readonly string[]
  /** Overrides the severity of the code. */
  readonly severity?: Severity
}

export interface RelatedFinding extends Pick<Finding, 'pointer' | 'on' | 'offsets' | 'message'> {
  /** Defaults to the file of the diagnostic. */
  readonly file?: string
}

/** The name that identifies a kind of problem to people: that of the rule of the ruleset, or the code. Untrusted text. */
export function ruleNameOf({ code, rule }: Pick<Diagnostic, 'code' | 'rule'>): string {
  return rule?.name ?? code
}

/** The documentation of a rule or code: a URL with `https` or `http`. */
export function ruleUrlOf({ code, rule }: Pick<Diagnostic, 'code' | 'rule'>): string {
  const url = rule?.documentationUrl === undefined ? null : URL.parse(rule.documentationUrl)
  return url && /^https?:$/.test(url.protocol) ? url.href : diagnosticUrl(code)
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

/** Formats counts as `2 errors, 1 warning`. Zero counts are omitted, and no diagnostics at all are `no problems`. */
export function formatCounts({ errors, warnings, infos }: FindingCounts): string {
  const parts = [
    errors > 0 ? formatCount(errors, 'error') : '',
    warnings > 0 ? formatCount(warnings, 'warning') : '',
    infos > 0 ? formatCount(infos, 'info message') : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'no problems' : parts.join(', ')
}

/** `1 page`, `1,240 pages`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

const ranks: { readonly [severity in Severity]: number } = { error: 0, warning: 1, info: 2 }

/** The place of a severity in a list with errors first. */
export function rankOf(severity: Severity): number {
  return ranks[severity]
}

/** Sorts errors first, then warnings, then infos, and keeps the order within each. */
export function bySeverity(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted((a, b) => ranks[a.severity] - ranks[b.severity])
}

/** Renames the files of diagnostics, for example relative to the working directory. Also renames the file in messages. */
export function renameFiles(diagnostics: readonly Diagnostic[], rename: (file: string) => string): Diagnostic[] {
  const names = new Map<string, string>()
  const nameOf = (file: string) => getOrMake(names, file, () => rename(file))
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

export type Severity = 'error' | 'warning' | 'info'

interface CodeRow {
  readonly severity: Severity
  /** Short title for headings and lists. `format-ci.ts` has the full explanation. */
  readonly title: string
  /** `content`: about the content of the file where it is, and not about other files. Baselines accept such problems of documents. */
  readonly about?: 'content'
}

/** All codes are in `texts/diagnostics.json`. */
export type DiagnosticCode = keyof typeof table

/**
 * All diagnostic codes with their default severity, in the order of the documentation.
 *
 * A check can set another severity for a single diagnostic, and a configuration can change it within the limits of `findBlockingCode`.
 */
export const diagnosticCodes = table as { readonly [code in DiagnosticCode]: CodeRow }

/** The severity of a problem: its own, which `applyRules` sets, or that of its code. */
export function severityOf({ code, severity }: Pick<Finding, 'code' | 'severity'>): Severity {
  return severity ?? diagnosticCodes[code].severity
}

/** Whether a string is a diagnostic code. */
export function isDiagnosticCode(text: string): text is DiagnosticCode {
  return Object.hasOwn(diagnosticCodes, text)
}

/** The URL of a code's documentation. */
export function diagnosticUrl(code: DiagnosticCode): string {
  return `https://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#${code}`
}

/** A 64 MiB file can have millions of problems, which would not fit into memory. */
const maxFindings = 100_000

/** Adds a diagnostic. Once there are too many, a single diagnostic reports that. */
export function addFinding(findings: Finding[], finding: Finding): void {
  if (findings.length < maxFindings) {
    findings.push(finding)
  } else if (findings.length === maxFindings) {
    const message = `More than ${formatNumber(maxFindings)} problems found. The rest are not reported`
    findings.push({ code: 'too-complex', message, file: finding.file, pointer: '' })
  }
}
