import type { Diagnostic } from '../diagnostic/diagnostic.ts'

/** The one line of a record that ended well: `Valid: 3 documents, 214 operations. 2 pages would change.` */
export function toValidSummary(counts: {
  readonly documents: number
  readonly operations: number
  readonly warnings?: number
  /** Pages that `update` would add, change or remove; absent where the check validates only. */
  readonly pages?: number
  /** Whether it has done so. */
  readonly isWritten?: boolean
}): string {
  const { documents, operations, warnings = 0, pages, isWritten = false } = counts
  const valid = `Valid: ${count(documents, 'document')}, ${count(operations, 'operation')}${warnings ? `, ${count(warnings, 'warning')}` : ''}.`
  if (pages === undefined) return valid
  if (pages === 0) return `${valid} All pages are up to date.`
  return `${valid} ${count(pages, 'page')} ${isWritten ? 'changed' : 'would change'}.`
}

/**
 * The one line of a record whose documents have errors: how many, where, and the first.
 *
 * @param diagnostics Sorted by place; at least one of level error.
 */
export function toFailedSummary(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error')
  const first = errors[0]
  if (!first) throw new Error('Cannot sum up a failure without an error')
  const files = new Set(errors.map((error) => error.file))
  const place = `${first.range.start.line}:${first.range.start.column}`
  const where = files.size === 1 ? first.file : `${files.size} files`
  const at = files.size === 1 ? place : `${first.file}:${place}`
  return `Failed: ${count(errors.length, 'error')} in ${where} (first at ${at}: ${first.message}).`
}

/** A run that could not be carried out, whatever the documents say: `Failed: <reason>.` */
export function toBrokenSummary(reason: string): string {
  return `Failed: ${reason.replace(/(?<!\.)\.+$/, '')}.`
}

/** A run whose worker went away too often. `lastSeenAt` is ISO 8601. */
export function toLostSummary(times: number, lastSeenAt: string): string {
  const often = times === 1 ? 'once' : times === 2 ? 'twice' : `${times} times`
  return `Failed: the run was lost ${often} and not retried again (worker last heard of at ${lastSeenAt}).`
}

/** One of too many waiting updates of a branch. `sha` is the newest one's. */
export function toSupersededSummary(sha: string): string {
  return `Not run: superseded by ${sha.slice(0, 7)}.`
}

/** One of too many waiting updates of an installation. */
export function toQueueFullSummary(most: number): string {
  return `Not run: more than ${most.toLocaleString('en-US')} updates of this installation were waiting (INSTALLATION_QUEUED_UPDATES).`
}

function count(value: number, noun: string): string {
  return `${value.toLocaleString('en-US')} ${noun}${value === 1 ? '' : 's'}`
}
