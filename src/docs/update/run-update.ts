import { type Diagnostic, type Finding, formatCount, severityOf } from '../../diagnostics/diagnostic.ts'
import { applyRules, finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import { changedFiles, type Files } from '../../files/files.ts'
import { ConfigError } from '../../text/errors.ts'
import { compareText, listFirst } from '../../text/plain/lists.ts'
import { isUrl, joinPath, relativePath } from '../../text/plain/paths.ts'
import type { FileChange } from '../../text/plain/source-file.ts'
import { planAdoption } from '../adopt/plan-adoption.ts'
import { checkDivisions, checkIgnored, checkSchemaNames } from '../check/check-divisions.ts'
import { listSkipped, toDocumentReport } from '../check/check-documents.ts'
import { followDocuments, joinChanges } from '../check/follow-documents.ts'
import { addOrganizationFindings } from '../check/organization-rules.ts'
import { useBaseline } from '../check/run-check.ts'
import {
  type CheckLinks,
  checkBindings,
  checkEntries,
  missingDocsConfig,
  type Survey,
  surveyDocsDirectory,
} from '../check/survey-docs-directory.ts'
import { configFileNames, lockFileName } from '../config/config-files.ts'
import { settingOf } from '../config/project-config.ts'
import { readRedirects } from '../navigation/docs-config.ts'
import { locateFindings } from '../navigation/parse-docs-config.ts'
import { toPageFolder } from '../pages/generated-page.ts'
import { bindNavigation } from '../pages/listed-operations.ts'
import type { LockFile } from '../pages/lock-file.ts'
import type { DeclaredDivision, DescriptionIndex, PagePlan, PageReport } from '../pages/subjects.ts'
import { findStaleLinks, type KeyMoves, listPageMoves, planKeyMoves, planRedirects } from '../plan/moved-pages.ts'
import { type PageOutcome, planFileChanges } from '../plan/plan-file-changes.ts'
import { listEntryEdits, type NavigationPlan, planNavigation } from '../plan/plan-navigation.ts'
import { planPages } from '../plan/plan-pages.ts'
import { overrideRules } from '../read/find-docs.ts'
import { type DocsDirectory, emptyLock, readDocsDirectory } from '../read/read-docs-directory.ts'
import type {
  CheckTerms,
  DocsAccess,
  MaterializedDivision,
  OnProgress,
  PageRow,
  Reporting,
  StoredChange,
  Update,
  UpdateOptions,
  UpdateWithSources,
} from '../types.ts'
import { findLeftOutPages, findMassRemovals, gatherChanges, listNewPaths, readLineEndings } from './gather-changes.ts'
import { checkUnlistedOperations, listPageRows, type TablePlan, withOpenRows } from './page-table.ts'
import { planStoredDocuments } from './stored-documents.ts'
import { listDocumentFiles } from './update-results.ts'

/**
 * Plans an update. Writes nothing.
 *
 * Documents are independent: the pages of a document with errors are not updated, all others are. Rejects only on disk errors.
 */
export async function runUpdate(
  options: UpdateOptions,
  given: DocsAccess,
  terms: CheckTerms = {},
  { onProgress, checkDocuments }: Reporting = {},
  checkLinks?: CheckLinks,
): Promise<UpdateWithSources> {
  const { root } = options
  const shared = checkLinks ? { ...given, checkedDescriptions: given.checkedDescriptions ?? new Map() } : given
  const planned = await planUpdate(options, shared, terms, onProgress)
  const { access, survey, divisions, plan, files, keyMoves, navigation, found, changes, stored } = planned
  const pages = files.outcomes.map((outcome) => toPageReport(root, outcome))
  const documents = survey.documents.map(({ path, isValid, description, check }) => {
    return { path, isValid, description, files: [...check.sources.keys()] }
  })
  const callerFindings = (await checkDocuments?.(documents, pages)) ?? []
  const links = await checkLinks?.(survey, access, terms, { onProgress })
  const ofDocuments = [...found, ...callerFindings]
  const baseline = await applyBaseline([...ofDocuments, ...(links?.findings ?? [])], survey, access.files)
  const isOpenError = (finding: Finding) => severityOf(finding) === 'error' && !baseline.isKnown(finding)
  const sourceOf = (file: string) => survey.sourceOf(file) ?? links?.sourceOf(file)
  const { organization } = terms
  const complete = organization && (await addOrganizationFindings(baseline.left, survey.documents, organization))
  return {
    root,
    hasDocsConfig: survey.hasDocsConfig,
    hasAudiences: survey.config.site.audiences !== undefined,
    configPath: survey.configPath,
    documents: survey.documents.map((document) =>
      toDocumentReport(
        document,
        describePageLocations(divisions, document.source),
        baseline.isKnown,
        complete?.added.get(document),
      ),
    ),
    documentFiles: listDocumentFiles(documents),
    pages,
    materialized: toMaterialized(divisions, keyMoves.materialized, plan),
    navigation: { added: navigation.added, removed: navigation.removed },
    diagnostics: await finishDiagnostics(complete?.left ?? baseline.left, sourceOf),
    hasUnknownChanges: toFindings(ofDocuments, survey).some(isOpenError),
    changes,
    ...(options.stored === undefined ? {} : { stored }),
    ...(complete && { organizationFindings: complete.organizationFindings }),
    sourceOf,
    table: planned.rows,
  }
}

/**
 * Plans the updates of several docs directories, whose changes are written together.
 *
 * @throws {ConfigError} if two of them change the same file.
 */
export async function runUpdates(
  roots: readonly string[],
  options: Omit<UpdateOptions, 'root'>,
  access: DocsAccess,
  terms: CheckTerms,
  reporting: Reporting,
  checkLinks?: CheckLinks,
): Promise<readonly UpdateWithSources[]> {
  const planned: UpdateWithSources[] = []
  const rootOf = new Map<string, string>()
  for (const root of roots) {
    const update = await runUpdate({ ...options, root }, access, terms, reporting, checkLinks)
    for (const { path } of update.changes) {
      const other = rootOf.get(path)
      if (other !== undefined) {
        const message = `Cannot update \`${path}\`: the docs directories \`${other || '.'}\` and \`${root || '.'}\` both generate it`
        throw new ConfigError(message, {
          hint: 'Use a different `directory` for their divisions, or name only one of the docs directories',
        })
      }
      rootOf.set(path, root)
    }
    planned.push(update)
  }
  return planned
}

/** Completes diagnostics with the settings of the docs directory. */
export async function toDiagnostics(found: readonly Finding[], survey: Survey): Promise<Diagnostic[]> {
  return await finishDiagnostics(toFindings(found, survey), survey.sourceOf)
}

function toFindings(found: readonly Finding[], { docsConfig, config }: Survey): Finding[] {
  return applyRules(locateFindings(found, docsConfig), { severities: config.rules, ignores: config.ignore })
}

/** Applies the settings to findings, and removes those listed in the baseline. The pages that known errors stop are still not updated. */
export async function applyBaseline(
  found: readonly Finding[],
  survey: Survey,
  files: Files,
): Promise<{ readonly left: readonly Finding[]; readonly isKnown: (finding: Finding) => boolean }> {
  const findings = toFindings(found, survey)
  const { config, documents } = survey
  if (config.baseline === undefined) return { left: findings, isKnown: () => false }
  const use = { path: config.baseline, findings, checked: documents }
  const { isKnown, findings: baselineFindings } = await useBaseline(use, files)
  return { left: [...findings.filter((finding) => !isKnown(finding)), ...baselineFindings], isKnown }
}

/** Converts the planned outcome of a page for reports. */
function toPageReport(root: string, { edit: _, entry: __, leftFrom: ___, ...page }: PageOutcome): PageReport {
  return { ...page, document: isUrl(page.document) ? page.document : joinPath(root, page.document) }
}

/** Describes where the pages of a document go: `API Reference (api-reference/)`, `Webhooks (virtual)`, or only the folder if there is no division. */
export function describePageLocations(divisions: readonly DeclaredDivision[], source: string): string[] {
  return divisions.flatMap(({ mode, label, sources }) => {
    const found = sources.find((entry) => entry.source === source)
    if (!found || mode === 'listed') return []
    if (mode === 'virtual') return label === '' ? [] : `${label} (virtual)`
    const folder = `${toPageFolder(found.directory) || '.'}/`
    return label === '' ? folder : `${label} (${folder})`
  })
}

/** Lists divisions whose pages are generated for the first time, one entry per document. */
function toMaterialized(divisions: readonly DeclaredDivision[], ids: readonly string[], plan: PagePlan): MaterializedDivision[] {
  return divisions.flatMap(({ id, label, sources }) => {
    if (!ids.includes(id)) return []
    const groups = plan.divisions.find((division) => division.id === id)?.groups ?? []
    return sources.flatMap(({ source, directory }) => {
      const pageCount = groups.filter((group) => group.source === source).reduce((sum, { pages }) => sum + pages.length, 0)
      return pageCount === 0 ? [] : { label, source, directory: toPageFolder(directory), pageCount }
    })
  })
}

/** Returns the file whose navigation an update changes, relative to the boundary: `docs.json`, `mint.json`, or a file referenced by it. */
export function findEditedConfig({
  changes,
  pages,
  root,
  stored = [],
}: Pick<Update, 'changes' | 'pages' | 'root' | 'stored'>): string | undefined {
  const others = new Set([
    ...stored.map(({ path }) => path),
    ...[lockFileName, ...configFileNames].map((name) => joinPath(root, name)),
    ...pages.map(({ path }) => joinPath(root, path)),
  ])
  return changes.find(({ path }) => path.endsWith('.json') && !others.has(path))?.path
}

/** The complete plan of an update, from which the reports are created. */
export interface UpdatePlan extends Omit<TablePlan, 'replacementOf'> {
  /** See `followDocuments`. */
  readonly access: DocsAccess
  /** The lock file before the update. Empty if it is unusable. */
  readonly lock: LockFile
  readonly keyMoves: KeyMoves
  readonly navigation: NavigationPlan
  /** See `listPageRows`. */
  readonly rows: readonly PageRow[]
  /** All diagnostics, before rules and ignores are applied. */
  readonly found: readonly Finding[]
  readonly changes: readonly FileChange[]
  readonly stored: readonly StoredChange[]
}

/**
 * Plans the update of a docs directory. Writes nothing. Pages are planned from the documents to store, not from the files that they replace.
 *
 * @throws {ConfigError} if the file of a document to store cannot be read.
 */
export async function planUpdate(
  options: UpdateOptions,
  given: DocsAccess,
  terms: CheckTerms = {},
  onProgress?: OnProgress,
): Promise<UpdatePlan> {
  const { root } = options
  const isForSite = options.pagesFor === 'site' || options.pagesFor === 'document'
  const stored = (options.stored ?? []).filter((document) => document.root === root)
  const documentChanges = stored.length === 0 ? [] : await planStoredDocuments(stored, given.files)
  const withStored = documentChanges.length === 0 ? given : { ...given, files: changedFiles(given.files, documentChanges) }
  const extra = (options.documents ?? []).map((path) => (isUrl(path) ? path : relativePath(root, path)))
  const asRead = overrideSettings(await readDocsDirectory(root, withStored), options.onError, terms.rules)
  const followed = await followDocuments(asRead, withStored, terms)
  const { access } = followed
  // A damaged lock file is replaced by adopting the existing pages.
  const { docsDirectory } =
    followed.docsDirectory.lockFault === 'damaged'
      ? await adoptDocsDirectory(followed.docsDirectory, options, access, terms, onProgress)
      : followed
  const survey = await surveyDocsDirectory(docsDirectory, { ...options, extra, onProgress }, access, terms)
  const { divisions, lock = emptyLock } = survey
  onProgress?.('planning pages')
  const renames = options.renames ?? survey.config.renames
  const bound = bindNavigation(survey.docsConfig, divisions, survey.documents, survey.boundPages)
  const input = { ...toPlanInput(survey, bound, isForSite, renames), movedDocuments: access.movedDocuments ?? new Map() }
  const { plan, findings } = planPages(input)
  const planned = planFileChanges({ ...input, plan })
  const copies = new Set([...stored.map(({ path }) => path), ...survey.config.sources.map(({ to }) => to)])
  const removals =
    isForSite || (options.remove ?? survey.config.update.remove)
      ? []
      : findMassRemovals(survey, divisions, { ...planned, lockedPages: lock.pages }, (path) => copies.has(path))
  const stops = [...removals, ...(await findLeftOutPages(survey, planned.outcomes, access.git))]
  const files = stops.length === 0 ? planned : { ...planned, outcomes: [] }
  const keyMoves = planKeyMoves(survey.docsConfig, divisions, plan, { before: lock, pages: files.lockedPages })
  const navigation = planNavigation(survey.docsConfig, plan.divisions, files.outcomes)
  const redirects = planRedirects(survey.docsConfig, listPageMoves(files.outcomes))
  const edits = [...keyMoves.edits, ...navigation.edits, ...listEntryEdits(plan), ...redirects]
  // Pages of a site are not written to the repository.
  const endingOf = await readLineEndings(survey, listNewPaths(survey, files.outcomes), isForSite ? undefined : access.git)
  const gathered = gatherChanges(survey, files, edits, { divisions: keyMoves.divisions, unwritten: plan.unwritten }, endingOf)
  const ownChanges = joinChanges(followed.changes, gathered)
  // The rules of the docs directory can refuse a document that is valid in its own repository.
  const isRefused = (path: string) => survey.documents.some((document) => document.path === path && !document.isValid)
  const storing = documentChanges.filter(({ path }) => !isRefused(path))
  const changes = [...storing, ...ownChanges].sort((a, b) => compareText(a.path, b.path))
  const rows = listPageRows({
    survey,
    divisions: [...divisions, ...bound.entryDivisions],
    plan,
    files: planned,
    replacementOf: bound.replacementOf,
  })
  const found = [
    ...stops,
    ...followed.findings,
    ...survey.findings,
    ...bound.findings,
    ...findings,
    ...checkDivisions(survey, divisions),
    ...checkUnlistedOperations(rows, survey, divisions),
    ...checkSchemaNames(survey),
    ...reportSkipped(survey),
    // A broken binding is an error for a site, because the page lacks its API part. An update only warns about hand-edited pages.
    ...checkBindings(survey, isForSite ? 'error' : 'warning', listChangedPages(files.outcomes)),
    ...findStaleLinks(files.outcomes, survey.docsFiles.pages, survey.docsConfig, (path) => joinPath(root, path)),
    ...navigation.manuallyOrdered.map((pointer) => reportKeptOrder(survey, pointer)),
    ...(await checkEntries(survey, access.files, listSettledPaths(files.outcomes))),
    ...(isForSite || stops.length > 0 ? [] : await checkIgnored(survey, divisions, plan, access.git)),
    ...(survey.hasDocsConfig || divisions.length > 0 || extra.length > 0 ? [] : [await missingDocsConfig(survey, access.files)]),
  ]
  const update = {
    access,
    survey: { ...survey, documents: withOpenRows(survey.documents, rows) },
    divisions,
    lock,
    plan,
    files,
    keyMoves,
    navigation,
    rows,
    found,
    changes,
    stored: storing.flatMap((change) => toStoredChanges(change, stored)),
  }
  // A site shows every page, whatever the settings are.
  return (docsDirectory.hasConfigErrors && !isForSite) || stops.length > 0 ? withoutChanges(update) : update
}

/** What pages are planned from. */
function toPlanInput(survey: Survey, bound: ReturnType<typeof bindNavigation>, isForSite: boolean, renames: boolean) {
  const { lock = emptyLock } = survey
  return {
    divisions: isForSite ? [...survey.divisions.map(takeOver), ...bound.entryDivisions] : survey.divisions,
    descriptions: listDescriptions(survey.documents, lock),
    isAffected: toIsAffected(survey.documents),
    lockedPages: lock.pages,
    stateOf: survey.stateOf,
    otherPages: survey.otherPages,
    replacementOf: bound.replacementOf,
    entriesOf: isForSite ? bound.entriesOf : undefined,
    boundPages: survey.boundPages,
    unwritten: lock.unwritten,
    addsUnlisted: (division: DeclaredDivision) => settingOf(survey.config.unlisted, division) === 'add',
    textOf: (path: string) => survey.docsFiles.pages.get(path),
    redirects: readRedirects(survey.docsConfig),
    renames,
  }
}

/** A site makes the pages that adoption left to sites. */
function takeOver(division: DeclaredDivision): DeclaredDivision {
  const sources = division.sources.map(({ adopted, ...one }) => (adopted && !one.isLeftToSites ? { ...one, adopted } : one))
  return { ...division, sources }
}

/**
 * Adopts the bound pages of a docs directory that its lock file does not list. Treats a damaged lock file as empty, and returns the new one.
 *
 * A document may have errors as long as the operation of a page can be found in it.
 */
export async function adoptDocsDirectory(
  docsDirectory: DocsDirectory,
  options: Pick<UpdateOptions, 'directory' | 'materialize'>,
  access: DocsAccess,
  terms: CheckTerms,
  onProgress: OnProgress | undefined,
) {
  const before = docsDirectory.lockFault === 'damaged' ? { ...docsDirectory, lock: emptyLock } : docsDirectory
  const settings = { ...options, extra: [], pagesFor: 'adoption', onProgress } as const
  const survey = await surveyDocsDirectory(before, settings, access, terms)
  const { divisions } = survey
  if (!before.lock || !before.docsConfig) return { docsDirectory: before, survey, adoption: undefined }
  const adoption = planAdoption({
    docsConfig: before.docsConfig,
    divisions,
    lock: before.lock,
    descriptions: new Map(survey.documents.flatMap(({ source, index }) => (index ? [[source, index] as const] : []))),
    boundPages: survey.boundPages,
    config: before.config,
    textOf: (path) => survey.docsFiles.pages.get(path),
    replacementOf: bindNavigation(before.docsConfig, divisions, survey.documents, survey.boundPages).replacementOf,
  })
  return { docsDirectory: { ...before, lock: adoption.lock }, survey, adoption }
}

/** Removes all changes from a plan, for example if the configuration file has errors: a typo in `materialize` must not generate pages. */
function withoutChanges(update: UpdatePlan): UpdatePlan {
  return {
    ...update,
    files: { ...update.files, outcomes: [] },
    keyMoves: { ...update.keyMoves, materialized: [] },
    navigation: { ...update.navigation, added: 0, removed: 0 },
    changes: [],
    stored: [],
  }
}

/** Lists descriptions for planning. Skips a document with errors that affect all of it if the lock file has pages of it. */
function listDescriptions(documents: Survey['documents'], lock: LockFile): Map<string, DescriptionIndex> {
  const known = new Set(lock.pages.map(({ document }) => document))
  const usable = documents.filter(({ source, isValid, affected }) => isValid || affected || !known.has(source))
  return new Map(usable.flatMap(({ source, index }) => (index ? [[source, index] as const] : [])))
}

function toIsAffected(documents: Survey['documents']): (document: string, target: string) => boolean {
  const affected = new Map(documents.map((document) => [document.source, document.affected]))
  return (document, target) => {
    const parts = affected.get(document)
    return parts?.kind === 'subjects' && parts.findError(target) !== undefined
  }
}

function overrideSettings(docsDirectory: DocsDirectory, onError: UpdateOptions['onError'], rules: CheckTerms['rules']) {
  const config = overrideRules(docsDirectory.config, rules)
  return { ...docsDirectory, config: onError === undefined ? config : { ...config, update: { ...config.update, onError } } }
}

const namedSkips = 3

/** Reports the skipped operations of each document that is updated despite errors. */
function reportSkipped({ documents }: Survey): Finding[] {
  return documents.flatMap((document): Finding | [] => {
    const { path, affected, index } = document
    if (!affected) return []
    const code = 'operation-skipped'
    if (affected.kind === 'document') {
      const why = `Cannot update single operations of \`${path}\`: an error affects the whole document`
      return { code, message: why, file: path, pointer: '', related: [affected.error], hint: 'Fix this error first' }
    }
    const skipped = listSkipped(document)
    if (skipped.length === 0) return []
    const all = (index?.subjects ?? []).length
    const names = listFirst(skipped, namedSkips, (target) => `\`${target}\``)
    const errors = new Map(
      skipped.flatMap((target) => {
        const error = affected.findError(target)
        return error ? [[error, target] as const] : []
      }),
    )
    return {
      code,
      message: `Skipped ${skipped.length} of ${formatCount(all, 'operation')} because of errors: ${names}`,
      file: path,
      pointer: '',
      hint: 'Fix the errors to update their pages',
      related: [...errors].map(([error, target]) => ({ ...error, message: `affects \`${target}\`` })),
    }
  })
}

/** A changed copy, once for each document that it is a copy of. */
function toStoredChanges({ kind, path }: FileChange, stored: NonNullable<UpdateOptions['stored']>): StoredChange[] {
  const copied = stored.filter((document) => document.path === path)
  return copied.map(({ origin }) => ({ kind: kind === 'add' ? 'added' : 'modified', path, origin }))
}

/** The paths of pages whose entries the update writes, moves or removes. */
function listSettledPaths(outcomes: readonly PageOutcome[]): Set<string> {
  return new Set(outcomes.flatMap(({ path, movedFrom = path, leftFrom = path }) => [path, movedFrom, leftFrom]))
}

/** Lists the pages that an update modifies, moves or removes. */
function listChangedPages(outcomes: readonly PageOutcome[]): Set<string> {
  return new Set(outcomes.flatMap(({ path, edit, movedFrom }) => (edit ? [path, movedFrom ?? path] : [])))
}

function reportKeptOrder({ docsConfig }: Survey, pointer: string): Finding {
  return {
    code: 'order-kept',
    message: 'Cannot apply the new `order` or `methodOrder`: the entries were reordered manually',
    file: docsConfig?.source.path ?? '',
    pointer,
    on: 'key',
    hint: 'Reorder the entries manually. New entries are added next to their siblings',
  }
}
