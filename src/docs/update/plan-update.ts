import { type Finding, formatCount } from '../../diagnostics/diagnostic.ts'
import { changedFiles } from '../../files/files.ts'
import { compareText } from '../../text/plain/lists.ts'
import { joinPath, relativePath } from '../../text/plain/paths.ts'
import type { FileChange } from '../../text/plain/source-file.ts'
import { isUrl } from '../../text/plain/urls.ts'
import { checkDivisions, checkIgnored, checkSchemaNames } from '../check/check-divisions.ts'
import { checkBindings, checkEntries, missingDocsConfig } from '../check/check-docs-directory.ts'
import { listSkipped } from '../check/check-documents.ts'
import { type Survey, surveyDocsDirectory } from '../check/survey-docs-directory.ts'
import { settingOf } from '../config/project-config.ts'
import { readRedirects } from '../navigation/redirects.ts'
import { bindNavigation } from '../pages/bind-navigation.ts'
import type { LockFile } from '../pages/lock-file.ts'
import type { DeclaredDivision, DescriptionIndex, PagePlan } from '../pages/types.ts'
import { type KeyMoves, planKeyMoves } from '../plan/materialize-divisions.ts'
import {
  findBrokenRedirects,
  findMovedLinks,
  findRemovedLinks,
  type PageMove,
  planRedirects,
  toUrlPath,
} from '../plan/moved-pages.ts'
import { type PageOutcome, type PlannedFileChanges, planFileChanges } from '../plan/plan-file-changes.ts'
import { type NavigationPlan, planNavigation } from '../plan/plan-navigation.ts'
import { planPages } from '../plan/plan-pages.ts'
import { overrideRules } from '../read/read-config.ts'
import { type DocsDirectory, emptyLock, listDeclaredDivisions, readDocsDirectory } from '../read/read-docs-directory.ts'
import type { StoredChange, UpdateEnvironment, UpdateOptions } from '../types.ts'
import { rebuildLock } from './adopt-docs-directory.ts'
import { gatherChanges, listNewPaths, readLineEndings } from './gather-changes.ts'
import { findLeftOutPages, findMassRemovals } from './stop-update.ts'
import { planStoredDocuments } from './stored-documents.ts'

