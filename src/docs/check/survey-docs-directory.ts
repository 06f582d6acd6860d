import type { Finding } from '../../diagnostics/diagnostic.ts'
import { pointerChild } from '../../text/json/json-values.ts'
import { baseName, joinPath } from '../../text/plain/paths.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import { suggest } from '../../text/plain/suggest.ts'
import { lockFileName } from '../config/config-files.ts'
import { findUnknownRules } from '../config/rule-settings.ts'
import { contentHash, type LockedPage, type LockFile } from '../pages/lock-file.ts'
import { resolveBinding } from '../pages/page-bindings.ts'
import { type PageBindingReading, readPageBinding } from '../pages/page-frontmatter.ts'
import { findSnippets } from '../pages/page-links.ts'
import { toSchemaTarget } from '../pages/subjects.ts'
import type { BoundOperation, DeclaredDivision, LockedPageState } from '../pages/types.ts'
import { findOverlays } from '../read/find-overlays.ts'
import type { DocsDirectory } from '../read/read-docs-directory.ts'
import { type DocsFiles, listNamedPages, readPages } from '../read/read-pages.ts'
import type { PagesFor, UpdateEnvironment } from '../types.ts'
import { type CheckedDocument, createDocumentChecks } from './check-documents.ts'
import { checkBoundDocuments, discoverDocuments, matchesDocument, resolveBindingFile } from './discover-documents.ts'

/** Everything read from a docs directory, the input for planning. */
export interface Survey extends DocsDirectory {
  /** Pages by path relative to the docs directory, and possible documents. */
  readonly docsFiles: DocsFiles
  /** Every document that is named somewhere or that a page is bound to. */
  readonly documents: readonly CheckedDocument[]
  /** `documents`, and every other document examined for a binding without a file. */
  readonly bindableDocuments: readonly CheckedDocument[]
  readonly stateOf: (page: LockedPage) => LockedPageState
  /** The bindings of all pages except unchanged generated ones. */
  readonly readings: ReadonlyMap<string, PageBindingReading>
  /** Pages outside the lock file that are bound to an operation or schema. */
  readonly boundPages: ReadonlyMap<string, BoundOperation>
  /** Snippets and ignored files, which are not pages themselves. */
  readonly notPages: ReadonlySet<string>
  /** Texts of the pages outside the lock file, by path. */
  readonly otherPages: ReadonlyMap<string, string>
  readonly sourceOf: (file: string) => SourceFile | undefined
}

