import { type Diagnostic, formatCount } from '../../diagnostics/diagnostic.ts'
import type { Update } from '../../docs/types.ts'
import { openTrustedGit } from '../../git/git.ts'
import { type LineRange, readChangedLines } from '../../git/revisions.ts'
import type { ProblemFilter } from '../inputs/inputs.ts'
import type { ActionReport } from '../report/action-report.ts'

/** As in the diff of a pull request on GitHub. */
const contextLines = 3

/**
 * Removes the problems outside of the changes from a report, as the input `filter` requests. The names are those of reviewdog's
 * `-filter-mode`: `added`, `diff_context`, `file` and `nofilter`.
 *
 * @param baseSha the commit to compare with. Without it, all problems are reported.
 * @throws {GitError} when git cannot compare.
 */
export async function filterProblems(
  report: ActionReport,
  filter: ProblemFilter,
  baseSha: string | undefined,
): Promise<ActionReport> {
  const { update, boundary, updates, troubles } = report
  if (filter === 'none' || !update || update.diagnostics.length === 0) return report
  if (baseSha === undefined) {
    return {
      ...report,
      troubles: [...troubles, `All problems are reported, because there is no commit to compare with for \`filter: ${filter}\``],
    }
  }
  const files = [...new Set(update.diagnostics.map(({ file }) => file))]
  const changed = await readChangedLines(openTrustedGit(boundary), baseSha, files, filter === 'changed' ? contextLines : 0)
  const isReported = (diagnostic: Diagnostic) => isInChange(diagnostic, changed.get(diagnostic.file), filter)
  const select = (part: Update): Update => ({ ...part, diagnostics: part.diagnostics.filter(isReported) })
  const selected = select(update)
  const hiddenCount = update.diagnostics.length - selected.diagnostics.length
  if (hiddenCount === 0) return report
  const where = filter === 'file' ? 'the changed files' : 'the changed lines'
  const trouble = `${formatCount(hiddenCount, 'problem')} outside of ${where} ${hiddenCount === 1 ? 'is' : 'are'} not reported (\`filter: ${filter}\`)`
  return { ...report, update: selected, updates: updates.map(select), troubles: [...troubles, trouble] }
}

function isInChange({ range }: Diagnostic, ranges: readonly LineRange[] | undefined, filter: ProblemFilter): boolean {
  if (!ranges) return false
  return filter === 'file' || ranges.some(({ first, last }) => first <= range.end.line && range.start.line <= last)
}
