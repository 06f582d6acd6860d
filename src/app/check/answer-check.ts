import type { Diagnostic, Finding } from '../../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import { openOrganizationRules } from '../../docs/check/organization-rules.ts'
import { runCheck } from '../../docs/check/run-check.ts'
import { listDocuments } from '../../docs/read/find-docs.ts'
import { readDocsDirectory } from '../../docs/read/read-docs-directory.ts'
import type { OrganizationCheck } from '../../docs/types.ts'
import { runUpdate } from '../../docs/update/run-update.ts'
import { toUpdateReport } from '../../docs/update/update-results.ts'
import { planAcceptance } from '../../docs/versions/accept-changes.ts'
import { type ComparedDocuments, compareDocuments } from '../../docs/versions/compare-documents.ts'
import { createFetchDocument } from '../../files/fetch-document.ts'
import type { Files } from '../../files/files.ts'
import { createArchiveFiles, type UnpackedArchive } from '../../github/repositories/archives.ts'
import type { FetchDocument } from '../../openapi/types.ts'
import { defaultLimits } from '../../text/plain/limits.ts'
import { joinPath } from '../../text/plain/paths.ts'
import type { CheckedRepository, CheckRequest, OrganizationRequest, OrganizationResult } from './check-archive.ts'
import type { AcceptRequest, CompareRequest } from './compare-archives.ts'

/** The work of `check-child.ts`: reads untrusted documents. It has no secrets: no keys, no store and no connection to GitHub. */
export async function answerCheck(request: CheckRequest | CompareRequest | AcceptRequest): Promise<unknown> {
  const fetchDocument = createFetchDocument()
  if (request.task === 'check') {
    const { organization } = request
    const checkFiles: CheckFiles = async (unpacked, check) =>
      await checkRepository(request, { files: createArchiveFiles(unpacked), fetchDocument }, check)
    return organization ? await checkWithOrganization(request, organization, checkFiles) : await checkFiles(request)
  }
  const revision = createArchiveFiles(request.revision)
  const compared = await compareVersions(request, { base: createArchiveFiles(request.base), revision, fetchDocument })
  if (request.task === 'compare' || compared.kind === 'unreadable') return compared
  const { root, by } = request
  return await planAcceptance({ root, documents: compared.documents, by }, revision)
}

/** Maximum number of documents to check in a repository without `docs.json`. */
const documentLimit = 1_000

type CheckFiles = (unpacked: UnpackedArchive, organization?: OrganizationCheck) => Promise<CheckedFiles>

/** A check of one version of the files. */
interface CheckedFiles extends CheckedRepository {
  readonly organizationFindings?: readonly Finding[]
}

/** Checks a repository with its own rules and those of its organization. */
async function checkWithOrganization(
  request: CheckRequest,
  { name, path, today, base, ...ruleset }: OrganizationRequest,
  checkFiles: CheckFiles,
): Promise<CheckedRepository> {
  const rules = await openOrganizationRules(createArchiveFiles(ruleset), path, `\`${path}\` of \`${name}\``)
  const isNewOnly = rules.reportsOnlyNew(today)
  let known: readonly Finding[] | 'all' = []
  if (isNewOnly && base.kind === 'files') {
    const { organizationFindings = [] } = await checkFiles(base, rules.toCheck('all'))
    known = organizationFindings
  } else if (isNewOnly && base.kind !== 'none') known = 'all'
  const { organizationFindings = [], ...checked } = await checkFiles(request, rules.toCheck(known))
  if (checked.kind !== 'checked') return checked
  const { ruleCount, problems } = await rules.finish()
  const organization: OrganizationResult = {
    ruleCount,
    newOnlyUntil: rules.newOnlyUntil,
    isNewOnly,
    count: organizationFindings.length,
    problemCount: problems.length,
  }
  return { ...checked, organization }
}

/**
 * Checks a docs directory and plans the changes of `update`, without writing anything.
 *
 * Without a `docs.json`, it checks every OpenAPI document in the directory and plans nothing.
 */
