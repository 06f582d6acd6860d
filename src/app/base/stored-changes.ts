import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import {
  type Change,
  type ChangedOperation,
  changeThresholds,
  compareAttention,
  countChanges,
  type DocumentComparison,
} from '../../changes/change.ts'
import type { ReportedApiChanges } from '../../github/report/feedback.ts'
import type { ChangeCounts, NewApiChanges } from '../../store/records/stored-records.ts'

/**
 * The changes of an API, stored as JSON with the update. They list the most severe changes and count all.
 *
 * All strings can contain text of untrusted documents.
 */

const textCharacters = 1_000
const listedDocuments = 100
const listedChanges = 500
const listedOperations = 20
const maxStoredCharacters = 1_000_000

const Count = Type.Integer({ minimum: 0 })
const Text = Type.String({ maxLength: textCharacters })
const Counts = Type.Object({ breaking: Count, risky: Count, compatible: Count, accepted: Count })
const Place = Type.Object({ file: Text, pointer: Text, line: Count, column: Count, endLine: Count, endColumn: Count })
const Operation = Type.Object({ method: Text, path: Text })
const ComparedDocument = Type.Object({ document: Text, version: Text })

const StoredChange = Type.Object({
  code: Text,
  level: Type.Enum(['breaking', 'risky', 'compatible'], { type: 'string' }),
  method: Type.Union([Text, Type.Null()]),
  path: Type.Union([Text, Type.Null()]),
  /** The first of `operationCount`. */
  operations: Type.Array(Operation),
  operationCount: Count,
  subject: Type.Enum(['request', 'response', 'operation', 'document'], { type: 'string' }),
  message: Text,
  hint: Type.Optional(Text),
  base: Type.Union([Place, Type.Null()]),
  revision: Type.Union([Place, Type.Null()]),
  /** Of a removed part: the nearest place around it in the revision. */
  surrounding: Type.Optional(Place),
  fingerprint: Text,
  accepted: Type.Optional(Type.Object({ reason: Text, author: Text, isNew: Type.Boolean() })),
})
export type StoredChange = Static<typeof StoredChange>

const StoredDocument = Type.Object({
  document: Text,
  kind: Type.Enum(['compared', 'added', 'removed'], { type: 'string' }),
  errors: Type.Object({ base: Count, revision: Count }),
  /** Absent if a version cannot be read as OpenAPI. */
  comparison: Type.Optional(
    Type.Object({
      base: ComparedDocument,
      revision: ComparedDocument,
      counts: Counts,
      /** The first ones, most severe first. */
      changes: Type.Array(StoredChange),
    }),
  ),
  /** Routes of pages on the site, by operation (`GET /pets`). */
  pages: Type.Record(Type.String(), Text),
})
export type StoredDocument = Static<typeof StoredDocument>

const Threshold = Type.Enum([...changeThresholds], { type: 'string' })

const StoredChanges = Type.Union([
  Type.Object({
    kind: Type.Literal('compared'),
    baseSha: Type.String({ pattern: '^[0-9a-f]{40}$' }),
    failOn: Type.Union([Threshold, Type.Array(Threshold)]),
    comment: Type.Enum(['breaking', 'any', 'never'], { type: 'string' }),
    counts: Counts,
    /** The first of `documentCount`: documents with changes, and those that cannot be compared. */
    documents: Type.Array(StoredDocument),
    documentCount: Count,
  }),
  /** `reason` is a clause without a full stop. */
  Type.Object({ kind: Type.Literal('unavailable'), reason: Text }),
])
export type StoredChanges = Static<typeof StoredChanges>

/** The result of comparing the API of a commit with that of its base. */
export type ApiComparison =
  | { readonly kind: 'compared'; readonly changes: ReportedApiChanges; readonly routes: OperationRoutes }
  /** `reason` is a clause without a full stop. */
  | { readonly kind: 'unavailable'; readonly reason: string }

