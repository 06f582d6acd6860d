import { toSafeJson } from '../../source/escape-text.ts'
import type { Change, ChangedOperation, Comparison, LocatedPlace } from './types.ts'

/**
 * The output of `changes --format json`. The shape is stable: fields are only ever added.
 *
 * Accepted changes are listed and counted with their level, like all others.
 */
export interface ChangesJson {
  readonly version: 1
  readonly base: Comparison['base']
  readonly revision: Comparison['revision']
  readonly breaking: number
  readonly risky: number
  readonly compatible: number
  readonly changes: readonly ChangeJson[]
}

export interface ChangeJson {
  readonly code: string
  readonly level: Change['level']
  readonly method: string | null
  readonly path: string | null
  readonly operations: readonly ChangedOperation[]
  readonly subject: Change['subject']
  readonly message: string
  readonly hint?: string
  readonly base: PlaceJson | null
  readonly revision: PlaceJson | null
}

/** Lines and columns start at 1. Columns are in UTF-16 units. */
interface PlaceJson {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly pointer: string
}

/** Formats a comparison as JSON. Ends with a newline. */
export function formatChangesJson(comparison: Comparison): string {
  return `${toSafeJson(toChangesJson(comparison))}\n`
}

/** A comparison in the stable JSON shape. */
function toChangesJson({ base, revision, changes }: Comparison): ChangesJson {
  const count = (level: Change['level']) => changes.filter((change) => change.level === level).length
  const counts = { breaking: count('breaking'), risky: count('risky'), compatible: count('compatible') }
  return { version: 1, base, revision, ...counts, changes: changes.map(toChangeJson) }
}

/** The number of changes by level without the accepted ones, and the number of those. */
export interface ChangeCounts {
  readonly breaking: number
  readonly risky: number
  readonly compatible: number
  readonly accepted: number
}

/** Counts changes by level. Accepted changes are counted separately. */
export function countChanges(changes: readonly Pick<Change, 'level' | 'accepted'>[]): ChangeCounts {
  const counts = { breaking: 0, risky: 0, compatible: 0, accepted: 0 }
  for (const { level, accepted } of changes) counts[accepted ? 'accepted' : level]++
  return counts
}

function toChangeJson({ code, level, method, path, operations, subject, message, hint, base, revision }: Change): ChangeJson {
  return {
    code,
    level,
    method,
    path,
    operations,
    subject,
    message,
    ...(hint === undefined ? {} : { hint }),
    base: base && toPlaceJson(base),
    revision: revision && toPlaceJson(revision),
  }
}

function toPlaceJson({ file, range, pointer }: LocatedPlace): PlaceJson {
  return { file, line: range.start.line, column: range.start.column, pointer }
}
