import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { countChanges } from '../../changes/change.ts'
import type { ReportedApiChanges } from '../../github/report/feedback.ts'
import type { NewApiChanges } from '../../store/records/stored-records.ts'

/**
 * What the app shows of the changes of an API, stored as JSON with the update. Their review is part of the site.
 *
 * All strings can contain text of untrusted documents.
 */

const textCharacters = 1_000

const Count = Type.Integer({ minimum: 0 })
const Text = Type.String({ maxLength: textCharacters })

const StoredChanges = Type.Union([
  Type.Object({
    kind: Type.Literal('compared'),
    baseSha: Type.String({ pattern: '^[0-9a-f]{40}$' }),
    counts: Type.Object({ breaking: Count, risky: Count, compatible: Count, accepted: Count }),
  }),
  /** `reason` is a clause without a full stop. */
  Type.Object({ kind: Type.Literal('unavailable'), reason: Text }),
])
export type StoredChanges = Static<typeof StoredChanges>

/** The result of comparing the API of a commit with that of its base. */
export type ApiComparison =
  | {
      readonly kind: 'compared'
      readonly changes: ReportedApiChanges
      /** The commit changes files of the documents. */
      readonly concernsDocuments: boolean
    }
  /** `reason` is a clause without a full stop. */
  | { readonly kind: 'unavailable'; readonly reason: string }

/** Converts a comparison for the store. The size is bounded, whatever the documents contain. */
export function toStoredChanges(compared: ApiComparison): NewApiChanges {
  if (compared.kind === 'unavailable') return { counts: undefined, changes: JSON.stringify(compared, cut) }
  const { baseSha, documents } = compared.changes
  const counts = countChanges(documents.flatMap(({ comparison }) => comparison?.changes ?? []))
  return { counts, changes: JSON.stringify({ kind: 'compared', baseSha, counts } satisfies StoredChanges) }
}

/** A replacer that shortens long strings. */
function cut(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > textCharacters ? `${value.slice(0, textCharacters - 1)}…` : value
}

/** Reads stored changes. Returns `undefined` for damaged ones and those in the format of another version. */
export function readStoredChanges(json: string | undefined): StoredChanges | undefined {
  if (json === undefined) return undefined
  const value: unknown = JSON.parse(json)
  return Check(StoredChanges, value) ? value : undefined
}
