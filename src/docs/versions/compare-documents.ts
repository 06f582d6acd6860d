import { type AcceptedChange, type DocumentComparison, markAccepted } from '../../changes/change.ts'
import { type CompareDocumentOptions, compareDocument } from '../../changes/compare/compare.ts'
import { type Finding, severityOf } from '../../diagnostics/diagnostic.ts'
import { isUrl, joinPath, relativePath } from '../../text/plain/paths.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import type { ClientRecord } from '../../traffic/client-file.ts'
import { type SurveyOptions, surveyDocsDirectory } from '../check/survey-docs-directory.ts'
import { configFileNames } from '../config/config-files.ts'
import type { ChangesSetting, ComparisonSettings } from '../config/project-config.ts'
import { toClientsFolder } from '../config/traffic-settings.ts'
import { listDocuments } from '../read/find-docs.ts'
import { findClientsFolder, readClients } from '../read/read-clients.ts'
import { type AcceptedFile, type DocsDirectory, readDocsDirectory } from '../read/read-docs-directory.ts'
import type { CheckedDocument, CheckTerms, DocsAccess, OnProgress, UpdateOptions } from '../types.ts'

export interface CompareDocumentsOptions extends Pick<UpdateOptions, 'root' | 'documents' | 'directory'> {
  /** The date that `x-sunset` dates are compared with, as `YYYY-MM-DD`. */
  readonly today: string
  /** Replaces the settings of the revision, for example those of a fork. */
  readonly settings?: ChangesSetting | undefined
}

/** The result of comparing a docs directory. Plain data. */
export type ComparedDocuments =
  | { readonly kind: 'compared'; readonly settings: ChangesSetting; readonly documents: readonly DocumentComparison[] }
  /** `reason` is a clause. */
  | { readonly kind: 'unreadable'; readonly reason: string }

/**
 * Compares all documents of a docs directory in two versions of its files.
 *
 * Lists documents with changes, and those that cannot be compared, sorted by path. See {@link readDocumentVersions} for the documents and
 * `compareDocumentVersions` for the changes. A file with accepted changes that has errors accepts none; a check of the docs directory
 * reports them. Rejects only on disk errors.
 */
export async function compareDocuments(
  options: CompareDocumentsOptions,
  access: Versions<DocsAccess>,
): Promise<ComparedDocuments> {
  const { root, documents, directory, today } = options
  const versions = await readDocumentVersions({ roots: { base: root, revision: root }, documents, directory }, access)
  for (const [name, { docsConfig }] of [['base', versions.base] as const, ['commit', versions.revision] as const]) {
    // Without the list of documents, all of them would be reported as added or removed.
    if (docsConfig === 'unreadable') return { kind: 'unreadable', reason: `the \`docs.json\` of the ${name} cannot be read` }
  }
  const settings = options.settings ?? versions.revision.settings
  const accepted = versions.base.accepted.entries
  const compared = await compareDocumentVersions(versions, { today, settings, accepted })
  const notable = compared.filter(({ comparison }) => !comparison || comparison.changes.length > 0)
  return { kind: 'compared', settings, documents: notable.map(({ base: _, revision: __, ...plain }) => plain) }
}

/** Maximum number of documents in a directory without `docs.json`. */
const maxDocuments = 1_000

/**
 * Reads the documents of a docs directory in two versions: those that `docs.json` and `documents` name, and those that pages are bound to.
 *
 * Without `documents`, a version without a `docs.json` has all OpenAPI documents below the directory. Documents at URLs are left out, because they do not belong to
 * a commit.
 */
export async function readDocumentVersions(
  { roots, documents = [], directory }: Pick<UpdateOptions, 'documents' | 'directory'> & { readonly roots: Versions<string> },
  access: Versions<DocsAccess>,
  onProgress?: OnProgress,
  terms?: Versions<CheckTerms>,
): Promise<Versions<DirectoryVersion>> {
  const found = {
    base: await readDocsDirectory(roots.base, access.base),
    revision: await readDocsDirectory(roots.revision, access.revision),
  }
  const named = documents.map((path) => (isUrl(path) ? path : relativePath(roots.revision, path)))
  // If one version names its documents in a `docs.json`, the others of the other version are no additions or removals.
  const alone = new Set(named)
  for (const side of ['base', 'revision'] as const) {
    if (found[side].hasDocsConfig || documents.length > 0) continue
    const listed = await listDocuments(roots[side], access[side])
    for (const path of listed.slice(0, maxDocuments)) alone.add(path)
  }
  const read = (side: 'base' | 'revision') =>
    readVersion(found[side], { directory, extra: [...alone], onProgress }, access[side], terms?.[side])
  return { base: await read('base'), revision: await read('revision') }
}

async function readVersion(
  docsDirectory: DocsDirectory,
  options: SurveyOptions,
  access: DocsAccess,
  terms?: CheckTerms,
): Promise<DirectoryVersion> {
  const { root, hasDocsConfig, docsConfig, accepted, config } = docsDirectory
  // A comparison reads no recordings: they say nothing about another version.
  const { documents } = await surveyDocsDirectory(docsDirectory, options, access, { ...terms, traffic: { recordings: [] } })
  const settingFiles = [accepted.path, ...configFileNames.map((name) => joinPath(root, name))]
  const isUnreadable = hasDocsConfig && !docsConfig
  const findings = docsDirectory.findings.filter((finding) => isUnreadable || settingFiles.includes(finding.file))
  return {
    root,
    documents: documents.filter(({ path, isLoaded }) => isLoaded && !isUrl(path)),
    settings: config.changes,
    accepted,
    docsConfig: isUnreadable ? 'unreadable' : hasDocsConfig ? 'read' : 'missing',
    findings: findings.filter((finding) => severityOf(finding) === 'error'),
    sources: docsDirectory.sources,
    clients: await readClients(toClientsFolder(config.traffic, root), access.files),
  }
}

/** The recorded clients of one document. */
export async function readClientsOf(path: string, config: Parameters<typeof findClientsFolder>[1], { files }: DocsAccess) {
  return isUrl(path) ? [] : await readClients(await findClientsFolder(path, config, files), files)
}

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
  readonly clients: readonly ClientRecord[]
}

/** A document in both versions. At least one is present. */
type DocumentPair = Versions<DocumentVersion | undefined>

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
  { base, revision }: Versions<Pick<DirectoryVersion, 'root' | 'documents' | 'accepted' | 'clients'>>,
  options: CompareVersionsOptions,
): Promise<readonly (DocumentComparison & DocumentPair)[]> {
  const compared: (DocumentComparison & DocumentPair)[] = []
  for (const pair of matchDocuments(base, revision)) {
    const errors = { base: countErrors(pair.base), revision: countErrors(pair.revision) }
    const clients = { base: base.clients, revision: revision.clients }
    const { comparison, ...found } = await compareDocument(pair, errors, { ...options, ...options.settings, clients })
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
