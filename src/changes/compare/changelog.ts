import { childPlace, findSchemas, keysOf, toPlaceKey } from '../../openapi/references/follow-reference.ts'
import { parentPointer } from '../../text/json/json-values.ts'
import { groupBy } from '../../text/plain/lists.ts'
import {
  type AcceptedChange,
  type ChangedOperation,
  type ChangePlace,
  type ComparableDescription,
  type CompareOptions,
  compareAttention,
  createFindAccepted,
  toChangedKey,
  type UnlocatedChange,
} from '../change.ts'
import { findAcceptedSteps } from '../differences/fingerprints.ts'
import { matchOperations } from '../match/match-operations.ts'
import { compareDescriptions } from './compare.ts'

/** The changes of a description by version. Plain data. */
export interface Changelog {
  /** Newest first. Versions without changes are left out, unless their `info.version` is new. */
  readonly entries: readonly ChangelogEntry[]
  /** Whether there are older versions that were not compared. */
  readonly isCut: boolean
}

/** The name of changes that are in no version yet. */
export const unreleased = 'Unreleased'

/** One version with its changes since the version before it. */
export interface ChangelogEntry {
  /** Such as `2.4.0`, the date of a commit, or `Unreleased`. Unique in the changelog. */
  readonly name: string
  /** ISO 8601 in UTC. Absent for changes that are not in a version yet. */
  readonly date?: string
  /** The commit. Absent for changes that are not in a version yet. */
  readonly sha?: string
  /** The page of the commit on the repository's host, if known. */
  readonly url?: string
  /** Whether this is the oldest known version, which is not compared with another. */
  readonly isFirst: boolean
  /** Breaking changes first. */
  readonly changes: readonly ChangelogChange[]
}

/** A change without its places in files. */
export interface ChangelogChange
  extends Pick<UnlocatedChange, 'code' | 'level' | 'subject' | 'message' | 'fingerprint' | 'identity'> {
  /** The operation, or `null` for a change of a component or of the document. */
  readonly operation: ChangedOperation | null
  /** Every operation that the change affects, in the current spelling. */
  readonly operations: readonly ChangedOperation[]
  /** The entries of `components.schemas` that contain the change. */
  readonly schemas: readonly string[]
  /** Present if the team accepts the change. The author is left out, because a changelog can be public. */
  readonly accepted?: { readonly reason: string }
}

/** The changes of one step of a changelog, in the spelling of the newer description. */
export interface ChangelogStep {
  readonly changes: readonly ChangelogChange[]
  /** The operations with another spelling in the newer description: `get /old` → `get /new`. */
  readonly renamed: readonly (readonly [older: string, newer: string])[]
}

/** Compares two versions for a changelog. */
export function compareForChangelog(
  base: ComparableDescription,
  revision: ComparableDescription,
  options: CompareOptions,
): ChangelogStep {
  const renamed = new Map<string, ChangedOperation>()
  for (const { operation, revision: newer, isWebhook } of matchOperations(base, revision)) {
    const method = newer?.fields.method
    if (!newer || method === undefined || isWebhook) continue
    const spelled = { method, path: newer.entry.name }
    if (toChangedKey(spelled) !== toChangedKey(operation)) renamed.set(toChangedKey(operation), spelled)
  }
  const schemas = { base: indexSchemas(base), revision: indexSchemas(revision) }
  const toNewer = (operation: ChangedOperation) => renamed.get(toChangedKey(operation)) ?? operation
  const { changes } = compareDescriptions(base, revision, options)
  return {
    renamed: [...renamed].map(([older, newer]) => [older, toChangedKey(newer)]),
    changes: changes.map(({ code, level, method, path, operations, subject, message, fingerprint, identity, ...places }) => {
      const names = [...listContaining(places.base, schemas.base), ...listContaining(places.revision, schemas.revision)]
      return {
        code,
        level,
        operation: method !== null && path !== null ? toNewer({ method, path }) : null,
        operations: operations.map(toNewer),
        schemas: [...new Set(names)],
        subject,
        message,
        fingerprint,
        ...(identity !== undefined && { identity }),
      }
    }),
  }
}

/**
 * Marks the breaking and risky changes that an entry accepts, and lists changes that need attention first. A change of a value is also accepted
 * if entries accept each of its steps, because several changes can be between two versions.
 *
 * @param document As the entries name it.
 */
export function acceptInChangelog(
  changes: readonly ChangelogChange[],
  entries: readonly AcceptedChange[],
  document: string,
): readonly ChangelogChange[] {
  const own = entries.filter((entry) => (entry.document ?? document) === document)
  const find = createFindAccepted(own, document)
  const marked = changes.map((change) => {
    if (change.accepted || change.level === 'compatible' || own.length === 0) return change
    const { identity } = change
    const entry = find(change) ?? (identity === undefined ? undefined : findAcceptedSteps({ ...change, identity }, own))
    return entry ? { ...change, accepted: { reason: entry.reason } } : change
  })
  return marked.sort(compareAttention)
}

/** Replaces the spelling of operations. `renamed` has the key of each operation that is spelled differently. */
export function renameOperations(
  changes: readonly ChangelogChange[],
  renamed: ReadonlyMap<string, string>,
): readonly ChangelogChange[] {
  if (renamed.size === 0) return changes
  const rename = (operation: ChangedOperation) => {
    const key = renamed.get(toChangedKey(operation))
    return key === undefined ? operation : { method: key.slice(0, key.indexOf(' ')), path: key.slice(key.indexOf(' ') + 1) }
  }
  return changes.map((change) => ({
    ...change,
    operation: change.operation && rename(change.operation),
    operations: change.operations.map(rename),
  }))
}

type SchemaIndex = ReadonlyMap<string, readonly string[]>

/** The names of the entries of `components.schemas` by location, with references followed. */
function indexSchemas({ root, follow }: ComparableDescription): SchemaIndex {
  const schemas = findSchemas(root, follow)
  return groupBy(keysOf(schemas), (name) => toPlaceKey(follow.end(childPlace(schemas, name))))
}

function listContaining(place: ChangePlace | null, index: SchemaIndex): string[] {
  if (!place) return []
  const found = index.get(toPlaceKey(place)) ?? []
  return place.pointer === ''
    ? [...found]
    : [...found, ...listContaining({ ...place, pointer: parentPointer(place.pointer) }, index)]
}
