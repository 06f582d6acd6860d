import type { Diagnostic } from './diagnostic.ts'

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

/** `2 errors, 1 warning`; what there is none of is left out, and nothing at all is `no findings`. */
export function formatCounts({ errors, warnings, infos }: FindingCounts): string {
  const parts = [
    errors > 0 ? formatCount(errors, 'error') : '',
    warnings > 0 ? formatCount(warnings, 'warning') : '',
    infos > 0 ? formatCount(infos, 'info') : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'no findings' : parts.join(', ')
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
