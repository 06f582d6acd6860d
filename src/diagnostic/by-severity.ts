import type { Diagnostic } from './diagnostic.ts'

/** Errors first, then warnings, then infos; else the given order. */
export function bySeverity(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const order = { error: 0, warning: 1, info: 2 }
  return diagnostics.toSorted((a, b) => order[a.severity] - order[b.severity])
}
