import table from '../../texts/diagnostics.json' with { type: 'json' }

export type Severity = 'error' | 'warning' | 'info'

interface CodeRow {
  readonly severity: Severity
  /** Short title for headings and lists. `help-texts.ts` has the full explanation. */
  readonly title: string
}

/** All codes are in `texts/diagnostics.json`. */
export type DiagnosticCode = keyof typeof table

/**
 * All diagnostic codes with their default severity, in the order of the documentation.
 *
 * A check can set another severity for a single diagnostic, and a configuration can change it within the limits of `blocking-codes.ts`.
 */
export const diagnosticCodes = table as { readonly [code in DiagnosticCode]: CodeRow }

/** Whether a string is a diagnostic code. */
export function isDiagnosticCode(text: string): text is DiagnosticCode {
  return Object.hasOwn(diagnosticCodes, text)
}

/** The URL of a code's documentation. */
export function diagnosticUrl(code: DiagnosticCode): string {
  return `https://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#${code}`
}