async function checkRepository(
  { root, withChanges, github: baseSettings }: Pick<CheckRequest, 'root' | 'withChanges' | 'github'>,
  { files, fetchDocument }: { readonly files: Files; readonly fetchDocument: FetchDocument },
  organization?: OrganizationCheck,
): Promise<CheckedFiles> {
  // A repository must not raise the limits that protect the app.
  const access = { files, fetchDocument, limitCeilings: defaultLimits.values }
  const docsRoot = await readDocsDirectory(root, access)
  const { hasDocsConfig } = docsRoot
  const { site } = docsRoot.config
  const github = baseSettings ?? docsRoot.config.github
  const sources = new Map(docsRoot.sources.map((source) => [source.path, source]))
  const ownFindings = await finishDiagnostics(docsRoot.findings, (file) => sources.get(file))
  const finish = async (found: Partial<CheckedFiles> & { readonly unchangedPageCount?: number }) => {
    const { kind = 'checked', documents = [], pages = [], diagnostics = [], changes = [], unchangedPageCount = 0 } = found
    const { documentFiles = [], hasPages = false, organizationFindings } = found
    const report = await toUpdateReport({ documents, pages, diagnostics, unchangedPageCount }, files)
    const changeCount = changes.length
    const repository = { kind, hasDocsConfig, hasPages, github, site, documents, documentFiles }
    const kept = { ...repository, pages, diagnostics, report, changeCount, changes: withChanges ? changes : [] }
    return organizationFindings ? { ...kept, organizationFindings } : kept
  }
  if (github.check === 'off') return await finish({ kind: 'off', diagnostics: ownFindings })
  if (hasDocsConfig) {
    const update = await runUpdate({ root, documents: [], directory: '' }, access, { organization })
    // A repository without generated pages leaves them to the site, so pages that an update would add are no news.
    const hasPages = update.pages.some(({ kind }) => kind !== 'added')
    const pages = hasPages ? update.pages.filter(({ kind }) => kind !== 'unchanged') : []
    const unchangedPageCount = hasPages ? update.pages.length - pages.length : 0
    return await finish({ ...update, hasPages, pages, unchangedPageCount })
  }
  const documents = await listDocuments(root, { files })
  const entries = documents.slice(0, documentLimit).map((path) => joinPath(root, path))
  if (entries.length === 0) return await finish({ kind: 'nothing', diagnostics: ownFindings })
  const check = await runCheck({ entries }, access, { organization })
  const unchecked = await reportUncheckedDocuments(documents, root)
  // The check may have reported problems of the configuration file too.
  const reported = new Set(check.diagnostics.map(toKey))
  const own = ownFindings.filter((diagnostic) => !reported.has(toKey(diagnostic)))
  const documentFiles = check.documents.map(({ path, valid }) => ({ path, isValid: valid }))
  const { organizationFindings } = check
  return await finish({
    documents: check.documents,
    documentFiles,
    diagnostics: [...own, ...check.diagnostics, ...unchecked],
    ...(organizationFindings && { organizationFindings }),
  })
}

/** Compares all documents of a docs directory in two versions. */
async function compareVersions(
  { root, today, settings }: Pick<CompareRequest, 'root' | 'today' | 'settings'>,
  { base, revision, fetchDocument }: { readonly base: Files; readonly revision: Files; readonly fetchDocument: FetchDocument },
): Promise<ComparedDocuments> {
  const options = { root, documents: [], directory: '', today, ...(settings && { settings }) }
  const access = { fetchDocument, limitCeilings: defaultLimits.values }
  return await compareDocuments(options, { base: { ...access, files: base }, revision: { ...access, files: revision } })
}

function toKey({ code, file, pointer, message }: Diagnostic): string {
  return JSON.stringify([code, file, pointer, message])
}

/** Reports that documents over the limit were not checked. */
async function reportUncheckedDocuments(documents: readonly string[], root: string): Promise<Diagnostic[]> {
  if (documents.length <= documentLimit) return []
  const finding: Finding = {
    code: 'file-too-large',
    message: `Checked only the first ${documentLimit} of ${documents.length} documents`,
    file: joinPath(root, documents[documentLimit] ?? ''),
    pointer: '',
    hint: 'List the documents to check in a `docs.json`',
  }
  return await finishDiagnostics([finding], () => undefined)
}
