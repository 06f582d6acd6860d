import type { Finding, Severity } from '../../diagnostics/diagnostic.ts'
import type { Files } from '../../files/files.ts'
import { pointerChild } from '../../text/json/json-values.ts'
import { getOrMake } from '../../text/plain/lists.ts'
import { baseName, isAround, joinPath, parentPath, relativePath } from '../../text/plain/paths.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import { suggest } from '../../text/plain/suggest.ts'
import { lockFileName } from '../config/config-files.ts'
import { findUnknownRules } from '../config/rule-settings.ts'
import { type DocsConfig, listEntries, listSources, type PageEntry } from '../navigation/docs-config.ts'
import { findNamed, resolveBindingFile } from '../pages/binding-files.ts'
import { followMovedPages, recoverPages } from '../pages/follow-moved-pages.ts'
import { findSnippets, toPagePath, withoutPageExtension } from '../pages/generated-page.ts'
import { contentHash, type LockedPage, type LockFile } from '../pages/lock-file.ts'
import {
  checkPageBinding,
  type PageBindingReading,
  type ResolvedBinding,
  type ResolvePageBinding,
  readPageBinding,
  resolveBinding,
} from '../pages/page-bindings.ts'
import { type BoundOperation, type DeclaredDivision, type LockedPageState, toSchemaTarget } from '../pages/subjects.ts'
import { filterDocuments, findDocsConfigAbove, toFailure } from '../read/find-docs.ts'
import {
  type DocsDirectory,
  type DocsFiles,
  listDeclaredDivisions,
  listNamedPages,
  readPages,
} from '../read/read-docs-directory.ts'
import type {
  CheckedDocument,
  CheckTerms,
  DocsAccess,
  OnProgress,
  PagesFor,
  Reporting,
  TrafficCounts,
  UpdateOptions,
} from '../types.ts'
import { checkMissingEntries, checkPageUrls, checkRepeatedEntries } from './check-divisions.ts'
import { createDocumentChecks } from './check-documents.ts'
import { createBranchSources, discoverDocuments, findOverlays } from './discover-documents.ts'
import { findBasePath } from './find-base-path.ts'

/** Everything read from a docs directory, the input for planning. */
export interface Survey extends DocsDirectory {
  /** Pages by path relative to the docs directory, and possible documents. */
  readonly docsFiles: DocsFiles
  readonly divisions: readonly DeclaredDivision[]
  /** Every document that is named somewhere or that a page is bound to. */
  readonly documents: readonly CheckedDocument[]
  /** `documents`, and every other document examined for a binding without a file. */
  readonly bindableDocuments: readonly CheckedDocument[]
  readonly stateOf: (page: LockedPage) => LockedPageState
  /** The bindings of all pages except unchanged generated ones. */
  readonly readings: ReadonlyMap<string, PageBindingReading>
  /** What they mean, if they can be read. */
  readonly resolutions: ReadonlyMap<string, ResolvedBinding>
  /** What the binding of a page means. The only answer to this question. */
  readonly resolve: ResolvePageBinding
  /** Pages outside the lock file that are bound to an operation or schema. */
  readonly boundPages: ReadonlyMap<string, BoundOperation>
  /** Snippets and ignored files, which are not pages themselves. */
  readonly notPages: ReadonlySet<string>
  /** Texts of the pages outside the lock file, by path. */
  readonly otherPages: ReadonlyMap<string, string>
  readonly sourceOf: (file: string) => SourceFile | undefined
  /** Absent without recordings. */
  readonly traffic: TrafficCounts | undefined
}

export interface SurveyOptions extends Pick<UpdateOptions, 'directory' | 'materialize'> {
  /** Documents besides those that are named in files, relative to the docs directory. */
  readonly extra: readonly string[]
  readonly pagesFor?: PagesFor | undefined
  readonly onProgress?: OnProgress | undefined
}

/** What a build finds. `documents`: with what the pages of the site leave open. */
export interface DocsDirectoryLinks {
  readonly documents: readonly CheckedDocument[]
  readonly findings: readonly Finding[]
  readonly sourceOf: (file: string) => SourceFile | undefined
}