/** The routes of the pages of operations (`GET /pets`). */
export type OperationRoutes = readonly { readonly document: string; readonly operation: string; readonly route: string }[]

/** Converts a comparison for the store. The size is bounded, whatever the documents contain. */
export function toStoredChanges(compared: ApiComparison): NewApiChanges {
  if (compared.kind === 'unavailable') return { counts: undefined, changes: JSON.stringify(compared, cut) }
  const counts = countChanges(compared.changes.documents.flatMap(({ comparison }) => comparison?.changes ?? []))
  for (let limit = listedChanges; ; limit = Math.floor(limit / 2)) {
    const changes = JSON.stringify(toBounded(compared.changes, counts, limit, compared.routes), cut)
    if (changes.length <= maxStoredCharacters || limit === 0) return { counts, changes }
  }
}

/** A replacer that shortens long strings. */
function cut(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > textCharacters ? `${value.slice(0, textCharacters - 1)}…` : value
}

function toBounded(
  { baseSha, failOn, comment, documents }: ReportedApiChanges,
  counts: ChangeCounts,
  limit: number,
  routes: OperationRoutes,
): StoredChanges {
  const shown = documents.slice(0, listedDocuments)
  const all = shown.flatMap(({ comparison }) => comparison?.changes ?? [])
  const keptChanges = new Set(all.toSorted(compareAttention).slice(0, limit))
  return {
    kind: 'compared',
    baseSha,
    failOn: typeof failOn === 'string' ? failOn : [...failOn],
    comment,
    counts,
    documents: shown.map((document) => toStoredDocument(document, keptChanges, routes)),
    documentCount: documents.length,
  }
}

function toStoredDocument(
  { document, kind, errors, comparison }: DocumentComparison,
  keptChanges: ReadonlySet<Change>,
  allRoutes: OperationRoutes,
): StoredDocument {
  const changes = comparison?.changes.filter((change) => keptChanges.has(change)).map(toStoredChange) ?? []
  const names = new Set(changes.flatMap((change) => listOperations(change).map(toOperationName)))
  const routes = allRoutes.filter((page) => page.document === document && names.has(page.operation))
  return {
    document,
    kind,
    errors,
    ...(comparison && {
      comparison: {
        base: comparison.base,
        revision: comparison.revision,
        counts: countChanges(comparison.changes),
        changes,
      },
    }),
    pages: Object.fromEntries(routes.map(({ operation, route }) => [operation, route])),
  }
}

/** Without the names of clients: screens of the app are for everyone who can see the repository's documentation. */
function toStoredChange({ operations, base, revision, surrounding, clients: _, ...change }: Change): StoredChange {
  return {
    ...change,
    operations: operations.slice(0, listedOperations),
    operationCount: operations.length,
    base: base && toPlace(base),
    revision: revision && toPlace(revision),
    ...(surrounding && { surrounding: toPlace(surrounding) }),
  }
}

function toPlace({ file, pointer, range: { start, end } }: NonNullable<Change['base']>): Static<typeof Place> {
  return { file, pointer, line: start.line, column: start.column, endLine: end.line, endColumn: end.column }
}

/** The operations that a change lists: its own, or those that use its component. */
export function listOperations({ method, path, operations }: Pick<StoredChange, 'method' | 'path' | 'operations'>) {
  return method !== null && path !== null ? [{ method, path }] : operations
}

/** The name of an operation in page reports: `GET /pets`, or `webhook orderShipped`. */
export function toOperationName({ method, path }: ChangedOperation): string {
  return path.startsWith('webhook:') ? `webhook ${path.slice('webhook:'.length)}` : `${method.toUpperCase()} ${path}`
}

/** Reads stored changes. Returns `undefined` for damaged ones and those in the format of another version. */
export function readStoredChanges(json: string | undefined): StoredChanges | undefined {
  if (json === undefined) return undefined
  const value: unknown = JSON.parse(json)
  return Check(StoredChanges, value) ? value : undefined
}
