import type { DocumentComparison } from '../../changes/change.ts'
import { joinPath, relativePath } from '../../text/plain/paths.ts'
import { isUrl } from '../../text/plain/urls.ts'
import { severityOf } from '../check/check-documents.ts'
import { surveyDocsDirectory } from '../check/survey-docs-directory.ts'
import { configFileNames } from '../config/config-files.ts'
import type { ChangesSetting } from '../config/project-config.ts'
import { listDocuments } from '../read/find-docs.ts'
import { type DocsDirectory, listDeclaredDivisions, readDocsDirectory } from '../read/read-docs-directory.ts'
import type { Update, UpdateEnvironment, UpdateOptions } from '../types.ts'
import type { DirectoryVersion, Versions } from './compare-versions.ts'

interface CompareDocumentsOptions extends Pick<UpdateOptions, 'root' | 'documents' | 'directory'> {
  /** The date that `x-sunset` dates are compared with, as `YYYY-MM-DD`. */
  readonly today: string
  /** Replaces the settings of the revision, for example those of a fork. */
  readonly settings?: ChangesSetting
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
  environments: Versions<UpdateEnvironment>,
): Promise<ComparedDocuments> {
  const { root, documents, directory, today } = options
  const versions = await readDocumentVersions({ roots: { base: root, revision: root }, documents, directory }, environments)
  for (const [name, { docsConfig }] of [['base', versions.base] as const, ['commit', versions.revision] as const]) {
    // Without the list of documents, all of them would be reported as added or removed.
    if (docsConfig === 'unreadable') return { kind: 'unreadable', reason: `the \`docs.json\` of the ${name} cannot be read` }
  }
  const settings = options.settings ?? versions.revision.settings
  const accepted = versions.base.accepted.entries
  // Most runs of the Action compare nothing.
  const { compareDocumentVersions } = await import('./compare-versions.ts')
  const compared = await compareDocumentVersions(versions, { today, settings, accepted })
  const notable = compared.filter(({ comparison }) => !comparison || comparison.changes.length > 0)
  const plain = notable.map(({ document, kind, comparison, errors, incomplete }) => {
    return { document, kind, comparison, errors, ...(incomplete && { incomplete }) }
  })
  return { kind: 'compared', settings, documents: plain }
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

interface ReadVersionsOptions extends Pick<UpdateOptions, 'documents' | 'directory'> {
  readonly roots: Versions<string>
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
  { roots, documents, directory }: ReadVersionsOptions,
  environments: Versions<UpdateEnvironment>,
): Promise<Versions<DirectoryVersion>> {
  const found = {
    base: await readDocsDirectory(roots.base, environments.base),
    revision: await readDocsDirectory(roots.revision, environments.revision),
  }
  const named = documents.map((path) => (isUrl(path) ? path : relativePath(roots.revision, path)))
  // If one version names its documents in a `docs.json`, the others of the other version are no additions or removals.
  const alone = new Set(named)
  for (const side of ['base', 'revision'] as const) {
    if (found[side].hasDocsConfig || documents.length > 0) continue
    const listed = await listDocuments(roots[side], environments[side])
    for (const path of listed.slice(0, maxDocuments)) alone.add(path)
  }
  const read = async (side: 'base' | 'revision') => await readVersion(found[side], [...alone], directory, environments[side])
  return { base: await read('base'), revision: await read('revision') }
}

async function readVersion(
  docsDirectory: DocsDirectory,
  extra: readonly string[],
  directory: string,
  environment: UpdateEnvironment,
): Promise<DirectoryVersion> {
  const { root, hasDocsConfig, docsConfig, accepted, config } = docsDirectory
  const divisions = listDeclaredDivisions(docsDirectory, extra, { directory })
  const { documents } = await surveyDocsDirectory(docsDirectory, divisions, extra, environment)
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
  }
}