/** Checks what a build checks in the files of a docs directory. Needs the site, so the caller provides it. */
export type CheckLinks = (
  survey: Survey,
  access: DocsAccess,
  terms: CheckTerms,
  reporting: Reporting,
) => Promise<DocsDirectoryLinks>

/** Reads the documents of a docs directory, its pages and their bindings. */
export async function surveyDocsDirectory(
  given: DocsDirectory,
  { extra, pagesFor, onProgress, ...settings }: SurveyOptions,
  access: DocsAccess,
  terms: CheckTerms = {},
): Promise<Survey> {
  const { root } = given
  const { files } = access
  onProgress?.('reading pages')
  const docsFiles = await readPages(
    root,
    { known: (given.lock?.pages ?? []).map(({ path }) => path), named: listNamedPages(given.docsConfig) },
    files,
    given.config.limits,
  )
  // A page that is there is not deleted: it was restored, or recorded as deleted by an update of an incomplete checkout.
  const isRight = ({ hash, path }: LockedPage) => hash !== undefined || !docsFiles.pages.has(path)
  const leftOut = new Set([...findSnippets(docsFiles.pages), ...docsFiles.ignored])
  const right = given.lock && { ...given.lock, pages: given.lock.pages.filter(isRight) }
  const followed = right && followMovedPages(right, given.docsConfig, docsFiles.pages, (path) => !leftOut.has(path))
  const docsDirectory = { ...given, lock: followed }
  const divisions = listDeclaredDivisions(docsDirectory, extra, settings)
  const found = docsDirectory.docsConfig && findBasePath(docsDirectory.docsConfig, docsFiles, docsDirectory.configPath)
  const overlays = await findOverlays(root, docsDirectory.docsConfig, docsFiles.documents, files, terms.overlays)
  const isForSite = pagesFor === 'site' || pagesFor === 'document'
  const withPages = divisions.flatMap(({ mode, sources }) =>
    sources.filter(({ adopted }) => isForSite || mode === 'automatic' || adopted).map(({ source }) => source),
  )
  const hasPages = (source: string) => withPages.includes(source)
  const options = { pagesFor, overlaysOf: overlays.of, hasPages, onProgress }
  const checks = createDocumentChecks(root, access, docsDirectory.config, terms, options)
  const names = listDocumentNames(docsDirectory, divisions, extra)
  for (const { source } of names) await checks.check(source, 'named')
  const stateOf = createStateOf(docsFiles)
  const known = new Set((followed?.pages ?? []).map(({ path }) => path))
  const notPages = new Set([...leftOut].filter((path) => !known.has(path)))
  const readings = readBindings(followed, docsFiles, stateOf, notPages)
  const ofBranch = createBranchSources(docsDirectory.docsConfig, divisions)
  const dataFiles = new Set(docsFiles.documents)
  const resolve: ResolvePageBinding = (binding, page) =>
    resolveBinding(resolveBindingFile(binding, page, dataFiles), [...checks.documents.values()], page, ofBranch(page))
  await discoverDocuments(docsDirectory, readings, docsFiles.documents, checks, files, resolve)
  const traffic = await checks.compareTraffic()
  const bindableDocuments = [...checks.documents.values()]
  const resolved = resolveBindings(readings, bindableDocuments, resolve)
  const { docsConfig } = docsDirectory
  const onDisk = { docsConfig, divisions, documents: resolved.documents, shown: resolved.shown, pages: docsFiles.pages }
  const lock = followed && pagesFor !== 'adoption' ? recoverPages(followed, onDisk) : followed
  const recorded = new Set((lock?.pages ?? []).map(({ path }) => path))
  const documents = resolved.documents.map((document) => {
    const isNamed = names.some(({ source, location }) => source === document.source && location !== undefined)
    if (document.isLoaded || !isNamed) return document
    return { ...document, findings: reportFailureAtName(document, names, docsFiles, docsDirectory) }
  })
  const ownFindings = documents
    .flatMap(({ findings }) => findings)
    .map((finding) => {
      // An overlay that cannot be read is reported where it is named.
      const location = checks.sources.has(finding.file) ? undefined : overlays.locations.get(finding.file)
      return location ? { ...finding, ...location } : finding
    })
  const unknownRules =
    checks.ruleNames === undefined ? [] : findUnknownRules(docsDirectory.config.rules, docsDirectory.configPath, checks.ruleNames)
  const sources = new Map([...docsDirectory.sources.map((source) => [source.path, source] as const), ...checks.sources])
  return {
    ...docsDirectory,
    lock,
    ...(found && { docsConfig: found.docsConfig }),
    findings: [
      ...docsDirectory.findings,
      ...(found?.findings ?? []),
      ...unknownRules,
      ...overlays.findings,
      ...docsFiles.unreadConfigs,
      ...docsFiles.faults,
      ...ownFindings,
      ...(traffic?.unread ?? []),
    ],
    traffic: traffic?.counts,
    docsFiles,
    divisions,
    documents,
    bindableDocuments,
    stateOf,
    readings,
    resolutions: resolved.resolutions,
    resolve,
    boundPages: new Map([...resolved.shown].filter(([path]) => !recorded.has(path))),
    notPages,
    otherPages: new Map([...docsFiles.pages].filter(([path]) => !recorded.has(path))),
    sourceOf: (file) => sources.get(file) ?? toPageSource(root, file, (path) => docsFiles.pages.get(path)),
  }
}

