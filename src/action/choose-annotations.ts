import type { Diagnostic, Severity } from '../diagnostic/diagnostic.ts'

/** How many annotations of each level GitHub shows of one step; it drops the others without a word. */
const shownPerLevel = 10

const severities: readonly Severity[] = ['error', 'warning', 'info']

/**
 * Chooses the diagnostics that become annotations: of each severity at most ten, the first of every file before the second
 * of any. Most severe first, within a severity in their order.
 *
 * @param used annotations of each level that the step has already.
 */
export function chooseAnnotations(
  diagnostics: readonly Diagnostic[],
  used: { readonly [severity in Severity]: number },
): readonly Diagnostic[] {
  return severities.flatMap((severity) => {
    const ofSeverity = diagnostics.filter((diagnostic) => diagnostic.severity === severity)
    const left = Math.max(0, shownPerLevel - used[severity])
    const chosen = new Set(spreadOverFiles(ofSeverity).slice(0, left))
    return ofSeverity.filter((diagnostic) => chosen.has(diagnostic))
  })
}

function spreadOverFiles(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Map<string, number>()
  const ranked = diagnostics.map((diagnostic) => {
    const rank = seen.get(diagnostic.file) ?? 0
    seen.set(diagnostic.file, rank + 1)
    return { diagnostic, rank }
  })
  return ranked.sort((a, b) => a.rank - b.rank).map(({ diagnostic }) => diagnostic)
}
