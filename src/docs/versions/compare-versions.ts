import { type AcceptedChange, markAccepted } from '../../changes/accepted-changes.ts'
import type { ComparableDescription, DocumentComparison, UnlocatedComparison } from '../../changes/change.ts'
import { compare, toComparable, toComparedDocument } from '../../changes/compare/compare.ts'
import { locateChanges, placeInRevision } from '../../changes/compare/locate-changes.ts'
import { matchAllOperations } from '../../changes/match/match-operations.ts'
import { listIncomplete, type OperationFilter, selectChanges } from '../../changes/match/select-operations.ts'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import { relativePath } from '../../text/plain/paths.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import { isUrl } from '../../text/plain/urls.ts'
import { type CheckedDocument, severityOf } from '../check/check-documents.ts'
import type { ChangesSetting, ComparisonSettings } from '../config/project-config.ts'
import type { AcceptedFile } from '../read/read-accepted-changes.ts'

/** Something in both versions. */
export interface Versions<One> {
  readonly base: One
  readonly revision: One
}

/** A document to compare. */
export type DocumentVersion = Pick<CheckedDocument, 'path' | 'description' | 'check' | 'findings'>

/** One version of the documents of a docs directory. */
export interface DirectoryVersion {
  /** The docs directory. Documents are matched by their path relative to it, and accepted changes name them by this path. */
  readonly root: string
  readonly documents: readonly DocumentVersion[]
  readonly settings: ChangesSetting
  readonly accepted: AcceptedFile
  readonly docsConfig: 'missing' | 'read' | 'unreadable'
  /** Problems of `docs.json`, the configuration file and the file with accepted changes that make a comparison unreliable. */
  readonly findings: readonly Finding[]
  /** The files of `findings`. */
  readonly sources: readonly SourceFile[]
}

/** A document in both versions. At least one is present. */
interface DocumentPair {
  readonly base: DocumentVersion | undefined
  readonly revision: DocumentVersion | undefined
}

interface CompareVersionsOptions {
  readonly today: string
  readonly settings: ComparisonSettings
  /** The accepted changes of the base. Absent if they are unknown, so that no entry counts as new. */
  readonly accepted?: readonly AcceptedChange[] | undefined
  /** The operations to compare. Default: all. */
  readonly filter?: OperationFilter
  /** See `CompareOptions`. */
  readonly ignoredPrefixes?: readonly string[]
  /** Whether everything that was removed gets a place in the revision. Default: true. */
  readonly placesRemoved?: boolean
}

/**
 * Compares two versions of documents, and returns every document, sorted by path.
 *
 * A document that was moved or renamed is one document. Changes that the revision accepts are marked.
 */
export async function compareDocumentVersions(
  { base, revision }: Versions<Pick<DirectoryVersion, 'root' | 'documents' | 'accepted'>>,
  options: CompareVersionsOptions,
): Promise<readonly (DocumentComparison & DocumentPair)[]> {
  const compared: (DocumentComparison & DocumentPair)[] = []
  for (const pair of matchDocuments(base, revision)) {
    const { comparison, ...found } = await comparePair(pair, options)
    const entries = { base: options.accepted, revision: revision.accepted.entries, document: nameDocument(pair, base, revision) }
    compared.push({ ...found, ...pair, comparison: comparison && markAccepted(comparison, entries) })
  }
  return compared.sort((a, b) => (a.document < b.document ? -1 : 1))
}

type Rooted = Pick<DirectoryVersion, 'root'>

/** A document as accepted changes name it. */
export function nameDocument(pair: DocumentPair, base: Rooted, revision: Rooted): string {
  return pair.revision ? toName(pair.revision, revision) : pair.base ? toName(pair.base, base) : ''
}

function toName({ path }: DocumentVersion, { root }: Rooted): string {
  return isUrl(path) ? path : relativePath(root, path)
}