/** The name of a document and its location in a file. */
interface DocumentName {
  readonly source: string
  readonly location: { readonly file: string; readonly pointer: string; readonly hint?: string } | undefined
}

function listDocumentNames(
  { root, docsConfig }: DocsDirectory,
  divisions: readonly DeclaredDivision[],
  extra: readonly string[],
): DocumentName[] {
  const file = docsConfig?.source.path ?? ''
  const fromConfig = listSources(docsConfig).map(({ source, pointer }) => ({ source, location: { file, pointer } }))
  const fromExtra = extra.map((source) => ({ source, location: undefined }))
  const known = new Set([...fromConfig, ...fromExtra].map(({ source }) => source))
  const hint = 'Add `openapi` with the new path to the division, or remove the division'
  const fromLock = divisions.flatMap(({ lockedId, sources }) => {
    const location = { file: joinPath(root, lockFileName), pointer: pointerChild('/divisions', lockedId), hint }
    return sources.filter(({ source }) => !known.has(source)).map(({ source }) => ({ source, location }))
  })
  return [...fromConfig, ...fromExtra, ...fromLock]
}

function createStateOf({ pages }: DocsFiles): (page: LockedPage) => LockedPageState {
  const states = new Map<string, LockedPageState>()
  return ({ path, hash }) =>
    getOrMake(states, path, () => {
      const text = pages.get(path)
      if (hash === undefined) return 'deleted'
      if (text === undefined) return 'missing'
      return contentHash(text) === hash ? 'untouched' : 'edited'
    })
}

function readBindings(
  lock: LockFile | undefined,
  { pages, documents }: DocsFiles,
  stateOf: Survey['stateOf'],
  notPages: ReadonlySet<string>,
): Map<string, PageBindingReading> {
  // Report an adopted page without an operation even if it is unchanged.
  const settled = (lock?.pages ?? []).filter((page) => page.keep !== true && stateOf(page) === 'untouched')
  const untouched = new Set(settled.map(({ path }) => path))
  const known = new Set(documents)
  const readings = new Map<string, PageBindingReading>()
  for (const [path, text] of pages) {
    const reading = untouched.has(path) || notPages.has(path) ? undefined : readPageBinding(text)
    if (reading?.kind === 'bound') readings.set(path, { ...reading, binding: resolveBindingFile(reading.binding, path, known) })
    else if (reading && reading.kind !== 'none') readings.set(path, reading)
  }
  return readings
}

