import { type NodeBudget, spendNodes, startBudget } from '../openapi/node-budget.ts'
import { toSafeJson } from '../text/plain/escape-text.ts'
import type { Change, ChangedOperation, Comparison, DocumentComparison, LocatedPlace } from './types.ts'

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
  /** The operations with parts that cannot be read in one of the versions. Absent if there are none. */
  readonly incomplete?: readonly ChangedOperation[]
}

export interface ChangeJson {
  readonly code: string
  readonly level: Change['level']
  readonly method: string | null
  readonly path: string | null
  readonly operations: readonly ChangedOperation[]
  /** Present if `operations` is shortened, because the lists of all changes together are too long. */
  readonly shortened?: true
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
export function formatChangesJson({ base, revision, changes }: Comparison, incomplete?: readonly ChangedOperation[]): string {
  const json: ChangesJson = {
    version: 1,
    base,
    revision,
    ...countLevels(changes),
    changes: toChangesJson(changes, startBudget('operations')),
    ...(incomplete && { incomplete }),
  }
  return `${toSafeJson(json)}\n`
}

function countLevels(changes: readonly Change[]): Pick<ChangesJson, Change['level']> {
  const count = (level: Change['level']) => changes.filter((change) => change.level === level).length
  return { breaking: count('breaking'), risky: count('risky'), compatible: count('compatible') }
}

/** The output of `changes --format json` for directories. The shape is stable: fields are only ever added. */
interface DirectoryChangesJson extends Pick<ChangesJson, 'version' | Change['level']> {
  /** All documents, also those without changes, sorted by path. */
  readonly documents: readonly DocumentChangesJson[]
}

interface DocumentChangesJson extends Pick<ChangesJson, 'changes' | 'incomplete' | Change['level']> {
  /** The path in the revision if the document exists there. */
  readonly document: string
  /** `unreadable`: a version cannot be read as OpenAPI, so there are no changes. */
  readonly kind: DocumentComparison['kind'] | 'unreadable'
  /** `null` for a document that was added or is unreadable. */
  readonly base: Comparison['base'] | null
  /** `null` for a document that was removed or is unreadable. */
  readonly revision: Comparison['revision'] | null
}

/** Formats the comparison of directories as JSON. Ends with a newline. */
export function formatDirectoryChangesJson(documents: readonly DocumentComparison[]): string {
  const budget = startBudget('operations')
  const json: DirectoryChangesJson = {
    version: 1,
    ...countLevels(documents.flatMap(({ comparison }) => comparison?.changes ?? [])),
    documents: documents.map(({ document, kind, comparison, incomplete }) => {
      const changes = comparison?.changes ?? []
      return {
        document,
        kind: comparison ? kind : 'unreadable',
        base: comparison && kind !== 'added' ? comparison.base : null,
        revision: comparison && kind !== 'removed' ? comparison.revision : null,
        ...countLevels(changes),
        changes: toChangesJson(changes, budget),
        ...(incomplete && { incomplete }),
      }
    }),
  }
  return `${toSafeJson(json)}\n`
}

/** The number of changes by level without the accepted ones, and the number of those. */
export interface ChangeCounts {
  readonly breaking: number
  readonly risky: number
  readonly compatible: number
  readonly accepted: number
}

/** Counts changes by level. Accepted changes are counted separately. */
export function countChanges(changes: readonly (Pick<Change, 'level'> & { readonly accepted?: object })[]): ChangeCounts {
  const counts = { breaking: 0, risky: 0, compatible: 0, accepted: 0 }
  for (const { level, accepted } of changes) counts[accepted ? 'accepted' : level]++
  return counts
}

/** A change of a component lists each operation that uses it. With many of both, the lists would be far longer than the documents. */
function toChangesJson(changes: readonly Change[], budget: NodeBudget): ChangeJson[] {
  return changes.map((change) => {
    const count = change.operations.length
    const isWhole = count <= 1 || spendNodes(budget, count)
    return toChangeJson(change, isWhole ? change.operations : change.operations.slice(0, 1), isWhole)
  })
}

function toChangeJson(
  { code, level, method, path, subject, message, hint, base, revision }: Change,
  operations: Change['operations'],
  isWhole: boolean,
): ChangeJson {
  return {
    code,
    level,
    method,
    path,
    operations,
    ...(isWhole ? {} : { shortened: true }),
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