/** Reads the documents of a docs directory (and `extra` ones, relative to it), its pages and their bindings. */
export async function surveyDocsDirectory(
  docsDirectory: DocsDirectory,
  divisions: readonly DeclaredDivision[],
  extra: readonly string[],
  environment: UpdateEnvironment,
  pagesFor: PagesFor = 'repository',
): Promise<Survey> {
  const { root } = docsDirectory
  environment.onProgress?.('reading pages')
  const docsFiles = await readPages(
    root,
    {
      known: (docsDirectory.lock?.pages ?? []).map(({ path }) => path),
      named: listNamedPages(docsDirectory.docsConfig),
    },
    environment.files,
    docsDirectory.config.limits,
  )
  const overlays = await findOverlays(root, docsDirectory.docsConfig, docsFiles.documents, environment)
  const checks = createDocumentChecks(root, environment, docsDirectory.config, { pagesFor, overlaysOf: overlays.of })
  const names = listDocumentNames(docsDirectory, divisions, extra)
  for (const { source } of names) await checks.check(source, 'named')
  const stateOf = createStateOf(docsFiles)
  const recorded = listRecordedPaths(docsDirectory.lock)
  const leftOut = [...findSnippets(docsFiles.pages), ...docsFiles.ignored]
  const notPages = new Set(leftOut.filter((path) => !recorded.has(path)))
  const readings = readBindings(docsDirectory.lock, docsFiles, stateOf, notPages)
  await checkBoundDocuments(docsDirectory, readings, docsFiles, checks, environment)
  await discoverDocuments(root, readings, docsFiles, checks, environment)
  const resolved = resolveBindings(readings, [...checks.documents.values()], docsDirectory.lock)
  const documents = resolved.documents.map((document) => {
    if (document.isLoaded || !isNamedInFile(document, names)) return document
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
    findings: [
      ...docsDirectory.findings,
      ...unknownRules,
      ...overlays.findings,
      ...docsFiles.unreadConfigs,
      ...docsFiles.faults,
      ...ownFindings,
    ],
    docsFiles,
    documents,
    bindableDocuments: [...checks.documents.values()],
    stateOf,
    readings,
    boundPages: resolved.boundPages,
    notPages,
    otherPages: new Map([...docsFiles.pages].filter(([path]) => !recorded.has(path))),
    sourceOf: (file) => sources.get(file) ?? toPageSource(root, file, docsFiles),
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
  const inConfig = [...(docsConfig?.divisions ?? []).flatMap(({ sources }) => sources), ...(docsConfig?.apiSources ?? [])]
  const fromConfig = inConfig.map(({ source, pointer }) => ({ source, location: { file, pointer } }))
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
  return ({ path, hash }) => {
    let state = states.get(path)
    if (state === undefined) {
      const text = pages.get(path)
      if (hash === undefined) state = 'deleted'
      else if (text === undefined) state = 'missing'
      else state = contentHash(text) === hash ? 'untouched' : 'edited'
      states.set(path, state)
    }
    return state
  }
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
    if (reading && reading.kind !== 'none') readings.set(path, resolveBindingFile(reading, path, known))
  }
  return readings
}

/** Resolves the bindings of all pages. Keeps only documents that are named or that a page is bound to. Pages in the lock file are not returned. */
function resolveBindings(
  readings: ReadonlyMap<string, PageBindingReading>,
  all: readonly CheckedDocument[],
  lock: LockFile | undefined,
): { documents: CheckedDocument[]; boundPages: Map<string, BoundOperation> } {
  const boundPages = new Map<string, BoundOperation>()
  const used = new Set<string>()
  const recorded = listRecordedPaths(lock)
  // An unnamed document with errors can still have the operation. Then its errors are reported.
  const bindable = all.map((document) =>
    document.isNamed ? document : { ...document, index: document.index ?? document.looseIndex },
  )
  for (const [path, reading] of readings) {
    if (reading.kind !== 'bound') continue
    const { file } = reading.binding
    if (file !== undefined) for (const { source } of all) if (matchesDocument(file, source, 'in-any-folder')) used.add(source)
    const resolved = resolveBinding(reading.binding, file === undefined ? bindable : all)
    if (resolved.kind === 'operation' || resolved.kind === 'schema') used.add(resolved.source)
    if (resolved.kind === 'ambiguous') for (const source of resolved.sources) used.add(source)
    if (resolved.kind === 'missing' || resolved.kind === 'unknown')
      for (const { source, isValid } of all) if (!isValid && file === undefined) used.add(source)
    // Nothing is certain about a document with errors.
    if (recorded.has(path) || !('source' in resolved) || !all.some(({ source, index }) => source === resolved.source && index))
      continue
    if (resolved.kind === 'operation') boundPages.set(path, { source: resolved.source, target: resolved.subject.target })
    if (resolved.kind === 'schema') boundPages.set(path, { source: resolved.source, target: toSchemaTarget(resolved.name) })
  }
  return { documents: all.filter(({ isNamed, source }) => isNamed || used.has(source)), boundPages }
}

/** Returns the paths of recorded pages. A page that was deleted and restored later is a hand-written one. */
function listRecordedPaths(lock: LockFile | undefined): Set<string> {
  return new Set((lock?.pages ?? []).filter(({ hash }) => hash !== undefined).map(({ path }) => path))
}

function isNamedInFile({ source }: CheckedDocument, names: readonly DocumentName[]): boolean {
  return names.some((name) => name.source === source && name.location !== undefined)
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

function toPageSource(root: string, file: string, { pages }: DocsFiles): SourceFile | undefined {
  const prefix = root === '' ? '' : `${root}/`
  const text = file.startsWith(prefix) ? pages.get(file.slice(prefix.length)) : undefined
  return text === undefined ? undefined : { path: file, text }
}
