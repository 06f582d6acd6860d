import { countFindings, type Diagnostic, type FindingCounts, formatCount, formatCounts } from '../diagnostics/diagnostic.ts'

/** The summary of a successful record: `Valid: 3 documents, 214 operations. 2 pages would change.` */
export function toValidSummary(counts: {
  readonly documents: number
  readonly operations: number
  readonly problems?: FindingCounts
  /** Pages that `update` would add, change or remove; absent for a check without pages. */
  readonly pages?: number
  /** Whether `update` has written them. */
  readonly isWritten?: boolean
}): string {
  const { documents, operations, problems, pages, isWritten = false } = counts
  const found = problems && problems.warnings + problems.infos > 0 ? `, ${formatCounts(problems)}` : ''
  const valid = `Valid: ${formatCount(documents, 'document')}, ${formatCount(operations, 'operation')}${found}.`
  if (pages === undefined) return valid
  if (pages === 0) return `${valid} All pages are up to date.`
  return `${valid} ${formatCount(pages, 'page')} ${isWritten ? 'changed' : 'would change'}.`
}

/**
 * The summary of a record with document errors: the counts of all problems, their location and the first error.
 *
 * @param diagnostics Sorted by location, with at least one error.
 */
export function toFailedSummary(diagnostics: readonly Diagnostic[]): string {
  const first = diagnostics.find(({ severity }) => severity === 'error')
  if (!first) throw new Error('Cannot summarize a failure without an error')
  const files = new Set(diagnostics.map(({ file }) => file))
  const place = `${first.range.start.line}:${first.range.start.column}`
  const where = files.size === 1 ? first.file : `${files.size} files`
  const at = files.size === 1 ? place : `${first.file}:${place}`
  return `Failed: ${formatCounts(countFindings(diagnostics))} in ${where} (first error at ${at}: ${first.message}).`
}

/** The summary of a run that failed for a reason other than its documents: `Failed: <reason>.` */
export function toBrokenSummary(reason: string): string {
  return `Failed: ${reason.replace(/(?<!\.)\.+$/, '')}.`
}

/** The summary of a run that was lost too often. `lastSeenAt` is ISO 8601. */
export function toLostSummary(times: number, lastSeenAt: string): string {
  const often = times === 1 ? 'once' : times === 2 ? 'twice' : `${times} times`
  return `Failed: the worker stopped responding ${often}, and the run was not retried (last heartbeat at ${lastSeenAt}).`
}

const notRun = 'Not run'

/** Whether a summary is one of those below: the update ended without a run. Records contain no other sign of it. */
export function isNotRunSummary(summary: string): boolean {
  return summary.startsWith(notRun)
}

/** The summary of an update that was superseded by a newer one of its branch. `sha` is the newest commit. */
export function toSupersededSummary(sha: string): string {
  return `${notRun}: superseded by ${sha.slice(0, 7)}.`
}

/** The summary of an update over the queue limit of its installation. */
export function toQueueFullSummary(most: number): string {
  return `${notRun}: more than ${most.toLocaleString('en-US')} updates of this installation were waiting (INSTALLATION_QUEUED_UPDATES).`
}