/** Matches documents by path, then by title. If one document is left on each side, it was replaced or renamed. */
function matchDocuments(
  before: Pick<DirectoryVersion, 'root' | 'documents'>,
  after: Pick<DirectoryVersion, 'root' | 'documents'>,
): readonly DocumentPair[] {
  const left = { before: [...before.documents], after: [...after.documents] }
  const pairs: DocumentPair[] = []
  const match = (isSame: (base: DocumentVersion, revision: DocumentVersion) => boolean) => {
    for (const base of [...left.before]) {
      const candidates = left.after.filter((revision) => isSame(base, revision))
      const [revision] = candidates
      if (!revision || candidates.length > 1) continue
      pairs.push({ base, revision })
      left.before.splice(left.before.indexOf(base), 1)
      left.after.splice(left.after.indexOf(revision), 1)
    }
  }
  match((base, revision) => toName(base, before) === toName(revision, after))
  match((base, revision) => base.path === revision.path)
  match((base, revision) => base.description !== undefined && base.description.title === revision.description?.title)
  if (left.before.length === 1 && left.after.length === 1) match(() => true)
  return [
    ...pairs,
    ...left.before.map((base) => ({ base, revision: undefined })),
    ...left.after.map((revision) => ({ base: undefined, revision })),
  ]
}

async function comparePair(
  { base, revision }: DocumentPair,
  { today, settings, filter = { paths: [], tags: [] }, ignoredPrefixes = [], placesRemoved = true }: CompareVersionsOptions,
): Promise<DocumentComparison> {
  const { levels, stability, deprecationDays } = settings
  const errors = { base: countErrors(base), revision: countErrors(revision) }
  const kind = !base ? 'added' : !revision ? 'removed' : 'compared'
  const document = (revision ?? base)?.path ?? ''
  const [before, after] = [base && toComparable(base.check), revision && toComparable(revision.check)]
  const isUnreadable = (base && !before) || (revision && !after)
  const existing = before ?? after
  if (isUnreadable || !existing) return { document, kind, comparison: undefined, errors }
  const pair = { base: before ?? withoutOperations(existing), revision: after ?? withoutOperations(existing) }
  const hasSameFiles = base && revision && isEqual(base, revision)
  const found: UnlocatedComparison = hasSameFiles
    ? { base: toComparedDocument(pair.base), revision: toComparedDocument(pair.revision), changes: [] }
    : compare(pair.base, pair.revision, { today, levels, stability, deprecationDays, ignoredPrefixes })
  const selected = { ...found, changes: selectChanges(found.changes, filter, pair.base, pair.revision, ignoredPrefixes) }
  const isRead = hasSameFiles || errors.base + errors.revision === 0
  const unread = isRead ? [] : listIncomplete(matchAllOperations(pair.base, pair.revision, ignoredPrefixes), { base, revision })
  const ofFilter = unread.map((operation) => ({ operations: [operation] }))
  const incomplete = selectChanges(ofFilter, filter, pair.base, pair.revision, ignoredPrefixes).flatMap(
    ({ operations }) => operations,
  )
  const none = new Map<string, SourceFile>()
  const sources = { base: base?.check.sources ?? none, revision: revision?.check.sources ?? none }
  const located = await locateChanges(selected, sources)
  const comparison = placesRemoved ? await placeInRevision(located, sources.revision) : located
  return { document, kind, comparison, errors, ...(incomplete.length > 0 && { incomplete }) }
}

/** Whether all files of a document are the same in both versions. */
function isEqual(base: DocumentVersion, revision: DocumentVersion): boolean {
  const [before, after] = [base.check.sources, revision.check.sources]
  return (
    base.path === revision.path &&
    before.size === after.size &&
    [...after].every(([file, { text }]) => before.get(file)?.text === text)
  )
}

/** The counterpart of a document that exists in one version only. */
function withoutOperations({ root, ...others }: ComparableDescription): ComparableDescription {
  const value = { ...(root.value as object), paths: {}, webhooks: {} }
  return { ...others, root: { ...root, value } }
}

function countErrors(document: DocumentVersion | undefined): number {
  return (document?.findings ?? []).filter((finding) => severityOf(finding) === 'error').length
}
