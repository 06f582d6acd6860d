import type { Diagnostic, Severity } from './diagnostic.ts'

const ranks: { readonly [severity in Severity]: number } = { error: 0, warning: 1, info: 2 }

/** Errors first, then warnings, then infos; else the given order. */
export function bySeverity(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted((a, b) => ranks[a.severity] - ranks[b.severity])
}