/** Resolves the bindings of all pages. Keeps only documents that are named or that a page is bound to. */
function resolveBindings(
  readings: ReadonlyMap<string, PageBindingReading>,
  all: readonly CheckedDocument[],
  resolve: ResolvePageBinding,
): Pick<Survey, 'documents' | 'resolutions'> & { readonly shown: ReadonlyMap<string, BoundOperation> } {
  const shown = new Map<string, BoundOperation>()
  const resolutions = new Map<string, ResolvedBinding>()
  const used = new Set<string>()
  const sources = new Set(all.map(({ source }) => source))
  for (const [path, reading] of readings) {
    if (reading.kind !== 'bound') continue
    const { file } = reading.binding
    for (const source of file === undefined ? [] : findNamed(file, sources)) used.add(source)
    const resolved = resolve(reading.binding, path)
    resolutions.set(path, resolved)
    if (resolved.kind === 'operation' || resolved.kind === 'schema') used.add(resolved.source)
    if (resolved.kind === 'ambiguous') for (const source of resolved.sources) used.add(source)
    if (resolved.kind === 'missing' || resolved.kind === 'unknown')
      for (const { source, isValid } of all) if (file === undefined && (!isValid || isAround(source, path))) used.add(source)
    // Nothing is certain about a document with errors.
    if (!('source' in resolved) || !all.some(({ source, index }) => source === resolved.source && index)) continue
    if (resolved.kind === 'operation') shown.set(path, { source: resolved.source, target: resolved.subject.target })
    if (resolved.kind === 'schema') shown.set(path, { source: resolved.source, target: toSchemaTarget(resolved.name) })
  }
  return { documents: all.filter(({ isNamed, source }) => isNamed || used.has(source)), resolutions, shown }
}

/** Reports an unreadable document at the locations where it is named. */
function reportFailureAtName(
  { path, source, findings }: CheckedDocument,
  names: readonly DocumentName[],
  { documents }: DocsFiles,
  { config, configPath }: DocsDirectory,
): Finding[] {
  const failure = findings[0]
  if (!failure) return []
  const name = baseName(source)
  const near = documents.find((path) => path.endsWith(`/${name}`) || path === name) ?? suggest(source, documents)
  const isCopy = config.sources.some(({ to }) => to === path)
  const toAdd =
    near === undefined
      ? `Add the file, or correct the path. If another repository contains it, name that repository in \`sources\` of ${baseName(configPath)}`
      : `Did you mean \`${near}\`?`
  const toCreate = isCopy ? 'Run `openapi-pages update --sources` to copy it' : toAdd
  const hint = failure.hint ?? (failure.code === 'file-missing' ? toCreate : undefined)
  return names.flatMap(({ source: named, location }) => {
    if (named !== source || !location) return []
    const { hint: otherHint, ...at } = location
    const hints = [hint, otherHint].filter((each) => each !== undefined).join(' ')
    const { code, message, severity } = failure
    return { code, message, ...(severity && { severity }), ...at, ...(hints === '' ? {} : { hint: hints }) }
  })
}

/** A file of a docs directory whose text is known. */
export function toPageSource(root: string, file: string, textOf: (path: string) => string | undefined): SourceFile | undefined {
  const prefix = root === '' ? '' : `${root}/`
  const text = file.startsWith(prefix) ? textOf(file.slice(prefix.length)) : undefined
  return text === undefined ? undefined : { path: file, text }
}

/**
 * Reports navigation entries without a page, duplicate entries and pages with the same URL. Skips `settled` pages (with extension), which
 * the current update changes anyway.
 */
export async function checkEntries(survey: Survey, files: Files, settled: ReadonlySet<string>): Promise<Finding[]> {
  const { docsConfig, root, docsFiles } = survey
  if (!docsConfig) return []
  const file = docsConfig.source.path
  const entries = listEntries(docsConfig).filter(({ path }) => !settled.has(`${path}.mdx`))
  const known = new Set([...docsFiles.pages.keys()].map(withoutPageExtension))
  const shown = new Set([...known, ...listHostPages(survey, docsConfig)])
  const absent = entries.filter(({ path }) => !shown.has(path))
  const { missing, findings } = await findLinkedEntries(absent, root, files, file)
  return [
    ...findings,
    ...checkMissingEntries(missing, known, new Set(entries.map(({ path }) => path)), file),
    ...checkRepeatedEntries(entries, file),
    ...checkPageUrls(listPages(survey, entries), (path) => joinPath(root, path)),
  ]
}

