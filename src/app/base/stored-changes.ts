import { countChanges } from '../../changes/change.ts'
import { listChanges, type ReportedApiChanges } from '../../github/report/feedback.ts'
import type { StoredApiChanges } from '../../store/records/stored-records.ts'

/** The result of comparing the API of a commit with that of its base. */
export type ApiComparison =
  | {
      readonly kind: 'compared'
      readonly changes: ReportedApiChanges
      /** The commit changes files of the documents. */
      readonly concernsDocuments: boolean
    }
  /** `reason` is a clause without a full stop. It can contain text of untrusted documents. */
  | { readonly kind: 'unavailable'; readonly reason: string }

const reasonCharacters = 1_000

/** Converts a comparison for the store. The size is bounded, whatever the documents contain. */
export function toStoredChanges(compared: ApiComparison): StoredApiChanges {
  if (compared.kind === 'compared') return { kind: 'compared', counts: countChanges(listChanges(compared.changes)) }
  const { kind, reason } = compared
  return { kind, reason: reason.length > reasonCharacters ? `${reason.slice(0, reasonCharacters - 1)}…` : reason }
}
