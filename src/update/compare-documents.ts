import type { ChangesSetting } from '../docs-config/project-config.ts'
import { markAccepted } from '../openapi/changes/accepted-changes.ts'
import { compare, toComparable } from '../openapi/changes/compare.ts'
import { locateChanges } from '../openapi/changes/locate-changes.ts'
import { placeInRevision } from '../openapi/changes/place-in-revision.ts'
import type { ComparableDescription, Comparison } from '../openapi/changes/types.ts'
import { isUrl, relativePath } from '../source/relative-path.ts'
import type { SourceFile } from '../source/source-file.ts'
import { type CheckedDocument, severityOf } from './check-documents.ts'
import { listDeclaredDivisions, readDocsDirectory } from './read-docs-directory.ts'
import { surveyDocsDirectory } from './survey-docs-directory.ts'
import type { Update, UpdateEnvironment, UpdateOptions } from './types.ts'

/** The changes of one document of a docs directory. Plain data. */
export interface DocumentComparison {
  /** The path of the entry document relative to the boundary, in the revision if it exists there. */
  readonly document: string
  /** `added` and `removed`: the document exists in one version only, and all its operations are changes. */
  readonly kind: 'compared' | 'added' | 'removed'
  /** Absent if a version cannot be read as OpenAPI. */
  readonly comparison: Comparison | undefined
  /** The number of errors of each version. With errors, the changes can be incomplete. */
  readonly errors: { readonly base: number; readonly revision: number }
}

interface CompareDocumentsOptions extends Pick<UpdateOptions, 'root' | 'documents' | 'directory'> {
  /** The date that `x-sunset` dates are compared with, as `YYYY-MM-DD`. */
  readonly today: string
  /** Replaces the settings of the revision, for example those of a fork. */
  readonly settings?: ChangesSetting
}

/** Both versions of the files. */
interface Versions {
  readonly base: UpdateEnvironment
  readonly revision: UpdateEnvironment
}

/**
 * Compares all documents of a docs directory in two versions of its files.
 *
 * Lists documents with changes, and those that cannot be compared, sorted by path. A document that was moved or renamed is one document.
 * Documents at URLs are left out, because they do not belong to a commit. Changes that the revision accepts are marked. A file with
 * accepted changes that has errors accepts none; a check of the docs directory reports them. Rejects only on disk errors.
 */
export async function compareDocuments(
  options: CompareDocumentsOptions,
  { base, revision }: Versions,
): Promise<{ readonly settings: ChangesSetting; readonly documents: readonly DocumentComparison[] }> {
  const after = await readDocuments(options, revision)
  const before = await readDocuments(options, base)
  const settings = options.settings ?? after.config.changes
  const found: DocumentComparison[] = []
  for (const pair of matchDocuments(before.documents, after.documents)) {
    if (pair.base && pair.revision && isEqual(pair.base, pair.revision)) continue
    const compared = await compareVersions(pair, { today: options.today, levels: settings.levels })
    const { comparison } = compared
    if (!comparison) found.push(compared)
    else if (comparison.changes.length > 0) {
      const document = relativePath(options.root, compared.document)
      const accepted = { revision: after.accepted.entries, base: before.accepted.entries, document }
      found.push({ ...compared, comparison: markAccepted(comparison, accepted) })
    }
  }
  return { settings, documents: found.sort((a, b) => (a.document < b.document ? -1 : 1)) }
}

/**
 * Whether documents can differ between two versions: a file of a document differs, or a data file that can be one or names one.
 *
 * @param changed Paths of all files that differ, relative to the boundary.
 */
export function concernsDocuments(changed: readonly string[], { documentFiles }: Pick<Update, 'documentFiles'>): boolean {
  const known = new Set(documentFiles.map(({ path }) => path))
  return changed.some((path) => known.has(path) || /\.(?:json|ya?ml)$/i.test(path))
}

async function readDocuments(options: CompareDocumentsOptions, environment: UpdateEnvironment) {
  const { root } = options
  const docsDirectory = await readDocsDirectory(root, environment)
  const extra = options.documents.map((path) => (isUrl(path) ? path : relativePath(root, path)))
  const divisions = listDeclaredDivisions(docsDirectory, extra, options)
  const { documents, config, accepted } = await surveyDocsDirectory(docsDirectory, divisions, extra, environment)
  return { config, accepted, documents: documents.filter(({ path, isLoaded }) => isLoaded && !isUrl(path)) }
}

/** A document in both versions. At least one is present. */
interface DocumentPair {
  readonly base: CheckedDocument | undefined
  readonly revision: CheckedDocument | undefined
}

/** Matches documents by path, then by title. If one document is left on each side, it was replaced or renamed. */
function matchDocuments(before: readonly CheckedDocument[], after: readonly CheckedDocument[]): readonly DocumentPair[] {
  const left = { before: [...before], after: [...after] }
  const pairs: DocumentPair[] = []
  const match = (isSame: (base: CheckedDocument, revision: CheckedDocument) => boolean) => {
    for (const base of [...left.before]) {
      const candidates = left.after.filter((revision) => isSame(base, revision))
      const [revision] = candidates
      if (!revision || candidates.length > 1) continue
      pairs.push({ base, revision })
      left.before.splice(left.before.indexOf(base), 1)
      left.after.splice(left.after.indexOf(revision), 1)
    }
  }
  match((base, revision) => base.path === revision.path)
  match((base, revision) => base.description !== undefined && base.description.title === revision.description?.title)
  if (left.before.length === 1 && left.after.length === 1) match(() => true)
  return [
    ...pairs,
    ...left.before.map((base) => ({ base, revision: undefined })),
    ...left.after.map((revision) => ({ base: undefined, revision })),
  ]
}

/** Whether all files of a document are the same in both versions. */
function isEqual(base: CheckedDocument, revision: CheckedDocument): boolean {
  const [before, after] = [base.check.sources, revision.check.sources]
  return base.path === revision.path && [...after].every(([file, { text }]) => before.get(file)?.text === text)
}

async function compareVersions(
  { base, revision }: DocumentPair,
  options: Parameters<typeof compare>[2],
): Promise<DocumentComparison> {
  const errors = { base: countErrors(base), revision: countErrors(revision) }
  const kind = !base ? 'added' : !revision ? 'removed' : 'compared'
  const document = (revision ?? base)?.path ?? ''
  const [before, after] = [base && toComparable(base.check), revision && toComparable(revision.check)]
  const isUnreadable = (base && !before) || (revision && !after)
  const existing = before ?? after
  if (isUnreadable || !existing) return { document, kind, comparison: undefined, errors }
  const found = compare(before ?? withoutOperations(existing), after ?? withoutOperations(existing), options)
  const none = new Map<string, SourceFile>()
  const sources = { base: base?.check.sources ?? none, revision: revision?.check.sources ?? none }
  return { document, kind, comparison: await placeInRevision(await locateChanges(found, sources), sources.revision), errors }
}

/** The counterpart of a document that exists in one version only. */
function withoutOperations({ root, ...others }: ComparableDescription): ComparableDescription {
  const value = { ...(root.value as object), paths: {}, webhooks: {} }
  return { ...others, root: { ...root, value } }
}

function countErrors(document: CheckedDocument | undefined): number {
  return (document?.findings ?? []).filter((finding) => severityOf(finding) === 'error').length
}