/** Lists the pages of the site. A file in the navigation is always a page. */
export function listPages({ docsFiles, notPages }: Survey, entries: readonly PageEntry[]): string[] {
  const listed = new Set(entries.map(({ path }) => path))
  return [...docsFiles.pages.keys()].filter((path) => !notPages.has(path) || listed.has(withoutPageExtension(path)))
}

/** Lists the paths, without extension, of the pages that the host generates for divisions with `openapi`. */
function listHostPages({ documents }: Survey, { divisions }: DocsConfig): string[] {
  const bySource = new Map(documents.map(({ source, index }) => [source, index?.subjects ?? []]))
  return divisions.flatMap(({ sources }) =>
    sources.flatMap(({ source, directory }) => (bySource.get(source) ?? []).map((subject) => toPagePath(subject, directory))),
  )
}

/** Looks up listed pages in folders that are symbolic links, because the search for pages does not follow links. */
async function findLinkedEntries(
  absent: readonly PageEntry[],
  root: string,
  files: Files,
  file: string,
): Promise<{ missing: PageEntry[]; findings: Finding[] }> {
  const missing: PageEntry[] = []
  const findings: Finding[] = []
  const folders = new Map<string, Promise<boolean>>()
  const hasFolder = (folder: string) =>
    getOrMake(folders, folder, async () => (await files.read(joinPath(root, folder))).kind !== 'missing')
  for (const entry of absent) {
    if (!(await hasFolder(parentPath(entry.path)))) {
      missing.push(entry)
      continue
    }
    let refused: Finding | undefined
    let isThere = false
    for (const extension of ['.mdx', '.md']) {
      const result = await files.read(joinPath(root, entry.path + extension))
      if (result.kind === 'file') isThere = true
      else if (result.kind !== 'missing' && result.kind !== 'folder') {
        const { reason, hint } = toFailure(result)
        const message = `Cannot read the page \`${entry.path}${extension}\`: ${reason}`
        refused = { code: 'page-missing', message, file, pointer: entry.pointer, hint }
      }
    }
    if (!isThere && refused) findings.push(refused)
    else if (!isThere) missing.push(entry)
  }
  return { missing, findings }
}

/**
 * Reports a missing `docs.json`. The hint names the nearest `docs.json` below or above.
 */
export async function missingDocsConfig({ root, docsFiles }: Survey, files: Files): Promise<Finding> {
  const finding: Finding = {
    code: 'docs-config-missing',
    message: `Cannot find \`docs.json\` in ${root === '' ? 'this directory' : `\`${root}\``}`,
    file: joinPath(root, 'docs.json'),
    pointer: '',
  }
  const below = docsFiles.otherDocsConfigs.map((path) => joinPath(root, path))
  const near = below.toSorted((a, b) => a.split('/').length - b.split('/').length)[0] ?? (await findDocsConfigAbove(root, files))
  if (near !== undefined) {
    const hint = `Did you mean the directory of \`${relativePath(root, near)}\`?`
    return { ...finding, hint, related: [{ file: near, pointer: '', message: 'found here' }] }
  }
  const hasDocument = (await filterDocuments(root, docsFiles.documents, files)).length > 0
  const toAdd = 'Add an OpenAPI document, such as `openapi.yaml`, and run `openapi-pages init`'
  return { ...finding, hint: hasDocument ? 'Run `openapi-pages init` to write one' : toAdd }
}

/** Checks the bindings of all pages except unchanged generated ones and `settled` pages, whose binding the current update changes. */
export function checkBindings(survey: Survey, severity: Severity, settled: ReadonlySet<string>): Finding[] {
  const operationIds = new Map((survey.lock?.pages ?? []).map(({ path, operationId }) => [path, operationId]))
  return [...survey.readings].flatMap(([path, reading]) => {
    if (settled.has(path)) return []
    const file = joinPath(survey.root, path)
    const text = survey.docsFiles.pages.get(path) ?? ''
    const page = { file, path, text, reading, resolved: survey.resolutions.get(path), operationId: operationIds.get(path) }
    return checkPageBinding(page, survey.bindableDocuments, severity) ?? []
  })
}