/** The complete plan of an update, from which the reports are created. */
export interface UpdatePlan {
  readonly survey: Survey
  readonly divisions: readonly DeclaredDivision[]
  /** The lock file before the update. Empty if it is unusable. */
  readonly lock: LockFile
  readonly plan: PagePlan
  readonly files: PlannedFileChanges
  readonly keyMoves: KeyMoves
  readonly navigation: NavigationPlan
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
export async function planUpdate(options: UpdateOptions, surroundings: UpdateEnvironment): Promise<UpdatePlan> {
  const { root } = options
  const isForSite = options.pagesFor === 'site' || options.pagesFor === 'document'
  const stored = (options.stored ?? []).filter((document) => document.root === root)
  const documentChanges = await planStoredDocuments(stored, surroundings.files)
  const environment =
    documentChanges.length === 0 ? surroundings : { ...surroundings, files: changedFiles(surroundings.files, documentChanges) }
  const extra = options.documents.map((path) => (isUrl(path) ? path : relativePath(root, path)))
  const docsDirectory = overrideSettings(
    await rebuildLock(await readDocsDirectory(root, environment), options, environment),
    options,
    environment,
  )
  const divisions = listDeclaredDivisions(docsDirectory, extra, options)
  const survey = await surveyDocsDirectory(docsDirectory, divisions, extra, environment, options.pagesFor)
  const lock = survey.lock ?? emptyLock

  environment.onProgress?.('planning pages')
  const bound = bindNavigation(survey.docsConfig, divisions, survey.documents, survey.boundPages)
  const { plan, findings } = planPages({
    divisions,
    descriptions: listDescriptions(survey.documents, lock),
    isAffected: toIsAffected(survey.documents),
    lockedPages: lock.pages,
    stateOf: survey.stateOf,
    otherPages: survey.otherPages,
    replacementOf: bound.replacementOf,
    boundPages: survey.boundPages,
    unwritten: lock.unwritten,
    addsUnlisted: (division) => settingOf(docsDirectory.config.unlisted, division) === 'add',
    textOf: (path) => survey.docsFiles.pages.get(path),
    redirects: readRedirects(survey.docsConfig),
    renames: options.renames ?? survey.config.renames,
  })
  const planned = planFileChanges({
    plan,
    lockedPages: lock.pages,
    stateOf: survey.stateOf,
    textOf: (path) => survey.docsFiles.pages.get(path),
  })
  const copies = new Set([...stored.map(({ path }) => path), ...survey.config.sources.map(({ to }) => joinPath(root, to))])
  const removals =
    isForSite || (options.remove ?? survey.config.update.remove)
      ? []
      : findMassRemovals(survey, divisions, { ...planned, lockedPages: lock.pages }, (path) => copies.has(path))
  const stops = [...removals, ...(await findLeftOutPages(survey, environment))]
  const files = stops.length === 0 ? planned : { ...planned, outcomes: [] }
  const keyMoves = planKeyMoves(survey.docsConfig, divisions, plan, { before: lock, pages: files.lockedPages })
  const navigation = planNavigation(survey.docsConfig, plan.divisions, files.outcomes)
  const addressMoves = toAddressMoves(files.outcomes)
  const redirects = planRedirects(survey.docsConfig, addressMoves)
  const edits = [...keyMoves.edits, ...navigation.edits, ...redirects]
  const endingOf = await readLineEndings(
    survey,
    listNewPaths(survey, files.outcomes),
    // Pages of a site are not written to the repository.
    isForSite ? {} : environment,
  )
  const ownChanges = gatherChanges(survey, files, edits, { divisions: keyMoves.divisions, unwritten: plan.unwritten }, endingOf)
  // The rules of the docs directory can refuse a document that is valid in its own repository.
  const isRefused = (path: string) => survey.documents.some((document) => document.path === path && !document.isValid)
  const storing = documentChanges.filter(({ path }) => !isRefused(path))
  const changes = storing.length === 0 ? ownChanges : [...storing, ...ownChanges].sort((a, b) => compareText(a.path, b.path))
  const storedChanges = storing.flatMap(({ kind, path }): StoredChange[] =>
    stored
      .filter((document) => document.path === path)
      .map(({ origin }) => ({ kind: kind === 'add' ? 'added' : 'modified', path, origin })),
  )

  const found = [
    ...stops,
    ...survey.findings,
    ...bound.findings,
    ...findings,
    ...checkDivisions(survey, divisions, bound.replacementOf),
    ...checkSchemaNames(survey),
    ...reportSkipped(survey),
    // A broken binding is an error for a site, because the page lacks its API part. An update only warns about hand-edited pages.
    ...checkBindings(survey, isForSite ? 'error' : 'warning', listChangedPages(files.outcomes)),
    ...findBrokenRedirects(survey.docsConfig, files.outcomes),
    ...findRemovedLinks(files.outcomes, survey.docsFiles.pages, survey.docsConfig, (path) => joinPath(root, path)),
    ...findMovedLinks(addressMoves, survey.docsFiles.pages, survey.docsConfig, (path) => joinPath(root, path)),
    ...navigation.manuallyOrdered.map((pointer) => reportKeptOrder(survey, pointer)),
    ...(await checkEntries(survey, environment.files, new Set(files.outcomes.map(({ path }) => path)))),
    ...(await checkIgnored(survey, divisions, plan, environment)),
    ...(survey.hasDocsConfig || divisions.length > 0 || extra.length > 0
      ? []
      : [await missingDocsConfig(survey, environment.files)]),
  ]
  const update = { survey, divisions, lock, plan, files, keyMoves, navigation, found, changes, stored: storedChanges }
  // A site shows every page, whatever the settings are.
  return (docsDirectory.hasConfigErrors && !isForSite) || stops.length > 0 ? withoutChanges(update) : update
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

function overrideSettings(docsDirectory: DocsDirectory, { onError }: UpdateOptions, { rules }: UpdateEnvironment): DocsDirectory {
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
      const { file, pointer, offsets, message } = affected.error
      const related = { file, pointer, ...(offsets ? { offsets } : {}), message }
      const why = `Cannot update single operations of \`${path}\`: an error affects the whole document`
      return { code, message: why, file: path, pointer: '', related: [related], hint: 'Fix this error first' }
    }
    const skipped = listSkipped(document)
    if (skipped.length === 0) return []
    const all = (index?.subjects ?? []).length
    const names = skipped.slice(0, namedSkips).map((target) => `\`${target}\``)
    const more = skipped.length > names.length ? ` and ${skipped.length - names.length} more` : ''
    const errors = new Map(
      skipped.flatMap((target) => {
        const error = affected.findError(target)
        return error ? [[error, target] as const] : []
      }),
    )
    return {
      code,
      message: `Skipped ${skipped.length} of ${formatCount(all, 'operation')} because of errors: ${names.join(', ')}${more}`,
      file: path,
      pointer: '',
      hint: 'Fix the errors to update their pages',
      related: [...errors].map(([{ file, pointer, offsets }, target]) => {
        return { file, pointer, ...(offsets ? { offsets } : {}), message: `affects \`${target}\`` }
      }),
    }
  })
}

/** Lists the pages that an update modifies, moves or removes. */
function listChangedPages(outcomes: readonly PageOutcome[]): Set<string> {
  return new Set(outcomes.flatMap(({ path, edit, movedFrom }) => (edit ? [path, movedFrom ?? path] : [])))
}

function toAddressMoves(outcomes: readonly PageOutcome[]): PageMove[] {
  return outcomes.flatMap(({ path, movedFrom }) =>
    movedFrom === undefined ? [] : { from: toUrlPath(movedFrom), to: toUrlPath(path) },
  )
}

function reportKeptOrder({ docsConfig }: Survey, pointer: string): Finding {
  return {
    code: 'order-kept',
    message: 'Cannot apply the new `order`: the entries were reordered manually',
    file: docsConfig?.source.path ?? '',
    pointer,
    on: 'key',
    hint: 'Reorder the entries manually. New entries are added next to their siblings',
  }
}
