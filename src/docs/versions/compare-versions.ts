import { type AcceptedChange, markAccepted } from '../../changes/accepted-changes.ts'
import type { DocumentComparison } from '../../changes/change.ts'
import type { CompareDocumentOptions } from '../../changes/compare/compare.ts'
import { compareDocument } from '../../changes/compare/compare.ts'
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

interface CompareVersionsOptions extends Pick<CompareDocumentOptions, 'filter' | 'ignoredPrefixes' | 'placesRemoved'> {
  readonly today: string
  readonly settings: ComparisonSettings
  /** The accepted changes of the base. Absent if they are unknown, so that no entry counts as new. */
  readonly accepted?: readonly AcceptedChange[] | undefined
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
    const errors = { base: countErrors(pair.base), revision: countErrors(pair.revision) }
    const { comparison, ...found } = await compareDocument(pair, errors, { ...options, ...options.settings })
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

function countErrors(document: DocumentVersion | undefined): number {
  return (document?.findings ?? []).filter((finding) => severityOf(finding) === 'error').length
}
